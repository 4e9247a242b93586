"""Error analysis over many results: distributions, slices and frequently missing tuples, with example images.

All collectors take scored items one at a time and store a bounded number of names and image ids.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from spice_core.data.results import ScoredItem
from spice_core.evaluation.outcomes import Outcome, share_word, tuples_by_outcome
from spice_core.scene.scores import OVERALL

MAX_LISTED_IDS = 200  # maximum number of image ids stored for a group
MAX_SLICES = 20_000  # maximum number of groups after the smallest are dropped

SliceKey = Callable[[ScoredItem], Iterable[str]]
WordSplitter = Callable[[str], Sequence[str]]  # a function from a caption to its words


class Collector(Protocol):
    """Accumulates scored items."""

    def add(self, item: ScoredItem) -> None:
        """Add one item."""


@dataclass(slots=True)
class ImageGroup:
    """A group of images: count, mean score, and the ids of the first images."""

    count: int = 0
    ids: list[int | str] = field(default_factory=list)
    _sum: float = 0.0

    def add(self, image: int | str, score: float = 0.0) -> None:
        """Add one image."""
        self.count += 1
        self._sum += score
        if len(self.ids) < MAX_LISTED_IDS:
            self.ids.append(image)

    @property
    def mean(self) -> float:
        return self._sum / self.count if self.count else math.nan


def feed_collectors(items: Iterable[ScoredItem], *collectors: Collector) -> int:
    """Feed each item to all collectors. Return the number of items."""
    count = 0
    for item in items:
        count += 1
        for collector in collectors:
            collector.add(item)
    return count


class Histogram:
    """Distribution of a category's F1 in equal bins from 0 to 1, and a group of images without a defined F1."""

    def __init__(self, category: str = OVERALL, bins: int = 20):
        self.category, self.undefined = category, ImageGroup()
        self.bins = [ImageGroup() for _ in range(bins)]

    def add(self, item: ScoredItem) -> None:
        f1 = item.scores[self.category].f1
        group = self.undefined if math.isnan(f1) else self.bins[min(int(f1 * len(self.bins)), len(self.bins) - 1)]
        group.add(item.image_id, 0.0 if math.isnan(f1) else f1)


class Slices:
    """Groups of images by ``key`` with their mean F1.

    With ``by_own_category``, each group is a category, and its F1 is the F1 of the category. If there are more than twice
    ``MAX_SLICES`` groups, the smallest are dropped. No group had more than ``dropped_count`` images when it was
    dropped.
    """

    def __init__(self, key: SliceKey, *, by_own_category: bool = False):
        self.dropped_count = 0
        self._key, self._by_own_category = key, by_own_category
        self._groups: dict[str, ImageGroup] = {}

    def add(self, item: ScoredItem) -> None:
        scores = item.scores
        for name in self._key(item):
            self._groups.setdefault(name, ImageGroup()).add(item.image_id, scores[name if self._by_own_category else OVERALL].f1)
        if len(self._groups) > 2 * MAX_SLICES:
            groups = self.largest_groups(len(self._groups))
            self.dropped_count = max(self.dropped_count, groups[MAX_SLICES][1].count)
            self._groups = dict(groups[:MAX_SLICES])

    def largest_groups(self, count: int = 20) -> list[tuple[str, ImageGroup]]:
        """Return the largest groups in descending order of size. Groups of equal size are in alphabetical order."""
        return sorted(self._groups.items(), key=lambda pair: (-pair[1].count, pair[0]))[:count]

    def __getitem__(self, name: str) -> ImageGroup:
        return self._groups.get(name, ImageGroup())

    def __iter__(self) -> Iterator[str]:
        return iter(self._groups)


def by_category(item: ScoredItem) -> Iterable[str]:
    """Return the categories in which the references have a tuple."""
    return [name for name, score in item.scores.items() if score.defined]


def by_score(item: ScoredItem) -> Iterable[str]:
    """Return the range of F1, in steps of one fifth: 0.0–0.2, …"""
    bin_index = min(int(item.scores[OVERALL].f1 * 5), 4)
    return [f"{bin_index / 5:.1f}–{(bin_index + 1) / 5:.1f}"]


def by_length(item: ScoredItem, split: WordSplitter = str.split) -> Iterable[str]:
    """Return the number of words of the candidate, as separated by ``split``."""
    return [str(len(_words_of_candidate(item, split)))]


def by_word(item: ScoredItem, split: WordSplitter = str.split) -> Iterable[str]:
    """Return the words of the candidate, as separated by ``split``, in lower case and without punctuation."""
    return {word for word in (w.strip(".,;:!?\"'()").lower() for w in _words_of_candidate(item, split)) if word}


def by_field(item: ScoredItem) -> Iterable[str]:
    """Return the value of the field by which the images are grouped, if the image has one."""
    return (item.group,) if item.group else ()


def by_tag(tags: Mapping[int | str, Collection[str]]) -> SliceKey:
    """Return a key that groups images by the tags assigned to them."""
    return lambda item: tags.get(item.image_id, ())


def by_missing_tuple(item: ScoredItem) -> Iterable[str]:
    """Return the reference tuples without a counterpart."""
    return dict.fromkeys(map(" – ".join, item.missing))


def by_extra_tuple(item: ScoredItem) -> Iterable[str]:
    """Return the candidate tuples without a counterpart."""
    return dict.fromkeys(map(" – ".join, item.extra))


def by_other_value(lists: Mapping[str, frozenset[str]]) -> SliceKey:
    """Return a key that groups images by differing values, the candidate's before the references': "red → blue", "sofa → chair".

    Two attributes of the same thing differ if their values are different words of one of the ``lists`` (colours, sizes …).
    Two relations differ if exactly one part differs.
    """

    def differing_values(item: ScoredItem) -> Iterable[str]:
        pairs = [pair for kind in ("Attribute", "Relation") for pair in tuples_by_outcome(item, kind, lists)[Outcome.OTHER]]
        return dict.fromkeys(f"{a} → {b}" for pair in pairs for a, b in zip(*pair) if not share_word(a, b))

    return differing_values


def _words_of_candidate(item: ScoredItem, split: WordSplitter) -> Sequence[str]:
    if isinstance(item.candidate, str):
        return split(item.candidate)
    return [word for p in item.candidate.propositions for word in p.words]
