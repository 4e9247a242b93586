"""The changed rules, and their effect on the tuples of captions and on the correlation with ratings."""

import random
from collections.abc import Iterable, Sequence
from html import escape
from itertools import chain, product
from time import perf_counter
from typing import Any

import streamlit as st

from pages.parts.kit import choice, html, texts
from pages.parts.kit.html import signed_change, table
from pages.parts.kit.texts import language_names, t
from pages.parts.rules import results, rule_workspace, wording
from pages.parts.rules.results import MORE_SET, RATED_SET, RulePair
from pages.parts.rules.rule_workspace import Workspace
from spice_core.evaluation.gold import GoldReport
from spice_core.explain.evidence import tuple_text
from spice_core.report.tables import table_csv
from spice_core.scene.propositions import Parse, TupleWords, add_implied_objects, sort_tuples
from spice_core.syntax.document import Token
from spice_core.workbench.corpus import CaptionEffect, caption_effects
from spice_core.workbench.rating_effect import RatingEffect
from spice_core.workbench.rule_diff import HEAD_NAME, RuleChange, count_firings, rule_changes

MAX_WATCHED_CAPTIONS, MAX_WATCHED_CHARS = 20, 10_000
MAX_GOLD_CAPTIONS, MAX_SAMPLED_CAPTIONS = 60, 20  # maximum numbers of captions listed with and without gold graphs


def show_effect_on_caption(workspace: Workspace) -> None:
    """Show the tuples of the caption before and after the changes."""
    tuples_before, tuples_after = _tuples_before_and_after(workspace, workspace.caption)
    html.show_heading(t("effect.caption"))
    sides = ((tuples_before, tuples_after, "−"), (tuples_after, tuples_before, "+"))
    cells = [_list_html(side & other) + _list_html(side - other, f"<b>{mark}</b>") or wording.tuple_list(()) for side, other, mark in sides]
    st.html(wording.table_html([t("effect.before"), t("effect.after")], [cells]))


def show_effect_on_watched_captions(workspace: Workspace) -> None:
    """Show a field for captions to watch, and the tuples that each gained and lost."""
    options: dict[str, Any] = {"placeholder": t("watch.hint"), "help": t("watch.help", most=MAX_WATCHED_CAPTIONS), "height": 120}
    text = st.text_area(
        t("watch.title"), key=f"rules.watched.{workspace.lang}", max_chars=MAX_WATCHED_CHARS, persist_state="session", **options
    )
    captions = list(dict.fromkeys(filter(None, (" ".join(line.split()) for line in text.splitlines()))))
    rows = []
    for caption in captions[:MAX_WATCHED_CAPTIONS]:
        tuples_before, tuples_after = _tuples_before_and_after(workspace, caption)
        lists = _list_html(tuples_before - tuples_after, "<b>−</b>") + _list_html(tuples_after - tuples_before, "<b>+</b>")
        rows.append([escape(caption), lists or escape(t("watch.same", number=len(tuples_after)))])
    if rows:
        st.html(wording.table_html([t("captions.title"), t("watch.changes")], rows, scrolls_vertically=True))
    if len(captions) > MAX_WATCHED_CAPTIONS:
        html.show_note(t("watch.first", number=MAX_WATCHED_CAPTIONS, all=len(captions)))


def _list_html(tuples: Iterable[TupleWords], mark: str = "") -> str:
    return wording.tuple_list(sort_tuples(tuples), mark, empty_text="")


def _tuples_before_and_after(workspace: Workspace, caption: str) -> tuple[frozenset[TupleWords], frozenset[TupleWords]]:
    """Return a caption's tuples under the default rules and under the active rules."""
    parses = (
        rule_workspace.apply_rules(workspace.pack, rules, workspace.tree(caption), caption)
        for rules in results.compared_rules(workspace, None)
    )
    tuples_before, tuples_after = (frozenset(add_implied_objects(p.words for p in parse.propositions)) for parse in parses)
    return tuples_before, tuples_after


def show_effect_on_sets(workspace: Workspace) -> None:
    """Show the effect on the gold and sample captions, on the correlation with ratings and, on request, on more captions."""
    rule_pair = _choose_rule_pair(workspace)
    for caption_set, rules in product(rule_workspace.bundled_caption_sets(workspace.lang), rule_pair):
        results.parses_of_set(workspace, caption_set, rules)
    start = perf_counter() - results.last_run_seconds("gold", "sample")
    if gold := {graph.caption: graph.tuples for graph in rule_workspace.gold_graphs(workspace.lang)}:
        report_before, report_after = (results.gold_report(workspace, rules) for rules in rule_pair)
        html.show_heading(t("effect.gold", number=len(gold)))
        before, after = report_before.overall.f1, report_after.overall.f1
        change = f'<b data-before="{before:.3f}">{before:.3f}</b> → <b>{after:.3f}</b> {signed_change(after - before)}'
        st.html(f'<p class="sc-goldf1"><span>{t("effect.f1")}</span> {change}</p>')
        left, right = st.columns(2, gap="medium")
        with left:
            st.html(_kind_table_html(report_before, report_after))
        with right:
            st.html(_rules_html(report_before, report_after))
        _show_changed_captions(workspace, "gold", rule_pair, gold)
    else:
        html.show_note(t("gold.lacking", name=language_names()[workspace.lang]))
    if sample := rule_workspace.sample_captions(workspace.lang):
        html.show_heading(t("effect.sample", number=len(sample)))
        _show_changed_captions(workspace, "sample", rule_pair, {})
    seconds, caption_count = perf_counter() - start, len(gold) + len(sample)
    if results.rated_set_name(workspace) == RATED_SET:
        rated_count, all_count = len(results.rated_captions(workspace, RATED_SET)), len(rule_workspace.rated_captions(workspace.lang))
        html.show_heading(t("effect.on_ratings", number=rated_count, all=all_count))
        with st.spinner(t("states.loading")):
            caption_count += max(len(results.parses_of_set(workspace, RATED_SET, rules)) for rules in rule_pair)
            start = perf_counter() - results.last_run_seconds(RATED_SET)
            st.html(_correlation_html(results.effect_on_ratings(workspace, RATED_SET, rule_pair)))
        seconds += perf_counter() - start
    html.show_note(t("effect.time", number=caption_count, seconds=f"{seconds:.2f}"))
    rule_workspace.freeze_corpora(workspace.lang, workspace.parser)
    if rule_workspace.more_captions(workspace.lang):
        _show_more_captions(workspace, rule_pair)


def _choose_rule_pair(workspace: Workspace) -> RulePair:
    """Return the rules to compare.

    After an edit, show a choice for the first side: the default rules, or the rules before the last edit.
    """
    earlier_drafts = workspace.history.past
    if not earlier_drafts:
        return results.compared_rules(workspace, None)
    options = {"default": t("effect.against_default"), "last": t("effect.against_last")}
    base_name = choice.segmented_control(t("effect.against"), options, key="rules.against", persist_state="session")
    return results.compared_rules(workspace, earlier_drafts[-1] if base_name == "last" else None)


def _show_more_captions(workspace: Workspace, rule_pair: RulePair) -> None:
    """Show a button that parses more captions, and afterwards the changes of their tuples and scores."""
    captions, rated_items = rule_workspace.more_captions(workspace.lang), rule_workspace.rated_captions(workspace.lang)
    html.show_heading(t("effect.more", number=len(captions), rated=len(rated_items)))
    if rule_workspace.on_demand_corpus(workspace.lang, workspace.parser) is None:
        if not st.button(t("effect.read_more"), help=t("effect.read_more_help"), key="rules.read_more"):
            return
        bar = st.progress(0.0, t("effect.reading"))
        for share in rule_workspace.parse_more(workspace.lang, workspace.parser):
            bar.progress(share, t("effect.reading"))
        st.rerun()
    for rules in rule_pair:
        results.parses_of_set(workspace, MORE_SET, rules)
    start = perf_counter() - results.last_run_seconds(MORE_SET)
    with st.spinner(t("states.loading")):
        st.html(_correlation_html(results.effect_on_ratings(workspace, MORE_SET, rule_pair)))
    _show_changed_captions(workspace, MORE_SET, rule_pair, {})
    html.show_note(t("effect.time", number=len(captions), seconds=f"{perf_counter() - start:.2f}"))


def _correlation_html(effect: RatingEffect) -> str:
    """Return HTML: the number of items with changed F1, and mean F1 and correlations before and after."""
    rows = [[t("effect.mean"), *_pair_cells(*effect.means)]]
    rows += [[escape(name), *_pair_cells(effect.before[name], effect.after[name])] for name in effect.before]
    headers = [t("effect.ratings"), t("effect.before"), t("effect.after"), t("effect.change")]
    note = f'<p class="sc-note">{t("effect.rescored", number=len(effect.changes))}</p>'
    return note + wording.table_html(headers, rows)


def _pair_cells(value_before: float, value_after: float) -> list[str]:
    return [f"{value_before:.3f}", f"{value_after:.3f}", signed_change(value_after - value_before)]


def _kind_table_html(report_before: GoldReport, report_after: GoldReport) -> str:
    counts = [t(f"effect.{name}") for name in ("right", "predicted", "expected")]
    headers = [t("effect.kind"), t("score.precision"), t("score.recall"), "F1", *counts]
    rows = []
    for name, counts_before in (("all", report_before.overall), *report_before.kinds.items()):
        counts_after = report_after.overall if name == "all" else report_after.kinds[name]
        figures = [_change_html(getattr(counts_before, part), getattr(counts_after, part)) for part in ("precision", "recall", "f1")]
        label = t("categories.All") if name == "all" else t(f"legend.{name}")
        rows.append([label, *figures, *map(str, (counts_after.tp, counts_after.predicted, counts_after.gold))])
    return table(headers, rows, css_class="sc-kinds")


def _rules_html(report_before: GoldReport, report_after: GoldReport) -> str:
    """Return an HTML table of each rule's correct and wrong tuples. Changed rules come first, in bold."""
    names = list(dict.fromkeys((*report_before.rules, *report_after.rules)))
    counts = {name: (report_before.rules.get(name, (0, 0)), report_after.rules.get(name, (0, 0))) for name in names}
    rows = [
        [
            f"<b>{escape(texts.display_name(name))}</b>" if counts_before != counts_after else escape(texts.display_name(name)),
            wording.count_html(counts_before[0], counts_after[0]),
            wording.count_html(counts_before[1] - counts_before[0], counts_after[1] - counts_after[0]),
        ]
        for name, (counts_before, counts_after) in sorted(counts.items(), key=lambda item: item[1][0] == item[1][1])
    ]
    return wording.table_html([t("trace.rule"), t("effect.right"), t("effect.wrong")], rows, scrolls_vertically=True)


def _show_changed_captions(workspace: Workspace, caption_set: str, rule_pair: RulePair, gold: dict[str, frozenset]) -> None:
    """Show captions whose tuples change, and a download of all changes.

    With gold graphs, these are the first changed captions, otherwise a random sample.
    """
    parses = [results.parses_of_set(workspace, caption_set, rules) for rules in rule_pair]
    effects = list(caption_effects(*parses))
    gained_count, lost_count = sum(len(e.gained_tuples) for e in effects), sum(len(e.lost_tuples) for e in effects)
    html.show_note(t("effect.changed", number=len(effects), gained=gained_count, lost=lost_count))
    if not effects:
        return
    shown_effects = (
        effects[:MAX_GOLD_CAPTIONS] if gold else sorted(random.Random(0).sample(effects, min(MAX_SAMPLED_CAPTIONS, len(effects))))
    )
    rows = [
        _effect_cells(effect, parses[0][effect.position], parses[1][effect.position], gold.get(effect.caption)) for effect in shown_effects
    ]
    st.html(wording.table_html([t("captions.title"), t("effect.gained"), t("effect.lost")], rows, scrolls_vertically=True))
    if gold:
        html.show_note(t("effect.marks"))
    elif len(shown_effects) < len(effects):
        html.show_note(t("effect.drawn", shown=len(shown_effects), number=len(effects)))
    lines = ([e.caption, *("; ".join(map(tuple_text, side)) for side in (e.gained_tuples, e.lost_tuples))] for e in effects)
    data = table_csv(["caption", "gained", "lost"], lines)
    name = f"{workspace.rules.signature}-{caption_set}.csv"
    choice.download_button(t("effect.save"), data, name, "text/csv", key=f"rules.save.{caption_set}")


def _effect_cells(effect: CaptionEffect, parse_before: Parse, parse_after: Parse, gold: frozenset | None) -> list[str]:
    """Return the cells of a caption: the caption with words of changed tuples marked, gained tuples, lost tuples."""
    tokens = [
        token
        for parse, tuples in ((parse_after, set(effect.gained_tuples)), (parse_before, set(effect.lost_tuples)))
        for p in parse.propositions
        if add_implied_objects([p.words]) & tuples
        for token in chain(*p.tokens)
    ]
    return [_mark_tokens(effect.caption, tokens), _tuple_list(effect.gained_tuples, "+", gold), _tuple_list(effect.lost_tuples, "−", gold)]


def _mark_tokens(caption: str, tokens: Iterable[Token]) -> str:
    """Return a caption as HTML with these tokens marked."""
    parts_html, end = [], 0
    for start, stop in sorted({(token.start, token.end) for token in tokens if 0 <= token.start < token.end}):
        if start >= end:
            parts_html.append(f"{escape(caption[end:start])}<b><u>{escape(caption[start:stop])}</u></b>")
            end = stop
    return "".join(parts_html) + escape(caption[end:])


def _tuple_list(tuples_: Sequence[tuple[str, ...]], mark: str, gold: frozenset | None) -> str:
    """Return an HTML list of tuples with a mark and, given a gold graph, a sign for whether it has the tuple."""
    marks = {words: f"<b>{mark}</b>{'' if gold is None else ' ✓' if words in gold else ' ✗'}" for words in tuples_}
    items = "".join(f"<li>{marks[words]} {wording.tuple_html(words)}</li>" for words in tuples_)
    return f'<ul class="sc-changes">{items}</ul>'


def _change_html(value_before: float, value_after: float) -> str:
    return f"{value_after:.3f}" if abs(value_after - value_before) < 0.0005 else f"{value_before:.3f} → <b>{value_after:.3f}</b>"


def show_changes(workspace: Workspace) -> None:
    """Show an expander with the changed rules, if any."""
    if not workspace.is_changed:
        return
    differences = rule_changes(workspace.default_draft.text, workspace.draft.file)
    with st.expander(t("edit.differences", number=len(differences)), key="rules.differences"):
        headers = [t("trace.rule"), t("edit.difference"), t("effect.right"), t("effect.wrong"), t("edit.fires")]
        st.html(wording.table_html(headers, _effect_rows(workspace, differences)))
        for change in differences:
            if change.kind != "moved" and change.name not in workspace.draft.disabled_names:
                st.html(f'<h4 class="sc-small">{escape(_change_title(change))}</h4>{wording.diff_html(change.lines)}')


def _effect_rows(workspace: Workspace, differences: list[RuleChange]) -> list[list[str]]:
    """Return a row for each changed rule: name, kind of change, and counts before and after.

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
    return t("edit.settings") if change.name == HEAD_NAME else texts.display_name(change.name)
