"""Reports on uploaded files: a message with a remedy, or a table of grouped problems."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import streamlit as st

from pages.parts.kit import html
from pages.parts.kit.choice import download_button
from pages.parts.kit.html import plain_table
from pages.parts.kit.texts import error_text, t
from pages.parts.uploads.reading import MAX_COUNTED_PROBLEMS, MAX_IMAGES, CaptionData, problem_rows
from spice_core.data.problems import Problem
from spice_core.report.tables import table_csv

_MAX_GROUPS = 100
_FIELD_KEYS = ("file", "row", "field", "found", "expected")


def report_problems(caption_data: CaptionData, *, key: str) -> None:
    """Show messages about encodings and columns, the number of valid rows, and the invalid rows or a remedy."""
    html.show_messages([t("batch.encoding", file=file, encoding=encoding) for file, encoding in caption_data.encodings])
    html.show_messages([error_text(notice) for notice in caption_data.notices])
    if caption_data.exceeds_limit:
        html.show_messages([t("batch.too_many", most=f"{MAX_IMAGES:,}")])
    if not caption_data.problem_count:
        html.show_messages([] if caption_data.items else [t("batch.empty", file=caption_data.name)], severity="problem")
        return
    if caption_data.remedy:
        name, file, text = caption_data.remedy
        html.show_messages([t(f"batch.remedy_{name}", file=file, found=error_text(text))], severity="problem")
        return
    html.show_messages(
        [t("batch.problems" if caption_data.items else "batch.no_good", good=len(caption_data.items), **_count_values(caption_data))],
        severity="problem",
    )
    show_problems(caption_data, key=key)


def show_problems(caption_data: CaptionData, *, key: str) -> None:
    """Show the problems as a table with a download button."""
    with st.expander(t("batch.problems_list", **_count_values(caption_data)), expanded=True):
        st.html(table_html(caption_data.groups))
        text_key = "batch.problems_csv" if caption_data.problem_count == len(caption_data.problems) else "batch.problems_first"
        label, data = t(text_key, number=f"{len(caption_data.problems):,}"), table_csv(_FIELD_KEYS, caption_data.problems)
        download_button(label, data, f"{caption_data.name}-problems.csv", "text/csv", key=f"{key}.problems")


def _count_values(caption_data: CaptionData) -> dict[str, Any]:
    """Return the values for a text with the number of problems. A plus sign marks a truncated count."""
    return {"bad": caption_data.problem_count, "plus": "+" if caption_data.problem_count == MAX_COUNTED_PROBLEMS else ""}


def table_html(groups: Sequence[Problem]) -> str:
    """Return the first groups of problems as an HTML table, with all text escaped."""
    headers = [t("batch.problem_count"), *(t("batch.found_value" if name == "found" else f"batch.{name}") for name in _FIELD_KEYS)]
    texts = ([escape(error_text(text)) for text in row] for row in problem_rows(groups[:_MAX_GROUPS]))
    rows = ([f"{group.count:,}", *row] for group, row in zip(groups, texts))
    more_groups = f'<p class="sc-note">{t("batch.more", number=f"{len(groups) - _MAX_GROUPS:,}")}</p>' if len(groups) > _MAX_GROUPS else ""
    return plain_table(headers, rows, "sc-problems") + more_groups
