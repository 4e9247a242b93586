"""Changes of a sentence's tags and edges, and queries about its words, for alternative readings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

from spice_core.lang.en.lemmas import Lemmas
from spice_core.syntax.document import Dependency, Sentence, Token

_LEMMAS = Path(__file__).parents[1] / "models" / "caption" / "lemmas.json"


def read(sentence: Sentence, tags: Mapping[int, str], edges: Iterable[Dependency]) -> Sentence:
    """Return the sentence with these tags (by index), and with these edges in place of those with the same dependents."""
    changed = {e.dependent: e for e in edges}
    tokens = [_tagged(token, tags[token.index]) if token.index in tags else token for token in sentence.tokens]
    return replace(sentence, tokens=tuple(tokens), basic=tuple(changed.get(e.dependent, e) for e in sentence.basic), enhanced=None)


def _tagged(token: Token, tag: str) -> Token:
    return token._replace(tag=tag, lemma=_lemmas().lemma(token.text, tag))


@cache
def _lemmas() -> Lemmas:
    return Lemmas.read(_LEMMAS, checked=True)


def ends(token: Token, ending: str) -> bool:
    """Return whether the word has this ending and a stem of more than two letters."""
    return token.text.lower().endswith(ending) and len(token.text) > len(ending) + 2


def is_noun(sentence: Sentence, index: int) -> bool:
    """Return whether the word is tagged as a noun."""
    return sentence.tokens[index - 1].tag.startswith("NN")


def edge_of(sentence: Sentence, index: int) -> Dependency:
    """Return the edge to the head of the word."""
    return sentence.basic[index - 1]


def below(sentence: Sentence, index: int) -> list[Dependency]:
    """Return the edges to the dependents of the word, in order."""
    return [e for e in sentence.basic if e.head == index]
