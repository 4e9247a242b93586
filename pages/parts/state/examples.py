"""The example gallery, the captions in the form, and captions that are pasted together."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import streamlit as st

from pages.parts.kit.texts import interface_language
from pages.parts.state.engine import CaptionInputs
from pages.parts.state.inspect_state import inspect_state
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
    """Return the id of the first example in the interface language, or else of the first example."""
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


def current_captions() -> CaptionInputs:
    """Return the captions in the form, without empty references."""
    captions = [st.session_state.get(f"inspect.reference.{row}", "").strip() for row in inspect_state().row_ids]
    return CaptionInputs(st.session_state.get("inspect.candidate", "").strip(), tuple(filter(None, captions)))


def prepare_form(example_id: str) -> bool:
    """Fill an empty form with the captions of the result, or else with an example.

    The example is the one with this id or, if there is none, the first example. Return whether an example was loaded.
    """
    if inspect_state().has_fields and "inspect.candidate" in st.session_state:
        return False
    if scored_captions := inspect_state().scored:  # the visitor returned from another page, and Streamlit drops the fields of hidden pages
        fill_form(scored_captions.inputs)
        return False
    load_example(example_id if example_id in examples_by_id() else first_example_id())
    return True


def load_example(example_id: str) -> None:
    """Load an example into the form and drop the result, so that the page scores it. Remember custom captions."""
    remember_captions()
    fill_form(captions_of(examples_by_id()[example_id]))
    st.session_state["inspect.lang"] = "auto"
    inspect_state().scored = None


def remember_captions() -> None:
    """Remember typed captions for the visitor to restore, unless they are empty or an example."""
    state = inspect_state()
    if state.typed_inputs or state.has_fields:
        inputs = state.typed_inputs or current_captions()
        if (inputs.candidate or any(inputs.references)) and not example_id_of(inputs):
            state.custom_inputs = CaptionInputs(inputs.candidate, tuple(filter(None, inputs.references)))
    state.typed_inputs = None


def restore_captions() -> None:
    """Restore the remembered captions and drop the result, so that the page scores them."""
    if custom_inputs := inspect_state().custom_inputs:
        fill_form(custom_inputs)
        st.session_state["inspect.lang"] = "auto"
        inspect_state().scored = None


def clear_form() -> None:
    """Clear the form and drop the result. Remember custom captions."""
    remember_captions()
    fill_form(CaptionInputs("", ()))
    inspect_state().scored = None


def fill_form(inputs: CaptionInputs) -> None:
    """Put captions into the fields of the form."""
    state = inspect_state()
    state.has_fields = True
    state.row_ids = list(range(state.next_row_id, state.next_row_id + len(inputs.references)))
    state.next_row_id += len(inputs.references)
    st.session_state["inspect.candidate"] = inputs.candidate
    for row, caption in zip(state.row_ids, inputs.references):
        st.session_state[f"inspect.reference.{row}"] = caption


_QUOTED_CELL = re.compile(r'^"([^"]*)"$')  # a quoted cell of a spreadsheet


def captions_in(text: str) -> tuple[str, ...]:
    """Return the captions in a field, which may contain several pasted captions."""
    text = text.strip()
    if text.startswith("["):
        try:
            values = json.loads(text)
        except (ValueError, RecursionError):
            values = None
        if isinstance(values, list) and values and all(isinstance(value, str) for value in values):
            return tuple(value.strip() for value in values if value.strip())
    lines = text.replace("\t", "\n").splitlines()
    return tuple(caption for value in lines if (caption := _QUOTED_CELL.sub(r"\1", value.strip()).strip()))
