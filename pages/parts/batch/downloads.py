"""Downloads of a run (table, result rows, report), and the totals of the causes."""

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from html import escape

import streamlit as st

from pages.parts.batch import columns, counts, filters, persistence
from pages.parts.batch.decisions import Decisions, cause_label
from pages.parts.jobs.runs import ROW_FIELDS, ScoringRun
from pages.parts.kit import page
from pages.parts.kit.choice import download_button, drawer
from pages.parts.kit.texts import t
from pages.parts.uploads import images
from pages.parts.views import tuples
from spice_core.draw.style import DisplayStyle
from spice_core.evaluation.row_statistics import caption_text
from spice_core.report.dataset_page import DatasetSummary, dataset_page_html

_MAX_WORST_CAPTIONS = 50


@drawer("download.title", "batch.downloads", st.popover)
def show_menu(run: ScoringRun, decisions: Decisions, *, style: DisplayStyle) -> None:
    """Show the download menu. Files are created when their buttons are pressed."""
    persistence.show_save_button(run, decisions)
    for name, mime, make_file in (
        ("csv", "text/csv", lambda: columns.rows_as_csv(run, decisions)),
        ("jsonl", "application/jsonl", lambda: rows_as_jsonl(run)),
        ("html", "text/html", report_maker(run, decisions, style)),
    ):
        file_name = f"spice-{run.name}-{run.settings.lang}.{name}"
        download_button(t(f"batch.save_{name}"), make_file, file_name, mime, key=f"batch.save.{name}")


def show_totals(decisions: Decisions) -> None:
    """Show the number of captions with each cause."""
    if numbers := _caption_causes(decisions):
        items = " · ".join(f"{escape(cause_label(cause))} {numbers[cause]}" for cause in decisions.caption_causes if numbers[cause])
        st.html(
            f'<p class="sc-totals">{t("batch.totals", number=sum(bool(causes) for causes, _ in decisions.captions.values()))}: {items}</p>'
        )


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


def _caption_causes(decisions: Decisions) -> Counter[str]:
    return Counter(cause for causes, _ in decisions.captions.values() for cause in causes)


def report_maker(run: ScoringRun, decisions: Decisions, style: DisplayStyle) -> Callable[[], bytes]:
    """Return a function that creates the report, with the pictures of its captions."""
    content = report_summary(run, decisions)
    style_with_fonts = replace(style, font_css=page.embedded_fonts(dataset_page_html(content, style)))
    return lambda: dataset_page_html(replace(content, pictures=_lowest_scoring_pictures(run)), style_with_fonts).encode()


def _lowest_scoring_pictures(run: ScoringRun) -> dict[str, bytes]:
    """Return small JPEG images by id, for the lowest-scoring captions that have an image."""
    if run.images is None:
        return {}
    jpegs = {
        str(line.id): run.images.jpeg_of(line.id, images.SMALL_PX)
        for line in filters.sort_lines(counts.caption_lines(run), "worst")[:_MAX_WORST_CAPTIONS]
    }
    return {id: jpeg for id, jpeg in jpegs.items() if jpeg}
