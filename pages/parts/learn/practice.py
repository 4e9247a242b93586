"""The exercise page: a task with its fields, a hint for each try, the model answer, and the visitor's progress."""

from __future__ import annotations

from html import escape
from typing import Any

import streamlit as st

from pages.parts.kit import choice, messages, page, url
from pages.parts.kit.texts import t
from pages.parts.learn import ask, exercises, graph
from pages.parts.learn.exercises import EXERCISE_BY_ID, TRIES_BEFORE_ANSWER, AnswerFields, CheckedAnswer, Exercise, exercise_set
from pages.parts.learn.progress import CHECKED_KEY, SOLVED_KEY, TRIES_KEY
from pages.parts.learn.results import STATE_KEY
from pages.parts.state.engine import CaptionInputs
from pages.parts.views import captions, present

EXERCISE_KEY = f"{STATE_KEY}.exercise"
_MULTILINE_FIELDS = ("tuples",)


def current_exercise() -> Exercise:
    """Return the exercise chosen by the visitor or in the URL. If it does not exist, show a message and return the first."""
    if EXERCISE_KEY not in st.session_state:
        name = st.query_params.get("exercise", exercise_set()[0].id).upper()
        if name not in EXERCISE_BY_ID:
            messages.show_messages([t("learn.unknown_exercise", name=url.quote_value(name))])
        st.session_state[EXERCISE_KEY] = name if name in EXERCISE_BY_ID else exercise_set()[0].id
    st.session_state[EXERCISE_KEY] = exercises.translated_exercise(EXERCISE_BY_ID[st.session_state[EXERCISE_KEY]]).id
    url.set_param("exercise", st.session_state[EXERCISE_KEY])
    return EXERCISE_BY_ID[st.session_state[EXERCISE_KEY]]


def show_practice() -> None:
    """Show the exercise on the left and the graph of the answer on the right."""
    exercise = current_exercise()
    with st.container(key=f"{STATE_KEY}.body"):
        with st.container(key=f"{STATE_KEY}.told"):
            _show_task(exercise)
            checked = _show_fields(exercise)
            if checked:
                _show_verdict(exercise, checked)
            _show_model_answer(exercise, checked)
        with st.container(key=f"{STATE_KEY}.picture"):
            graph.show_captions({f"{number}": text for number, text in enumerate(exercise.given, 1)}, lang=exercise.lang)
            if lines := exercise.numbered_lines():
                st.html(f'<ol class="sc-told" lang="{exercise.lang}">{"".join(f"<li>{escape(line)}</li>" for line in lines)}</ol>')
            if checked and checked.result:
                captions.show_captions(checked.result, side="candidate")
                graph.show_graph(checked.result, key=f"{STATE_KEY}.{exercise.id}", view="both" if exercise.number in (1, 11) else "union")
    _show_navigation(exercise)
    _present_exercise(exercise, checked)


def _show_navigation(exercise: Exercise) -> None:
    """Show Back, the list of exercises with solved exercises marked, Next, and Present."""
    done: set[str] = st.session_state.setdefault(SOLVED_KEY, set())
    names = {e.id: f"{'✓ ' if e.id in done else ''}{e.id} · {e.text()} · {t('exercises.grade', grade=e.grade)}" for e in exercise_set()}
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"{STATE_KEY}.ways"):
        st.button(
            t("exercises.back"),
            key=f"{STATE_KEY}.back",
            on_click=_go_by,
            args=(exercise, -1),
            disabled=exercise == exercise_set()[0],
            shortcut="Left",
        )
        options: dict[str, Any] = {"label_visibility": "collapsed", "width": 340, "on_change": _save_position}
        choice.selectbox(t("exercises.choose"), names, key=EXERCISE_KEY, **options)
        st.button(
            t("exercises.next"),
            key=f"{STATE_KEY}.next",
            on_click=_go_by,
            args=(exercise, 1),
            disabled=exercise == exercise_set()[-1],
            shortcut="Right",
        )
        present.show_button(key=STATE_KEY)


def _go_by(exercise: Exercise, offset: int) -> None:
    st.session_state[EXERCISE_KEY] = exercises.neighbouring_exercise(exercise, offset).id
    _save_position()


def _present_exercise(exercise: Exercise, checked: CheckedAnswer | None) -> None:
    """If the URL requests it, present the exercise with the last answer (or the initial text) on the full screen."""
    if not present.is_active():
        return
    shown = checked if checked and checked.result else exercises.check_answer(exercise, exercise.initial_texts)
    if not shown.result:
        return
    of = t("exercises.number", number=exercise.number, total=len(exercise_set()))
    verdict = "" if checked is None else _verdict_text(exercise, checked)
    link = {"section": "exercises", "exercise": exercise.id, **page.page_query()}
    task = exercise.text("_task").replace("*", "")
    slide = present.PresentedSlide(f"{exercise.id} · {exercise.text()}", of, task, line=verdict, link=link)

    def use_captions(inputs: CaptionInputs) -> None:
        if answer := exercises.answer_from_captions(exercise, inputs):
            _judge_answer(exercise, answer)

    takes_captions = bool(exercises.answer_from_captions(exercise, shown.result.inputs))
    present.show_presentation(
        shown.result, slide, key=STATE_KEY, turn=lambda by: _go_by(exercise, by), use_captions=use_captions if takes_captions else None
    )


def _save_position() -> None:
    url.set_param("exercise", st.session_state[EXERCISE_KEY])


def _show_task(exercise: Exercise) -> None:
    solved = t(
        "exercises.progress", done=sum(e.id in st.session_state.get(SOLVED_KEY, ()) for e in exercise_set()), total=len(exercise_set())
    )
    facts = f"{exercise.id} · {t('exercises.grade', grade=exercise.grade)} · {solved}"
    st.html(f'<h2 class="sc-step sc-ex"><small>{facts}</small>{escape(exercise.text())}</h2>')
    st.html(f'<p class="sc-told">{ask.italics_html(exercise.text("_task"))}</p>')


def _show_fields(exercise: Exercise) -> CheckedAnswer | None:
    """Show the answer fields; return the verdict on the last checked answer."""
    answer_before, checked = _last_answer(exercise)
    with st.form(f"{STATE_KEY}.{exercise.id}.form", border=False):
        answer = {name: _show_field(exercise, name, answer_before.get(name, start)) for name, start in exercise.initial_texts.items()}
        answer |= _choose_senses(exercise, checked, answer_before)
        pressed = st.form_submit_button(t("exercises.check"), type="primary", key=f"{STATE_KEY}.{exercise.id}.check")
    if not pressed:
        return checked
    with st.spinner(t("states.loading")):
        checked = _judge_answer(exercise, answer)
    if ("sense_matched" in exercise.model_answer and "sense_matched" not in answer) or checked.solved:
        st.rerun()  # shows the senses to choose from and the progress
    return checked


def _last_answer(exercise: Exercise) -> tuple[AnswerFields, CheckedAnswer | None]:
    """Return the last answer and its verdict, which is computed again after a reload."""
    answers: dict[str, tuple[dict[str, str], CheckedAnswer | None]] = st.session_state.setdefault(CHECKED_KEY, {})
    answer, checked = answers.get(exercise.id, ({}, None))
    if answer and checked is None:
        checked = exercises.check_answer(exercise, answer)
        answers[exercise.id] = answer, checked
    return answer, checked


def _judge_answer(exercise: Exercise, answer: dict[str, str]) -> CheckedAnswer:
    """Check an answer and record it with its verdict. A wrong answer counts as a try."""
    state = st.session_state
    checked = exercises.check_answer(exercise, answer)
    state[CHECKED_KEY] = state.get(CHECKED_KEY, {}) | {exercise.id: (answer, checked)}
    if checked.solved:
        state[SOLVED_KEY] = state.get(SOLVED_KEY, set()) | {exercise.id}
    if checked.is_try:
        state[TRIES_KEY] = tries = dict(state.get(TRIES_KEY, {}))
        tries[exercise.id] = tries.get(exercise.id, 0) + 1
    return checked


def _show_field(exercise: Exercise, name: str, text: str) -> str:
    label, key = t(f"exercises.{name}"), f"{STATE_KEY}.{exercise.id}.{name}"
    st.session_state.setdefault(key, text)
    if name in _MULTILINE_FIELDS:
        return st.text_area(label, key=key, height=190)
    return st.text_input(label, key=key)


def _choose_senses(exercise: Exercise, checked: CheckedAnswer | None, earlier: AnswerFields) -> dict[str, str]:
    """Once two captions match by a sense, show the choice of senses. Return the chosen senses."""
    if "sense_matched" not in exercise.model_answer or not checked or not checked.result:
        return {}
    options = {
        "": t("exercises.no_sense"),
        **{name: f"{name}: {gloss}" for name, gloss in exercises.matched_senses(checked.result).items()},
    }
    if len(options) == 1:
        return {}
    names = list(options)
    chosen = {}
    for part in ("sense_matched", "sense_meant"):
        at = names.index(earlier[part]) if earlier.get(part) in names else 0
        chosen[part] = choice.selectbox(t(f"exercises.{part}"), options, index=at, key=f"{STATE_KEY}.{exercise.id}.{part}")
    return chosen


def _show_verdict(exercise: Exercise, checked: CheckedAnswer) -> None:
    """Show the verdict: the lesson of a solved exercise and a button to the next exercise, or a hint for each try."""
    ask.show_feedback(
        t("exercises.solved" if checked.solved else "exercises.not_yet"), _verdict_text(exercise, checked), right=checked.solved
    )
    if checked.solved:
        if exercise != exercise_set()[-1]:
            st.button(
                t("exercises.next_exercise"), key=f"{STATE_KEY}.{exercise.id}.next", type="primary", on_click=_go_by, args=(exercise, 1)
            )
        return
    for number, hint in enumerate(exercises.give_hints(exercise, checked, _count_tries(exercise))[1:], 2):
        st.html(f'<p class="sc-verdict sc-hint"><b>{t("exercises.hint", number=number)}</b> {escape(hint)}</p>')


def _verdict_text(exercise: Exercise, checked: CheckedAnswer) -> str:
    """Return the lesson of a solved exercise, or the first hint with the number of conditions met."""
    if not checked.failed:
        result = checked.result.result if checked.result else None
        return exercise.text("_done", **({"recall": result.recall, "f1": result.f1} if result else {}))
    holds = t("exercises.of", holds=sum(c.holds for c in checked.conditions), total=len(checked.conditions))
    return f"{checked.failed.hint} ({holds})" if len(checked.conditions) > 1 else checked.failed.hint


def _count_tries(exercise: Exercise) -> int:
    return int(st.session_state.get(TRIES_KEY, {}).get(exercise.id, 0))


def _show_model_answer(exercise: Exercise, checked: CheckedAnswer | None) -> None:
    """Show a button for the model answer after all hints; before that, show the number of tries left."""
    model_key, tries_left = f"{STATE_KEY}.{exercise.id}.model", TRIES_BEFORE_ANSWER - _count_tries(exercise)
    if tries_left > 0 and not (checked and checked.solved):
        st.html(f'<p class="sc-note">{t("exercises.tries_left", number=tries_left)}</p>')
        return
    if not st.session_state.get(model_key):
        st.button(
            t("exercises.model"), key=f"{model_key}.show", type="tertiary", on_click=st.session_state.__setitem__, args=(model_key, True)
        )
        return
    st.html(f'<p class="sc-ask">{t("exercises.model_is")}</p>')
    for name, text in exercise.model_answer.items():
        st.html(f'<p class="sc-note">{t(f"exercises.{name}")}</p>')
        st.code(text, language=None, wrap_lines=True)
