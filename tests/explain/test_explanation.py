"""One result explained: each part computed once, and the details of matched and unmatched rows."""

from __future__ import annotations

import pytest

from spice_core import Spice
from spice_core.explain import explanation as module
from spice_core.explain.explanation import Explanation, RowDetails


@pytest.fixture
def explained(result, synonyms) -> Explanation:
    return Explanation(result, synonyms)


def test_every_row_has_its_tuple_and_its_nodes(explained):
    for row in explained.rows:
        assert [set(part.split("/")) for part in row.parts] == [set(c.words) for c in explained.tuple_of(row.id).concepts]
        assert explained.result.state(explained.tuple_of(row.id)) is row.state
        assert all(explained.row_of[node] is row for node in row.nodes)


def test_an_unmatched_row_has_near_tuples_and_a_match_has_none(explained):
    details = {row.parts: explained.details(row.id) for row in explained.rows}
    assert [near.other.words for near in details["woman", "hold", "racket"].nearest] == [("girl", "hold", "racquet")]
    assert details["girl",] == RowDetails()


def test_each_part_is_computed_once(monkeypatch, explained):
    calls = []
    for name in ("rows", "spans", "nearest", "unused"):
        found = getattr(module, name)
        monkeypatch.setattr(module, name, lambda *args, found=found, name=name, **more: calls.append(name) or found(*args, **more))
    missing = next(row.id for row in explained.rows if not row.state.matched)
    for _ in range(3):
        assert explained.rows and explained.captions and explained.details(missing) and len(explained.unused) == 3
    assert sorted(calls) == ["nearest", "rows", "spans", "unused", "unused", "unused"]


def test_it_explains_as_the_metric_counted():
    spice = Spice(synonyms="none", categories={"Wood": ["wooden"]})
    found = Explanation.of(spice.compute([["table", "wooden"]], [[["table"]]]), spice)
    assert {row.parts: row.categories for row in found.rows} == {("table",): (), ("table", "wooden"): ("Wood",)}
    assert found.rules is spice.rules
