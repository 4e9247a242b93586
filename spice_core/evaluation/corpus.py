"""Scores of many captions at once: the scores of each image, and means by category with confidence intervals."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property

from spice_core.catalogues import format_quantity
from spice_core.data.items import Item, check_caption, check_nonempty, check_reference_lists
from spice_core.data.results import RowFields, ScoredItem
from spice_core.errors import InputError, Message
from spice_core.evaluation.executors import MAX_WORKERS, run_in_processes, run_serially
from spice_core.evaluation.parse_cache import ParseCache
from spice_core.evaluation.run import RunOptions, score_items
from spice_core.metrics.spice import CaptionLike, Spice, given_parse
from spice_core.scene.propositions import Parse
from spice_core.scene.scores import OVERALL, Score
from spice_core.stats.bootstrap import Estimate, check_resamples, estimate_interval, resampled_means
from spice_core.syntax.clean_text import CleaningCount

_TASKS_PER_WORKER = 4  # number of submitted tasks per worker before the oldest is awaited


@dataclass(frozen=True)
class CorpusResult:
    """Scores of many captions, as ``Spice.score_many`` returns them.

    Attributes:
        items: The scores and tuples of each image, in the order of the candidates.
        categories: Means over the images with a defined score, for All, Object, Attribute, Relation and the attribute categories.
        signatures: The different signatures of the items.
        notices: How captions were changed, and how many images have references without a tuple.
        resamples: The number of bootstrap resamples.
        seed: The seed of the bootstrap.
    """

    items: tuple[ScoredItem, ...]
    categories: Mapping[str, MeanScore]
    signatures: tuple[str, ...]
    resamples: int
    seed: int
    notices: tuple[Message, ...] = ()

    @property
    def mean(self) -> float:
        """SPICE: the mean F1 over all images (0–1), or nan if there are no images."""
        return self.categories[OVERALL].f1 if self.items else math.nan

    @cached_property
    def intervals(self) -> Mapping[str, Estimate]:
        """The mean F1 of each category with its 95% confidence interval, from a bootstrap over images.

        The bounds are nan if fewer than six images have the category.
        """
        import numpy as np

        names = list(self.categories)
        table = np.array([[item.scores[name].f1 for name in names] for item in self.items], float).reshape(len(self.items), len(names))
        mean_samples = resampled_means(table, self.resamples, self.seed)
        return {
            name: estimate_interval(self.categories[name].f1, mean_samples[:, i], count=int((~np.isnan(table[:, i])).sum()))
            for i, name in enumerate(names)
        }

    def __str__(self) -> str:
        lines = [
            f"{name:<12} {_format_interval(interval)}  {format_quantity(self.categories[name].images, 'image')}"
            for name, interval in self.intervals.items()
        ]
        return "\n".join([*lines, *self.signatures, *self.notices])


def score_many(
    spice: Spice,
    candidates: Sequence[CaptionLike],
    references: Sequence[Sequence[CaptionLike]],
    *,
    workers: int,
    progress: Callable[[int, int], object] | None,
    resamples: int,
    seed: int,
) -> CorpusResult:
    """Score many candidates. ``Spice.score_many`` describes the arguments."""
    if not 1 <= workers <= MAX_WORKERS:
        raise InputError("workers", workers, Message("expected.workers", most=MAX_WORKERS))
    check_resamples(resamples)
    with CleaningCount().counting() as cleaning_count:
        items = _make_items(candidates, references)
    options = RunOptions(pickle.dumps(spice) if workers > 1 else spice, RowFields(detailed=True))
    means, scored_items = RunningMeans(), list[ScoredItem]()
    with run_in_processes(workers) if workers > 1 else run_serially() as submit, closing(ParseCache(spice.parse_key)) as cache:
        for item in score_items(items, options, submit, cache, _TASKS_PER_WORKER * workers if workers > 1 else 0, total=len(items)):
            scored_items.append(item)
            means.add(item.scores)
            if progress:
                progress(len(scored_items), len(items))
    signatures = dict.fromkeys(item.signature for item in scored_items)
    return CorpusResult(
        tuple(scored_items), means.means(), tuple(signatures), resamples, seed, (*cleaning_count.notices(), *means.notices())
    )


def _make_items(candidates: Sequence[CaptionLike], references: Sequence[Sequence[CaptionLike]]) -> list[Item]:
    """Return the captions as items, numbered from 1. Raises InputError if a caption or a list of references is invalid."""
    if isinstance(candidates, str):
        raise InputError("candidates", candidates, Message("expected.captions"))
    check_reference_lists(references, candidates, "references")
    items = []
    for index, (candidate, captions) in enumerate(zip(candidates, references)):
        check_nonempty(captions, f"references[{index}]")
        parses = tuple(_check_caption(other, f"references[{index}][{i}]") for i, other in enumerate(captions))
        items.append(Item(index + 1, _check_caption(candidate, f"candidates[{index}]"), parses))
    return items


def _check_caption(caption: CaptionLike, where: str) -> str | Parse:
    return check_caption(caption, where) if isinstance(caption, str) else given_parse(caption, where)


def _format_interval(mean: Estimate) -> str:
    if math.isnan(mean.value):
        return "n/a"
    return f"{mean.value:.3f}" if math.isnan(mean.low) else f"{mean.value:.3f} [{mean.low:.3f}, {mean.high:.3f}]"


@dataclass(frozen=True, slots=True)
class MeanScore:
    """Macro-average of one category: means over images with a defined score, and summed counts."""

    precision: float
    recall: float
    f1: float
    matched: float
    candidate: int
    reference: int
    images: int


class RunningMeans:
    """Running macro-averages by category."""

    def __init__(self) -> None:
        self._sums: dict[str, list[float]] = {}
        self._empty_count = 0  # images whose references have no tuple

    def add(self, scores: Mapping[str, Score]) -> None:
        """Add the scores of an image by category."""
        self._empty_count += OVERALL in scores and not scores[OVERALL].defined
        for name, s in scores.items():
            sums = self._sums.setdefault(name, [0.0, 0.0, 0.0, 0, 0, 0, 0])
            is_counted = s.defined or s.strict
            ratios = (s.precision, s.recall, s.f1) if is_counted else (0.0, 0.0, 0.0)
            for i, value in enumerate((*ratios, s.matched, s.candidate, s.reference, int(is_counted))):
                sums[i] += value

    def notices(self) -> list[Message]:
        """Return a notice with the number of images without reference tuples, or an empty list."""
        images = int(self._sums[OVERALL][-1]) if self._empty_count else 0
        return [Message("notice.no_tuples", number=self._empty_count, images=images)] if images else []

    def means(self) -> dict[str, MeanScore]:
        """Return the current means. Ratios of a category without defined scores are nan."""
        out = {}
        for name, (p, r, f1, matched_count, candidate, reference, images) in self._sums.items():
            ratios = [x / images if images else math.nan for x in (p, r, f1)]
            out[name] = MeanScore(ratios[0], ratios[1], ratios[2], matched_count, int(candidate), int(reference), int(images))
        return out
