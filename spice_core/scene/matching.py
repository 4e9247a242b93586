"""Matching of candidate and reference tuples, with the evidence for each pair (Anderson et al. 2016, section 3.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from operator import itemgetter
from typing import NamedTuple

from spice_core.scene.graph import Concept, SceneTuple, Scheme

BROADER_CREDIT = 0.5  # credit of a broader or narrower word under lenient schemes


class MatchState(StrEnum):
    """The relation of a tuple to the other side.

    A tuple is matched (``exact``, ``synonym`` or ``partial``), entailed, ``narrower`` (it entails a tuple of the other side), of the
    ``same_kind`` as a tuple of the other side, contradicted, ``extra`` (only in the candidate) or ``missing`` (only in the references).
    """

    EXACT = "exact"
    SYNONYM = "synonym"
    PARTIAL = "partial"
    ENTAILED = "entailed"
    NARROWER = "narrower"
    SAME_KIND = "same_kind"
    CONTRADICTED = "contradicted"
    EXTRA = "extra"
    MISSING = "missing"

    @property
    def matched(self) -> bool:
        """Whether the other side matches or entails the tuple."""
        return self in (MatchState.EXACT, MatchState.SYNONYM, MatchState.PARTIAL, MatchState.ENTAILED)


@dataclass(frozen=True, slots=True)
class Evidence:
    """Evidence for the match of two concepts: their shared words, or their shared synsets if they share no word.

    Both fields are empty if the concepts differ.
    """

    words: tuple[str, ...]
    synsets: tuple[int, ...]

    @property
    def kind(self) -> str:
        """``word``, ``synset``, or ``different`` if the concepts do not match."""
        return "word" if self.words else "synset" if self.synsets else "different"


@dataclass(frozen=True, slots=True)
class Match:
    """A candidate tuple with the reference tuple that it matches.

    ``credit`` is below 1 if only some parts agree.
    """

    candidate: SceneTuple
    reference: SceneTuple
    credit: float = 1

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """The evidence for each part of the shorter tuple."""
        return tuple(map(evidence_for, self.candidate.concepts, self.reference.concepts))

    @property
    def state(self) -> MatchState:
        """``partial`` if the credit is below 1, ``exact`` if every part shares a word, and ``synonym`` otherwise."""
        if self.credit < 1:
            return MatchState.PARTIAL
        return MatchState.EXACT if all(e.words for e in self.evidence) else MatchState.SYNONYM


def evidence_for(a: Concept, b: Concept) -> Evidence:
    """Return the words or synsets that two concepts share."""
    words = a.words & b.words
    return Evidence(tuple(sorted(words)), () if words else tuple(sorted(a.shared_synsets(b))))


def match_by_scheme(candidates: Sequence[SceneTuple], references: Sequence[SceneTuple], scheme: Scheme) -> list[Match]:
    """Return the matches of candidate and reference tuples under a scheme."""
    if scheme.partial_credit:
        return match_parts(candidates, references, lenient=scheme.lenient)
    return (match_smaller if scheme.match_smaller_side else match_candidates)(candidates, references)


def match_parts(candidates: Sequence[SceneTuple], references: Sequence[SceneTuple], *, lenient: bool = False) -> list[Match]:
    """Match each candidate tuple with the reference tuple that has the largest share of agreeing parts.

    If several tuples have the largest share, the match is the first of those with the most agreeing parts and, among these, the most equal
    words.

    An object tuple agrees fully or, if ``lenient`` and one word is a hypernym of the other, by half. Attributes and relations get partial credit if the attribute word or the label of the
    relation agrees: (person, sit, bench) and (woman, sit, bench) agree in two of three parts, and so do (dog, run) and (dog, run, road). If
    ``lenient``, (dog, run) gets full credit because all parts of the shorter tuple agree. Tuples such as (木, 見える, 外), "a tree is seen
    outside", and (トマト, ある, 上), "a tomato is on top", which agree only in that something exists, get no credit.
    """
    choose_length = min if lenient else max
    objects = [r for r in references if len(r.concepts) == 1]
    multi_part = [r for r in references if len(r.concepts) > 1]
    matches = []
    for candidate in candidates:
        if len(candidate.concepts) == 1:
            matches += match_candidates([candidate], objects) or _match_broader(candidate, objects)
            continue
        agreements = [_strict_agreement(candidate, r, choose_length(len(candidate.concepts), len(r.concepts))) for r in multi_part]
        best_agreement, reference = max(zip(agreements, multi_part), key=itemgetter(0), default=(_NO_AGREEMENT, None))
        if best_agreement.credit and reference:
            matches.append(Match(candidate, reference, best_agreement.credit))
    return matches


def _match_broader(candidate: SceneTuple, objects: Sequence[SceneTuple]) -> list[Match]:
    """Return the match of an object with the first object that is broader or narrower, or None."""
    related = (r for r in objects if r.negated is candidate.negated and r.concepts[0].is_broader_or_narrower(candidate.concepts[0]))
    return [Match(candidate, reference, BROADER_CREDIT) for reference in (next(related, None),) if reference]


class _Agreement(NamedTuple):
    """How far two tuples agree. Better agreements compare as greater."""

    credit: float
    part_count: int
    equal_word_count: int


_NO_AGREEMENT = _Agreement(0, 0, 0)


def _strict_agreement(a: SceneTuple, b: SceneTuple, length: int) -> _Agreement:
    """Return the agreement of two tuples. The credit is the share of ``length`` parts that agree.

    The agreement is zero if the attribute word or the label of the relation differs, or if the tuples agree only in that something exists.
    """
    pairs = list(zip(a.concepts, b.concepts))
    agreements = [x.is_similar(y) for x, y in pairs]
    only_existence = sum(agreements) == 1 and all(concept.is_existence for concept in pairs[1])
    if not agreements[1] or only_existence or a.negated is not b.negated:
        return _NO_AGREEMENT
    related = [not agrees and x.is_broader_or_narrower(y) for agrees, (x, y) in zip(agreements, pairs)]
    return _Agreement(
        (sum(agreements) + BROADER_CREDIT * sum(related)) / length, sum(agreements), sum(not x.words.isdisjoint(y.words) for x, y in pairs)
    )


def match_smaller(candidates: Sequence[SceneTuple], references: Sequence[SceneTuple]) -> list[Match]:
    """Return the matches of the side with fewer tuples, as in JaSPICE (the candidate's for equal numbers)."""
    if len(candidates) <= len(references):
        return match_candidates(candidates, references)
    return [Match(candidate=m.reference, reference=m.candidate) for m in match_candidates(references, candidates)]


def match_candidates(candidates: Sequence[SceneTuple], references: Sequence[SceneTuple]) -> list[Match]:
    """Return the first match of each candidate tuple, in order. A reference tuple may match several candidate tuples."""
    by_length: dict[tuple[int, bool], list[SceneTuple]] = {}
    for reference in references:
        by_length.setdefault((len(reference.concepts), reference.negated), []).append(reference)
    first_concepts = {id(reference.concepts[0]): reference.concepts[0] for reference in references}
    similar_ids: dict[int, set[int]] = {}  # ids of similar first concepts of references, by id of a candidate's first concept
    matches = []
    for candidate in candidates:
        first = candidate.concepts[0]
        if id(first) not in similar_ids:
            similar_ids[id(first)] = {key for key, concept in first_concepts.items() if first.is_similar(concept)}
        similar = similar_ids[id(first)]
        for reference in by_length.get((len(candidate.concepts), candidate.negated), ()) if similar else ():
            if id(reference.concepts[0]) in similar and all(map(Concept.is_similar, candidate.concepts[1:], reference.concepts[1:])):
                matches.append(Match(candidate, reference))
                break
    return matches
