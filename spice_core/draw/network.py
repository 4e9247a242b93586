"""A result as networkx graphs: candidate, references, union and difference, with match states and shared places."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import networkx as nx

from spice_core.draw.labels import NodeAttributes, merge_words
from spice_core.errors import Message, UnknownNameError
from spice_core.explain.evidence import IMPLICIT_SUBJECT, display_words, tuple_parts
from spice_core.lang import language
from spice_core.metrics.result import SpiceResult
from spice_core.scene.graph import Element, SceneGraph, SceneTuple
from spice_core.scene.matching import Match, MatchState
from spice_core.scene.propositions import PLACEHOLDER, Parse, Proposition

NETWORK_VIEWS = ("candidate", "references", "union", "difference")
UNMATCHED_STATES = tuple(state for state in MatchState if not state.matched)
PLAIN_STATE = "plain"  # state of a tuple without a visible match state


def result_networks(result: SpiceResult, *, implicit_subject: str = IMPLICIT_SUBJECT) -> tuple[nx.DiGraph, nx.DiGraph]:
    """Return the network of the candidate and the network of the merged references.

    An attribute has an edge from its object. A relation is a node between its subject and its object. If the only
    caption of a side distinguishes members of a group ("one … the other"), each member with an attribute or a relation has
    a separate node. An implied attribute has a second edge, from the relation that implies it, with ``tie`` set.

    Nodes have these attributes:
        kind: object, attribute or relation.
        state: A MatchState; empty if an object is only part of other tuples.
        words: The words to display, with ``implicit_subject`` for a missing subject.
        literal: The words as scored.
        tuple: The parts of the tuple of this node, as in the rows of the evidence; empty if the node has none.
        captions: Positions of the captions that mention the node.
        of: Number of captions on the side of the node.
        ids: Ids of the elements of the node, such as "c:o3".
        implied: Whether the node is an implied attribute.
        negated: Whether the captions state that the tuple of this node does not hold.
        place: A name that matched nodes share in both networks.
    """
    references = _make_network(result, result.reference_graph, result.reference_tuples, "r", result.references, implicit_subject)
    candidate = _make_network(result, result.candidate_graph, result.candidate_tuples, "c", [result.candidate], implicit_subject)
    _share_places(result.matches, candidate, references)
    return candidate, references


def view_network(result: SpiceResult, view: str) -> nx.DiGraph:
    """Return the network of a view: candidate, references, union or difference. Raises UnknownNameError for other names."""
    return network_of_view(*result_networks(result), view)


def network_of_view(candidate: nx.DiGraph, references: nx.DiGraph, view: str) -> nx.DiGraph:
    """Return one of two networks, their union or their difference. Raises UnknownNameError for other names."""
    if view not in NETWORK_VIEWS:
        raise UnknownNameError(Message("kind.view"), view, NETWORK_VIEWS)
    if view in ("union", "difference"):
        return (union_network if view == "union" else difference_network)(candidate, references)
    return candidate if view == "candidate" else references


def union_network(candidate: nx.DiGraph, references: nx.DiGraph) -> nx.DiGraph:
    """Return the union of both networks. Nodes at the same place merge, with the words and ``ids`` of both.

    Nodes are named by place and have the attributes that ``result_networks`` describes. A merged node has
    the ``captions`` and ``of`` of the references. Its state is that of the candidate or, if that is empty, of the references.
    """
    union = nx.DiGraph(side="union")
    for graph in (candidate, references):
        for _, node_data in graph.nodes(data=True):
            place = node_data["place"]
            union.add_node(place, **(_merge_nodes(union.nodes[place], node_data) if place in union else node_data))
        for a, b, node_data in graph.edges(data=True):
            union.add_edge(graph.nodes[a]["place"], graph.nodes[b]["place"], **node_data)
    return union


def difference_network(candidate: nx.DiGraph, references: nx.DiGraph) -> nx.DiGraph:
    """Return the unmatched nodes of the union, and their hosts, marked as ``context``."""
    union = union_network(candidate, references)
    unmatched_nodes = {name for name, state in union.nodes(data="state") if state in UNMATCHED_STATES}
    subgraph = _subgraph(union, _with_hosts(union, unmatched_nodes))
    nx.set_node_attributes(subgraph, {name: name not in unmatched_nodes for name in subgraph}, "context")
    subgraph.graph["side"] = "difference"
    return subgraph


def remove_states(graph: nx.DiGraph) -> nx.DiGraph:
    """Return the graph without match states: tuples in the colour of their kind, thin borders, no marks."""
    stateless = graph.copy()
    nx.set_node_attributes(stateless, {name: PLAIN_STATE if state else "" for name, state in graph.nodes(data="state")}, "state")
    return stateless


def limit_nodes(graph: nx.DiGraph, limit: int, *, required_nodes: Collection[str] = ()) -> nx.DiGraph:
    """Return the most important part of a graph, limited to ``limit`` nodes.

    The elements in ``required_nodes`` come first, then matched nodes, their neighbours, and all other nodes. Within each
    group, relations come before attributes and attributes before objects. A node is included only together with its
    objects, and an implied attribute only together with its relation.
    """
    kind_rank, required_ids = ("relation", "attribute", "object").index, set(required_nodes)
    matched_nodes = {name for name, state in graph.nodes(data="state") if state and state not in (*UNMATCHED_STATES, PLAIN_STATE)}
    neighbours = matched_nodes.union(*(nx.all_neighbors(graph, name) for name in matched_nodes))
    names: set[str] = set()
    for name in sorted(
        graph,
        key=lambda n: (
            required_ids.isdisjoint(graph.nodes[n]["ids"]),
            n not in matched_nodes,
            n not in neighbours,
            kind_rank(graph.nodes[n]["kind"]),
        ),
    ):
        larger = _with_hosts(graph, names | {name})
        names = larger if len(larger) <= limit else names
    return _subgraph(graph, names)


def text_outline(graph: SceneGraph, *, implicit_subject: str = IMPLICIT_SUBJECT) -> list[str]:
    """Return the graph as text, one line per object, then one per relation: "girl: young", "girl – hold – racket"."""

    def element_name(element: Element) -> str:
        return "¬" * element.negated + "/".join(display_words(element.words, implicit_subject))

    lines = []
    for thing in graph.objects:
        attributes = ", ".join(element_name(a) for a in graph.attributes.get(thing, ()))
        if attributes or PLACEHOLDER not in thing.words:
            lines.append(f"{element_name(thing)}: {attributes}" if attributes else element_name(thing))
    for (subject, object_), group in graph.relations.items():
        lines += [f"{element_name(subject)} – {element_name(relation)} – {element_name(object_)}" for relation in group]
    return lines


def _make_network(
    result: SpiceResult, graph: SceneGraph, tuples: tuple[SceneTuple, ...], side: str, parses: Sequence[Parse], implicit_subject: str
) -> nx.DiGraph:
    network, of = nx.DiGraph(side=side), len(parses)
    members = member_name_by_part(tuples, parses[0], result.signature.lang) if of == 1 else {}
    states = {t.id: result.state(t) for t in tuples}
    texts_by_id = {t.id: tuple_parts(t) for t in tuples}
    implied_relations = _relation_by_implied_attribute(tuples, states)

    def add_node(element: Element, kind: str) -> str:
        node_data = {"kind": kind, "state": states.get(element.id, ""), "captions": element.captions, "of": of}
        node_data |= {"words": display_words(element.words, implicit_subject), "literal": element.words}
        node_data |= {"ids": (element.id,), "tuple": texts_by_id.get(element.id, ()), "implied": element.id in implied_relations}
        node_data["negated"] = element.negated
        network.add_node(element.id, place=element.id, **node_data)
        return element.id

    def host_node(element: Element, described_element: Element, part_index: int) -> str:
        """Return the node of an object, or of the group member that an attribute or relation applies to."""
        name = element.id
        if member := members.get((described_element.id, part_index)):
            node_data, name = network.nodes[name], f"{name}#{member}"
            network.add_node(
                name, **{**node_data, "place": name, "words": [f"{node_data['words'][0]} ({member})", *node_data["words"][1:]]}
            )
        return name

    for thing in graph.objects:
        add_node(thing, "object")
    for thing, group in graph.attributes.items():
        for attribute in group:
            network.add_edge(host_node(thing, attribute, 0), add_node(attribute, "attribute"), arrow=False, tie=False)
    for (subject, object_), group in graph.relations.items():
        for relation in group:
            name = add_node(relation, "relation")
            network.add_edge(host_node(subject, relation, 0), name, arrow=False, tie=False)
            network.add_edge(name, host_node(object_, relation, 2), arrow=True, tie=False)
    network.add_edges_from((relation, a, {"arrow": False, "tie": True}) for a, relation in implied_relations.items())
    return network


def _relation_by_implied_attribute(tuples: Sequence[SceneTuple], states: Mapping[str, MatchState]) -> dict[str, str]:
    """Return the relation that implies each attribute, by element id: preferably one with the same state, or else the first."""
    relation = {id(m.proposition): t.id for t in tuples if t.kind == "relation" for m in t.mentions}
    relation_by_attribute = {}
    for t in tuples:
        if t.is_implied:
            relations = [relation[id(m.proposition)] for m in t.mentions]
            relation_by_attribute[t.id] = next((r for r in relations if states[r] == states[t.id]), relations[0])
    return relation_by_attribute


def _merge_nodes(candidate_node: NodeAttributes, reference_node: NodeAttributes) -> NodeAttributes:
    """Return the merged attributes of a candidate node and the reference node at its place."""
    merged_data = {
        **reference_node,
        "state": candidate_node["state"] or reference_node["state"],
        "tuple": candidate_node["tuple"] or reference_node["tuple"],
    }
    merged_data["implied"] = candidate_node["implied"] and reference_node["implied"]
    literal_words = list(dict.fromkeys([*candidate_node["literal"], *reference_node["literal"]]))
    return merged_data | {
        "words": merge_words(candidate_node["words"], reference_node["words"]),
        "literal": literal_words,
        "ids": (*candidate_node["ids"], *reference_node["ids"]),
    }


def _subgraph(graph: nx.DiGraph, names: set[str]) -> nx.DiGraph:
    """Return a copy of the graph with only these nodes, in order. The order of a networkx subgraph varies between runs."""
    subgraph = nx.DiGraph(**graph.graph)
    subgraph.add_nodes_from((name, node_data) for name, node_data in graph.nodes(data=True) if name in names)
    subgraph.add_edges_from((a, b, data) for a, b, data in graph.edges(data=True) if a in names and b in names)
    return subgraph


def _with_hosts(graph: nx.DiGraph, names: set[str]) -> set[str]:
    """Return the nodes, the objects of attributes and relations, and the relations of implied attributes."""
    kinds = dict(graph.nodes(data="kind"))
    hosts = names | {host for name in names if kinds[name] == "attribute" for host in graph.pred[name]}
    ends = {end for name in hosts if kinds[name] == "relation" for end in nx.all_neighbors(graph, name) if kinds[end] == "object"}
    return hosts | ends


def _share_places(matches: tuple[Match, ...], candidate: nx.DiGraph, references: nx.DiGraph) -> None:
    """Assign each matched candidate node the place of its counterpart if their objects share places too."""
    used_places: set[str] = set()
    for match in sorted(matches, key=lambda m: (m.candidate.is_implied, len(m.candidate.elements))):
        candidate_node, reference_node = match.candidate.id, match.reference.id
        hosts = list(_host_pairs(match))
        for a, b in hosts:  # objects without a match state share a place if their attributes or relations match
            if not (candidate.nodes[a]["state"] or references.nodes[b]["state"] or b in used_places):
                candidate.nodes[a]["place"] = b
                used_places.add(b)
        is_same_kind = match.candidate.kind == match.reference.kind  # with partial credit, an attribute may match a relation
        is_same_kind = is_same_kind and all(
            _has_edge(candidate, c, candidate_node) and _has_edge(references, r, reference_node) for c, r in hosts
        )
        is_same_kind = is_same_kind and _relation_place(candidate, candidate_node) == _relation_place(references, reference_node)
        if is_same_kind and reference_node not in used_places and all(candidate.nodes[c]["place"] == r for c, r in hosts):
            candidate.nodes[candidate_node]["place"] = reference_node
            used_places.add(reference_node)


def _has_edge(graph: nx.DiGraph, host: str, name: str) -> bool:
    """Return whether an edge joins a node and an object. Attributes of group members have no edge to the group."""
    return bool(graph.has_edge(host, name) or graph.has_edge(name, host))


def _relation_place(graph: nx.DiGraph, name: str) -> str:
    """Return the place of the node's relation, or ""."""
    return next((graph.nodes[host]["place"] for host, _, tie in graph.in_edges(name, data="tie") if tie), "")


def _host_pairs(match: Match) -> Iterator[tuple[str, str]]:
    for candidate_node, reference_node in zip(match.candidate.elements, match.reference.elements):
        if candidate_node is not match.candidate.element:
            yield candidate_node.id, reference_node.id


def member_name_by_part(tuples: Iterable[SceneTuple], parse: Parse, lang: str) -> Mapping[tuple[str, int], str]:
    """Return the names of group members by attribute or relation id and by index of the member's part.

    Only groups with at least two distinguished members are included.
    """
    names_by_element: dict[str, dict[tuple[str, int], str]] = {}
    for tuple_ in tuples if parse.document else ():
        for part in range(0, len(tuple_.elements), 2) if len(tuple_.elements) > 1 else ():
            names = {_find_member_name(mention.proposition, part, parse, lang) for mention in tuple_.mentions}
            if len(names) == 1 and (name := names.pop()):
                names_by_element.setdefault(tuple_.elements[part].id, {})[tuple_.id, part] = name
    return {key: name for members in names_by_element.values() if len(set(members.values())) > 1 for key, name in members.items()}


def _find_member_name(proposition: Proposition, part_index: int, parse: Parse, lang: str) -> str:
    tokens = proposition.tokens
    if parse.document is None or part_index >= len(tokens):
        return ""
    predicate = tokens[1] if part_index == 0 and len(tokens) > 1 else ()
    return language(lang).member_word(parse.document.sentences[parse.tree(proposition)], tokens[part_index], predicate)
