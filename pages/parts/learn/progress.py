"""Progress on the Learn page. It is stored in the browser tab, so answers, tries and solved exercises survive a reload."""

import re
from collections.abc import Collection, Mapping
from typing import Any

import streamlit as st

from pages.parts.kit import visit
from pages.parts.learn import class_set
from pages.parts.learn.class_set import MAX_ITEMS, ClassSet
from pages.parts.learn.exercises import EXERCISE_BY_ID
from pages.parts.learn.lessons import TOUR_STEPS
from pages.parts.learn.state import LearnState, learn_state
from pages.parts.state.engine import MAX_TOTAL_CHARS
from pages.parts.views import component, present
from spice_core.errors import InputError, encodable_text

_MAX_TRIES = 99


def as_dict(state: LearnState) -> dict[str, Any]:
    """Return the progress in exercises, tour and class set as JSON data, without empty fields."""
    items = {item_index: answer for item_index, answer in state.items.items() if answer}
    content: dict[str, Any] = {
        "solved": sorted(state.solved_ids),
        "answers": state.answers,
        "tries": state.tries,
        "steps": {step.name: answer for step in TOUR_STEPS if (answer := state.steps.get(step.name)) in step.choices},
        "revealed": sorted(state.revealed_steps),
        "items": items,
        "items_of": state.items_digest if items else "",
        "made": state.created_digest,
        "long_set": state.class_set.as_dict() if state.class_set and not state.class_set.token else None,
    }
    return {name: value for name, value in content.items() if value}


def read_progress(content: object) -> LearnState:
    """Return the progress sent by a browser, without invalid values."""
    steps = {step.name: step.choices for step in TOUR_STEPS}
    answers = {
        name: _read_texts(answer, EXERCISE_BY_ID[name].model_answer) for name, answer in _read_entries(content, "answers", EXERCISE_BY_ID)
    }
    return LearnState(
        solved_ids=set(name for name in _read_list(content, "solved") if name in EXERCISE_BY_ID),
        answers={name: answer for name, answer in answers.items() if answer},
        tries={
            n: try_count
            for n, try_count in _read_entries(content, "tries", EXERCISE_BY_ID)
            if type(try_count) is int and 0 < try_count <= _MAX_TRIES
        },
        steps={name: choice_name for name, choice_name in _read_entries(content, "steps", steps) if choice_name in steps[name]},
        revealed_steps=set(name for name in _read_list(content, "revealed") if name in steps),
        items=_read_texts(_read_field(content, "items"), [str(item_index) for item_index in range(MAX_ITEMS)]),
        items_digest=_read_digest(content, "items_of"),
        created_digest=_read_digest(content, "made"),
        class_set=_read_set(_read_field(content, "long_set")),
    )


def exchange_progress() -> None:
    """Store the progress in the tab. Once per session, restore the progress stored there."""
    address = st.session_state.get(present.ADDRESS_KEY, "")
    content = as_dict(learn_state()) | ({"address": address} if address else {})
    component.exchange_with_tab(content, {}, ask=visit.session_id(), on_content=_restore_progress, key="learn")


def _restore_progress(content: object) -> None:
    """Restore stored progress. Verdicts are recomputed when the page shows them."""
    stored, state = read_progress(content), learn_state()
    address = _read_field(content, "address")
    if isinstance(address, str) and address and present.read_address(address) == address:
        st.session_state[present.ADDRESS_KEY] = st.session_state["learn.build.address"] = address
    for name in ("solved_ids", "answers", "tries", "created_digest"):
        setattr(state, name, getattr(stored, name))
    state.verdicts.clear()
    state.class_set = state.class_set or stored.class_set
    widgets = {f"learn.{step}.answer": answer for step, answer in stored.steps.items()}
    if stored.items_digest == (state.class_set.digest if state.class_set else stored.items_digest):
        state.items, state.items_digest = stored.items, stored.items_digest
        widgets |= {f"learn.item.{item_index}.answer": answer for item_index, answer in stored.items.items()}
    for name, answer in stored.answers.items():
        initial_texts = EXERCISE_BY_ID[name].initial_texts
        widgets |= {f"learn.{name}.{field}": text for field, text in answer.items() if field in initial_texts}
    st.session_state.update(widgets)
    state.steps |= stored.steps
    state.revealed_steps |= stored.revealed_steps


def _read_field(content: object, name: str) -> object:
    return content.get(name) if isinstance(content, Mapping) else None


def _read_digest(content: object, name: str) -> str:
    stored_value = _read_field(content, name)
    return stored_value if isinstance(stored_value, str) and re.fullmatch(r"[0-9a-zA-Z]{1,12}", stored_value) else ""


def _read_set(content: object) -> ClassSet | None:
    try:
        return class_set.set_from_json(content, "set") if content else None
    except InputError:
        return None


def _read_list(content: object, name: str) -> list[str]:
    stored_value = _read_field(content, name)
    return [entry for entry in stored_value if isinstance(entry, str)] if isinstance(stored_value, list) else []


def _read_entries(content: object, name: str, known_keys: Collection[str]) -> list[tuple[str, Any]]:
    stored_value = _read_field(content, name)
    return [(key, value) for key, value in stored_value.items() if key in known_keys] if isinstance(stored_value, Mapping) else []


def _read_texts(texts: object, known_keys: Collection[str]) -> dict[str, str]:
    """Return the texts with known names, except texts too long for a form field."""
    entries = texts.items() if isinstance(texts, Mapping) else ()
    return {
        name: encodable_text(text)
        for name, text in entries
        if name in known_keys and isinstance(text, str) and len(text) <= MAX_TOTAL_CHARS
    }
