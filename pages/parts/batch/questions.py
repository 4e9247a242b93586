"""Questions about categories: how many captions found, missed or said otherwise; those asked filter the captions."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.parts.batch import counts
from pages.parts.batch.counts import Line
from pages.parts.jobs.runs import Run
from pages.parts.kit import html
from pages.parts.kit.texts import interface, t
from pages.parts.state import engine
from pages.parts.views import component, tuples
from pages.parts.views.change_texts import change_text
from spice_core import Spice
from spice_core.evaluation.questions import Outcome, images_by_outcome, same_thing_by, tuples_by_outcome

MOST = 6  # questions at once
_DOT = "."


def answers(run: Run) -> dict[str, list[int | str]]:
    """The images behind each question, made once for a run."""

    def make() -> dict[str, list[int | str]]:
        spice = engine.engine(run.settings)
        found = images_by_outcome(run.rows, counts.category_names(run), spice.categories, same=same_thing_by(spice.synonyms))
        return {f"{name}{_DOT}{outcome}": ids for (name, outcome), ids in found.items()}

    return counts.cache_by_rows(run, "questions", make)


def requested_questions(run: Run, *, key: str) -> list[str]:
    """The questions that are asked of this run."""
    return [name for name in st.session_state[f"{key}.asked"] if name in answers(run)]


def ask(name: str, *, key: str) -> None:
    """Ask a question, or no longer; the captions come into view."""
    now = st.session_state[f"{key}.asked"]
    st.session_state[f"{key}.asked"] = [each for each in now if each != name] if name in now else [*now, name][-MOST:]
    bring(key=key)


def bring(*, key: str) -> None:
    """Bring the captions into view."""
    st.session_state[f"{key}.brought"] = st.session_state.get(f"{key}.brought", 0) + 1


def table(run: Run, *, key: str) -> None:
    """How many captions have each outcome of each category; a click on a number asks for them."""
    found, chosen = answers(run), requested_questions(run, key=key)
    rows = []
    for name in counts.category_names(run):
        questions = [f"{name}{_DOT}{outcome}" for outcome in Outcome]
        cells = [
            component.Cell(q, len(found[q]), f"{question_text(q)}: {t('batch.count', number=len(found[q]))}", q in chosen)
            for q in questions
        ]
        rows.append((tuples.category(name), cells))
    heads = [("", ""), *((t(f"batch.outcome_{outcome}"), t(f"batch.outcome_{outcome}_help")) for outcome in Outcome)]
    html.titled_note(t("batch.questions"), t("batch.number"))
    component.grid(t("batch.questions"), heads, rows, ask=lambda name: ask(name, key=key), key=f"{key}.questions")


def question_text(question: str) -> str:
    """A question in words: Colour: other value."""
    name, _, outcome = question.rpartition(_DOT)
    return f"{tuples.category(name)}: {t(f'batch.outcome_{outcome}')}"


def answering_tuples(line: Line, run: Run, questions: Sequence[str]) -> list[str]:
    """The tuples of a caption that answer the questions, in words, each found once for a run."""
    told: dict[tuple[str, int | str], list[str]] = counts.cache_by_rows(run, ("behind", interface()), dict)
    for question in questions:
        if (question, line.id) not in told:
            told[question, line.id] = _tuples_text(line, run, question)
    return list(dict.fromkeys(words for question in questions for words in told[question, line.id]))


def _tuples_text(line: Line, run: Run, question: str) -> list[str]:
    """The tuples of a caption that answer one question, in words."""
    spice: Spice = counts.cache_by_rows(run, "engine", lambda: engine.engine(run.settings))
    same = counts.cache_by_rows(run, "same", lambda: same_thing_by(spice.synonyms))
    name, _, outcome = question.rpartition(_DOT)
    return list(map(change_text, tuples_by_outcome(line.row, name, spice.categories, same=same)[Outcome(outcome)]))
