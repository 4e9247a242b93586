"""The captions: one form with a candidate and any number of references, each with its marked words until it is edited."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any, NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts.inspect import paste
from pages.parts.kit.texts import t
from pages.parts.state import examples
from pages.parts.state.engine import Inputs, Scored
from pages.parts.state.examples import example_of, titles
from pages.parts.state.limits import IN_ALL, MOST
from pages.parts.views import captions, component
from spice_core.errors import encodable


class Places(NamedTuple):
    """Where the captions stand: the line above the references, below all of them, and the marked words by caption as written."""

    counting: DeltaGenerator
    below: DeltaGenerator
    marked: list[tuple[str, DeltaGenerator]]


def form(*, key: str) -> tuple[bool, Places]:
    """Show the fields; returns whether Score was pressed. The Score button comes first so that Ctrl+Enter presses it."""
    marked = []
    with st.form(f"{key}.form", border=False):
        with st.container(key=f"{key}.first", gap="xsmall"):
            with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", gap="small"):
                st.html(f'<p class="sc-label">{t("inputs.candidate")}</p>', width="content")
                options: dict[str, Any] = {"type": "primary", "on_click": paste.share_out, "kwargs": {"key": key}}
                pressed = st.form_submit_button(t("inputs.score"), key=f"{key}.score", **options)
            marked.append(_field(t("inputs.candidate"), t("inputs.candidate_hint"), f"{key}.candidate"))
        with st.container(key=f"{key}.others", gap="xsmall"):
            for number, row in enumerate(st.session_state[f"{key}.rows"], 1):
                with st.container(horizontal=True, vertical_alignment="top", gap="xsmall", key=f"{key}.row.{row}"):
                    marked.append(_field(t("inputs.reference", number=number), t("inputs.reference_hint"), f"{key}.reference.{row}"))
                    options = {"type": "tertiary", "on_click": _remove, "args": (key, row)}
                    st.form_submit_button(t("inputs.remove"), key=f"{key}.remove.{row}", **options)
            if full := _full(key):
                st.html(f'<p class="sc-note">{t("inputs.full", most=MOST)}</p>')
            st.form_submit_button(t("inputs.add"), key=f"{key}.add", on_click=_add, args=(key,), type="tertiary", disabled=full)
    counting, below = st.container(key=f"{key}.counting"), st.container(key=f"{key}.below", gap="xsmall")
    with counting:
        st.html(f'<p class="sc-label">{t("inputs.references")}</p>', width="content")
    with below:
        paste.notice(key=key)
    return pressed, Places(counting, below, marked)


def _field(label: str, hint: str, key: str) -> tuple[str, DeltaGenerator]:
    """A field for a caption; returns the caption and the place of its marked words, which hide the field until it is edited."""
    with st.container(key=f"{key}.field"):
        text = st.text_area(label, key=key, placeholder=hint, height="content", label_visibility="collapsed")
        return text.strip(), st.container()


def mark_words(scored: Scored, places: Places, *, key: str) -> None:
    """Put the marked words of the captions in the place of those that were scored, and let the browser tell when they are edited."""
    candidate, *references = captions.fields(scored)
    found = dict(zip(scored.inputs.references, references, strict=True))
    first, *others = places.marked
    shown = [(first, candidate if first[0] == scored.inputs.candidate else ""), *((each, found.get(each[0], "")) for each in others)]
    for (_, place), marked in shown:
        if marked:
            place.html(marked)
    with places.below:
        captions.show_unused_words(scored)
    follow([scored.inputs.candidate, *scored.inputs.references], key=key)


def follow(scored: Sequence[str], *, key: str) -> None:
    """Follow the fields in the browser, given the captions that were scored; none where none were."""
    component.fields(scored, edit=t("inputs.edit"), typed=lambda found: _restore_typing(found, key=key), key=key)


def _restore_typing(found: object, *, key: str) -> None:
    """Fill in, or remember for the card of one's own captions, what a browser says was typed; anything else is ignored."""
    texts = found.get("captions") if isinstance(found, dict) else None
    if not isinstance(found, dict) or not isinstance(texts, list) or not 0 < len(texts) <= MOST + 1:
        return
    if not all(isinstance(text, str) for text in texts) or sum(map(len, texts)) > 2 * IN_ALL:
        return
    typed = Inputs(encodable(texts[0]), tuple(map(encodable, texts[1:])))
    if found.get("fill") is True:
        examples.fill(typed, key=key)
    else:
        st.session_state[f"{key}.typed"] = typed


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
