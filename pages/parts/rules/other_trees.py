"""Parser errors that may explain a missing tuple: other trees under which the rules relate the words."""

from __future__ import annotations

from html import escape

import streamlit as st

from pages.parts.kit import html, rule_texts
from pages.parts.kit.texts import interface_language, join_items, t, text_catalogue
from pages.parts.rules import rule_workspace, tree, wording
from pages.parts.rules.rule_workspace import STATE_KEY, Workspace
from spice_core.errors import SpiceError
from spice_core.syntax.document import Document, Token
from spice_core.workbench.blame import OtherTree, WordChange, find_relating_trees

MAX_SHOWN_TREES = 3


def show_other_trees(workspace: Workspace, words: tuple[Token, Token]) -> None:
    """Describe other trees on which the rules relate the words, and name unavailable parsers.

    For each tree, show the decisive change, the tuples, and a button that makes it the tree of the caption.
    """
    other_trees, absent_parsers = _other_parses(workspace)
    likely_trees = () if workspace.corrections else rule_workspace.runners_up(workspace.caption, workspace.lang, workspace.parser)
    trees = find_relating_trees(
        workspace.pack, workspace.rules, workspace.caption_document, words, parsers=other_trees, runners_up=likely_trees
    )
    if trees:
        html.show_heading(t("blame.title"))
        html.show_note(t("blame.hint"))
        for tree_number, other_tree in enumerate(_distinct_trees(workspace, trees)):
            _show_tree(workspace, other_tree, tree_number)
    if absent_parsers:
        html.show_note(t("why.absent", names=join_items(absent_parsers)))


def _other_parses(workspace: Workspace) -> tuple[dict[str, Document], list[str]]:
    """Return the trees of the caption by the other parsers, and the names of parsers that are not available."""
    documents, absent_parsers = {}, []
    for name in rule_workspace.available_parsers(workspace.pack):
        if name != workspace.parser:
            try:
                documents[name] = rule_workspace.parse_caption(workspace.caption, workspace.lang, name)
            except (SpiceError, OSError):
                absent_parsers.append(name)
    return documents, absent_parsers


def _distinct_trees(workspace: Workspace, trees: tuple[OtherTree, ...]) -> list[OtherTree]:
    """Return the first ``MAX_SHOWN_TREES`` trees, without trees whose explanation and tuples equal those of an earlier tree."""
    tree_by_effect: dict[object, OtherTree] = {}
    for other_tree in trees:
        tree_by_effect.setdefault((_describe_change(workspace, other_tree), tuple(p.words for p in other_tree.propositions)), other_tree)
    return list(tree_by_effect.values())[:MAX_SHOWN_TREES]


def _show_tree(workspace: Workspace, other_tree: OtherTree, tree_number: int) -> None:
    sentence = _describe_change(workspace, other_tree)
    more_changes = t("blame.more", number=len(other_tree.changes) - 1) if len(other_tree.changes) > 1 else ""
    source = t(f"blame.{other_tree.source.value}", parser=other_tree.parser)
    st.html(
        f'<div class="sc-say" role="status"><p>{escape(sentence + more_changes)}</p>{wording.proposition_list(other_tree.propositions)}'
        f'<small class="sc-muted">{escape(source)}</small></div>'
    )
    st.button(t("blame.take"), key=f"{STATE_KEY}.take.{tree_number}", on_click=tree.use_tree, args=(workspace, other_tree.document))


def _describe_change(workspace: Workspace, other_tree: OtherTree) -> str:
    """Describe the decisive change and the rules that then fire."""
    rules = join_items(dict.fromkeys(rule_texts.display_name(p.rule) for p in other_tree.propositions))
    change = other_tree.main_change
    if change is None:
        return t("blame.other_words", parser=other_tree.parser, rules=rules)
    value_before, value_after = _changed_values(workspace, change)
    return t(f"blame.{change.field}", word=change.after.text, before=value_before, after=value_after, rules=rules)


def _changed_values(workspace: Workspace, change: WordChange) -> tuple[str, str]:
    """Return the values before and after the change."""
    if change.field == "tag":
        return _tag_label(change.before.tag), _tag_label(change.after.tag)
    if change.field == "relation":
        return change.relations
    tokens = next(s.tokens for s in workspace.caption_document.sentences if change.before in s.tokens)
    names = (tokens[head - 1].text if head else t("blame.root") for head in change.heads)
    return next(names), next(names)


def _tag_label(tag: str) -> str:
    """Return a tag with its name, or only the tag if it has no name."""
    tag_names = text_catalogue(interface_language())["tags"]
    name = next((t(f"tags.{part}") for part in (tag, tag[:2]) if part in tag_names), "")
    return t("blame.named_tag", name=name, tag=tag) if name else tag
