"""The order of the captions of a run, and their filters: score range, group, word, and questions about categories and outcomes."""

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts.batch import counts, overview
from pages.parts.batch.counts import Line
from pages.parts.batch.decisions import Decisions, cause_label
from pages.parts.jobs.runs import ScoringRun
from pages.parts.kit import choice, html
from pages.parts.kit.texts import interface_language, t
from pages.parts.state import engine
from pages.parts.views import filters, tuples
from pages.parts.views.filters import QUESTION_FILTER, ChipByFilter, Filter, choice_filter
from pages.parts.views.tuples import change_text
from spice_core import Spice
from spice_core.draw.design import KIND_BY_CATEGORY
from spice_core.draw.style import DisplayStyle
from spice_core.evaluation.error_analysis import ImageGroup
from spice_core.evaluation.outcomes import Outcome, images_by_outcome, make_same_thing_predicate, tuples_by_outcome
from spice_core.evaluation.row_statistics import caption_text
from spice_core.scene.scores import OVERALL


def images_by_question(run: ScoringRun) -> dict[str, list[int | str]]:
    """Return the ids of the images with each question's outcome in its category (such as ``Color.other``), cached per run."""

    def make() -> dict[str, list[int | str]]:
        spice = engine.cached_metric(run.settings)
        by_outcome = images_by_outcome(
            run.rows, counts.category_names(run), spice.categories, is_same_thing=make_same_thing_predicate(spice.synonyms)
        )
        return {f"{name}.{outcome}": ids for (name, outcome), ids in by_outcome.items()}

    return counts.cache_by_rows(run, "questions", make)


def show_table(run: ScoringRun) -> None:
    """Show the number of captions with each outcome in each category. A click on a number filters the captions."""
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
    """Return the texts of the tuples that make a caption match the questions, cached per run."""
    texts: dict[tuple[str, int | str], list[str]] = counts.cache_by_rows(run, ("behind", interface_language()), dict)
    spice: Spice = counts.cache_by_rows(run, "engine", lambda: engine.cached_metric(run.settings))
    is_same_thing = counts.cache_by_rows(run, "same", lambda: make_same_thing_predicate(spice.synonyms))
    for question in questions:
        if (question, line.id) not in texts:
            name, _, outcome = question.rpartition(".")
            by_outcome = tuples_by_outcome(line.row, name, spice.categories, is_same_thing=is_same_thing)
            texts[question, line.id] = list(map(change_text, by_outcome[Outcome(outcome)]))
    return list(dict.fromkeys(words for question in questions for words in texts[question, line.id]))


GROUPINGS = ("", "category", "score", "length", "word", "field", "tag", "missing", "extra", "near", *counts.STATES_BY_GROUPING)
SORT_ORDERS = ("worst", "best", "file_order")
_CHART_GROUPINGS = ("category", "score", "length", "word", "field", "tag", *counts.STATES_BY_GROUPING)
FULL_RANGE = (0.0, 1.0)
_MAX_SHOWN_GROUPS = 300
_MAX_BARS = 12


def parse_range(text: str) -> tuple[float, float]:
    """Return an F1 range such as 0.2-0.4, or the full range for any other text."""
    low, high = map(float, match.groups()) if (match := re.fullmatch(r"([01]\.\d{1,2})-([01]\.\d{1,2})", text, re.ASCII)) else FULL_RANGE
    return (low, high) if low < high <= 1 else FULL_RANGE


F1_RANGE_FILTER = Filter("range", "f1", FULL_RANGE, parse_range, lambda limits: "{:.2f}-{:.2f}".format(*limits))
GROUPING_FILTER = choice_filter("kind", "by", GROUPINGS)
GROUP_FILTER = Filter("value", "only", None, lambda text: text or None)
SEARCH_FILTER = Filter("search", "find", "", lambda text: text[: filters.MAX_PARAM_CHARS])
ORDER_FILTER = choice_filter("order", "order", SORT_ORDERS)
CLEARED_FILTERS = (F1_RANGE_FILTER, GROUPING_FILTER, GROUP_FILTER, SEARCH_FILTER, QUESTION_FILTER)
FILTERS = (*CLEARED_FILTERS, ORDER_FILTER)


def choose_lines(run: ScoringRun, decisions: Decisions, *, style: DisplayStyle) -> list[Line]:
    """Show the filters. Return the matching captions in the chosen order."""
    columns = [place for _ in range(2) for place in st.columns(2, gap="medium", vertical_alignment="bottom")]
    columns[0].slider(t("batch.range"), 0.0, 1.0, step=0.05, key="batch.range", persist_state="session")
    options: dict[str, Any] = {"persist_state": "session"}
    is_grouped = counts.cache_by_rows(run, "grouped", lambda: any(row.group for row in run.rows))
    labels_by_grouping = {name: t(f"batch.by_{name or 'none'}") for name in GROUPINGS if name != "field" or is_grouped}
    if GROUPING_FILTER.value not in labels_by_grouping:  # the link's grouping does not exist for these data
        filters.clear_filters([GROUPING_FILTER])
    grouping = choice.selectbox(t("batch.slice"), labels_by_grouping, container=columns[2], key="batch.kind", **options)
    _show_groups(columns[3], run, grouping, decisions, style=style)
    columns[1].text_input(t("batch.search"), key="batch.search", placeholder=t("batch.search_hint"), **options)
    matching_lines = filter_lines(run, decisions)
    known_questions = images_by_question(run)
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        question_texts = {name: question_text(name) for name in filters.selected_questions(known_questions)}
        found_text = t("batch.found", number=len(matching_lines), total=len(run.rows))
        orders = {name: t(f"batch.{name}") for name in SORT_ORDERS}
        options |= {"label_visibility": "collapsed", "width": "content", "wrap": True}
        show_order = partial(choice.segmented_control, t("batch.order"), orders, key="batch.order", **options)
        order = filters.show_count_and_chips(found_text, _filter_chips(style), question_texts, CLEARED_FILTERS, show_order)
    filters.write_params(FILTERS, known_questions)
    return sort_lines(matching_lines, order or SORT_ORDERS[0])


def _filter_chips(style: DisplayStyle) -> ChipByFilter:
    """Return a chip for each active filter except questions."""
    (low, high), word, chips = F1_RANGE_FILTER.value, SEARCH_FILTER.value.strip(), ChipByFilter()
    if (low, high) != FULL_RANGE:
        chips["range"] = f"F1 {style.format_ratio(low)}–{style.format_ratio(high)}", {"range": FULL_RANGE}
    if GROUPING_FILTER.value and GROUP_FILTER.value:
        text = f"{t(f'batch.by_{GROUPING_FILTER.value}')}: {group_label(GROUPING_FILTER.value, GROUP_FILTER.value)}"
        chips["value"] = text, {"kind": "", "value": None}
    if word:
        chips["search"] = t("batch.chip_word", word=word), {"search": ""}
    return chips


def filter_lines(run: ScoringRun, decisions: Decisions) -> list[Line]:
    """Return the captions that match the filters."""
    (low, high), grouping, group, word = (
        F1_RANGE_FILTER.value,
        GROUPING_FILTER.value,
        GROUP_FILTER.value,
        SEARCH_FILTER.value.strip().lower(),
    )
    ids = counts.images_in_group(run, grouping, group, decisions) if grouping and group else None
    images = images_by_question(run)
    image_sets = [set(images[name]) for name in filters.selected_questions(images)]
    return [
        line
        for line in counts.caption_lines(run)
        if all(line.id in image_ids for image_ids in image_sets)
        if low <= line.f1 + 1e-9 and (line.f1 < high - 1e-9 or high >= 1)
        if ids is None or line.id in ids
        if not word or any(word in caption_text(text).lower() for text in (line.row.candidate, *line.row.references))
    ]


def sort_lines(lines: list[Line], order: str) -> list[Line]:
    """Sort captions by one of ``SORT_ORDERS``."""
    return lines if order == "file_order" else sorted(lines, key=lambda line: line.f1, reverse=order == "best")


def _show_groups(column: DeltaGenerator, run: ScoringRun, grouping: str, decisions: Decisions, *, style: DisplayStyle) -> None:
    """Show the groups of the chosen grouping in a select box and, for some groupings, as bars."""
    if not grouping:
        filters.clear_filters([GROUP_FILTER])
        column.selectbox(t("batch.group"), [], key="batch.value", disabled=True, placeholder=t("batch.by_none"))
        return
    groups = _largest_groups(run, grouping, decisions)
    if GROUP_FILTER.value not in groups:
        filters.clear_filters([GROUP_FILTER])

    def label(name: str) -> str:
        return t("batch.group_of", name=group_label(grouping, name), number=groups[name].count, mean=style.format_ratio(groups[name].mean))

    options: dict[str, Any] = {"placeholder": t("batch.group_hint"), "persist_state": "session"}
    choice.selectbox(t("batch.group"), {name: label(name) for name in groups}, container=column, key="batch.value", index=None, **options)
    if grouping in _CHART_GROUPINGS and groups:
        names = list(groups)[:_MAX_BARS]
        texts = [f"{style.format_ratio(groups[name].mean)} · {groups[name].count}" for name in names]
        title = t("batch.slice_own") if grouping == "category" else t("batch.slice_title", kind=t(f"batch.by_{grouping}"))
        st.html(f'<h3 class="sc-small">{title}</h3>')
        colours = [KIND_BY_CATEGORY.get(name, "attribute") if grouping == "category" and name != OVERALL else "" for name in names]
        labels = [group_label(grouping, name) for name in names]
        overview.show_bars(grouping, names, [groups[name].mean for name in names], texts, colours, labels=labels)


def _largest_groups(run: ScoringRun, grouping: str, decisions: Decisions) -> Mapping[str, ImageGroup]:
    """Return the largest groups, ordered by value for lengths and scores, otherwise by frequency.

    If the chosen group is a cause, but the search for causes has not run, add the group without images, and show a message.
    """
    pairs = list(counts.image_groups(run, grouping, decisions).items())[:_MAX_SHOWN_GROUPS]
    if grouping in ("length", "score"):
        pairs = sorted(pairs, key=lambda pair: float(pair[0].split("–")[0]))
    groups = dict(pairs)
    is_cause = grouping in counts.STATES_BY_GROUPING and GROUP_FILTER.value in decisions.tuple_causes
    if is_cause and GROUP_FILTER.value not in groups and not run.suggested_causes:
        groups[GROUP_FILTER.value] = ImageGroup()
        html.show_messages([t("pareto.ask_first")])
    return groups


def group_label(grouping: str, group_name: str) -> str:
    """Return the label of a group in the interface language."""
    if grouping == "category":
        return tuples.category_label(group_name)
    return cause_label(group_name) if grouping == "tag" or grouping in counts.STATES_BY_GROUPING else group_name
