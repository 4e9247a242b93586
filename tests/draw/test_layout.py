"""Test the layout of graphs, single and side by side: deterministic, from left to right, readable, and without overlaps."""

import itertools
import json
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spice_core import Spice
from spice_core.draw.arrangement import Block, Link, arrange
from spice_core.draw.labels import Box, node_box
from spice_core.draw.layout import GraphLayout, layout_graphs, layout_side_by_side
from spice_core.draw.layout import merge_places as places_union
from spice_core.draw.network import UNMATCHED_STATES, limit_nodes, result_networks, union_network
from spice_core.draw.routes import CrossingCounter, find_routes, lines_through_boxes
from spice_core.draw.screen import fill_screen, fit_screen, fit_width, readable_part
from spice_core.draw.shapes import count_covered_labels
from spice_core.draw.svg import graph_extents
from spice_core.lang import detect_language

GOLD = Path(__file__).parents[2] / "assets" / "gold"
GALLERY_EXAMPLES = json.loads((Path(__file__).parents[2] / "assets" / "examples.json").read_text(encoding="utf-8"))
EXAMPLE_PARAMS = [
    example if n in (0, 4, 8, 15) else pytest.param(example, marks=pytest.mark.release)
    for n, example in enumerate(example for group in GALLERY_EXAMPLES for example in group["examples"])
]
WIDE_PANEL_WIDTH_PX, WIDE_PANEL_HEIGHT_PX = 789, 260
# The size of each of two panels.
PANEL_WIDTH_PX, PANEL_HEIGHT_PX = 440, 674
OBJECT_NAMES = st.sampled_from(["girl", "dog", "court", "racket", "net", "field"])
PROPOSITIONS = st.one_of(
    st.tuples(OBJECT_NAMES),
    st.tuples(OBJECT_NAMES, st.sampled_from(["young", "big", "red", "old", "tiny", "photographed", "upside down", "very long and narrow"])),
    st.tuples(OBJECT_NAMES, st.sampled_from(["on", "with"]), OBJECT_NAMES),
)
SPICE_WITHOUT_SYNONYMS = Spice(synonyms="none")
metric = cache(Spice)


def boxes_overlap(a: Box, b: Box) -> bool:
    return a.left < b.right and b.left < a.right and a.top < b.bottom and b.top < a.bottom


def find_overlaps(graph: nx.DiGraph, places: GraphLayout) -> list[tuple[str, str]]:
    boxes = {
        name: node_box(facts["kind"], facts["words"], facts["captions"], facts["of"]).translate(places.points[facts["place"]])
        for name, facts in graph.nodes(data=True)
    }
    return [(a, b) for a, b in combinations(boxes, 2) if boxes_overlap(boxes[a], boxes[b])]


def test_a_small_graph_is_shown_completely_even_if_the_screen_is_too_small():
    graph, _ = result_networks(metric("en").compute([["dog"], ["dog", "brown"]], [[["cat"]]]))
    shown_graph, _ = readable_part(graph, 5, 5)
    assert [*shown_graph] == [*graph] and len(graph) == 2


@pytest.mark.parametrize("example", EXAMPLE_PARAMS, ids=lambda e: e["id"])
def test_examples_are_readable_without_overlaps_and_mostly_complete(example):
    spice = metric(detect_language([example["candidate"], *example["references"]]))
    graphs = result_networks(spice.compute(example["candidate"], example["references"]))
    places = layout_graphs(*graphs)
    assert not any(find_overlaps(graph, places) for graph in graphs)
    for graph in (*graphs, union_network(*graphs)):
        shown_graph, places = readable_part(graph, WIDE_PANEL_WIDTH_PX, WIDE_PANEL_HEIGHT_PX)
        *_, wide, height = graph_extents(shown_graph, places)
        assert wide <= WIDE_PANEL_WIDTH_PX and height <= WIDE_PANEL_HEIGHT_PX and len(shown_graph) >= min(len(graph), 6)
        assert all(graph.nodes[name] == shown_graph.nodes[name] for name in shown_graph)
        assert len(graph) > 12 or len(shown_graph) == len(graph)
        assert count_covered_labels(shown_graph, places) == 0 and not find_overlaps(shown_graph, places)
        # Labels do not overlap in a drawing of the full graph either.
        assert count_covered_labels(graph, fill_screen(graph, WIDE_PANEL_WIDTH_PX, WIDE_PANEL_HEIGHT_PX)[0]) == 0
    parts, places = fit_screen(graphs, PANEL_WIDTH_PX, PANEL_HEIGHT_PX)
    assert places.width <= 1.06 * PANEL_WIDTH_PX
    assert places.height <= PANEL_HEIGHT_PX
    assert not any(find_overlaps(graph, places) for graph in parts)
    assert all(len(part) >= min(len(graph), 6) for graph, part in zip(graphs, parts))
    parts, places = fit_width(graphs, PANEL_WIDTH_PX)
    assert [*map(len, parts)] == [*map(len, graphs)] and not any(find_overlaps(graph, places) for graph in parts)


def covered_drawings(graphs: tuple[nx.DiGraph, nx.DiGraph]) -> list[str]:
    """Return the names of the drawings of two graphs, in several sizes and views, where a line crosses a label."""
    union = union_network(*graphs)
    drawings = {f"{width} px": fit_screen(graphs, width, PANEL_HEIGHT_PX) for width in (320, 440, 560, 700)}
    drawings |= {
        "large": fit_width(graphs, 900),
        "merged, large": fit_width([union], 900),
        "merged": fit_screen([union], 900, PANEL_HEIGHT_PX),
    }
    *sides, places = layout_side_by_side(*graphs)
    drawings |= {"downloaded": (sides, places), "merged, downloaded": ([union], layout_graphs(*graphs))}
    drawings["present"] = [union], fill_screen(union, WIDE_PANEL_WIDTH_PX, WIDE_PANEL_HEIGHT_PX)[0]
    return [name for name, (parts, places) in drawings.items() if any(count_covered_labels(part, places) for part in parts)]


def captions_of_length(words: int) -> Iterator[tuple[list, list]]:
    """Yield candidates of about this many words with four references each, all as tuples and partly shared."""
    rows = [
        json.loads(line) for name in ("gold_en", "long_en") for line in (GOLD / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    rows = [row for row in rows if row["split"] == "dev" and len(row["caption"].split()) <= words]
    rows.sort(key=lambda row: -len(row["caption"].split()))
    for start in (0, 5):
        first, *others = rows[start : start + 5]
        second = others[0]["tuples"] if len(first["caption"].split()) < 0.8 * words else []
        yield [*first["tuples"], *second], [[*first["tuples"][i::3], *other["tuples"]] for i, other in enumerate(others)]


@pytest.mark.parametrize("words", [6, 12, 70, pytest.param(150, marks=pytest.mark.release)])
def test_no_line_crosses_a_label(words):
    for candidate, references in captions_of_length(words):
        assert covered_drawings(result_networks(SPICE_WITHOUT_SYNONYMS.compute(candidate, references))) == []


def test_a_line_to_a_further_row_of_attributes_passes_beside_the_nearer_rows():
    rows = [["girl", word] for word in ("photographed", "very long and narrow", "upside down", "young", "old", "tall and thin", "happy")]
    graphs = result_networks(SPICE_WITHOUT_SYNONYMS.compute(rows, [rows]))
    for places in (fit_width(graphs, 320)[1], layout_graphs(*graphs), layout_graphs(*graphs, downward=True)):
        assert len(places.bends) > 1 and not any(count_covered_labels(graph, places) for graph in graphs)
        assert all(0 < point.x < places.width and 0 < point.y < places.height for bends in places.bends.values() for point in bends)


@settings(max_examples=20)
@given(st.lists(PROPOSITIONS, max_size=10), st.lists(PROPOSITIONS, min_size=1, max_size=14))
def test_nothing_overlaps_or_leaves_the_picture(candidate, reference):
    graphs = result_networks(SPICE_WITHOUT_SYNONYMS.compute(candidate, [reference]))
    assert covered_drawings(graphs) == []
    places = layout_graphs(*graphs)
    union_graph = places_union(*graphs)
    for graph in graphs:
        assert find_overlaps(graph, places) == []
    for name, box in union_graph.nodes(data="box"):
        placed_box = box.translate(places.points[name])
        assert placed_box.left >= 0 and placed_box.top >= 0 and placed_box.right <= places.width and placed_box.bottom <= places.height


def test_long_full_width_labels_are_wrapped_and_do_not_overlap():
    for rows in (
        [
            ["ストロベリーショートケーキ", "とても大きくて長い名前のもの"],
            ["人", "積み重ねられている感じにする", "ストロベリーショートケーキ"],
        ],
        [["折りたたみ傘", "赤い"], ["折りたたみ傘", "オレンジ色"], ["折りたたみ傘", "二十四本"], ["人", "差す", "折りたたみ傘"]],
    ):
        graphs = result_networks(
            SPICE_WITHOUT_SYNONYMS.compute(rows, [rows, [*rows, ["女性", "スケートボードに乗る", "オレンジ色のヘルメット"]]])
        )
        places = layout_graphs(*graphs)
        assert not any(find_overlaps(graph, places) for graph in graphs)
    short_box, long_box = (node_box("object", [word]) for word in ("ストロベリー", "ストロベリーショートケーキ"))
    assert long_box.bottom - long_box.top > short_box.bottom - short_box.top and long_box.right - long_box.left < 9 * 14 + 40


def test_a_chain_runs_left_to_right_identically_at_every_call_and_bends_around_a_column(result):
    assert layout_graphs(*result_networks(result)) == layout_graphs(*result_networks(result))
    assert layout_graphs(*result_networks(SPICE_WITHOUT_SYNONYMS.compute([], [[]]))).points == {}
    rows = [["girl", "hold", "racket"], ["racket", "on", "court"]]
    graphs = result_networks(SPICE_WITHOUT_SYNONYMS.compute(rows, [[["girl"]]]))
    points = layout_graphs(*graphs).points
    xs = {facts["words"][0]: points[facts["place"]].x for _, facts in graphs[0].nodes(data=True)}
    assert xs["girl"] < xs["hold"] < xs["racket"] < xs["on"] < xs["court"]
    rows.append(["girl", "near", "court"])
    assert len(layout_graphs(*result_networks(SPICE_WITHOUT_SYNONYMS.compute(rows, [rows]))).bends) == 1


def test_an_action_attribute_is_placed_on_the_free_side_of_its_relation():
    graphs = result_networks(metric("en").compute("A man holds a phone and pushes a bike.", ["A dog."]))
    places, kinds = layout_graphs(*graphs), dict(graphs[0].nodes(data="kind"))
    free_sides = set()
    for relation, pill, tie in graphs[0].edges(data="tie"):
        if tie:
            neighbour_names = [name for name in nx.all_neighbors(graphs[0], relation) if kinds[name] == "object"]
            y, attribute, *other_ys = (places.points[graphs[0].nodes[name]["place"]].y for name in (relation, pill, *neighbour_names))
            free_sides.add(is_above := y < sum(other_ys) / 2 - 0.5)
            assert (attribute < y) == is_above
    assert free_sides == {True, False}


def make_block(node_kind: str, name: str, *attributes: str) -> Block:
    return Block(name, node_box(node_kind, [name]), tuple((attribute, node_box("attribute", [attribute])) for attribute in attributes))


def test_columns_run_left_to_right_with_attributes_next_to_their_object():
    """Columns of objects and of relations alternate."""
    for names in [("dog",), ("girl", "on", "court"), ("girl", "on", "court", "behind", "net")]:
        links = [Link(a, make_block("relation", relation), b) for a, relation, b in zip(names[::2], names[1::2], names[2::2])]
        arranged = arrange(tuple(make_block("object", name) for name in names[::2]), tuple(links))
        xs = [arranged.points[name].x for name in names]
        assert xs == sorted(set(xs)) and [*arranged.points] == [*dict.fromkeys([*names[::2], *names[1::2]])]
    objects, links = (make_block("object", name) for name in ("girl", "court", "net", "fence")), []
    # The last link leads back to the third object.
    for a, b in itertools.pairwise(("girl", "court", "net", "fence", "net")):
        links.append(Link(a, make_block("relation", f"{a}-{b}"), b))
    folded_layout = arrange(tuple(objects), tuple(links), max_width=260)
    columns = {name: folded_layout.points[name].x for name in folded_layout.points if not name.startswith("fence-")}
    assert columns["girl"] == columns["net"] < columns["girl-court"] == columns["net-fence"] < columns["court"] == columns["fence"]
    arranged = arrange((make_block("object", "girl", "young", "tall"),), ())
    assert {*arranged.points} == {"girl", "young", "tall"}
    extra_box = node_box("object", ["girl"]).translate(arranged.points["girl"])
    for name in ("young", "tall"):
        pill = node_box("attribute", [name]).translate(arranged.points[name])
        assert not boxes_overlap(pill, extra_box)
        assert pill.top >= arranged.bounds.top and pill.bottom <= arranged.bounds.bottom


LARGE_GRAPH = [["dog", "on", "sofa"], ["dog", "brown"], ["cat", "under", "table"], ["table", "wooden"], ["lamp"], ["window", "open"]]
OTHER_GRAPH = [["man", "ride", "horse"], ["horse", "white"], ["hill", "green"], ["sky", "blue"], ["dog"]]


def test_similar_graphs_share_a_layout_and_others_are_packed_separately():
    candidate, references, places = layout_side_by_side(
        *result_networks(SPICE_WITHOUT_SYNONYMS.compute(LARGE_GRAPH, [[*LARGE_GRAPH, ["sky"]]]))
    )
    shared_places = {place for _, place in candidate.nodes(data="place")} & {place for _, place in references.nodes(data="place")}
    assert len(shared_places) == len(candidate) and set(places.points) >= shared_places
    candidate, references, places = layout_side_by_side(*result_networks(SPICE_WITHOUT_SYNONYMS.compute(LARGE_GRAPH, [OTHER_GRAPH])))
    assert {place for _, place in candidate.nodes(data="place")} == set(candidate)
    for graph in (candidate, references):
        assert min(places.points[name].y for name in graph) < 60
    assert [state for _, state in candidate.nodes(data="state")].count("exact") == 1
    for graph_sides in (([], [[]]), ([], [OTHER_GRAPH]), (LARGE_GRAPH, [[]])):
        candidate, references, places = layout_side_by_side(*result_networks(SPICE_WITHOUT_SYNONYMS.compute(*graph_sides)))
        assert set(places.points) == set(candidate) | set(references)


def test_matches_are_shown_first_and_an_edit_moves_only_changed_nodes():
    rows = [["girl", "young"], ["girl", "on", "court"], ["net"], ["sky", "blue"], ["dog", "behind", "fence"]]
    graph = union_network(*result_networks(SPICE_WITHOUT_SYNONYMS.compute(rows, [[["dog", "behind", "fence"], ["tree", "tall"]]])))
    shown_nodes = [set(limit_nodes(graph, limit)) for limit in range(len(graph) + 1)]
    words = [{"/".join(graph.nodes[name]["words"]) for name in part} for part in shown_nodes]
    assert words[3] == {"dog", "behind", "fence"} and words[0] == set() and shown_nodes[-1] == set(graph)
    assert all(len(part) <= limit for limit, part in enumerate(shown_nodes))
    assert all([*limit_nodes(graph, limit)] == [name for name in graph if name in shown_nodes[limit]] for limit in range(len(graph)))
    for part in shown_nodes:
        for name in part:
            kind, hosts = graph.nodes[name]["kind"], set()
            if kind != "object":
                hosts = {*graph.pred[name], *(graph.succ[name] if kind == "relation" else ())}
            assert {host for host in hosts if graph.nodes[host]["kind"] == "object"} <= part
    assert any(state in UNMATCHED_STATES for _, state in graph.nodes(data="state"))
    rest_tuples = [["girl", "on", "court"], ["dog", "brown"], ["dog", "behind", "net"]]
    layout_graphs(*result_networks(SPICE_WITHOUT_SYNONYMS.compute([["car", "red"], *rest_tuples], [[["sky"]]])))
    cache_before = arrange.cache_info()
    layout_graphs(*result_networks(SPICE_WITHOUT_SYNONYMS.compute([["car", "blue"], *rest_tuples], [[["sky"]]])))
    cache_after = arrange.cache_info()
    assert (cache_after.misses - cache_before.misses, cache_after.hits - cache_before.hits) == (1, 3)


LABEL_BOX = (-10.0, -5.0, 10.0, 5.0)


def test_lines_under_boxes_are_counted_and_rerouted():
    for start, end, hit in [
        ((-50, 0), (50, 0), True), ((-50, 4), (50, 4), True), ((-50, 6), (50, 6), False), ((0, -50), (0, 50), True), ((11, -50), (11, 50), False),
        ((-50, -50), (50, 50), True), ((-50, 0), (-11, 0), False), ((-50, 0), (-9, 0), True), ((0, 0), (1, 1), True), ((-30, 0), (0, 30), False),
    ]:  # fmt: skip
        for a, b in ((start, end), (end, start)):
            assert bool(lines_through_boxes(np.array([a], float), np.array([b], float), np.array([LABEL_BOX]))[0, 0]) is hit
    labels = [(name, LABEL_BOX) for name in "abcd"]
    points = {"a": (0, 0), "b": (100, 100), "c": (0, 100), "d": (100, 0)}
    assert CrossingCounter([("a", "b"), ("c", "d")], labels).cost(points) == (1, 200.0)
    assert CrossingCounter([("a", "b"), ("a", "d")], labels).cost(points)[0] == 0
    assert CrossingCounter([("a", "b")], [*labels, ("a", (20, 10, 40, 40))]).covered_blocks(points) == {"a"}

    class Block:
        def __init__(self, left, right):
            self.left, self.right = left, right

    labels = [("a", True, (-10, -5, 10, 5)), ("a", False, (-30, 10, 30, 30)), ("b", True, (90, 95, 110, 105))]
    blocks = {"a": Block(-30, 30), "b": Block(90, 110)}
    assert find_routes({("a", "b"): [(0, 0), (100, 200)]}, blocks, labels) == {("a", "b"): ((34, 0),)}
    assert find_routes({("a", "b"): [(0, 0), (100, 5)]}, blocks, labels) == {}
    for line in find_routes({("a", "b"): [(0, 0), (100, 200)]}, blocks, labels).values():
        for start, end in itertools.pairwise([(0, 0), *line, (100, 200)]):
            assert not lines_through_boxes(np.array([start], float), np.array([end], float), np.array([labels[1][2]], float)).any()


def test_a_line_without_a_right_angled_route_avoids_the_labels():
    blocks = {"a": Box(-10, -5, 10, 5), "b": Box(190, -5, 210, 5)}
    other_boxes = [(60, -80, 80, 40), (120, -40, 140, 80), (-40, 20, 200, 24), (-40, -24, 50, -20)]
    labels = [*((name, True, box) for name, box in blocks.items()), *(("c", False, box) for box in other_boxes)]
    (line,) = find_routes({("a", "b"): [(0, 0), (200, 0)]}, blocks, labels).values()
    for start, end in itertools.pairwise([(0, 0), *line, (200, 0)]):
        assert not lines_through_boxes(np.array([start], float), np.array([end], float), np.array(other_boxes, float)).any()


@settings(max_examples=40)
@given(st.lists(st.tuples(st.integers(-60, 60), st.integers(-60, 60)), min_size=2, max_size=2, unique=True))
def test_a_line_is_under_a_box_if_one_of_its_points_is(end_points):
    start, end = (np.array(point, float) for point in end_points)
    steps = start + np.linspace(0, 1, 4001)[:, None] * (end - start)
    is_inside = ((steps[:, 0] > -10) & (steps[:, 0] < 10) & (steps[:, 1] > -5) & (steps[:, 1] < 5)).any()
    crosses_box = bool(lines_through_boxes(start[None], end[None], np.array([LABEL_BOX]))[0, 0])
    # A line may cross a corner of the box between two of the sampled points.
    assert crosses_box or not is_inside
