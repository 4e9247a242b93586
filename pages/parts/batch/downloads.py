"""Downloads of a run (table, result rows, report), and the totals of the causes."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from html import escape
from operator import attrgetter
from typing import Any

import streamlit as st

from pages.parts.batch import counts, filters, persistence
from pages.parts.batch.decisions import Decisions, cause_label
from pages.parts.jobs.runs import ROW_FIELDS, ScoringRun
from pages.parts.kit import page
from pages.parts.kit.texts import t
from pages.parts.uploads import images
from pages.parts.views import tuples
from spice_core.draw.design import MARK_BY_STATE
from spice_core.draw.style import DisplayStyle
from spice_core.evaluation.row_statistics import caption_text
from spice_core.explain.evidence import tuple_text
from spice_core.report import tables
from spice_core.report.dataset_page import DatasetSummary, dataset_page_html

_MAX_WORST_CAPTIONS = 50
_CELL_SEPARATOR = "; "  # separates values in a cell


def show_menu(run: ScoringRun, decisions: Decisions, *, key: str, style: DisplayStyle) -> None:
    """Show the download menu. Files are created when their buttons are pressed."""
    popover = st.popover(t("download.title"), key=f"{key}.downloads", on_change="rerun")
    if not popover.open:
        return
    with popover:
        persistence.show_save_button(run, decisions, key=key)
        for name, (ending, mime, make_file) in DOWNLOAD_FILES.items():
            file: dict[str, Any] = {"file_name": f"spice-{run.name}-{run.settings.lang}.{ending}", "mime": mime}
            data = make_file(run, decisions, style)
            st.download_button(t(f"batch.save_{name}"), data, key=f"{key}.save.{name}", on_click="ignore", type="tertiary", **file)


def show_totals(decisions: Decisions) -> None:
    """Show the number of captions with each cause."""
    if numbers := _caption_causes(decisions):
        items = " · ".join(f"{escape(cause_label(cause))} {numbers[cause]}" for cause in decisions.caption_causes if numbers[cause])
        st.html(
            f'<p class="sc-totals">{t("batch.totals", number=sum(bool(causes) for causes, _ in decisions.captions.values()))}: {items}</p>'
        )


def rows_as_csv(run: ScoringRun, decisions: Decisions) -> bytes:
    """Return a CSV file with a header and one line per caption: the caption, its scores and error counts, causes, note and references."""
    cells = _table_columns(counts.category_names(run), decisions)
    return tables.table_csv(cells, ([cell(line) for cell in cells.values()] for line in counts.caption_lines(run)))


def rows_as_jsonl(run: ScoringRun) -> bytes:
    """Return the rows in the format of ``spice-core score --detailed --subset --sentences --out FILE.jsonl``."""
    return "".join(json.dumps(row.as_json(ROW_FIELDS), ensure_ascii=False) + "\n" for row in run.rows).encode()


def report_summary(run: ScoringRun, decisions: Decisions) -> DatasetSummary:
    """Return the content of the report."""
    lines = filters.sort_lines(counts.caption_lines(run), "worst")
    return DatasetSummary(
        name=run.name,
        images=len(run.rows),
        means={t(f"score.{k}" if k != "f1" else "categories.f1"): x for k, x in counts.mean_scores(run).items()},
        categories={tuples.category_label(name): x for name, x in counts.category_means(run).items()},
        histogram=counts.f1_histogram(run),
        frequent={
            t(f"batch.most_{grouping}"): [(n, g.count) for n, g in list(counts.image_groups(run, grouping, decisions).items())[:15]]
            for grouping in ("missing", "extra", "near")
        },
        causes=[(cause_label(cause), n) for cause, n in _caption_causes(decisions).most_common()],
        notes=[
            (str(x.id), x.candidate, ", ".join(map(cause_label, decisions.causes_of(x.id))), decisions.note_of(x.id))
            for x in counts.caption_lines(run)
            if x.id in decisions.captions
        ],
        worst=[(str(x.id), x.candidate, [caption_text(r) for r in x.row.references], x.f1) for x in lines[:_MAX_WORST_CAPTIONS]],
        signature=run.rows[0].signature,
        pareto=[
            (cause_label(cause), n.decided_count, n.suggested_count) for cause, n in counts.count_grouped_causes(run, decisions).items()
        ],
    )


def _table_columns(categories: Sequence[str], decisions: Decisions) -> dict[str, Callable[[counts.Line], object]]:
    """Return, for the name of each column, a function that returns the cell of a caption."""
    return {
        "id": lambda line: line.id,
        **{name: attrgetter(name) for name in ("candidate", "f1", "precision", "recall", "weakest", "missing", "extra")},
        **{f"F1 {name}": partial(_category_cell, name) for name in categories},
        "cause": lambda line: _CELL_SEPARATOR.join(decisions.causes_of(line.id)),
        "note": lambda line: decisions.note_of(line.id),
        "tuple_causes": lambda line: _CELL_SEPARATOR.join(
            f"{MARK_BY_STATE[tuple_.state]} {tuple_text(tuple_.words)} = {cause}"
            for tuple_, cause in decisions.tuples.get(line.id, {}).items()
        ),
        "references": lambda line: " | ".join(map(caption_text, line.row.references)),
    }


def _category_cell(category: str, line: counts.Line) -> object:
    score = line.row.scores.get(category)
    return score.f1 if score and score.defined else ""


def _caption_causes(decisions: Decisions) -> Counter[str]:
    """Count the captions with each cause."""
    return Counter(cause for causes, _ in decisions.captions.values() for cause in causes)


def _csv_maker(run: ScoringRun, decisions: Decisions, style: DisplayStyle) -> Callable[[], bytes]:
    return lambda: rows_as_csv(run, decisions)


def _jsonl_maker(run: ScoringRun, decisions: Decisions, style: DisplayStyle) -> Callable[[], bytes]:
    return lambda: rows_as_jsonl(run)


def _html_maker(run: ScoringRun, decisions: Decisions, style: DisplayStyle) -> Callable[[], bytes]:
    content = report_summary(run, decisions)
    style_with_fonts = replace(style, font_css=page.embedded_fonts(dataset_page_html(content, style)))
    return lambda: dataset_page_html(replace(content, pictures=_worst_pictures(run)), style_with_fonts).encode()


def _worst_pictures(run: ScoringRun) -> dict[str, bytes]:
    """Return small JPEG images by id, for the lowest-scoring captions that have an image."""
    if run.images is None:
        return {}
    jpegs = {
        str(line.id): run.images.jpeg_of(line.id, images.SMALL_PX)
        for line in filters.sort_lines(counts.caption_lines(run), "worst")[:_MAX_WORST_CAPTIONS]
    }
    return {id: jpeg for id, jpeg in jpegs.items() if jpeg}


DOWNLOAD_FILES = {
    "csv": ("csv", "text/csv", _csv_maker),
    "jsonl": ("jsonl", "application/jsonl", _jsonl_maker),
    "html": ("html", "text/html", _html_maker),
}
