"""Manual correction of the caption's tree. The tuples update immediately, and the tree can be stored as a test case.

The URL stores a corrected tree as the rows that differ from the parser's tree.
"""

import zlib
from collections.abc import Sequence
from typing import Any, NamedTuple

import pandas as pd
import streamlit as st

from pages.parts.kit import html, url
from pages.parts.kit.choice import download_button
from pages.parts.kit.texts import error_text, t
from pages.parts.rules import gold, rule_workspace, wording
from pages.parts.rules.rule_workspace import Workspace
from pages.parts.rules.state import rules_state
from pages.parts.state import links
from pages.parts.views import graphs
from spice_core.data.gold import TREE_SUFFIX, GoldGraph, write_trees
from spice_core.errors import InputError
from spice_core.scene.propositions import add_implied_objects, sort_tuples
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Document, Sentence
from spice_core.syntax.tree_edit import MAX_WORD_CHARS, TreeLabels, TreeRow, apply_rows, replace_sentence, tree_rows

TABLE_KEY = "rules.tree.table"
COLUMN_NAMES = ("lemma", "tag", "head", "label")


class TreeTable(NamedTuple):
    """The table that the visitor edits.

    Attributes:
        key: Language, parser, caption and sentence index.
        tree: The current tree of the caption.
        initial_rows: The rows of the table before any edit.
        table_count: The number of tables so far.
    """

    key: tuple[str, str, str, int]
    tree: Document
    initial_rows: pd.DataFrame
    table_count: int

    @property
    def widget(self) -> str:
        return f"{TABLE_KEY}.{self.table_count}"


def show_tree(workspace: Workspace) -> None:
    """Show the tree of a sentence as a table and as a drawing, and the tuples of the caption."""
    sentences = workspace.caption_document.sentences
    if not sentences:
        html.show_note(t("trace.nothing"))
        return
    texts = workspace.caption_document.sentence_texts
    sentence_index = 0
    if len(sentences) > 1:
        key = f"rules.tree.sentence.{hash((workspace.lang, workspace.parser, workspace.caption))}"
        sentence_index = st.selectbox(t("tree.sentence"), range(len(sentences)), format_func=texts.__getitem__, key=key)
    table_column, tree_column = st.columns([3, 2], gap="medium")
    with table_column:
        is_invalid = _show_editor(workspace, sentence_index)
        _show_buttons(workspace, is_invalid=is_invalid)
    with tree_column:
        _show_tuples(workspace)
        _show_case_buttons(workspace)
    current_sentence = workspace.caption_document.sentences[sentence_index]
    sentence_before = workspace.parser_tree.sentences[sentence_index]
    highlighted_edges = [edge for edge in current_sentence.basic if edge not in sentence_before.basic]
    graph = DependencyGraph(current_sentence.tokens, current_sentence.basic)
    graphs.draw_trees([(t("trace.tree"), graph, (), highlighted_edges)], lang=workspace.lang)


def _show_editor(workspace: Workspace, sentence_index: int) -> bool:
    """Show the table and apply valid changes immediately. Return whether the last change is invalid."""
    document = workspace.caption_document
    sentence = document.sentences[sentence_index]
    table, labels_ = _current_table(workspace, sentence_index), tree_labels(workspace)
    columns = _column_config(sentence, labels_)
    frame = st.data_editor(
        table.initial_rows, column_config=columns, hide_index=True, key=table.widget, num_rows="fixed", alt=t("tree.table")
    )
    cells = frame[list(COLUMN_NAMES)].fillna("").values.tolist()
    edited_rows = [
        TreeRow(lemma, tag, index, label if index else "root")
        for lemma, tag, head, label in cells
        for index in [int(head.partition(" ")[0] or -1)]
    ]
    if edited_rows == list(tree_rows(sentence)):
        return False
    try:
        corrected_document = replace_sentence(document, sentence_index, apply_rows(sentence, edited_rows, labels_))
    except InputError as error:
        html.show_messages([error_text(error), t("tree.in_force")], severity="problem")
        return True
    rule_workspace.add_correction(workspace, corrected_document)
    st.session_state[TABLE_KEY] = table._replace(tree=corrected_document)
    return False


def _current_table(workspace: Workspace, sentence_index: int) -> TreeTable:
    """Return the sentence's table, a new one if the tree changed elsewhere or the visitor left the table."""
    key, table = (workspace.lang, workspace.parser, workspace.caption, sentence_index), st.session_state.get(TABLE_KEY)
    if not table or (table.key, table.tree) != (key, workspace.caption_document) or table.widget not in st.session_state:
        table_count = st.session_state.get(f"{TABLE_KEY}.turn", 0) + 1
        sentence = workspace.caption_document.sentences[sentence_index]
        heads, pairs = _head_options(sentence), zip(sentence.tokens, tree_rows(sentence))
        rows = [[token.index, token.text, row.lemma, row.tag, heads[row.head], row.relation] for token, row in pairs]
        table = TreeTable(key, workspace.caption_document, pd.DataFrame(rows, columns=["number", "word", *COLUMN_NAMES]), table_count)
        st.session_state[TABLE_KEY], st.session_state[f"{TABLE_KEY}.turn"] = table, table_count
    return table


def _head_options(sentence: Sentence) -> list[str]:
    return ["0 ROOT", *(f"{token.index} {token.text}" for token in sentence.tokens)]


def _column_config(sentence: Sentence, labels: TreeLabels) -> dict[str, Any]:
    tags = sorted(labels.tags.union(token.tag for token in sentence.tokens))
    return {
        "number": st.column_config.NumberColumn(t("parse.number"), disabled=True, width="small"),
        "word": st.column_config.TextColumn(t("parse.word"), disabled=True),
        "lemma": st.column_config.TextColumn(t("parse.lemma"), max_chars=MAX_WORD_CHARS, required=True),
        "tag": st.column_config.SelectboxColumn(t("parse.tag"), options=tags, required=True),
        "head": st.column_config.SelectboxColumn(t("parse.head"), options=_head_options(sentence), required=True),
        "label": st.column_config.SelectboxColumn(t("parse.relation"), options=sorted(labels.relations), required=True),
    }


def tree_labels(workspace: Workspace) -> TreeLabels:
    """Return the tags and relations of the tagset, of UD, of the gold captions and of the caption.

    If the language has no tagset, the tags are those of the gold captions and the caption.
    """
    gold_documents: Sequence[Document] = (
        rule_workspace.parsed_corpus(workspace.lang, workspace.parser, "gold").documents
        if rule_workspace.gold_graphs(workspace.lang)
        else ()
    )
    return TreeLabels.from_documents([*gold_documents, workspace.parser_tree, *workspace.corrections[-1:]], workspace.pack.tags)


def _show_buttons(workspace: Workspace, *, is_invalid: bool) -> None:
    """Show buttons to undo a correction and to restore the parser's tree."""

    def undo() -> None:
        if is_invalid:
            st.session_state.pop(TABLE_KEY)
        else:
            rule_workspace.store_corrections(workspace, workspace.corrections[:-1])

    def restore() -> None:
        rule_workspace.store_corrections(workspace, ())
        st.session_state.pop(TABLE_KEY)

    idle = not workspace.corrections and not is_invalid
    with st.container(horizontal=True, gap="small"):
        st.button(t("tree.undo"), on_click=undo, disabled=idle, key="rules.tree.undo")
        st.button(t("tree.restore"), on_click=restore, disabled=idle, key="rules.tree.restore")


def _show_tuples(workspace: Workspace) -> None:
    """Show the tree's tuples, marking those gained or lost relative to the parser's tree."""
    tuples_before, current_tuples = (
        add_implied_objects(
            p.words for p in rule_workspace.apply_rules(workspace.pack, workspace.rules, document, workspace.caption).propositions
        )
        for document in (workspace.parser_tree, workspace.caption_document)
    )
    html.show_heading(t("trace.tuples", number=len(current_tuples)))
    if workspace.corrections:
        html.show_note(t("tree.changed", gained=len(current_tuples - tuples_before), lost=len(tuples_before - current_tuples)))
    marked_groups = ((current_tuples - tuples_before, "+"), (tuples_before - current_tuples, "−"), (current_tuples & tuples_before, ""))
    st.html("".join(wording.tuple_list(sort_tuples(tuples_), mark) for tuples_, mark in marked_groups if tuples_) or wording.tuple_list(()))


def _show_case_buttons(workspace: Workspace) -> None:
    """Show a button that stores the tree as a test case, and a download of the cases with trees.

    The tuples of the case are those of the visitor's case or gold graph of the caption or, if there is none, those of the active rules.
    """
    cases = [case for case in gold.visitor_cases(workspace.lang).values() if case.document]

    def store_case() -> None:
        case = gold.known_case(workspace)
        tuples = case.tuples if case else add_implied_objects(p.words for p in workspace.parse(workspace.caption).propositions)
        gold.store_cases(workspace.lang, [GoldGraph(workspace.caption, tuples, document=workspace.caption_document)])

    st.button(t("tree.keep"), on_click=store_case, type="primary", key="rules.tree.keep", help=t("tree.keep_help"))
    if cases:
        html.show_note(t("tree.cases", number=len(cases)))
        data = write_trees(cases)
        name = f"rules-gold{TREE_SUFFIX}"
        download_button(t("gold.save_trees"), data, name, "text/plain", key="rules.tree.save", type="secondary")


TREE_PARAM = "tree"


def apply_link_tree(workspace: Workspace) -> None:
    """Once per session, apply the tree in the URL, or report that it cannot be unpacked."""
    if rules_state().has_read_tree:
        return
    rules_state().has_read_tree = True
    if token := st.query_params.get(TREE_PARAM, ""):
        try:
            rule_workspace.store_corrections(workspace, (unpack_tree(token, workspace.parser_tree, tree_labels(workspace)),))
        except InputError as error:
            html.show_messages([t("tree.link_unopened", error=error_text(error))], severity="problem")


def store_tree_in_url(workspace: Workspace) -> None:
    """Store the corrected tree in the URL, or show a message if it does not fit."""
    token = pack_tree(workspace.caption_document, workspace.parser_tree, tree_labels(workspace)) if workspace.corrections else ""
    url.set_param(TREE_PARAM, token or "")
    if token is None:
        html.show_messages([t("tree.no_link")])


def pack_tree(tree: Document, parser_tree: Document, labels: TreeLabels) -> str | None:
    """Return a corrected tree as text for a URL, "" for the parser's tree, or None if the text cannot restore the tree."""
    if tree == parser_tree:
        return ""
    pairs = list(enumerate(zip(parser_tree.sentences, tree.sentences)))
    changed = {
        n: {i: new_row for i, (old_row, new_row) in enumerate(zip(tree_rows(a), tree_rows(b))) if old_row != new_row} for n, (a, b) in pairs
    }
    token = links.pack_json({n: changed_rows for n, changed_rows in changed.items() if changed_rows})
    try:
        return token if unpack_tree(token, parser_tree, labels) == tree else None
    except InputError:
        return None


def unpack_tree(token: str, parser_tree: Document, labels: TreeLabels) -> Document:
    """Return the parser's tree with packed corrections. Raises InputError if the text is invalid."""
    document = parser_tree
    for sentence_index, changed_rows in _read_content(token).items():
        if not 0 <= sentence_index < len(parser_tree.sentences):
            raise _link_error(token)
        sentence = parser_tree.sentences[sentence_index]
        table = list(tree_rows(sentence))
        if not all(0 <= i < len(table) for i in changed_rows):
            raise _link_error(token)
        edited_rows = [changed_rows.get(i, row) for i, row in enumerate(table)]
        document = replace_sentence(document, sentence_index, apply_rows(sentence, edited_rows, labels))
    return document


def _read_content(token: str) -> dict[int, dict[int, TreeRow]]:
    """Return the rows in a packed text by sentence and word index. Raises InputError if the text is invalid."""
    try:
        content: Any = links.unpack_json(token)
        rows = {int(n): {int(i): TreeRow(*row) for i, row in rows_.items()} for n, rows_ in content.items()}
        for lemma, tag, head, relation in (row for rows_ in rows.values() for row in rows_.values()):
            if type(head) is not int or not all(isinstance(text, str) and text.encode() for text in (lemma, tag, relation)):
                raise ValueError("no row")
        return rows
    except (InputError, ValueError, TypeError, AttributeError, zlib.error, RecursionError):
        raise _link_error(token) from None


def _link_error(token: str) -> InputError:
    return InputError("link", url.quote_value(token, 24), t("tree.link_expected"))
