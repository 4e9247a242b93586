"""METEOR beside pycocoevalcap's (Java) stored scores; matches by stem and synonym."""

from __future__ import annotations

import json
from statistics import correlation

from spice_core.lang import language
from spice_core.metrics.measure import segment_scores
from spice_core.metrics.text.meteor import EXACT, STEM, SYNONYM, meteor
from tests.conftest import DATA


class Senses:
    def synsets(self, word: str) -> list[object]:
        return []


def scores(*items: tuple[str, str]) -> list[float]:
    return segment_scores([(candidate, [reference]) for candidate, reference in items], ["METEOR"])["METEOR"]


def test_scores_go_with_those_of_java():
    stored = json.loads((DATA / "baselines.json").read_text(encoding="utf-8"))
    ours = segment_scores([(row["candidate"], row["references"]) for row in stored], ["METEOR"])["METEOR"]
    assert correlation(ours, [row["METEOR"] for row in stored]) > 0.9


def test_synonyms_and_stems_match():
    synonym, stem, neither = scores(("a couch", "a sofa"), ("dogs running", "dog runs"), ("a couch", "a bus"))
    assert synonym > neither and stem > neither and EXACT > SYNONYM > STEM


def test_the_best_reference_counts_and_stop_words_count_less():
    stemmer, of = language("ja").stemmer(), frozenset(["the"])
    assert meteor(["the", "dog"], [["bus"], ["the", "dog"]], stemmer, Senses(), of) == 1
    assert meteor(["the", "dog"], [["the", "bus"]], stemmer, Senses(), of) < meteor(["the", "dog"], [["a", "dog"]], stemmer, Senses(), of)
