"""Minimal pairs: two captions that differ in one phenomenon, and that the parser and the rules must distinguish."""

from collections import Counter
from html import escape

import streamlit as st

from pages.parts.kit import html
from pages.parts.kit.texts import t
from pages.parts.rules import rule_workspace, wording
from pages.parts.rules.rule_workspace import Workspace
from pages.parts.rules.state import rules_state
from spice_core.evaluation.minimal_pairs import MinimalPair, PairFailure, count_passing_pairs, find_failures, read_pairs
from spice_core.lang import language
from spice_core.metrics.spice import Spice
from spice_core.scene.propositions import Parse
from spice_core.syntax.document import Document


def show_minimal_pairs(workspace: Workspace) -> None:
    """Show a button that runs the minimal pairs of the language with the active rules, then the outcome."""
    pairs = bundled_pairs(workspace.lang)
    if not pairs:
        return
    html.show_heading(t("pairs.title", number=len(pairs)))
    html.show_note(t("pairs.hint"))
    if st.button(t("pairs.run"), key="rules.pairs"):
        rules_state().shows_pairs = True
    if rules_state().shows_pairs:
        _show_outcome(pairs, find_failures(pairs, lambda captions: _parse_with_rules(workspace, captions), _metric_of(workspace).compare))


@st.cache_data(show_spinner=False)
def bundled_pairs(lang: str) -> tuple[MinimalPair, ...]:
    """Return the minimal pairs of a language, if any."""
    path = language(lang).examples.pairs
    return tuple(read_pairs(path)) if path else ()


@st.cache_data(show_spinner=False, max_entries=4)
def _parse_documents(captions: tuple[str, ...], lang: str, parser: str) -> list[Document]:
    return list(language(lang).parser(parser).parse(captions))


def _metric_of(workspace: Workspace) -> Spice:
    """Return a metric with the active rules."""
    return Spice(workspace.lang, parser=workspace.parser, rules=workspace.rules)


def _parse_with_rules(workspace: Workspace, captions: list[str]) -> list[Parse]:
    """Parse captions and apply the active rules."""
    rules, documents = workspace.rules, _parse_documents(tuple(captions), workspace.lang, workspace.parser)
    return [rule_workspace.apply_rules(workspace.pack, rules, document, caption) for caption, document in zip(captions, documents)]


def _show_outcome(pairs: tuple[MinimalPair, ...], failed_pairs: list[PairFailure]) -> None:
    """Show a row for each phenomenon with the number of passing pairs, and the failing captions with their differences."""
    total, passed_counts = Counter(pair.phenomenon for pair in pairs), count_passing_pairs(pairs, failed_pairs)
    html.show_note(t("pairs.outcome", passed=sum(passed_counts.values()), total=len(pairs)))
    rows = []
    for name, pair_count in total.items():
        failures_here = [failure for failure in failed_pairs if failure.phenomenon == name]
        captions = "".join(f"<div>{escape(f.caption)}</div>{_difference_html(f)}" for f in failures_here)
        rows.append([escape(name), f"{passed_counts[name]}/{pair_count}", captions or "✓"])
    st.html(wording.table_html([t("pairs.phenomenon"), t("pairs.passed"), t("pairs.failed")], rows))


def _difference_html(failure: PairFailure) -> str:
    """Return the missing and extra tuples, and the missing and extra matches, as HTML."""
    tuples_by_sign = {"−": failure.missing, "+": failure.extra, "≠": failure.missing_matches, "=": failure.extra_matches}
    return "".join(wording.tuple_list(sorted(tuples), mark, empty_text="") for mark, tuples in tuples_by_sign.items())
