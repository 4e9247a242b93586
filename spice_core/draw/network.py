"""A result as two networkx graphs whose nodes know their kind, their match state and the place they share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import networkx as nx

from spice_core.explain.changes import state
from spice_core.graph import Element, SceneGraph, SceneTuple
from spice_core.matching import Match
from spice_core.metric import SpiceResult
from spice_core.propositions import PLACEHOLDER

UNDERSTOOD = "(understood subject)"  # how the placeholder of a subject that the caption leaves out is shown


def networks(result: SpiceResult, *, understood: str = UNDERSTOOD) -> tuple[nx.DiGraph, nx.DiGraph]:
    """The candidate's graph and the merged references' graph.

    Nodes carry ``kind`` (object, attribute, relation), ``state`` (same, synonym, partial, extra, missing; empty for an object
    that is only part of other tuples), ``words`` (``understood`` for the placeholder of a subject) and ``literal`` (as
    scored), ``captions`` (positions of those that mention it), ``of`` (number of captions on its side) and ``place``:
    the same in both graphs where the nodes are matched to each other. An attribute hangs on its object; a relation is
    a node between its subject and its object.
    """
    references = _network(result, result.reference_graph, result.reference_tuples, "r", len(result.references), understood)
    candidate = _network(result, result.candidate_graph, result.candidate_tuples, "c", 1, understood)
    _share_places(result.matches, candidate, references)
    return candidate, references


def shown(words: Iterable[str], understood: str = UNDERSTOOD) -> list[str]:
    """The words as a reader sees them: the placeholder of a subject by what it stands for."""
    return [understood if word == PLACEHOLDER else word for word in words]


def outline(graph: SceneGraph, *, understood: str = UNDERSTOOD) -> list[str]:
    """The graph in words, a line for each object, then one for each relation: "girl: young", "girl – hold – racket"."""

    def name(element: Element) -> str:
        return "/".join(shown(element.words, understood))

    lines = []
    for thing in graph.objects:
        described = ", ".join(name(a) for a in graph.attributes.get(thing, ()))
        if described or PLACEHOLDER not in thing.words:
            lines.append(f"{name(thing)}: {described}" if described else name(thing))
    for (subject, object_), group in graph.relations.items():
        lines += [f"{name(subject)} – {name(relation)} – {name(object_)}" for relation in group]
    return lines


def _network(result: SpiceResult, graph: SceneGraph, tuples: tuple[SceneTuple, ...], side: str, of: int, understood: str) -> nx.DiGraph:
    network = nx.DiGraph(side=side)
    states = {t.element.id: state(result, t, side=side) for t in tuples}

    def add(element: Element, kind: str) -> str:
        name = f"{side}:{element.id}"
        facts = {"kind": kind, "state": states.get(element.id, ""), "captions": element.captions, "of": of}
        facts |= {"words": shown(element.words, understood), "literal": element.words, "ids": (name,)}
        network.add_node(name, place=name, **facts)
        return name

    for thing in graph.objects:
        add(thing, "object")
    for thing, group in graph.attributes.items():
        for attribute in group:
            network.add_edge(f"{side}:{thing.id}", add(attribute, "attribute"), arrow=False)
    for (subject, object_), group in graph.relations.items():
        for relation in group:
            name = add(relation, "relation")
            network.add_edge(f"{side}:{subject.id}", name, arrow=False)
            network.add_edge(name, f"{side}:{object_.id}", arrow=True)
    return network


def _share_places(matches: tuple[Match, ...], candidate: nx.DiGraph, references: nx.DiGraph) -> None:
    """Put each matched candidate node where its counterpart stands, if what it hangs on stands there too."""
    taken: set[str] = set()
    for match in sorted(matches, key=lambda m: len(m.candidate.elements)):
        mine, theirs = f"c:{match.candidate.element.id}", f"r:{match.reference.element.id}"
        hosts = list(_hosts(match))
        for a, b in hosts:  # no tuples of their own, so only what hangs on them says that they are the same
            if not (candidate.nodes[a]["state"] or references.nodes[b]["state"] or b in taken):
                candidate.nodes[a]["place"] = b
                taken.add(b)
        alike = match.candidate.kind == match.reference.kind  # in part an attribute may match a relation
        if alike and theirs not in taken and all(candidate.nodes[c]["place"] == r for c, r in hosts):
            candidate.nodes[mine]["place"] = theirs
            taken.add(theirs)


def _hosts(match: Match) -> Iterator[tuple[str, str]]:
    for mine, theirs in zip(match.candidate.elements, match.reference.elements):
        if mine is not match.candidate.element:
            yield f"c:{mine.id}", f"r:{theirs.id}"
