"""Near misses: the tuples of the other side that are closest to an unmatched tuple."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from spice_core.metrics.result import SpiceResult
from spice_core.scene.graph import Concept, SceneTuple
from spice_core.scene.lexical_relations import PartComparison, compare_concepts
from spice_core.scene.synonyms import Synonyms

# positions of the shorter tuple's parts in the longer one, by the lengths of the unmatched and the other tuple
_ALIGNED_PARTS_BY_LENGTHS: dict[tuple[int, int], list[tuple[int, ...]]] = {
    (1, 2): [(0,), (1,)],
    (1, 3): [(0,), (2,)],
    (2, 1): [(1,)],
    (3, 1): [],
    (2, 3): [(0, 1), (0, 2)],
    (3, 2): [(0, 1), (0, 2)],
}


class RelatedTuple(NamedTuple):
    """A tuple of the other side, compared part by part with an unmatched tuple.

    Attributes:
        other: The tuple of the other side.
        parts: A comparison for each part of the longer tuple. A part that the shorter one lacks is ``absent``.
        is_matched: Whether the other tuple already has a counterpart.
    """

    other: SceneTuple
    parts: tuple[PartComparison, ...]
    is_matched: bool

    @property
    def agreement_count(self) -> int:
        """The number of agreeing parts."""
        return sum(part.agrees for part in self.parts)

    @property
    def differences(self) -> Sequence[PartComparison]:
        """The parts that differ."""
        return tuple(part for part in self.parts if not part.agrees)


PartCache = dict[tuple[int, int], PartComparison]  # comparisons of two concepts by the identities (``id``) of these objects


def related_tuples(result: SpiceResult, tuple_: SceneTuple, synonyms: Synonyms, cache: PartCache | None = None) -> tuple[RelatedTuple, ...]:
    """Return the related tuples of the other side, the nearest first: tuples of the same kind, then tuples of another kind.

    Tuples are ranked by the number of agreeing parts, agreement of the first part, and closeness of all parts. Unrelated
    tuples are excluded. A tuple of another kind must be related in each part of the shorter tuple, as (dog, run) and
    (dog, run on, street) are. If the shorter tuple is an object, it must agree with the part with which it is aligned. An
    unmatched attribute is aligned with an object only by its value, and an unmatched relation with no object, because the
    nouns of both also occur as object tuples. The calls for the tuples of one result may share a ``cache``.
    """
    comparisons: PartCache = {} if cache is None else cache
    is_extra = any(t is tuple_ for t in result.candidate_tuples)
    other_tuples = result.reference_tuples if is_extra else result.candidate_tuples

    def compare_parts(a: Concept, b: Concept) -> PartComparison:
        key = id(a), id(b)
        if key not in comparisons:
            comparisons[key] = compare_concepts(a, b, synonyms)
        return comparisons[key]

    same_kind, other_kind = [], []
    for other in other_tuples:
        is_matched = other.id in result.match_by_tuple
        if len(other.concepts) == len(tuple_.concepts):
            same_kind.append(RelatedTuple(other, tuple(map(compare_parts, tuple_.concepts, other.concepts)), is_matched))
        else:
            other_kind += [
                RelatedTuple(other, parts, is_matched) for parts in _plausible_alignments(tuple_.concepts, other.concepts, compare_parts)
            ]
    return (*_sort_by_closeness(same_kind), *_sort_by_closeness(other_kind))


def nearest_tuples(neighbours: Sequence[RelatedTuple], tuple_: SceneTuple, *, max_count: int = 3) -> tuple[RelatedTuple, ...]:
    """Return at most ``max_count`` related tuples of the same kind as this tuple, then at most one of another kind."""
    same_kind = [neighbour for neighbour in neighbours if len(neighbour.other.concepts) == len(tuple_.concepts)]
    other_kind = [neighbour for neighbour in neighbours if len(neighbour.other.concepts) != len(tuple_.concepts)]
    return (*same_kind[:max_count], *other_kind[:1])


def _sort_by_closeness(neighbours: list[RelatedTuple]) -> list[RelatedTuple]:
    """Return the related tuples, closest first. Unrelated tuples are dropped."""
    keys = [(n.agreement_count, n.parts[0].agrees, sum(p.closeness for p in n.parts)) for n in neighbours]
    order = sorted(range(len(neighbours)), key=lambda i: keys[i], reverse=True)
    return [neighbours[i] for i in order if keys[i][2] > 0]


def _plausible_alignments(
    concepts: tuple[Concept, ...], other_concepts: tuple[Concept, ...], compare: Callable[[Concept, Concept], PartComparison]
) -> list[tuple[PartComparison, ...]]:
    """Return the alignments in which each part of the shorter tuple is related to its counterpart or, for an object, equal."""
    out: list[tuple[PartComparison, ...]] = []
    shorter = min(len(concepts), len(other_concepts))
    for positions in _ALIGNED_PARTS_BY_LENGTHS[len(concepts), len(other_concepts)]:
        index_by_place = {place: n for n, place in enumerate(positions)}
        if len(concepts) < len(other_concepts):
            parts = [
                compare(concepts[index_by_place[i]], c) if i in index_by_place else PartComparison("", str(c), "absent")
                for i, c in enumerate(other_concepts)
            ]
        else:
            parts = [
                compare(c, other_concepts[index_by_place[i]]) if i in index_by_place else PartComparison(str(c), "", "absent")
                for i, c in enumerate(concepts)
            ]
        if all(parts[i].agrees if shorter == 1 else parts[i].closeness for i in positions):
            out.append(tuple(parts))
    return out
