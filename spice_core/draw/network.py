"""A result as networkx graphs, whose nodes have kind, match state and shared place: two graphs, their union, or the difference."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

import networkx as nx

from spice_core.draw.labels import Attributes, joined
from spice_core.errors import Message, UnknownNameError
from spice_core.explain.evidence import IMPLICIT_SUBJECT, parts, shown
from spice_core.explain.individuals import individuals
from spice_core.metrics.result import SpiceResult
from spice_core.scene.graph import Element, SceneGraph, SceneTuple
from spice_core.scene.matching import Match, MatchState
from spice_core.scene.propositions import PLACEHOLDER, Parse

VIEWS = ("candidate", "references", "union", "difference")
UNMATCHED = (MatchState.CONTRADICTED, MatchState.EXTRA, MatchState.MISSING)
PLAIN_STATE = "plain"  # of a tuple whose match state is not shown


def networks(result: SpiceResult, *, implicit_subject: str = IMPLICIT_SUBJECT) -> tuple[nx.DiGraph, nx.DiGraph]:
    """The candidate's graph and the merged references' graph.

    Nodes carry ``kind`` (object, attribute, relation), ``state`` (a MatchState; empty for an object
    that is only part of other tuples), ``words`` (``implicit_subject`` for the placeholder of a subject) and ``literal`` (as
    scored), ``tuple`` (the parts of the tuple it stands for, as in the rows of the evidence; empty for none), ``captions``
    (positions of those that mention it), ``of`` (number of captions on its side), ``ids`` (the elements it stands for, such
    as "c:o3") and ``place``: the same in both graphs where the nodes are matched to each other. An attribute is joined to its
    object; a relation is a node between its subject and its object. Where a caption tells members of a group apart ("one … the
    other"), what it says of a member is joined to a node for it, which has the object's other attributes. An implied attribute has a second edge, its ``tie``, from
    the relation below which it is drawn.
    """
    references = _network(result, result.reference_graph, result.reference_tuples, "r", result.references, implicit_subject)
    candidate = _network(result, result.candidate_graph, result.candidate_tuples, "c", [result.candidate], implicit_subject)
    _share_places(result.matches, candidate, references)
    return candidate, references


def viewed(result: SpiceResult, view: str) -> nx.DiGraph:
    """The network of a view: candidate, references, union or difference. Raises UnknownNameError for another one."""
    if view not in VIEWS:
        raise UnknownNameError(Message("kind.view"), view, VIEWS)
    candidate, references = networks(result)
    if view in ("union", "difference"):
        return (union if view == "union" else difference)(candidate, references)
    return candidate if view == "candidate" else references


def union(candidate: nx.DiGraph, references: nx.DiGraph) -> nx.DiGraph:
    """The union of both networks: matched nodes that share a place become one node, with the words and ``ids`` of both.

    Nodes are named by their place and have the attributes of ``networks``; a merged node has the candidate's state and the
    references' ``captions`` and ``of``.
    """
    whole = nx.DiGraph(side="union")
    for graph in (candidate, references):
        for _, node_data in graph.nodes(data=True):
            place = node_data["place"]
            whole.add_node(place, **(_one(whole.nodes[place], node_data) if place in whole else node_data))
        for a, b, node_data in graph.edges(data=True):
            whole.add_edge(graph.nodes[a]["place"], graph.nodes[b]["place"], **node_data)
    return whole


def difference(candidate: nx.DiGraph, references: nx.DiGraph) -> nx.DiGraph:
    """The union without what matched; objects of an unmatched attribute or relation stay, as ``context``."""
    whole = union(candidate, references)
    apart = {name for name, reached in whole.nodes(data="state") if reached in UNMATCHED}
    kept = _hung(whole, apart)
    left = _part(whole, kept)
    nx.set_node_attributes(left, {name: name not in apart for name in left}, "context")
    left.graph["side"] = "difference"
    return left


def unmarked(graph: nx.DiGraph) -> nx.DiGraph:
    """The graph without its match states: each tuple in the colour of its kind, with a thin solid border and no mark."""
    plain = graph.copy()
    nx.set_node_attributes(plain, {name: PLAIN_STATE if state else "" for name, state in graph.nodes(data="state")}, "state")
    return plain


def within(graph: nx.DiGraph, limit: int, *, wanted: Collection[str] = ()) -> nx.DiGraph:
    """The part of a graph with at most ``limit`` nodes: first the ``wanted`` elements, then what matched, then its neighbours, then the rest; of each
    first the relations, then the attributes, in the order of the graph.

    The objects of a node count with it.
    """
    first, sought = ("relation", "attribute", "object").index, set(wanted)
    matched = {name for name, reached in graph.nodes(data="state") if reached and reached not in (*UNMATCHED, PLAIN_STATE)}
    near = matched.union(*(nx.all_neighbors(graph, name) for name in matched))
    kept: set[str] = set()
    for name in sorted(
        graph, key=lambda n: (sought.isdisjoint(graph.nodes[n]["ids"]), n not in matched, n not in near, first(graph.nodes[n]["kind"]))
    ):
        more = _hung(graph, kept | {name})
        kept = more if len(more) <= limit else kept
    return _part(graph, kept)


def outline(graph: SceneGraph, *, implicit_subject: str = IMPLICIT_SUBJECT) -> list[str]:
    """The graph in words, one line per object, then one per relation: "girl: young", "girl – hold – racket"."""

    def name(element: Element) -> str:
        return "/".join(shown(element.words, implicit_subject))

    lines = []
    for thing in graph.objects:
        described = ", ".join(name(a) for a in graph.attributes.get(thing, ()))
        if described or PLACEHOLDER not in thing.words:
            lines.append(f"{name(thing)}: {described}" if described else name(thing))
    for (subject, object_), group in graph.relations.items():
        lines += [f"{name(subject)} – {name(relation)} – {name(object_)}" for relation in group]
    return lines


def _network(
    result: SpiceResult, graph: SceneGraph, tuples: tuple[SceneTuple, ...], side: str, parses: Sequence[Parse], implicit_subject: str
) -> nx.DiGraph:
    network, of = nx.DiGraph(side=side), len(parses)
    members = individuals(tuples, parses[0], result.signature.lang) if of == 1 else {}
    states = {t.element.id: result.state(t) for t in tuples}
    written = {t.element.id: parts(t) for t in tuples}
    implied = _implied_by(tuples, states)

    def add(element: Element, kind: str) -> str:
        name = f"{side}:{element.id}"
        node_data = {"kind": kind, "state": states.get(element.id, ""), "captions": element.captions, "of": of}
        node_data |= {"words": shown(element.words, implicit_subject), "literal": element.words}
        node_data |= {"ids": (name,), "tuple": written.get(element.id, ()), "implied": element.id in implied}
        network.add_node(name, place=name, **node_data)
        return name

    def host(thing: Element, of_element: Element, part: int) -> str:
        """The node of an object, or of the member of it that an attribute or relation is about."""
        name = f"{side}:{thing.id}"
        if member := members.get((of_element.id, part)):
            whole, name = network.nodes[name], f"{name}#{member}"
            network.add_node(name, **{**whole, "place": name, "words": [f"{whole['words'][0]} ({member})", *whole["words"][1:]]})
        return name

    for thing in graph.objects:
        add(thing, "object")
    for thing, group in graph.attributes.items():
        for attribute in group:
            network.add_edge(host(thing, attribute, 0), add(attribute, "attribute"), arrow=False, tie=False)
    for (subject, object_), group in graph.relations.items():
        for relation in group:
            name = add(relation, "relation")
            network.add_edge(host(subject, relation, 0), name, arrow=False, tie=False)
            network.add_edge(name, host(object_, relation, 2), arrow=True, tie=False)
    network.add_edges_from((f"{side}:{relation}", f"{side}:{a}", {"arrow": False, "tie": True}) for a, relation in implied.items())
    return network


def _implied_by(tuples: Sequence[SceneTuple], states: Mapping[str, MatchState]) -> dict[str, str]:
    """The relation of each attribute that only relations imply, by element id: the first one in its state, else the first."""
    relation = {id(m.proposition): t.element.id for t in tuples if t.kind == "relation" for m in t.mentions}
    found = {}
    for t in tuples:
        if t.implied:
            behind = [relation[id(m.proposition)] for m in t.mentions]
            found[t.element.id] = next((r for r in behind if states[r] == states[t.element.id]), behind[0])
    return found


def _one(candidate_node: Attributes, reference_node: Attributes) -> Attributes:
    """The attributes of a candidate node and the reference node at its place, merged."""
    one = {
        **reference_node,
        "state": candidate_node["state"] or reference_node["state"],
        "tuple": candidate_node["tuple"] or reference_node["tuple"],
    }
    one["implied"] = candidate_node["implied"] and reference_node["implied"]
    literal = list(dict.fromkeys([*candidate_node["literal"], *reference_node["literal"]]))
    return one | {
        "words": joined(candidate_node["words"], reference_node["words"]),
        "literal": literal,
        "ids": (*candidate_node["ids"], *reference_node["ids"]),
    }


def _part(graph: nx.DiGraph, names: set[str]) -> nx.DiGraph:
    """A copy of the graph with these nodes, in their order: that of a subgraph of networkx differs from one run to the next."""
    part = nx.DiGraph(**graph.graph)
    part.add_nodes_from((name, node_data) for name, node_data in graph.nodes(data=True) if name in names)
    part.add_edges_from((a, b, data) for a, b, data in graph.edges(data=True) if a in names and b in names)
    return part


def _hung(graph: nx.DiGraph, names: set[str]) -> set[str]:
    """The nodes with their objects, one of an attribute and two of a relation, and with the relations behind implied attributes."""
    kinds = dict(graph.nodes(data="kind"))
    hosts = names | {host for name in names if kinds[name] == "attribute" for host in graph.pred[name]}
    ends = {end for name in hosts if kinds[name] == "relation" for end in nx.all_neighbors(graph, name) if kinds[end] == "object"}
    return hosts | ends


def _share_places(matches: tuple[Match, ...], candidate: nx.DiGraph, references: nx.DiGraph) -> None:
    """Put each matched candidate node where its counterpart stands, if its objects stand there too."""
    taken: set[str] = set()
    for match in sorted(matches, key=lambda m: (m.candidate.implied, len(m.candidate.elements))):
        candidate_node, reference_node = f"c:{match.candidate.element.id}", f"r:{match.reference.element.id}"
        hosts = list(_hosts(match))
        for a, b in hosts:  # no tuples of their own, so only their attributes and relations say that they are the same
            if not (candidate.nodes[a]["state"] or references.nodes[b]["state"] or b in taken):
                candidate.nodes[a]["place"] = b
                taken.add(b)
        alike = match.candidate.kind == match.reference.kind  # with partial credit, an attribute may match a relation
        alike = alike and all(_joined(candidate, c, candidate_node) and _joined(references, r, reference_node) for c, r in hosts)
        alike = alike and _beside(candidate, candidate_node) == _beside(references, reference_node)
        if alike and reference_node not in taken and all(candidate.nodes[c]["place"] == r for c, r in hosts):
            candidate.nodes[candidate_node]["place"] = reference_node
            taken.add(reference_node)


def _joined(graph: nx.DiGraph, host: str, name: str) -> bool:
    """Whether a line joins a node and an object; what is said of a member of a group has none to the group."""
    return bool(graph.has_edge(host, name) or graph.has_edge(name, host))


def _beside(graph: nx.DiGraph, name: str) -> str:
    """The place of the relation to which a node is tied; empty if there is none."""
    return next((graph.nodes[host]["place"] for host, _, tie in graph.in_edges(name, data="tie") if tie), "")


def _hosts(match: Match) -> Iterator[tuple[str, str]]:
    for candidate_node, reference_node in zip(match.candidate.elements, match.reference.elements):
        if candidate_node is not match.candidate.element:
            yield f"c:{candidate_node.id}", f"r:{reference_node.id}"
