"""Filters of the rows of a page: their state, their URL parameters, and the chips that remove them.

Questions are filters too. A table shows the number of rows for which the answer to each question is yes, and a click on a number keeps
only these rows.
"""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import streamlit as st

from pages.parts.kit import html
from pages.parts.kit.texts import t
from pages.parts.kit.url import set_param, widget_key
from pages.parts.views import component

T = TypeVar("T")
MAX_QUESTIONS = 6  # maximum number of selected questions
MAX_PARAM_CHARS = 300  # maximum number of characters of a filter in the URL
ChipByFilter = dict[str, tuple[str, dict[str, Any]]]  # the text of each filter's chip, and the filter values without it


@dataclass(frozen=True, eq=False)
class Filter:
    """A filter of a page.

    Attributes:
        name: Name of the filter in the session state.
        param: Name of the filter in the URL.
        neutral: The value that excludes nothing.
        parse: Return the value of a text from the URL. For an invalid text, return the neutral value.
        text: Return the text of a value for the URL.
    """

    name: str
    param: str
    neutral: Any
    parse: Callable[[str], Any]
    text: Callable[[Any], str] = str

    @property
    def value(self) -> Any:
        """The value that the visitor has chosen on the current page."""
        return st.session_state[widget_key(self.name)]


def choice_filter(name: str, param: str, options: Sequence[str]) -> Filter:
    """Return a filter with one of several values, the first of which excludes nothing."""
    return Filter(name, param, options[0], lambda text: text if text in options else options[0])


def _parse_questions(text: str) -> list[str]:
    return list(dict.fromkeys(filter(None, text[:MAX_PARAM_CHARS].split(","))))[:MAX_QUESTIONS]


QUESTION_FILTER = Filter("selected", "q", [], _parse_questions, ",".join)


def init_filters(filters: Iterable[Filter]) -> None:
    """Initialise the filters without a state: once per session from the URL, later with neutral values."""
    params = st.query_params if widget_key(QUESTION_FILTER.name) not in st.session_state else {}
    for filter_ in filters:
        st.session_state.setdefault(widget_key(filter_.name), filter_.parse(params.get(filter_.param, "")))


def restore_filters(filters: Iterable[Filter], params: Mapping[str, str]) -> None:
    """Set the filters to the values in the parameters of a URL."""
    set_filters({filter_.name: filter_.parse(params.get(filter_.param, "")) for filter_ in filters})


def clear_filters(filters: Iterable[Filter]) -> None:
    """Set the filters to their neutral values."""
    set_filters({filter_.name: filter_.neutral for filter_ in filters})


def set_filters(values: Mapping[str, Any]) -> None:
    """Set filters of the current page to these values."""
    st.session_state.update({widget_key(name): value for name, value in values.items()})


def write_params(filters: Iterable[Filter], questions: Container[str]) -> None:
    """Write the filters to the URL."""
    for name, value in filter_params(filters, questions).items():
        set_param(name, value)


def filter_params(filters: Iterable[Filter], questions: Container[str]) -> dict[str, str]:
    """Return the filters as URL parameters, without selected questions that the page does not have."""
    values = {filter_: selected_questions(questions) if filter_ is QUESTION_FILTER else filter_.value for filter_ in filters}
    return {filter_.param: filter_.text(value) if value != filter_.neutral else "" for filter_, value in values.items()}


def show_count_and_chips(
    count_text: str,
    chips: ChipByFilter,
    question_texts: Mapping[str, str],
    filters: Iterable[Filter],
    show_order: Callable[[], T | None] = lambda: None,
) -> T | None:
    """Show the number of rows, and buttons that remove each active filter and selected question, or clear the filters.

    ``show_order`` may show the choice of an order before the last button. Return its value.
    """
    questions = list(question_texts)
    chips = chips | {q: (text, {QUESTION_FILTER.name: [other for other in questions if other != q]}) for q, text in question_texts.items()}
    st.html(f'<p class="sc-count" role="status">{count_text}</p>', width="content")
    for name, (text, values) in chips.items():
        label, key = f"{html.escape_markdown(text)} ✕", widget_key(f"chip.{name}")
        st.button(label, key=key, on_click=set_filters, args=(values,), help=t("batch.chip_help"))
    order = show_order()
    if chips:
        st.button(t("batch.clear"), key=widget_key("clear"), on_click=clear_filters, args=(filters,), type="tertiary")
    return order


def selected_questions(questions: Container[str]) -> list[str]:
    """Return the selected questions that occur in ``questions``."""
    return [name for name in QUESTION_FILTER.value if name in questions]


def show_questions(
    title: str,
    note: str,
    headers: Sequence[tuple[str, str]],
    counts: Iterable[tuple[str, Mapping[str, int]]],
    describe: Callable[[str, int], str],
) -> None:
    """Show a table of the number of rows for each question. A click on a number selects or deselects its question.

    Args:
        title: Title of the table.
        note: Note beside the title.
        headers: Heading and explanation of each column.
        counts: Heading of each row, and the numbers for its questions.
        describe: Return the description of a question and its number of rows.
    """

    def toggle_question(question: str) -> None:
        selected = [name for name in QUESTION_FILTER.value if name != question]
        set_filters({QUESTION_FILTER.name: selected if question in QUESTION_FILTER.value else [*selected, question][-MAX_QUESTIONS:]})
        scroll_to_rows()

    rows = [
        (label, [component.GridCell(q, n, describe(q, n), q in QUESTION_FILTER.value) for q, n in row.items()]) for label, row in counts
    ]
    html.show_titled_note(title, note)
    component.show_grid(title, [("", ""), *headers], rows, on_choice=toggle_question, key=widget_key("questions"))


def scroll_to_rows() -> None:
    """Scroll to the heading of the rows when it is next shown."""
    st.session_state[widget_key("scrolls")] = st.session_state.get(widget_key("scrolls"), 0) + 1


def show_rows_heading(title: str) -> None:
    """Show the heading of the rows, to which ``scroll_to_rows`` scrolls."""
    key = widget_key("rows-heading")
    with st.container(key=key):
        st.subheader(title)
    component.scroll_to(key, st.session_state.get(widget_key("scrolls"), 0))
