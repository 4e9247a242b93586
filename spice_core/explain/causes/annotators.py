"""Counts of the causes that people chose, and the agreement between two people on the causes of the same captions and tuples."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from spice_core.data.items import caption_json
from spice_core.data.results import ScoredItem
from spice_core.data.work_file import CausesAndNote, CausesByTuple, ImageId, UnmatchedTuple
from spice_core.scene.matching import MatchState
from spice_core.stats.kappa import Kappa, cohens_kappa

CausesByImage = Mapping[ImageId, CausesByTuple]


@dataclass
class CauseCount:
    """The numbers of tuples with a decided cause and with only a suggested one, and the images of all these tuples."""

    decided_count: int = 0
    suggested_count: int = 0
    images: dict[ImageId, None] = field(default_factory=dict)

    @property
    def total(self) -> int:
        return self.decided_count + self.suggested_count


def iterate_causes(suggestions: CausesByImage, decisions: CausesByImage) -> Iterator[tuple[ImageId, UnmatchedTuple, str, bool]]:
    """Yield each tuple with a cause: its image, the tuple, the cause, and whether people decided it.

    A decision replaces a suggestion for the same tuple.
    """
    for image in {**suggestions, **decisions}:
        image_decisions = decisions.get(image, {})
        for tuple_, cause in {**suggestions.get(image, {}), **image_decisions}.items():
            yield image, tuple_, cause, tuple_ in image_decisions


def count_causes(suggestions: CausesByImage, decisions: CausesByImage) -> dict[MatchState, dict[str, CauseCount]]:
    """Return the counts of each cause by the state of the tuples."""
    counts: dict[MatchState, dict[str, CauseCount]] = {MatchState.EXTRA: {}, MatchState.MISSING: {}}
    for image, tuple_, cause, is_decided in iterate_causes(suggestions, decisions):
        count = counts[tuple_.state].setdefault(cause, CauseCount())
        count.decided_count += is_decided
        count.suggested_count += not is_decided
        count.images[image] = None
    return counts


def rank_causes(counts: Mapping[MatchState, Mapping[str, CauseCount]], states: Collection[MatchState]) -> dict[str, CauseCount]:
    """Return each cause's counts summed over these states, most frequent first, ties in alphabetical order."""
    sums: dict[str, CauseCount] = {}
    for state in states:
        for cause, count in counts[state].items():
            sum_ = sums.setdefault(cause, CauseCount())
            sum_.decided_count += count.decided_count
            sum_.suggested_count += count.suggested_count
            sum_.images |= count.images
    return dict(sorted(sums.items(), key=lambda pair: (-pair[1].total, pair[0])))


CaptionCauses = Mapping[ImageId, CausesAndNote]
CAUSE_SEPARATOR = " + "  # separator of the causes of a caption


class LabelledUnit(NamedTuple):
    """A caption or one of its tuples, with the causes assigned by two people ("" for none)."""

    image: ImageId
    tuple: UnmatchedTuple | None
    first: str
    second: str


@dataclass(frozen=True)
class AnnotatorAgreement:
    """Agreement between two people on the causes of units, which are captions or single tuples.

    Attributes:
        kappa: The agreement on the units to which both gave a cause.
        first_only_count: The number of units to which only the first person gave a cause.
        second_only_count: The number of units to which only the second person gave a cause.
        disagreements: The units to which the two gave different causes.
    """

    kappa: Kappa
    first_only_count: int
    second_only_count: int
    disagreements: tuple[LabelledUnit, ...]


def images_with_same_captions(rows: Iterable[ScoredItem], other_rows: Iterable[ScoredItem]) -> set[ImageId]:
    """Return the ids of the images that have the same candidate and references in both lists of rows."""
    captions_by_image = {row.image_id: _comparable_captions(row) for row in other_rows}
    return {row.image_id for row in rows if captions_by_image.get(row.image_id) == _comparable_captions(row)}


def labelled_captions(first: CaptionCauses, second: CaptionCauses, images: Iterable[ImageId]) -> Iterator[LabelledUnit]:
    """Yield the captions of these images with an assigned cause.

    Several causes of a caption form one label, joined by ``CAUSE_SEPARATOR``.
    """
    for image in images:
        causes = (_cause_label(first, image), _cause_label(second, image))
        if any(causes):
            yield LabelledUnit(image, None, *causes)


def labelled_tuples(first: CausesByImage, second: CausesByImage, images: Iterable[ImageId]) -> Iterator[LabelledUnit]:
    """Yield the tuples of these images with an assigned cause."""
    for image in images:
        a, b = first.get(image, {}), second.get(image, {})
        for tuple_ in {**a, **b}:
            yield LabelledUnit(image, tuple_, a.get(tuple_, ""), b.get(tuple_, ""))


def annotator_agreement(labelled_units: Iterable[LabelledUnit]) -> AnnotatorAgreement:
    """Return the agreement over captions or tuples. The bootstrap draws captions, whose tuples are dependent."""
    units = list(labelled_units)
    shared_units = [unit for unit in units if unit.first and unit.second]
    kappa = cohens_kappa([(unit.first, unit.second) for unit in shared_units], [unit.image for unit in shared_units])
    only_counts = (
        sum(bool(unit.first) for unit in units) - len(shared_units),
        sum(bool(unit.second) for unit in units) - len(shared_units),
    )
    return AnnotatorAgreement(kappa, *only_counts, tuple(unit for unit in shared_units if unit.first != unit.second))


def _cause_label(causes: CaptionCauses, image: ImageId) -> str:
    return CAUSE_SEPARATOR.join(sorted(causes.get(image, ((), ""))[0]))


def _comparable_captions(row: ScoredItem) -> tuple[object, list[object]]:
    return caption_json(row.candidate), [caption_json(reference) for reference in row.references]
