"""CIDEr-D (Vedantam et al., CVPR 2015), as pycocoevalcap computes it: tf-idf vectors of n-grams, clipped, with a length penalty."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

ORDER, SIGMA, SCALE = 4, 6.0, 10.0
Vectors = list[dict[tuple[str, ...], float]]


def cider_d(items: Sequence[tuple[list[str], Sequence[list[str]]]]) -> list[float]:
    """The score (0–10) of each tokenised candidate against its references; idf weights come from the references of all items."""
    known = [tuple(map(_ngrams, references)) for _, references in items]
    frequency = Counter(gram for counts in known for gram in {gram for each in counts for gram in each})
    images = math.log(len(items)) if items else 0.0

    def vectors(counts: Counter[tuple[str, ...]]) -> Vectors:
        out: Vectors = [{} for _ in range(ORDER)]
        for gram, count in counts.items():
            out[len(gram) - 1][gram] = count * (images - math.log(max(1, frequency[gram])))
        return out

    scores = []
    for (candidate, references), counts in zip(items, known):
        mine = vectors(_ngrams(candidate))
        found = [_similarity(mine, vectors(c), len(candidate) - len(r)) for r, c in zip(references, counts)]
        scores.append(SCALE * sum(found) / len(found))
    return scores


def _ngrams(words: list[str]) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[i : i + n]) for n in range(1, ORDER + 1) for i in range(len(words) - n + 1))


def _similarity(mine: Vectors, theirs: Vectors, longer: int) -> float:
    """Mean over n of the clipped cosines; ``longer`` is the difference in length."""
    total = 0.0
    for a, b in zip(mine, theirs):
        product = sum(min(weight, b[gram]) * b[gram] for gram, weight in a.items() if gram in b)
        lengths = math.sqrt(sum(w * w for w in a.values())) * math.sqrt(sum(w * w for w in b.values()))
        total += product / lengths if lengths else 0.0
    return total / ORDER * math.exp(-(longer**2) / (2 * SIGMA**2))
