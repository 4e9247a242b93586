"""Questions that filter captions. Each names a category and an outcome, such as a colour that differs from the references."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.parts.batch import counts
from pages.parts.batch.counts import Line
from pages.parts.jobs.runs import ScoringRun
from pages.parts.kit import html
from pages.parts.kit.texts import interface_language, t
from pages.parts.state import engine
from pages.parts.views import component, tuples
from pages.parts.views.change_texts import change_text
from spice_core import Spice
from spice_core.evaluation.outcomes import Outcome, images_by_outcome, make_same_thing_predicate, tuples_by_outcome

MAX_QUESTIONS = 6  # maximum number of selected questions
_NAME_SEPARATOR = "."


def images_by_question(run: ScoringRun) -> dict[str, list[int | str]]:
    """Return, for each question such as ``Color.other``, the ids of the images with this outcome in this category, cached per run."""

    def make() -> dict[str, list[int | str]]:
        spice = engine.cached_metric(run.settings)
        by_outcome = images_by_outcome(
            run.rows, counts.category_names(run), spice.categories, is_same_thing=make_same_thing_predicate(spice.synonyms)
        )
        return {f"{name}{_NAME_SEPARATOR}{outcome}": ids for (name, outcome), ids in by_outcome.items()}

    return counts.cache_by_rows(run, "questions", make)


def requested_questions(run: ScoringRun, *, key: str) -> list[str]:
    """Return the selected questions that exist in this run."""
    return [name for name in st.session_state[f"{key}.asked"] if name in images_by_question(run)]


def toggle_question(question: str, *, key: str) -> None:
    """Select or deselect a question, and scroll to the captions."""
    requested_names = st.session_state[f"{key}.asked"]
    st.session_state[f"{key}.asked"] = (
        [other_name for other_name in requested_names if other_name != question]
        if question in requested_names
        else [*requested_names, question][-MAX_QUESTIONS:]
    )
    scroll_to_captions(key=key)


def scroll_to_captions(*, key: str) -> None:
    """Make the page scroll to the captions."""
    st.session_state[f"{key}.brought"] = st.session_state.get(f"{key}.brought", 0) + 1


def show_table(run: ScoringRun, *, key: str) -> None:
    """Show the number of captions with each outcome of each category. A click on a number filters the captions."""
    images, requested_names = images_by_question(run), requested_questions(run, key=key)
    rows = []
    for name in counts.category_names(run):
        questions = [f"{name}{_NAME_SEPARATOR}{outcome}" for outcome in Outcome]
        cells = [
            component.GridCell(q, len(images[q]), f"{question_text(q)}: {t('batch.count', number=len(images[q]))}", q in requested_names)
            for q in questions
        ]
        rows.append((tuples.category_label(name), cells))
    headers = [("", ""), *((t(f"batch.outcome_{outcome}"), t(f"batch.outcome_{outcome}_help")) for outcome in Outcome)]
    html.show_titled_note(t("batch.questions"), t("batch.number"))
    component.show_grid(t("batch.questions"), headers, rows, on_choice=lambda name: toggle_question(name, key=key), key=f"{key}.questions")


def question_text(question: str) -> str:
    """Return the text of a question, such as "Colour: Other value"."""
    name, _, outcome = question.rpartition(_NAME_SEPARATOR)
    return f"{tuples.category_label(name)}: {t(f'batch.outcome_{outcome}')}"


def answering_tuple_texts(line: Line, run: ScoringRun, questions: Sequence[str]) -> list[str]:
    """Return the texts of the tuples because of which a caption matches the questions, cached per run."""
    texts: dict[tuple[str, int | str], list[str]] = counts.cache_by_rows(run, ("behind", interface_language()), dict)
    for question in questions:
        if (question, line.id) not in texts:
            texts[question, line.id] = _tuple_texts(line, run, question)
    return list(dict.fromkeys(words for question in questions for words in texts[question, line.id]))


def _tuple_texts(line: Line, run: ScoringRun, question: str) -> list[str]:
    """Return the texts of the tuples because of which a caption matches a question."""
    spice: Spice = counts.cache_by_rows(run, "engine", lambda: engine.cached_metric(run.settings))
    is_same_thing = counts.cache_by_rows(run, "same", lambda: make_same_thing_predicate(spice.synonyms))
    name, _, outcome = question.rpartition(_NAME_SEPARATOR)
    return list(map(change_text, tuples_by_outcome(line.row, name, spice.categories, is_same_thing=is_same_thing)[Outcome(outcome)]))
