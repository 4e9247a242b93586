"""Systems on the same images: means by category, differences from a baseline, and their significance."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from spice_core.data.reader import stem_of
from spice_core.data.results import ScoredItem, read_results
from spice_core.errors import InputError, Message
from spice_core.evaluation.row_statistics import sort_categories
from spice_core.scene.scores import OVERALL
from spice_core.stats.bootstrap import (
    Estimate,
    PairedDifference,
    adjust_by_holm,
    estimate_interval,
    mean_defined,
    paired_p_value,
    resampled_means,
)

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class SystemScores:
    """The F1 of each image and category in one result file. Undefined values are nan."""

    name: str
    categories: tuple[str, ...]
    row_by_image: Mapping[int | str, int]
    values: array[float]
    signatures: tuple[str, ...]


@dataclass(frozen=True)
class SystemDifference(PairedDifference):
    """Difference between the means of a system and the baseline in one category, with the numbers of images won, tied and lost.

    ``p_holm`` is ``p`` with Holm's correction. For the overall F1, the correction covers all systems. For the other categories, it covers
    all systems and all these categories together. The interval and the p-values are nan if fewer than ``MIN_PAIRS`` images have a value of
    both systems.
    """

    wins: int
    ties: int
    losses: int
    p_holm: float = math.nan


@dataclass(frozen=True)
class SystemComparison:
    """Systems compared by category on their common images.

    Attributes:
        images: The number of common images.
        means: Mean F1 by system and category.
        differences: Differences from the baseline by system and category. The baseline has no entry.
        omitted_images: The ids of each system's images that another system lacks.
        signatures: The signatures of each system's rows.
        test_counts: The numbers of p-values that are corrected together: of the overall F1, and of all other categories.
    """

    systems: tuple[str, ...]
    categories: tuple[str, ...]
    baseline: str
    images: int
    means: Mapping[str, Mapping[str, Estimate]]
    differences: Mapping[str, Mapping[str, SystemDifference]]
    omitted_images: Mapping[str, tuple[int | str, ...]]
    signatures: Mapping[str, tuple[str, ...]]
    test_counts: tuple[int, int] = (0, 0)
    resamples: int = 1000
    seed: int = 0

    @property
    def categories_with_too_few_images(self) -> tuple[str, ...]:
        """The categories with a difference that lacks a p-value, because too few images have both systems' scores."""
        rows = self.differences.values()
        return tuple(c for c in self.categories if any(math.isnan(d[c].p) and not math.isnan(d[c].estimate.value) for d in rows))


_MeansBySystem = dict[str, dict[str, Estimate]]  # by system, then by category
_DifferencesBySystem = dict[str, dict[str, SystemDifference]]


def read_system(path: Path, name: str | None = None) -> SystemScores:
    """Read a result file of ``score``. By default, name the system after the file. Raises InputError if the file is invalid."""
    return make_system(name or stem_of(path), read_results(path), where=str(path))


def make_system(name: str, items: Iterable[ScoredItem], *, where: str = "") -> SystemScores:
    """Return the scores of a system from its items.

    Raises InputError naming ``where`` if there are no items, an image occurs twice, or items have different categories.
    """
    rows: dict[int | str, int] = {}
    categories: tuple[str, ...] = ()
    f1_values, signatures = array("d"), dict[str, None]()
    for item in items:
        categories = categories or tuple(item.scores)
        if tuple(item.scores) != categories:
            raise InputError(_image_place(where, item), list(item.scores), Message("expected.categories", names=", ".join(categories)))
        if item.image_id in rows:
            raise InputError(_image_place(where, item), Message("found.second_row"), Message("expected.one_row_an_image"))
        rows[item.image_id] = len(rows)
        f1_values.extend(s.f1 for s in item.scores.values())
        if item.signature:
            signatures[item.signature] = None
    if not rows:
        raise InputError(where, Message("found.no_row"), Message("expected.score_file"))
    return SystemScores(name, categories, rows, f1_values, tuple(signatures))


def _image_place(where: str, item: ScoredItem) -> Message:
    return Message("where.image", file=where, image=item.image_id)


def compare_systems(
    systems: Sequence[SystemScores], baseline: str | None = None, *, resamples: int = 1000, seed: int = 0
) -> SystemComparison:
    """Compare systems on their common images.

    Args:
        systems: two or more systems with different names.
        baseline: name of the system with which the others are compared; by default, the first.
        resamples: number of resamples of the paired bootstrap.
        seed: seed of the bootstrap.

    Returns:
        Means by category, differences from the baseline with intervals and p-values, and images won, tied and lost.

    Raises:
        InputError: there are fewer than two systems, equal names, an unknown baseline or no common image, or the number of
            resamples is out of bounds.
    """
    names, baseline = _check_names(systems, baseline)
    shared_images = set.intersection(*(set(s.row_by_image) for s in systems))
    ids = [image for image in systems[0].row_by_image if image in shared_images]
    if not ids:
        raise InputError("systems", Message("found.no_common_image"), Message("expected.same_images"))
    shared_categories = (c for c in systems[0].categories if all(c in s.categories for s in systems))
    categories = tuple(sort_categories(shared_categories))
    values = {s.name: _score_matrix(s, ids, categories) for s in systems}
    means, differences = _measure_systems(values, categories, baseline, resamples, seed)
    return SystemComparison(
        names,
        categories,
        baseline,
        len(ids),
        means,
        differences,
        {s.name: tuple(image for image in s.row_by_image if image not in shared_images) for s in systems},
        {s.name: s.signatures for s in systems},
        test_counts=(_correct_p_values(differences, [OVERALL]), _correct_p_values(differences, [c for c in categories if c != OVERALL])),
        resamples=resamples,
        seed=seed,
    )


def _check_names(systems: Sequence[SystemScores], baseline: str | None) -> tuple[tuple[str, ...], str]:
    """Return the names of the systems and of the baseline. Raises InputError for fewer than two systems or invalid names."""
    names = tuple(s.name for s in systems)
    if len(set(names)) != len(names) or len(names) < 2:
        raise InputError("systems", ", ".join(names), Message("expected.systems"))
    if baseline is not None and baseline not in names:
        raise InputError("baseline", baseline, Message("expected.one_of", names=", ".join(names)))
    return names, names[0] if baseline is None else baseline


def _correct_p_values(differences: _DifferencesBySystem, categories: Sequence[str]) -> int:
    """Correct the p-values of these categories together. Return the number of defined p-values."""
    places = [(row, category) for row in differences.values() for category in categories]
    p_values = [row[category].p for row, category in places]
    for (row, category), p in zip(places, adjust_by_holm(p_values)):
        row[category] = replace(row[category], p_holm=p)
    return sum(not math.isnan(p) for p in p_values)


def _measure_systems(
    values_by_system: Mapping[str, np.ndarray], categories: Sequence[str], baseline: str, resamples: int, seed: int
) -> tuple[_MeansBySystem, _DifferencesBySystem]:
    """Return the means and the differences of all systems, computed from the same resamples."""
    import numpy as np

    parts = np.hsplit(resampled_means(np.hstack(list(values_by_system.values())), resamples, seed), len(values_by_system))
    resampled_values = dict(zip(values_by_system, parts))
    means: _MeansBySystem = {}
    differences: _DifferencesBySystem = {}
    for name, system in values_by_system.items():
        means[name], differences[name] = {}, {}
        for i, category in enumerate(categories):
            mean = mean_defined(system[:, i].tolist())
            means[name][category] = estimate_interval(mean, resampled_values[name][:, i], count=int((~np.isnan(system[:, i])).sum()))
            if name != baseline:
                by_image = system[:, i] - values_by_system[baseline][:, i]
                difference = mean - mean_defined(values_by_system[baseline][:, i].tolist())
                resampled_differences = resampled_values[name][:, i] - resampled_values[baseline][:, i]
                tie_mask = np.isclose(by_image, 0, rtol=0, atol=1e-9)
                wins, losses = (int((~tie_mask & side).sum()) for side in (by_image > 0, by_image < 0))
                pairs = int((~np.isnan(by_image)).sum())
                interval = estimate_interval(difference, resampled_differences, count=pairs)
                p = paired_p_value(difference, resampled_differences, count=pairs)
                differences[name][category] = SystemDifference(interval, p, wins, int(tie_mask.sum()), losses)
    del differences[baseline]
    return means, differences


def _score_matrix(system: SystemScores, ids: Sequence[int | str], categories: Sequence[str]) -> np.ndarray:
    import numpy as np

    table = np.frombuffer(system.values).reshape(len(system.row_by_image), len(system.categories))
    return table[[system.row_by_image[image] for image in ids]][:, [system.categories.index(c) for c in categories]]
