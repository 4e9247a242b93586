"""The layout: the same at every call, no overlaps, left to right."""

from __future__ import annotations

import json
from functools import cache
from itertools import combinations
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spice_core import Spice
from spice_core.draw.boxes import box
from spice_core.draw.layout import Layout, layout, union
from spice_core.draw.network import networks
from spice_core.lang import detect_language

GALLERY = json.loads((Path(__file__).parents[2] / "assets" / "examples.json").read_text(encoding="utf-8"))
EXAMPLES = [example for group in GALLERY for example in group["examples"]]
WORDS = st.sampled_from(["girl", "dog", "court", "racket", "net", "field"])
PROPOSITIONS = st.one_of(
    st.tuples(WORDS),
    st.tuples(WORDS, st.sampled_from(["young", "big", "red", "old", "tiny"])),
    st.tuples(WORDS, st.sampled_from(["on", "with"]), WORDS),
)
PLAIN = Spice(synonyms="none")
metric = cache(Spice)


def overlaps(graph: nx.DiGraph, places: Layout) -> list[tuple[str, str]]:
    """The pairs of nodes of a graph whose boxes share an area."""
    boxes = {
        name: box(facts["kind"], facts["words"], facts["captions"], facts["of"]).at(places.points[facts["place"]])
        for name, facts in graph.nodes(data=True)
    }
    return [(a, b) for a, b in combinations(boxes, 2) if boxes[a].overlaps(boxes[b])]


@pytest.mark.parser
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: e["id"])
def test_no_overlaps_on_the_examples(example):
    spice = metric(detect_language([example["candidate"], *example["references"]]))
    graphs = networks(spice.compute(example["candidate"], example["references"]))
    places = layout(*graphs)
    assert not any(overlaps(graph, places) for graph in graphs)


@settings(max_examples=40)
@given(st.lists(PROPOSITIONS, max_size=10), st.lists(PROPOSITIONS, min_size=1, max_size=14))
def test_no_overlaps_and_everything_inside(candidate, reference):
    graphs = networks(PLAIN.compute(candidate, [reference]))
    places = layout(*graphs)
    whole = union(*graphs)
    for graph in graphs:
        assert overlaps(graph, places) == []
    for name, extents in whole.nodes(data="box"):
        at = extents.at(places.points[name])
        assert at.left >= 0 and at.top >= 0 and at.right <= places.width and at.bottom <= places.height


@pytest.mark.parametrize(
    "rows",
    [
        [
            ["ストロベリーショートケーキ", "とても大きくて長い名前のもの"],
            ["人", "積み重ねられている感じにする", "ストロベリーショートケーキ"],
        ],
        [["折りたたみ傘", "赤い"], ["折りたたみ傘", "オレンジ色"], ["折りたたみ傘", "二十四本"], ["人", "差す", "折りたたみ傘"]],
    ],
)
def test_no_overlaps_with_long_full_width_labels(rows):
    graphs = networks(PLAIN.compute(rows, [rows, [*rows, ["女性", "スケートボードに乗る", "オレンジ色のヘルメット"]]]))
    places = layout(*graphs)
    assert not any(overlaps(graph, places) for graph in graphs)


def test_a_broken_label_is_higher_not_wider():
    one, two = (box("object", [word]) for word in ("ストロベリー", "ストロベリーショートケーキ"))
    assert two.bottom - two.top > one.bottom - one.top and two.right - two.left < 9 * 14 + 40


def test_same_layout_at_every_call(result):
    assert layout(*networks(result)) == layout(*networks(result))


def test_a_chain_runs_left_to_right():
    graphs = networks(PLAIN.compute([["girl", "hold", "racket"], ["racket", "on", "court"]], [[["girl"]]]))
    points = layout(*graphs).points
    xs = {facts["words"][0]: points[facts["place"]].x for _, facts in graphs[0].nodes(data=True)}
    assert xs["girl"] < xs["hold"] < xs["racket"] < xs["on"] < xs["court"]


def test_a_relation_past_a_column_bends_around_it():
    rows = [["girl", "hold", "racket"], ["racket", "on", "court"], ["girl", "near", "court"]]
    graphs = networks(PLAIN.compute(rows, [rows]))
    assert len(layout(*graphs).bends) == 1


def test_nothing_to_draw():
    graphs = networks(PLAIN.compute([], [[]]))
    assert layout(*graphs).points == {}


@pytest.mark.parser
def test_an_action_attribute_stands_on_the_side_of_its_relation_where_no_line_comes():
    graphs = networks(metric("en").compute("A man holds a phone and pushes a bike.", ["A dog."]))
    places, kinds = layout(*graphs), dict(graphs[0].nodes(data="kind"))
    sides = set()
    for relation, pill, tie in graphs[0].edges(data="tie"):
        if tie:
            ends = [name for name in nx.all_neighbors(graphs[0], relation) if kinds[name] == "object"]
            at, attribute, *others = (places.points[graphs[0].nodes[name]["place"]].y for name in (relation, pill, *ends))
            sides.add(above := at < sum(others) / 2 - 0.5)
            assert (attribute < at) == above
    assert sides == {True, False}
