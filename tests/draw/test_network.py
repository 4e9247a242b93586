"""The networks: states, shared places, the outline in words."""

from __future__ import annotations

from spice_core import Spice
from spice_core.draw.network import networks, outline


def states(graph) -> dict[str, str]:
    return {"/".join(facts["words"]): facts["state"] for _, facts in graph.nodes(data=True)}


def test_states_follow_the_matches(result):
    candidate, references = networks(result)
    assert states(candidate) == {
        "girl": "same", "young": "same", "hold": "synonym", "racquet": "synonym", "on": "same", "court": "same", "hat": "extra",
    }  # fmt: skip
    assert states(references) | {"hold": "", "on": ""} == {
        "girl": "same", "young": "same", "racket": "synonym", "court": "same", "blue": "missing", "two": "missing",
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
