"""The corrected tree of the caption in the URL, packed as the rows that differ from the parser's tree."""

from __future__ import annotations

import zlib
from typing import Any

import streamlit as st

from pages.parts.kit import messages, url
from pages.parts.kit.texts import error_text, t
from pages.parts.rules import tree, workspace
from pages.parts.rules.workspace import STATE_KEY, Workspace
from pages.parts.state import links
from spice_core.errors import InputError
from spice_core.syntax.document import Document
from spice_core.syntax.tree_edit import TreeLabels, TreeRow, apply_rows, replace_sentence, tree_rows

TREE_PARAM = "tree"
TREE_READ_KEY = f"{STATE_KEY}.tree.begun"


def apply_link_tree(work: Workspace) -> None:
    """Apply the tree in the URL at the first visit; report a tree that cannot be opened."""
    if TREE_READ_KEY in st.session_state:
        return
    st.session_state[TREE_READ_KEY] = True
    if token := st.query_params.get(TREE_PARAM, ""):
        try:
            workspace.store_corrections(work, (unpack_tree(token, _parser_tree(work), tree.tree_labels(work)),))
        except InputError as error:
            messages.show_messages([t("tree.link_unopened", error=error_text(error))], kind="problem")


def follow_tree(work: Workspace) -> None:
    """Store the corrected tree in the URL; tell the visitor if no link can hold it."""
    token = pack_tree(work.parsed, _parser_tree(work), tree.tree_labels(work)) if work.corrections else ""
    url.set_param(TREE_PARAM, token or "")
    if token is None:
        messages.show_messages([t("tree.no_link")])


def pack_tree(now: Document, before: Document, labels: TreeLabels) -> str | None:
    """Return a corrected tree as text for a URL: "" for the parser's tree, None if no link can hold it."""
    if now == before:
        return ""
    pairs = list(enumerate(zip(before.sentences, now.sentences)))
    changed = {n: {i: new for i, (old, new) in enumerate(zip(tree_rows(a), tree_rows(b))) if old != new} for n, (a, b) in pairs}
    token = links.pack_json({n: changed_rows for n, changed_rows in changed.items() if changed_rows})
    try:
        return token if unpack_tree(token, before, labels) == now else None
    except InputError:
        return None


def unpack_tree(token: str, before: Document, labels: TreeLabels) -> Document:
    """Return the parser's tree with the corrections of a packed text. Raises InputError if the text is invalid."""
    document = before
    for number, changed_rows in _read_content(token).items():
        if not 0 <= number < len(before.sentences):
            raise _link_error(token)
        sentence = before.sentences[number]
        table = list(tree_rows(sentence))
        if not all(0 <= i < len(table) for i in changed_rows):
            raise _link_error(token)
        changed = [changed_rows.get(i, row) for i, row in enumerate(table)]
        document = replace_sentence(document, number, apply_rows(sentence, changed, labels))
    return document


def _read_content(token: str) -> dict[int, dict[int, TreeRow]]:
    """Return the rows of a packed text by sentence and word, both from 0. Raises InputError if the text is invalid."""
    try:
        content: Any = links.unpack_json(token)
        return {int(n): {int(i): _read_row(*row) for i, row in rows_.items()} for n, rows_ in content.items()}
    except (InputError, ValueError, TypeError, AttributeError, zlib.error, RecursionError):
        raise _link_error(token) from None


def _read_row(lemma: str, tag: str, head: int, relation: str) -> TreeRow:
    """Return a row of valid types. Raises ValueError if a type is invalid or a text has an unpaired surrogate."""
    if type(head) is not int or not all(isinstance(text, str) and text.encode() for text in (lemma, tag, relation)):
        raise ValueError("no row")
    return TreeRow(lemma, tag, head, relation)


def _link_error(token: str) -> InputError:
    return InputError("link", url.quote_value(token, 24), t("tree.link_expected"))


def _parser_tree(work: Workspace) -> Document:
    return workspace.parse_caption(work.caption, work.lang, work.parser)
