"""Test networks of graphs: states, shared positions, the outline in words, and separate nodes for distinguished members."""

import networkx as nx
from hypothesis import given, settings
from hypothesis import strategies as st

from spice_core import Spice
from spice_core.draw.layout import layout_graphs, layout_side_by_side
from spice_core.draw.layout import merge_places as places_union
from spice_core.draw.network import difference_network, result_networks, text_outline, union_network
from spice_core.explain.evidence import tuple_rows
from tests.draw.test_layout import PROPOSITIONS, SPICE_WITHOUT_SYNONYMS, metric

CAPTIONS = {"candidate": st.lists(PROPOSITIONS, max_size=10), "reference": st.lists(PROPOSITIONS, min_size=1, max_size=14)}


def states_by_label(graph) -> dict[str, str]:
    return {"/".join(facts["words"]): facts["state"] for _, facts in graph.nodes(data=True)}


def test_states_follow_the_matches_and_matched_nodes_share_a_place(result):
    candidate, references = result_networks(result)
    assert states_by_label(candidate) == {
        "girl": "exact", "young": "exact", "hold": "synonym", "racquet": "synonym", "on": "exact", "court": "exact", "hat": "extra",
    }  # fmt: skip
    assert states_by_label(references) | {"hold": "", "on": ""} == {
        "girl": "exact", "young": "exact", "racket": "synonym", "court": "exact", "blue": "missing", "two": "missing",
        "woman": "missing", "net": "missing", "near": "missing", "hold": "", "on": "",
    }  # fmt: skip
    places = {facts["words"][0]: facts["place"] for _, facts in candidate.nodes(data=True)}
    reference_places = {facts["place"] for _, facts in references.nodes(data=True)}
    assert {word for word, place in places.items() if place in reference_places} == {"girl", "young", "hold", "racquet", "on", "court"}
    for graph in (candidate, references):
        assert len({facts["place"] for _, facts in graph.nodes(data=True)}) == len(graph)
    (relation,) = [n for n, facts in candidate.nodes(data=True) if facts["words"] == ["on"]]
    assert [candidate.nodes[n]["words"][0] for n in (*candidate.pred[relation], *candidate.succ[relation])] == ["girl", "court"]
    assert [candidate.edges[e]["arrow"] for e in (*candidate.in_edges(relation), *candidate.out_edges(relation))] == [False, True]
    mentioned = {facts["words"][0]: (facts["captions"], facts["of"]) for _, facts in references.nodes(data=True)}
    assert mentioned["girl"] == ([0, 1], 2) and mentioned["woman"] == ([1], 2)
    assert text_outline(result.candidate_graph) == ["girl: young", "racquet", "court", "hat", "girl – hold – racquet", "girl – on – court"]
    separate_graph, _ = result_networks(SPICE_WITHOUT_SYNONYMS.compute([["man"], ["dog"]], [[["man"], ["dog"], ["man", "with", "dog"]]]))
    # Two candidate nodes never share a place.
    assert len({place for _, place in separate_graph.nodes(data="place")}) == 2


def test_the_union_shows_both_words_and_nodes_refer_to_their_row(result, synonyms):
    union_graph = union_network(*result_networks(result))
    labels = {facts["words"][0]: facts for _, facts in union_graph.nodes(data=True)}
    racket = labels["racquet/racket"]
    assert racket["state"] == "synonym" and racket["literal"] == ["racquet", "racket"] and racket["ids"][0].startswith("c:")
    assert labels["girl"]["of"] == 2 and labels["hat"]["ids"] == (next(n for n in union_graph if union_graph.nodes[n]["words"] == ["hat"]),)
    difference_graph = difference_network(*result_networks(result))
    contents = {facts["words"][0]: facts["context"] for _, facts in difference_graph.nodes(data=True)}
    assert contents == {
        "hat": False, "woman": False, "net": False, "near": False, "blue": False, "two": False, "hold": False, "on": False,
        "girl": True, "court": True, "racquet/racket": True,
    }  # fmt: skip
    known_rows = {row.parts for row in tuple_rows(result, synonyms)} | {row.partner for row in tuple_rows(result, synonyms)}
    for graph in result_networks(result):
        assert {facts["tuple"] for _, facts in graph.nodes(data=True)} <= known_rows | {()}
    assert {facts["tuple"] for _, facts in result_networks(result)[0].nodes(data=True)} >= {("girl", "young"), ("girl", "on", "court")}


@settings(max_examples=25)
@given(**CAPTIONS)
def test_every_element_is_in_the_union_once(candidate, reference):
    result = SPICE_WITHOUT_SYNONYMS.compute(candidate, [reference])
    graphs = result_networks(result)
    union_graph, difference_graph = union_network(*graphs), difference_network(*graphs)
    ids = [name for _, facts in union_graph.nodes(data=True) for name in facts["ids"]]
    assert sorted(ids) == sorted([*graphs[0], *graphs[1]])
    node = {name: place for place, facts in union_graph.nodes(data=True) for name in facts["ids"]}
    for match in result.matches:
        candidate_id, reference_id = match.candidate.id, match.reference.id
        assert (node[candidate_id] == node[reference_id]) == (
            graphs[0].nodes[candidate_id]["place"] == graphs[1].nodes[reference_id]["place"]
        )
    unmatched_ids = {t.id for t in (*result.extra, *result.missed)}
    separate_names = [name for _, facts in difference_graph.nodes(data=True) if not facts["context"] for name in facts["ids"]]
    assert sorted(separate_names) == sorted(unmatched_ids)
    placed_graph = places_union(*graphs)
    assert set(union_graph) == set(placed_graph) == set(layout_graphs(*graphs).points) and set(union_graph.edges) == set(placed_graph.edges)
    for graph in (union_graph, difference_graph):
        for name, facts in graph.nodes(data=True):
            neighbour_names = set(nx.all_neighbors(graph, name))
            assert facts["kind"] != "attribute" or len(neighbour_names) == 1
            assert facts["kind"] != "relation" or (graph.in_degree(name), graph.out_degree(name)) == (1, 1)


CAPTION_SPICE = Spice(rules="caption", synonyms="none")
# In these captions, the verb of a relation is also an attribute of the girl.
STANDING_CAPTION, SITTING_CAPTION = "A girl stands on a court.", "A girl stands on a bench and sits on a court."


def implied_attributes(graph: nx.DiGraph) -> dict[str, list[str]]:
    """Return the objects of each implied attribute, by the attribute's word."""
    words = {name: node_words[0] for name, node_words in graph.nodes(data="words")}
    return {words[name]: [words[host] for host in graph.pred[name]] for name, node_words in graph.nodes(data="implied") if node_words}


def test_an_action_attribute_is_a_separate_node_linked_to_its_relation():
    result = CAPTION_SPICE.compute(STANDING_CAPTION, [STANDING_CAPTION])
    for graph, tuples in zip(result_networks(result), (result.candidate_tuples, result.reference_tuples)):
        assert implied_attributes(graph) == {"stand": ["girl", "stand on"]}
        assert {t.id for t in tuples} == {n for n, state in graph.nodes(data="state") if state}
        assert [graph.nodes[a]["kind"] for a, _, tie in graph.edges(data="tie") if tie] == ["relation"]
    assert implied_attributes(union_network(*result_networks(result))) == {"stand": ["girl", "stand on"]}
    candidate, references = result_networks(CAPTION_SPICE.compute(STANDING_CAPTION, [SITTING_CAPTION]))
    standing, sits = {"stand": ["girl", "stand on"]}, {"sit": ["girl", "sit on"]}
    assert implied_attributes(candidate) == standing and implied_attributes(references) == standing | sits
    separate_graph = difference_network(candidate, references)
    assert implied_attributes(separate_graph) == sits
    assert {"court", "bench"} <= {facts["words"][0] for _, facts in separate_graph.nodes(data=True)}


def member_texts(graph) -> set[str]:
    """Return the edges of group members as text: "dog (one) – brown"."""
    words = {name: " / ".join(node_words) for name, node_words in graph.nodes(data="words")}
    return {f"{words[a]} – {words[b]}" for a, b in graph.edges if "#" in a or "#" in b}


def test_attributes_of_a_group_member_are_attached_to_it_in_every_view():
    for lang, text, members in [
        ("en", "Two dogs lie next to a stall. One of them is brown and the other is white.", {"dog (one) – brown", "dog (other) – white"}),
        ("en", "One man wears a hat and another is holding a ball.", {"man (one) – wear", "man (another) – hold"}),
        ("en", "Two men stand. One is tall.", set()),
        ("en", "A man holds a dog in one hand.", set()),
        ("en", "Two dogs lie next to a stall. They are brown.", set()),
        ("ja", "二匹の猫がソファの上で寝ています。一匹は黒く、もう一匹は茶色いです。", {"猫 (一匹) – 黒い", "猫 (もう一匹) – 茶色い"}),
        ("ja", "二人の男の子が遊んでいる。一人は青いシャツを着て、もう一人は白いシャツを着ています。", set()),  # both members wear a shirt
    ]:
        candidate_graph, reference_graph = result_networks(metric(lang).compute(text, [text, "x"]))
        assert member_texts(candidate_graph) >= members and (members or not member_texts(candidate_graph))
        assert not member_texts(reference_graph)
    text = "Two dogs lie next to a stall. One of them is brown and the other is white."
    both_graphs = result_networks(metric("en").compute(text, ["A brown dog lies on the ground."]))
    for graph in (*both_graphs, union_network(*both_graphs)):
        for name, node in graph.nodes(data=True):
            if "#" in name:
                assert node["ids"] == (name.partition("#")[0],) and node["tuple"] == ("dog",)
    candidate, references, places = layout_side_by_side(*both_graphs)
    assert {node["place"] for graph in (candidate, references) for _, node in graph.nodes(data=True)} <= set(places.points)
