"""Probable causes of the tuples of a caption that have no counterpart, with their evidence; people decide on each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from pages.parts.batch import decisions
from pages.parts.batch.decisions import Decisions
from pages.parts.jobs.runs import Run
from pages.parts.kit import html
from pages.parts.kit.texts import interface, t
from pages.parts.state import engine
from pages.parts.views import scored_rows
from spice_core.data.results import ScoredItem
from spice_core.data.work_file import ImageId, Unmatched
from spice_core.draw.design import MARKS
from spice_core.errors import SpiceError
from spice_core.explain.causes.suggest import Cause, Suggestion
from spice_core.explain.evidence import tuple_text
from spice_core.metrics.soft import Soft
from spice_core.metrics.soft.support import Support
from spice_core.scene.matching import MatchState

_COLUMNS = ("state", "tuple", "suggested", "support", "decided")
_HIGHEST = 12  # rows of the table before it scrolls
_ROW_PX = 35

Suggestions = Mapping[Unmatched, Suggestion | None]


def show(row: ScoredItem, run: Run, decided: Decisions, *, key: str) -> None:
    """The unmatched tuples with their suggested causes and the visitor's, once opened."""
    opened = st.expander(t("reasons.title"), key=f"{key}.reasons", on_change="rerun")
    if not opened.open:
        return
    with opened:
        if not (found := _causes_of(row, run)):
            html.note(t("reasons.none"))
            return
        html.note(t("reasons.note"))
        _table(row, found, _supports(row, run), decided, key=f"{key}.reasons_table")
        _accept(row.image_id, found, decided, key=f"{key}.reasons_table")


def _causes_of(row: ScoredItem, run: Run) -> Suggestions:
    """The unmatched tuples: first those whose cause names something of the other side; of given propositions without a cause."""
    scored = scored_rows.scored_of(row, run.settings)
    if scored is None:
        sides = ((MatchState.EXTRA, row.extra), (MatchState.MISSING, row.missing))
        return {Unmatched(state, words): None for state, tuples in sides for words in tuples}
    order = [*Cause, None]
    found = scored.explanation.suggestions
    return dict(sorted(found.items(), key=lambda pair: order.index(pair[1].cause if pair[1] else None)))


def _supports(row: ScoredItem, run: Run) -> Mapping[Unmatched, float]:
    """How far the references bear out each extra tuple; nothing without a similarity of the language, or of given propositions."""
    scored = scored_rows.scored_of(row, run.settings)
    if scored is None:
        return {}
    if "support" not in scored.cache:
        spice = engine.engine(scored.settings)
        try:
            result = Soft(spice).of(scored.result)
        except SpiceError:
            return {}
        found = zip(result.alignment.candidates, Support(spice.synonyms).of(result))
        scored.cache["support"] = {Unmatched(MatchState.EXTRA, tuple_.words): value for tuple_, value in found}
    supports: dict[Unmatched, float] = scored.cache["support"]
    return supports


def _table(row: ScoredItem, found: Suggestions, supports: Mapping[Unmatched, float], decided: Decisions, *, key: str) -> None:
    """One row for each tuple; the last column is the visitor's."""
    now, tuples = decided.tuples.get(row.image_id, {}), list(found)
    lines = [[*_cells(tuple_, found[tuple_], len(row.references)), supports.get(tuple_), now.get(tuple_)] for tuple_ in tuples]
    config: dict[str, Any] = {name: st.column_config.TextColumn(t(f"reasons.column_{name}"), disabled=True) for name in _COLUMNS}
    numbers: dict[str, Any] = {"format": "%.2f", "disabled": True, "help": t("reasons.support_help"), "width": "small"}
    config["support"] = st.column_config.NumberColumn(t("reasons.column_support"), **numbers)
    options: dict[str, Any] = {"options": decided.for_tuples, "format_func": decisions.label, "help": t("reasons.choose")}
    config["decided"] = st.column_config.SelectboxColumn(t("reasons.column_decided"), width="medium", **options)
    widget = f"{key}.{hash((row.image_id, interface(), *decided.tags, st.session_state.get(f'{key}.accepted', 0))) & 0xFFFFFF:x}"

    def edited() -> None:
        decided.decide(row.image_id, changes(st.session_state[widget]["edited_rows"], tuples, decided.for_tuples))

    shown: dict[str, Any] = {"hide_index": True, "placeholder": "–", "height": _ROW_PX * (min(len(lines), _HIGHEST) + 1) + 3}
    alt = t("reasons.table_alt", number=len(lines), decided=len(now))
    st.data_editor(pd.DataFrame(lines, columns=list(_COLUMNS)), column_config=config, key=widget, on_change=edited, alt=alt, **shown)


def changes(edited: Mapping[Any, Mapping[str, Any]], tuples: Sequence[Unmatched], known: Sequence[str]) -> dict[Unmatched, str]:
    """The causes that a visitor chose, by tuple; empty where one was taken away."""
    chosen = {tuples[int(place)]: cells["decided"] or "" for place, cells in edited.items() if "decided" in cells}
    return {tuple_: cause for tuple_, cause in chosen.items() if cause in ("", *known)}


def _cells(tuple_: Unmatched, suggestion: Suggestion | None, references: int) -> list[str]:
    """State, tuple, and the suggested cause with the tuple of the other side that shows it and the references that say the tuple."""
    name = t("tuples.implicit_subject")
    cause = [decisions.label(suggestion.cause) if suggestion else t("reasons.unclear")]
    if suggestion and suggestion.near:
        cause.append(f"→ {tuple_text(suggestion.near.other.words, implicit_subject=name)}")
    if suggestion and suggestion.said_by:
        cause.append(f"· {suggestion.said_by}/{references}")
    return [f"{MARKS[tuple_.state]} {t(f'reasons.{tuple_.state}')}", tuple_text(tuple_.words, implicit_subject=name), " ".join(cause)]


def _accept(image: ImageId, found: Suggestions, decided: Decisions, *, key: str) -> None:
    """A button that decides as suggested where the visitor has not."""
    now = decided.tuples.get(image, {})
    open_ = {tuple_: str(suggestion.cause) for tuple_, suggestion in found.items() if suggestion and tuple_ not in now}

    def accept() -> None:
        decided.decide(image, open_)
        st.session_state[f"{key}.accepted"] = st.session_state.get(f"{key}.accepted", 0) + 1

    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button(t("reasons.accept", number=len(open_)), key=f"{key}.accept", on_click=accept, disabled=not open_)
        html.note(t("reasons.decided", number=len(now), total=len(found)))
