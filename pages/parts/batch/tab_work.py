"""Storage of a visitor's work in the browser tab, so that rows, causes, notes and tags survive a reload."""

import base64
import binascii
import re
from collections.abc import Iterable
from dataclasses import replace
from hashlib import sha256

import streamlit as st

from pages.parts.batch import filters, persistence
from pages.parts.batch.decisions import Decisions
from pages.parts.batch.state import batch_state
from pages.parts.jobs.runs import ScoringRun, stored_rows
from pages.parts.kit import html, visit
from pages.parts.kit.texts import t
from pages.parts.uploads import datasets, reading
from pages.parts.views import component
from spice_core.data.reader import Upload
from spice_core.data.results import ScoredItem
from spice_core.data.work_file import ScoredWork, read_decisions
from spice_core.errors import InputError

_MAX_STORED_CHARS = 4_000_000  # maximum length of the packed rows and their digest; browsers store about 5 million characters per tab
_MAX_STORED_ROWS = 5_000
_DIGEST_CHARS = 16
_STORED_FILE_NAME = "work.jsonl.gz"


def request_stored_work() -> None:
    """Once per session, request the work stored in the browser tab."""
    state = batch_state()
    state.tab_request = state.tab_request or visit.session_id()


def store_work(run: ScoringRun | None, decisions: Decisions | None) -> None:
    """Store the decisions in the tab. After a run on the visitor's files, also store its rows. Show a message if something does not fit."""
    state, rows_id = batch_state(), _id_of_rows(run) if run else ""
    if run:
        if state.restored_digest == run.digest:  # the rows came from the tab
            state.stored_rows = rows_id, True
        state.restored_digest = ""
    data: dict[str, object] = {"ask": state.tab_request, "shown": {}, "mark": rows_id}
    if run and decisions is not None:
        data["shown"] = {"digest": run.digest[:_DIGEST_CHARS], "row": st.session_state.get("batch.row")}
        data["decisions"] = (
            ScoredWork((), "", {}, {}, decisions.captions, decisions.tuples, tuple(decisions.tags)).decisions if decisions else None
        )
        data["rows"] = _packed_rows(run, rows_id) if rows_id else ""

    def store_mark(stored_id: object) -> None:
        state.stored_rows = rows_id, stored_id == rows_id

    def store_answer(answer: object) -> None:
        state.do_decisions_fit = answer != {"fits": False}

    component.exchange_work(data, on_content=restore_work, on_mark=store_mark, on_answer=store_answer, key="batch")
    if rows_id and state.stored_rows == (rows_id, False):
        html.show_messages([t("batch.not_kept")])
    elif decisions and not state.do_decisions_fit:
        html.show_messages([t("batch.decisions_not_kept")])


def _id_of_rows(run: ScoringRun) -> str:
    """Return an id of the rows of an ended run on the visitor's files, or "" for any other run."""
    if run.is_working or not run.rows or datasets.is_sample(run.digest):
        return ""
    return sha256(repr((run.digest, len(run.rows), len(run.suggested_causes), run.settings)).encode()).hexdigest()[:_DIGEST_CHARS]


def _packed_rows(run: ScoringRun, rows_id: str) -> str:
    """Return the digest and rows of a run as text, or "" if the tab already has them or if they do not fit."""
    state = batch_state()
    if state.stored_rows[0] == rows_id:
        return ""
    work = persistence.work_of_run(run, {}, Decisions()) if len(run.rows) <= _MAX_STORED_ROWS else None
    packed_text = f"{run.digest}:{base64.b64encode(persistence.work_as_file(work)).decode()}" if work else ""
    if not packed_text or len(packed_text) > _MAX_STORED_CHARS:
        state.stored_rows = rows_id, False
        return ""
    return packed_text


def restore_work(content: object) -> None:
    """Restore the work stored in a browser tab. Ignore invalid data, because a browser may send anything."""
    if not isinstance(content, dict) or st.session_state.get("batch.data"):
        return
    shown_view, decisions = (_as_dict(content.get(name)) for name in ("shown", "decisions"))
    for sample_set in datasets.SAMPLE_BY_LANGUAGE.values():
        digest = datasets.read_sample(sample_set).digest
        sample_decisions = decisions.get(digest[:_DIGEST_CHARS])
        if sample_decisions and (sample_work := _read_decisions(sample_decisions, stored_rows(sample_set, sample_set.systems[0]).values())):
            batch_state().decisions[digest] = persistence.decisions_of_work(sample_work)
    for widget in [name for name in st.session_state if str(name).startswith("batch.note.")]:
        del st.session_state[widget]  # otherwise the field would show the previous note
    caption_data = _read_rows(content.get("rows"))
    if not caption_data or not caption_data.saved_work:
        return
    is_shown = shown_view.get("digest") == caption_data.digest[:_DIGEST_CHARS]
    view = {name: value for name, value in st.query_params.items() if is_shown and name in {filter_.param for filter_ in filters.FILTERS}}
    saved_decisions = _read_decisions(decisions.get(caption_data.digest[:_DIGEST_CHARS]), caption_data.saved_work.rows) or ScoredWork(())
    work = replace(
        caption_data.saved_work,
        view=view | persistence.row_view(shown_view.get("row")),
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
    if not isinstance(content, str) or len(content) > _MAX_STORED_CHARS:
        return None
    if not (match := re.fullmatch(r"([0-9a-f]{64}):([A-Za-z0-9+/=]+)", content, re.ASCII)):
        return None
    try:
        data = datasets.read_data(Upload(_STORED_FILE_NAME, base64.b64decode(match[2], validate=True)))
    except binascii.Error:
        return None
    return replace(data, digest=match[1]) if data.saved_work else None


def _as_dict(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}
