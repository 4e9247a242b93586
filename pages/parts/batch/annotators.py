"""Agreement of two annotators: compare the visitor's causes with those in a second work file of the same captions."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from html import escape

import streamlit as st

from pages.parts.batch import counts, filters
from pages.parts.batch.decisions import Decisions, cause_label
from pages.parts.jobs.runs import ScoringRun
from pages.parts.kit import choice, html, page
from pages.parts.kit.bounded import call_bounded
from pages.parts.kit.choice import drawer
from pages.parts.kit.texts import error_text, t
from pages.parts.uploads import columns, reading
from pages.parts.views.filters import clear_filters, scroll_to_rows
from spice_core.data.reader import Upload
from spice_core.data.work_file import read_work
from spice_core.errors import InputError
from spice_core.explain.causes.annotators import (
    AnnotatorAgreement,
    LabelledUnit,
    annotator_agreement,
    images_with_same_captions,
    labelled_captions,
    labelled_tuples,
)
from spice_core.explain.evidence import tuple_text

_MAX_SHOWN_ROWS = 1_000  # limit of the table of disagreements
_HEADING_KEYS = ("unit", "both", "raw", "kappa", "first_alone", "second_alone")

AgreementByUnit = Mapping[str, AnnotatorAgreement]  # by unit: "captions" and "tuples"


@drawer("annotators.title", "batch.annotators")
def show_section(run: ScoringRun, decisions: Decisions) -> None:
    """Show an expander with the upload of a second work file, kappa, the table of causes, and the disagreements."""
    html.show_note(t("annotators.note"))
    file = st.file_uploader(t("annotators.upload"), type=["jsonl", "json", "gz"], key="batch.second")
    if file is None:
        return
    cache_key = (file.file_id, decisions.revision, len(run.rows))
    comparison = counts.cache_latest(run, "annotators", cache_key, lambda: compare_with_work_file(columns.to_upload(file), run, decisions))
    if isinstance(comparison, str):
        html.show_messages([comparison], severity="problem")
        return
    _show_agreement(comparison, run, decisions)


def compare_with_work_file(file: Upload, run: ScoringRun, decisions: Decisions) -> AgreementByUnit | str:
    """Return the agreement with a second work file, or a message if it cannot be measured."""
    try:
        other_work, error = call_bounded(partial(read_work, max_rows=reading.MAX_IMAGES), file)
    except InputError as refusal:
        return error_text(refusal)
    if error:
        return error_text(error)
    if other_work is None:
        return t("annotators.no_work", file=file.name)
    images = images_with_same_captions(run.rows, other_work.rows)
    if not images:
        return t("annotators.other_data", file=file.name)
    if not (any(causes for causes, _ in other_work.caption_causes.values()) or other_work.causes):
        return t("annotators.no_causes", file=file.name)
    ids = [row.image_id for row in run.rows if row.image_id in images]
    return {
        "captions": annotator_agreement(labelled_captions(decisions.captions, other_work.caption_causes, ids)),
        "tuples": annotator_agreement(labelled_tuples(decisions.tuples, other_work.causes, ids)),
    }


def _show_agreement(agreements: AgreementByUnit, run: ScoringRun, decisions: Decisions) -> None:
    """Show kappa for captions and for tuples, then the table of causes and the disagreements for the chosen unit."""
    rows = ([t(f"annotators.{unit}"), *_kappa_cells(agreement)] for unit, agreement in agreements.items())
    st.html(html.table([t(f"annotators.{name}") for name in _HEADING_KEYS], rows))
    html.show_note(t("annotators.kappa_note"))
    units = {unit: f"{t(f'annotators.{unit}')} ({agreement.kappa.n})" for unit, agreement in agreements.items() if agreement.kappa.n}
    if not units:
        html.show_messages([t("annotators.none_in_common")])
        return
    unit = choice.segmented_control(t("annotators.unit"), units, key="batch.annotators_unit", label_visibility="collapsed")
    html.show_heading(t("annotators.table"))
    st.html(_confusion_html(agreements[unit].kappa.table))
    _show_disagreements(agreements[unit].disagreements, run, decisions)


def _kappa_cells(agreement: AnnotatorAgreement) -> list[str]:
    style, kappa = page.display_style(), agreement.kappa
    value = f"{style.format_ratio(kappa.kappa.value)} <small>{style.format_interval(kappa.kappa)}</small>"
    return [str(kappa.n), style.format_ratio(kappa.raw), value, str(agreement.first_only_count), str(agreement.second_only_count)]


def _confusion_html(table: Counter[tuple[str, str]]) -> str:
    order = [name for name, _ in Counter(label for pair in table.elements() for label in pair).most_common()]
    headers = [t("annotators.rows"), *(escape(cause_label(name)) for name in order)]
    cell = lambda a, b: f"<b>{table[a, b]}</b>" if a == b and table[a, b] else str(table[a, b] or "–")
    return html.table(headers, ([escape(cause_label(a)), *(cell(a, b) for b in order)] for a in order))


def _show_disagreements(disagreements: Sequence[LabelledUnit], run: ScoringRun, decisions: Decisions) -> None:
    """Show the captions or tuples with different causes. A click on a row opens its caption."""
    html.show_titled_note(t("annotators.disagreements", number=len(disagreements)), t("annotators.open"))
    if not disagreements:
        html.show_note(t("annotators.agreed"))
        return
    by_id = {line.id: line for line in counts.caption_lines(run)}
    shown_disagreements, name = disagreements[:_MAX_SHOWN_ROWS], t("tuples.implicit_subject")
    widget = f"batch.disagreements.{hash(tuple(shown_disagreements)) & 0xFFFFFF:x}"

    def handle_click() -> None:
        if (row_position := choice.clicked_row(widget)) is not None:
            open_caption(shown_disagreements[row_position].image, run, decisions)

    columns = {
        t("batch.column_id"): [str(unit.image) for unit in shown_disagreements],
        t("batch.column_candidate"): [by_id[unit.image].candidate for unit in shown_disagreements],
        t("reasons.column_tuple"): [tuple_text(unit.tuple.words, implicit_subject=name) for unit in shown_disagreements if unit.tuple],
        t("annotators.first"): [cause_label(unit.first) for unit in shown_disagreements],
        t("annotators.second"): [cause_label(unit.second) for unit in shown_disagreements],
    }
    alt = t("annotators.disagreements", number=len(disagreements))
    columns = {heading: cells for heading, cells in columns.items() if cells}  # captions have no tuples
    st.dataframe(columns, key=widget, on_select=handle_click, selection_mode="single-cell", hide_index=True, height=260, alt=alt)


def open_caption(image: int | str, run: ScoringRun, decisions: Decisions) -> None:
    """Select a caption and scroll to the captions. Clear the filters if they exclude the caption."""
    if all(line.id != image for line in filters.filter_lines(run, decisions)):
        clear_filters(filters.CLEARED_FILTERS)
    st.session_state["batch.row"] = image
    scroll_to_rows()
