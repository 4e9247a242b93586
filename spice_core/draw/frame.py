"""Graphs as data for the browser, and as a self-contained HTML page."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from pathlib import Path

import networkx as nx

from spice_core.draw import design
from spice_core.draw.labels import node_label
from spice_core.draw.layout import GraphLayout
from spice_core.draw.style import PLAIN, DisplayStyle
from spice_core.draw.svg import graph_extents, render_panel

_FOLDER = Path(__file__).parent
_UNSAFE_CHARACTERS = {ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}


@dataclass(frozen=True)
class GraphPanel:
    """A graph to draw, with title, note, text equivalent, and a message for an empty graph."""

    graph: nx.DiGraph
    title: str = ""
    note: str = ""
    alt: str = ""
    empty_text: str = ""


def drawing_data(
    panels: Sequence[GraphPanel], layout: GraphLayout, style: DisplayStyle = PLAIN, *, max_height_px: int = 0
) -> dict[str, object]:
    """Return the data of a drawing for the browser, as JSON-compatible values: panels with pictures and sizes.

    The pictures refer to the colour tokens of the surrounding page, so they follow its theme.

    Args:
        panels: One or two graphs.
        layout: Their shared layout.
        style: Texts.
        max_height_px: Maximum height of a panel in pixels. Panels in a high window may be higher. 0 means no maximum.

    The value of ``key`` is a digest of the data.
    """
    data = {
        "panels": [_panel_data(panel, layout, style) for panel in panels],
        "buttons": [style.format_text(f"graphs.{name}") for name in ("smaller", "larger", "fit", "lock")],
        "extents": (0, 0, layout.width, layout.height),
        "maxHeight": max_height_px,
    }
    return data | {"key": sha256(json.dumps(data).encode()).hexdigest()}


def drawing_page(
    data: Mapping[str, object], style: DisplayStyle = PLAIN, *, content_above: str = "", content_below: str = "", rules: str = ""
) -> str:
    """Return a drawing as a self-contained HTML page.

    ``content_above`` and ``content_below`` are HTML to place around the drawing, and ``rules`` is CSS for that HTML.
    """
    scheme = f":root {{ color-scheme: {'light dark' if style.theme == 'auto' else style.theme}; }}"
    parts = {
        "lang": html.escape(style.lang),
        "style": style.font_css + design.css_tokens(style.palette) + rules + drawing_css() + scheme,
        "above": content_above,
        "below": content_below,
        "data": json.dumps(data, ensure_ascii=False).translate(_UNSAFE_CHARACTERS),
        "script": drawing_script(),
    }
    return re.sub(r"%% (\w+) %%", lambda match: parts[match[1]], _read_file("frame.html"))


def drawing_script() -> str:
    """Return the JavaScript of a drawing: the class ``Graphs``."""
    return _read_file("graphs.js")


def drawing_css() -> str:
    """Return the CSS of a drawing. Its colours are tokens that the surrounding page defines."""
    return _read_file("frame.css")


def _panel_data(panel: GraphPanel, layout: GraphLayout, style: DisplayStyle) -> dict[str, object]:
    """Return the picture and the texts of one graph, and the names and labels of its nodes."""
    left, top, width, height = graph_extents(panel.graph, layout)
    nodes = [{"id": name, "kind": node["kind"], "label": node_label(node["words"])} for name, node in panel.graph.nodes(data=True)]
    texts = {"title": panel.title, "note": panel.note, "alt": panel.alt, "empty": panel.empty_text}
    svg = render_panel(panel.graph, layout, replace(style, theme="auto"))
    return texts | {"nodes": nodes, "svg": svg, "extents": (left, top, left + width, top + height)}


@cache
def _read_file(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")
