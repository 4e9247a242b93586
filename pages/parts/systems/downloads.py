"""Downloads of a comparison: tables in the formats of ``spice-core compare``, and the report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from pages.parts.kit import page
from pages.parts.kit.texts import t
from pages.parts.systems.outcome_filters import ALL_TOGETHER, SystemAnswers, category_label
from spice_core.draw.style import DisplayStyle
from spice_core.evaluation.differences import SYSTEM_QUESTIONS, Difference, Question, RowPair, SystemSide
from spice_core.evaluation.row_statistics import caption_text
from spice_core.evaluation.systems import SystemComparison
from spice_core.report.comparison import FORMATTERS
from spice_core.report.systems_page import ExampleImage, SystemsReport, systems_page_html

_TABLE_FILES = {"latex": ("tex", "application/x-tex"), "csv": ("csv", "text/csv"), "html": ("html", "text/html")}
_MAX_EXAMPLES = 10  # maximum number of example images per system in the report


def show_menu(
    result: SystemComparison, pairs: Sequence[RowPair], answers: SystemAnswers, lang: str, *, key: str, style: DisplayStyle
) -> None:
    """Show the download menu. Files are created when their buttons are pressed."""
    popover = st.popover(t("download.title"), key=f"{key}.downloads", on_change="rerun")
    if not popover.open:
        return
    with popover:
        _show_save_button(
            "report", "report.html", "text/html", lambda: _report_file(report_content(result, pairs, answers, lang), style), key=key
        )
        for name, (ending, mime) in _TABLE_FILES.items():
            _show_save_button(name, ending, mime, partial(_table_file, name, result), key=key)


def report_content(result: SystemComparison, pairs: Sequence[RowPair], answers: SystemAnswers, lang: str) -> SystemsReport:
    """Return the content of the report."""
    decided_pairs = [pair for pair in pairs if pair.winner]
    return SystemsReport(
        systems=result,
        other=answers.names[SystemSide.OTHER],
        counts={
            category_label(category): {q: answers.count(category, q) for q in SYSTEM_QUESTIONS}
            for category in (*answers.categories, ALL_TOGETHER)
        },
        wins={side: sum(pair.winner is side for pair in decided_pairs) for side in SystemSide},
        undecided_count=sum(answers.count(ALL_TOGETHER, Question(side, Difference.WINS)) for side in SystemSide),
        examples={side: [_example_image(pair, answers) for pair in _largest_differences(decided_pairs, side)] for side in SystemSide},
        lang=lang,
    )


def _largest_differences(decided_pairs: Sequence[RowPair], side: SystemSide) -> list[RowPair]:
    return sorted((pair for pair in decided_pairs if pair.winner is side), key=lambda pair: -abs(pair.gap))[:_MAX_EXAMPLES]


def _example_image(pair: RowPair, answers: SystemAnswers) -> ExampleImage:
    base, other_caption = (caption_text(row.candidate) for row in pair.rows)
    return ExampleImage(str(pair.id), (base, other_caption), (pair.base.overall.f1, pair.other.overall.f1), answers.reasons(pair))


def _report_file(comparison: SystemsReport, style: DisplayStyle) -> bytes:
    return systems_page_html(comparison, replace(style, font_css=page.embedded_fonts(systems_page_html(comparison, style)))).encode()


def _table_file(name: str, result: SystemComparison) -> bytes:
    return FORMATTERS[name](result).encode()


def _show_save_button(name: str, ending: str, mime: str, make_content: Callable[[], bytes], *, key: str) -> None:
    options: dict[str, Any] = {"file_name": f"spice-systems.{ending}", "mime": mime, "on_click": "ignore", "type": "tertiary"}
    st.download_button(t(f"systems.save_{name}"), make_content, key=f"{key}.save.{name}", **options)
