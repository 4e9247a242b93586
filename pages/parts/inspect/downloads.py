"""Downloads of a result: graphs, tuples, scores, parses, a report. Files are created when their buttons are pressed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import networkx as nx
import streamlit as st

from pages.parts.kit import page
from pages.parts.kit.texts import t
from pages.parts.state.engine import ScoredCaptions
from pages.parts.views import graphs
from spice_core.draw import frame, svg
from spice_core.draw.network import result_networks, union_network
from spice_core.draw.style import DisplayStyle
from spice_core.report import export, result_page, tables
from spice_core.report.result_page import result_page_html
from spice_core.report.templates import style_sheet
from spice_core.syntax import conllu


def show_menu(scored_captions: ScoredCaptions, *, key: str, style: DisplayStyle) -> None:
    """Show the download menu."""
    popover = st.popover(t("download.title"), key=f"{key}.downloads", on_change="rerun")
    if not popover.open:
        return
    with popover:
        for group, names in DOWNLOAD_GROUPS.items():
            st.caption(t(f"download.{group}"))
            for name in names:
                ending, mime, make_file = DOWNLOAD_FILES[name]
                options: dict[str, Any] = {
                    "file_name": f"spice-{scored_captions.inputs.digest(scored_captions.settings)[:8]}-{name}.{ending}",
                    "mime": mime,
                }
                content = make_file(scored_captions, style)
                st.download_button(
                    t(f"download.{name}"), content, key=f"{key}.download.{name}", on_click="ignore", type="tertiary", **options
                )


def _svg_maker(scored_captions: ScoredCaptions, style: DisplayStyle) -> Callable[[], bytes]:
    return lambda: svg.result_svg(
        scored_captions.result, replace(style, font_css=page.embedded_fonts(svg.result_svg(scored_captions.result, style)))
    ).encode()


def _html_maker(scored_captions: ScoredCaptions, style: DisplayStyle) -> Callable[[], bytes]:
    explanation, drawing = scored_captions.explanation, graphs.default_drawing(scored_captions)

    def make() -> bytes:
        header, footer = result_page.header_and_footer(explanation, style)
        plain_text = header + footer + "".join(node["label"] for panel in drawing["panels"] for node in panel["nodes"])
        auto = replace(style, theme="auto", font_css=page.embedded_fonts(plain_text))
        return frame.drawing_page(drawing, auto, content_above=header, content_below=footer, rules=style_sheet("report")).encode()

    return make


def _pyvis_maker(scored_captions: ScoredCaptions, style: DisplayStyle) -> Callable[[], bytes]:
    def make() -> bytes:
        from spice_core.draw.pyvis_page import pyvis_page  # pyvis imports IPython, which takes long

        return pyvis_page(_union(scored_captions, style), style).encode()

    return make


def _network_maker(write: Callable, scored_captions: ScoredCaptions, style: DisplayStyle) -> Callable[[], bytes]:
    return lambda: write(_union(scored_captions, style)).encode()


def _union(scored_captions: ScoredCaptions, style: DisplayStyle) -> nx.DiGraph:
    """Return the union of both graphs."""
    return union_network(*result_networks(scored_captions.result, implicit_subject=style.format_text("tuples.implicit_subject")))


def _json_maker(scored_captions: ScoredCaptions, style: DisplayStyle) -> Callable[[], bytes]:
    explanation = scored_captions.explanation
    return lambda: export.result_as_json(explanation).encode()


def _spice_json_maker(scored_captions: ScoredCaptions, style: DisplayStyle) -> Callable[[], bytes]:
    return lambda: export.result_as_spice_json(scored_captions.result).encode()


def _csv_maker(scored_captions: ScoredCaptions, style: DisplayStyle) -> Callable[[], bytes]:
    explanation = scored_captions.explanation
    return lambda: tables.tuples_csv(explanation, style)


def _latex_maker(scored_captions: ScoredCaptions, style: DisplayStyle) -> Callable[[], bytes]:
    return lambda: tables.scores_latex(scored_captions.result, style).encode()


def _conllu_maker(scored_captions: ScoredCaptions, style: DisplayStyle) -> Callable[[], bytes]:
    documents = [parse.document for parse in (scored_captions.result.candidate, *scored_captions.result.references) if parse.document]
    return lambda: "".join(map(conllu.write, documents)).encode()


def _report_maker(scored_captions: ScoredCaptions, style: DisplayStyle) -> Callable[[], bytes]:
    explanation = scored_captions.explanation
    return lambda: result_page_html(
        explanation, replace(style, font_css=page.embedded_fonts(result_page_html(explanation, style)))
    ).encode()


DOWNLOAD_FILES: dict[str, tuple[str, str, Callable[[ScoredCaptions, DisplayStyle], Any]]] = {
    "report": ("html", "text/html", _report_maker),
    "html": ("html", "text/html", _html_maker),
    "pyvis": ("html", "text/html", _pyvis_maker),
    "svg": ("svg", "image/svg+xml", _svg_maker),
    "graphml": ("graphml", "application/xml", partial(_network_maker, export.write_graphml)),
    "dot": ("dot", "text/vnd.graphviz", partial(_network_maker, export.write_dot)),
    "csv": ("csv", "text/csv", _csv_maker),
    "json": ("json", "application/json", _json_maker),
    "reference": ("json", "application/json", _spice_json_maker),
    "latex": ("tex", "application/x-tex", _latex_maker),
    "conllu": ("conllu", "text/plain", _conllu_maker),
}
DOWNLOAD_GROUPS = {
    "whole": ("report", "json"),
    "graphs": ("html", "pyvis", "svg", "graphml", "dot"),
    "numbers": ("csv", "reference", "latex"),
    "trees": ("conllu",),
}
