"""The example gallery and the captions in the form."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import streamlit as st

from pages.parts.kit.texts import interface_language
from pages.parts.state.engine import CaptionInputs
from spice_core.lang import detect_language

EXAMPLES_FILE = Path(__file__).parents[3] / "assets" / "examples.json"


@cache
def example_groups() -> list[dict]:
    """Return the examples, grouped by topic, with names and texts in each interface language."""
    return json.loads(EXAMPLES_FILE.read_text(encoding="utf-8"))


def examples_by_id() -> dict[str, dict]:
    """Return the examples by id."""
    return {example["id"]: example for group in example_groups() for example in group["examples"]}


def first_example_id() -> str:
    """Return the id of the first example whose candidate is in the interface language or, if there is none, of the first example."""
    examples = examples_by_id()
    return next(
        (name for name, example in examples.items() if detect_language((example["candidate"],)) == interface_language()),
        next(iter(examples)),
    )


def captions_of(example: dict) -> CaptionInputs:
    """Return the captions of an example."""
    return CaptionInputs(example["candidate"], tuple(example["references"]))


def example_id_of(captions: CaptionInputs) -> str:
    """Return the id of the example with these captions, or ""."""
    return next((name for name, example in examples_by_id().items() if captions_of(example) == captions), "")


def example_titles(example_id: str) -> tuple[str, str]:
    """Return the title and lesson of an example, in the interface language."""
    example = examples_by_id()[example_id]
    return example["title"][interface_language()], example["teaches"][interface_language()]


def current_captions(*, key: str) -> CaptionInputs:
    """Return the captions in the form, without empty references."""
    state = st.session_state
    captions = [state.get(f"{key}.reference.{row}", "").strip() for row in state[f"{key}.rows"]]
    return CaptionInputs(state.get(f"{key}.candidate", "").strip(), tuple(filter(None, captions)))


def prepare_form(example_id: str, *, key: str) -> bool:
    """Fill the form if it has no fields yet: with the captions of the result, or else with an example.

    The example is the one with this id or, if there is none, the first example. Return whether an example was loaded.
    """
    if f"{key}.rows" in st.session_state and f"{key}.candidate" in st.session_state:
        return False
    if scored_captions := st.session_state.get(
        f"{key}.scored"
    ):  # the visitor returns from another page, and Streamlit drops the fields of hidden pages
        fill_form(scored_captions.inputs, key=key)
        return False
    load_example(example_id if example_id in examples_by_id() else first_example_id(), key=key)
    return True


def load_example(example_id: str, *, key: str) -> None:
    """Load an example into the form and drop the result, so that the page scores the example. Remember custom captions."""
    remember_captions(key=key)
    fill_form(captions_of(examples_by_id()[example_id]), key=key)
    st.session_state[f"{key}.lang"] = "auto"
    st.session_state.pop(f"{key}.scored", None)


def remember_captions(*, key: str) -> None:
    """Remember the typed captions so that the visitor can restore them, unless they are empty or belong to an example."""
    typed_inputs: CaptionInputs | None = st.session_state.pop(f"{key}.typed", None)
    if typed_inputs or f"{key}.rows" in st.session_state:
        current_inputs = typed_inputs or current_captions(key=key)
        if (current_inputs.candidate or any(current_inputs.references)) and not example_id_of(current_inputs):
            st.session_state[f"{key}.own"] = CaptionInputs(current_inputs.candidate, tuple(filter(None, current_inputs.references)))


def restore_captions(*, key: str) -> None:
    """Fill the form with the remembered captions and drop the result, so that the page scores these captions."""
    fill_form(st.session_state[f"{key}.own"], key=key)
    st.session_state[f"{key}.lang"] = "auto"
    st.session_state.pop(f"{key}.scored", None)


def clear_form(*, key: str) -> None:
    """Clear the form and drop the result. Remember custom captions."""
    remember_captions(key=key)
    fill_form(CaptionInputs("", ("", "")), key=key)
    st.session_state.pop(f"{key}.scored", None)


def fill_form(inputs: CaptionInputs, *, key: str) -> None:
    """Put captions into the fields of the form."""
    state = st.session_state
    start = state.get(f"{key}.next", 0)
    state[f"{key}.candidate"] = inputs.candidate
    state[f"{key}.rows"] = list(range(start, start + len(inputs.references)))
    state[f"{key}.next"] = start + len(inputs.references)
    for row, caption in zip(state[f"{key}.rows"], inputs.references):
        state[f"{key}.reference.{row}"] = caption
