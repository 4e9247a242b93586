"""Present mode: one result on the full screen, built up step by step, with a QR code of its link."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from html import escape
from urllib.parse import urlencode, urlsplit

import networkx as nx
import streamlit as st

from pages.parts.kit import page, url
from pages.parts.kit.texts import t
from pages.parts.state import engine
from pages.parts.state.engine import CaptionInputs, ScoredCaptions
from pages.parts.views import captions, component, graphs, score
from pages.parts.views.graphs import without_full_stop
from spice_core.draw import design, trees
from spice_core.draw.layout import GraphLayout
from spice_core.draw.network import remove_states, union_network
from spice_core.draw.screen import fill_screen, readable_part
from spice_core.draw.style import DisplayStyle
from spice_core.draw.svg import describe_view, render_graph
from spice_core.explain.evidence import tuple_text
from spice_core.lang import language
from spice_core.scene.propositions import Parse
from spice_core.scene.scores import format_count

BEAT_NAMES = ("words", "tree", "tuples", "merged", "matched", "score")
_LAYOUT_SCALE = 13 / 20  # size of letters in a layout, relative to the smallest letters that an audience can read
STAGE_SIZE_PX = 1214 * _LAYOUT_SCALE, 400 * _LAYOUT_SCALE  # width and height of a layout that is readable on a screen of 1280 × 720
MIN_TREE_WORDS = 8  # minimum number of words in a tree, at the expense of letter size
MAX_CODE_CHARS = 800  # phones cannot scan larger QR codes from a screen
ADDRESS_KEY = "present.address"  # state key of the presenter's address for phones
LOCAL_HOSTS = ("localhost", "127.0.0.1", "::1", "")


@dataclass(frozen=True)
class AudienceChoice:
    """An answer offered to the audience, and why it is right or wrong."""

    label: str
    is_right: bool
    reason: str


@dataclass(frozen=True)
class PresentedSlide:
    """The texts beside the result, the parameters of its link, and its steps (``beats``)."""

    title: str
    position_text: str = ""
    question: str = ""
    choices: Sequence[AudienceChoice] = ()
    line: str = ""
    link: Mapping[str, str] = field(default_factory=dict)
    beats: tuple[str, ...] = BEAT_NAMES


def is_active() -> bool:
    """Return whether the URL requests Present mode."""
    return st.query_params.get("present") == "1"


def show_button() -> None:
    """Show the button that opens Present, with a keyboard shortcut."""
    st.button(t("present.button"), key=url.widget_key("present"), on_click=_enter_presentation, shortcut="P", help=t("present.help"))


def _enter_presentation() -> None:
    st.query_params["present"] = "1"
    st.query_params.pop("beat", None)


def show_presentation(
    scored_captions: ScoredCaptions,
    slide: PresentedSlide,
    *,
    turn_slide: Callable[[int], None],
    use_captions: Callable[[CaptionInputs], None] | None = None,
) -> None:
    """Present a result on the full screen.

    ``turn_slide`` moves to the next or previous result. ``use_captions`` receives captions that the presenter enters.
    """
    widget = url.widget_key("screen")

    def on_leave() -> None:
        for name in ("present", "beat"):
            url.set_param(name, "")

    def on_turn() -> None:
        step = st.session_state[widget].go
        st.query_params.pop("beat", None)
        if step in (1, -1):
            st.query_params["beat"] = "1"
            turn_slide(step)

    def on_captions() -> None:
        captions_ = st.session_state[widget].captions
        if use_captions and (inputs := _read_inputs(captions_)):
            st.query_params["beat"] = "1"
            use_captions(inputs)

    data = _stage_data(scored_captions, slide, is_editable=use_captions is not None)
    show_stage = component.registered_component("present")
    show_stage(key=widget, data=data, on_left_change=on_leave, on_go_change=on_turn, on_captions_change=on_captions)


def _read_inputs(content: object) -> CaptionInputs | None:
    """Return the captions sent by a browser, or None if they are incomplete or invalid."""
    if not isinstance(content, Mapping):
        return None
    candidate, references = content.get("candidate"), content.get("references")
    if not isinstance(candidate, str) or not isinstance(references, list):
        return None
    lines = tuple(" ".join(line.split()) for line in references if isinstance(line, str) and line.strip())
    return CaptionInputs(" ".join(candidate.split()), lines) if candidate.strip() and lines else None


def _stage_data(scored_captions: ScoredCaptions, slide: PresentedSlide, *, is_editable: bool) -> dict[str, object]:
    cache_key = ("present", slide.beats, page.display_style())
    pictures, parts = scored_captions.cached(cache_key, lambda: _draw_pictures(scored_captions, slide.beats))
    address, code = address_and_code(slide.link)
    beat_name = st.query_params.get("beat", "")
    names = ("back", "next", "view", "all", "code", "own", "blank", "full", "help_button", "leave", "candidate", "references", "score")
    texts: dict[str, object] = {name.removesuffix("_button"): t(f"present.{name}") for name in names}
    data: dict[str, object] = {
        "title": slide.title,
        "of": slide.position_text,
        "ask": slide.question,
        "choices": [{"label": option.label, "right": option.is_right, "why": option.reason} for option in slide.choices],
        "line": slide.line,
        "beats": [name for name in slide.beats if name != "tree" or "tree" in pictures],
        "pictures": pictures,
        "parts": parts,
        "captions": captions.named_captions_html(scored_captions, is_plain=False),
        "chips": _tuple_chips(scored_captions),
        "score": _score_html(scored_captions),
        "editable": is_editable,
        "own": [scored_captions.inputs.candidate, *scored_captions.inputs.references],
        "lang": scored_captions.settings.lang,
        "longest": engine.MAX_CAPTION_CHARS,
        "code": code,
        "link": address,
        "local": t("present.local") if urlsplit(address).hostname in LOCAL_HOSTS else "",
        "texts": texts | {f"beat_{name}": t(f"present.beat_{name}") for name in BEAT_NAMES} | {"keys": t("present.keys").split("\n")},
    }
    identity = {name: data[name] for name in ("title", "ask", "own", "pictures")}
    return data | {"mark": sha256(repr(identity).encode()).hexdigest(), "beat": int(beat_name) if beat_name in map(str, range(1, 7)) else 1}


def _draw_pictures(scored_captions: ScoredCaptions, beat_names: Sequence[str]) -> tuple[dict[str, str], dict[str, str]]:
    """Return the tree and the graphs as SVG by name, and notes on pictures that show only a readable part."""
    style = replace(page.display_style(), theme="auto")
    networks = graphs.networks_of(scored_captions)
    network_by_view = {"candidate": networks[0], "references": networks[1], "union": union_network(*networks)}
    beat_of = {"candidate": "tuples", "references": "merged", "union": "matched"}
    pictures, parts = _draw_tree(scored_captions.parses[0], scored_captions.settings.lang) if "tree" in beat_names else ({}, {})
    for name, graph in network_by_view.items():
        if beat_of[name] in beat_names:
            part, places = readable_part(graph, *STAGE_SIZE_PX)
            pictures[name] = _picture_svg(scored_captions, name, part, places, style)
            if len(part) < len(graph):
                pictures[f"{name}_whole"] = _picture_svg(scored_captions, name, graph, fill_screen(graph, *STAGE_SIZE_PX)[0], style)
                parts[name] = t("present.part", shown=len(part), total=len(graph))
    return pictures, parts


def _picture_svg(scored_captions: ScoredCaptions, name: str, graph: nx.DiGraph, layout: GraphLayout, style: DisplayStyle) -> str:
    description = describe_view(scored_captions.result, name, page.display_style())
    graph, lang = graph if name == "union" else remove_states(graph), scored_captions.settings.lang
    return render_graph(graph, layout, style, view=name, description=description, name=f"present-{name}", lang=lang)


def _draw_tree(parse: Parse, lang: str) -> tuple[dict[str, str], dict[str, str]]:
    """Draw the first sentence's tree (over units, if the language has them): a readable part, the full tree, and a note."""
    if not parse.document or not parse.document.sentences:
        return {}, {}
    sentence = parse.document.sentences[0]
    structure, basic = language(lang).structure(sentence), without_full_stop(sentence)
    tree = trees.unit_tree(sentence, structure.units) if structure else trees.graph_tree(basic.tokens, basic.edges)
    part = trees.truncate_tree(tree, STAGE_SIZE_PX[0], min_words=MIN_TREE_WORDS)
    pictures, part_length, length = {"tree": _tree_svg(part, "present-tree", lang)}, len(part["words"]), len(tree["words"])
    if part_length == length:
        return pictures, {}
    return pictures | {"tree_whole": _tree_svg(tree, "present-tree-whole", lang)}, {
        "tree": t("present.words", shown=part_length, total=length)
    }


def _tree_svg(tree: trees.DisplacyTree, name: str, lang: str) -> str:
    return re.sub(r'(<svg[^>]*?) width="[\d.]+"', r"\1", trees.tree_svg(tree, name=name, lang=lang), count=1)


def _tuple_chips(scored_captions: ScoredCaptions) -> list[dict[str, object]]:
    """Return the data of a button for each tuple, matched tuples first and missing tuples last."""
    name = t("tuples.implicit_subject")
    return [
        {"id": row.id, "text": tuple_text(row.parts, implicit_subject=name), "kind": row.kind, "state": row.state.value,
         "mark": design.MARK_BY_STATE[row.state], "nodes": list(row.nodes)}
        for row in scored_captions.explanation.rows
    ]  # fmt: skip


def _score_html(scored_captions: ScoredCaptions) -> str:
    overall, style = scored_captions.result.overall, page.display_style()
    metric = escape(score.metric_label(scored_captions.result))
    sums = f"P {format_count(overall.matched)}/{overall.candidate} · R {format_count(overall.recalled)}/{overall.reference} · {metric}"
    return f"{sums}<b>{style.format_ratio(scored_captions.result.f1)}</b>"


def read_address(text: str) -> str:
    """Return the page's URL at an address entered by a presenter, such as 192.168.0.20:8501, or "" if it is invalid.

    A numeric address without a port has the port of this page.
    """
    current = urlsplit(st.context.url or "http://localhost")
    try:
        entered = urlsplit(text.strip() if "://" in text else f"{current.scheme}://{text.strip()}")
        host = entered.netloc.removesuffix(f":{entered.port}")
    except ValueError:
        return ""
    if entered.scheme not in ("http", "https") or not re.fullmatch(r"[\w.-]+|\[[\da-f:]+\]", host):
        return ""
    port = entered.port or (current.port if re.fullmatch(r"[\d.]+", host) else None)
    return f"{entered.scheme}://{host}{f':{port}' if port else ''}{entered.path if entered.path.strip('/') else current.path}"


def address_and_code(params: Mapping[str, str]) -> tuple[str, str]:
    """Return the URL with these parameters and its QR code, or a message and "" if there is none or it is too long."""
    import segno

    address = f"{st.session_state.get(ADDRESS_KEY) or (st.context.url or '').split('?')[0]}?{urlencode(params)}" if params else ""
    if not address or len(address) > MAX_CODE_CHARS:
        return t("present.no_code"), ""
    # a fixed mask: the search for the best one triples the time, and cameras read all masks
    return address, segno.make(address, error="l", micro=False, mask=4).svg_inline(border=4, omitsize=True)
