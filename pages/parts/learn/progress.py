"""Progress on the Learn page. It is stored in the browser tab, so answers, tries and solved exercises survive a reload."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from pages.parts.kit import visit
from pages.parts.learn import class_set
from pages.parts.learn.class_builder import MADE_KEY
from pages.parts.learn.class_set import MAX_ITEMS, ClassSet
from pages.parts.learn.exercises import EXERCISE_BY_ID, CheckedAnswer
from pages.parts.learn.lessons import TOUR_STEPS
from pages.parts.learn.results import STATE_KEY
from pages.parts.state.limits import MAX_TOTAL_CHARS
from pages.parts.views import component
from spice_core.errors import InputError, encodable_text

SOLVED_KEY = f"{STATE_KEY}.done"  # ids of the solved exercises
CHECKED_KEY = f"{STATE_KEY}.checked"  # maps exercises to the last answer and its verdict
WRONG_ANSWER_COUNTS_KEY = f"{STATE_KEY}.tries"  # maps exercises to the number of wrong answers
ITEMS_KEY = f"{STATE_KEY}.items"  # maps positions in the class set, as text, to answers
ITEMS_SET_KEY = f"{ITEMS_KEY}.of"  # digest of the class set that the answers belong to
SET_KEY = f"{STATE_KEY}.set"
_MAX_TRIES, _MAX_DIGEST_CHARS = 99, 12


@dataclass(frozen=True)
class LearnProgress:
    """A visitor's progress in exercises, in the steps of the tour, and in a class set."""

    solved_ids: Collection[str] = ()
    answers: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    tries: Mapping[str, int] = field(default_factory=dict)
    steps: Mapping[str, str] = field(default_factory=dict)
    revealed_steps: Collection[str] = ()
    items: Mapping[str, str] = field(default_factory=dict)
    items_digest: str = ""
    created_digest: str = ""
    long_set: ClassSet | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the progress as JSON data, without empty fields."""
        content: dict[str, Any] = {"solved": sorted(self.solved_ids), "answers": self.answers, "tries": self.tries, "steps": self.steps}
        content |= {
            "revealed": sorted(self.revealed_steps),
            "items": self.items,
            "items_of": self.items_digest,
            "made": self.created_digest,
        }
        content |= {"long_set": self.long_set.as_dict() if self.long_set else None}
        return {name: value for name, value in content.items() if value}


def read_progress(content: object) -> LearnProgress:
    """Return the progress that a browser sent, without invalid values."""
    steps = {step.name: step.choices for step in TOUR_STEPS}
    answers = {
        name: _read_texts(answer, EXERCISE_BY_ID[name].model_answer) for name, answer in _read_entries(content, "answers", EXERCISE_BY_ID)
    }
    return LearnProgress(
        solved_ids=frozenset(name for name in _read_list(content, "solved") if name in EXERCISE_BY_ID),
        answers={name: answer for name, answer in answers.items() if answer},
        tries={
            n: try_count
            for n, try_count in _read_entries(content, "tries", EXERCISE_BY_ID)
            if type(try_count) is int and 0 < try_count <= _MAX_TRIES
        },
        steps={name: choice_name for name, choice_name in _read_entries(content, "steps", steps) if choice_name in steps[name]},
        revealed_steps=frozenset(name for name in _read_list(content, "revealed") if name in steps),
        items=_read_texts(_read_field(content, "items"), [str(item_index) for item_index in range(MAX_ITEMS)]),
        items_digest=_read_digest(content, "items_of"),
        created_digest=_read_digest(content, "made"),
        long_set=_read_set(_read_field(content, "long_set")),
    )


def exchange_progress() -> None:
    """Store the progress in the tab. Once per session, restore the progress stored there."""
    content = _current_progress().as_dict()
    component.exchange_with_tab(content, {}, ask=visit.session_id(), on_content=_restore_progress, key=STATE_KEY)


def _current_progress() -> LearnProgress:
    state = st.session_state
    checked_answers: dict[str, tuple[dict[str, str], CheckedAnswer | None]] = state.get(CHECKED_KEY, {})
    items = {item_index: answer for item_index, answer in state.get(ITEMS_KEY, {}).items() if answer}
    return LearnProgress(
        solved_ids=state.get(SOLVED_KEY, ()),
        answers={name: answer for name, (answer, _) in checked_answers.items()},
        tries=state.get(WRONG_ANSWER_COUNTS_KEY, {}),
        steps={
            step.name: chosen_name
            for step in TOUR_STEPS
            if (chosen_name := state.get(f"{STATE_KEY}.{step.name}.answered")) and chosen_name in step.choices
        },
        revealed_steps=[step.name for step in TOUR_STEPS if state.get(f"{STATE_KEY}.{step.name}.revealed")],
        items=items,
        items_digest=state.get(ITEMS_SET_KEY, "") if items else "",
        created_digest=state.get(MADE_KEY, ""),
        long_set=opened_set if (opened_set := state.get(SET_KEY)) and not opened_set.token else None,
    )


def _restore_progress(content: object) -> None:
    """Restore stored progress. Verdicts on the answers are computed when the page shows them."""
    progress, state = read_progress(content), st.session_state
    state[SOLVED_KEY] = set(progress.solved_ids)
    state[WRONG_ANSWER_COUNTS_KEY] = dict(progress.tries)
    state[CHECKED_KEY] = {name: (dict(answer), None) for name, answer in progress.answers.items()}
    state[MADE_KEY] = progress.created_digest
    if progress.long_set and not state.get(SET_KEY):
        state[SET_KEY] = progress.long_set
    if progress.items_digest == (state[SET_KEY].digest if state.get(SET_KEY) else progress.items_digest):
        state[ITEMS_KEY], state[ITEMS_SET_KEY] = dict(progress.items), progress.items_digest
        state.update({f"{STATE_KEY}.item.{item_index}.answer": answer for item_index, answer in progress.items.items()})
    for name, answer in progress.answers.items():
        for field_name, text in answer.items():
            if field_name in EXERCISE_BY_ID[name].initial_texts:
                state[f"{STATE_KEY}.{name}.{field_name}"] = text
    for name, chosen_name in progress.steps.items():
        state[f"{STATE_KEY}.{name}.answered"] = state[f"{STATE_KEY}.{name}.answer"] = chosen_name
    for name in progress.revealed_steps:
        state[f"{STATE_KEY}.{name}.revealed"] = True


def _read_field(content: object, name: str) -> object:
    return content.get(name) if isinstance(content, Mapping) else None


def _read_digest(content: object, name: str) -> str:
    stored_value = _read_field(content, name)
    return (
        stored_value
        if isinstance(stored_value, str) and stored_value.isascii() and stored_value.isalnum() and len(stored_value) <= _MAX_DIGEST_CHARS
        else ""
    )


def _read_set(content: object) -> ClassSet | None:
    try:
        return class_set.set_from_json(content, "set") if content else None
    except InputError:
        return None


def _read_list(content: object, name: str) -> list[str]:
    stored_value = _read_field(content, name)
    return [entry for entry in stored_value if isinstance(entry, str)] if isinstance(stored_value, list) else []


def _read_entries(content: object, name: str, known_keys: Collection[str]) -> list[tuple[str, Any]]:
    """Return those entries of a field whose keys are known."""
    stored_value = _read_field(content, name)
    return [(key, value) for key, value in stored_value.items() if key in known_keys] if isinstance(stored_value, Mapping) else []


def _read_texts(texts: object, known_keys: Collection[str]) -> dict[str, str]:
    """Return the texts whose names are known, except texts that are too long for a form field."""
    entries = texts.items() if isinstance(texts, Mapping) else ()
    return {
        name: encodable_text(text)
        for name, text in entries
        if name in known_keys and isinstance(text, str) and len(text) <= MAX_TOTAL_CHARS
    }
