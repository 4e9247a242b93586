"""Fit the weights of the support of tuples, and measure how well the lowest support tells captions with a wrong word.

    python -m tools.build_support LANG FILE …

The files are JSON lines (may be gzipped): images with ``captions``, of which the first is the caption and the next four its references;
captions of systems (``candidate``, ``references``, ``rating`` from 0 to 1); or pairs of sentences (``sentence1``, ``sentence2``,
``similarity`` from 0 to 5). Right captions, those rated .8 or higher if they are rated, stand beside the same with one word exchanged: the
own words of their tuples are right, that of the exchanged word is wrong. Of captions rated .4 or lower some tuple is wrong. Of each file
every third image is held out.

Prints, of the images held out, the area under the ROC curve by the lowest support of a caption (right or with one word exchanged; rated
high or low) and by the support of words, and beside each that by the nearest tuple alone. Needs SciPy.
"""

from __future__ import annotations

import gzip
import json
import math
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.stats import rankdata

from spice_core import Spice
from spice_core.metrics.soft import Soft
from spice_core.metrics.soft.support import NAMES, WEIGHTS, Signs, Support, Weights, score
from spice_core.scene.graph import SceneTuple
from spice_core.scene.propositions import KINDS
from tools.wrong_words import Captioned, Exchange, Exchanger

HIGH, LOW = 0.8, 0.4  # ratings
RATED = 0.2  # weight of all rated captions, relative to all words
PENALTY = 1.0  # on the squared weights of standardised signs
SHARPNESS = 2.0  # of the soft maximum over the tuples of a rated caption
_AT_ONCE, _TIMES = 100, 3
_KINDS = tuple(KINDS.values())


class Words(NamedTuple):
    """The signs of the tuples of a right caption and of the wrong one, with those whose own word is wrong."""

    exchange: Exchange
    right: list[Signs]
    wrong: list[Signs]
    bad: list[bool]


class Rated(NamedTuple):
    """The signs of the tuples of a caption, and whether it is rated high."""

    signs: list[Signs]
    high: bool


def captions(path: Path) -> Iterator[tuple[Captioned, float | None]]:
    """The captions of a file with their references, and their ratings from 0 to 1 if they have any."""
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as lines:
        rows: list[dict[str, Any]] = [json.loads(line) for line in lines]
    for number, row in enumerate(rows):
        if "captions" in row:
            yield Captioned(str(row["image_id"]), row["captions"][0], tuple(row["captions"][1:5])), None
        elif "candidate" in row:
            yield Captioned(str(row["image_id"]), row["candidate"], tuple(row["references"])), row["rating"]
        else:
            yield Captioned(str(number), row["sentence1"], (row["sentence2"],)), row["similarity"] / 5


class Reader:
    """Reads the signs of captions, in batches."""

    def __init__(self, soft: Soft):
        self._soft, self._support = soft, Support(soft.spice.synonyms)

    def words(self, exchanges: Sequence[Exchange]) -> Iterator[Words]:
        """The signs of right and wrong captions."""
        texts = [(text, each.right.references) for each in exchanges for text in (each.right.caption, each.wrong)]
        found = self._read(texts)
        for each, (_, right), (tuples, wrong) in zip(exchanges, found, found):
            yield Words(each, right, wrong, [_has(tuple_, each.start) for tuple_ in tuples])

    def rated(self, rows: Sequence[tuple[Captioned, float]]) -> Iterator[Rated]:
        """The signs of captions rated high or low."""
        some = [(each, rating) for each, rating in rows if not LOW < rating < HIGH]
        for (_, rating), (_, signs) in zip(some, self._read([(each.caption, each.references) for each, _ in some])):
            yield Rated(signs, rating >= HIGH)

    def _read(self, captions: Sequence[tuple[str, Sequence[str]]]) -> Iterator[tuple[Sequence[SceneTuple], list[Signs]]]:
        spice = self._soft.spice
        for start in range(0, len(captions), _AT_ONCE):
            batch = captions[start : start + _AT_ONCE]
            texts = list(dict.fromkeys(text for caption, references in batch for text in (caption, *references)))
            parses = dict(zip(texts, spice.parse(texts)))
            self._soft.prepare(parses.values())
            for caption, references in batch:
                result = self._soft.of(spice.compare(parses[caption], [parses[text] for text in references]))
                yield result.alignment.candidates, self._support.signs(result)


def _has(tuple_: SceneTuple, start: int) -> bool:
    """Whether the own words of a tuple have the one that begins here."""
    mentions = [mention for mention in tuple_.mentions if mention.proposition.tokens]
    return any(token.start == start for mention in mentions for token in mention.proposition.tokens[mention.part])


class Columns:
    """Signs as rows of numbers: for each kind of tuple its own intercept and signs, standardised over all tuples; zeros for the others."""

    def __init__(self, signs: Sequence[Signs]):
        values = np.array([each[1:] for each in signs], float)
        self.mean, self.spread = values.mean(axis=0), np.maximum(values.std(axis=0), 1e-9)
        self.width = 1 + len(NAMES)

    def rows(self, signs: Sequence[Signs]) -> np.ndarray:
        """The rows of these signs (signs, kinds × width)."""
        out = np.zeros((len(signs), len(_KINDS) * self.width))
        for row, each in zip(out, signs):
            start = _KINDS.index(each.kind) * self.width
            row[start : start + self.width] = np.r_[1, (np.array(each[1:], float) - self.mean) / self.spread]
        return out

    def weights(self, found: np.ndarray) -> Weights:
        """The weights of signs as they are, from those of the rows."""
        out = {}
        for kind, own in zip(_KINDS, found.reshape(len(_KINDS), self.width)):
            scaled = own[1:] / self.spread
            intercept = round(float(own[0] - scaled @ self.mean), 4)
            out[kind] = {"intercept": intercept} | {name: round(float(value), 4) for name, value in zip(NAMES, scaled)}
        return out


def fit(words: Iterable[Words], rated: Iterable[Rated]) -> Weights:
    """The weights of a logistic regression over right and wrong words, and over the worst tuples of rated captions."""
    pairs = list(words)
    good = [signs for each in pairs for signs in each.right]
    bad = [signs for each in pairs for signs, wrong in zip(each.wrong, each.bad) if wrong]
    columns, y = Columns([*good, *bad]), np.r_[np.ones(len(good)), np.zeros(len(bad))]
    z, rows = columns.rows([*good, *bad]), [(columns.rows(each.signs), each.high) for each in rated if each.signs]
    share, free = RATED * len(y) / max(1, len(rows)), np.arange(z.shape[1] + 1) % columns.width == 0

    def loss(b: np.ndarray) -> tuple[float, np.ndarray]:
        """Value and gradient; the last of ``b`` shifts the worst tuples."""
        own, flat = b[:-1], np.where(free, 0, b)
        sums = z @ own
        value = float((np.logaddexp(0, sums) - y * sums).sum() + PENALTY * flat @ flat / 2)
        slope = np.r_[z.T @ (1 / (1 + np.exp(-sums)) - y), 0] + PENALTY * flat
        for tuples, high in rows:
            each = -SHARPNESS * (tuples @ own)
            part = np.exp(each - each.max())
            worst = -(math.log(part.sum()) + each.max()) / SHARPNESS + b[-1]
            value += share * (np.logaddexp(0, worst) - high * worst)
            slope += share * (1 / (1 + math.exp(-worst)) - high) * np.r_[tuples.T @ (part / part.sum()), 1]
        return value, slope

    return columns.weights(minimize(loss, np.zeros(z.shape[1] + 1), jac=True, method="L-BFGS-B").x[:-1])


def auc(high: Sequence[float], low: Sequence[float]) -> float:
    """The probability that a value of ``high`` is above one of ``low``, ties by half; nan without either."""
    if not high or not low:
        return math.nan
    ranks = rankdata([*high, *low])
    return float((ranks[: len(high)].sum() - len(high) * (len(high) + 1) / 2) / (len(high) * len(low)))


def told(words: Sequence[Words], rated: Sequence[Rated], known: Weights | None) -> tuple[float, float, float]:
    """How well the lowest support tells exchanged words and ratings, and that of a word wrong words; without weights by the nearest tuple."""

    def of(signs: Signs) -> float:
        return score(known, signs) if known else signs.nearest

    lowest = [(min(map(of, each.right)), min(map(of, each.wrong))) for each in words if each.right and each.wrong]
    bad = [of(signs) for each in words for signs, wrong in zip(each.wrong, each.bad) if wrong]
    by_rating = [[min(map(of, each.signs)) for each in rated if each.signs and each.high is high] for high in (True, False)]
    exchanged = auc([right for right, _ in lowest], [wrong for _, wrong in lowest])
    return exchanged, auc([of(signs) for each in words for signs in each.right], bad), auc(*by_rating)


def main(lang: str, *paths: str) -> None:
    """Fit, write and measure."""
    spice = Spice(lang)
    soft = Soft(spice)
    reader = Reader(soft)
    words: dict[bool, dict[str, list[Words]]] = {True: {}, False: {}}  # held out or not, by file
    rated: dict[bool, dict[str, list[Rated]]] = {True: {}, False: {}}
    for path in paths:
        rows = list(captions(Path(path)))
        right = [each for each, rating in rows if rating is None or rating >= HIGH]
        exchanger, times = Exchanger(right, spice), 1 if len(right) > 1000 else _TIMES
        images = {image: place for place, image in enumerate(dict.fromkeys(each.image for each, _ in rows))}
        for held in (True, False):
            some = [each for each in right if (images[each.image] % 3 == 0) is held]
            exchanges = [found for each in some * times if (found := exchanger.exchange(each))]
            words[held][path] = list(reader.words(exchanges))
            judged = [(each, rating) for each, rating in rows if rating is not None and (images[each.image] % 3 == 0) is held]
            rated[held][path] = list(reader.rated(judged))
    known = fit((each for found in words[False].values() for each in found), (each for found in rated[False].values() for each in found))
    stored = json.loads(WEIGHTS.read_text(encoding="utf-8")) if WEIGHTS.exists() else {}
    stored[soft.similarity.signature] = known
    WEIGHTS.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(known))
    print(f"{'':<34}{'pairs':>6}{'caption':>9}{'word':>7}{'rating':>8}   nearest alone")
    for path in paths:
        for kind in ("", "object", "attribute", "relation"):
            told_apart = [each for each in words[True][path] if not kind or each.exchange.kind == kind]
            values = [told(told_apart, [] if kind else rated[True][path], weights) for weights in (known, None)]
            figures = "   ".join("{:>9.3f}{:>7.3f}{:>8.3f}".format(*each) for each in values)
            print(f"{Path(path).name[:24]:<25}{kind:<9}{len(told_apart):>6}{figures}")


if __name__ == "__main__":
    main(*sys.argv[1:])
