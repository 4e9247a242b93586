"""The networks: states, shared places, the outline in words."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spice_core import Spice
from spice_core.draw.layout import layout
from spice_core.draw.layout import union as places_union
from spice_core.draw.network import difference, nearby, networks, outline, union
from spice_core.explain.evidence import rows
from tests.draw.test_layout import PLAIN, PROPOSITIONS

CAPTIONS = {"candidate": st.lists(PROPOSITIONS, max_size=10), "reference": st.lists(PROPOSITIONS, min_size=1, max_size=14)}


def states(graph) -> dict[str, str]:
    return {"/".join(facts["words"]): facts["state"] for _, facts in graph.nodes(data=True)}


def test_states_follow_the_matches(result):
    candidate, references = networks(result)
    assert states(candidate) == {
        "girl": "exact", "young": "exact", "hold": "synonym", "racquet": "synonym", "on": "exact", "court": "exact", "hat": "extra",
    }  # fmt: skip
    assert states(references) | {"hold": "", "on": ""} == {
        "girl": "exact", "young": "exact", "racket": "synonym", "court": "exact", "blue": "missing", "two": "missing",
        "woman": "missing", "net": "missing", "near": "missing", "hold": "", "on": "",
    }  # fmt: skip


def test_matched_nodes_share_a_place_and_others_do_not(result):
    candidate, references = networks(result)
    places = {facts["words"][0]: facts["place"] for _, facts in candidate.nodes(data=True)}
    theirs = {facts["place"] for _, facts in references.nodes(data=True)}
    assert {word for word, place in places.items() if place in theirs} == {"girl", "young", "hold", "racquet", "on", "court"}
    for graph in (candidate, references):
        assert len({facts["place"] for _, facts in graph.nodes(data=True)}) == len(graph)


def test_relation_stands_between_subject_and_object(result):
    candidate, _ = networks(result)
    (relation,) = [n for n, facts in candidate.nodes(data=True) if facts["words"] == ["on"]]
    assert [candidate.nodes[n]["words"][0] for n in (*candidate.pred[relation], *candidate.succ[relation])] == ["girl", "court"]
    assert [candidate.edges[e]["arrow"] for e in (*candidate.in_edges(relation), *candidate.out_edges(relation))] == [False, True]


def test_nodes_know_the_captions_that_mention_them(result):
    _, references = networks(result)
    mentioned = {facts["words"][0]: (facts["captions"], facts["of"]) for _, facts in references.nodes(data=True)}
    assert mentioned["girl"] == ([0, 1], 2) and mentioned["woman"] == ([1], 2)


def test_outline_says_it_in_words(result):
    assert outline(result.candidate_graph) == ["girl: young", "racquet", "court", "hat", "girl – hold – racquet", "girl – on – court"]


def test_two_candidate_nodes_never_take_one_place():
    result = Spice(synonyms="none").compute([["man"], ["dog"]], [[["man"], ["dog"], ["man", "with", "dog"]]])
    candidate, _ = networks(result)
    assert len({place for _, place in candidate.nodes(data="place")}) == 2


def test_the_union_says_both_words(result):
    whole = union(*networks(result))
    labels = {facts["words"][0]: facts for _, facts in whole.nodes(data=True)}
    racket = labels["racquet/racket"]
    assert racket["state"] == "synonym" and racket["literal"] == ["racquet", "racket"] and racket["ids"][0].startswith("c:")
    assert labels["girl"]["of"] == 2 and labels["hat"]["ids"] == (next(n for n in whole if whole.nodes[n]["words"] == ["hat"]),)


def test_the_difference_keeps_what_unmatched_parts_hang_on(result):
    left = difference(*networks(result))
    told = {facts["words"][0]: facts["context"] for _, facts in left.nodes(data=True)}
    assert told == {
        "hat": False, "woman": False, "net": False, "near": False, "blue": False, "two": False, "hold": False, "on": False,
        "girl": True, "court": True, "racquet/racket": True,
    }  # fmt: skip


def test_nodes_know_the_row_of_their_tuple(result, synonyms):
    known = {row.parts for row in rows(result, synonyms)} | {row.partner for row in rows(result, synonyms)}
    for graph in networks(result):
        assert {facts["tuple"] for _, facts in graph.nodes(data=True)} <= known | {()}
    assert {facts["tuple"] for _, facts in networks(result)[0].nodes(data=True)} >= {("girl", "young"), ("girl", "on", "court")}


@settings(max_examples=60)
@given(**CAPTIONS)
def test_every_element_is_in_the_union_once(candidate, reference):
    result = PLAIN.compute(candidate, [reference])
    graphs = networks(result)
    whole, left = union(*graphs), difference(*graphs)
    ids = [name for _, facts in whole.nodes(data=True) for name in facts["ids"]]
    assert sorted(ids) == sorted([*graphs[0], *graphs[1]])
    node = {name: place for place, facts in whole.nodes(data=True) for name in facts["ids"]}
    for match in result.matches:
        mine, theirs = f"c:{match.candidate.element.id}", f"r:{match.reference.element.id}"
        assert (node[mine] == node[theirs]) == (graphs[0].nodes[mine]["place"] == graphs[1].nodes[theirs]["place"])
    unmatched = {f"{side}:{t.element.id}" for side, tuples in (("c", result.extra), ("r", result.missed)) for t in tuples}
    apart = [name for _, facts in left.nodes(data=True) if not facts["context"] for name in facts["ids"]]
    assert sorted(apart) == sorted(unmatched)
    drawn = places_union(*graphs)
    assert set(whole) == set(drawn) == set(layout(*graphs).points) and set(whole.edges) == set(drawn.edges)
    for graph in (whole, left):
        for name, facts in graph.nodes(data=True):
            ends = set(nx.all_neighbors(graph, name))
            assert facts["kind"] != "attribute" or len(ends) == 1
            assert facts["kind"] != "relation" or (graph.in_degree(name), graph.out_degree(name)) == (1, 1)


@settings(max_examples=40)
@given(**CAPTIONS, limit=st.integers(1, 12))
def test_nearby_keeps_the_matched_and_can_be_laid_out(candidate, reference, limit):
    graphs = networks(PLAIN.compute(candidate, [reference]))
    cut = [nearby(graph, limit=limit) for graph in (*graphs, union(*graphs))]
    for graph, (near, hidden) in zip((*graphs, union(*graphs)), cut):
        assert len(near) + hidden == len(graph) and (hidden == 0 or len(graph) > limit)
        assert {n for n, s in graph.nodes(data="state") if s == "exact"} <= set(near)
        assert bool(near) == bool(graph)
    layout(cut[0][0], cut[1][0])


@pytest.mark.parametrize(("reference", "left", "hidden"), [("dog", {"dog"}, 99), ("none", {f"w{i}" for i in range(80)}, 20)])
def test_nearby_of_a_large_graph(reference, left, hidden):
    words = ["dog", *(f"w{i:02}" for i in range(99))] if reference == "dog" else [f"w{i}" for i in range(100)]
    graph, _ = networks(PLAIN.compute([[word] for word in words], [[[reference]]]))
    near, away = nearby(graph)
    assert {facts["words"][0] for _, facts in near.nodes(data=True)} == left and away == hidden


ACTIONS = Spice(rules="caption", synonyms="none")


#  A girl stands on a court: the verb of the relation is also an attribute of the girl.
STANDS, SITS = "A girl stands on a court.", "A girl stands on a bench and sits on a court."


def implied(graph: nx.DiGraph) -> dict[str, list[str]]:
    """The words of each implied attribute, with the words of the nodes that it is joined to."""
    nodes = graph.nodes
    return {
        nodes[name]["words"][0]: [nodes[host]["words"][0] for host in graph.pred[name]] for name, found in nodes(data="implied") if found
    }


@pytest.mark.parser
def test_an_action_attribute_is_a_node_of_its_own_tied_to_its_relation():
    result = ACTIONS.compute(STANDS, [STANDS])
    for graph, tuples, side in zip(networks(result), (result.candidate_tuples, result.reference_tuples), "cr"):
        assert implied(graph) == {"stand": ["girl", "stand on"]}
        assert {f"{side}:{t.element.id}" for t in tuples} == {n for n, state in graph.nodes(data="state") if state}
        assert [graph.nodes[a]["kind"] for a, _, tie in graph.edges(data="tie") if tie] == ["relation"]
    assert implied(union(*networks(result))) == {"stand": ["girl", "stand on"]}


@pytest.mark.parser
def test_an_action_attribute_stands_beside_a_relation_in_its_state_and_keeps_it_in_the_difference():
    candidate, references = networks(ACTIONS.compute(STANDS, [SITS]))
    assert implied(candidate) == {"stand": ["girl", "stand on"]} and implied(references) == {
        "stand": ["girl", "stand on"],
        "sit": ["girl", "sit on"],
    }
    apart = difference(candidate, references)
    assert implied(apart) == {"sit": ["girl", "sit on"]} and {"court", "bench"} <= {
        facts["words"][0] for _, facts in apart.nodes(data=True)
    }
