"""Storage of a visitor's work in the browser's tab: scored rows, causes, notes and tags survive a reload, and no one else sees them."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from hashlib import sha256
from typing import Any

import streamlit as st

from pages.parts.batch import filters, persistence
from pages.parts.batch.decisions import Decisions
from pages.parts.jobs.runs import ScoringRun, stored_rows
from pages.parts.kit import messages, visit
from pages.parts.kit.texts import t
from pages.parts.uploads import datasets
from pages.parts.views import component
from spice_core.data.reader import Upload
from spice_core.data.results import ScoredItem
from spice_core.data.work_file import ScoredWork, read_decisions
from spice_core.errors import InputError

_MAX_STORED_CHARS = 4_000_000  # maximum length of the packed rows with their digest; browsers store about 5 million characters per tab
_MAX_STORED_ROWS = 5_000
_DIGEST_CHARS = 16
_STORED_FILE_NAME = "work.jsonl.gz"


def request_stored_work(*, key: str) -> None:
    """Ask the browser tab for stored work at the first visit."""
    st.session_state.setdefault(f"{key}.ask", visit.session_id())


def store_work(run: ScoringRun | None, decided: Decisions | None, *, key: str) -> None:
    """Store the rows of a finished run of the visitor's files and all decisions in the tab; say so if the rows are too many."""
    kept_as = f"{key}.kept"
    if run and st.session_state.pop(f"{key}.in_tab", "") == run.digest:  # the rows came from the tab
        st.session_state[kept_as] = _rows_mark(run), True
    data: dict[str, object] = {"ask": st.session_state[f"{key}.ask"], "shown": {}, "mark": (mark := _rows_mark(run) if run else "")}
    if run and decided is not None:
        data["shown"] = {"digest": run.digest[:_DIGEST_CHARS], "row": st.session_state.get(f"{key}.row")}
        data["decisions"] = ScoredWork((), "", {}, {}, decided.captions, decided.tuples, tuple(decided.tags)).decisions if decided else None
        data["rows"] = _packed_rows(run, mark, key=key) if mark else ""
    on_kept = lambda kept: st.session_state.__setitem__(kept_as, (mark, kept == mark))
    unkept = f"{key}.decisions_unkept"
    on_decided = lambda decided: st.session_state.__setitem__(unkept, decided == {"fits": False})
    component.exchange_work(data, on_content=lambda stored: restore_work(stored, key=key), on_kept=on_kept, on_decided=on_decided, key=key)
    if mark and st.session_state.get(kept_as) == (mark, False):
        messages.show_messages([t("batch.not_kept")])
    elif decided and st.session_state.get(unkept):
        messages.show_messages([t("batch.decisions_not_kept")])


def _rows_mark(run: ScoringRun) -> str:
    """Return a text that identifies the rows of a finished run of the visitor's files; "" for any other run."""
    if run.working or not run.rows or datasets.is_sample(run.digest):
        return ""
    return sha256(repr((run.digest, len(run.rows), len(run.suggested), run.settings)).encode()).hexdigest()[:_DIGEST_CHARS]


def _packed_rows(run: ScoringRun, mark: str, *, key: str) -> str:
    """Return the digest and the rows of a run as text; "" if the tab already has them or if they are too many."""
    if st.session_state.get(f"{key}.kept", ("", False))[0] == mark:
        return ""
    work = persistence.work_of_run(run, {}, Decisions(), key=key) if len(run.rows) <= _MAX_STORED_ROWS else None
    packed = f"{run.digest}:{base64.b64encode(persistence.work_as_file(work)).decode()}" if work else ""
    if not packed or len(packed) > _MAX_STORED_CHARS:
        st.session_state[f"{key}.kept"] = mark, False
        return ""
    return packed


def restore_work(stored: object, *, key: str) -> None:
    """Restore the work that a browser tab stored; ignore invalid data, because a browser may send anything."""
    if not isinstance(stored, dict) or st.session_state.get(f"{key}.data"):
        return
    shown, decisions = (_as_dict(stored.get(name)) for name in ("shown", "decisions"))
    _restore_sample_decisions(decisions, key=key)
    for widget in [name for name in st.session_state if str(name).startswith(f"{key}.note.")]:
        del st.session_state[widget]  # it shows the notes of before
    data = _read_rows(stored.get("rows"))
    if not data or not data.work:
        return
    is_shown = shown.get("digest") == data.digest[:_DIGEST_CHARS]
    view = {name: value for name, value in st.query_params.items() if is_shown and name in filters.FILTER_PARAMS}
    added = _read_decisions(decisions.get(data.digest[:_DIGEST_CHARS]), data.work.rows) or ScoredWork(())
    work = replace(
        data.work,
        view=view | persistence.row_view(shown.get("row")),
        caption_causes=added.caption_causes,
        causes=added.causes,
        tags=added.tags,
    )
    st.session_state[f"{key}.data"], st.session_state[f"{key}.in_tab"] = replace(data, work=work), data.digest
    if is_shown:
        st.session_state[f"{key}.source"] = "files"


def _restore_sample_decisions(decisions: Mapping[str, Any], *, key: str) -> None:
    """Restore the stored decisions on the bundled captions."""
    for of in datasets.SAMPLE_BY_LANGUAGE.values():
        sample = datasets.read_sample(of).digest
        found = decisions.get(sample[:_DIGEST_CHARS])
        if found and (known := _read_decisions(found, stored_rows(of, of.systems[0]).values())):
            st.session_state.setdefault(f"{key}.decisions", {})[sample] = persistence.decisions_of_work(known)


def _read_decisions(stored: object, rows: Iterable[ScoredItem]) -> ScoredWork | None:
    """Return the stored decisions on these rows, or None."""
    try:
        return read_decisions(stored, rows)
    except InputError:
        return None


def _read_rows(stored: object) -> datasets.CaptionData | None:
    """Return the stored rows, or None."""
    if not isinstance(stored, str) or len(stored) > _MAX_STORED_CHARS:
        return None
    if not (match := re.fullmatch(r"([0-9a-f]{64}):([A-Za-z0-9+/=]+)", stored, re.ASCII)):
        return None
    try:
        data = datasets.read_data(Upload(_STORED_FILE_NAME, base64.b64decode(match[2], validate=True)))
    except binascii.Error:
        return None
    return replace(data, digest=match[1]) if data.work else None


def _as_dict(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}
