"""Graphs as pyvis networks, whose nodes can be moved, and as HTML pages with such a network."""

from __future__ import annotations

import re

import networkx as nx
from pyvis.network import Network

from spice_core.draw import design
from spice_core.draw.boxes import node_label
from spice_core.draw.layout import edges_to_draw, layout_graphs
from spice_core.draw.style import PLAIN, DisplayStyle
from spice_core.draw.texts import node_tooltip

_SHAPE_BY_KIND = {"object": "box", "attribute": "ellipse", "relation": "diamond"}


def pyvis_page(graph: nx.DiGraph, style: DisplayStyle = PLAIN) -> str:
    """Return a network as a self-contained HTML page."""
    page = pyvis_network(graph, style).generate_html()
    return re.sub(r"""<(link|script)[^>]*?(href|src)=["'](https?:|\.\./)[^>]*>(</script>)?""", "", page)  # pyvis links to other hosts


def pyvis_network(graph: nx.DiGraph, style: DisplayStyle = PLAIN) -> Network:
    """Return the pyvis network of one graph: nodes in our layout, in shapes of vis-network that resemble ours, with marks for states."""
    net, colours, layout = Network("95vh", "100%", directed=True, cdn_resources="in_line"), style.colours, layout_graphs(graph)
    net.bgcolor = colours["surface"]
    net.toggle_physics(False)
    for name, node in graph.nodes(data=True):
        point, kind = layout.points[node["place"]], node["kind"]
        net.add_node(
            name,
            label=" ".join(filter(None, [design.MARK_BY_STATE.get(node["state"], ""), node_label(node["words"])])),
            title=node_tooltip(node, style),
            shape=_SHAPE_BY_KIND[kind],
            color={"background": colours[f"{kind}-fill"], "border": colours[kind]},
            font={"color": colours["ink"]},
            size=13,
            x=point.x,
            y=point.y,
        )
    for a, b in edges_to_draw(graph):
        net.add_edge(a, b, arrows="to" if graph.edges[a, b]["arrow"] else "", color=colours["muted"])
    return net
