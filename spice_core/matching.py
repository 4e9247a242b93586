"""Alignment of candidate and reference tuples, and why each pair matched (spec section 7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from spice_core.graph import Concept, SceneTuple


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why two concepts count as similar: the words they share, or else the synset ids they share."""

    words: tuple[str, ...]
    synsets: tuple[int, ...]

    @property
    def kind(self) -> str:
        """``word`` or ``synset``."""
        return "word" if self.words else "synset"


@dataclass(frozen=True, slots=True)
class Match:
    """A candidate tuple with the first reference tuple it matches."""

    candidate: SceneTuple
    reference: SceneTuple

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """One piece of evidence for each part of the tuples."""
        return tuple(map(evidence, self.candidate.concepts, self.reference.concepts))

    @property
    def kind(self) -> str:
        """``word`` if every part shares a word, otherwise ``synset``."""
        return "word" if all(e.kind == "word" for e in self.evidence) else "synset"


def evidence(a: Concept, b: Concept) -> Evidence:
    """What two similar concepts have in common."""
    words = a.words & b.words
    return Evidence(tuple(sorted(words)), () if words else tuple(sorted(a.synsets & b.synsets)))


def match_smaller(candidates: Sequence[SceneTuple], references: Sequence[SceneTuple]) -> list[Match]:
    """The matches of the side with fewer tuples (the candidate on a tie), as JaSPICE counts them."""
    if len(candidates) <= len(references):
        return match(candidates, references)
    return [Match(candidate=m.reference, reference=m.candidate) for m in match(references, candidates)]


def match(candidates: Sequence[SceneTuple], references: Sequence[SceneTuple]) -> list[Match]:
    """The matches of the candidate tuples that have one, in order; a reference tuple may serve several of them."""
    by_length: dict[int, list[SceneTuple]] = {}
    for reference in references:
        by_length.setdefault(len(reference.concepts), []).append(reference)
    matches = []
    for candidate in candidates:
        for reference in by_length.get(len(candidate.concepts), ()):
            if all(a.similar(b) for a, b in zip(candidate.concepts, reference.concepts)):
                matches.append(Match(candidate, reference))
                break
    return matches
