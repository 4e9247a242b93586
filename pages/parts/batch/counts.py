"""Statistics and groups of the rows of a run, most of them cached in the run."""

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from pages.parts.batch.decisions import Decisions
from pages.parts.jobs.runs import ScoringRun
from pages.parts.state import engine
from pages.parts.views.tuples import sort_categories
from spice_core.data import work_file
from spice_core.errors import Message
from spice_core.evaluation import error_analysis, row_statistics
from spice_core.evaluation.corpus import RunningMeans
from spice_core.evaluation.row_statistics import RowSummary as Line
from spice_core.explain.causes.annotators import CauseCount, count_causes, rank_causes
from spice_core.lang import language
from spice_core.metrics.text.tokens import tokenise_captions
from spice_core.scene.matching import MatchState
from spice_core.stats.bootstrap import Estimate

T = TypeVar("T")

GROUP_KEY_BY_GROUPING: dict[str, error_analysis.GroupKey] = {
    "category": error_analysis.by_category,
    "score": error_analysis.by_score,
    "field": error_analysis.by_field,
    "missing": error_analysis.by_missing_tuple,
    "extra": error_analysis.by_extra_tuple,
}
WORD_GROUP_KEY_BY_GROUPING = {"length": error_analysis.by_length, "word": error_analysis.by_word}
STATES_BY_GROUPING: dict[str, tuple[MatchState, ...]] = {
    "cause": work_file.CAUSE_STATES,
    "cause_extra": (MatchState.EXTRA,),
    "cause_missing": (MatchState.MISSING,),
}  # tuple states counted by each grouping by cause


def caption_lines(run: ScoringRun) -> list[Line]:
    """Return a summary of each scored image, in file order."""
    return cache_by_rows(run, "lines", lambda: list(map(row_statistics.summarize_row, run.rows)))


def mean_scores(run: ScoringRun) -> dict[str, Estimate]:
    """Return mean F1, precision and recall with bootstrap intervals."""
    return cache_by_rows(run, "means", lambda: row_statistics.mean_ratios(caption_lines(run)))


def notices(run: ScoringRun) -> list[Message]:
    """Return notices about images whose references have no tuple, cached per run."""

    def compute() -> list[Message]:
        means = RunningMeans()
        for row in run.rows:
            means.add(row.scores)
        return means.notices()

    return cache_by_rows(run, "notices", compute)


def category_names(run: ScoringRun) -> list[str]:
    """Return the names of the categories that occur in the rows."""
    return cache_by_rows(run, "category names", lambda: sort_categories(row_statistics.category_names(run.rows)))


def category_means(run: ScoringRun) -> dict[str, Estimate]:
    """Return the mean F1 of each category with its bootstrap interval."""
    means = cache_by_rows(run, "categories", lambda: row_statistics.category_means(run.rows))
    return {name: means[name] for name in sort_categories(means)}


def f1_histogram(run: ScoringRun) -> list[int]:
    """Return the number of images in each of twenty equal bins of F1."""
    return cache_by_rows(run, "histogram", lambda: row_statistics.f1_counts(run.rows))


def count_grouped_causes(run: ScoringRun, decisions: Decisions, grouping: str = "cause") -> dict[str, CauseCount]:
    """Return the counts of tuples by cause, the most frequent cause first.

    ``grouping``, a key of STATES_BY_GROUPING, selects the tuples.
    """

    def make() -> dict[str, dict[str, CauseCount]]:
        counts_by_cause = count_causes(run.suggested_causes, decisions.tuples)
        return {grouping: rank_causes(counts_by_cause, states) for grouping, states in STATES_BY_GROUPING.items()}

    return cache_latest(run, "causes", (len(run.suggested_causes), decisions.revision), make)[grouping]


def image_groups(run: ScoringRun, grouping: str, decisions: Decisions) -> dict[str, error_analysis.ImageGroup]:
    """Return the groups of a grouping, largest first. In a group of a category, F1 is that of the category."""

    def make() -> dict[str, error_analysis.ImageGroup]:
        return error_analysis.group_images(run.rows, group_key_of(grouping, decisions, run), by_own_category=grouping == "category")

    if grouping in STATES_BY_GROUPING:
        return cache_latest(run, ("groups", grouping), (len(run.suggested_causes), decisions.revision, len(run.rows)), make)
    return make() if grouping == "tag" else cache_by_rows(run, ("groups", grouping), make)


def images_in_group(run: ScoringRun, grouping: str, name: str, decisions: Decisions) -> set[int | str]:
    """Return the ids of the images in a group."""
    if grouping in STATES_BY_GROUPING:
        return set(count_grouped_causes(run, decisions, grouping).get(name, CauseCount()).images)
    key = group_key_of(grouping, decisions, run)
    make_ids = lambda: {row.image_id for row in run.rows if name in set(key(row))}
    return make_ids() if grouping == "tag" else cache_by_rows(run, ("behind", grouping, name), make_ids)


def group_key_of(grouping: str, decisions: Decisions, run: ScoringRun) -> error_analysis.GroupKey:
    """Return a function that maps a row to its groups."""
    if grouping == "tag":
        return error_analysis.by_tag({image: causes for image, (causes, _) in decisions.captions.items()})
    if grouping in STATES_BY_GROUPING:
        tags: dict[int | str, list[str]] = {}
        for name, count in count_grouped_causes(run, decisions, grouping).items():
            for image in count.images:
                tags.setdefault(image, []).append(name)
        return error_analysis.by_tag(tags)
    if grouping in WORD_GROUP_KEY_BY_GROUPING:
        pack = language(run.settings.lang)
        split = str.split if pack.text.joiner else lambda caption: tokenise_captions([caption], pack)[0]
        return partial(WORD_GROUP_KEY_BY_GROUPING[grouping], split=split)
    if grouping == "near":
        return error_analysis.by_other_value(engine.cached_metric(run.settings).categories)
    return GROUP_KEY_BY_GROUPING[grouping]


def cache_by_rows(run: ScoringRun, name: object, compute: Callable[[], T]) -> T:
    """Return the result of ``compute``, cached for the current number of rows."""
    cache_key = (name, len(run.rows))
    if cache_key not in run.cache:
        run.cache[cache_key] = compute()
    return run.cache[cache_key]


def cache_latest(run: ScoringRun, name: object, cache_key: object, compute: Callable[[], T]) -> T:
    """Return the result of ``compute``, cached until ``cache_key`` changes."""
    if run.cache.get(name, (None, None))[0] != cache_key:
        run.cache[name] = cache_key, compute()
    return run.cache[name][1]
