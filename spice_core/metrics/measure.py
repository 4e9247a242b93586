"""All metrics by name: SPICE with its categories, soft matching, and the text metrics."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

from spice_core.errors import UnknownNameError
from spice_core.lang import language
from spice_core.metrics.result import SpiceResult
from spice_core.metrics.soft import Soft
from spice_core.metrics.spice import Spice
from spice_core.metrics.text import baselines
from spice_core.scene.scores import OVERALL
from spice_core.stats.bootstrap import Interval, interval, resampled_means

SPICE, SOFT, PLUS, HYPERNYMS = "SPICE", "soft", "soft+", "hypernyms"
GRAPH = (SPICE, HYPERNYMS, SOFT, PLUS)
NAMES = (*GRAPH, *baselines.NAMES)
_CHUNK = 128


def measure(
    items: Sequence[tuple[str, Sequence[str]]],
    names: Iterable[str] = NAMES,
    *,
    spice: Spice | None = None,
    categories: bool = False,
) -> dict[str, list[float]]:
    """Scores of (candidate, references) pairs by metric, in input order; nan if undefined.

    ``spice`` sets language, parser, rules and synonyms (default: English). ``categories`` adds SPICE by category, as
    ``SPICE: Object``. Raises UnknownNameError, and MissingResourceError if a metric's package is not installed.
    """
    spice, items = spice or Spice(), [(candidate, tuple(references)) for candidate, references in items]
    for name in (names := tuple(dict.fromkeys(names))):
        if name not in NAMES:
            raise UnknownNameError("metric", name, NAMES)
    out: dict[str, list[float]] = {name: [] for name in names}
    if categories or set(names) & set(GRAPH):
        makers = {by: Soft(spice, by) for by in _similarities(names, spice.lang)}
        for result in results(items, spice, makers.values()):
            for name, value in _graph(result, makers, names, categories):
                out.setdefault(name, []).append(value)
    if plain := [name for name in names if name in baselines.METRICS]:
        pairs = baselines.pairs(items, spice.lang)
        out |= {name: baselines.scores(name, pairs, spice.lang) for name in plain}
    return out


def signatures(names: Iterable[str], spice: Spice) -> list[str]:
    """What the figures of these metrics depend on: SPICE's signature, those of the soft metrics, that of the baselines."""
    names = list(names)
    plain = [name for name in names if name in baselines.METRICS]
    soft = [Soft(spice, by).signature for by in _similarities(names, spice.lang)]
    return [str(spice.signature), *soft, *([baselines.signature(plain, spice.lang)] if plain else [])]


def figures(
    items: Sequence[tuple[str, Sequence[str]]],
    scores: Mapping[str, Sequence[float]],
    lang: str = "en",
    *,
    resamples: int = 1000,
    seed: int = 0,
) -> dict[str, Interval]:
    """Corpus scores by metric, from the scores of ``measure``: means with bootstrap intervals.

    BLEU is computed from counts summed over the data set, without an interval.
    """
    import numpy as np

    table = np.array(list(scores.values()), float).reshape(len(scores), len(items)).T
    drawn = resampled_means(table, resamples, seed)
    with np.errstate(invalid="ignore"):
        out = {n: interval(float(np.nanmean(x)) if (~np.isnan(x)).any() else math.nan, d) for n, x, d in zip(scores, table.T, drawn.T)}
    if any(name.startswith("BLEU-") for name in out):
        pairs = baselines.pairs(items, lang)
        out |= {name: Interval(baselines.corpus(name, pairs, lang), math.nan, math.nan) for name in out if name.startswith("BLEU-")}
    return out


def results(items: Sequence[tuple[str, Sequence[str]]], spice: Spice, soft: Iterable[Soft] = ()) -> Iterator[SpiceResult]:
    """SPICE results of the pairs; each distinct caption of a batch is parsed and encoded once."""
    soft = list(soft)
    for start in range(0, len(items), _CHUNK):
        stretch = items[start : start + _CHUNK]
        captions = list(dict.fromkeys(c for candidate, references in stretch for c in (candidate, *references)))
        parses = dict(zip(captions, spice.parse(captions)))
        found = [spice.compare(parses[candidate], [parses[r] for r in references]) for candidate, references in stretch]
        for each in soft:
            each.prepare(parses.values())
        yield from found


def _similarities(names: Sequence[str], lang: str) -> list[str]:
    wanted = [language(lang).similarities[0]] if {SOFT, PLUS} & set(names) else []
    return wanted + ([HYPERNYMS] if HYPERNYMS in names else [])


def _graph(result: SpiceResult, makers: Mapping[str, Soft], names: Sequence[str], categories: bool) -> Iterator[tuple[str, float]]:
    made = {by: maker.of(result) for by, maker in makers.items()}
    soft = next((s for by, s in made.items() if by != HYPERNYMS), None)
    for name in names:
        if name == SPICE:
            yield name, result.f1
        elif name == HYPERNYMS:
            yield name, made[HYPERNYMS].f1
        elif name in (SOFT, PLUS):
            yield name, soft.f1 if name == SOFT else soft.plus
    if categories:
        for category, score in result.scores.items():
            if category != OVERALL:
                yield f"{SPICE}: {category}", score.f1 if score.defined else math.nan
