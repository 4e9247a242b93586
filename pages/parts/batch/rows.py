"""The captions of a run as a table, and one caption in detail: tuples, graphs, causes."""

from collections.abc import Sequence
from functools import partial
from html import escape
from typing import Any

import streamlit as st

from pages.parts.batch import columns, filters
from pages.parts.batch.counts import Line
from pages.parts.batch.decisions import Decisions, cause_label
from pages.parts.batch.state import batch_state
from pages.parts.jobs.runs import ScoringRun
from pages.parts.kit import choice, html
from pages.parts.kit.texts import t
from pages.parts.uploads import images
from pages.parts.views import component, scored_rows, tuples
from pages.parts.views.filters import selected_questions
from pages.parts.views.scored_rows import show_captions, show_inspect_link, show_picture
from spice_core.data.work_file import MAX_TAGS
from spice_core.draw.style import DisplayStyle

_MAX_TABLE_HEIGHT_PX = 248  # leaves room for the detail below the table
_MAX_SHOWN_ROWS = 1_000  # maximum number of rows of the table, unless the visitor shows all


def show_table(matching_lines: Sequence[Line], run: ScoringRun, decisions: Decisions, *, style: DisplayStyle) -> None:
    """Show a table of the captions, by default the first ``_MAX_SHOWN_ROWS``. A click on a row selects its caption."""
    lines = matching_lines if batch_state().shows_all_rows else matching_lines[:_MAX_SHOWN_ROWS]
    ids = [line.id for line in lines]

    def handle_click() -> None:
        if (row_position := choice.clicked_row(widget)) is not None:
            st.session_state["batch.row"] = ids[row_position]
            batch_state().click_count += 1

    widget = f"batch.table.{hash(tuple(ids)) & 0xFFFFFF:x}"
    row_height = 64 if run.images else 35
    options: dict[str, Any] = {
        "row_height": row_height,
        "hide_index": True,
        "height": min(_MAX_TABLE_HEIGHT_PX, 38 + row_height * len(lines)),  # no empty rows below a short list
        "alt": t("batch.table_alt", number=len(lines)),
    }
    options |= columns.show_columns(lines, run, decisions, style=style)
    with st.container(key="batch.list"):
        st.dataframe(key=widget, on_select=handle_click, selection_mode="single-cell", **options)
    component.scroll_to("batch.list", batch_state().click_count)  # so that the clicked row and its detail are in view
    if len(lines) < len(matching_lines):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            html.show_note(t("batch.first_rows", number=len(lines), all=len(matching_lines)))
            show_all, label = partial(setattr, batch_state(), "shows_all_rows", True), t("batch.all_rows", number=len(matching_lines))
            st.button(label, key="batch.all_rows", type="tertiary", on_click=show_all)


def show_detail(line: Line, run: ScoringRun, *, style: DisplayStyle) -> None:
    """Show one caption with its image, references, scores, tuples and graphs, and links to Inspect and Rules."""
    images.show_photo(run.images.address(line.id, images.LARGE_PX) if run.images else None, t("images.alt", id=line.id))
    show_captions(line.row, run.settings.lang)
    values = " · ".join(f"{t(f'batch.column_{name}')} {style.format_ratio(getattr(line, name))}" for name in ("precision", "recall"))
    if answering_words := filters.answering_tuple_texts(line, run, selected_questions(filters.images_by_question(run))):
        st.html(f'<p class="sc-answers">{t("batch.column_tuples")}: <b>{escape("; ".join(answering_words))}</b></p>')
    st.html(f'<p class="sc-one"><b>{style.format_ratio(line.f1)}</b> {t("categories.f1")} <span>{values}</span></p>')
    links = scored_rows.rules_links(line.row, run.settings)
    for state, words in scored_rows.tuples_by_state(line.row).items():
        st.html(tuples.tuple_list(state, t(f"batch.state_{state}", number=len(words)), words, links))
    if links:
        html.show_note(t("tuples.to_rules"))
    show_picture(line.row, run.settings)
    show_inspect_link(line.row, run.settings, image=run.images.link_token(line.id) if run.images else "", key="batch")
    if run.trees:
        html.show_note(t("trees.links"))


def edit_cause(line: Line, run: ScoringRun, decisions: Decisions) -> None:
    """Show the editor for the causes and the note of a caption."""
    causes, note = (f"batch.{field}.{run.digest[:12]}.{line.id}" for field in ("cause", "note"))
    st.session_state[causes] = list(decisions.causes_of(line.id))  # in every run, otherwise Streamlit would remove the causes
    st.session_state.setdefault(note, decisions.note_of(line.id))

    def set_causes() -> None:
        decisions.set_causes(line.id, st.session_state[causes])

    def set_note() -> None:
        decisions.set_note(line.id, st.session_state[note].strip())

    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        options: dict[str, Any] = {"selection_mode": "multi", "on_change": set_causes, "wrap": True}
        choice.pills(t("batch.cause"), {name: cause_label(name) for name in decisions.caption_causes}, key=causes, **options)
        st.text_input(t("batch.note"), key=note, on_change=set_note, placeholder=t("batch.note_hint"))


def edit_all_causes(lines: Sequence[Line], decisions: Decisions) -> None:
    """Show controls that add a cause to all listed captions, undo the last addition, and edit the custom tags."""
    widget = "batch.cause_of_all"

    def give_cause() -> None:
        if st.session_state[widget] in decisions.caption_causes:
            decisions.add_cause([line.id for line in lines], st.session_state[widget])

    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        options: dict[str, Any] = {"index": None, "placeholder": t("tagging.choose"), "width": 240}
        cause = choice.selectbox(t("tagging.of_all"), {name: cause_label(name) for name in decisions.caption_causes}, key=widget, **options)
        st.button(t("tagging.all", number=len(lines)), key="batch.tag_all", disabled=not cause, on_click=give_cause)
        show_undo(decisions)
        with st.popover(t("tagging.own", number=len(decisions.tags))):
            edit_custom_tags(decisions)


def show_undo(decisions: Decisions) -> None:
    """Show a button that undoes the last addition of a cause to several captions."""
    if decisions.undo_count:
        st.button(t("tagging.undo", number=decisions.undo_count), key="batch.undo", on_click=decisions.undo, type="tertiary")


def edit_custom_tags(decisions: Decisions) -> None:
    """Show the editor for custom tags."""
    st.session_state["batch.custom_tags"] = list(decisions.tags)  # set in every run, because Streamlit drops the tags otherwise

    def handle_change() -> None:
        batch_state().tag_messages = decisions.set_tags(st.session_state["batch.custom_tags"])

    options: dict[str, Any] = {"accept_new_options": True, "max_selections": MAX_TAGS, "placeholder": t("tagging.hint")}
    options |= {"on_change": handle_change, "help": t("tagging.help", most=MAX_TAGS)}
    st.multiselect(t("tagging.title"), list(decisions.tags), key="batch.custom_tags", **options)
    html.show_messages(batch_state().tag_messages)
    batch_state().tag_messages = []
