"""The captions of a run as a table, and one caption in detail: tuples, graphs, causes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import streamlit as st

from pages.parts.batch import outcome_filters
from pages.parts.batch.counts import Line
from pages.parts.batch.decisions import Decisions, cause_label
from pages.parts.jobs.runs import ScoringRun
from pages.parts.kit import choice, html, messages
from pages.parts.kit.texts import t
from pages.parts.uploads import images
from pages.parts.views import scored_rows, tuples
from pages.parts.views.scored_rows import show_captions, show_inspect_link, show_picture
from spice_core.data.work_file import MAX_TAGS
from spice_core.draw.style import DisplayStyle

_COLUMN_NAMES = tuple(
    "id image candidate concerned f1 precision recall lowest weakest missing extra tag".split()
)  # order of the columns; other columns follow
_MAX_OPTIONS = 500  # maximum number of captions in the select box
_MAX_ROWS = 1_000  # maximum number of rows of the table, unless the visitor shows all


def show_table(matching_lines: Sequence[Line], run: ScoringRun, decisions: Decisions, *, key: str, style: DisplayStyle) -> None:
    """Show a table of the captions, by default of the first ``_MAX_ROWS``. A click on a row selects its caption."""
    show_all = f"{key}.whole"
    lines = matching_lines if st.session_state.get(show_all) else matching_lines[:_MAX_ROWS]
    ids = [line.id for line in lines]

    def handle_click() -> None:
        if (row_position := choice.clicked_row(widget)) is not None:
            st.session_state[f"{key}.row"] = ids[row_position]

    requested_names = outcome_filters.requested_questions(run, key=key)
    columns = _identifying_columns(lines, run) | _score_columns(lines, style) | _error_columns(lines, decisions)
    if requested_names:
        columns["concerned"] = ["; ".join(outcome_filters.answering_tuple_texts(line, run, requested_names)) for line in lines]
    columns = {name: columns[name] for name in [*_COLUMN_NAMES, *columns] if name in columns}
    widget = f"{key}.table.{hash(tuple(ids)) & 0xFFFFFF:x}"
    row_height = 64 if run.images else 35
    options: dict[str, Any] = {
        "row_height": row_height,
        "hide_index": True,
        "column_config": _column_config(columns, style),
        "height": min(320, 38 + row_height * len(lines)),  # no empty rows below a short list
        "alt": t("batch.table_alt", number=len(lines)),
    }
    st.dataframe(columns, key=widget, on_select=handle_click, selection_mode="single-cell", **options)
    if len(lines) < len(matching_lines):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            html.show_note(t("batch.first_rows", number=len(lines), all=len(matching_lines)))
            st.button(
                t("batch.all_rows", number=len(matching_lines)),
                key=f"{key}.all_rows",
                type="tertiary",
                on_click=st.session_state.update,
                args=({show_all: True},),
            )


def _identifying_columns(lines: Sequence[Line], run: ScoringRun) -> dict[str, list[Any]]:
    """Return the columns for id, candidate and, if there are images, image."""
    columns: dict[str, list[Any]] = {"id": [str(line.id) for line in lines], "candidate": [line.candidate for line in lines]}
    if photos := run.images:
        columns["image"] = [photos.address(line.id, images.SMALL_PX) for line in lines]
    return columns


def _score_columns(lines: Sequence[Line], style: DisplayStyle) -> dict[str, list[Any]]:
    """Return the score columns. If any candidate has several sentences, include the lowest precision of a sentence."""
    columns: dict[str, list[Any]] = {name: [getattr(line, name) * style.scale for line in lines] for name in ("f1", "precision", "recall")}
    if any(line.lowest is not None for line in lines):
        columns["lowest"] = [line.lowest and line.lowest * style.scale for line in lines]
    return columns


def _error_columns(lines: Sequence[Line], decisions: Decisions) -> dict[str, list[Any]]:
    """Return the columns for the weakest category, the numbers of unmatched tuples, and the causes."""
    names = {name: cause_label(name) for name in decisions.caption_causes}
    weakest = {name: tuples.category_label(name) if name else "" for name in {line.weakest for line in lines}}
    return {
        "weakest": [weakest[line.weakest] for line in lines],
        "missing": [line.missing for line in lines],
        "extra": [line.extra for line in lines],
        "tag": [", ".join(map(names.__getitem__, decisions.causes_of(line.id))) for line in lines],
    }


def _column_config(columns: Mapping[str, object], style: DisplayStyle) -> dict[str, object]:
    """Return the column configuration of the table."""
    form = "%.1f" if style.percent else "%.3f"
    config: dict[str, object] = {name: st.column_config.Column(t(f"batch.column_{name}")) for name in columns}
    config["candidate"] = st.column_config.TextColumn(t("batch.column_candidate"), width="large")
    config["concerned"] = st.column_config.TextColumn(t("batch.column_concerned"), width="medium")
    config["f1"] = st.column_config.ProgressColumn(
        t("batch.column_f1"), min_value=0, max_value=style.scale, format=form, width="small", color="gray"
    )
    config["image"] = st.column_config.ImageColumn(t("batch.column_image"), width="small")
    for name in {"precision", "recall", "lowest"} & columns.keys():
        config[name] = st.column_config.NumberColumn(t(f"batch.column_{name}"), format=form)
    return config


def choose_line(lines: Sequence[Line], *, key: str) -> Line | None:
    """Show the choice of a caption, with buttons for the previous and the next caption. Return its line, or None if there are no lines."""
    widget, by_id = f"{key}.row", {line.id: line for line in lines}
    if not by_id:
        return None
    if st.session_state.get(widget) not in by_id:
        st.session_state[widget] = lines[0].id
    position = list(by_id).index(st.session_state[widget])
    start = max(0, min(position - _MAX_OPTIONS // 2, len(lines) - _MAX_OPTIONS))
    offered_ids = list(by_id)[start : start + _MAX_OPTIONS]

    def move_selection(step: int) -> None:
        st.session_state[widget] = lines[(position + step) % len(lines)].id

    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key=f"{key}.choose"):
        st.selectbox(
            t("batch.caption"), offered_ids, key=widget, format_func=lambda i: f"{i} · {by_id[i].candidate}", persist_state="session"
        )
        st.button(t("batch.previous"), key=f"{key}.previous", on_click=move_selection, args=(-1,))
        st.button(t("batch.next"), key=f"{key}.next", on_click=move_selection, args=(1,))
    return by_id[st.session_state[widget]]


def show_detail(line: Line, run: ScoringRun, *, key: str, style: DisplayStyle) -> None:
    """Show one caption with its image, references, scores, tuples and graphs, and links to Inspect and Rules."""
    left, right = st.columns([5, 4], gap="medium")
    with left:
        images.show_photo(run.images.address(line.id, images.LARGE_PX) if run.images else None, t("images.alt", id=line.id))
        show_captions(line.row, run.settings.lang)
        values = " · ".join(f"{t(f'batch.column_{name}')} {style.format_ratio(getattr(line, name))}" for name in ("precision", "recall"))
        if answering_words := outcome_filters.answering_tuple_texts(line, run, outcome_filters.requested_questions(run, key=key)):
            st.html(f'<p class="sc-concerned">{t("batch.column_concerned")}: <b>{escape("; ".join(answering_words))}</b></p>')
        st.html(f'<p class="sc-one"><b>{style.format_ratio(line.f1)}</b> {t("categories.f1")} <span>{values}</span></p>')
        links = scored_rows.rules_links(line.row, run.settings)
        for state, words in scored_rows.tuples_by_state(line.row).items():
            st.html(tuples.tuple_list(state, t(f"batch.state_{state}", number=len(words)), words, links))
        if links:
            html.show_note(t("tuples.to_rules"))
    with right:
        show_picture(line.row, run.settings)
        show_inspect_link(line.row, run.settings, image=run.images.link_token(line.id) if run.images else "", key=key)
        if run.trees:
            html.show_note(t("trees.links"))


def edit_cause(line: Line, run: ScoringRun, decisions: Decisions, *, key: str) -> None:
    """Show the editor for the causes and the note of a caption."""
    causes, note = (f"{key}.{field}.{run.digest[:12]}.{line.id}" for field in ("cause", "note"))
    st.session_state[causes] = list(
        decisions.causes_of(line.id)
    )  # set in every run of the page; otherwise Streamlit would remove the causes
    st.session_state.setdefault(note, decisions.note_of(line.id))

    def set_causes() -> None:
        decisions.set_causes(line.id, st.session_state[causes])

    def set_note() -> None:
        decisions.set_note(line.id, st.session_state[note].strip())

    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        options: dict[str, Any] = {"selection_mode": "multi", "on_change": set_causes, "wrap": True}
        choice.pills(t("batch.cause"), {name: cause_label(name) for name in decisions.caption_causes}, key=causes, **options)
        st.text_input(t("batch.note"), key=note, on_change=set_note, placeholder=t("batch.note_hint"))


def edit_all_causes(lines: Sequence[Line], decisions: Decisions, *, key: str) -> None:
    """Show controls that add a cause to all listed captions, undo the last addition, and edit the custom tags."""
    widget = f"{key}.cause_of_all"

    def give_cause() -> None:
        if st.session_state[widget] in decisions.caption_causes:
            decisions.add_cause([line.id for line in lines], st.session_state[widget])

    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        options: dict[str, Any] = {"index": None, "placeholder": t("tagging.choose"), "width": 240}
        cause = choice.selectbox(t("tagging.of_all"), {name: cause_label(name) for name in decisions.caption_causes}, key=widget, **options)
        st.button(t("tagging.all", number=len(lines)), key=f"{key}.tag_all", disabled=not cause, on_click=give_cause)
        show_undo(decisions, key=key)
        with st.popover(t("tagging.own", number=len(decisions.tags))):
            edit_custom_tags(decisions, key=f"{key}.own_tags")


def show_undo(decisions: Decisions, *, key: str) -> None:
    """Show a button that undoes the last addition of a cause to several captions."""
    if decisions.undo_count:
        st.button(t("tagging.undo", number=decisions.undo_count), key=f"{key}.undo", on_click=decisions.undo, type="tertiary")


def edit_custom_tags(decisions: Decisions, *, key: str) -> None:
    """Show the editor for custom tags."""
    st.session_state[key] = list(decisions.tags)  # set in every run of the page; otherwise Streamlit would remove the tags

    def handle_change() -> None:
        st.session_state[f"{key}.said"] = decisions.set_tags(st.session_state[key])

    options: dict[str, Any] = {"accept_new_options": True, "max_selections": MAX_TAGS, "placeholder": t("tagging.hint")}
    st.multiselect(
        t("tagging.title"), list(decisions.tags), key=key, on_change=handle_change, help=t("tagging.help", most=MAX_TAGS), **options
    )
    messages.show_messages(st.session_state.pop(f"{key}.said", []))
