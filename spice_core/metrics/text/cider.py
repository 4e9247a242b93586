"""CIDEr-D (Vedantam et al., CVPR 2015), as pycocoevalcap computes it: clipped tf-idf vectors of n-grams, with a length penalty."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from functools import cache

from spice_core.errors import InputError, Message
from spice_core.metrics.metric import Batch, Metric, Needs
from spice_core.metrics.spice import Spice
from spice_core.metrics.text.frequencies import MAX_NGRAM_ORDER, DocumentFrequencies, Ngram, count_ngrams, load
from spice_core.metrics.text.tokens import TokenPair, text_signature, token_pairs

SIGMA, SCORE_SCALE = 6.0, 10.0
NgramVectors = list[dict[Ngram, float]]


def cider_d_scores(
    items: Sequence[TokenPair],
    *,
    order: int = MAX_NGRAM_ORDER,
    sigma: float = SIGMA,
    scale: float = SCORE_SCALE,
    frequencies: DocumentFrequencies | None = None,
) -> list[float]:
    """Return the CIDEr-D score (0 to ``scale``) of each tokenised candidate against its references.

    Args:
        items: Tokenised candidates with their references.
        order: Length of the longest n-grams.
        sigma: Tolerance for differences in length.
        scale: The best score.
        frequencies: Document frequencies for the idf weights; by default, they are counted on the references of all items. A single
            item needs given frequencies, because otherwise all its weights are 0.

    Raises:
        InputError: The n-grams of the frequencies are shorter than ``order``.
    """
    frequencies = frequencies or DocumentFrequencies.count((references for _, references in items), order)
    if frequencies.order < order:
        raise InputError("n", order, Message("expected.at_most", number=frequencies.order))
    images = math.log(frequencies.images) if frequencies.images else 0.0

    def weigh_ngrams(counts: Counter[Ngram]) -> NgramVectors:
        out: NgramVectors = [{} for _ in range(order)]
        for gram, count in counts.items():
            out[len(gram) - 1][gram] = count * (images - math.log(max(1, frequencies.counts.get(gram, 0))))
        return out

    scores = []
    for candidate, references in items:
        candidate_vector = weigh_ngrams(count_ngrams(candidate, order))
        similarities = [
            _similarity(candidate_vector, weigh_ngrams(count_ngrams(r, order)))
            * math.exp(-((len(candidate) - len(r)) ** 2) / (2 * sigma**2))
            for r in references
        ]
        scores.append(scale * math.fsum(similarities) / len(similarities))
    return scores


def _similarity(candidate: NgramVectors, reference: NgramVectors) -> float:
    """Return the mean of the clipped cosines over all lengths of n-grams."""
    total = 0.0
    for a, b in zip(candidate, reference):
        product = sum(min(weight, b[gram]) * b[gram] for gram, weight in a.items() if gram in b)
        lengths = math.sqrt(sum(w * w for w in a.values())) * math.sqrt(sum(w * w for w in b.values()))
        total += product / lengths if lengths else 0.0
    return total / len(candidate)


CIDER_D = Metric(
    name="CIDEr-D",
    summary="n-grams weighted by their rarity among the images, from 0 to 10",
    needs=Needs.CORPUS,
    segment=lambda batch: cider_d_scores(batch.compute_once(token_pairs)),
    signature=text_signature("CIDEr-D"),
    max_score=SCORE_SCALE,
)


@cache
def make_cider_d(source: str) -> Metric:
    """Return the metric ``CIDEr-D:SOURCE``, which can score a single image with stored document frequencies.

    ``source`` is the name of bundled frequencies or the path of a file. Raises InputError if the file contains no document frequencies.
    """
    frequencies = load(source)

    def check_frequencies(batch: Batch) -> DocumentFrequencies:
        tokenizer = batch.pack.tokenizer().signature
        if (frequencies.lang, frequencies.tokens) != (batch.pack.code, tokenizer):
            other = Message("expected.other_frequencies", lang=frequencies.lang, tokens=frequencies.tokens)
            expected = Message("expected.other_frequencies", lang=batch.pack.code, tokens=tokenizer)
            raise InputError(source, other, expected)
        return frequencies

    def describe_signature(spice: Spice) -> str:
        name, *parts = text_signature(CIDER_D.name)(spice).split("|")
        return "|".join([name, f"frequencies:{frequencies.digest}", *parts])

    return Metric(
        name=f"{CIDER_D.name}:{source}",
        summary="n-grams weighted by their rarity among the images that the frequencies were counted on, from 0 to 10",
        needs=Needs.TEXT,
        segment=lambda batch: cider_d_scores(batch.compute_once(token_pairs), frequencies=check_frequencies(batch)),
        signature=describe_signature,
        max_score=SCORE_SCALE,
    )
