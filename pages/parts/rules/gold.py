"""Gold graphs: correct the tuples of a caption, store them as test cases, run them, and mark the cause of each difference."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

import pandas as pd
import streamlit as st

from pages.parts.kit import html, messages
from pages.parts.kit.texts import error_text, t
from pages.parts.rules import causes, minimal_pairs, wording, workspace
from pages.parts.rules.workspace import STATE_KEY, Workspace
from spice_core.data.gold import GoldGraph, write_gold
from spice_core.data.gold_trees import TREE_SUFFIX, parse_cases, write_trees
from spice_core.data.reader import decode_text
from spice_core.errors import InputError, Message
from spice_core.evaluation.gold import GoldReport, compare_gold
from spice_core.scene.propositions import add_implied_objects, parse_from_tuples, sort_tuples

CASES_KEY = f"{STATE_KEY}.cases"
TUPLE_COLUMNS = ("first", "second", "third")
MAX_CASES = 5_000  # maximum number of cases


def visitor_cases(lang: str) -> dict[str, GoldGraph]:
    """Return the visitor's cases by caption."""
    return st.session_state.get(CASES_KEY, {}).get(lang, {})


def show_cases(work: Workspace) -> None:
    """Show the editor, the visitor's cases, and the differences with their causes."""
    editor_column, right = st.columns([3, 2], gap="medium")
    with editor_column:
        _show_editor(work)
    with right:
        _show_saved_cases(work)
    custom_cases = list(visitor_cases(work.lang).values())
    if custom_cases:
        report = compare_gold(custom_cases, [work.parse_case(case) for case in custom_cases])
        _show_outcome(custom_cases, report)
    bundled = workspace.gold_graphs(work.lang)
    causes.show_causes(work, custom_cases, bundled)
    minimal_pairs.show_minimal_pairs(work)


def _show_editor(work: Workspace) -> None:
    """Show the tuples of the caption as an editable table."""
    html.show_heading(t("gold.correct"))
    case = known_case(work)
    start = case.tuples if case else add_implied_objects(p.words for p in work.parse(work.caption).propositions)
    html.show_note(t("gold.from_gold" if case else "gold.from_rules"))
    rows = [[*words, "", ""][:3] for words in sort_tuples(start)]
    widget = f"{STATE_KEY}.tuples.{hash((work.lang, work.caption, start))}"
    names = {part: st.column_config.TextColumn(t(f"gold.{part}"), max_chars=200) for part in TUPLE_COLUMNS}
    edited = st.data_editor(
        pd.DataFrame(rows, columns=list(TUPLE_COLUMNS), dtype=str), column_config=names, num_rows="dynamic", hide_index=True, key=widget
    )
    if st.button(t("gold.keep"), type="primary", key=f"{STATE_KEY}.keep_case"):
        try:
            document = work.parsed if work.corrections else case.document if case else None
            store_cases(work.lang, [GoldGraph(work.caption, read_table(edited.fillna("").values.tolist()), document=document)])
        except InputError as error:
            messages.show_messages([error_text(error)], kind="problem")
            return
        st.rerun()


def read_table(rows: Iterable[list[str]]) -> frozenset[tuple[str, ...]]:
    """Return a table's tuples, without empty rows, with the objects they mention. Raises InputError, naming the row, if one is invalid."""
    propositions = []
    for number, row in enumerate(rows, 1):
        words = [str(cell).strip() for cell in row]
        while words and not words[-1]:
            words.pop()
        if words:
            propositions += [p.words for p in parse_from_tuples([words], where=t("gold.row", number=number)).propositions]
    return add_implied_objects(propositions)


def known_case(work: Workspace) -> GoldGraph | None:
    """Return the visitor's case of the caption, or its gold graph."""
    return visitor_cases(work.lang).get(work.caption) or next(
        (g for g in workspace.gold_graphs(work.lang) if g.caption == work.caption), None
    )


def store_cases(lang: str, graphs: Iterable[GoldGraph]) -> None:
    """Store these cases; each replaces an earlier case of its caption."""
    custom_cases = {**visitor_cases(lang), **{graph.caption: graph for graph in graphs}}
    st.session_state[CASES_KEY] = {**st.session_state.get(CASES_KEY, {}), lang: custom_cases}


def _drop_cases(lang: str) -> None:
    st.session_state[CASES_KEY] = {**st.session_state.get(CASES_KEY, {}), lang: {}}


def _show_saved_cases(work: Workspace) -> None:
    """Show the visitor's cases, with buttons to save, clear and load them."""
    custom_cases = visitor_cases(work.lang)
    html.show_heading(t("gold.cases", number=len(custom_cases)))
    if custom_cases:
        st.html("<ul>" + "".join(f"<li>{escape(caption)}</li>" for caption in custom_cases) + "</ul>")
        _show_downloads(work, custom_cases.values())
        st.button(t("gold.clear"), on_click=_drop_cases, args=(work.lang,), key=f"{STATE_KEY}.clear", type="tertiary")
    file = st.file_uploader(t("gold.load"), type=["jsonl", TREE_SUFFIX[1:]], key=f"{STATE_KEY}.load_cases.{work.lang}")
    if file and st.session_state.get(f"{STATE_KEY}.cases_loaded") != file.file_id:
        try:
            graphs = parse_cases(decode_text(file.getvalue(), file.name), file.name)
            if len(graphs) > MAX_CASES:
                raise InputError(file.name, Message("found.captions", number=len(graphs)), Message("expected.at_most", number=MAX_CASES))
        except InputError as error:
            messages.show_messages([error_text(error)], kind="problem")
            return
        st.session_state[f"{STATE_KEY}.cases_loaded"] = file.file_id
        store_cases(work.lang, graphs)
        st.rerun()


def _show_downloads(work: Workspace, custom_cases: Iterable[GoldGraph]) -> None:
    """Show the cases as files (cases with trees as CoNLL-U), each with the command that runs it."""
    plain, trees = [g for g in custom_cases if not g.document], [g for g in custom_cases if g.document]
    rules = f"{work.draft.name}.toml" if work.is_changed else work.base
    for name, data, label in ((".jsonl", write_gold(plain), t("gold.save")), (TREE_SUFFIX, write_trees(trees), t("gold.save_trees"))):
        if data:
            file = f"{STATE_KEY}-gold{name}"
            st.download_button(label, data, file, "text/plain", on_click="ignore", key=f"{STATE_KEY}.save_cases{name}")
            command = f"spice-core gold {file} --lang {work.lang} --parser {work.parser} --rules {rules}"
            st.code(command, language="bash", wrap_lines=True)


def _show_outcome(custom_cases: list[GoldGraph], report: GoldReport) -> None:
    """Show the result of the cases as a regression test."""
    wrong = {difference.caption: difference for difference in report.differences}
    html.show_heading(t("gold.outcome", passed=len(custom_cases) - len(wrong), total=len(custom_cases), f1=f"{report.overall.f1:.3f}"))
    rows = [[escape(d.caption), wording.tuple_list(d.missing), wording.tuple_list(d.extra)] for d in wrong.values()]
    if rows:
        st.html(wording.table_html([t("captions.title"), t("causes.missing"), t("causes.extra")], rows))
