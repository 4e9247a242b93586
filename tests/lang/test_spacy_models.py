"""A spaCy pipeline in a long-running server does not grow with the texts that it reads."""

import pytest

from spice_core.lang import spacy_models
from spice_core.lang.ja.parsers.ginza import ginza_parser

CAPTIONS = [
    "茶色い犬がソファーで寝ている", "駅のホームに電車が停まっている", "二人の子供が公園でサッカーをしている", "白い猫が窓から外を見る",
]  # fmt: skip


@pytest.mark.parser
def test_a_pipeline_is_reloaded_before_its_vocabulary_grows(monkeypatch):
    parser, loads = ginza_parser(), []
    load = parser._load
    parser._load = lambda: loads.append(1) or load()
    assert [list(parser.parse(CAPTIONS)) for _ in range(3)] and loads == [1]
    # spaCy's table keeps a slot for each new word of each batch, so the pipeline is reloaded after a number of new words.
    expected_parses = list(ginza_parser().parse(CAPTIONS))
    monkeypatch.setattr(spacy_models, "_MAX_NEW_WORDS", 20)
    parser, loads = ginza_parser(), []
    load = parser._load
    parser._load = lambda: loads.append(1) or load()
    parses, max_length = [], 0
    for _ in range(2):
        for caption in CAPTIONS:
            parses += parser.parse([caption])
            max_length = max(max_length, len(parser._nlp.vocab))
    assert parses == expected_parses * 2 and len(loads) > 2 and max_length < 60
