"""Questions that filter captions. Each names a category and an outcome, such as a colour that differs from the references."""

from collections.abc import Sequence

from pages.parts.batch import counts
from pages.parts.batch.counts import Line
from pages.parts.jobs.runs import ScoringRun
from pages.parts.kit.texts import interface_language, t
from pages.parts.state import engine
from pages.parts.views import filters, tuples
from pages.parts.views.tuples import change_text
from spice_core import Spice
from spice_core.evaluation.outcomes import Outcome, images_by_outcome, make_same_thing_predicate, tuples_by_outcome


def images_by_question(run: ScoringRun) -> dict[str, list[int | str]]:
    """Return, for each question such as ``Color.other``, the ids of the images with this outcome in this category, cached per run."""

    def make() -> dict[str, list[int | str]]:
        spice = engine.cached_metric(run.settings)
        by_outcome = images_by_outcome(
            run.rows, counts.category_names(run), spice.categories, is_same_thing=make_same_thing_predicate(spice.synonyms)
        )
        return {f"{name}.{outcome}": ids for (name, outcome), ids in by_outcome.items()}

    return counts.cache_by_rows(run, "questions", make)


def show_table(run: ScoringRun) -> None:
    """Show the number of captions with each outcome of each category. A click on a number filters the captions."""
    images = images_by_question(run)
    filters.show_questions(
        t("batch.questions"),
        t("batch.number"),
        [(t(f"batch.outcome_{outcome}"), t(f"batch.outcome_{outcome}_help")) for outcome in Outcome],
        [
            (tuples.category_label(name), {f"{name}.{outcome}": len(images[f"{name}.{outcome}"]) for outcome in Outcome})
            for name in counts.category_names(run)
        ],
        lambda question, number: f"{question_text(question)}: {t('batch.count', number=number)}",
    )


def question_text(question: str) -> str:
    """Return the text of a question, such as "Colour: Other value"."""
    name, _, outcome = question.rpartition(".")
    return f"{tuples.category_label(name)}: {t(f'batch.outcome_{outcome}')}"


def answering_tuple_texts(line: Line, run: ScoringRun, questions: Sequence[str]) -> list[str]:
    """Return the texts of the tuples because of which a caption matches the questions, cached per run."""
    texts: dict[tuple[str, int | str], list[str]] = counts.cache_by_rows(run, ("behind", interface_language()), dict)
    spice: Spice = counts.cache_by_rows(run, "engine", lambda: engine.cached_metric(run.settings))
    is_same_thing = counts.cache_by_rows(run, "same", lambda: make_same_thing_predicate(spice.synonyms))
    for question in questions:
        if (question, line.id) not in texts:
            name, _, outcome = question.rpartition(".")
            by_outcome = tuples_by_outcome(line.row, name, spice.categories, is_same_thing=is_same_thing)
            texts[question, line.id] = list(map(change_text, by_outcome[Outcome(outcome)]))
    return list(dict.fromkeys(words for question in questions for words in texts[question, line.id]))
