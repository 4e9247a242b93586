"""Probable causes of a caption's unmatched tuples with their evidence, and the visitor's decisions."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from pages.parts.batch.decisions import Decisions, cause_label
from pages.parts.batch.state import batch_state
from pages.parts.jobs.runs import ScoringRun
from pages.parts.kit import html
from pages.parts.kit.choice import drawer
from pages.parts.kit.texts import interface_language, t
from pages.parts.state import engine
from pages.parts.views import scored_rows
from spice_core.data.results import ScoredItem
from spice_core.data.work_file import ImageId, UnmatchedTuple
from spice_core.draw.design import MARK_BY_STATE
from spice_core.errors import SpiceError
from spice_core.explain.causes.suggest import Cause, Suggestion
from spice_core.explain.evidence import tuple_text
from spice_core.metrics.soft import Soft
from spice_core.metrics.soft.support import Support
from spice_core.scene.matching import MatchState

_COLUMN_KEYS = ("state", "tuple", "suggested", "support", "decided")
_MAX_VISIBLE_ROWS = 12  # maximum number of visible rows of the table; more rows scroll
_ROW_HEIGHT_PX = 35

SuggestionByTuple = Mapping[UnmatchedTuple, Suggestion | None]


@drawer("reasons.title", "batch.reasons")
def show_reasons(row: ScoredItem, run: ScoringRun, decisions: Decisions) -> None:
    """Show an expander with the unmatched tuples, their suggested causes and the visitor's decisions."""
    if not (suggestions := _suggestions_of(row, run)):
        html.show_note(t("reasons.none"))
        return
    html.show_note(t("reasons.note"))
    _show_table(row, suggestions, _support_by_tuple(row, run), decisions)
    _show_accept_button(row.image_id, suggestions, decisions)


def _suggestions_of(row: ScoredItem, run: ScoringRun) -> SuggestionByTuple:
    """Return the suggestion for each unmatched tuple, in the order of ``Cause``. Tuples without a suggestion come last.

    If the row has given propositions or an empty caption, none of its tuples has a suggestion.
    """
    scored_captions = scored_rows.score_row(row, run.settings)
    if scored_captions is None:
        tuples_by_state = ((MatchState.EXTRA, row.extra), (MatchState.MISSING, row.missing))
        return {UnmatchedTuple(state, words): None for state, tuples in tuples_by_state for words in tuples}
    order = [*Cause, None]
    by_tuple = scored_captions.explanation.suggestions
    return dict(sorted(by_tuple.items(), key=lambda pair: order.index(pair[1].cause if pair[1] else None)))


def _support_by_tuple(row: ScoredItem, run: ScoringRun) -> Mapping[UnmatchedTuple, float]:
    """Return the support of each extra tuple, or {} if the row cannot be rescored or word similarities are unavailable."""
    scored_captions = scored_rows.score_row(row, run.settings)
    if scored_captions is None:
        return {}
    if "support" not in scored_captions.cache:
        spice = engine.cached_metric(scored_captions.settings)
        try:
            result = Soft(spice).score_result(scored_captions.result)
        except SpiceError:
            return {}
        values = zip(result.alignment.candidates, Support(spice.synonyms).tuple_scores(result))
        scored_captions.cache["support"] = {UnmatchedTuple(MatchState.EXTRA, tuple_.words): value for tuple_, value in values}
    supports: dict[UnmatchedTuple, float] = scored_captions.cache["support"]
    return supports


def _show_table(row: ScoredItem, suggestions: SuggestionByTuple, supports: Mapping[UnmatchedTuple, float], decisions: Decisions) -> None:
    """Show one row per tuple, with an editable last column for the visitor's decision."""
    decided_causes, tuples = decisions.tuples.get(row.image_id, {}), list(suggestions)
    lines = [
        [*_tuple_cells(tuple_, suggestions[tuple_], len(row.references)), supports.get(tuple_), decided_causes.get(tuple_)]
        for tuple_ in tuples
    ]
    config: dict[str, Any] = {name: st.column_config.TextColumn(t(f"reasons.column_{name}"), disabled=True) for name in _COLUMN_KEYS}
    numbers: dict[str, Any] = {"format": "%.2f", "disabled": True, "help": t("reasons.support_help"), "width": "small"}
    config["support"] = st.column_config.NumberColumn(t("reasons.column_support"), **numbers)
    options: dict[str, Any] = {"options": decisions.tuple_causes, "format_func": cause_label, "help": t("reasons.choose")}
    config["decided"] = st.column_config.SelectboxColumn(t("reasons.column_decided"), width="medium", **options)
    widget = (
        f"batch.reasons_table.{hash((row.image_id, interface_language(), *decisions.tags, batch_state().acceptance_count)) & 0xFFFFFF:x}"
    )

    def handle_edit() -> None:
        decisions.set_tuple_causes(row.image_id, edited_causes(st.session_state[widget]["edited_rows"], tuples, decisions.tuple_causes))

    layout: dict[str, Any] = {
        "hide_index": True,
        "placeholder": "–",
        "height": _ROW_HEIGHT_PX * (min(len(lines), _MAX_VISIBLE_ROWS) + 1) + 3,
    }
    alt = t("reasons.table_alt", number=len(lines), decided=len(decided_causes))
    st.data_editor(
        pd.DataFrame(lines, columns=list(_COLUMN_KEYS)), column_config=config, key=widget, on_change=handle_edit, alt=alt, **layout
    )


def edited_causes(
    edited_rows: Mapping[Any, Mapping[str, Any]], tuples: Sequence[UnmatchedTuple], known_causes: Sequence[str]
) -> dict[UnmatchedTuple, str]:
    """Return the causes chosen by the visitor, by tuple. An empty cause removes a decision."""
    chosen_causes = {tuples[int(place)]: cells["decided"] or "" for place, cells in edited_rows.items() if "decided" in cells}
    return {tuple_: cause for tuple_, cause in chosen_causes.items() if cause in ("", *known_causes)}


def _tuple_cells(tuple_: UnmatchedTuple, suggestion: Suggestion | None, references: int) -> list[str]:
    """Return the cells of a tuple: state, words, suggested cause with the nearest tuple, and share of references."""
    name = t("tuples.implicit_subject")
    cause = [cause_label(suggestion.cause) if suggestion else t("reasons.unclear")]
    if suggestion and suggestion.nearest:
        cause.append(f"→ {tuple_text(suggestion.nearest.other.words, implicit_subject=name)}")
    if suggestion and suggestion.reference_count:
        cause.append(f"· {suggestion.reference_count}/{references}")
    return [
        f"{MARK_BY_STATE[tuple_.state]} {t(f'reasons.{tuple_.state}')}",
        tuple_text(tuple_.words, implicit_subject=name),
        " ".join(cause),
    ]


def _show_accept_button(image: ImageId, suggestions: SuggestionByTuple, decisions: Decisions) -> None:
    """Show a button that accepts the suggested causes of all undecided tuples."""
    decided_causes = decisions.tuples.get(image, {})
    suggested_causes = {
        tuple_: str(suggestion.cause) for tuple_, suggestion in suggestions.items() if suggestion and tuple_ not in decided_causes
    }

    def accept_suggestions() -> None:
        decisions.set_tuple_causes(image, suggested_causes)
        batch_state().acceptance_count += 1

    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if suggested_causes:
            st.button(t("reasons.accept", number=len(suggested_causes)), key="batch.reasons_table.accept", on_click=accept_suggestions)
        html.show_note(t("reasons.decided", number=len(decided_causes), total=len(suggestions)))
