"""Questions about two systems: which one matches, errs or wins, and in which category. Selected questions filter the images."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from pages.parts.kit import html
from pages.parts.kit.texts import t
from pages.parts.systems.state import systems_state
from pages.parts.views import filters, tuples
from pages.parts.views.tuples import change_text
from spice_core import Spice, SpiceConfig
from spice_core.evaluation.differences import (
    SYSTEM_QUESTIONS,
    Difference,
    Question,
    RowPair,
    SystemSide,
    advantage_tuples,
    deciding_categories,
    images_by_question,
    tuples_by_question,
)
from spice_core.evaluation.outcomes import SamePredicate, make_same_thing_predicate
from spice_core.report.systems_page import DecidingReason

ALL_TOGETHER = "*"  # replaces the category if several categories decide only together
_PART_SEPARATOR, _QUESTION_SEPARATOR = ".", "-"
_MAX_NAME_CHARS = 28  # maximum number of characters of a system's name in a question


@dataclass(frozen=True)
class SystemAnswers:
    """The images for which the answer to each question is yes, and the data for finding the tuples of an image."""

    names: Mapping[SystemSide, str]
    categories: Sequence[str]
    word_lists: Mapping[str, frozenset[str]]
    is_same_thing: SamePredicate
    images: Mapping[str, list[int | str]]  # by question, in the notation of the URL

    def count(self, category: str, question: Question) -> int:
        """Return the number of images for which the answer to a question is yes."""
        return len(self.images.get(question_param(category, question), ()))

    def count_wins(self, side: SystemSide) -> dict[int, int]:
        """Count the images that a system wins, by the number of categories that alone decide the win: none (0), one (1) or more (2)."""
        by_image: Counter[int | str] = Counter()
        for category in self.categories:
            by_image.update(self.images.get(question_param(category, Question(side, Difference.WINS)), ()))
        numbers = Counter(min(win_count, 2) for win_count in by_image.values())
        return {0: self.count(ALL_TOGETHER, Question(side, Difference.WINS)), 1: numbers[1], 2: numbers[2]}

    def tuple_texts(self, pair: RowPair, question: str) -> list[str]:
        """Return the texts of the tuples of an image because of which the answer to a question is yes."""
        category, parsed_question = parse_question(question)
        question_tuples = tuples_by_question(pair, category, self.word_lists, is_same_thing=self.is_same_thing)[parsed_question]
        return list(dict.fromkeys(map(change_text, question_tuples)))

    def reasons(self, pair: RowPair) -> list[DecidingReason]:
        """Return the categories that decide an image, with their tuples."""
        reasons = []
        for group in deciding_categories(pair, self.categories):
            advantage = advantage_tuples(pair, group, self.word_lists, is_same_thing=self.is_same_thing)
            matched_tuples, wrong_tuples = (
                [change_text(change) for change in dict.fromkeys(advantage) if bool(change.candidate) is is_candidate]
                for is_candidate in (False, True)
            )
            reasons.append(DecidingReason(" + ".join(map(tuples.category_label, group)), matched_tuples, wrong_tuples))
        return reasons


def find_answers(
    pairs: Sequence[RowPair], names: tuple[str, str], categories: Sequence[str], config: SpiceConfig, *, rows_key: object
) -> SystemAnswers:
    """Return the answers for two systems, cached until the rows, settings or names change."""

    def compute() -> SystemAnswers:
        with st.spinner(t("systems.asking")):
            spice = Spice(config)
            is_same_thing = make_same_thing_predicate(spice.synonyms)
            images = images_by_question(pairs, categories, spice.categories, is_same_thing=is_same_thing)
        by_question = {question_param(category, question): ids for (category, question), ids in images.items()}
        decided_ids = {image for (_, question), ids in images.items() if question.difference is Difference.WINS for image in ids}
        for side in SystemSide:
            undecided_ids = [pair.id for pair in pairs if pair.winner is side and pair.id not in decided_ids]
            by_question[question_param(ALL_TOGETHER, Question(side, Difference.WINS))] = undecided_ids
        return SystemAnswers(dict(zip(SystemSide, names)), categories, spice.categories, is_same_thing, by_question)

    return systems_state().cached("answers", (rows_key, names, config, len(pairs)), compute)


def question_param(category: str, question: Question) -> str:
    """Return a question in the notation of the URL, such as Color.base-found."""
    return f"{category}{_PART_SEPARATOR}{question.side}{_QUESTION_SEPARATOR}{question.difference}"


def parse_question(question: str) -> tuple[str, Question]:
    """Parse a question in the notation of the URL. Return its category, and the question without the category."""
    category, _, tuple_part = question.rpartition(_PART_SEPARATOR)
    side, _, difference = tuple_part.partition(_QUESTION_SEPARATOR)
    return category, Question(SystemSide(side), Difference(difference))


def show_table(answers: SystemAnswers) -> None:
    """Show the number of images for each question, and each system's numbers of wins. A click on a number filters the images."""
    filters.show_questions(
        t("systems.questions"),
        t("systems.number"),
        [short_question(answers.names[question.side], question) for question in SYSTEM_QUESTIONS],
        [
            (category_label(category), {question_param(category, q): answers.count(category, q) for q in SYSTEM_QUESTIONS})
            for category in (*answers.categories, ALL_TOGETHER)
        ],
        lambda question, number: f"{question_text(answers, question)}: {t('systems.found', number=number)}",
    )
    for side in SystemSide:
        wins = answers.count_wins(side)
        html.show_note(t("systems.win_sum", name=answers.names[side], all=sum(wins.values()), none=wins[0], one=wins[1], several=wins[2]))


def category_label(category: str) -> str:
    """Return the label of a category, or of the row for categories that decide only together."""
    return t("systems.together") if category == ALL_TOGETHER else tuples.category_label(category)


def short_question(name: str, question: Question) -> tuple[str, str]:
    """Return the short text of a question without its category, and its explanation."""
    short_name = name if len(name) <= _MAX_NAME_CHARS else f"{name[: _MAX_NAME_CHARS - 1]}…"
    return t(f"systems.{question.difference}_by", name=short_name), t(f"systems.{question.difference}_help", name=name)


def question_text(answers: SystemAnswers, question: str) -> str:
    """Return the text of a question, such as "Colour: Found only by A"."""
    category, parsed_question = parse_question(question)
    return f"{category_label(category)}: {short_question(answers.names[parsed_question.side], parsed_question)[0]}"


def reason_lines(answers: SystemAnswers, pair: RowPair, questions: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield labels, each with lines of tuples.

    First come the selected questions, except questions about the winner, and then the categories that decide an image.
    """
    for question in questions:
        if parse_question(question)[1].difference is not Difference.WINS:
            yield question_text(answers, question), [", ".join(answers.tuple_texts(pair, question))]
    if pair.winner:
        loser = answers.names[pair.winner.opposite]
        for reason in answers.reasons(pair):
            wrong_lines = [t("systems.wrong", name=loser, tuples=", ".join(reason.wrong_tuples))] if reason.wrong_tuples else []
            matched_lines = [", ".join(reason.matched_tuples)] if reason.matched_tuples else []
            yield t("systems.wins_in", name=answers.names[pair.winner], categories=reason.categories), [*matched_lines, *wrong_lines]
