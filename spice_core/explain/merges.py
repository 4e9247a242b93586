"""Effects of merging: which words of several captions became one concept, by which sense, and which matches depend on the merge."""

from __future__ import annotations

import itertools
from typing import NamedTuple

from spice_core.scene.graph import Concept, Element, SceneTuple
from spice_core.scene.matching import Match
from spice_core.scene.synonyms import Synonyms, SynsetLike


class ConceptMerge(NamedTuple):
    """A word that was merged into a concept.

    Attributes:
        word: The merged word.
        captions: The positions of the captions with the word.
        synonyms: The words of the concept that share ``synset`` with the word.
        synonym_captions: The positions of the captions with these words.
        synset: The shared sense.
    """

    word: str
    captions: tuple[int, ...]
    synonyms: tuple[str, ...]
    synonym_captions: tuple[int, ...]
    synset: SynsetLike


def merges_of(element: Element, synonyms: Synonyms) -> tuple[ConceptMerge, ...]:
    """Return the merges that formed the concept of an element, in order, or an empty tuple if all captions use one word."""
    captions_by_word: dict[str, set[int]] = {}
    for mention in element.mentions:
        captions_by_word.setdefault(mention.word, set()).add(mention.caption)
    concepts = {mention.word: mention.concept for mention in reversed(element.mentions)}  # the concept of the first mention of each word
    out: list[ConceptMerge] = []
    merged_concept = Concept(frozenset())
    for word, captions in captions_by_word.items():
        if synset_ids := merged_concept.shared_synsets(concepts[word]):
            sense = min((synonyms.synset(id) for id in synset_ids), key=lambda s: (s.collision, abs(s.id)))
            merged_words = tuple(k for k in captions_by_word if k in merged_concept.words and sense.id in concepts[k].synsets)
            out.append(
                ConceptMerge(
                    word,
                    tuple(sorted(captions)),
                    merged_words,
                    tuple(sorted(set().union(*(captions_by_word[k] for k in merged_words)))),
                    sense,
                )
            )
        merged_concept = merged_concept.merge(concepts[word])
    return tuple(out)


def needed_merges(match: Match, synonyms: Synonyms) -> tuple[ConceptMerge, ...]:
    """Return the merges that a match depends on.

    The result is empty if a proposition of the candidate matches one of the references without any merge.
    """
    pairs = itertools.product(_stated_concepts(match.candidate), _stated_concepts(match.reference))
    if any(all(a.is_similar(b) for a, b in zip(x, y)) for x, y in pairs):
        return ()
    elements = dict.fromkeys((*match.candidate.elements, *match.reference.elements))
    return tuple(merge for element in elements for merge in merges_of(element, synonyms))


def _stated_concepts(tuple_: SceneTuple) -> set[tuple[Concept, ...]]:
    """Return the unmerged concepts of a tuple in each of its propositions."""
    if tuple_.kind == "object":
        return {(mention.concept,) for mention in tuple_.mentions}
    return {
        tuple(
            next(m.concept for m in element.mentions if (m.proposition, m.part) == (mention.proposition, part))
            for part, element in enumerate(tuple_.elements)
        )
        for mention in tuple_.mentions
    }
