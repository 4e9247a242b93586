"""The question of a step: a prediction, its feedback, and the answer on demand."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape

import streamlit as st

from pages.parts.kit.texts import t
from pages.parts.learn.lessons import Facts, Step
from pages.parts.learn.results import KEY


@dataclass(frozen=True)
class Progress:
    """How far a visitor is at a step: what was answered, and whether the answer is revealed."""

    answer: str = ""
    revealed: bool = False

    @property
    def open(self) -> bool:
        """Whether the picture may be seen."""
        return bool(self.answer) or self.revealed


def italics_html(text: str) -> str:
    """A text as HTML, with *words* in italics."""
    return re.sub(r"\*(.+?)\*", r"<em>\1</em>", escape(text))


def step_text(step: Step, part: str, facts: Facts) -> str:
    """A text of a step with the values of the engine."""
    return t(f"tour.{step.name}_{part}", **facts.values)


def show_answers(step: Step) -> Progress:
    """What the visitor did at this step, from earlier in the visit."""
    state = st.session_state
    chosen = state.get(f"{KEY}.{step.name}.answer", state.get(f"{KEY}.{step.name}.answered", ""))
    return Progress(chosen or "", bool(state.get(f"{KEY}.{step.name}.revealed")))


def question(step: Step, facts: Facts) -> Progress:
    """The choices with their feedback, and Reveal; returns what is known after it."""
    if step.choices:
        answer = _choices(step, facts)
        st.session_state[f"{KEY}.{step.name}.answered"] = answer
        if answer:
            _feedback(answer in facts.right, step_text(step, f"{answer}_why", facts))
    progress = show_answers(step)
    if not progress.revealed:
        st.button(t("learn.reveal"), key=f"{KEY}.{step.name}.reveal", type="primary", on_click=_reveal, args=(step.name,))
    else:
        st.html(f'<p class="sc-then" role="status">{italics_html(step_text(step, "then", facts))}</p>')
    return progress


def _choices(step: Step, facts: Facts) -> str:
    widget = f"{KEY}.{step.name}.answer"
    labels: Mapping[str, str] = {choice: step_text(step, choice, facts) for choice in step.choices}
    if widget not in st.session_state:
        known = st.session_state.get(f"{KEY}.{step.name}.answered") or None
        st.session_state[widget] = known if known in labels else None
    return st.radio(step_text(step, "ask", facts), list(labels), key=widget, format_func=labels.__getitem__) or ""


def _feedback(right: bool, why: str) -> None:
    feedback(t("learn.right" if right else "learn.wrong"), why, right=right)


def feedback(verdict: str, why: str, *, right: bool) -> None:
    """What an answer is told: right or not, and why."""
    st.html(f'<p class="sc-verdict sc-{"yes" if right else "no"}" role="status"><b>{escape(verdict)}</b> {italics_html(why)}</p>')


def _reveal(name: str) -> None:
    st.session_state[f"{KEY}.{name}.revealed"] = True
