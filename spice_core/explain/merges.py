"""Effects of merging: which words of several captions became one concept, by which sense, and which matches depend on it."""

from __future__ import annotations

import itertools
from typing import NamedTuple

from spice_core.scene.graph import Concept, Element, Mention, SceneTuple
from spice_core.scene.matching import Match
from spice_core.scene.synonyms import Synonyms, SynsetLike


class Merge(NamedTuple):
    """A word merged into a concept: the captions (positions on its side) with the word, the words of the concept that share
    ``synset`` with it, and the captions with those."""

    word: str
    captions: tuple[int, ...]
    into: tuple[str, ...]
    into_captions: tuple[int, ...]
    synset: SynsetLike


def merges(element: Element, synonyms: Synonyms) -> tuple[Merge, ...]:
    """The merges behind the element's concept, in order; empty if all captions use one word."""
    captions_by_word: dict[str, list[int]] = {}
    for mention in element.mentions:
        captions_by_word.setdefault(spoken(mention), []).append(mention.caption)
    out: list[Merge] = []
    known: list[str] = []
    for word in captions_by_word:
        ids = synonyms.ids(word)
        if shared := frozenset().union(*(synonyms.ids(k) for k in known)) & ids:
            sense = min((synonyms.synset(id) for id in shared), key=lambda s: (s.collision, abs(s.id)))
            into = tuple(k for k in known if sense.id in synonyms.ids(k))
            captions = sorted({c for k in into for c in captions_by_word[k]})
            out.append(Merge(word, tuple(sorted(set(captions_by_word[word]))), into, tuple(captions), sense))
        known.append(word)
    return tuple(out)


def needed(match: Match, synonyms: Synonyms) -> tuple[Merge, ...]:
    """The merges that this match depends on; empty if some propositions of both sides would match unmerged."""
    pairs = itertools.product(_stated(match.candidate, synonyms), _stated(match.reference, synonyms))
    if any(all(a.similar(b) for a, b in zip(x, y)) for x, y in pairs):
        return ()
    elements = dict.fromkeys((*match.candidate.elements, *match.reference.elements))
    return tuple(merge for element in elements for merge in merges(element, synonyms))


def spoken(mention: Mention) -> str:
    """The word that a mention adds to its concept; without the leading "be" of a relation."""
    words = mention.proposition.words
    return mention.word.removeprefix("be ") if len(words) == 3 and mention.part == 1 else mention.word


def _stated(tuple_: SceneTuple, synonyms: Synonyms) -> set[tuple[Concept, ...]]:
    """The tuple as stated by each of its propositions, with unmerged concepts."""
    out = set()
    for mention in tuple_.mentions:
        words = [mention.word] if tuple_.kind == "object" else [*mention.proposition.words]
        words[1:2] = [spoken(mention)] if len(words) > 1 else []
        out.add(tuple(Concept(frozenset((w,)), synonyms.ids(w)) for w in words))
    return out
