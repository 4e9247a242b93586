"""Filters for the images of two systems: difference, better system, region of the scatter plot, and questions such as "Which one errs?"."""

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages.parts.kit import choice, html, url
from pages.parts.kit.charts import Points, show_chart
from pages.parts.kit.texts import t
from pages.parts.systems.state import systems_state
from pages.parts.views import filters, tuples
from pages.parts.views.filters import QUESTION_FILTER, ChipByFilter, Filter, choice_filter
from pages.parts.views.tuples import change_text
from spice_core import Spice, SpiceConfig
from spice_core.draw import charts
from spice_core.draw.style import DisplayStyle
from spice_core.evaluation.differences import (
    MAX_EQUAL_DIFFERENCE,
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

ALL_TOGETHER = "*"  # stands for the category if several categories are decisive only together
_PART_SEPARATOR, _QUESTION_SEPARATOR = ".", "-"
_MAX_SYSTEM_NAME_CHARS = 28  # maximum number of characters of a system's name in a question


@dataclass(frozen=True)
class SystemAnswers:
    """The images for which each question's answer is yes, and the data for finding an image's tuples."""

    names: Mapping[SystemSide, str]
    categories: Sequence[str]
    word_lists: Mapping[str, frozenset[str]]
    is_same_thing: SamePredicate
    images: Mapping[str, list[int | str]]  # by question, in the notation of the URL

    def count(self, category: str, question: Question) -> int:
        """Return the number of images for which a question's answer is yes."""
        return len(self.images.get(question_param(category, question), ()))

    def count_wins(self, side: SystemSide) -> dict[int, int]:
        """Count a system's wins by the number of categories that alone decide them: none (0), one (1) or more (2)."""
        by_image: Counter[int | str] = Counter()
        for category in self.categories:
            by_image.update(self.images.get(question_param(category, Question(side, Difference.WINS)), ()))
        numbers = Counter(min(win_count, 2) for win_count in by_image.values())
        return {0: self.count(ALL_TOGETHER, Question(side, Difference.WINS)), 1: numbers[1], 2: numbers[2]}

    def tuple_texts(self, pair: RowPair, question: str) -> list[str]:
        """Return the texts of an image's tuples for which a question's answer is yes."""
        category, parsed_question = parse_question(question)
        question_tuples = tuples_by_question(pair, category, self.word_lists, is_same_thing=self.is_same_thing)[parsed_question]
        return list(dict.fromkeys(map(change_text, question_tuples)))

    def reasons(self, pair: RowPair) -> list[DecidingReason]:
        """Return the decisive categories of an image with their tuples."""
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
    """Read a question in the notation of the URL. Return its category and the question."""
    category, _, tuple_part = question.rpartition(_PART_SEPARATOR)
    side, _, difference = tuple_part.partition(_QUESTION_SEPARATOR)
    return category, Question(SystemSide(side), Difference(difference))


def show_table(answers: SystemAnswers) -> None:
    """Show the number of images for each question, and each system's wins. A click on a number filters the images."""
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
    """Return the label of a category, or of the row for categories that are decisive only together."""
    return t("systems.together") if category == ALL_TOGETHER else tuples.category_label(category)


def short_question(name: str, question: Question) -> tuple[str, str]:
    """Return the short text of a question without its category, and its explanation."""
    short_name = name if len(name) <= _MAX_SYSTEM_NAME_CHARS else f"{name[: _MAX_SYSTEM_NAME_CHARS - 1]}…"
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


SIDE_OPTIONS = ("both", *SystemSide)
PlotRegion = tuple[float, float, float, float]  # ranges of F1: minimum and maximum of the baseline, then of the other system
_F1_PATTERN = r"([01]\.\d{3})"


def _parse_region(text: str) -> PlotRegion | None:
    """Parse a region such as 0.100-0.400,0.200-0.600. Return None for any other text."""
    if not (match := re.fullmatch(rf"{_F1_PATTERN}-{_F1_PATTERN},{_F1_PATTERN}-{_F1_PATTERN}", text, re.ASCII)):
        return None
    left, right, low, high = map(float, match.groups())
    return (left, right, low, high) if left <= right and low <= high else None


GAP_FILTER = Filter(
    "gap", "gap", 0.0, lambda text: float(text) if re.fullmatch(r"0\.\d[05]|1\.00", text, re.ASCII) else 0.0, "{:.2f}".format
)
SIDE_FILTER = choice_filter("side", "side", SIDE_OPTIONS)
REGION_FILTER = Filter("box", "box", None, _parse_region, lambda region: "{:.3f}-{:.3f},{:.3f}-{:.3f}".format(*region))
FILTERS = (GAP_FILTER, SIDE_FILTER, REGION_FILTER, QUESTION_FILTER)


def choose_systems(names: Sequence[str]) -> tuple[str, str]:
    """Show the choice of baseline and other system. Return their names. The URL stores their positions from 1."""
    options: dict[str, Any] = {"width": 320, "persist_state": "session"}
    _init_choice("systems.baseline", names, st.query_params.get("base", ""))
    baseline = st.selectbox(t("systems.baseline"), names, key="systems.baseline", **options)
    other_names = [name for name in names if name != baseline]
    _init_choice("systems.other", other_names, st.query_params.get("other", ""), names)
    other_name = st.selectbox(t("systems.other"), other_names, key="systems.other", **options)
    url.set_param("base", str(names.index(baseline) + 1), "1")
    url.set_param("other", str(names.index(other_name) + 1), str(names.index(other_names[0]) + 1))
    return baseline, other_name


def _init_choice(widget: str, options: Sequence[str], param: str, names: Sequence[str] = ()) -> None:
    """Set a select box without a valid value to the option at the URL's position, or else to the first option."""
    if st.session_state.get(widget) not in options:
        names = names or options
        requested_name = names[int(param) - 1] if re.fullmatch(r"[1-9]\d{0,3}", param, re.ASCII) and int(param) <= len(names) else ""
        st.session_state[widget] = requested_name if requested_name in options else options[0]


def show_scatter(pairs: Sequence[RowPair], answers: SystemAnswers, *, style: DisplayStyle) -> None:
    """Show a scatter plot of all images, excluded ones pale. A drawn box filters the images."""
    names = (answers.names[SystemSide.BASE], answers.names[SystemSide.OTHER])
    matching_names = {pair.id for pair in filter_pairs(pairs, answers)}
    box, state = REGION_FILTER.value, systems_state()
    state.plot_number += state.had_region and box is None  # a new key clears the chart's selection
    state.had_region = box is not None
    values = [(pair.base.overall.f1, pair.other.overall.f1) for pair in pairs]

    def select_region(points: Points) -> None:
        places = [values[point["point_index"]] for point in points if point["curve_number"] == 1]
        st.session_state["systems.box"] = _box_around(places) if places else None

    hints = [f"{p.id}: {style.format_ratio(x)} → {style.format_ratio(y)}" for p, (x, y) in zip(pairs, values)]
    wins, losses = (sum(p.winner is side for p in pairs) for side in (SystemSide.OTHER, SystemSide.BASE))
    alt = t("systems.scatter_alt", number=len(pairs), base=names[0], other=names[1], wins=wins, losses=losses)
    flags = [pair.id in matching_names for pair in pairs] if len(matching_names) < len(pairs) else None
    figure = charts.draw_scatter([x for x, _ in values], [y for _, y in values], hints, names, selected_flags=flags, box=box, style=style)
    show_chart(figure, key=f"systems.scatter.{state.plot_number}", alt=alt, on_box=select_region)


def _box_around(points: Sequence[tuple[float, float]]) -> PlotRegion:
    """Return the smallest region around these points, rounded outwards to three decimals."""
    limits = [end for values in zip(*points) for end in (math.floor(min(values) * 1000) / 1000, math.ceil(max(values) * 1000) / 1000)]
    left, right, low, high = (min(max(end, 0.0), 1.999) for end in limits)
    return left, right, low, high


def choose_pairs(pairs: Sequence[RowPair], answers: SystemAnswers, *, style: DisplayStyle) -> list[RowPair]:
    """Show the filters. Return the matching images, largest difference first."""
    left, right = st.columns([2, 3], gap="medium", vertical_alignment="bottom")
    options: dict[str, Any] = {"persist_state": "session"}
    left.slider(t("systems.gap"), 0.0, 1.0, step=0.05, key="systems.gap", **options)
    with right:
        side_names = dict(zip(SIDE_OPTIONS, (t("systems.both"), *answers.names.values())))
        choice.segmented_control(t("systems.direction"), side_names, key="systems.side", wrap=True, **options)
    matching_pairs = filter_pairs(pairs, answers)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        found_text = t("systems.found_of", number=len(matching_pairs), total=len(pairs))
        question_texts = {name: question_text(answers, name) for name in filters.selected_questions(answers.images)}
        filters.show_count_and_chips(found_text, _filter_chips(answers, style), question_texts, FILTERS)
    filters.write_params(FILTERS, answers.images)
    return matching_pairs


def filter_pairs(pairs: Sequence[RowPair], answers: SystemAnswers) -> list[RowPair]:
    """Return the images that match the filters, largest difference first."""
    image_sets = [set(answers.images[question]) for question in filters.selected_questions(answers.images)]
    left, right, low, high = REGION_FILTER.value or (0.0, 1.0, 0.0, 1.0)
    matching_pairs = [
        pair
        for pair in pairs
        if abs(pair.gap) >= GAP_FILTER.value - MAX_EQUAL_DIFFERENCE
        if SIDE_FILTER.value not in tuple(SystemSide) or pair.winner is SystemSide(SIDE_FILTER.value)
        if left - MAX_EQUAL_DIFFERENCE <= pair.base.overall.f1 <= right + MAX_EQUAL_DIFFERENCE
        if low - MAX_EQUAL_DIFFERENCE <= pair.other.overall.f1 <= high + MAX_EQUAL_DIFFERENCE
        if all(pair.id in image_ids for image_ids in image_sets)
    ]
    return sorted(matching_pairs, key=lambda pair: -abs(pair.gap))


def _filter_chips(answers: SystemAnswers, style: DisplayStyle) -> ChipByFilter:
    """Return a chip for each active filter except questions."""
    chips = ChipByFilter()
    if GAP_FILTER.value:
        chips["gap"] = t("systems.chip_gap", gap=style.format_ratio(GAP_FILTER.value)), {"gap": GAP_FILTER.neutral}
    if SIDE_FILTER.value in tuple(SystemSide):
        chips["side"] = t("systems.chip_side", name=answers.names[SystemSide(SIDE_FILTER.value)]), {"side": SIDE_FILTER.neutral}
    if REGION_FILTER.value:
        chips["box"] = t("systems.chip_box"), {"box": REGION_FILTER.neutral}
    return chips
