"""Comparison of the active and the default rules: a text diff of each changed rule, and the numbers of its correct and wrong tuples."""

from __future__ import annotations

from html import escape

import streamlit as st

from pages.parts.kit import rule_texts
from pages.parts.kit.texts import t
from pages.parts.rules import results, rule_workspace, wording
from pages.parts.rules.rule_workspace import STATE_KEY, Workspace
from spice_core.workbench.rule_diff import HEAD_NAME, RuleChange, count_firings, rule_changes


def show_changes(workspace: Workspace) -> None:
    """Show an expander with the rules that differ from the default rules, if there are any."""
    if not workspace.is_changed:
        return
    differences = rule_changes(workspace.default_draft.text, workspace.draft.file)
    with st.expander(t("edit.differences", number=len(differences)), key=f"{STATE_KEY}.differences"):
        headers = [t("trace.rule"), t("edit.difference"), t("effect.right"), t("effect.wrong"), t("edit.fires")]
        st.html(wording.table_html(headers, _effect_rows(workspace, differences)))
        for change in differences:
            if change.kind != "moved" and change.name not in workspace.draft.disabled_names:
                st.html(f'<h4 class="sc-small">{escape(_change_title(change))}</h4>{wording.diff_html(change.lines)}')


def _effect_rows(workspace: Workspace, differences: list[RuleChange]) -> list[list[str]]:
    """Return a row for each changed rule: its name, the kind of change, and its counts before and after the change.

    The rule is counted by its correct and its wrong tuples on the gold captions, and by its propositions on the sample captions.
    """
    rule_sets = workspace.bundled_rules, workspace.rules
    gold = [results.gold_report(workspace, rules).rules if rule_workspace.gold_graphs(workspace.lang) else {} for rules in rule_sets]
    sample = [
        count_firings(results.parses_of_set(workspace, "sample", rules)) if rule_workspace.sample_captions(workspace.lang) else {}
        for rules in rule_sets
    ]
    rows = []
    for change in differences:
        right_by_report = [report.get(change.name, (0, 0)) for report in gold]
        change_label = t(f"edit.{'off' if change.name in workspace.draft.disabled_names else change.kind}")
        figures = [
            [tp for tp, _ in right_by_report],
            [fired_count - tp for tp, fired_count in right_by_report],
            [counts.get(change.name, 0) for counts in sample],
        ]
        rows.append([escape(_change_title(change)), change_label, *(wording.count_html(*pair) for pair in figures)])
    return rows


def _change_title(change: RuleChange) -> str:
    return t("edit.settings") if change.name == HEAD_NAME else rule_texts.display_name(change.name)
