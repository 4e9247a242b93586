"""What takes long, as plain functions for the worker: scoring, other metrics, agreement. Imports no Streamlit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from spice_core import Spice
from spice_core.data.items import Item
from spice_core.data.ratings import Choice, Rated, read_judgements
from spice_core.data.reader import Upload
from spice_core.errors import InputError, MissingResourceError
from spice_core.evaluation.agreement import Agreement, rated_scores, with_choices, with_ratings
from spice_core.evaluation.run import Chunk, Job, score_chunk
from spice_core.lang import LANGUAGES
from spice_core.metrics.measure import GRAPH, figures, measure
from spice_core.metrics.text import baselines
from spice_core.rules.rule_file import parse_rules
from spice_core.stats.bootstrap import Interval

MOST_RATED = 2_000  # rows scored of an upload
Items = Sequence[tuple[str, Sequence[str]]]  # candidate and references
Figures = Mapping[str, Mapping[str, Interval]]  # by system, then by metric


@dataclass(frozen=True)
class Settings:
    """Settings of the metric; ``categories`` are the visitor's own word lists by name, ``own`` the name and text of own rules."""

    lang: str = next(iter(LANGUAGES))
    parser: str = ""
    rules: str = ""
    synonyms: str = ""
    categories: tuple[tuple[str, tuple[str, ...]], ...] = ()
    own: tuple[str, str] = ("", "")


@dataclass(frozen=True)
class Study:
    """Ratings (or preferences; ``rated`` is then empty), the scores of each metric, and their agreement."""

    rated: tuple[Rated, ...]
    scores: dict[str, list[float]]
    found: Agreement
    categories: Agreement | None
    lang: str
    signature: str


@lru_cache(maxsize=8)
def spice(chosen: Settings) -> Spice:
    """The metric for these settings."""
    name, text = chosen.own
    rules = parse_rules(text, name=name) if text and name == chosen.rules else chosen.rules
    return Spice(chosen.lang, parser=chosen.parser, rules=rules, synonyms=chosen.synonyms, categories=dict(chosen.categories))


def score(chosen: Settings, job: Job, items: Sequence[Item], known: Sequence[Mapping[str, str]]) -> Chunk:
    """Some images of a run."""
    return score_chunk(job, items, known, [spice(chosen)])


def measured(systems: Mapping[str, Items], chosen: Settings) -> tuple[Figures, list[str]]:
    """Scores of each system by metric, and messages about metrics that are not available."""
    found, problems = {}, []
    for name, items in systems.items():
        scores: dict[str, list[float]] = {}
        for metrics in (GRAPH, baselines.NAMES):
            try:
                scores |= measure(items, metrics, spice=spice(chosen))
            except MissingResourceError as error:
                problems.append(str(error))
        found[name] = figures(items, scores, chosen.lang)
    return found, list(dict.fromkeys(problems))


def rated(name: str, content: bytes, chosen: Settings, level: str, metrics: Sequence[str]) -> Study:
    """The ratings of a file, scored and compared. Raises InputError."""
    rows = read_judgements(Upload(name, content), most=MOST_RATED + 1)
    if len(rows) > MOST_RATED:
        raise InputError(name, "more rows", f"at most {MOST_RATED:,} here; the command line takes any number")
    one = spice(chosen)
    if isinstance(rows[0], Choice):
        a, b = (measure([(getattr(c, side), c.references) for c in rows], metrics, spice=one) for side in "ab")
        return Study((), {}, with_choices(rows, a, b), None, chosen.lang, str(one.signature))
    return study(tuple(rows), rated_scores(rows, metrics, one, categories=True), level, chosen.lang, str(one.signature))


def study(rows: tuple[Rated, ...], scores: Mapping[str, list[float]], level: str, lang: str, signature: str) -> Study:
    """How these scores agree with the ratings, those of all tuples and those by category."""
    plain = {name: [float("nan") if v is None else v for v in values] for name, values in scores.items()}
    parts = {name: values for name, values in plain.items() if ": " in name}
    whole = {name: values for name, values in plain.items() if name not in parts}
    found = with_ratings(rows, whole, level=level)
    by_part = with_ratings(rows, parts, level=level, resamples=200) if parts else None
    return Study(rows, whole | parts, found, by_part, lang, signature)
