"""Conversion between propositions and the nodes and edges of a graph, for the formats of other programs, and the format DOT."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import NamedTuple

from spice_core.errors import InputError, Message
from spice_core.scene.propositions import PLACEHOLDER, Parse, Proposition, parse_from_tuples

MAX_PROPOSITIONS = 2_000  # limit on propositions of a caption or graph, because merging takes quadratic time


class Node(NamedTuple):
    """An object, attribute or relation."""

    id: str
    kind: str
    word: str


class NodesAndEdges(NamedTuple):
    """The nodes and edges of a graph. Edges lead from object to attribute, from subject to relation, and from relation to object."""

    nodes: list[Node]
    edges: list[tuple[str, str]]


def nodes_and_edges(propositions: Iterable[Proposition]) -> NodesAndEdges:
    """Return a graph with nodes in order of occurrence: one for each object, attribute of an object, and relation between objects."""
    ids: dict[tuple[str, ...], str] = {}
    graph = NodesAndEdges([], [])

    def add_node(key: tuple[str, ...], kind: str, word: str) -> str:
        if key not in ids:
            ids[key] = f"{kind[0]}{len(ids) + 1}"
            graph.nodes.append(Node(ids[key], kind, word))
        return ids[key]

    for words in dict.fromkeys(p.words for p in propositions):
        subject = add_node(words[:1], "object", words[0])
        if len(words) == 2:
            graph.edges.append((subject, add_node(words, "attribute", words[1])))
        elif len(words) == 3:
            object_ = add_node(words[2:], "object", words[2])
            relation = add_node(words, "relation", words[1])
            graph.edges.extend([(subject, relation), (relation, object_)])
    return graph


def propositions_of(graph: NodesAndEdges, where: Mapping[str, str]) -> Iterator[list[str]]:
    """Yield the propositions of a graph: every object except an implicit subject, then attributes and relations.

    Edges other than those that ``NodesAndEdges`` describes are ignored. Raises InputError if an attribute has no object or
    a relation lacks a subject or an object. The error names the place of the node, which ``where`` holds by node id.
    """
    objects = {node.id: node.word for node in graph.nodes if node.kind == "object"}
    predecessors, successors = defaultdict[str, list[str]](list), defaultdict[str, list[str]](list)  # words of objects, by node id
    for tail, head in graph.edges:
        predecessors[head] += [objects[tail]] if tail in objects else []
        successors[tail] += [objects[head]] if head in objects else []
    yield from ([word] for word in objects.values() if word != PLACEHOLDER)
    for id, kind, word in (node for node in graph.nodes if node.kind != "object"):
        hosts, ends = predecessors[id], successors[id]
        rows = [[host, word] for host in hosts] if kind == "attribute" else [[host, word, end] for host in hosts for end in ends]
        if not rows:
            expected = Message("expected.edge_of_attribute" if kind == "attribute" else "expected.edges_of_relation")
            raise InputError(where[id], Message("found.edges", before=len(hosts), behind=len(ends)), expected)
        yield from rows


def parse_of(rows: Iterable[list[str]], *, where: str) -> Parse:
    """Return a parse with the propositions of a graph. Raises InputError if there are more than ``MAX_PROPOSITIONS``."""
    object_rows = [*islice(rows, MAX_PROPOSITIONS + 1)]
    if len(object_rows) > MAX_PROPOSITIONS:
        found, expected = (Message(key, number=MAX_PROPOSITIONS) for key in ("found.more_tuples", "expected.at_most_many"))
        raise InputError(where, found, expected)
    return parse_from_tuples(object_rows, where=where)


def replace_invalid_characters(text: str) -> str:
    """Replace characters that XML forbids with U+FFFD, and return the text."""
    return str(text) if text.isprintable() else re.sub("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "\ufffd", text)


SHAPE_BY_KIND = {"object": "box", "attribute": "ellipse", "relation": "diamond"}


def write_dot(parse: Parse) -> str:
    """Return the scene graph of a caption as a digraph named after the caption."""
    graph = nodes_and_edges(parse.propositions)
    lines = [f"digraph {quote_text(parse.caption)} {{", "  rankdir=LR", '  node [fontname="sans-serif"]']
    lines += [f"  {quote_text(n.id)} [label={quote_label(n.word)}, shape={SHAPE_BY_KIND[n.kind]}, class={n.kind}]" for n in graph.nodes]
    relations = {n.id for n in graph.nodes if n.kind == "relation"}
    lines += [f"  {quote_text(a)} -> {quote_text(b)}{'' if a in relations else ' [dir=none]'}" for a, b in graph.edges]
    return "\n".join([*lines, "}", ""])


def quote_text(text: object) -> str:
    r"""Return the text as a quoted DOT string, with quotes and backslashes escaped and line breaks as \n."""
    escaped_text = replace_invalid_characters(str(text)).replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "\\n".join(escaped_text.splitlines()) + '"'


def quote_label(text: object) -> str:
    """Return the text as a quoted label, with & escaped because Graphviz reads entities such as &lt; in labels."""
    return quote_text(str(text).replace("&", "&amp;"))
