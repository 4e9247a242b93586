"""What takes long, as plain functions for the worker: other metrics, agreement, probable causes. Imports no Streamlit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from spice_core.data.items import Caption
from spice_core.data.ratings import Preference, Rated, read_judgements
from spice_core.data.reader import Upload
from spice_core.data.work_file import ImageId, Unmatched
from spice_core.errors import InputError, Message, SpiceError
from spice_core.evaluation.agreement import Agreement, correlate, pairwise_accuracy, rated_scores
from spice_core.evaluation.run import metric_of
from spice_core.explain.explanation import probable_causes
from spice_core.lang import language
from spice_core.lang.tree_file import TreeFile, lent
from spice_core.metrics.config import SpiceConfig
from spice_core.metrics.measure import corpus_scores, segment_scores, signatures
from spice_core.metrics.registry import unavailable
from spice_core.stats.bootstrap import Estimate

MOST_RATED = 2_000  # rows scored of an upload
Items = Sequence[tuple[str, Sequence[str]]]  # candidate and references
Figures = Mapping[str, Mapping[str, Estimate]]  # by system, then by metric
T = TypeVar("T")


@dataclass(frozen=True)
class Study:
    """Ratings (or preferences; ``rated`` is then empty), the scores of each metric, and their agreement."""

    rated: tuple[Rated, ...]
    scores: dict[str, list[float]]
    found: Agreement
    categories: Agreement | None
    lang: str
    signature: str
    encodings: tuple[tuple[str, str], ...] = ()  # of the file, where it is not UTF-8
    notices: tuple[Message, ...] = ()  # how its columns were understood


def call_with_trees(trees: TreeFile, function: Callable[..., T], *args: object) -> T:
    """What the function returns where the settings name these trees, which are here no longer than that."""
    with lent(trees):
        return function(*args)


def compute_metrics(systems: Mapping[str, Items], config: SpiceConfig) -> tuple[Figures, list[str], list[str]]:
    """Scores of each system by metric, messages about metrics that are not available, and the signatures of the others."""
    spice, found = metric_of(config), {}
    problems = unavailable(language(config.lang))
    for name, items in systems.items():
        scores = segment_scores(items, spice=spice, problems=problems)
        found[name] = corpus_scores(items, scores, spice)
    return found, problems, signatures((name for each in found.values() for name in each), spice)


def find_causes(rows: Sequence[tuple[ImageId, Caption, Sequence[Caption]]], config: SpiceConfig) -> dict[ImageId, dict[Unmatched, str]]:
    """The probable causes of the unmatched tuples of each image; of captions that these settings cannot read none."""
    spice, found = metric_of(config), {}
    for image, candidate, references in rows:
        try:
            found[image] = probable_causes(spice, candidate, references)
        except SpiceError:
            found[image] = {}
    return found


def rate_file(name: str, content: bytes, config: SpiceConfig, level: str, metrics: Sequence[str]) -> Study:
    """The ratings of a file, scored and compared. Raises InputError."""
    encodings: dict[str, str] = {}
    notices: list[Message] = []
    rows = read_judgements(Upload(name, content), MOST_RATED + 1, encodings, notices)
    if len(rows) > MOST_RATED:
        raise InputError(name, Message("found.more_rows"), Message("expected.at_most_here", number=MOST_RATED))
    one = metric_of(config)
    signature = "\n".join(signatures(metrics, one))
    if isinstance(rows[0], Preference):
        a, b = (segment_scores([(getattr(c, side), c.references) for c in rows], metrics, spice=one) for side in "ab")
        return Study((), {}, pairwise_accuracy(rows, a, b), None, config.lang, signature, tuple(encodings.items()), tuple(notices))
    found = study_metrics(tuple(rows), rated_scores(rows, metrics, one, categories=True), level, config.lang, signature)
    return replace(found, encodings=tuple(encodings.items()), notices=tuple(notices))


def study_metrics(rows: tuple[Rated, ...], scores: Mapping[str, list[float]], level: str, lang: str, signature: str) -> Study:
    """How these scores agree with the ratings, those of all tuples and those by category."""
    plain = {name: [float("nan") if v is None else v for v in values] for name, values in scores.items()}
    parts = {name: values for name, values in plain.items() if ": " in name}
    whole = {name: values for name, values in plain.items() if name not in parts}
    found = correlate(rows, whole, level=level)
    by_part = correlate(rows, parts, level=level, resamples=200) if parts else None
    return Study(rows, whole | parts, found, by_part, lang, signature)
