"""Fit the weights of tuple support, and measure how well the lowest support detects captions with a wrong word.

    python -m tools.build_support LANG FILE …

The files are JSON lines (may be gzipped) in one of these layouts:

- images with ``captions``: the first is the caption, the next four are its references;
- captions of systems: ``candidate``, ``references``, ``rating`` from 0 to 1;
- pairs of sentences: ``sentence1``, ``sentence2``, ``similarity`` from 0 to 5.

Training pairs are captions (with a rating of at least 0.8, if rated) and copies with one exchanged word, whose tuple is wrong. A caption
with a rating of at most 0.4 has a wrong tuple. Every third image of each file is held out.

Prints the area under the ROC curve on held-out images: for captions by lowest support (correct or exchanged; rated high or low), for
words by support, and for the same by the nearest tuple only. Needs SciPy.
"""

from __future__ import annotations

import gzip
import json
import math
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.stats import rankdata

from spice_core import Spice
from spice_core.metrics.soft import Soft
from spice_core.metrics.soft.support import FEATURE_NAMES, WEIGHTS_PATH, Support, SupportFeatures, SupportWeights, support_score
from spice_core.scene.graph import SceneTuple
from spice_core.scene.propositions import KIND_BY_LENGTH
from tools.wrong_words import CaptionWithReferences, Exchange, Exchanger

MIN_GOOD_RATING, MAX_BAD_RATING = 0.8, 0.4
RATED_WEIGHT = 0.2  # weight of all rated captions relative to all words
L2_PENALTY = 1.0  # on the squared weights of standardised features
SHARPNESS = 2.0  # sharpness of the soft maximum over the tuples of a rated caption
_BATCH_CAPTIONS, _EXCHANGES_PER_CAPTION = 100, 3
_TUPLE_KINDS = tuple(KIND_BY_LENGTH.values())


class ExchangeFeatures(NamedTuple):
    """Features of the tuples of a correct and an exchanged caption, with flags for the wrong tuples of the latter."""

    exchange: Exchange
    right_features: list[SupportFeatures]
    wrong_features: list[SupportFeatures]
    wrong_flags: list[bool]


class RatedFeatures(NamedTuple):
    """Features of the tuples of a caption, and whether its rating is high."""

    features: list[SupportFeatures]
    is_high: bool


def read_captions(path: Path) -> Iterator[tuple[CaptionWithReferences, float | None]]:
    """Yield the captions of a file with their references and ratings (0 to 1, or None)."""
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as lines:
        rows: list[dict[str, Any]] = [json.loads(line) for line in lines]
    for number, row in enumerate(rows):
        if "captions" in row:
            yield CaptionWithReferences(str(row["image_id"]), row["captions"][0], tuple(row["captions"][1:5])), None
        elif "candidate" in row:
            yield CaptionWithReferences(str(row["image_id"]), row["candidate"], tuple(row["references"])), row["rating"]
        else:
            yield CaptionWithReferences(str(number), row["sentence1"], (row["sentence2"],)), row["similarity"] / 5


class FeatureReader:
    """Computes the features of captions in batches."""

    def __init__(self, soft: Soft):
        self._soft, self._support = soft, Support(soft.spice.synonyms)

    def read_exchanges(self, exchanges: Sequence[Exchange]) -> Iterator[ExchangeFeatures]:
        """Yield the features of correct and exchanged captions."""
        texts = [(text, each.right.references) for each in exchanges for text in (each.right.caption, each.wrong)]
        found = self._caption_features(texts)
        for each, (_, right), (tuples, wrong) in zip(exchanges, found, found):
            yield ExchangeFeatures(each, right, wrong, [_contains_word(tuple_, each.start) for tuple_ in tuples])

    def read_rated(self, rows: Sequence[tuple[CaptionWithReferences, float]]) -> Iterator[RatedFeatures]:
        """Yield the features of captions with a high or low rating."""
        some = [(each, rating) for each, rating in rows if not MAX_BAD_RATING < rating < MIN_GOOD_RATING]
        for (_, rating), (_, signs) in zip(some, self._caption_features([(each.caption, each.references) for each, _ in some])):
            yield RatedFeatures(signs, rating >= MIN_GOOD_RATING)

    def _caption_features(
        self, captions: Sequence[tuple[str, Sequence[str]]]
    ) -> Iterator[tuple[Sequence[SceneTuple], list[SupportFeatures]]]:
        spice = self._soft.spice
        for start in range(0, len(captions), _BATCH_CAPTIONS):
            batch = captions[start : start + _BATCH_CAPTIONS]
            texts = list(dict.fromkeys(text for caption, references in batch for text in (caption, *references)))
            parses = dict(zip(texts, spice.parse(texts)))
            self._soft.prepare(parses.values())
            for caption, references in batch:
                result = self._soft.of(spice.compare(parses[caption], [parses[text] for text in references]))
                yield result.alignment.candidates, self._support.features(result)


def _contains_word(tuple_: SceneTuple, start: int) -> bool:
    """Return whether the last element of a tuple contains the word that starts here."""
    mentions = [mention for mention in tuple_.mentions if mention.proposition.tokens]
    return any(token.start == start for mention in mentions for token in mention.proposition.tokens[mention.part])


class FeatureScaler:
    """Feature matrix with an intercept and standardised features for each kind of tuple; zeros for other kinds."""

    def __init__(self, features: Sequence[SupportFeatures]):
        values = np.array([each[1:] for each in features], float)
        self.mean, self.standard_deviation = values.mean(axis=0), np.maximum(values.std(axis=0), 1e-9)
        self.width = 1 + len(FEATURE_NAMES)

    def transform(self, features: Sequence[SupportFeatures]) -> np.ndarray:
        """Return the rows of these features: (tuples, kinds × width)."""
        out = np.zeros((len(features), len(_TUPLE_KINDS) * self.width))
        for row, each in zip(out, features):
            start = _TUPLE_KINDS.index(each.kind) * self.width
            row[start : start + self.width] = np.r_[1, (np.array(each[1:], float) - self.mean) / self.standard_deviation]
        return out

    def unscaled_weights(self, scaled_weights: np.ndarray) -> SupportWeights:
        """Return the weights of unscaled features, from the weights of rows."""
        out = {}
        for kind, row in zip(_TUPLE_KINDS, scaled_weights.reshape(len(_TUPLE_KINDS), self.width)):
            scaled = row[1:] / self.standard_deviation
            intercept = round(float(row[0] - scaled @ self.mean), 4)
            out[kind] = {"intercept": intercept} | {name: round(float(value), 4) for name, value in zip(FEATURE_NAMES, scaled)}
        return out


def fit_weights(words: Iterable[ExchangeFeatures], rated: Iterable[RatedFeatures]) -> SupportWeights:
    """Fit a logistic regression to right and wrong words, and to the worst tuples of rated captions."""
    pairs = list(words)
    good = [signs for each in pairs for signs in each.right_features]
    bad = [signs for each in pairs for signs, wrong in zip(each.wrong_features, each.wrong_flags) if wrong]
    columns, y = FeatureScaler([*good, *bad]), np.r_[np.ones(len(good)), np.zeros(len(bad))]
    z, rows = columns.transform([*good, *bad]), [(columns.transform(each.features), each.is_high) for each in rated if each.features]
    share, free = RATED_WEIGHT * len(y) / max(1, len(rows)), np.arange(z.shape[1] + 1) % columns.width == 0

    def loss(b: np.ndarray) -> tuple[float, np.ndarray]:
        """Return value and gradient; the last element of ``b`` is the intercept of the worst tuples."""
        coefficients, flat = b[:-1], np.where(free, 0, b)
        sums = z @ coefficients
        value = float((np.logaddexp(0, sums) - y * sums).sum() + L2_PENALTY * flat @ flat / 2)
        slope = np.r_[z.T @ (1 / (1 + np.exp(-sums)) - y), 0] + L2_PENALTY * flat
        for tuples, high in rows:
            scaled = -SHARPNESS * (tuples @ coefficients)
            part = np.exp(scaled - scaled.max())
            worst = -(math.log(part.sum()) + scaled.max()) / SHARPNESS + b[-1]
            value += share * (np.logaddexp(0, worst) - high * worst)
            slope += share * (1 / (1 + math.exp(-worst)) - high) * np.r_[tuples.T @ (part / part.sum()), 1]
        return value, slope

    return columns.unscaled_weights(minimize(loss, np.zeros(z.shape[1] + 1), jac=True, method="L-BFGS-B").x[:-1])


def auc(high: Sequence[float], low: Sequence[float]) -> float:
    """Return the probability that a value of ``high`` exceeds a value of ``low``; ties count half; nan if either is empty."""
    if not high or not low:
        return math.nan
    ranks = rankdata([*high, *low])
    return float((ranks[: len(high)].sum() - len(high) * (len(high) + 1) / 2) / (len(high) * len(low)))


def measure(words: Sequence[ExchangeFeatures], rated: Sequence[RatedFeatures], known: SupportWeights | None) -> tuple[float, float, float]:
    """Return the AUC for exchanged captions, wrong words and ratings by support; without weights by the nearest tuple."""

    def score(signs: SupportFeatures) -> float:
        return support_score(known, signs) if known else signs.nearest

    lowest = [
        (min(map(score, each.right_features)), min(map(score, each.wrong_features)))
        for each in words
        if each.right_features and each.wrong_features
    ]
    bad = [score(signs) for each in words for signs, wrong in zip(each.wrong_features, each.wrong_flags) if wrong]
    by_rating = [[min(map(score, each.features)) for each in rated if each.features and each.is_high is high] for high in (True, False)]
    exchanged = auc([right for right, _ in lowest], [wrong for _, wrong in lowest])
    return exchanged, auc([score(signs) for each in words for signs in each.right_features], bad), auc(*by_rating)


class Halves(NamedTuple):
    """Features of the captions of a file, of which every third image is held out for the measures."""

    train: tuple[list[ExchangeFeatures], list[RatedFeatures]]
    held_out: tuple[list[ExchangeFeatures], list[RatedFeatures]]


def main(lang: str, *paths: str) -> None:
    """Fit the weights, write them, and print the measures."""
    spice = Spice(lang)
    soft = Soft(spice)
    reader = FeatureReader(soft)
    halves = {path: _read_halves(Path(path), spice, reader) for path in paths}
    words = chain.from_iterable(each.train[0] for each in halves.values())
    known = fit_weights(words, chain.from_iterable(each.train[1] for each in halves.values()))
    _write_weights(soft.similarity.signature, known)
    print(json.dumps(known))
    print(f"{'':<34}{'pairs':>6}{'caption':>9}{'word':>7}{'rating':>8}   nearest alone")
    for path, each in halves.items():
        _print_measures(path, *each.held_out, known)


def _read_halves(path: Path, spice: Spice, reader: FeatureReader) -> Halves:
    rows = list(read_captions(path))
    right = [each for each, rating in rows if rating is None or rating >= MIN_GOOD_RATING]
    exchanger, times = Exchanger(right, spice), 1 if len(right) > 1000 else _EXCHANGES_PER_CAPTION
    held_out = set([*dict.fromkeys(each.image for each, _ in rows)][::3])

    def read_half(held: bool) -> tuple[list[ExchangeFeatures], list[RatedFeatures]]:
        chosen = [each for each in right if (each.image in held_out) is held]
        exchanges = [exchange for each in chosen * times if (exchange := exchanger.exchange(each))]
        judged = [(each, rating) for each, rating in rows if rating is not None and (each.image in held_out) is held]
        return list(reader.read_exchanges(exchanges)), list(reader.read_rated(judged))

    held = read_half(True)  # first, because the exchanges are drawn in this order
    return Halves(read_half(False), held)


def _write_weights(signature: str, weights: SupportWeights) -> None:
    """Store the weights of a similarity beside those of the others."""
    stored = json.loads(WEIGHTS_PATH.read_text(encoding="utf-8")) if WEIGHTS_PATH.exists() else {}
    WEIGHTS_PATH.write_text(json.dumps(stored | {signature: weights}, indent=1) + "\n", encoding="utf-8")


def _print_measures(path: str, words: Sequence[ExchangeFeatures], rated: Sequence[RatedFeatures], known: SupportWeights) -> None:
    """Print the measures on the held-out captions of a file, with the weights and by the nearest tuple alone."""
    for kind in ("", "object", "attribute", "relation"):
        told_apart = [each for each in words if not kind or each.exchange.kind == kind]
        values = [measure(told_apart, [] if kind else rated, weights) for weights in (known, None)]
        figures = "   ".join("{:>9.3f}{:>7.3f}{:>8.3f}".format(*each) for each in values)
        print(f"{Path(path).name[:24]:<25}{kind:<9}{len(told_apart):>6}{figures}")


if __name__ == "__main__":
    main(*sys.argv[1:])
