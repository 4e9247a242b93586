"""Reader and writer of scene graphs in GraphML, for yEd, Gephi, networkx and others.

A file holds one or several graphs. Objects, attributes and relations are nodes with the keys ``kind`` and ``word``. Edges lead from an
object to its attribute, from the subject to the relation, and from the relation to its object. In files that the Inspect page saves,
nodes have ``words`` joined by slashes; the reader takes the first word.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator
from dataclasses import replace

from spice_core.data.graph_parts import (
    Node,
    NodesAndEdges,
    nodes_and_edges,
    parse_of,
    propositions_of,
    replace_invalid_characters,
)
from spice_core.data.items import MAX_CAPTION_CHARS
from spice_core.data.reader import ReadablePath, input_errors, open_utf8
from spice_core.errors import InputError, Message
from spice_core.scene.propositions import Parse

_NAMESPACE = "{http://graphml.graphdrawing.org/xmlns}"
_NODE_KINDS = ("object", "attribute", "relation")
_MAX_FILE_BYTES = 16 << 20
_FILE_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="caption" for="graph" attr.name="caption" attr.type="string"/>
  <key id="kind" for="node" attr.name="kind" attr.type="string"/>
  <key id="word" for="node" attr.name="word" attr.type="string"/>
"""


def generate_graphml(parses: Iterable[Parse]) -> Iterator[str]:
    """Yield the text of a file with one graph for each caption, piece by piece."""
    yield _FILE_HEAD
    for parse_number, parse in enumerate(parses, 1):
        yield _graph_xml(parse, parse_number)
    yield "</graphml>\n"


def read_graphml(path: ReadablePath) -> Iterator[Parse]:
    """Yield a parse with the propositions of each graph in a file. Raises InputError naming the file and, if possible, graph and node."""
    root = _read_root(path)
    names = {key.get("id", ""): key.get("attr.name", "") for key in root.iter(f"{_NAMESPACE}key")}
    graphs = root.findall(f"{_NAMESPACE}graph")
    if not graphs:
        raise InputError(str(path), Message("found.nothing"), Message("expected.graphml"))
    for graph_number, graph in enumerate(graphs, 1):
        yield _read_graph(graph, names, Message("where.graph", file=str(path), number=graph_number))


def _graph_xml(parse: Parse, graph_number: int) -> str:
    content, graph = nodes_and_edges(parse.propositions), ET.Element("graph", {"id": f"g{graph_number}", "edgedefault": "directed"})
    _add_data(graph, "caption", parse.caption)
    for id, kind, word in content.nodes:
        node = ET.SubElement(graph, "node", {"id": f"g{graph_number}.{id}"})
        _add_data(node, "kind", kind)
        _add_data(node, "word", word)
    for tail, head in content.edges:
        ET.SubElement(graph, "edge", {"source": f"g{graph_number}.{tail}", "target": f"g{graph_number}.{head}"})
    ET.indent(graph, level=1)
    return f"  {ET.tostring(graph, encoding='unicode')}\n"


def _add_data(element: ET.Element, key: str, text: str) -> None:
    ET.SubElement(element, "data", {"key": key}).text = replace_invalid_characters(text)


def _read_root(path: ReadablePath) -> ET.Element:
    with open_utf8(path) as file, input_errors(path):
        content = file.read(_MAX_FILE_BYTES + 1)
    if len(content) > _MAX_FILE_BYTES:
        raise InputError(str(path), Message("found.megabytes", megabytes=_MAX_FILE_BYTES >> 20), Message("expected.smaller_file"))
    if b"<!DOCTYPE" in content or b"<!ENTITY" in content:  # entities may unpack to any size
        raise InputError(str(path), "<!DOCTYPE", Message("expected.graphml"))
    try:
        root = ET.fromstring(content)
    except ET.ParseError as error:
        line, column = error.position
        where = Message("where.position", file=str(path), line=line, column=column + 1)
        reason = str(error).partition(":")[0]
        raise InputError(where, Message("found.unreadable", reason=reason), Message("expected.graphml")) from None
    if root.tag != f"{_NAMESPACE}graphml":
        raise InputError(str(path), root.tag, Message("expected.graphml"))
    return root


def _read_graph(graph: ET.Element, names: dict[str, str], where: str) -> Parse:
    content, place_by_node = NodesAndEdges([], []), dict[str, str]()
    for element in graph.findall(f"{_NAMESPACE}node"):
        id, attributes = element.get("id", ""), _data_by_name(element, names)
        place_by_node[id] = place = Message("where.node", graph=where, node=id)
        kind, word = attributes.get("kind", ""), attributes.get("word") or attributes.get("words", "").partition("/")[0]
        if kind not in _NODE_KINDS:
            raise InputError(place, kind, Message("expected.kind_of_node"))
        if not word.strip() or len(word) > MAX_CAPTION_CHARS:
            raise InputError(place, word, Message("expected.word"))
        content.nodes.append(Node(id, kind, word))
    if len(place_by_node) < len(content.nodes):
        raise InputError(where, Message("found.same_nodes"), Message("expected.different_nodes"))
    for edge_number, edge in enumerate(graph.findall(f"{_NAMESPACE}edge"), 1):
        ends = edge.get("source", ""), edge.get("target", "")
        for end in ends:
            if end not in place_by_node:
                raise InputError(Message("where.edge", graph=where, number=edge_number), end, Message("expected.known_node"))
        content.edges.append(ends)
    parse = parse_of(propositions_of(content, place_by_node), where=where)
    caption = _data_by_name(graph, names).get("caption", "")
    return replace(parse, caption=caption) if caption else parse


def _data_by_name(element: ET.Element, names: dict[str, str]) -> dict[str, str]:
    pairs = ((data.get("key", ""), data.text or "") for data in element.findall(f"{_NAMESPACE}data"))
    return {names.get(key, key): text for key, text in pairs}
