"""Gold graphs: correct a caption's tuples, store them as test cases, run the cases, and mark the cause of each difference."""

from collections.abc import Iterable
from html import escape

import pandas as pd
import streamlit as st

from pages.parts.kit import html
from pages.parts.kit.choice import download_button
from pages.parts.kit.texts import error_text, t
from pages.parts.rules import causes, minimal_pairs, rule_workspace, wording
from pages.parts.rules.rule_workspace import Workspace
from pages.parts.rules.state import rules_state
from spice_core.data.gold import TREE_SUFFIX, GoldGraph, parse_cases, write_gold, write_trees
from spice_core.data.reader import decode_text
from spice_core.errors import InputError, Message
from spice_core.evaluation.gold import GoldReport, compare_gold
from spice_core.scene.propositions import add_implied_objects, parse_from_tuples, sort_tuples

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
    causes.show_causes(workspace, custom_cases, bundled_cases)
    minimal_pairs.show_minimal_pairs(workspace)


def _show_editor(workspace: Workspace) -> None:
    """Show the tuples of the caption as an editable table, with a button that stores them as a case."""
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
    """Return the tuples in a table and the objects that they mention. Raises InputError, which names the row, if a tuple is invalid."""
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
    """Store these cases in place of earlier cases of the same captions."""
    visitor_cases(lang).update({graph.caption: graph for graph in graphs})


def _show_saved_cases(workspace: Workspace) -> None:
    """Show the visitor's cases, with buttons to save, clear and load them."""
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
    """Show downloads of the cases without trees and of the cases with trees, each with the command that runs the cases."""
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
