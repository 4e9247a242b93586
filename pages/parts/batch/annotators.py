"""Agreement of two annotators: the visitor's causes beside those of a second work file of the same captions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape

import streamlit as st

from pages.parts.batch import counts, decisions, filters, questions
from pages.parts.batch.decisions import Decisions
from pages.parts.jobs.runs import Run
from pages.parts.kit import choice, html, messages, page
from pages.parts.kit.texts import problem, t
from pages.parts.uploads import columns, datasets
from spice_core.data.reader import Upload
from spice_core.data.work_file import Work, read_work
from spice_core.explain.causes.annotators import (
    AnnotatorAgreement,
    Labelled,
    annotator_agreement,
    labelled_captions,
    labelled_tuples,
    same_captions,
)
from spice_core.explain.evidence import tuple_text

_SHOWN = 1_000  # disagreements
_HEADS = ("unit", "both", "raw", "kappa", "first_alone", "second_alone")

Found = Mapping[str, AnnotatorAgreement]  # by unit: captions, tuples


def drawer(run: Run, decided: Decisions, *, key: str) -> None:
    """The choice of a second work file; then kappa, the table of causes, and the disagreements."""
    opened = st.expander(t("annotators.title"), key=f"{key}.annotators", on_change="rerun")
    if not opened.open:
        return
    with opened:
        html.note(t("annotators.note"))
        file = st.file_uploader(t("annotators.upload"), type=["jsonl", "json", "gz"], key=f"{key}.second")
        if file is None:
            return
        mark = (file.file_id, decided.mark, len(run.rows))
        found = counts.latest_rows(run, "annotators", mark, lambda: show_comparison(columns.upload(file), run, decided))
        if isinstance(found, str):
            messages.say([found], kind="problem")
            return
        _show(found, run, decided, key=key)


def show_comparison(file: Upload, run: Run, decided: Decisions) -> Found | str:
    """The agreement with a second work file, or one line that says why there is none."""
    other, error = read_work(file, most=datasets.MOST)
    if error:
        return problem(error)
    if other is None:
        return t("annotators.no_work", file=file.name)
    images = same_captions(run.rows, other.rows)
    if not images:
        return t("annotators.other_data", file=file.name)
    if not (any(cause for cause, _ in other.diagnoses.values()) or other.causes):
        return t("annotators.no_causes", file=file.name)
    return _agreement(decided, other, [row.image_id for row in run.rows if row.image_id in images])


def _agreement(decided: Decisions, other: Work, images: Sequence[int | str]) -> Found:
    return {
        "captions": annotator_agreement(labelled_captions(decided.captions, other.diagnoses, images)),
        "tuples": annotator_agreement(labelled_tuples(decided.tuples, other.causes, images)),
    }


def _show(found: Found, run: Run, decided: Decisions, *, key: str) -> None:
    """Kappa of both units; of the chosen one the table of causes and the disagreements."""
    rows = ([t(f"annotators.{unit}"), *_figures(each)] for unit, each in found.items())
    st.html(html.table([t(f"annotators.{name}") for name in _HEADS], rows))
    html.note(t("annotators.kappa_note"))
    units = {unit: f"{t(f'annotators.{unit}')} ({each.kappa.n})" for unit, each in found.items() if each.kappa.n}
    if not units:
        messages.say([t("annotators.none_in_common")])
        return
    unit = choice.one_of(t("annotators.unit"), units, key=f"{key}.annotators_unit", label_visibility="collapsed")
    html.heading(t("annotators.table"))
    st.html(_confusion(found[unit].kappa.table))
    _disagreements(found[unit].disagreements, run, decided, key=key)


def _figures(found: AnnotatorAgreement) -> list[str]:
    style = page.style()
    value = f"{style.ratio(found.kappa.kappa.value)} <small>{style.interval(found.kappa.kappa)}</small>"
    return [str(found.kappa.n), style.ratio(found.kappa.raw), value, str(found.first_alone), str(found.second_alone)]


def _confusion(table: Counter[tuple[str, str]]) -> str:
    """How often the first person's cause (rows) met the second's (columns)."""
    order = [name for name, _ in Counter(label for pair in table.elements() for label in pair).most_common()]
    heads = [t("annotators.rows"), *(escape(decisions.label(name)) for name in order)]
    cell = lambda a, b: f"<b>{table[a, b]}</b>" if a == b and table[a, b] else str(table[a, b] or "–")
    return html.table(heads, ([escape(decisions.label(a)), *(cell(a, b) for b in order)] for a in order))


def _disagreements(found: Sequence[Labelled], run: Run, decided: Decisions, *, key: str) -> None:
    """The captions or tuples on which both differ; a row opens its caption."""
    html.titled_note(t("annotators.disagreements", number=len(found)), t("annotators.open"))
    if not found:
        html.note(t("annotators.agreed"))
        return
    by_id = {line.id: line for line in counts.lines(run)}
    shown, name = found[:_SHOWN], t("tuples.implicit_subject")
    widget = f"{key}.disagreements.{hash(tuple(shown)) & 0xFFFFFF:x}"

    def clicked() -> None:
        if chosen := st.session_state[widget].selection.rows:
            open_caption(shown[chosen[0]].image, run, decided, key=key)

    columns = {
        t("batch.column_id"): [str(each.image) for each in shown],
        t("batch.column_candidate"): [by_id[each.image].candidate for each in shown],
        **(
            {t("reasons.column_tuple"): [tuple_text(e.tuple.words, implicit_subject=name) for e in shown if e.tuple]}
            if shown[0].tuple
            else {}
        ),
        t("annotators.first"): [decisions.label(each.first) for each in shown],
        t("annotators.second"): [decisions.label(each.second) for each in shown],
    }
    alt = t("annotators.disagreements", number=len(found))
    st.dataframe(columns, key=widget, on_select=clicked, selection_mode="single-row", hide_index=True, height=260, alt=alt)


def open_caption(image: int | str, run: Run, decided: Decisions, *, key: str) -> None:
    """Show a caption below; filters that leave it out are cleared."""
    if all(line.id != image for line in filters.chosen(run, decided, key=key)):
        filters.clear(key=key)
    st.session_state[f"{key}.row"] = image
    questions.bring(key=key)
