"""Comparison of the active and the default rules: each rule that differs, its text line by line, its correct and wrong tuples."""

from __future__ import annotations

from html import escape

import streamlit as st

from pages.parts.kit import rule_texts
from pages.parts.kit.texts import t
from pages.parts.rules import results, wording, workspace
from pages.parts.rules.workspace import STATE_KEY, Workspace
from spice_core.workbench.rule_diff import HEAD_NAME, RuleChange, count_firings, rule_changes


def show_changes(work: Workspace) -> None:
    """Show the number of rules that differ and, when opened, the rules; show nothing while all are the default ones."""
    if not work.is_changed:
        return
    differences = rule_changes(work.default_draft.text, work.draft.file)
    with st.expander(t("edit.differences", number=len(differences)), key=f"{STATE_KEY}.differences"):
        heads = [t("trace.rule"), t("edit.difference"), t("effect.right"), t("effect.wrong"), t("edit.fires")]
        st.html(wording.table_html(heads, _effect_rows(work, differences)))
        for change in differences:
            if change.kind != "moved" and change.name not in work.draft.off:
                st.html(f'<h4 class="sc-small">{escape(_change_title(change))}</h4>{wording.diff_html(change.lines)}')


def _effect_rows(work: Workspace, differences: list[RuleChange]) -> list[list[str]]:
    """Return each rule with its correct and wrong tuples on the gold graphs, and its number of firings on the other captions."""
    sides = work.bundled, work.rules
    gold = [results.gold_report(work, rules).rules if workspace.gold_graphs(work.lang) else {} for rules in sides]
    sample = [
        count_firings(results.parses_of_kind(work, "sample", rules)) if workspace.sample_captions(work.lang) else {} for rules in sides
    ]
    rows = []
    for change in differences:
        right = [report.get(change.name, (0, 0)) for report in gold]
        kind = t(f"edit.{'off' if change.name in work.draft.off else change.kind}")
        figures = [[tp for tp, _ in right], [fired - tp for tp, fired in right], [counts.get(change.name, 0) for counts in sample]]
        rows.append([escape(_change_title(change)), kind, *(wording.count_html(*pair) for pair in figures)])
    return rows


def _change_title(change: RuleChange) -> str:
    return t("edit.settings") if change.name == HEAD_NAME else rule_texts.display_name(change.name)
