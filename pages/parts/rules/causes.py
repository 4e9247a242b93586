"""Causes of differences from gold graphs. The visitor assigns a cause and a note to each difference, and saves the list."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from pages.parts.kit import choice, html
from pages.parts.kit.texts import language_names, t
from pages.parts.rules import results, wording
from pages.parts.rules.rule_workspace import Workspace
from pages.parts.rules.state import rules_state
from spice_core.data.gold import GoldGraph
from spice_core.evaluation.gold import GoldReport, compare_gold
from spice_core.explain.causes.suggest import CAPTION_CAUSE_NAMES
from spice_core.explain.evidence import tuple_text
from spice_core.report.tables import table_csv


def show_causes(workspace: Workspace, custom_cases: Sequence[GoldGraph], bundled_cases: Sequence[GoldGraph]) -> None:
    """Show a table of all differences with their causes and notes, the number of differences by cause, and a download."""
    html.show_heading(t("causes.title"))
    sets = {name: t(f"causes.set_{name}") for name, graphs in (("gold", bundled_cases), ("cases", custom_cases)) if graphs}
    if not sets:
        html.show_note(t("gold.lacking", name=language_names()[workspace.lang]))
        return
    chosen_set = choice.segmented_control(t("query.where"), sets, key="rules.causes")
    report = (
        results.gold_report(workspace, workspace.rules)
        if chosen_set == "gold"
        else compare_gold(custom_cases, [*map(workspace.parse_case, custom_cases)])
    )
    rows = _difference_rows(workspace, report)
    if not rows:
        html.show_note(t("causes.none"))
        return
    html.show_note(t("causes.hint", number=len(rows), captions=len(report.differences)))
    labels = {cause: t(f"causes.{cause}") for cause in CAPTION_CAUSE_NAMES}
    frame = pd.DataFrame(
        [[*row[1:5], labels.get(row[5]), row[6]] for row in rows], columns=["caption", "side", "tuple", "rules", "cause", "note"]
    )
    widget = f"rules.causes.{workspace.lang}.{chosen_set}.{hash((*labels.values(), *(row[0] for row in rows)))}"
    st.session_state.setdefault(f"{widget}.start", frame)
    edited_table = st.data_editor(
        st.session_state[f"{widget}.start"], column_config=_column_config(labels.values()), hide_index=True, key=widget, height=320
    )
    names = {label: cause for cause, label in labels.items()}
    for row, (cause, note) in zip(rows, edited_table[["cause", "note"]].values.tolist(), strict=True):
        _store_mark(row[0], names.get(cause, ""), note or "")
    _show_totals([names.get(cause, "") for cause in edited_table["cause"]])
    lines = [[*line[:4], names.get(line[4], ""), line[5] or ""] for line in edited_table.values.tolist()]
    data = table_csv(["caption", "side", "tuple", "rules", "cause", "note"], lines)
    choice.download_button(t("causes.save"), data, "rules-causes.csv", "text/csv", key="rules.save_causes", type="secondary")


def _column_config(causes: Iterable[str]) -> dict[str, Any]:
    """Return the column configuration of the table, in which only cause and note are editable."""
    fixed_columns = {"caption": t("captions.title"), **{name: t(f"causes.{name}") for name in ("side", "tuple", "rules")}}
    return {
        **{name: st.column_config.TextColumn(label, disabled=True) for name, label in fixed_columns.items()},
        "cause": st.column_config.SelectboxColumn(t("causes.cause"), options=list(causes)),
        "note": st.column_config.TextColumn(t("causes.note"), max_chars=500),
    }


def _difference_rows(workspace: Workspace, report: GoldReport) -> list[tuple]:
    """Return a row for each missing or extra tuple: key, caption, side, tuple, rules, cause and note."""
    marks = rules_state().marks
    rows = []
    for difference in report.differences:
        differing_tuples: list[tuple[str, tuple[str, ...], tuple[str, ...]]] = [("missing", words, ()) for words in difference.missing]
        differing_tuples += [("extra", words, rules) for words, rules in difference.extra.items()]
        for side, words, rules in differing_tuples:
            key = (workspace.lang, difference.caption, side, words)
            rows.append((key, difference.caption, t(f"causes.{side}"), tuple_text(words), ", ".join(rules), *marks.get(key, ("", ""))))
    return rows


def _store_mark(key: tuple, cause: str, note: str) -> None:
    marks = rules_state().marks
    if cause or note:
        marks[key] = (cause, note)
    else:
        marks.pop(key, None)


def _show_totals(causes: list[str]) -> None:
    counts = Counter(causes)
    rows = [[t(f"causes.{cause}"), str(counts[cause])] for cause in CAPTION_CAUSE_NAMES] + [[t("causes.unmarked"), str(counts[""])]]
    st.html(wording.table_html([t("causes.cause"), t("query.count")], rows))
