"""The captions: an example gallery and one form with a candidate and any number of references."""

from __future__ import annotations

import json
from functools import cache
from html import escape
from pathlib import Path

import streamlit as st

from pages.parts.engine import Inputs
from pages.parts.words import interface, t

EXAMPLES = Path(__file__).parents[2] / "assets" / "examples.json"
MOST, LONGEST, IN_ALL = 50, 1_000, 10_000  # references; characters of a caption, and of all together: some seconds of work


@cache
def groups() -> list[dict]:
    """The examples in groups by what they teach; names and texts in each interface language."""
    return json.loads(EXAMPLES.read_text(encoding="utf-8"))


def examples() -> dict[str, dict]:
    """The examples by id."""
    return {example["id"]: example for group in groups() for example in group["examples"]}


def captions_of(example: dict) -> Inputs:
    """The captions of an example."""
    return Inputs(example["candidate"], tuple(example["references"]))


def example_of(captions: Inputs) -> str:
    """The id of the example with these captions; empty for none."""
    return next((name for name, example in examples().items() if captions_of(example) == captions), "")


def said(name: str) -> tuple[str, str]:
    """The title of an example and what it teaches, in the interface language."""
    example = examples()[name]
    return example["title"][interface()], example["teaches"][interface()]


def excess(captions: Inputs) -> list[tuple[str, str]]:
    """What of these captions is more than one visitor may ask for: what was found and what is taken."""
    texts = (captions.candidate, *captions.references)
    found = [
        ("references", len(captions.references), MOST),
        ("caption", max(map(len, texts)), LONGEST),
        ("in_all", sum(map(len, texts)), IN_ALL),
    ]
    return [
        (t(f"excess.{name}", number=f"{number:,}"), t(f"excess.{name}_most", most=f"{most:,}"))
        for name, number, most in found
        if number > most
    ]


def prepare(*, key: str) -> bool:
    """Fill the form at the first visit, with the first example; says whether it did."""
    if f"{key}.rows" in st.session_state and f"{key}.candidate" in st.session_state:
        return False
    if scored := st.session_state.get(f"{key}.scored"):  # back from another page, which dropped the fields
        fill(scored.inputs, key=key)
        return False
    load(next(iter(examples())), key=key)
    return True


def load(name: str, *, key: str) -> None:
    """Put an example into the form and drop the result, so that it is scored."""
    fill(captions_of(examples()[name]), key=key)
    st.session_state[f"{key}.lang"] = "auto"
    st.session_state.pop(f"{key}.scored", None)


def fill(inputs: Inputs, *, key: str) -> None:
    """Put captions into the fields."""
    state = st.session_state
    start = state.get(f"{key}.next", 0)
    state[f"{key}.candidate"] = inputs.candidate
    state[f"{key}.rows"] = list(range(start, start + len(inputs.references)))
    state[f"{key}.next"] = start + len(inputs.references)
    for row, caption in zip(state[f"{key}.rows"], inputs.references):
        state[f"{key}.reference.{row}"] = caption


def current(*, key: str) -> Inputs:
    """The captions in the fields, as last submitted; empty references are left out."""
    state = st.session_state
    captions = [state.get(f"{key}.reference.{row}", "").strip() for row in state[f"{key}.rows"]]
    return Inputs(state.get(f"{key}.candidate", "").strip(), tuple(filter(None, captions)))


def form(*, key: str) -> bool:
    """The fields; says whether Score was pressed. The Score button comes first: Ctrl+Enter presses it."""
    with st.form(f"{key}.form", border=False):
        left, right = st.columns(2, gap="small")
        with left:
            st.text_area(t("inputs.candidate"), key=f"{key}.candidate", placeholder=t("inputs.candidate_hint"), height="content")
            pressed = st.form_submit_button(t("inputs.score"), type="primary", key=f"{key}.score")
        with right, st.container(gap="xsmall"):
            st.html(f'<p class="sc-label">{t("inputs.references")}</p>')
            for number, row in enumerate(st.session_state[f"{key}.rows"], 1):
                _row(number, row, key=key)
            if full := _full(key):
                st.html(f'<p class="sc-note">{t("inputs.full", most=MOST)}</p>')
            st.form_submit_button(t("inputs.add"), key=f"{key}.add", on_click=_add, args=(key,), type="tertiary", disabled=full)
    return pressed


def _row(number: int, row: int, *, key: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        look = {"placeholder": t("inputs.reference_hint"), "height": "content", "label_visibility": "collapsed"}
        st.text_area(t("inputs.reference", number=number), key=f"{key}.reference.{row}", **look)
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
    """What the example teaches; nothing once its captions have been edited."""
    if name := example_of(now):
        title, teaches = said(name)
        st.html(f'<p class="sc-lesson"><b>{escape(title)}.</b> {escape(teaches)}</p>')
