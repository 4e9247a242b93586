"""Functions that change tags and edges of a tree, for alternative readings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from spice_core.lang.en.lemmas import Lemmas
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Dependency, Token

_LEMMAS_PATH = Path(__file__).parents[1] / "models" / "caption" / "lemmas.json"


def reread_sentence(graph: DependencyGraph, tags: Mapping[int, str], edges: Iterable[Dependency]) -> DependencyGraph:
    """Return the tree with new tags (by word index) and the lemmas for them, and with new edges that replace those of the same dependents."""
    tokens = (_with_tag(token, tags[token.index]) if token.index in tags else token for token in graph.tokens)
    return DependencyGraph(tuple(tokens), graph.revise(edges).edges)


def _with_tag(token: Token, tag: str) -> Token:
    return token._replace(tag=tag, lemma=_load_lemmas().lemma(token.text, tag))


@cache
def _load_lemmas() -> Lemmas:
    return Lemmas.read(_LEMMAS_PATH, use_wordnet=True)


def has_ending(token: Token, ending: str) -> bool:
    """Return whether the word has this ending and a stem of more than two letters."""
    return token.text.lower().endswith(ending) and len(token.text) > len(ending) + 2
