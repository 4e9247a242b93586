"""Hostile captions: none raises, none leaves anything behind in the parser, and several threads may analyse at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import islice, pairwise

import pytest

from spice_core import Spice
from tests.fuzzing import fuzzed_captions, real_captions


def captions(lang: str, count: int, seed: int) -> list[str]:
    return list(islice(fuzzed_captions(real_captions(lang), seed), count))


@pytest.fixture(scope="module", params=["en", "ja"])
def metric(request) -> Spice:
    if request.param == "ja":
        pytest.importorskip("ginza")
    return Spice(request.param)


@pytest.mark.parser
def test_hostile_captions_are_scored(metric):
    parses = list(metric.parse(captions(metric.lang, 150, seed=3)))
    results = [metric.compare(a, [b]) for a, b in pairwise(parses)]
    assert len(results) == 149
    assert all(0 <= r.f1 <= 1 for r in results)


@pytest.mark.parser
def test_new_words_leave_the_vocabulary_as_it_was():
    """spaCy keeps every word that it sees, and a server would grow without end."""
    pytest.importorskip("ginza")
    metric = Spice("ja")
    strings = metric.parser._nlp.vocab.strings
    list(metric.parse(captions(metric.lang, 50, seed=4)))
    before = len(strings)
    list(metric.parse(captions(metric.lang, 150, seed=5)))
    assert len(strings) == before


@pytest.mark.parser
def test_several_threads_analyse_at_once(metric):
    texts = [captions(metric.lang, 20, seed) for seed in range(6, 10)]
    alone = [list(metric.parse(each)) for each in texts]
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(lambda each: list(metric.parse(each)), texts)) == alone
