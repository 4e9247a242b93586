"""Effect of changed rules on the caption, the gold graphs and the sample captions, before and after."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import streamlit as st

from pages.parts.kit import html, rule_texts
from pages.parts.kit.html import signed
from pages.parts.kit.texts import language_names, t
from pages.parts.rules import results, wording, workspace
from pages.parts.rules.workspace import KEY, Work
from spice_core.evaluation.gold import GoldReport, PrecisionRecall
from spice_core.explain.evidence import text
from spice_core.report.tables import as_csv
from spice_core.scene.propositions import closed, ordered
from spice_core.workbench.corpus import CaptionEffect, effects

MOST = 60  # captions listed


def on_caption(work: Work) -> None:
    """The tuples of the caption before and after."""
    sides = [closed(p.words for p in rules.apply(work.pack.enhance(work.document, rules.steps))) for rules in (work.bundled, work.rules)]
    html.heading(t("effect.caption"))
    cells = [
        wording.tuple_list(ordered(side & other), none="") + wording.tuple_list(ordered(side - other), f"<b>{mark}</b>", none="")
        if side
        else '<span class="sc-muted">–</span>'
        for side, other, mark in ((sides[0], sides[1], "−"), (sides[1], sides[0], "+"))
    ]
    st.html(wording.table([t("effect.before"), t("effect.after")], [cells]))


def on_sets(work: Work) -> None:
    """The gold graphs and the sample captions before and after."""
    if golden := {graph.caption: graph.tuples for graph in workspace.gold(work.lang)}:
        before, after = (results.report(work, rules) for rules in (work.bundled, work.rules))
        html.heading(t("effect.gold", number=len(golden)))
        st.html(_headline(before.overall, after.overall))
        left, right = st.columns(2, gap="medium")
        with left:
            st.html(_kinds(before, after))
        with right:
            st.html(_rules(before, after))
        _changed(work, "gold", golden)
    else:
        html.note(t("gold.lacking", name=language_names()[work.lang]))
    if workspace.sample(work.lang):
        html.heading(t("effect.sample", number=len(workspace.sample(work.lang))))
        _changed(work, "sample", {})


def _headline(before: PrecisionRecall, after: PrecisionRecall) -> str:
    change = signed(after.f1 - before.f1)
    return (
        f'<p class="sc-goldf1"><span>{t("effect.f1")}</span> <b data-before="{before.f1:.3f}">{before.f1:.3f}</b> → '
        f"<b>{after.f1:.3f}</b> {change}</p>"
    )


def _kinds(before: GoldReport, after: GoldReport) -> str:
    heads = [t("effect.kind"), t("score.precision"), t("score.recall"), "F1", t("effect.counts")]
    rows = []
    for name, was in (("all", before.overall), *before.kinds.items()):
        now = after.overall if name == "all" else after.kinds[name]
        figures = [_moved(getattr(was, part), getattr(now, part)) for part in ("precision", "recall", "f1")]
        label = t("categories.All") if name == "all" else t(f"legend.{name}")
        rows.append([label, *figures, t("effect.of", tp=now.tp, predicted=now.predicted, gold=now.gold)])
    return wording.table(heads, rows)


def _rules(before: GoldReport, after: GoldReport) -> str:
    """Correct and wrong firings of each rule; changed rules come first."""
    names = list(dict.fromkeys((*before.rules, *after.rules)))
    counts = {name: (before.rules.get(name, (0, 0)), after.rules.get(name, (0, 0))) for name in names}
    rows = [
        [
            f"<b>{escape(rule_texts.name(name))}</b>" if was != now else escape(rule_texts.name(name)),
            _count(was[0], now[0]),
            _count(was[1] - was[0], now[1] - now[0]),
        ]
        for name, (was, now) in sorted(counts.items(), key=lambda item: item[1][0] == item[1][1])
    ]
    return wording.table([t("trace.rule"), t("effect.right"), t("effect.wrong")], rows, high=True)


def _changed(work: Work, kind: str, golden: dict[str, frozenset]) -> None:
    """The captions whose tuples change, and the list as a file."""
    found = list(effects(results.parses(work, kind, work.bundled), results.parses(work, kind, work.rules)))
    gained, lost = sum(len(e.gained) for e in found), sum(len(e.lost) for e in found)
    html.note(t("effect.changed", number=len(found), gained=gained, lost=lost))
    if not found:
        return
    rows = [[escape(e.caption), _listed(e.gained, "+", golden.get(e.caption)), _listed(e.lost, "−", golden.get(e.caption))] for e in found]
    st.html(wording.table([t("captions.title"), t("effect.gained"), t("effect.lost")], rows[:MOST], high=True))
    if golden:
        html.note(t("effect.marks"))
    data = as_csv(["caption", "gained", "lost"], map(_row, found))
    name = f"{work.rules.signature}-{kind}.csv"
    st.download_button(
        t("effect.save"), data, file_name=name, mime="text/csv", on_click="ignore", key=f"{KEY}.save.{kind}", type="tertiary"
    )


def _row(effect: CaptionEffect) -> list[str]:
    return [effect.caption, *("; ".join(map(text, side)) for side in (effect.gained, effect.lost))]


def _listed(found: Sequence[tuple[str, ...]], mark: str, golden: frozenset | None) -> str:
    """Tuples with their mark and, if there is a gold graph, whether each is correct."""
    marks = {words: f"<b>{mark}</b>{'' if golden is None else ' ✓' if words in golden else ' ✗'}" for words in found}
    items = "".join(f"<li>{marks[words]} {wording.tuple_(words)}</li>" for words in found)
    return f'<ul class="sc-changes">{items}</ul>'


def _moved(before: float, after: float) -> str:
    return f"{after:.3f}" if abs(after - before) < 0.0005 else f"{before:.3f} → <b>{after:.3f}</b>"


def _count(before: int, after: int) -> str:
    return str(after) if before == after else f"{before} → <b>{after}</b>"
