"""Two graphs side by side as one self-contained HTML page: pyvis networks, vis-network inlined, nothing fetched."""

from __future__ import annotations

import html
import itertools
import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import networkx as nx
import pyvis
from pyvis.network import Network

from spice_core.draw import look
from spice_core.draw.labels import LEADING
from spice_core.draw.layout import MARGIN, Layout, Point, badge, box, label, layout
from spice_core.draw.texts import WORDS, Words, hint

_HERE = Path(__file__).parent
_UNSAFE = {ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}
OPTIONS = {
    "physics": False,
    "layout": {"randomSeed": 2016},
    "nodes": {"chosen": False},
    "edges": {"chosen": False, "smooth": False, "selectionWidth": 0, "arrows": {"to": {"scaleFactor": 0.55}}},
    "interaction": {"hover": False, "zoomView": False, "tooltipDelay": 120, "selectConnectedEdges": False},
}


def page(
    candidate: nx.DiGraph,
    references: nx.DiGraph,
    *,
    words: Words = WORDS,
    alts: tuple[str, str] = ("", ""),
    font_css: str = "",
    theme: str = "auto",
) -> str:
    """The page for both networks, every node at the same place in both.

    ``alts`` describe the pictures to those who do not see them. ``font_css`` may hold ``@font-face`` rules with the
    font inside. ``theme`` is light, dark or auto (the surrounding app's, else the system's).
    """
    places = layout(candidate, references)
    panels = [_panel(graph, places, words) for graph in (candidate, references)]
    data = {"panels": panels, "palettes": look.PALETTES, "width": places.width, "height": places.height}
    data |= {"theme": theme, "options": OPTIONS, "font": look.SANS, "leading": LEADING}
    parts = {
        "style": font_css + look.css_tokens() + _file("frame.css"),
        "sections": "".join(_section(words, side, alts[side], empty=not panels[side]["nodes"]) for side in (0, 1)),
        "data": json.dumps(data, ensure_ascii=False).translate(_UNSAFE),
        "vis": _vis(),
        "script": _file("frame.js"),
    }
    return re.sub(r"%% (\w+) %%", lambda found: parts[found[1]], _file("frame.html"))


def network(graph: nx.DiGraph, places: Layout, *, states: Mapping[str, str] = WORDS.states) -> Network:
    """The pyvis network of one graph: custom shapes with their measures, fixed places, no physics."""
    net = Network(directed=True, cdn_resources="in_line")
    for name, facts in graph.nodes(data=True):
        point, extents = places.points[facts["place"]], box(facts["kind"], facts["words"], facts["captions"], facts["of"])
        net.add_node(
            name,
            label=label(facts["words"]),
            shape="custom",
            group=f"{facts['kind']}-{facts['state']}",
            title=hint(facts, states),
            x=round(point.x, 1),
            y=round(point.y, 1),
            kind=facts["kind"],
            state=facts["state"],
            badge=badge(facts["captions"], facts["of"]),
            wide=round(extents.right - extents.left, 1),
            high=round(extents.bottom - extents.top, 1),
        )
    for a, b, arrow in graph.edges(data="arrow"):
        _connect(net, graph, a, b, places.bends.get(graph.nodes[a]["place"], ()) if arrow else (), arrow=arrow)
    return net


def _connect(net: Network, graph: nx.DiGraph, a: str, b: str, bends: tuple[Point, ...], *, arrow: bool) -> None:
    """The line from a to b, by way of its bends."""
    owner = graph.nodes[a if graph.nodes[a]["kind"] == "relation" else b]
    loop = graph.has_edge(b, a)
    for number, point in enumerate(bends):
        bend = f"{a}/bend{number}"
        net.add_node(bend, label=" ", shape="custom", group="bend", kind="bend", state=owner["state"], x=point.x, y=point.y)
    stops = [a, *(f"{a}/bend{i}" for i in range(len(bends))), b]
    for start, end in itertools.pairwise(stops):
        facts = {"arrows": "to" if arrow and end == b else "", "kind": owner["kind"], "state": owner["state"]}
        net.add_edge(start, end, **facts, **({"smooth": {"enabled": True, "type": "curvedCW", "roundness": 0.4}} if loop else {}))


def _panel(graph: nx.DiGraph, places: Layout, words: Words) -> dict[str, object]:
    """What the page draws of one graph, and between which heights it lies."""
    net = network(graph, places, states=words.states)
    boxes = [box(f["kind"], f["words"], f["captions"], f["of"]).at(places.points[f["place"]]) for _, f in graph.nodes(data=True)]
    heights = [point.y for _, place in graph.nodes(data="place") for point in places.bends.get(place, ())]
    top = min([b.top for b in boxes] + heights, default=0) - MARGIN
    bottom = max([b.bottom for b in boxes] + heights, default=0) + MARGIN
    return {"nodes": net.nodes, "edges": net.edges, "top": top, "bottom": bottom}


def _section(words: Words, side: int, alt: str, *, empty: bool) -> str:
    """The frame of one graph: its title, the zoom buttons and the canvas, or that there is nothing to draw."""
    title, note, alt, nothing = map(html.escape, (words.titles[side], words.notes[side], alt, words.empty[side]))
    if empty:
        return f'<section><header><h2>{title}</h2><span>{note}</span></header><p class="empty">{nothing}</p></section>'
    smaller, larger, fit = map(html.escape, words.buttons)
    return (
        f'<section data-side="{side}"><header><h2>{title}</h2><span>{note}</span><nav>'
        f'<button data-zoom="smaller" aria-label="{smaller}" title="{smaller}">−</button>'
        f'<button data-zoom="larger" aria-label="{larger}" title="{larger}">+</button>'
        f'<button data-zoom="fit">{fit}</button></nav></header>'
        f'<div class="scroll" tabindex="0"><div class="canvas" role="img" aria-label="{alt}"></div></div></section>'
    )


@cache
def _vis() -> str:
    """The vis-network that pyvis brings along."""
    return (Path(pyvis.__file__).parent / "lib" / "vis-9.1.2" / "vis-network.min.js").read_text(encoding="utf-8")


@cache
def _file(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")
