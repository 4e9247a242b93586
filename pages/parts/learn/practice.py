"""Exercises on the page: a task, fields, the judgement with a hint, a model answer on demand, progress of the visit."""

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

CHOSEN = f"{KEY}.exercise"
DONE = f"{KEY}.done"
LAST = f"{KEY}.checked"  # the last answer of each exercise: what was written, and its judgement
_LINES = ("tuples",)


def current() -> Exercise:
    """The exercise that the address or the visitor asks for; an unknown one is said, and the first is shown."""
    if CHOSEN not in st.session_state:
        name = st.query_params.get("exercise", EXERCISES[0].id).upper()
        if name not in BY_ID:
            messages.say([t("learn.unknown_exercise", name=url.quote_value(name))])
        st.session_state[CHOSEN] = name if name in BY_ID else EXERCISES[0].id
    url.set_param("exercise", st.session_state[CHOSEN])
    return BY_ID[st.session_state[CHOSEN]]


def show() -> None:
    """The exercise with its fields on the left, the graph of the answer on the right."""
    exercise = current()
    _choice()
    with st.container(key=f"{KEY}.body"):
        with st.container(key=f"{KEY}.told"):
            _task(exercise)
            checked = _fields(exercise)
            if checked:
                _show_verdict(exercise, checked)
            _model(exercise)
        with st.container(key=f"{KEY}.picture"):
            graph.caption_list({f"{number}": text for number, text in enumerate(exercise.given, 1)}, lang=exercise.lang)
            if checked and checked.result:
                captions.lines(checked.result, side="candidate")
                graph.show(checked.result, key=f"{KEY}.{exercise.id}", view="both" if exercise.id == "E1" else "union")


def _choice() -> None:
    """The exercises, those solved marked, and how many are."""
    done: set[str] = st.session_state.setdefault(DONE, set())
    names = {e.id: f"{'✓ ' if e.id in done else ''}{e.id} · {_exercise_text(e)} · {t('exercises.grade', grade=e.grade)}" for e in EXERCISES}
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        options: dict[str, Any] = {"label_visibility": "collapsed", "width": 380, "on_change": _save_position}
        choice.in_list(t("exercises.choose"), names, key=CHOSEN, **options)
        st.html(f'<p class="sc-count">{t("exercises.progress", done=len(done), total=len(EXERCISES))}</p>')


def _save_position() -> None:
    url.set_param("exercise", st.session_state[CHOSEN])


def _exercise_text(exercise: Exercise, part: str = "", **values: Any) -> str:
    return t(f"exercises.{exercise.id.lower()}{part}", **values)


def _task(exercise: Exercise) -> None:
    grade = t("exercises.grade", grade=exercise.grade)
    st.html(f'<h2 class="sc-step sc-ex"><small>{exercise.id} · {grade}</small>{escape(_exercise_text(exercise))}</h2>')
    st.html(f'<p class="sc-told">{ask.italics_html(_exercise_text(exercise, "_task"))}</p>')


def _fields(exercise: Exercise) -> Checked | None:
    """The fields of an answer; returns the judgement of what was last checked."""
    known: dict[str, tuple[dict[str, str], Checked]] = st.session_state.setdefault(LAST, {})
    written, checked = known.get(exercise.id, ({}, None))
    with st.form(f"{KEY}.{exercise.id}.form", border=False):
        answer = {name: _field(exercise, name, written.get(name, start)) for name, start in exercise.start.items()}
        answer |= _senses(exercise, checked, written)
        pressed = st.form_submit_button(t("exercises.check"), type="primary", key=f"{KEY}.{exercise.id}.check")
    if not pressed:
        return checked
    with st.spinner(t("states.loading")):
        checked = exercises.check(exercise, answer)
    known[exercise.id] = answer, checked
    if checked.solved:
        st.session_state[DONE] = st.session_state[DONE] | {exercise.id}
    if ("sense_matched" in exercise.model and "sense_matched" not in answer) or checked.solved:
        st.rerun()  # with the senses to choose from, and the progress
    return checked


def _field(exercise: Exercise, name: str, text: str) -> str:
    label, key = t(f"exercises.{name}"), f"{KEY}.{exercise.id}.{name}"
    if name in _LINES:
        return st.text_area(label, text, key=key, height=190)
    return st.text_input(label, text, key=key)


def _senses(exercise: Exercise, checked: Checked | None, written: dict[str, str]) -> dict[str, str]:
    """The choice of senses, once two captions match by one."""
    if "sense_matched" not in exercise.model or not checked or not checked.result:
        return {}
    found = {"": t("exercises.no_sense"), **{name: f"{name}: {gloss}" for name, gloss in exercises.senses_of(checked.result).items()}}
    if len(found) == 1:
        return {}
    names = list(found)
    chosen = {}
    for part in ("sense_matched", "sense_meant"):
        at = names.index(written[part]) if written.get(part) in names else 0
        chosen[part] = choice.in_list(t(f"exercises.{part}"), found, index=at, key=f"{KEY}.{exercise.id}.{part}")
    return chosen


def _show_verdict(exercise: Exercise, checked: Checked) -> None:
    """The verdict: what to learn from it, or a hint at the first condition that does not hold."""
    if failed := checked.failed:
        holds = t("exercises.of", holds=sum(c.holds for c in checked.conditions), total=len(checked.conditions))
        ask.feedback(t("exercises.not_yet"), f"{failed.hint} ({holds})" if len(checked.conditions) > 1 else failed.hint, right=False)
        return
    result = checked.result.result if checked.result else None
    values = {"recall": result.recall, "f1": result.f1} if result else {}
    ask.feedback(t("exercises.solved"), _exercise_text(exercise, "_done", **values), right=True)


def _model(exercise: Exercise) -> None:
    """A model answer, on demand."""
    opened = f"{KEY}.{exercise.id}.model"
    if not st.session_state.get(opened):
        st.button(t("exercises.model"), key=f"{opened}.show", type="tertiary", on_click=st.session_state.__setitem__, args=(opened, True))
        return
    st.html(f'<p class="sc-ask">{t("exercises.model_is")}</p>')
    for name, text in exercise.model.items():
        st.html(f'<p class="sc-note">{t(f"exercises.{name}")}</p>')
        st.code(text, language=None, wrap_lines=True)
