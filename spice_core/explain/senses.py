"""Senses behind a match: the words of several captions that were merged by a sense, and matches that rest on a doubtful sense."""

from __future__ import annotations

import itertools
from typing import NamedTuple

from spice_core.scene.graph import Concept, Element, SceneTuple
from spice_core.scene.matching import Match
from spice_core.scene.synonyms import MAX_ORDINARY_RANK, Synonyms, SynsetLike, TaggedSynset, parts_of_speech, sense_rank_of


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
    """Return the merges behind an element's concept, in order, or an empty tuple if all captions use one word."""
    captions_by_word: dict[str, set[int]] = {}
    for mention in element.mentions:
        captions_by_word.setdefault(mention.word, set()).add(mention.caption)
    concepts = {mention.word: mention.concept for mention in reversed(element.mentions)}  # the concept of each word's first mention
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


_REASON_ORDER = ("", "rare", "part of speech", "collision")


class DoubtfulSense(NamedTuple):
    """A part of two tuples that matched by a doubtful sense.

    Attributes:
        part: The position of the part.
        candidate: The candidate's words with the sense.
        reference: The references' words with the sense.
        synset: The least doubtful sense that the words share.
        reason: ``collision``, ``part of speech`` or ``rare``.
    """

    part: int
    candidate: tuple[str, ...]
    reference: tuple[str, ...]
    synset: SynsetLike
    reason: str


def doubtful_senses(match: Match, synonyms: Synonyms) -> tuple[DoubtfulSense, ...]:
    """Return the parts of a match that share no word and only doubtful senses.

    A shared sense is doubtful for one of these reasons:
        collision: The synonym source marks the sense. In the original SPICE, two words may have the same id by accident.
        part of speech: On one side, no word with the sense is tagged with the part of speech of the sense. A participle counts as verb
            and adjective. Given propositions have no tags and cause no doubt.
        rare: The sense is not among the first two senses of any word that has it, as with stand and bear. The sense that
            racket and racquet share is not rare: it is the fourth sense of one word, but the first of the other.

    The last two reasons do not occur if the source does not know parts of speech or ranks.
    """
    out = []
    for n, evidence in enumerate(match.evidence):
        doubts = [_make_doubtful_sense(match, n, synonyms.synset(id), synonyms) for id in evidence.synsets]
        if doubts:
            doubt = min(doubts, key=lambda s: _REASON_ORDER.index(s.reason))
            out += [doubt] if doubt.reason else []
    return tuple(out)


def _make_doubtful_sense(match: Match, part_index: int, sense: SynsetLike, synonyms: Synonyms) -> DoubtfulSense:
    matched_tuples = (match.candidate, match.reference)
    candidate, reference = (
        tuple(sorted(word for word in side.concepts[part_index].words if sense.id in synonyms.ids(word))) for side in matched_tuples
    )
    reason = ""
    if sense.collision:
        reason = "collision"
    elif not all(
        _is_plausible_sense(side, part_index, holders, sense, synonyms) for side, holders in zip(matched_tuples, (candidate, reference))
    ):
        reason = "part of speech"
    elif all((sense_rank_of(synonyms, w, sense.id) or 1) > MAX_ORDINARY_RANK for w in (*candidate, *reference)):
        reason = "rare"
    return DoubtfulSense(part_index, candidate, reference, sense, reason)


def _is_plausible_sense(side: SceneTuple, part_index: int, holders: tuple[str, ...], sense: SynsetLike, synonyms: Synonyms) -> bool:
    """Return whether some word has the sense's part of speech, or True if the sense or all words have none."""
    pos = sense.pos.replace("s", "a") if isinstance(sense, TaggedSynset) else ""
    used_pos = {
        p
        for m in side.elements[part_index].mentions
        if m.word in holders
        for p in parts_of_speech(synonyms, m.proposition.tokens[m.part] if m.proposition.tokens else ())
    }
    return not pos or not used_pos or pos in used_pos
