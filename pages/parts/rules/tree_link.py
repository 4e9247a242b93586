"""The corrected tree of the caption, packed into the URL as the rows that differ from the parser's tree."""

from __future__ import annotations

import zlib
from typing import Any

import streamlit as st

from pages.parts.kit import messages, url
from pages.parts.kit.texts import error_text, t
from pages.parts.rules import rule_workspace, tree
from pages.parts.rules.rule_workspace import STATE_KEY, Workspace
from pages.parts.state import links
from spice_core.errors import InputError
from spice_core.syntax.document import Document
from spice_core.syntax.tree_edit import TreeLabels, TreeRow, apply_rows, replace_sentence, tree_rows

TREE_PARAM = "tree"
TREE_READ_KEY = f"{STATE_KEY}.tree.begun"


def apply_link_tree(workspace: Workspace) -> None:
    """Once per session, apply the tree in the URL, or report that it cannot be unpacked."""
    if TREE_READ_KEY in st.session_state:
        return
    st.session_state[TREE_READ_KEY] = True
    if token := st.query_params.get(TREE_PARAM, ""):
        try:
            rule_workspace.store_corrections(workspace, (unpack_tree(token, _parser_tree(workspace), tree.tree_labels(workspace)),))
        except InputError as error:
            messages.show_messages([t("tree.link_unopened", error=error_text(error))], severity="problem")


def follow_tree(workspace: Workspace) -> None:
    """Store the corrected tree in the URL, or show a message if this is impossible."""
    token = pack_tree(workspace.caption_document, _parser_tree(workspace), tree.tree_labels(workspace)) if workspace.corrections else ""
    url.set_param(TREE_PARAM, token or "")
    if token is None:
        messages.show_messages([t("tree.no_link")])


def pack_tree(tree: Document, parser_tree: Document, labels: TreeLabels) -> str | None:
    """Return a corrected tree as text for a URL. Return "" for the parser's tree, or None if the text cannot restore the tree."""
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
    """Return the parser's tree with packed corrections applied. Raises InputError if the text is invalid."""
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
        return {int(n): {int(i): _read_row(*row) for i, row in rows_.items()} for n, rows_ in content.items()}
    except (InputError, ValueError, TypeError, AttributeError, zlib.error, RecursionError):
        raise _link_error(token) from None


def _read_row(lemma: str, tag: str, head: int, relation: str) -> TreeRow:
    """Return a validated row. Raises ValueError if a type is wrong, or if a text is empty or has an unpaired surrogate."""
    if type(head) is not int or not all(isinstance(text, str) and text.encode() for text in (lemma, tag, relation)):
        raise ValueError("no row")
    return TreeRow(lemma, tag, head, relation)


def _link_error(token: str) -> InputError:
    return InputError("link", url.quote_value(token, 24), t("tree.link_expected"))


def _parser_tree(workspace: Workspace) -> Document:
    return rule_workspace.parse_caption(workspace.caption, workspace.lang, workspace.parser)
