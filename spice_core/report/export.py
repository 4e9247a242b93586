"""Graphs and results for other programs: GraphML, DOT, JSON, and pages of vis-network."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import networkx as nx

from spice_core.data.graph_parts import SHAPE_BY_KIND, quote_label, quote_text, replace_invalid_characters
from spice_core.draw import design
from spice_core.draw.labels import NodeAttributes, node_label
from spice_core.draw.layout import edges_to_draw, layout_graphs
from spice_core.draw.shapes import node_tooltip
from spice_core.draw.style import PLAIN, DisplayStyle
from spice_core.explain.evidence import occurrences_of
from spice_core.explain.explanation import Explanation
from spice_core.metrics.result import SpiceResult
from spice_core.scene.graph import SceneTuple
from spice_core.scene.matching import MatchState
from spice_core.scene.synonyms import Synonyms

if TYPE_CHECKING:
    from pyvis.network import Network

_STYLE_BY_STATE = {
    MatchState.EXACT: "bold",
    MatchState.SYNONYM: "bold",
    MatchState.CONTRADICTED: "dashed",
    MatchState.EXTRA: "dashed",
    MatchState.MISSING: "dotted",
}


def write_graphml(network: nx.DiGraph) -> str:
    """Return a network as GraphML.

    Lists become texts: words of a tuple joined by dashes, numbers of captions (from 1) by commas, and other lists by slashes.
    """
    out = nx.DiGraph(side=network.graph.get("side", ""))
    for name, attributes in network.nodes(data=True):
        out.add_node(replace_invalid_characters(name), **flatten_attributes(attributes))
    out.add_edges_from(
        (replace_invalid_characters(a), replace_invalid_characters(b), attributes) for a, b, attributes in network.edges(data=True)
    )
    return "\n".join(nx.generate_graphml(out)) + "\n"


def flatten_attributes(attributes: NodeAttributes) -> dict[str, str | int | bool]:
    """Return a node's attributes as single values, as GraphML requires."""
    values: dict[str, str | int | bool] = {}
    for name, value in attributes.items():
        if name == "captions":
            values[name] = ", ".join(str(caption + 1) for caption in value)
        elif isinstance(value, (list, tuple)):
            values[name] = replace_invalid_characters((" – " if name == "tuple" else "/").join(value))
        else:
            values[name] = value if isinstance(value, int) else replace_invalid_characters(value)
    return values


def write_dot(network: nx.DiGraph) -> str:
    """Return a network in DOT for Graphviz, drawn from left to right.

    The shape of a node shows its kind, and its border shows its state (a double border for a synonym).
    """
    lines = ["digraph scene {", "  rankdir=LR", '  node [fontname="sans-serif"]']
    for name, attributes in network.nodes(data=True):
        kind, state = attributes["kind"], attributes["state"]
        style = {"shape": SHAPE_BY_KIND[kind], "color": design.COLOURS_BY_THEME["light"][kind]}
        style |= {"style": _STYLE_BY_STATE.get(state, "solid"), "class": f"{kind} {state}".strip()}
        style |= {"peripheries": "2"} if state == MatchState.SYNONYM else {}
        options = [
            f"label={quote_label('¬' * attributes['negated'] + '/'.join(attributes['words']))}",
            *(f"{key}={quote_text(value)}" for key, value in style.items()),
        ]
        lines.append(f"  {quote_text(name)} [{', '.join(options)}]")
    for a, b, attributes in network.edges(data=True):
        style_text = ' [dir=none, style="dotted"]' if attributes["tie"] else "" if attributes["arrow"] else " [dir=none]"
        lines.append(f"  {quote_text(a)} -> {quote_text(b)}{style_text}")
    return "\n".join([*lines, "}", ""])


def result_as_json(explanation: Explanation) -> str:
    """Return a result as JSON: captions, scores, tuples with matches and occurrences, and signature. Undefined ratios are null."""
    result = explanation.result
    tuples_by_side = (("candidate", result.candidate_tuples), ("references", result.reference_tuples))
    tuples = {name: [_tuple_json(result, t, explanation.synonyms) for t in tuples] for name, tuples in tuples_by_side}
    return json.dumps(result.to_dict() | {"tuples": tuples}, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def result_as_spice_json(result: SpiceResult, image_id: object = 1) -> str:
    """Return a result in the format of the original SPICE: a list of one image with categories and tuples."""
    return json.dumps([result.as_spice_json(image_id, detailed=True)], ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def _tuple_json(result: SpiceResult, tuple_: SceneTuple, synonyms: Synonyms) -> dict[str, object]:
    row = result.tuple_as_json(tuple_)
    row["sources"] = [{"caption": s.caption + 1, "words": s.words, "rule": s.rule} for s in occurrences_of(tuple_)]
    if match := result.match_by_tuple.get(tuple_.id):
        row["evidence"] = [
            {"kind": e.kind, "words": e.words, "senses": [_sense_json(i, synonyms) for i in e.synsets]} for e in match.evidence
        ]
    return row


def _sense_json(synset_id: int, synonyms: Synonyms) -> dict[str, object]:
    sense = synonyms.synset(synset_id)
    return {"name": sense.name, "gloss": sense.gloss, "accidental": sense.collision}


def pyvis_page(graph: nx.DiGraph, style: DisplayStyle = PLAIN) -> str:
    """Return a network as a self-contained HTML page."""
    page = pyvis_network(graph, style).generate_html()
    return re.sub(r"""<(link|script)[^>]*?(href|src)=["'](https?:|\.\./)[^>]*>(</script>)?""", "", page)  # pyvis links to other hosts


def pyvis_network(graph: nx.DiGraph, style: DisplayStyle = PLAIN) -> Network:
    """Return a graph as a pyvis network: nodes in our layout, similar shapes, and marks for states."""
    from pyvis.network import Network  # imports IPython, which is slow

    net, colours, layout = Network("95vh", "100%", directed=True, cdn_resources="in_line"), style.colours, layout_graphs(graph)
    net.bgcolor = colours["surface"]
    net.toggle_physics(False)
    for name, node in graph.nodes(data=True):
        point, kind = layout.points[node["place"]], node["kind"]
        net.add_node(
            name,
            label=" ".join(filter(None, [design.MARK_BY_STATE.get(node["state"], ""), node_label(node["words"])])),
            title=node_tooltip(node, style),
            shape=SHAPE_BY_KIND[kind],
            color={"background": colours[f"{kind}-fill"], "border": colours[kind]},
            font={"color": colours["ink"]},
            size=13,
            x=point.x,
            y=point.y,
        )
    for a, b in edges_to_draw(graph):
        net.add_edge(a, b, arrows="to" if graph.edges[a, b]["arrow"] else "", color=colours["muted"])
    return net
