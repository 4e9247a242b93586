"""Downloads of a run (table, result rows, report), and the totals of the causes."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from html import escape
from typing import Any

import streamlit as st

from pages.parts.batch import counts, decisions, filters, persistence
from pages.parts.batch.decisions import Decisions
from pages.parts.jobs.runs import FIELDS, Run
from pages.parts.kit import page
from pages.parts.kit.texts import t
from pages.parts.uploads import images
from pages.parts.views import scored_rows, tuples
from spice_core.draw.design import MARKS
from spice_core.draw.style import DisplayStyle
from spice_core.explain.evidence import tuple_text
from spice_core.report import tables
from spice_core.report.dataset_page import Summary, report

_COLUMNS = ("id", "candidate", "f1", "precision", "recall", "weakest", "missing", "extra")
_MAX_WORST_CAPTIONS = 50


def show_menu(run: Run, decided: Decisions, *, key: str, style: DisplayStyle) -> None:
    """Show a button that opens the list of files; pressing the button of a file creates it."""
    opened = st.popover(t("download.title"), key=f"{key}.downloads", on_change="rerun")
    if not opened.open:
        return
    with opened:
        persistence.show_save_button(run, decided, key=key)
        for name, (ending, mime, make) in FILES.items():
            file: dict[str, Any] = {"file_name": f"spice-{run.name}-{run.settings.lang}.{ending}", "mime": mime}
            data = make(run, decided, style)
            st.download_button(t(f"batch.save_{name}"), data, key=f"{key}.save.{name}", on_click="ignore", type="tertiary", **file)


def show_totals(decided: Decisions) -> None:
    """Show the number of captions with each cause."""
    if numbers := Counter(cause for cause, _ in decided.captions.values() if cause):
        items = " · ".join(f"{escape(decisions.label(cause))} {numbers[cause]}" for cause in decided.for_captions if numbers[cause])
        st.html(f'<p class="sc-totals">{t("batch.totals", number=numbers.total())}: {items}</p>')


def as_csv(run: Run, decided: Decisions) -> bytes:
    """Return a CSV with one line per caption: scores by category, cause and note."""
    lines = counts.lines(run)
    categories = counts.category_names(run)
    heads = [*_COLUMNS, *(f"F1 {name}" for name in categories), "cause", "note", "tuple_causes", "references"]
    return tables.as_csv(heads, (_cells(line, categories, decided) for line in lines))


def as_jsonl(run: Run) -> bytes:
    """Return the rows in the format of ``spice-core score --detailed --subset --out FILE.jsonl``."""
    return "".join(json.dumps(row.as_json(FIELDS), ensure_ascii=False) + "\n" for row in run.rows).encode()


def summary(run: Run, decided: Decisions) -> Summary:
    """Return the content of the report."""
    lines = filters.sort_lines(counts.lines(run), "worst")
    return Summary(
        name=run.name,
        images=len(run.rows),
        means={t(f"score.{k}" if k != "f1" else "categories.f1"): x for k, x in counts.means(run).items()},
        categories={tuples.category_label(name): x for name, x in counts.categories(run).items()},
        histogram=counts.histogram(run),
        frequent={
            t(f"batch.most_{kind}"): [(n, g.count) for n, g in counts.slices(run, kind, decided).most(15)]
            for kind in ("missing", "extra", "near")
        },
        causes=[(decisions.label(cause), n) for cause, n in Counter(c for c, _ in decided.captions.values() if c).most_common()],
        notes=[
            (str(x.id), x.candidate, decisions.label(cause) if cause else "", note)
            for x in counts.lines(run)
            for cause, note in [decided.captions.get(x.id, ("", ""))]
            if cause or note
        ],
        worst=[
            (str(x.id), x.candidate, [scored_rows.caption_text(r) for r in x.row.references], x.f1) for x in lines[:_MAX_WORST_CAPTIONS]
        ],
        signature=run.rows[0].signature,
        pareto=[(decisions.label(cause), n.decided, n.suggested) for cause, n in counts.causes(run, decided).items()],
    )


def _cells(line: counts.Line, categories: list[str], decided: Decisions) -> list[object]:
    scores = line.row.scores
    by_category = [scores[name].f1 if name in scores and scores[name].defined else "" for name in categories]
    cause, note = decided.captions.get(line.id, ("", ""))
    causes = "; ".join(
        f"{MARKS[tuple_.state]} {tuple_text(tuple_.words)} = {label}" for tuple_, label in decided.tuples.get(line.id, {}).items()
    )
    short = [line.id, line.candidate, line.f1, line.precision, line.recall, line.weakest, line.missing, line.extra]
    return [*short, *by_category, cause, note, causes, " | ".join(map(scored_rows.caption_text, line.row.references))]


def _csv(run: Run, decided: Decisions, style: DisplayStyle) -> Callable[[], bytes]:
    return lambda: as_csv(run, decided)


def _jsonl(run: Run, decided: Decisions, style: DisplayStyle) -> Callable[[], bytes]:
    return lambda: as_jsonl(run)


def _html(run: Run, decided: Decisions, style: DisplayStyle) -> Callable[[], bytes]:
    content = summary(run, decided)
    pictured = replace(style, font_css=page.embedded_fonts(report(content, style)))
    return lambda: report(replace(content, pictures=_pictures(run)), pictured).encode()


def _pictures(run: Run) -> dict[str, bytes]:
    """Return small JPEG images for the worst captions, by id; captions without an image are skipped."""
    if run.images is None:
        return {}
    jpegs = {
        str(line.id): run.images.jpeg_of(line.id, images.SMALL_PX)
        for line in filters.sort_lines(counts.lines(run), "worst")[:_MAX_WORST_CAPTIONS]
    }
    return {id: jpeg for id, jpeg in jpegs.items() if jpeg}


FILES = {
    "csv": ("csv", "text/csv", _csv),
    "jsonl": ("jsonl", "application/jsonl", _jsonl),
    "html": ("html", "text/html", _html),
}
