"""Questions about two systems: what only one finds or says otherwise, and why it wins; those asked filter the images."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages.parts.kit import html
from pages.parts.kit.texts import t
from pages.parts.views import component, tuples
from pages.parts.views.change_texts import change_text
from spice_core import Spice, SpiceConfig
from spice_core.evaluation.questions import Same, same_thing_by
from spice_core.evaluation.system_questions import (
    QUESTIONS,
    Difference,
    Question,
    RowPair,
    SystemSide,
    advantage_tuples,
    deciding_categories,
    images_by_question,
    tuples_by_question,
)
from spice_core.report.systems_page import Reason

MOST = 6  # questions at once
TOGETHER = "*"  # in place of a category: several decide only together
_DOT, _DASH = ".", "-"
_NAME = 28  # characters of a system's name in a question


@dataclass(frozen=True)
class Answers:
    """Two systems with the images behind each question, and what it takes to name the tuples of one image."""

    names: Mapping[SystemSide, str]
    categories: Sequence[str]
    lists: Mapping[str, frozenset[str]]
    same: Same
    images: Mapping[str, list[int | str]]  # by question, written as in the address

    def count(self, category: str, question: Question) -> int:
        """The number of images behind a question."""
        return len(self.images.get(question_param(category, question), ()))

    def behind(self, pair: RowPair, question: str) -> list[str]:
        """The tuples of an image that answer a question, in words."""
        category, asked = parse_question(question)
        found = tuples_by_question(pair, category, self.lists, same=self.same)[asked]
        return list(dict.fromkeys(map(change_text, found)))

    def why(self, pair: RowPair) -> list[Reason]:
        """The categories that decide an image, with their tuples."""
        out = []
        for group in deciding_categories(pair, self.categories):
            found = advantage_tuples(pair, group, self.lists, same=self.same)
            matched, wrong = ([change_text(c) for c in dict.fromkeys(found) if bool(c.candidate) is said] for said in (False, True))
            out.append(Reason(" + ".join(map(tuples.category, group)), matched, wrong))
        return out


def answers(
    pairs: Sequence[RowPair], names: tuple[str, str], categories: Sequence[str], config: SpiceConfig, *, key: str, mark: object
) -> Answers:
    """The answers for two systems, cached by rows, settings and names."""
    cache_key, cached = (mark, names, config, len(pairs)), st.session_state.get(f"{key}.answers")
    if not cached or cached[0] != cache_key:
        with st.spinner(t("systems.asking")):
            spice = Spice(config)
            same = same_thing_by(spice.synonyms)
            found = images_by_question(pairs, categories, spice.categories, same=same)
        by_question = {question_param(category, question): ids for (category, question), ids in found.items()}
        decided = {image for (_, question), ids in found.items() if question.difference is Difference.WINS for image in ids}
        for side in SystemSide:
            together = [pair.id for pair in pairs if pair.winner is side and pair.id not in decided]
            by_question[question_param(TOGETHER, Question(side, Difference.WINS))] = together
        answered = Answers(dict(zip(SystemSide, names)), categories, spice.categories, same, by_question)
        st.session_state[f"{key}.answers"] = cached = (cache_key, answered)
    return cached[1]


def question_param(category: str, question: Question) -> str:
    """A question as the address holds it: Color.base-found."""
    return f"{category}{_DOT}{question.side}{_DASH}{question.difference}"


def parse_question(question: str) -> tuple[str, Question]:
    """The category and the question that the address holds."""
    category, _, rest = question.rpartition(_DOT)
    side, _, difference = rest.partition(_DASH)
    return category, Question(SystemSide(side), Difference(difference))


def requested_questions(found: Answers, *, key: str) -> list[str]:
    """The questions that are asked of these systems."""
    return [question for question in st.session_state[f"{key}.asked"] if question in found.images]


def ask(question: str, *, key: str) -> None:
    """Ask a question, or no longer; the images come into view."""
    now = st.session_state[f"{key}.asked"]
    st.session_state[f"{key}.asked"] = [each for each in now if each != question] if question in now else [*now, question][-MOST:]
    st.session_state[f"{key}.brought"] = st.session_state.get(f"{key}.brought", 0) + 1


def table(found: Answers, pairs: Sequence[RowPair], *, key: str) -> None:
    """How many images answer each question; a click on a number asks it. Below, how many images no category decides."""
    chosen, rows = requested_questions(found, key=key), []
    for category in (*found.categories, TOGETHER):
        cells = []
        for question in QUESTIONS:
            name, number = question_param(category, question), found.count(category, question)
            cells.append(component.Cell(name, number, f"{question_text(found, name)}: {t('systems.found', number=number)}", name in chosen))
        rows.append((category_label(category), cells))
    heads = [("", ""), *(head(found.names[each.side], each) for each in QUESTIONS)]
    html.titled_note(t("systems.questions"), t("systems.number"))
    component.grid(t("systems.questions"), heads, rows, ask=lambda question: ask(question, key=key), key=f"{key}.questions")
    wins: dict[str, Any] = {f"{side}_wins": sum(pair.winner is side for pair in pairs) for side in SystemSide}
    undecided = sum(found.count(TOGETHER, Question(side, Difference.WINS)) for side in SystemSide)
    html.note(t("systems.undecided", base=found.names[SystemSide.BASE], other=found.names[SystemSide.OTHER], number=undecided, **wins))


def category_label(category: str) -> str:
    """The label of a category, or of several together."""
    return t("systems.together") if category == TOGETHER else tuples.category(category)


def head(name: str, question: Question) -> tuple[str, str]:
    """A question without its category, and what it means."""
    short = name if len(name) <= _NAME else f"{name[: _NAME - 1]}…"
    return t(f"systems.{question.difference}_by", name=short), t(f"systems.{question.difference}_help", name=name)


def question_text(found: Answers, question: str) -> str:
    """A question in words: Colour: only A finds it."""
    category, each = parse_question(question)
    return f"{category_label(category)}: {head(found.names[each.side], each)[0]}"


def reason_lines(found: Answers, pair: RowPair, questions: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """What is asked of an image and what decides it, each with its tuples in words, in up to two groups."""
    for question in questions:
        if parse_question(question)[1].difference is not Difference.WINS:
            yield question_text(found, question), [", ".join(found.behind(pair, question))]
    if pair.winner:
        loser = found.names[pair.winner.opposite]
        for reason in found.why(pair):
            wrong = [t("systems.wrong", name=loser, tuples=", ".join(reason.wrong))] if reason.wrong else []
            matched = [", ".join(reason.matched)] if reason.matched else []
            yield t("systems.wins_in", name=found.names[pair.winner], categories=reason.categories), [*matched, *wrong]
