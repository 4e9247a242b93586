"""Downloads of a result: graphs, tuples, scores, parses, a report. Each file is made when its button is pressed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from pages.parts.kit import page
from pages.parts.kit.texts import catalogue, interface, t
from pages.parts.session.engine import Scored
from pages.parts.views import graphs
from spice_core.draw import frame, svg
from spice_core.draw.layout import layout
from spice_core.draw.network import networks, union
from spice_core.lang import language
from spice_core.report import export, tables
from spice_core.report.result_page import report
from spice_core.syntax import conllu


def menu(scored: Scored, *, key: str, scale: int) -> None:
    """A button that opens the list of files."""
    opened = st.popover(t("download.title"), key=f"{key}.downloads", on_change="rerun")
    if not opened.open:
        return
    with opened:
        for group, names in GROUPS.items():
            st.caption(t(f"download.{group}"))
            for name in names:
                ending, mime, make = FILES[name]
                facts: dict[str, Any] = {"file_name": f"spice-{scored.inputs.digest(scored.settings)[:8]}-{name}.{ending}", "mime": mime}
                made = make(scored, Style(scale=scale))
                st.download_button(t(f"download.{name}"), made, key=f"{key}.download.{name}", on_click="ignore", type="tertiary", **facts)


class Style:
    """Display options of a file, read in advance because files are made outside the visitor's session."""

    def __init__(self, *, scale: int):
        self.scale, self.theme, self.paper, self.interface = scale, page.theme(), page.paper(), interface()
        self.words, self.understood = graphs.words(), t("tuples.understood")

    def texts(self, lang: str) -> dict[str, str]:
        """The page's texts by key, with the metric's name in the language of the captions."""
        flat = {f"{section}.{name}": text for section, found in catalogue(self.interface).items() for name, text in found.items()}
        return flat | {"score.f1": t("score.f1", metric=language(lang).metric_name, language=self.interface)}


def _svg(scored: Scored, style: Style) -> Callable[[], bytes]:
    facts: dict[str, Any] = {"theme": style.theme, "paper": style.paper, "words": style.words, "understood": style.understood}
    return lambda: svg.svg(scored.result, font_css=page.faces(svg.svg(scored.result, **facts)), **facts).encode()


def _html(scored: Scored, style: Style) -> Callable[[], bytes]:
    both = networks(scored.result, understood=style.understood)
    panels = [frame.Panel(graph, title, empty=empty) for graph, title, empty in zip(both, style.words.titles, style.words.empty)]

    def make() -> bytes:
        drawn: dict[str, Any] = frame.drawing(panels, layout(*both), words=style.words, paper=style.paper)
        plain = "".join(node["label"] for panel in drawn["panels"] for node in panel["nodes"]) + "".join(style.words.titles)
        return frame.page(drawn, font_css=page.faces(plain), lang=style.interface, paper=style.paper).encode()

    return make


def _network(write: Callable, scored: Scored, style: Style) -> Callable[[], bytes]:
    return lambda: write(union(*networks(scored.result, understood=style.understood))).encode()


def _json(scored: Scored, style: Style) -> Callable[[], bytes]:
    explanation = scored.explanation
    return lambda: export.as_json(explanation).encode()


def _reference(scored: Scored, style: Style) -> Callable[[], bytes]:
    return lambda: export.reference_json(scored.result).encode()


def _csv(scored: Scored, style: Style) -> Callable[[], bytes]:
    explanation = scored.explanation
    return lambda: tables.tuples_csv(explanation, style.texts(scored.settings.lang))


def _latex(scored: Scored, style: Style) -> Callable[[], bytes]:
    return lambda: tables.latex(scored.result, style.texts(scored.settings.lang), scale=style.scale).encode()


def _conllu(scored: Scored, style: Style) -> Callable[[], bytes]:
    documents = [parse.document for parse in (scored.result.candidate, *scored.result.references) if parse.document]
    return lambda: "".join(map(conllu.write, documents)).encode()


def _report(scored: Scored, style: Style) -> Callable[[], bytes]:
    facts: dict[str, Any] = {"texts": style.texts(scored.settings.lang), "words": style.words, "lang": style.interface}
    make = partial(report, scored.explanation, paper=style.paper, scale=style.scale, **facts)
    return lambda: make(font_css=page.faces(make())).encode()


FILES: dict[str, tuple[str, str, Callable[[Scored, Style], Any]]] = {
    "report": ("html", "text/html", _report),
    "html": ("html", "text/html", _html),
    "svg": ("svg", "image/svg+xml", _svg),
    "graphml": ("graphml", "application/xml", partial(_network, export.graphml)),
    "dot": ("dot", "text/vnd.graphviz", partial(_network, export.dot)),
    "csv": ("csv", "text/csv", _csv),
    "json": ("json", "application/json", _json),
    "reference": ("json", "application/json", _reference),
    "latex": ("tex", "application/x-tex", _latex),
    "conllu": ("conllu", "text/plain", _conllu),
}
GROUPS = {
    "whole": ("report", "json"),
    "graphs": ("html", "svg", "graphml", "dot"),
    "numbers": ("csv", "reference", "latex"),
    "trees": ("conllu",),
}
