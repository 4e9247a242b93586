"""Storage of a visitor's work in the browser tab, so that rows, causes, notes and tags survive a reload."""

from collections.abc import Iterable
from dataclasses import replace

import streamlit as st

from pages.parts.batch import filters, persistence
from pages.parts.batch.decisions import Decisions
from pages.parts.batch.state import batch_state
from pages.parts.jobs.runs import ScoringRun, stored_rows
from pages.parts.uploads import datasets, reading
from pages.parts.views.saved_work import DIGEST_CHARS, as_dict, row_view, unpack_rows
from spice_core.data.results import ScoredItem
from spice_core.data.work_file import ScoredWork, read_decisions
from spice_core.errors import InputError


def store_work(run: ScoringRun | None, decisions: Decisions | None) -> None:
    """Store the decisions in the tab, with the rows if the files are the visitor's."""
    state, tab = batch_state(), batch_state().tab
    has_rows = bool(run and run.rows and not run.is_working and not datasets.is_sample(run.digest))
    rows_key = (len(run.rows), len(run.suggested_causes), run.settings) if run and has_rows else None
    if run and state.restored_digest:
        if state.restored_digest == run.digest:  # the rows came from the tab
            tab.mark_stored(run.digest, rows_key)
        state.restored_digest = ""
    content = ScoredWork((), "", {}, {}, decisions.captions, decisions.tuples, tuple(decisions.tags)).decisions if decisions else None
    make_works = lambda: [persistence.work_of_run(run, {}, Decisions())] if run else []
    shown = {"row": st.session_state.get("batch.row")}
    tab.store(shown, content, run.digest if run else "", rows_key, make_works, on_content=restore_work)


def restore_work(content: object) -> None:
    """Restore the work stored in a browser tab. Ignore invalid data, because a browser may send anything."""
    if not isinstance(content, dict) or st.session_state.get("batch.data"):
        return
    shown_view, decisions = (as_dict(content.get(name)) for name in ("shown", "decisions"))
    for sample_set in datasets.SAMPLE_BY_LANGUAGE.values():
        digest = datasets.read_sample(sample_set).digest
        sample_decisions = decisions.get(digest[:DIGEST_CHARS])
        if sample_decisions and (sample_work := _read_decisions(sample_decisions, stored_rows(sample_set, sample_set.systems[0]).values())):
            batch_state().decisions[digest] = persistence.decisions_of_work(sample_work)
    for widget in [name for name in st.session_state if str(name).startswith("batch.note.")]:
        del st.session_state[widget]  # the field would show the previous note
    caption_data = _read_rows(content.get("rows"))
    if not caption_data or not caption_data.saved_work:
        return
    is_shown = shown_view.get("digest") == caption_data.digest[:DIGEST_CHARS]
    view = {name: value for name, value in st.query_params.items() if is_shown and name in {filter_.param for filter_ in filters.FILTERS}}
    saved_decisions = _read_decisions(decisions.get(caption_data.digest[:DIGEST_CHARS]), caption_data.saved_work.rows) or ScoredWork(())
    work = replace(
        caption_data.saved_work,
        view=view | row_view(shown_view.get("row")),
        caption_causes=saved_decisions.caption_causes,
        causes=saved_decisions.causes,
        tags=saved_decisions.tags,
    )
    st.session_state["batch.data"], batch_state().restored_digest = replace(caption_data, saved_work=work), caption_data.digest
    if is_shown:
        st.session_state["batch.source"] = "files"


def _read_decisions(content: object, rows: Iterable[ScoredItem]) -> ScoredWork | None:
    """Return the stored decisions on these rows, or None if they are invalid."""
    try:
        return read_decisions(content, rows)
    except InputError:
        return None


def _read_rows(content: object) -> reading.CaptionData | None:
    """Return the stored rows as a data set, or None if they are invalid."""
    if not (stored := unpack_rows(content)):
        return None
    data = datasets.read_data(stored[1])
    return replace(data, digest=stored[0]) if data.saved_work else None
