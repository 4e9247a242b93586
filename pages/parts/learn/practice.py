"""The exercises on the page: a task, its fields, the verdict with a hint, a model answer on demand, and the visitor's progress."""

from __future__ import annotations

from html import escape
from typing import Any

import streamlit as st

from pages.parts.kit import choice, messages, url
from pages.parts.kit.texts import t
from pages.parts.learn import ask, exercises, graph
from pages.parts.learn.exercises import BY_ID, EXERCISES, Checked, Exercise
from pages.parts.learn.results import KEY
from pages.parts.views import captions

EXERCISE = f"{KEY}.exercise"
SOLVED = f"{KEY}.done"
LAST_ANSWERS = f"{KEY}.checked"  # exercise to its last answer and the verdict on it
_MULTILINE_FIELDS = ("tuples",)


def current_exercise() -> Exercise:
    """Return the exercise that the visitor or the address chose; for an unknown one, say so and return the first."""
    if EXERCISE not in st.session_state:
        name = st.query_params.get("exercise", EXERCISES[0].id).upper()
        if name not in BY_ID:
            messages.say([t("learn.unknown_exercise", name=url.quote_value(name))])
        st.session_state[EXERCISE] = name if name in BY_ID else EXERCISES[0].id
    url.set_param("exercise", st.session_state[EXERCISE])
    return BY_ID[st.session_state[EXERCISE]]


def show() -> None:
    """Show the exercise with its fields on the left and the graph of the answer on the right."""
    exercise = current_exercise()
    _show_choice()
    with st.container(key=f"{KEY}.body"):
        with st.container(key=f"{KEY}.told"):
            _show_task(exercise)
            checked = _show_fields(exercise)
            if checked:
                _show_verdict(exercise, checked)
            _show_model(exercise)
        with st.container(key=f"{KEY}.picture"):
            graph.show_captions({f"{number}": text for number, text in enumerate(exercise.given, 1)}, lang=exercise.lang)
            if checked and checked.result:
                captions.show_captions(checked.result, side="candidate")
                graph.show(checked.result, key=f"{KEY}.{exercise.id}", view="both" if exercise.id == "E1" else "union")


def _show_choice() -> None:
    """Show the list of exercises with the solved ones marked, and their number."""
    done: set[str] = st.session_state.setdefault(SOLVED, set())
    names = {e.id: f"{'✓ ' if e.id in done else ''}{e.id} · {_exercise_text(e)} · {t('exercises.grade', grade=e.grade)}" for e in EXERCISES}
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        options: dict[str, Any] = {"label_visibility": "collapsed", "width": 380, "on_change": _save_position}
        choice.selectbox(t("exercises.choose"), names, key=EXERCISE, **options)
        st.html(f'<p class="sc-count">{t("exercises.progress", done=len(done), total=len(EXERCISES))}</p>')


def _save_position() -> None:
    url.set_param("exercise", st.session_state[EXERCISE])


def _exercise_text(exercise: Exercise, part: str = "", **values: Any) -> str:
    return t(f"exercises.{exercise.id.lower()}{part}", **values)


def _show_task(exercise: Exercise) -> None:
    grade = t("exercises.grade", grade=exercise.grade)
    st.html(f'<h2 class="sc-step sc-ex"><small>{exercise.id} · {grade}</small>{escape(_exercise_text(exercise))}</h2>')
    st.html(f'<p class="sc-told">{ask.italics_html(_exercise_text(exercise, "_task"))}</p>')


def _show_fields(exercise: Exercise) -> Checked | None:
    """Show the fields of an answer; return the verdict on the last checked one."""
    answers: dict[str, tuple[dict[str, str], Checked]] = st.session_state.setdefault(LAST_ANSWERS, {})
    answer_before, checked = answers.get(exercise.id, ({}, None))
    with st.form(f"{KEY}.{exercise.id}.form", border=False):
        answer = {name: _show_field(exercise, name, answer_before.get(name, start)) for name, start in exercise.start.items()}
        answer |= _choose_senses(exercise, checked, answer_before)
        pressed = st.form_submit_button(t("exercises.check"), type="primary", key=f"{KEY}.{exercise.id}.check")
    if not pressed:
        return checked
    with st.spinner(t("states.loading")):
        checked = exercises.check(exercise, answer)
    answers[exercise.id] = answer, checked
    if checked.solved:
        st.session_state[SOLVED] = st.session_state[SOLVED] | {exercise.id}
    if ("sense_matched" in exercise.model and "sense_matched" not in answer) or checked.solved:
        st.rerun()  # shows the senses to choose from and the progress
    return checked


def _show_field(exercise: Exercise, name: str, text: str) -> str:
    label, key = t(f"exercises.{name}"), f"{KEY}.{exercise.id}.{name}"
    if name in _MULTILINE_FIELDS:
        return st.text_area(label, text, key=key, height=190)
    return st.text_input(label, text, key=key)


def _choose_senses(exercise: Exercise, checked: Checked | None, earlier: dict[str, str]) -> dict[str, str]:
    """Show the choice of senses once two captions match by one; return the chosen senses."""
    if "sense_matched" not in exercise.model or not checked or not checked.result:
        return {}
    options = {"": t("exercises.no_sense"), **{name: f"{name}: {gloss}" for name, gloss in exercises.senses_of(checked.result).items()}}
    if len(options) == 1:
        return {}
    names = list(options)
    chosen = {}
    for part in ("sense_matched", "sense_meant"):
        at = names.index(earlier[part]) if earlier.get(part) in names else 0
        chosen[part] = choice.selectbox(t(f"exercises.{part}"), options, index=at, key=f"{KEY}.{exercise.id}.{part}")
    return chosen


def _show_verdict(exercise: Exercise, checked: Checked) -> None:
    """Show the verdict: the lesson of a solved exercise, or a hint at the first unmet condition."""
    if failed := checked.failed:
        holds = t("exercises.of", holds=sum(c.holds for c in checked.conditions), total=len(checked.conditions))
        ask.show_feedback(t("exercises.not_yet"), f"{failed.hint} ({holds})" if len(checked.conditions) > 1 else failed.hint, right=False)
        return
    result = checked.result.result if checked.result else None
    values = {"recall": result.recall, "f1": result.f1} if result else {}
    ask.show_feedback(t("exercises.solved"), _exercise_text(exercise, "_done", **values), right=True)


def _show_model(exercise: Exercise) -> None:
    """Show a model answer on demand."""
    opened = f"{KEY}.{exercise.id}.model"
    if not st.session_state.get(opened):
        st.button(t("exercises.model"), key=f"{opened}.show", type="tertiary", on_click=st.session_state.__setitem__, args=(opened, True))
        return
    st.html(f'<p class="sc-ask">{t("exercises.model_is")}</p>')
    for name, text in exercise.model.items():
        st.html(f'<p class="sc-note">{t(f"exercises.{name}")}</p>')
        st.code(text, language=None, wrap_lines=True)
