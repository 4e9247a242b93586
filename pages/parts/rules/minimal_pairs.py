"""Minimal pairs: which constructions parser and rules tell apart, phenomenon by phenomenon."""

from __future__ import annotations

from collections import Counter
from html import escape

import streamlit as st

from pages.parts.kit import html
from pages.parts.kit.texts import t
from pages.parts.rules import wording, workspace
from pages.parts.rules.workspace import KEY, Workspace
from spice_core.evaluation.minimal_pairs import MinimalPair, PairFailure, count_passed, failures, read_pairs
from spice_core.lang import language
from spice_core.metrics.spice import Spice
from spice_core.scene.propositions import Parse
from spice_core.syntax.document import Document

SHOWN = f"{KEY}.pairs_shown"


def show(work: Workspace) -> None:
    """The pairs of the language, run on request with the active rules."""
    pairs = bundled_pairs(work.lang)
    if not pairs:
        return
    html.heading(t("pairs.title", number=len(pairs)))
    html.note(t("pairs.hint"))
    if st.button(t("pairs.run"), key=f"{KEY}.pairs"):
        st.session_state[SHOWN] = True
    if st.session_state.get(SHOWN):
        _outcome(pairs, failures(pairs, lambda captions: _parses(work, captions), _spice(work).compare))


@st.cache_data(show_spinner=False)
def bundled_pairs(lang: str) -> tuple[MinimalPair, ...]:
    """The minimal pairs of a language; may be empty."""
    path = language(lang).examples.pairs
    return tuple(read_pairs(path)) if path else ()


@st.cache_data(show_spinner=False, max_entries=4)
def _documents(captions: tuple[str, ...], lang: str, parser: str) -> list[Document]:
    return list(language(lang).parser(parser).parse(captions))


def _spice(work: Workspace) -> Spice:
    """The metric with the active rules, which tells what matches."""
    return Spice(work.lang, parser=work.parser, rules=work.rules)


def _parses(work: Workspace, captions: list[str]) -> list[Parse]:
    """What the active rules make of all captions."""
    rules, documents = work.rules, _documents(tuple(captions), work.lang, work.parser)
    return [workspace.apply_rules(work.pack, rules, document, caption) for caption, document in zip(captions, documents)]


def _outcome(pairs: tuple[MinimalPair, ...], failed: list[PairFailure]) -> None:
    """A row for each phenomenon: how many of its pairs pass, and the captions that do not."""
    total, right = Counter(pair.phenomenon for pair in pairs), count_passed(pairs, failed)
    html.note(t("pairs.outcome", passed=sum(right.values()), total=len(pairs)))
    rows = []
    for name, number in total.items():
        own = [failure for failure in failed if failure.phenomenon == name]
        captions = "".join(f"<div>{escape(f.caption)}</div>{_difference(f)}" for f in own)
        rows.append([escape(name), f"{right[name]}/{number}", captions or "✓"])
    st.html(wording.table([t("pairs.phenomenon"), t("pairs.passed"), t("pairs.failed")], rows))


def _difference(failure: PairFailure) -> str:
    """The tuples that are missing and those that are too many, and the same of matches."""
    signs = {"−": failure.missing, "+": failure.extra, "≠": failure.missing_matches, "=": failure.extra_matches}
    return "".join(wording.tuple_list(sorted(tuples), sign, none="") for sign, tuples in signs.items())
