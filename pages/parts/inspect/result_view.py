"""Linked views of one result: graphs, details and table share the focus. No view parses the captions again."""

import time
from collections.abc import Sequence
from html import escape

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts.inspect import downloads, ledger, parses, whatif
from pages.parts.kit import choice, matching, url
from pages.parts.kit.texts import t
from pages.parts.state import engine, examples, links, settings
from pages.parts.state.inspect_state import inspect_state
from pages.parts.views import component, detail, graphs, present, score, sheet, tuples
from spice_core import SpiceConfig
from spice_core.draw.style import DisplayStyle
from spice_core.explain.evidence import TupleRow
from spice_core.lang import language

NO_FOCUS = ""
_DRAWING_PAUSE_S = 0.12  # enough time for a slow machine to draw a hundred nodes


def show_scores(scored_captions: engine.ScoredCaptions, *, style: DisplayStyle) -> DeltaGenerator:
    """Show the score with the words that raised and lowered it. Return the container beside the score."""
    with st.container(horizontal=True, vertical_alignment="center", gap="medium", key="inspect.line"):
        with st.container(key="inspect.numbers"):
            score.show_header(scored_captions.result, ledger.headline(scored_captions), style=style)
        matching.choose()
        place = st.container(width="content", gap="xsmall", key="inspect.beside_numbers")
    ledger.show_chips(scored_captions)
    return place


def show_actions(scored_captions: engine.ScoredCaptions, *, style: DisplayStyle) -> None:
    """Show the buttons Pin, Copy link, Present and Download."""
    with st.container(horizontal=True, gap="small", width="content", key="inspect.actions"):
        whatif.show_pin_button(scored_captions)
        show_copy_button(scored_captions)
        present.show_button()
        downloads.show_menu(scored_captions, style=style)


def show_copy_button(scored_captions: engine.ScoredCaptions) -> None:
    """Show a button that copies the link to this result in the current view."""
    params, folded_params = links.link_params(scored_captions)
    problem = t("share.too_long") if len(params.get("t", "")) > links.MAX_LINK_CHARS - 200 else ""
    component.show_copy_button(params, view=links.VIEW_PARAMS, contains_captions=folded_params, problem=problem, key="inspect")


def present_result(scored_captions: engine.ScoredCaptions) -> None:
    """Present the result on the full screen if the URL requests it. The arrow keys switch between examples."""
    if not present.is_active():
        return
    names = list(examples.examples_by_id())
    name = examples.example_id_of(scored_captions.inputs)

    def show_neighbour(offset: int) -> None:
        examples.load_example(names[(names.index(name) + offset if name else 0) % len(names)])

    def use_captions(captions: engine.CaptionInputs) -> None:
        examples.fill_form(captions)
        inspect_state().scored = None

    params, _ = links.link_params(scored_captions)
    title, line = examples.example_titles(name) if name else (t("page.inspect"), "")
    position_text = f"{names.index(name) + 1}/{len(names)}" if name else ""
    slide = present.PresentedSlide(title, position_text, line=line, link=params)
    present.show_presentation(scored_captions, slide, turn_slide=show_neighbour, use_captions=use_captions)


def print_sheet(scored_captions: engine.ScoredCaptions) -> None:
    """Show the result as a printable sheet."""
    params, _ = links.link_params(scored_captions)
    name = examples.example_id_of(scored_captions.inputs)
    title = examples.example_titles(name)[0] if name else scored_captions.inputs.candidate[:80]
    sheet.show_sheet(scored_captions, title=title, question="", link=params, source="coco" if name else "own", key="inspect")


@st.fragment
def show_graphs(scored_captions: engine.ScoredCaptions, category_rows: Sequence[TupleRow]) -> None:
    """Show the graphs and the tuple in focus. Without a focus, highlight the tuples of the chosen category.

    A click reruns only this fragment.
    """
    all_rows = scored_captions.explanation.rows
    focus, row = choose_view_and_focus(all_rows)
    highlighted_ids = [focus] if focus else [row.id for row in category_rows] if len(category_rows) < len(all_rows) else []
    graphs.show_view(scored_captions, focus=focus, highlighted_rows=highlighted_ids, key="inspect", switch_place=row)
    with st.container(key="inspect.detail"):
        show_detail(scored_captions, focus)


def wait_for_drawing(scored_captions: engine.ScoredCaptions) -> None:
    """Wait briefly when a result is first shown, so that the browser draws its graphs before later elements arrive."""
    if st.runtime.exists() and "drawn" not in scored_captions.cache:
        scored_captions.cache["drawn"] = True
        time.sleep(_DRAWING_PAUSE_S)


@st.fragment
def show_table(scored_captions: engine.ScoredCaptions, category_rows: Sequence[TupleRow]) -> None:
    """Show a table of the chosen category's tuples, filtered by state and search."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="inspect.tuples"):
        st.subheader(t("tuples.title"), width="content")
        rows = tuples.search_rows(tuples.choose_state(category_rows))
    tuples.show_table(rows, scored_captions)


def show_detail(scored_captions: engine.ScoredCaptions, focus: str) -> None:
    """Show the explanation of the tuple in focus, a link to Rules, and buttons for the parses of its captions."""
    st.html(detail.row_html(scored_captions, focus))
    if focus:
        row = scored_captions.explanation.row_by_node[focus]
        sources = [*((0, s) for s in row.in_candidate), *((s.caption + 1, s) for s in row.in_references)]
        with st.container(horizontal=True, gap="small", key="inspect.sources"):
            address, explains_rules = links.tuple_link(scored_captions, row)
            if address:
                label = t("detail.why_rules" if explains_rules else "detail.rules_page")
                st.link_button(label, address, key="inspect.rules", type="tertiary")
            parses.offer_parses(scored_captions, list(dict.fromkeys(position for position, _ in sources)))


def choose_view_and_focus(rows: Sequence[TupleRow]) -> tuple[str, DeltaGenerator]:
    """Show the choices of view and focus, an alternative to clicking. Return the focus and the choices' container."""
    names = {NO_FOCUS: t("focus.nothing"), **tuples.tuple_labels(rows)}
    widget = "inspect.focus"
    url.init_from_param(widget, "focus", names, NO_FOCUS)
    if st.session_state[widget] not in names:
        st.session_state[widget] = choice.last_choice(widget, names, NO_FOCUS)
    row = st.container(horizontal=True, vertical_alignment="center", gap="small", key="inspect.choices")
    with row:
        graphs.choose_view()
        focus = choice.selectbox(t("focus.title"), names, key=widget, width=280, label_visibility="collapsed")
    url.set_param("focus", focus)
    return focus, row


_PAPER_SETTINGS = {"en": ("parser", "spice-2016"), "ja": ("rules", "jaspice-2023")}  # the settings for published figures, by language


def show_parser(shown_config: SpiceConfig) -> None:
    """Show parser or rules with their purpose, and a button that switches to and from the settings of published figures."""
    paper_part, papers = _PAPER_SETTINGS.get(shown_config.lang, ("", ""))
    if not paper_part:
        return
    chosen_name, default = getattr(shown_config, paper_part), getattr(settings.default_config(shown_config.lang), paper_part)
    purpose = {papers: t("costs.for_papers"), default: t("costs.for_graphs")}.get(chosen_name, "")
    other_name = default if chosen_name == papers else papers

    def switch_parser() -> None:
        rules = other_name if other_name in language(shown_config.lang).rules else shown_config.rules
        config = SpiceConfig(shown_config.lang, rules=rules).resolved()
        for name, value in {"rules": rules, paper_part: other_name, "synonyms": config.synonyms}.items():
            st.session_state[f"inspect.{shown_config.lang}.{name}"] = value

    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="inspect.parser"):
        custom_rules = t("costs.own_rules", name=escape(shown_config.rules)) if shown_config.rules_text else ""
        st.html(
            f'<p class="sc-note">{t(f"settings.{paper_part}")} <b>{escape(chosen_name)}</b>{purpose}{custom_rules}</p>', width="content"
        )
        label = t("costs.switch", name=other_name)
        description = t("costs.for_papers" if other_name == papers else "costs.for_graphs")
        st.button(label, key="inspect.other_parser", type="tertiary", on_click=switch_parser, help=label + description)
