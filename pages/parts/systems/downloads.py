"""Downloads of a comparison: tables in the formats of ``spice-core compare``, and the report."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from pages.parts.kit import page
from pages.parts.kit.choice import download_button, drawer
from pages.parts.kit.texts import t
from pages.parts.systems.filters import ALL_TOGETHER, SystemAnswers, category_label
from pages.parts.views import saved_work
from spice_core.data.work_file import ScoredWork
from spice_core.draw.style import DisplayStyle
from spice_core.evaluation.differences import SYSTEM_QUESTIONS, Difference, Question, RowPair, SystemSide
from spice_core.evaluation.row_statistics import caption_text
from spice_core.evaluation.systems import SystemComparison
from spice_core.report.comparison import FORMATTERS
from spice_core.report.systems_page import ExampleImage, SystemsReport, systems_page_html

_TABLE_FILES = {"latex": ("tex", "application/x-tex"), "csv": ("csv", "text/csv"), "html": ("html", "text/html")}
_MAX_EXAMPLES = 10


@drawer("download.title", "systems.downloads", st.popover)
def show_menu(
    works: Sequence[ScoredWork],
    result: SystemComparison,
    pairs: Sequence[RowPair],
    answers: SystemAnswers,
    lang: str,
    *,
    style: DisplayStyle,
) -> None:
    """Show the download menu. Files are created when their buttons are pressed."""

    def make_report() -> bytes:
        report = report_content(result, pairs, answers, lang)
        return systems_page_html(report, replace(style, font_css=page.embedded_fonts(systems_page_html(report, style)))).encode()

    saved_work.show_save_button(works, "spice-systems-run.jsonl.gz")
    files: dict[str, tuple[str, str, Callable[[], bytes]]] = {"report": ("report.html", "text/html", make_report)}
    for name, (ending, mime) in _TABLE_FILES.items():
        files[name] = ending, mime, partial(lambda format_table: format_table(result).encode(), FORMATTERS[name])
    for name, (ending, mime, make_file) in files.items():
        download_button(t(f"systems.save_{name}"), make_file, f"spice-systems.{ending}", mime, key=f"systems.save.{name}")


def report_content(result: SystemComparison, pairs: Sequence[RowPair], answers: SystemAnswers, lang: str) -> SystemsReport:
    """Return the content of the report."""
    decided_pairs = [pair for pair in pairs if pair.winner]

    def examples_of(side: SystemSide) -> list[ExampleImage]:
        won_pairs = sorted((pair for pair in decided_pairs if pair.winner is side), key=lambda pair: -abs(pair.gap))[:_MAX_EXAMPLES]
        captions = [(caption_text(pair.base.candidate), caption_text(pair.other.candidate)) for pair in won_pairs]
        ratios = ((pair.base.overall.f1, pair.other.overall.f1) for pair in won_pairs)
        return [ExampleImage(str(p.id), texts, f1, answers.reasons(p)) for p, texts, f1 in zip(won_pairs, captions, ratios)]

    return SystemsReport(
        systems=result,
        other=answers.names[SystemSide.OTHER],
        counts={
            category_label(category): {q: answers.count(category, q) for q in SYSTEM_QUESTIONS}
            for category in (*answers.categories, ALL_TOGETHER)
        },
        wins={side: sum(pair.winner is side for pair in decided_pairs) for side in SystemSide},
        undecided_count=sum(answers.count(ALL_TOGETHER, Question(side, Difference.WINS)) for side in SystemSide),
        examples={side: examples_of(side) for side in SystemSide},
        lang=lang,
    )
