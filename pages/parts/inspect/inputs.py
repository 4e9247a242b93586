"""The captions: one form with a candidate and any number of references."""

from __future__ import annotations

from html import escape
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts.inspect import paste
from pages.parts.kit.texts import t
from pages.parts.session.engine import Inputs
from pages.parts.session.examples import example_of, titles
from pages.parts.session.limits import MOST


def folded(key: str) -> bool:
    """Whether a link opened the page, which is then about its result."""
    return bool(st.session_state.get(f"{key}.folded"))


def places(*, key: str) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Where the inputs stand, and the score: side by side, or below each other where the inputs are folded."""
    if folded(key):
        return st.container(), st.container()
    left, right = st.columns(2, gap="medium")
    return left, right


def place(*, key: str) -> DeltaGenerator:
    """What holds the inputs: folded on a page that a link opened."""
    if not folded(key):
        return st.container()
    return st.expander(t("inputs.edit"), key=f"{key}.edit")


def form(*, key: str) -> bool:
    """Show the fields; returns True if Score was pressed. The Score button comes first so that Ctrl+Enter presses it."""
    with st.form(f"{key}.form", border=False):
        left, right = st.columns(2, gap="small") if folded(key) else (st.container(), st.container())
        with left:
            st.text_area(t("inputs.candidate"), key=f"{key}.candidate", placeholder=t("inputs.candidate_hint"), height="content")
            options: dict[str, Any] = {"type": "primary", "on_click": paste.share_out, "kwargs": {"key": key}}
            pressed = st.form_submit_button(t("inputs.score"), key=f"{key}.score", **options)
        with right, st.container(gap="xsmall"):
            st.html(f'<p class="sc-label">{t("inputs.references")}</p>')
            for number, row in enumerate(st.session_state[f"{key}.rows"], 1):
                _row(number, row, key=key)
            if full := _full(key):
                st.html(f'<p class="sc-note">{t("inputs.full", most=MOST)}</p>')
            st.form_submit_button(t("inputs.add"), key=f"{key}.add", on_click=_add, args=(key,), type="tertiary", disabled=full)
    paste.notice(key=key)
    return pressed


def _row(number: int, row: int, *, key: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        options: dict[str, Any] = {"placeholder": t("inputs.reference_hint"), "height": "content", "label_visibility": "collapsed"}
        st.text_area(t("inputs.reference", number=number), key=f"{key}.reference.{row}", **options)
        st.form_submit_button(t("inputs.remove"), key=f"{key}.remove.{row}", on_click=_remove, args=(key, row), type="tertiary")


def _full(key: str) -> bool:
    return len(st.session_state[f"{key}.rows"]) >= MOST


def _add(key: str) -> None:
    if _full(key):  # the button is off then, but a browser may send what it likes
        return
    row = st.session_state[f"{key}.next"]
    st.session_state[f"{key}.rows"] = [*st.session_state[f"{key}.rows"], row]
    st.session_state[f"{key}.next"] = row + 1


def _remove(key: str, row: int) -> None:
    st.session_state[f"{key}.rows"] = [r for r in st.session_state[f"{key}.rows"] if r != row]


def lesson(now: Inputs) -> None:
    """The lesson of the example; hidden once its captions are edited."""
    if name := example_of(now):
        title, teaches = titles(name)
        st.html(f'<p class="sc-lesson"><b>{escape(t("examples.lesson", title=title))}</b> {escape(teaches)}</p>')
