"""Fit the weights of tuple support, and measure how well the lowest support detects captions with a wrong word.

    python -m tools.build_support LANG FILE …

The files are JSON lines, optionally gzipped, in one of these layouts:

- images with ``captions``: the first is the caption, the next four are its references;
- captions of systems: ``candidate``, ``references``, ``rating`` from 0 to 1;
- pairs of sentences: ``sentence1``, ``sentence2``, ``similarity`` from 0 to 5.

A training pair is a caption (with a rating of at least 0.8, if rated) and a copy with one replaced word, whose tuples count as wrong. In a
caption with a rating of at most 0.4, at least one tuple counts as wrong. Every third image of each file is held out.

The output is the area under the ROC curve on held-out images: for such copies by their lowest support, for tuples of replaced words
by their support, and for rated captions by their lowest support. The output repeats these figures with the similarity of the nearest tuple
in place of the support. The tool needs SciPy.
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
from tools.wrong_words import CaptionWithReferences, Replacement, WordReplacer

MIN_GOOD_RATING, MAX_BAD_RATING = 0.8, 0.4
RATED_WEIGHT = 0.2  # weight of all rated captions relative to all words
L2_PENALTY = 1.0  # penalty on the squared weights of standardised features
SHARPNESS = 2.0  # sharpness of the soft maximum over the tuples of a rated caption
_BATCH_CAPTIONS, _REPLACEMENTS_PER_CAPTION = 100, 3
_TUPLE_KINDS = tuple(KIND_BY_LENGTH.values())


class ReplacementFeatures(NamedTuple):
    """Features of the tuples of a correct and a corrupted caption, with flags for the latter's wrong tuples."""

    replacement: Replacement
    right_features: list[SupportFeatures]
    wrong_features: list[SupportFeatures]
    wrong_flags: list[bool]


class RatedFeatures(NamedTuple):
    """Features of a caption's tuples, and whether its rating is high."""

    features: list[SupportFeatures]
    is_high: bool


def read_captions(path: Path) -> Iterator[tuple[CaptionWithReferences, float | None]]:
    """Yield the captions of a file with their references and ratings (0 to 1, or None)."""
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as lines:
        rows: list[dict[str, Any]] = [json.loads(line) for line in lines]
    for row_index, row in enumerate(rows):
        if "captions" in row:
            yield CaptionWithReferences(str(row["image_id"]), row["captions"][0], tuple(row["captions"][1:5])), None
        elif "candidate" in row:
            yield CaptionWithReferences(str(row["image_id"]), row["candidate"], tuple(row["references"])), row["rating"]
        else:
            yield CaptionWithReferences(str(row_index), row["sentence1"], (row["sentence2"],)), row["similarity"] / 5


class FeatureReader:
    """Reader of captions that computes their features in batches."""

    def __init__(self, soft: Soft):
        self._soft, self._support = soft, Support(soft.spice.synonyms)

    def read_replacements(self, replacements: Sequence[Replacement]) -> Iterator[ReplacementFeatures]:
        """Yield the features of correct captions and copies with a wrong word."""
        texts = [
            (text, replacement.right_caption.references)
            for replacement in replacements
            for text in (replacement.right_caption.caption, replacement.wrong_text)
        ]
        features = self._caption_features(texts)
        for replacement, (_, right_features), (tuples, wrong_features) in zip(replacements, features, features):
            yield ReplacementFeatures(
                replacement, right_features, wrong_features, [_contains_word(tuple_, replacement.start) for tuple_ in tuples]
            )

    def read_rated(self, rows: Sequence[tuple[CaptionWithReferences, float]]) -> Iterator[RatedFeatures]:
        """Yield the features of captions with a high or low rating."""
        rated_captions_ = [(rated_caption, rating) for rated_caption, rating in rows if not MAX_BAD_RATING < rating < MIN_GOOD_RATING]
        for (_, rating), (_, tuple_features) in zip(
            rated_captions_,
            self._caption_features([(rated_caption.caption, rated_caption.references) for rated_caption, _ in rated_captions_]),
        ):
            yield RatedFeatures(tuple_features, rating >= MIN_GOOD_RATING)

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
                result = self._soft.score_result(spice.compare(parses[caption], [parses[text] for text in references]))
                yield result.alignment.candidates, self._support.features(result)


def _contains_word(tuple_: SceneTuple, start: int) -> bool:
    """Return whether the last element of a tuple contains the word at this position of the caption."""
    mentions = [mention for mention in tuple_.mentions if mention.proposition.tokens]
    return any(token.start == start for mention in mentions for token in mention.proposition.tokens[mention.part])


class FeatureScaler:
    """Converter of features to matrix rows, with an intercept and standardised features per kind of tuple."""

    def __init__(self, features: Sequence[SupportFeatures]):
        values = np.array([tuple_features[1:] for tuple_features in features], float)
        self.mean, self.standard_deviation = values.mean(axis=0), np.maximum(values.std(axis=0), 1e-9)
        self.width = 1 + len(FEATURE_NAMES)

    def transform(self, features: Sequence[SupportFeatures]) -> np.ndarray:
        """Return the rows of these features (tuples, kinds × width), zero in the columns of other kinds."""
        table = np.zeros((len(features), len(_TUPLE_KINDS) * self.width))
        for row, tuple_features in zip(table, features):
            start = _TUPLE_KINDS.index(tuple_features.kind) * self.width
            row[start : start + self.width] = np.r_[1, (np.array(tuple_features[1:], float) - self.mean) / self.standard_deviation]
        return table

    def unscaled_weights(self, scaled_weights: np.ndarray) -> SupportWeights:
        """Convert weights of standardised features to weights of the original ones."""
        weights_ = {}
        for kind, row in zip(_TUPLE_KINDS, scaled_weights.reshape(len(_TUPLE_KINDS), self.width)):
            scaled_row = row[1:] / self.standard_deviation
            intercept = round(float(row[0] - scaled_row @ self.mean), 4)
            weights_[kind] = {"intercept": intercept} | {name: round(float(value), 4) for name, value in zip(FEATURE_NAMES, scaled_row)}
        return weights_


def fit_weights(replacement_features: Iterable[ReplacementFeatures], rated_features: Iterable[RatedFeatures]) -> SupportWeights:
    """Fit a logistic regression to the tuples of correct captions, the wrong tuples of corrupted ones, and rated captions.

    A rated caption counts by the soft minimum of the support of its tuples.
    """
    pairs = list(replacement_features)
    right_features = [tuple_features for pair in pairs for tuple_features in pair.right_features]
    wrong_features = [
        tuple_features for pair in pairs for tuple_features, is_wrong in zip(pair.wrong_features, pair.wrong_flags) if is_wrong
    ]
    columns, y = FeatureScaler([*right_features, *wrong_features]), np.r_[np.ones(len(right_features)), np.zeros(len(wrong_features))]
    z, rows = (
        columns.transform([*right_features, *wrong_features]),
        [(columns.transform(pair.features), pair.is_high) for pair in rated_features if pair.features],
    )
    share, is_unpenalised = RATED_WEIGHT * len(y) / max(1, len(rows)), np.arange(z.shape[1] + 1) % columns.width == 0

    def loss(b: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the loss and its gradient. The last element of ``b`` is the intercept of the worst tuples."""
        coefficients, flat = b[:-1], np.where(is_unpenalised, 0, b)
        sums = z @ coefficients
        value = float((np.logaddexp(0, sums) - y * sums).sum() + L2_PENALTY * flat @ flat / 2)
        slope = np.r_[z.T @ (1 / (1 + np.exp(-sums)) - y), 0] + L2_PENALTY * flat
        for tuples, is_high in rows:
            scaled_values = -SHARPNESS * (tuples @ coefficients)
            part = np.exp(scaled_values - scaled_values.max())
            worst_value = -(math.log(part.sum()) + scaled_values.max()) / SHARPNESS + b[-1]
            value += share * (np.logaddexp(0, worst_value) - is_high * worst_value)
            slope += share * (1 / (1 + math.exp(-worst_value)) - is_high) * np.r_[tuples.T @ (part / part.sum()), 1]
        return value, slope

    return columns.unscaled_weights(minimize(loss, np.zeros(z.shape[1] + 1), jac=True, method="L-BFGS-B").x[:-1])


def auc(high_values: Sequence[float], low_values: Sequence[float]) -> float:
    """Return the probability that a high value exceeds a low value (ties count half), or nan if either is empty."""
    if not high_values or not low_values:
        return math.nan
    ranks = rankdata([*high_values, *low_values])
    return float((ranks[: len(high_values)].sum() - len(high_values) * (len(high_values) + 1) / 2) / (len(high_values) * len(low_values)))


def measure(
    replacement_features: Sequence[ReplacementFeatures], rated_features: Sequence[RatedFeatures], known_weights: SupportWeights | None
) -> tuple[float, float, float]:
    """Return three AUCs of the support: correct against corrupted captions, correct against wrong tuples, high against low ratings.

    Captions are compared by their lowest support. Without weights, the similarity of the nearest tuple takes the place of the support.
    """

    def score(tuple_features: SupportFeatures) -> float:
        return support_score(known_weights, tuple_features) if known_weights else tuple_features.nearest

    lowest = [
        (min(map(score, pair.right_features)), min(map(score, pair.wrong_features)))
        for pair in replacement_features
        if pair.right_features and pair.wrong_features
    ]
    bad_scores = [
        score(features_) for pair in replacement_features for features_, is_wrong in zip(pair.wrong_features, pair.wrong_flags) if is_wrong
    ]
    by_rating = [
        [min(map(score, pair.features)) for pair in rated_features if pair.features and pair.is_high is is_high]
        for is_high in (True, False)
    ]
    replaced = auc([right_score for right_score, _ in lowest], [wrong_score for _, wrong_score in lowest])
    return (
        replaced,
        auc([score(features_) for pair in replacement_features for features_ in pair.right_features], bad_scores),
        auc(*by_rating),
    )


class SplitFeatures(NamedTuple):
    """Features of the captions of a file. Every third image is held out for the measures."""

    train: tuple[list[ReplacementFeatures], list[RatedFeatures]]
    held_out: tuple[list[ReplacementFeatures], list[RatedFeatures]]


def main(lang: str, *paths: str) -> None:
    """Fit the weights, write them, and print the measures."""
    spice = Spice(lang)
    soft = Soft(spice)
    reader = FeatureReader(soft)
    splits = {path: _read_split(Path(path), spice, reader) for path in paths}
    replacement_features = chain.from_iterable(split.train[0] for split in splits.values())
    known_weights = fit_weights(replacement_features, chain.from_iterable(split.train[1] for split in splits.values()))
    _write_weights(soft.similarity.signature, known_weights)
    print(json.dumps(known_weights))
    print(f"{'':<34}{'pairs':>6}{'caption':>9}{'word':>7}{'rating':>8}   nearest alone")
    for path, split in splits.items():
        _print_measures(path, *split.held_out, known_weights)


def _read_split(path: Path, spice: Spice, reader: FeatureReader) -> SplitFeatures:
    rows = list(read_captions(path))
    good_captions = [row for row, rating in rows if rating is None or rating >= MIN_GOOD_RATING]
    replacer, times = WordReplacer(good_captions, spice), 1 if len(good_captions) > 1000 else _REPLACEMENTS_PER_CAPTION
    held_out = set([*dict.fromkeys(row.image for row, _ in rows)][::3])

    def read_part(is_held_out: bool) -> tuple[list[ReplacementFeatures], list[RatedFeatures]]:
        chosen_captions = [caption for caption in good_captions if (caption.image in held_out) is is_held_out]
        replacements = [replacement for caption in chosen_captions * times if (replacement := replacer.replace_word(caption))]
        rated_chosen = [(caption, rating) for caption, rating in rows if rating is not None and (caption.image in held_out) is is_held_out]
        return list(reader.read_replacements(replacements)), list(reader.read_rated(rated_chosen))

    held_out_features = read_part(True)  # first, because the replacements are drawn in this order
    return SplitFeatures(read_part(False), held_out_features)


def _write_weights(signature: str, weights: SupportWeights) -> None:
    """Add the weights of a similarity to the file of weights, replacing its earlier weights."""
    stored_weights = json.loads(WEIGHTS_PATH.read_text(encoding="utf-8")) if WEIGHTS_PATH.exists() else {}
    WEIGHTS_PATH.write_text(json.dumps(stored_weights | {signature: weights}, indent=1) + "\n", encoding="utf-8")


def _print_measures(
    path: str, replacement_features: Sequence[ReplacementFeatures], rated_features: Sequence[RatedFeatures], known_weights: SupportWeights
) -> None:
    """Print the measures on a file's held-out captions, for the weights and for the nearest tuple alone."""
    for kind in ("", "object", "attribute", "relation"):
        kind_features = [pair for pair in replacement_features if not kind or pair.replacement.kind == kind]
        values = [measure(kind_features, [] if kind else rated_features, weights) for weights in (known_weights, None)]
        figures = "   ".join("{:>9.3f}{:>7.3f}{:>8.3f}".format(*aucs) for aucs in values)
        print(f"{Path(path).name[:24]:<25}{kind:<9}{len(kind_features):>6}{figures}")


if __name__ == "__main__":
    main(*sys.argv[1:])
