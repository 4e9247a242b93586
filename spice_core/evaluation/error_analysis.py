"""Error analysis over many results: groups of images by category, score, word, tag or tuple, with their mean F1."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from spice_core.data.results import ScoredItem
from spice_core.evaluation.outcomes import Outcome, share_word, tuples_by_outcome
from spice_core.scene.scores import OVERALL

MAX_GROUPS = 20_000  # maximum number of groups after the smallest are dropped

GroupKey = Callable[[ScoredItem], Iterable[str]]
WordSplitter = Callable[[str], Sequence[str]]  # a function from a caption to its words


@dataclass(slots=True)
class ImageGroup:
    """A group of images: their number and the sum of their scores."""

    count: int = 0
    total: float = 0.0

    @property
    def mean(self) -> float:
        """The mean score, or nan without images."""
        return self.total / self.count if self.count else math.nan


def group_images(items: Iterable[ScoredItem], key: GroupKey, *, by_own_category: bool = False) -> dict[str, ImageGroup]:
    """Return the groups of images by ``key``, the largest first. Groups of equal size are in alphabetical order.

    With ``by_own_category``, each group is a category, and its scores are the F1 of the category instead of the overall F1. If there are
    more than twice ``MAX_GROUPS`` groups, the smallest are dropped.
    """
    groups: dict[str, ImageGroup] = {}
    for item in items:
        for name in key(item):
            group = groups.setdefault(name, ImageGroup())
            group.count += 1
            group.total += item.scores[name if by_own_category else OVERALL].f1
        if len(groups) > 2 * MAX_GROUPS:
            groups = dict(_sort_groups(groups)[:MAX_GROUPS])
    return dict(_sort_groups(groups))


def _sort_groups(groups: Mapping[str, ImageGroup]) -> list[tuple[str, ImageGroup]]:
    return sorted(groups.items(), key=lambda pair: (-pair[1].count, pair[0]))


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


def by_tag(tags: Mapping[int | str, Collection[str]]) -> GroupKey:
    """Return a key that groups images by their tags."""
    return lambda item: tags.get(item.image_id, ())


def by_missing_tuple(item: ScoredItem) -> Iterable[str]:
    """Return the reference tuples without a match."""
    return dict.fromkeys(map(" – ".join, item.missing))


def by_extra_tuple(item: ScoredItem) -> Iterable[str]:
    """Return the candidate tuples without a match."""
    return dict.fromkeys(map(" – ".join, item.extra))


def by_other_value(lists: Mapping[str, frozenset[str]]) -> GroupKey:
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
