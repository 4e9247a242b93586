"""Downloads of a result: graphs, tuples, scores, parses, a report. Files are created when their buttons are pressed."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import networkx as nx
import streamlit as st

from pages.parts.kit import page
from pages.parts.kit.choice import download_button, drawer
from pages.parts.kit.texts import t
from pages.parts.state.engine import ScoredCaptions
from pages.parts.views import graphs
from spice_core.draw import frame
from spice_core.draw.network import result_networks, union_network
from spice_core.draw.style import DisplayStyle
from spice_core.report import export, result_page, tables
from spice_core.report.fragments import style_sheet
from spice_core.report.result_page import result_page_html
from spice_core.syntax import conllu


@drawer("download.title", "inspect.downloads", st.popover)
def show_menu(scored_captions: ScoredCaptions, *, style: DisplayStyle) -> None:
    """Show the download menu."""
    makers = {"html": partial(_html, drawing=graphs.default_drawing(scored_captions))}  # drawings depend on the visitor's session
    for group, names in DOWNLOAD_GROUPS.items():
        st.caption(t(f"download.{group}"))
        for name in names:
            ending, mime, make_file = DOWNLOAD_FILES[name]
            content = partial(makers.get(name, make_file), scored_captions, style)
            file_name = f"spice-{scored_captions.inputs.digest(scored_captions.settings)[:8]}-{name}.{ending}"
            download_button(t(f"download.{name}"), content, file_name, mime, key=f"inspect.download.{name}")


def _html(scored_captions: ScoredCaptions, style: DisplayStyle, drawing: dict[str, Any] | None = None) -> str:
    drawing = drawing or graphs.default_drawing(scored_captions)
    header, footer = result_page.header_and_footer(scored_captions.explanation, style)
    plain_text = header + footer + "".join(node["label"] for panel in drawing["panels"] for node in panel["nodes"])
    auto = replace(style, theme="auto", font_css=page.embedded_fonts(plain_text))
    return frame.drawing_page(drawing, auto, content_above=header, content_below=footer, rules=style_sheet("report"))


def _network(scored_captions: ScoredCaptions, style: DisplayStyle) -> nx.DiGraph:
    name = style.format_text("tuples.implicit_subject")
    return union_network(*result_networks(scored_captions.result, implicit_subject=name))


def _conllu(scored_captions: ScoredCaptions, style: DisplayStyle) -> str:
    parses = (scored_captions.result.candidate, *scored_captions.result.references)
    return "".join(conllu.write(parse.document) for parse in parses if parse.document)


def _report(scored_captions: ScoredCaptions, style: DisplayStyle) -> str:
    fonts = page.embedded_fonts(result_page_html(scored_captions.explanation, style))
    return result_page_html(scored_captions.explanation, replace(style, font_css=fonts))


DOWNLOAD_FILES: dict[str, tuple[str, str, Callable[[ScoredCaptions, DisplayStyle], str | bytes]]] = {
    "report": ("html", "text/html", _report),
    "html": ("html", "text/html", _html),
    "pyvis": ("html", "text/html", lambda captions, style: export.pyvis_page(_network(captions, style), style)),
    "graphml": ("graphml", "application/xml", lambda captions, style: export.write_graphml(_network(captions, style))),
    "dot": ("dot", "text/vnd.graphviz", lambda captions, style: export.write_dot(_network(captions, style))),
    "csv": ("csv", "text/csv", lambda captions, style: tables.tuples_csv(captions.explanation, style)),
    "json": ("json", "application/json", lambda captions, style: export.result_as_json(captions.explanation)),
    "reference": ("json", "application/json", lambda captions, style: export.result_as_spice_json(captions.result)),
    "latex": ("tex", "application/x-tex", lambda captions, style: tables.scores_latex(captions.result, style)),
    "conllu": ("conllu", "text/plain", _conllu),
}
DOWNLOAD_GROUPS = {
    "whole": ("report", "json"),
    "graphs": ("html", "pyvis", "graphml", "dot"),
    "numbers": ("csv", "reference", "latex"),
    "trees": ("conllu",),
}
