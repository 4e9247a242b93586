"""Constructions of captions, alt text, news and model output that the Japanese rules read, with sentences written for this test."""

import tomllib
from pathlib import Path

import pytest

from spice_core import Spice
from spice_core.scene.propositions import add_implied_objects

pytest.importorskip("ginza", reason="GiNZA is not installed; pip install -r requirements.txt")
CASES_BY_CONSTRUCTION = tomllib.loads(Path(__file__).with_name("constructions.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("construction", CASES_BY_CONSTRUCTION)
def test_each_construction_yields_its_tuples_and_no_wrong_ones(construction):
    cases = CASES_BY_CONSTRUCTION[construction]
    for case, parse in zip(cases, Spice("ja").parse(case["caption"] for case in cases), strict=True):
        words = add_implied_objects({p.words for p in parse.propositions})
        assert {tuple(line.split()) for line in case.get("yields", ())} <= words, case["caption"]
        assert not {tuple(line.split()) for line in case.get("lacks", ())} & words, case["caption"]
    assert len(cases) >= 3
