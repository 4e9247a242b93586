"""The exercise page: a task with its fields, a hint for each try, the model answer, and the visitor's progress."""

from html import escape
from typing import Any

import streamlit as st

from pages.parts.kit import choice, html, page, url
from pages.parts.kit.texts import t
from pages.parts.learn import elements, exercises
from pages.parts.learn.exercises import EXERCISE_BY_ID, TRIES_BEFORE_ANSWER, AnswerFields, CheckedAnswer, Exercise, exercise_set
from pages.parts.learn.state import learn_state
from pages.parts.state.engine import CaptionInputs
from pages.parts.views import captions, present

EXERCISE_KEY = "learn.exercise"
_MULTILINE_FIELDS = ("tuples",)


def current_exercise() -> Exercise:
    """Return the exercise chosen by the visitor or the URL, in the interface language.

    If the URL names an unknown exercise, show a message and return the first exercise.
    """
    if EXERCISE_KEY not in st.session_state:
        name = st.query_params.get("exercise", exercise_set()[0].id).upper()
        if name not in EXERCISE_BY_ID:
            html.show_messages([t("learn.unknown_exercise", name=url.quote_value(name))])
        st.session_state[EXERCISE_KEY] = name if name in EXERCISE_BY_ID else exercise_set()[0].id
    st.session_state[EXERCISE_KEY] = exercise_set()[EXERCISE_BY_ID[st.session_state[EXERCISE_KEY]].number - 1].id
    url.set_param("exercise", st.session_state[EXERCISE_KEY])
    return EXERCISE_BY_ID[st.session_state[EXERCISE_KEY]]


def show_practice() -> None:
    """Show the exercise on the left and the graph of the answer on the right."""
    exercise = current_exercise()
    with st.container(key="learn.body"):
        with st.container(key="learn.told"):
            _show_task(exercise)
            checked_answer = _show_fields(exercise)
            if checked_answer:
                _show_verdict(exercise, checked_answer)
            _show_model_answer(exercise, checked_answer)
        with st.container(key="learn.picture"):
            is_reference = exercise.initial_texts.keys() <= {"candidate", "reference"}  # the answer is scored against the given captions
            labels = [t("captions.reference", number=n) if is_reference else f"{n}" for n in range(1, len(exercise.given_texts) + 1)]
            elements.show_captions(dict(zip(labels, exercise.given_texts)), lang=exercise.lang)
            if lines := exercise.numbered_lines:
                st.html(f'<ol class="sc-told" lang="{exercise.lang}">{"".join(f"<li>{escape(line)}</li>" for line in lines)}</ol>')
            if checked_answer and checked_answer.result:
                captions.show_captions(checked_answer.result, side="candidate")
                elements.show_graph(
                    checked_answer.result, key=f"learn.{exercise.id}", view="both" if exercise.number in (1, 11) else "union"
                )
    elements.show_navigation(exercise.number - 1, len(exercise_set()), _go_to, section="exercises", choose=_choose_exercise)
    _present_exercise(exercise, checked_answer)


def _choose_exercise() -> None:
    """Show the list of exercises, with solved exercises marked."""
    names = {
        e.id: f"{'✓ ' if e.id in learn_state().solved_ids else ''}{e.id} · {e.text()} · {t('exercises.grade', grade=e.grade)}"
        for e in exercise_set()
    }
    options: dict[str, Any] = {"label_visibility": "collapsed", "width": 340, "on_change": _save_position}
    choice.selectbox(t("exercises.choose"), names, key=EXERCISE_KEY, **options)


def _go_to(index: int) -> None:
    st.session_state[EXERCISE_KEY] = exercise_set()[index % len(exercise_set())].id
    _save_position()


def _present_exercise(exercise: Exercise, checked_answer: CheckedAnswer | None) -> None:
    """Present the exercise on the full screen if the URL requests it, with the last answer or the initial text."""
    if not present.is_active():
        return
    shown_answer = checked_answer if checked_answer and checked_answer.result else exercises.check_answer(exercise, exercise.initial_texts)
    if not shown_answer.result:
        return
    position_text = t("exercises.number", number=exercise.number, total=len(exercise_set()))
    verdict = "" if checked_answer is None else _verdict_text(exercise, checked_answer)
    link = {"section": "exercises", "exercise": exercise.id, **page.page_query()}
    task = exercise.text("_task").replace("*", "")
    slide = present.PresentedSlide(f"{exercise.id} · {exercise.text()}", position_text, task, line=verdict, link=link)

    def use_captions(inputs: CaptionInputs) -> None:
        if answer := exercises.answer_from_captions(exercise, inputs):
            _judge_answer(exercise, answer)

    takes_captions = bool(exercises.answer_from_captions(exercise, shown_answer.result.inputs))
    turn_slide = lambda step: _go_to(exercise.number - 1 + step)
    present.show_presentation(shown_answer.result, slide, turn_slide=turn_slide, use_captions=use_captions if takes_captions else None)


def _save_position() -> None:
    url.set_param("exercise", st.session_state[EXERCISE_KEY])


def _show_task(exercise: Exercise) -> None:
    solved_mark = t("exercises.progress", done=sum(e.id in learn_state().solved_ids for e in exercise_set()), total=len(exercise_set()))
    heading_text = f"{exercise.id} · {t('exercises.grade', grade=exercise.grade)} · {solved_mark}"
    st.html(f'<h2 class="sc-step sc-ex"><small>{heading_text}</small>{escape(exercise.text())}</h2>')
    st.html(f'<p class="sc-told">{elements.italics_html(exercise.text("_task"))}</p>')


def _show_fields(exercise: Exercise) -> CheckedAnswer | None:
    """Show the answer fields. Return the last checked answer with its verdict, or None if there is none."""
    state, answer_before, answer = learn_state(), learn_state().answers.get(exercise.id, {}), {}
    if answer_before and exercise.id not in state.verdicts:  # after a reload of the page
        state.verdicts[exercise.id] = exercises.check_answer(exercise, answer_before)
    checked_answer: CheckedAnswer | None = state.verdicts.get(exercise.id)
    with st.form(f"learn.{exercise.id}.form", border=False):
        for name, start in exercise.initial_texts.items():
            label, key = t(f"exercises.{name}"), f"learn.{exercise.id}.{name}"
            st.session_state.setdefault(key, answer_before.get(name, start))
            answer[name] = st.text_area(label, key=key, height=190) if name in _MULTILINE_FIELDS else st.text_input(label, key=key)
        answer |= _choose_senses(exercise, checked_answer, answer_before)
        is_pressed = st.form_submit_button(t("exercises.check"), type="primary", key=f"learn.{exercise.id}.check")
    if not is_pressed:
        return checked_answer
    with st.spinner(t("states.loading")):
        checked_answer = _judge_answer(exercise, answer)
    if ("sense_matched" in exercise.model_answer and "sense_matched" not in answer) or checked_answer.is_solved:
        st.rerun()  # the rerun shows the choice of senses and the progress
    return checked_answer


def _judge_answer(exercise: Exercise, answer: dict[str, str]) -> CheckedAnswer:
    """Check an answer and record it with its verdict. A wrong answer counts as a try."""
    state = learn_state()
    state.answers[exercise.id] = answer
    state.verdicts[exercise.id] = checked_answer = exercises.check_answer(exercise, answer)
    if checked_answer.is_solved:
        state.solved_ids.add(exercise.id)
    if checked_answer.counts_as_try:
        state.tries[exercise.id] = _count_tries(exercise) + 1
    return checked_answer


def _choose_senses(exercise: Exercise, checked_answer: CheckedAnswer | None, earlier_fields: AnswerFields) -> dict[str, str]:
    """Show the choice of senses once two captions match by a sense. Return the chosen senses."""
    if "sense_matched" not in exercise.model_answer or not checked_answer or not checked_answer.result:
        return {}
    senses = exercises.gloss_by_sense(checked_answer.result)
    options = {"": t("exercises.no_sense"), **{name: f"{name}: {gloss}" for name, gloss in senses.items()}}
    chosen_senses = {}
    for field in ("sense_matched", "sense_meant") if senses else ():
        index = list(options).index(earlier_fields[field]) if earlier_fields.get(field) in options else 0
        chosen_senses[field] = choice.selectbox(t(f"exercises.{field}"), options, index=index, key=f"learn.{exercise.id}.{field}")
    return chosen_senses


def _show_verdict(exercise: Exercise, checked_answer: CheckedAnswer) -> None:
    """Show the verdict with the lesson and a Next button if the exercise is solved, or with one hint per try."""
    verdict = t("exercises.solved" if checked_answer.is_solved else "exercises.not_yet")
    elements.show_feedback(verdict, _verdict_text(exercise, checked_answer), is_right=checked_answer.is_solved)
    if checked_answer.is_solved:
        if exercise != exercise_set()[-1]:
            key = f"learn.{exercise.id}.next"
            st.button(t("exercises.next_exercise"), key=key, type="primary", on_click=_go_to, args=(exercise.number,))
        return
    for hint_number, hint in enumerate(exercises.hints_for(exercise, checked_answer, _count_tries(exercise))[1:], 2):
        st.html(f'<p class="sc-verdict sc-hint"><b>{t("exercises.hint", number=hint_number)}</b> {escape(hint)}</p>')


def _verdict_text(exercise: Exercise, checked_answer: CheckedAnswer) -> str:
    """Return the lesson of a solved exercise, or the first hint with the number of met conditions."""
    if not checked_answer.failed_condition:
        result = checked_answer.result.result if checked_answer.result else None
        return exercise.text("_done", **({"recall": result.recall, "f1": result.f1} if result else {}))
    hint, total = checked_answer.failed_condition.hint, len(checked_answer.conditions)
    return f"{hint} ({t('exercises.of', holds=sum(c.holds for c in checked_answer.conditions), total=total)})" if total > 1 else hint


def _count_tries(exercise: Exercise) -> int:
    return learn_state().tries.get(exercise.id, 0)


def _show_model_answer(exercise: Exercise, checked_answer: CheckedAnswer | None) -> None:
    """Show the model answer on request.

    Until the exercise is solved or enough tries were made, show the number of remaining tries instead.
    """
    model_key, tries_left = f"learn.{exercise.id}.model", TRIES_BEFORE_ANSWER - _count_tries(exercise)
    if tries_left > 0 and not (checked_answer and checked_answer.is_solved):
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
