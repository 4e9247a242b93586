"""The question of a step: choices with feedback, and an answer that the visitor can reveal."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape

import streamlit as st

from pages.parts.kit.texts import t
from pages.parts.learn.lessons import StepFigures, TourStep
from pages.parts.learn.state import learn_state


@dataclass(frozen=True)
class StepProgress:
    """A visitor's progress at a step: the chosen answer, and whether the solution is revealed."""

    answer: str = ""
    is_revealed: bool = False

    @property
    def open(self) -> bool:
        """Whether the picture may be shown."""
        return bool(self.answer) or self.is_revealed


def italics_html(text: str) -> str:
    """Return a text as HTML, with *words* in italics."""
    return re.sub(r"\*(.+?)\*", r"<em>\1</em>", escape(text))


def step_text(step: TourStep, key_suffix: str, figures: StepFigures) -> str:
    """Return a text of a step, filled in with computed values."""
    return t(f"tour.{step.name}_{key_suffix}", **figures.values)


def current_progress(step: TourStep) -> StepProgress:
    """Return the progress of the visitor at this step."""
    state = learn_state()
    chosen_name = st.session_state.get(f"learn.{step.name}.answer", state.steps.get(step.name))
    return StepProgress(chosen_name or "", step.name in state.revealed_steps)


def ask_question(step: TourStep, figures: StepFigures) -> StepProgress:
    """Show the choices, the feedback, and the Reveal button or the revealed text. Return the progress."""
    if step.choices:
        answer = _show_choices(step, figures)
        learn_state().steps[step.name] = answer
        if answer:
            is_right = answer in figures.right_choices
            show_feedback(t("learn.right" if is_right else "learn.wrong"), step_text(step, f"{answer}_why", figures), is_right=is_right)
    progress = current_progress(step)
    if not progress.is_revealed:
        st.button(
            t("learn.reveal"), key=f"learn.{step.name}.reveal", type="primary", on_click=learn_state().revealed_steps.add, args=(step.name,)
        )
    else:
        st.html(f'<p class="sc-then" role="status">{italics_html(step_text(step, "then", figures))}</p>')
    return progress


def _show_choices(step: TourStep, figures: StepFigures) -> str:
    widget = f"learn.{step.name}.answer"
    labels: Mapping[str, str] = {choice: step_text(step, choice, figures) for choice in step.choices}
    if widget not in st.session_state:
        answer = learn_state().steps.get(step.name)
        st.session_state[widget] = answer if answer in labels else None
    return st.radio(step_text(step, "ask", figures), list(labels), key=widget, format_func=labels.__getitem__) or ""


def show_feedback(verdict: str, reason: str, *, is_right: bool) -> None:
    """Show the verdict on an answer and its reason."""
    st.html(f'<p class="sc-verdict sc-{"yes" if is_right else "no"}" role="status"><b>{escape(verdict)}</b> {italics_html(reason)}</p>')
