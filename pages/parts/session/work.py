"""What takes long, as plain functions for the worker: other metrics, agreement. Imports no Streamlit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from spice_core.data.ratings import Choice, Rated, read_judgements
from spice_core.data.reader import Upload
from spice_core.errors import InputError, MissingResourceError
from spice_core.evaluation.agreement import Agreement, rated_scores, with_choices, with_ratings
from spice_core.evaluation.run import metric
from spice_core.metrics.config import SpiceConfig
from spice_core.metrics.measure import GRAPH, figures, measure
from spice_core.metrics.text import baselines
from spice_core.stats.bootstrap import Interval

MOST_RATED = 2_000  # rows scored of an upload
Items = Sequence[tuple[str, Sequence[str]]]  # candidate and references
Figures = Mapping[str, Mapping[str, Interval]]  # by system, then by metric


@dataclass(frozen=True)
class Study:
    """Ratings (or preferences; ``rated`` is then empty), the scores of each metric, and their agreement."""

    rated: tuple[Rated, ...]
    scores: dict[str, list[float]]
    found: Agreement
    categories: Agreement | None
    lang: str
    signature: str


def measured(systems: Mapping[str, Items], config: SpiceConfig) -> tuple[Figures, list[str]]:
    """Scores of each system by metric, and messages about metrics that are not available."""
    found, problems = {}, []
    for name, items in systems.items():
        scores: dict[str, list[float]] = {}
        for metrics in (GRAPH, baselines.NAMES):
            try:
                scores |= measure(items, metrics, spice=metric(config))
            except MissingResourceError as error:
                problems.append(str(error))
        found[name] = figures(items, scores, config.lang)
    return found, list(dict.fromkeys(problems))


def rated(name: str, content: bytes, config: SpiceConfig, level: str, metrics: Sequence[str]) -> Study:
    """The ratings of a file, scored and compared. Raises InputError."""
    rows = read_judgements(Upload(name, content), most=MOST_RATED + 1)
    if len(rows) > MOST_RATED:
        raise InputError(name, "more rows", f"at most {MOST_RATED:,} here; the command line takes any number")
    one = metric(config)
    if isinstance(rows[0], Choice):
        a, b = (measure([(getattr(c, side), c.references) for c in rows], metrics, spice=one) for side in "ab")
        return Study((), {}, with_choices(rows, a, b), None, config.lang, str(one.signature))
    return study(tuple(rows), rated_scores(rows, metrics, one, categories=True), level, config.lang, str(one.signature))


def study(rows: tuple[Rated, ...], scores: Mapping[str, list[float]], level: str, lang: str, signature: str) -> Study:
    """How these scores agree with the ratings, those of all tuples and those by category."""
    plain = {name: [float("nan") if v is None else v for v in values] for name, values in scores.items()}
    parts = {name: values for name, values in plain.items() if ": " in name}
    whole = {name: values for name, values in plain.items() if name not in parts}
    found = with_ratings(rows, whole, level=level)
    by_part = with_ratings(rows, parts, level=level, resamples=200) if parts else None
    return Study(rows, whole | parts, found, by_part, lang, signature)
