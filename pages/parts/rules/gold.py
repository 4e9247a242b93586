"""Gold graphs: correct tuples, store them as test cases, run the cases and minimal pairs, and mark the cause of each difference."""

from collections import Counter
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

import pandas as pd
import streamlit as st

from pages.parts.kit import choice, html
from pages.parts.kit.choice import download_button
from pages.parts.kit.texts import error_text, language_names, t
from pages.parts.rules import results, rule_workspace, wording
from pages.parts.rules.rule_workspace import Workspace
from pages.parts.rules.state import rules_state
from spice_core.data.gold import TREE_SUFFIX, GoldGraph, parse_cases, write_gold, write_trees
from spice_core.data.reader import decode_text
from spice_core.errors import InputError, Message
from spice_core.evaluation.gold import GoldReport, compare_gold
from spice_core.evaluation.minimal_pairs import MinimalPair, PairFailure, count_passing_pairs, find_failures, read_pairs
from spice_core.explain.causes.suggest import CAPTION_CAUSE_NAMES
from spice_core.explain.evidence import tuple_text
from spice_core.lang import language
from spice_core.metrics.spice import Spice
from spice_core.report.tables import table_csv
from spice_core.scene.propositions import Parse, add_implied_objects, parse_from_tuples, sort_tuples
from spice_core.syntax.document import Document

TUPLE_COLUMNS = ("first", "second", "third")
MAX_CASES = 5_000


def visitor_cases(lang: str) -> dict[str, GoldGraph]:
    """Return the visitor's cases by caption."""
    return rules_state().cases[lang]


def show_cases(workspace: Workspace) -> None:
    """Show the editor, the visitor's cases, the differences with their causes, and the minimal pairs."""
    editor_column, side_column = st.columns([3, 2], gap="medium")
    with editor_column:
        _show_editor(workspace)
    with side_column:
        _show_saved_cases(workspace)
    custom_cases = list(visitor_cases(workspace.lang).values())
    if custom_cases:
        report = compare_gold(custom_cases, [workspace.parse_case(case) for case in custom_cases])
        _show_outcome(custom_cases, report)
    bundled_cases = rule_workspace.gold_graphs(workspace.lang)
    show_causes(workspace, custom_cases, bundled_cases)
    show_minimal_pairs(workspace)


def _show_editor(workspace: Workspace) -> None:
    """Show the caption's tuples as an editable table, with a button that stores them as a case."""
    html.show_heading(t("gold.correct"))
    case = known_case(workspace)
    start = case.tuples if case else add_implied_objects(p.words for p in workspace.parse(workspace.caption).propositions)
    html.show_note(t("gold.from_gold" if case else "gold.from_rules"))
    rows = [[*words, "", ""][:3] for words in sort_tuples(start)]
    widget = f"rules.tuples.{hash((workspace.lang, workspace.caption, start))}"
    names = {column: st.column_config.TextColumn(t(f"gold.{column}"), max_chars=200) for column in TUPLE_COLUMNS}
    edited_table = st.data_editor(
        pd.DataFrame(rows, columns=list(TUPLE_COLUMNS), dtype=str), column_config=names, num_rows="dynamic", hide_index=True, key=widget
    )
    if st.button(t("gold.keep"), type="primary", key="rules.keep_case"):
        try:
            document = workspace.caption_document if workspace.corrections else case.document if case else None
            store_cases(
                workspace.lang, [GoldGraph(workspace.caption, read_table(edited_table.fillna("").values.tolist()), document=document)]
            )
        except InputError as error:
            html.show_messages([error_text(error)], severity="problem")
            return
        st.rerun()


def read_table(rows: Iterable[list[str]]) -> frozenset[tuple[str, ...]]:
    """Return a table's tuples and their objects. Raises InputError naming the row of an invalid tuple."""
    propositions = []
    for row_number, row in enumerate(rows, 1):
        words = [str(cell).strip() for cell in row]
        while words and not words[-1]:
            words.pop()
        if words:
            propositions += [p.words for p in parse_from_tuples([words], where=t("gold.row", number=row_number)).propositions]
    return add_implied_objects(propositions)


def known_case(workspace: Workspace) -> GoldGraph | None:
    """Return the visitor's case or the gold graph of the caption, if any."""
    return visitor_cases(workspace.lang).get(workspace.caption) or next(
        (g for g in rule_workspace.gold_graphs(workspace.lang) if g.caption == workspace.caption), None
    )


def store_cases(lang: str, graphs: Iterable[GoldGraph]) -> None:
    """Store these cases, replacing earlier ones of the same captions."""
    visitor_cases(lang).update({graph.caption: graph for graph in graphs})


def _show_saved_cases(workspace: Workspace) -> None:
    """Show the visitor's cases with buttons to save, clear and load them."""
    custom_cases = visitor_cases(workspace.lang)
    html.show_heading(t("gold.cases", number=len(custom_cases)))
    if custom_cases:
        st.html("<ul>" + "".join(f"<li>{escape(caption)}</li>" for caption in custom_cases) + "</ul>")
        _show_downloads(workspace, custom_cases.values())
        st.button(t("gold.clear"), on_click=custom_cases.clear, key="rules.clear", type="tertiary")
    file = st.file_uploader(t("gold.load"), type=["jsonl", TREE_SUFFIX[1:]], key=f"rules.load_cases.{workspace.lang}")
    if file and rules_state().loaded_cases != file.file_id:
        try:
            graphs = parse_cases(decode_text(file.getvalue(), file.name), file.name)
            if len(graphs) > MAX_CASES:
                raise InputError(file.name, Message("found.captions", number=len(graphs)), Message("expected.at_most", number=MAX_CASES))
        except InputError as error:
            html.show_messages([error_text(error)], severity="problem")
            return
        rules_state().loaded_cases = file.file_id
        store_cases(workspace.lang, graphs)
        st.rerun()


def _show_downloads(workspace: Workspace, custom_cases: Iterable[GoldGraph]) -> None:
    plain_cases, trees = [g for g in custom_cases if not g.document], [g for g in custom_cases if g.document]
    rules = f"{workspace.draft.name}.toml" if workspace.is_changed else workspace.base
    for name, data, label in ((".jsonl", write_gold(plain_cases), t("gold.save")), (TREE_SUFFIX, write_trees(trees), t("gold.save_trees"))):
        if data:
            file = f"rules-gold{name}"
            download_button(label, data, file, "text/plain", key=f"rules.save_cases{name}", type="secondary")
            command = f"spice-core gold {file} --lang {workspace.lang} --parser {workspace.parser} --rules {rules}"
            st.code(command, language="bash", wrap_lines=True)


def _show_outcome(custom_cases: list[GoldGraph], report: GoldReport) -> None:
    """Show the number of passing cases, and the differences of the failing cases."""
    difference_by_caption = {difference.caption: difference for difference in report.differences}
    html.show_heading(
        t("gold.outcome", passed=len(custom_cases) - len(difference_by_caption), total=len(custom_cases), f1=f"{report.overall.f1:.3f}")
    )
    rows = [[escape(d.caption), wording.tuple_list(d.missing), wording.tuple_list(d.extra)] for d in difference_by_caption.values()]
    if rows:
        st.html(wording.table_html([t("captions.title"), t("causes.missing"), t("causes.extra")], rows))


def show_causes(workspace: Workspace, custom_cases: Sequence[GoldGraph], bundled_cases: Sequence[GoldGraph]) -> None:
    """Show all differences with causes and notes, their number by cause, and a download."""
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
        rules_state().marks[row[0]] = (names.get(cause, ""), note or "")
    counts = Counter(names.get(cause, "") for cause in edited_table["cause"])
    totals = [[t(f"causes.{cause or 'unmarked'}"), str(counts[cause])] for cause in (*CAPTION_CAUSE_NAMES, "")]
    st.html(wording.table_html([t("causes.cause"), t("query.count")], totals))
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
    """Return a row for each missing or extra tuple: key, caption, side, tuple, rules, cause, note."""
    marks = rules_state().marks
    rows = []
    for difference in report.differences:
        differing_tuples: list[tuple[str, tuple[str, ...], tuple[str, ...]]] = [("missing", words, ()) for words in difference.missing]
        differing_tuples += [("extra", words, rules) for words, rules in difference.extra.items()]
        for side, words, rules in differing_tuples:
            key = (workspace.lang, difference.caption, side, words)
            rows.append((key, difference.caption, t(f"causes.{side}"), tuple_text(words), ", ".join(rules), *marks.get(key, ("", ""))))
    return rows


def show_minimal_pairs(workspace: Workspace) -> None:
    """Show a button that runs the language's minimal pairs with the active rules, then the outcome."""
    pairs = bundled_pairs(workspace.lang)
    if not pairs:
        return
    html.show_heading(t("pairs.title", number=len(pairs)))
    html.show_note(t("pairs.hint"))
    if st.button(t("pairs.run"), key="rules.pairs"):
        rules_state().shows_pairs = True

    def parse(captions: list[str]) -> list[Parse]:
        documents = _parse_documents(tuple(captions), workspace.lang, workspace.parser)
        return [rule_workspace.apply_rules(workspace.pack, workspace.rules, *pair) for pair in zip(documents, captions)]

    if rules_state().shows_pairs:
        metric = Spice(workspace.lang, parser=workspace.parser, rules=workspace.rules)
        _show_pair_outcome(pairs, find_failures(pairs, parse, metric.compare))


@st.cache_data(show_spinner=False)
def bundled_pairs(lang: str) -> tuple[MinimalPair, ...]:
    """Return the minimal pairs of a language, if any."""
    path = language(lang).examples.pairs
    return tuple(read_pairs(path)) if path else ()


@st.cache_data(show_spinner=False, max_entries=4)
def _parse_documents(captions: tuple[str, ...], lang: str, parser: str) -> list[Document]:
    return list(language(lang).parser(parser).parse(captions))


def _show_pair_outcome(pairs: tuple[MinimalPair, ...], failed_pairs: list[PairFailure]) -> None:
    """Show each phenomenon with its number of passing pairs, and the failing captions with their differences."""
    total, passed_counts = Counter(pair.phenomenon for pair in pairs), count_passing_pairs(pairs, failed_pairs)
    html.show_note(t("pairs.outcome", passed=sum(passed_counts.values()), total=len(pairs)))
    rows = []
    for name, pair_count in total.items():
        failures_here = [failure for failure in failed_pairs if failure.phenomenon == name]
        captions = ""
        for f in failures_here:
            tuples_by_sign = {"−": f.missing, "+": f.extra, "≠": f.missing_matches, "=": f.extra_matches}
            lists = (wording.tuple_list(sorted(tuples), mark, empty_text="") for mark, tuples in tuples_by_sign.items())
            captions += f"<div>{escape(f.caption)}</div>{''.join(lists)}"
        rows.append([escape(name), f"{passed_counts[name]}/{pair_count}", captions or "✓"])
    st.html(wording.table_html([t("pairs.phenomenon"), t("pairs.passed"), t("pairs.failed")], rows))
