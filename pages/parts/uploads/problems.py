"""What is wrong with a file that was sent: one line that helps, or equal problems together."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import streamlit as st

from pages.parts.kit import messages
from pages.parts.kit.html import scrolling_table
from pages.parts.kit.texts import problem, t
from pages.parts.uploads.datasets import COUNTED, MOST, Data
from spice_core.data.problems import Problem
from spice_core.report.tables import as_csv

_SHOWN = 100
_FIELDS = ("file", "row", "field", "found", "expected")


def report_problems(data: Data, *, key: str) -> None:
    """In which encoding the files were read, the number of good rows, and the problems of the others."""
    messages.say([t("batch.encoding", file=file, encoding=encoding) for file, encoding in data.encodings])
    messages.say([problem(notice) for notice in data.notices])
    if data.too_many:
        messages.say([t("batch.too_many", most=f"{MOST:,}")])
    if not data.bad:
        return
    if data.remedy:
        name, file, found = data.remedy
        messages.say([t(f"batch.remedy_{name}", file=file, found=problem(found))], kind="problem")
        return
    bad: dict[str, Any] = {"bad": data.bad, "plus": "+" if data.bad == COUNTED else ""}
    messages.say([t("batch.problems" if data.items else "batch.no_good", good=len(data.items), **bad)], kind="problem")
    show_problems(data, key=key)


def show_problems(data: Data, *, key: str) -> None:
    """The problems as a table, and as a file."""
    bad: dict[str, Any] = {"bad": data.bad, "plus": "+" if data.bad == COUNTED else ""}
    with st.expander(t("batch.problems_list", **bad), expanded=True):
        st.html(table(data.groups))
        options: dict[str, Any] = {"file_name": f"{data.name}-problems.csv", "mime": "text/csv", "on_click": "ignore", "type": "tertiary"}
        label = t("batch.problems_csv" if data.bad == len(data.problems) else "batch.problems_first", number=f"{len(data.problems):,}")
        st.download_button(label, as_csv(_FIELDS, data.problems), key=f"{key}.problems", **options)


def table(groups: Sequence[Problem]) -> str:
    """The first kinds of problems as a table; every text of the file is escaped."""
    heads = [t("batch.problem_count"), *(t("batch.found_value" if name == "found" else f"batch.{name}") for name in _FIELDS)]
    head = "".join(f"<th scope=col>{text}</th>" for text in heads)
    lines = "".join(f"<tr><td>{each.count:,}</td>{_cells(each)}</tr>" for each in groups[:_SHOWN])
    more = f'<p class="sc-note">{t("batch.more", number=f"{len(groups) - _SHOWN:,}")}</p>' if len(groups) > _SHOWN else ""
    return (
        scrolling_table(f'<table class="sc-table sc-problems"><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>', heads) + more
    )


def _cells(each: Problem) -> str:
    return "".join(f"<td>{escape(problem(text))}</td>" for text in (each.file, each.places, each.field, each.found, each.expected))
