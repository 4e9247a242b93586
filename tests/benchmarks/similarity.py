"""Correlation with similarity ratings of caption pairs, beside word and character overlap.

    python -m tests.benchmarks.similarity --pairs jsts_train.jsonl.gz [--first 4000] [--rules ja-caption]

Each score is symmetrised. Words are Sudachi's; BLEU is smoothed (NLTK's method 1), METEOR aligns equal words only.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from statistics import correlation

from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu
from nltk.translate.chrf_score import sentence_chrf
from nltk.translate.meteor_score import single_meteor_score
from sudachipy import Dictionary

from spice_core import Spice


class _NoWordNet:
    def synsets(self, word: str) -> list:
        return []


class _NoStemmer:
    def stem(self, word: str) -> str:
        return word


def bleu(candidate: list[str], reference: list[str]) -> float:
    return sentence_bleu([reference], candidate, smoothing_function=SmoothingFunction().method1)


def meteor(candidate: list[str], reference: list[str]) -> float:
    return single_meteor_score(reference, candidate, preprocess=str, stemmer=_NoStemmer(), wordnet=_NoWordNet())


def chrf(candidate: list[str], reference: list[str]) -> float:
    return sentence_chrf("".join(reference), "".join(candidate))


def rouge_l(candidate: list[str], reference: list[str]) -> float:
    row = [0] * (len(reference) + 1)
    for word in candidate:
        before = row[:]
        for j, other in enumerate(reference, 1):
            row[j] = before[j - 1] + 1 if word == other else max(before[j], row[j - 1])
    return 2 * row[-1] / (len(candidate) + len(reference))


def ranks(values: list[float]) -> list[float]:
    """Ranks from 1, equal values sharing the mean of theirs."""
    order = sorted(range(len(values)), key=values.__getitem__)
    out, i = [0.0] * len(values), 0
    while i < len(order):
        j = i
        while j < len(order) and values[order[j]] == values[order[i]]:
            j += 1
        for k in order[i:j]:
            out[k] = (i + 1 + j) / 2
        i = j
    return out


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--pairs", type=Path, required=True)
    options.add_argument("--first", type=int, default=4000)
    options.add_argument("--rules", nargs="*", default=["ja-caption", "jaspice-2023", "ja-ud"])
    opt = options.parse_args()
    with gzip.open(opt.pairs, "rt", encoding="utf-8") as lines:
        pairs = [json.loads(line) for line in islice(lines, opt.first)]
    ratings = [p["similarity"] for p in pairs]
    sides = [(p["sentence1"], p["sentence2"]) for p in pairs]
    captions = list(dict.fromkeys(c for side in sides for c in side))

    def report(name: str, score: Callable[[str, str], float]) -> None:
        values = [(score(a, b) + score(b, a)) / 2 for a, b in sides]
        print(f"{name:<14} Pearson {correlation(values, ratings):.3f} Spearman {correlation(ranks(values), ranks(ratings)):.3f}")

    tokenizer = Dictionary().create()
    words = {c: [m.surface() for m in tokenizer.tokenize(c)] for c in captions}
    for name, score in (("BLEU", bleu), ("ROUGE-L", rouge_l), ("METEOR", meteor), ("chrF", chrf)):
        report(name, lambda a, b, score=score: score(words[a], words[b]))
    for rules in opt.rules:
        spice = Spice("ja", rules=rules)
        parses = dict(zip(captions, spice.parse(captions)))
        report(rules, lambda a, b, spice=spice, parses=parses: spice.compare(parses[a], [parses[b]]).f1)


if __name__ == "__main__":
    main()
