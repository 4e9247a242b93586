"""CIDEr-D (Vedantam et al., CVPR 2015), as pycocoevalcap computes it: tf-idf vectors of n-grams, clipped, with a length penalty."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from spice_core.metrics.metric import Metric, Needs
from spice_core.metrics.text.tokens import Pair, Tokens, pairs, signature

ORDER, SIGMA, SCALE = 4, 6.0, 10.0
Vectors = list[dict[tuple[str, ...], float]]


def cider_d(items: Sequence[Pair], *, order: int = ORDER, sigma: float = SIGMA, scale: float = SCALE) -> list[float]:
    """The score (0–10) of each tokenised candidate against its references; idf weights come from the references of all items.

    ``order`` is the length of the longest n-grams, ``sigma`` the tolerance for differences in length, ``scale`` the best score.
    """
    known = [tuple(_ngrams(reference, order) for reference in references) for _, references in items]
    frequency = Counter(gram for counts in known for gram in {gram for each in counts for gram in each})
    images = math.log(len(items)) if items else 0.0

    def vectors(counts: Counter[tuple[str, ...]]) -> Vectors:
        out: Vectors = [{} for _ in range(order)]
        for gram, count in counts.items():
            out[len(gram) - 1][gram] = count * (images - math.log(max(1, frequency[gram])))
        return out

    scores = []
    for (candidate, references), counts in zip(items, known):
        own = vectors(_ngrams(candidate, order))
        found = [_similarity(own, vectors(c)) * _closeness(len(candidate) - len(r), sigma) for r, c in zip(references, counts)]
        scores.append(scale * sum(found) / len(found))
    return scores


def _ngrams(words: Tokens, order: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[i : i + n]) for n in range(1, order + 1) for i in range(len(words) - n + 1))


def _closeness(longer: int, sigma: float) -> float:
    """The penalty for a difference in length."""
    return math.exp(-(longer**2) / (2 * sigma**2))


def _similarity(candidate: Vectors, reference: Vectors) -> float:
    """Mean over n of the clipped cosines."""
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
    segment=lambda batch: cider_d(batch.once(pairs)),
    signature=signature("CIDEr-D"),
    best=SCALE,
)
