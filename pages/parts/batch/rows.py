"""The captions of a run as a table, and one of them in detail: tuples, graph, diagnosis."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import streamlit as st

from pages.parts.batch import decisions, questions
from pages.parts.batch.counts import Line
from pages.parts.batch.decisions import Decisions
from pages.parts.jobs.runs import Run
from pages.parts.kit import choice, html, messages
from pages.parts.kit.html import plain
from pages.parts.kit.texts import t
from pages.parts.uploads import images
from pages.parts.views import scored_rows, tuples
from pages.parts.views.scored_rows import captions, picture, to_inspect
from spice_core.data.work_file import MAX_TAGS
from spice_core.draw.style import DisplayStyle

_OFFERED = 500  # captions offered in the list
_SHOWN = 1_000  # rows of the table, until all are asked for


def table(found: Sequence[Line], run: Run, decided: Decisions, *, key: str, style: DisplayStyle) -> None:
    """The table of captions, of many the first ones; a row selected here or in the list below opens."""
    whole = f"{key}.whole"
    lines = found if st.session_state.get(whole) else found[:_SHOWN]
    ids = [line.id for line in lines]

    def clicked() -> None:
        if found := st.session_state[widget].selection.rows:
            st.session_state[f"{key}.row"] = ids[found[0]]

    asked = questions.requested_questions(run, key=key)
    weakest = {name: tuples.category(name) if name else "" for name in {line.weakest for line in lines}}
    photos, names = run.images, {"": "", **{name: decisions.label(name) for name in decided.for_captions}}
    columns = {
        "id": [str(line.id) for line in lines],
        **({"image": [photos.address(line.id, images.SMALL) for line in lines]} if photos else {}),
        "candidate": [line.candidate for line in lines],
        **({"concerned": ["; ".join(questions.answering_tuples(line, run, asked)) for line in lines]} if asked else {}),
        "f1": [line.f1 * style.scale for line in lines],
        "precision": [line.precision * style.scale for line in lines],
        "recall": [line.recall * style.scale for line in lines],
        **(
            {"lowest": [line.lowest and line.lowest * style.scale for line in lines]}
            if any(line.lowest is not None for line in lines)
            else {}
        ),
        "weakest": [weakest[line.weakest] for line in lines],
        "missing": [line.missing for line in lines],
        "extra": [line.extra for line in lines],
        "tag": [names[decided.captions.get(line.id, ("", ""))[0]] for line in lines],
    }
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
    widget = f"{key}.table.{hash(tuple(ids)) & 0xFFFFFF:x}"
    tall: dict[str, Any] = {"row_height": 64} if photos else {}
    options: dict[str, Any] = tall | {
        "hide_index": True,
        "column_config": config,
        "height": 320,
        "alt": t("batch.table_alt", number=len(lines)),
    }
    st.dataframe(columns, key=widget, on_select=clicked, selection_mode="single-row", **options)
    if len(lines) < len(found):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            html.note(t("batch.first_rows", number=len(lines), all=len(found)))
            st.button(
                t("batch.all_rows", number=len(found)),
                key=f"{key}.all_rows",
                type="tertiary",
                on_click=st.session_state.update,
                args=({whole: True},),
            )


def choose(lines: Sequence[Line], *, key: str) -> Line | None:
    """The choice of a caption, with buttons for the previous and the next."""
    widget, by_id = f"{key}.row", {line.id: line for line in lines}
    if not by_id:
        return None
    if st.session_state.get(widget) not in by_id:
        st.session_state[widget] = lines[0].id
    place = list(by_id).index(st.session_state[widget])
    start = max(0, min(place - _OFFERED // 2, len(lines) - _OFFERED))
    offered = list(by_id)[start : start + _OFFERED]

    def go(step: int) -> None:
        st.session_state[widget] = lines[(place + step) % len(lines)].id

    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.selectbox(t("batch.caption"), offered, key=widget, format_func=lambda i: f"{i} · {by_id[i].candidate}", persist_state="session")
        st.button(t("batch.previous"), key=f"{key}.previous", on_click=go, args=(-1,))
        st.button(t("batch.next"), key=f"{key}.next", on_click=go, args=(1,))
    return by_id[st.session_state[widget]]


def detail(line: Line, run: Run, *, key: str, style: DisplayStyle) -> None:
    """One caption: text, score, tuples, graph, and a link to Inspect."""
    left, right = st.columns([5, 4], gap="medium")
    with left:
        images.photo(run.images.address(line.id, images.LARGE) if run.images else None, t("images.alt", id=line.id))
        captions(line.row, run.settings.lang)
        values = " · ".join(f"{t(f'batch.column_{name}')} {style.ratio(getattr(line, name))}" for name in ("precision", "recall"))
        if concerned := questions.answering_tuples(line, run, questions.requested_questions(run, key=key)):
            st.html(f'<p class="sc-concerned">{t("batch.column_concerned")}: <b>{escape("; ".join(concerned))}</b></p>')
        st.html(f'<p class="sc-one"><b>{style.ratio(line.f1)}</b> {t("categories.f1")} <span>{values}</span></p>')
        links = scored_rows.to_rules(line.row, run.settings)
        for state, found in scored_rows.tuples(line.row).items():
            st.html(tuples.tuple_list(state, t(f"batch.state_{state}", number=len(found)), found, links))
        if links:
            html.note(t("tuples.to_rules"))
    with right:
        picture(line.row, run.settings)
        to_inspect(line.row, run.settings, image=run.images.mark(line.id) if run.images else "", key=key)
        if run.trees:
            html.note(t("trees.links"))


def edit_tag(line: Line, run: Run, decided: Decisions, *, key: str) -> None:
    """The visitor's diagnosis, with a note."""
    cause, note = (f"{key}.{what}.{run.digest[:12]}.{line.id}" for what in ("cause", "note"))
    before = decided.captions.get(line.id, ("", ""))
    st.session_state[cause] = before[0] or None  # told in every run: a page that lost it would take the diagnosis back
    st.session_state.setdefault(note, before[1])

    def keep_cause() -> None:
        decided.diagnose(line.id, st.session_state[cause] or "", decided.captions.get(line.id, ("", ""))[1])

    def keep_note() -> None:
        decided.diagnose(line.id, decided.captions.get(line.id, ("", ""))[0], st.session_state[note].strip())

    label = lambda name: plain(decisions.label(name))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        st.pills(t("batch.cause"), decided.for_captions, key=cause, format_func=label, on_change=keep_cause, wrap=True)
        st.text_input(t("batch.note"), key=note, on_change=keep_note, placeholder=t("batch.note_hint"))


def tag_all(lines: Sequence[Line], decided: Decisions, *, key: str) -> None:
    """A cause for all captions shown in one step, its undo, and the visitor's own tags."""
    widget = f"{key}.cause_of_all"

    def tag_them() -> None:
        if st.session_state[widget] in decided.for_captions:
            decided.diagnose_all([line.id for line in lines], st.session_state[widget])

    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        options: dict[str, Any] = {"index": None, "placeholder": t("tagging.choose"), "width": 240}
        cause = choice.in_list(t("tagging.of_all"), {name: decisions.label(name) for name in decided.for_captions}, key=widget, **options)
        st.button(t("tagging.all", number=len(lines)), key=f"{key}.tag_all", disabled=not cause, on_click=tag_them)
        undo(decided, key=key)
        with st.popover(t("tagging.own", number=len(decided.tags))):
            edit_custom_tags(decided, key=f"{key}.own_tags")


def undo(decided: Decisions, *, key: str) -> None:
    """A button that takes the last cause of many captions back."""
    if decided.undoable:
        st.button(t("tagging.undo", number=decided.undoable), key=f"{key}.undo", on_click=decided.undo, type="tertiary")


def edit_custom_tags(decided: Decisions, *, key: str) -> None:
    """The visitor's own tags: typed, kept or taken away."""
    st.session_state[key] = list(decided.tags)  # told in every run, as the diagnosis is

    def changed() -> None:
        st.session_state[f"{key}.said"] = decided.keep_tags(st.session_state[key])

    options: dict[str, Any] = {"accept_new_options": True, "max_selections": MAX_TAGS, "placeholder": t("tagging.hint")}
    st.multiselect(t("tagging.title"), list(decided.tags), key=key, on_change=changed, help=t("tagging.help", most=MAX_TAGS), **options)
    messages.say(st.session_state.pop(f"{key}.said", []))
