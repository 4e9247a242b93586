"""Counts of the causes of unmatched tuples: decisions by people or, where there are none, suggestions."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from spice_core.data.work_file import CausesByTuple, ImageId, UnmatchedTuple
from spice_core.scene.matching import MatchState

CausesByImage = Mapping[ImageId, CausesByTuple]


@dataclass
class CauseCount:
    """The number of tuples whose cause people decided, the number whose cause is only suggested, and the images of all these tuples."""

    decided_count: int = 0
    suggested_count: int = 0
    images: dict[ImageId, None] = field(default_factory=dict)

    @property
    def total(self) -> int:
        return self.decided_count + self.suggested_count


def iterate_causes(suggestions: CausesByImage, decisions: CausesByImage) -> Iterator[tuple[ImageId, UnmatchedTuple, str, bool]]:
    """Yield each tuple that has a cause: its image, the tuple, the cause, and whether people decided it.

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
    """Return the counts of each cause, summed over these states. The most frequent cause comes first, and ties are in alphabetical order."""
    sums: dict[str, CauseCount] = {}
    for state in states:
        for cause, count in counts[state].items():
            sum_ = sums.setdefault(cause, CauseCount())
            sum_.decided_count += count.decided_count
            sum_.suggested_count += count.suggested_count
            sum_.images |= count.images
    return dict(sorted(sums.items(), key=lambda pair: (-pair[1].total, pair[0])))
