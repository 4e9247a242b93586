"""Present: one result on the whole screen, built up beat by beat, with a QR code of its link."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from hashlib import sha256
from html import escape
from typing import Any
from urllib.parse import urlencode, urlsplit

import networkx as nx
import streamlit as st

from pages.parts.kit import page, url
from pages.parts.kit.texts import t
from pages.parts.state import limits
from pages.parts.state.engine import Inputs, Scored
from pages.parts.views import captions, component, graphs
from spice_core.draw import design, trees
from spice_core.draw.layout import Layout, layout
from spice_core.draw.network import union, unmarked
from spice_core.draw.screen import readable
from spice_core.draw.style import DisplayStyle
from spice_core.draw.svg import described, one
from spice_core.explain.evidence import tuple_text
from spice_core.lang import language
from spice_core.scene.propositions import Parse
from spice_core.scene.scores import counted

BEATS = ("words", "tree", "tuples", "merged", "matched", "score")
SMALLEST = 13 / 20  # letters as drawn, over what an audience can read
STAGE = 1214 * SMALLEST, 400 * SMALLEST  # what a drawing may measure to be readable on a screen of 1280 × 720
LONGEST_CODE = 800  # characters of a link that a QR code holds at a size that a phone reads from a screen
_LOCAL = ("localhost", "127.0.0.1", "::1", "")


@dataclass(frozen=True)
class Choice:
    """An answer that the audience may choose, and what it is told."""

    label: str
    right: bool
    why: str


@dataclass(frozen=True)
class Slide:
    """What stands on the screen beside the result: title, place among others, question with choices, one line of text."""

    title: str
    of: str = ""
    ask: str = ""
    choices: Sequence[Choice] = ()
    line: str = ""
    link: Mapping[str, str] = field(default_factory=dict)
    beats: tuple[str, ...] = BEATS


def active() -> bool:
    """Whether the address asks for Present."""
    return st.query_params.get("present") == "1"


def button(*, key: str) -> None:
    """A button, and a key, that open Present."""
    st.button(t("present.button"), key=f"{key}.present", on_click=_enter, shortcut="P", help=t("present.help"))


def _enter() -> None:
    st.query_params["present"] = "1"
    st.query_params.pop("beat", None)


def show(found: Scored, slide: Slide, *, key: str, go: Callable[[int], None], own: Callable[[Inputs], None] | None = None) -> None:
    """Fill the screen with a result. ``go`` turns to the next or the last one; ``own`` takes captions of the presenter's."""
    widget = f"{key}.screen"

    def left() -> None:
        for name in ("present", "beat"):
            url.set_param(name, "")

    def turned() -> None:
        by = st.session_state[widget].go
        st.query_params.pop("beat", None)
        if by in (1, -1):
            st.query_params["beat"] = "1"
            go(by)

    def written() -> None:
        captions_ = st.session_state[widget].captions
        if own and (inputs := _inputs(captions_)):
            st.query_params["beat"] = "1"
            own(inputs)

    data = _data(found, slide)
    _stage()(key=widget, data=data, on_left_change=left, on_go_change=turned, on_captions_change=written)


def _inputs(written: object) -> Inputs | None:
    """Captions as the browser sends them; None for anything else, or where some are missing."""
    if not isinstance(written, Mapping):
        return None
    candidate, references = written.get("candidate"), written.get("references")
    if not isinstance(candidate, str) or not isinstance(references, list):
        return None
    lines = tuple(" ".join(line.split()) for line in references if isinstance(line, str) and line.strip())
    return Inputs(" ".join(candidate.split()), lines) if candidate.strip() and lines else None


@cache
def _stage() -> Callable[..., Any]:
    """The component, registered once."""
    script = component.script("el") + component.script("present")
    return st.components.v2.component("spice_present", html="<dialog></dialog>", css=component.style("present"), js=script)


def _data(found: Scored, slide: Slide) -> dict[str, object]:
    cache_key = ("present", slide.beats, page.style())
    if cache_key not in found.cache:
        found.cache[cache_key] = _pictures(found, slide.beats)
    address, code = code_of(slide.link)
    beat = st.query_params.get("beat", "")
    pictures, parts = found.cache[cache_key]
    data: dict[str, object] = {
        "title": slide.title,
        "of": slide.of,
        "ask": slide.ask,
        "choices": [{"label": each.label, "right": each.right, "why": each.why} for each in slide.choices],
        "line": slide.line,
        "beats": [name for name in slide.beats if name != "tree" or "tree" in pictures],
        "pictures": pictures,
        "parts": parts,
        "captions": captions.as_html(found),
        "chips": _chips(found),
        "score": _score(found),
        "own": [found.inputs.candidate, *found.inputs.references],
        "lang": found.settings.lang,
        "longest": limits.LONGEST,
        "code": code,
        "link": address,
        "local": t("present.local") if urlsplit(address).hostname in _LOCAL else "",
        "texts": _texts(),
    }
    shown = {name: data[name] for name in ("title", "ask", "own", "pictures")}
    return data | {"mark": sha256(repr(shown).encode()).hexdigest(), "beat": int(beat) if beat in map(str, range(1, 7)) else 1}


def _texts() -> dict[str, object]:
    names = ("back", "next", "view", "code", "own", "blank", "full", "help_button", "leave", "candidate", "references", "score")
    texts: dict[str, object] = {name.removesuffix("_button"): t(f"present.{name}") for name in names}
    return texts | {f"beat_{name}": t(f"present.beat_{name}") for name in BEATS} | {"keys": t("present.keys").split("\n")}


def _pictures(found: Scored, beats: Sequence[str]) -> tuple[dict[str, str], dict[str, str]]:
    """The tree, each graph without and both with their match states, as SVG in the colours of the page; and what is left out of each."""
    style = replace(page.style(), theme="auto")
    both = graphs.networks_of(found)
    whole = {"candidate": both[0], "references": both[1], "union": union(*both)}
    wanted = {"candidate": "tuples", "references": "merged", "union": "matched"}
    pictures, parts = _tree(found.parses[0], found.settings.lang) if "tree" in beats else ({}, {})
    for name, graph in whole.items():
        if wanted[name] in beats:
            shown, places = readable(graph, *STAGE)
            pictures[name] = _picture(found, name, shown, places, style)
            if len(shown) < len(graph):
                pictures[f"{name}_whole"] = _picture(found, name, graph, layout(graph, room=STAGE[0]), style)
                parts[name] = t("present.part", shown=len(shown), total=len(graph))
    return pictures, parts


def _picture(found: Scored, name: str, graph: nx.DiGraph, places: Layout, style: DisplayStyle) -> str:
    about = _describe(found, name)
    return one(graph if name == "union" else unmarked(graph), places, style, **about, name=f"present-{name}", lang=found.settings.lang)


def _describe(found: Scored, view: str) -> dict[str, str]:
    """A picture's title, and the graph in words."""
    return {"title": t(f"graphs.{view}"), "description": described(found.result, view, page.style())}


def _tree(parse: Parse, lang: str) -> tuple[dict[str, str], dict[str, str]]:
    """The tree of the first sentence, over units where the language has them: as many words as can be read, and all; what is left out."""
    if not parse.document or not parse.document.sentences:
        return {}, {}
    sentence = parse.document.sentences[0]
    structure = language(lang).structure(sentence)
    whole = trees.unit_tree(sentence, structure.units) if structure else trees.word_tree(sentence)
    part = trees.beginning(whole, STAGE[0])
    pictures, shown, total = {"tree": _drawn_tree(part, "present-tree", lang)}, len(part["words"]), len(whole["words"])
    if shown == total:
        return pictures, {}
    return pictures | {"tree_whole": _drawn_tree(whole, "present-tree-whole", lang)}, {"tree": t("present.words", shown=shown, total=total)}


def _drawn_tree(tree: trees.Tree, name: str, lang: str) -> str:
    """A tree without a width of its own."""
    return re.sub(r'(<svg[^>]*?) width="[\d.]+"', r"\1", trees.svg(tree, name=name, lang=lang, close=True), count=1)


def _chips(found: Scored) -> list[dict[str, object]]:
    """The tuples as buttons: those of the candidate, then those missing."""
    name = t("tuples.implicit_subject")
    return [
        {"id": row.id, "text": tuple_text(row.parts, implicit_subject=name), "kind": row.kind, "state": row.state.value,
         "mark": design.MARKS[row.state], "nodes": list(row.nodes)}
        for row in found.explanation.rows
    ]  # fmt: skip


def _score(found: Scored) -> str:
    """The sums and the score, written out."""
    overall, style = found.result.overall, page.style()
    metric = escape(found.result.metric_name)
    sums = f"P {counted(overall.matched)}/{overall.candidate} · R {counted(overall.recalled)}/{overall.reference} · {metric}"
    return f"{sums}<b>{style.ratio(found.result.f1)}</b>"


def code_of(asked: Mapping[str, str]) -> tuple[str, str]:
    """The address of what is shown, and its QR code; none where it is too long for one."""
    import segno

    address = f"{(st.context.url or '').split('?')[0]}?{urlencode(asked)}" if asked else ""
    if not address or len(address) > LONGEST_CODE:
        return t("present.no_code"), ""
    # the search for the mask that looks best takes three times as long as all the rest, and cameras read each as well
    return address, segno.make(address, error="l", micro=False, mask=4).svg_inline(border=4, omitsize=True)
