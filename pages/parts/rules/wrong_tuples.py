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

MAX_SHOWN_TREES = 3  # maximum number of items shown


def show_other_trees(workspace: Workspace, words: tuple[Token, Token]) -> None:
    """Show the most likely other trees, each with the decisive change, its tuples and a button that applies the tree."""
    others, absent = _other_parses(workspace)
    likely = () if workspace.corrections else rule_workspace.runners_up(workspace.caption, workspace.lang, workspace.parser)
    trees = find_relating_trees(workspace.pack, workspace.rules, workspace.parsed, words, parsers=others, runners_up=likely)
    if trees:
        html.show_heading(t("blame.title"))
        html.show_note(t("blame.hint"))
        for number, other in enumerate(_distinct_trees(workspace, trees)):
            _show_tree(workspace, other, number)
    if absent:
        html.show_note(t("why.absent", names=join_items(absent)))


def _other_parses(workspace: Workspace) -> tuple[dict[str, Document], list[str]]:
    """Return the parses of other parsers, and the names of parsers that are not available."""
    documents, absent = {}, []
    for name in rule_workspace.available_parsers(workspace.pack):
        if name != workspace.parser:
            try:
                documents[name] = rule_workspace.parse_caption(workspace.caption, workspace.lang, name)
            except (SpiceError, OSError):
                absent.append(name)
    return documents, absent


def _distinct_trees(workspace: Workspace, trees: tuple[OtherTree, ...]) -> list[OtherTree]:
    """Return the first trees that differ in their explanation or tuples."""
    first: dict[object, OtherTree] = {}
    for other in trees:
        first.setdefault((_describe_change(workspace, other), tuple(p.words for p in other.propositions)), other)
    return list(first.values())[:MAX_SHOWN_TREES]


def _show_tree(workspace: Workspace, other: OtherTree, number: int) -> None:
    sentence = _describe_change(workspace, other)
    more = t("blame.more", number=len(other.changes) - 1) if len(other.changes) > 1 else ""
    source = t(f"blame.{other.source.value}", parser=other.parser)
    st.html(
        f'<div class="sc-say" role="status"><p>{escape(sentence + more)}</p>{wording.proposition_list(other.propositions)}'
        f'<small class="sc-muted">{escape(source)}</small></div>'
    )
    st.button(t("blame.take"), key=f"{STATE_KEY}.take.{number}", on_click=tree.use_tree, args=(workspace, other.document))


def _describe_change(workspace: Workspace, other: OtherTree) -> str:
    """Describe the decisive change and the rules that then fire."""
    rules = join_items(dict.fromkeys(rule_texts.display_name(p.rule) for p in other.propositions))
    change = other.first
    if change is None:
        return t("blame.other_words", parser=other.parser, rules=rules)
    before, after = _changed_values(workspace, change)
    return t(f"blame.{change.field}", word=change.after.text, before=before, after=after, rules=rules)


def _changed_values(workspace: Workspace, change: WordChange) -> tuple[str, str]:
    """Return the values before and after the change."""
    if change.field == "tag":
        return _tag_label(change.before.tag), _tag_label(change.after.tag)
    if change.field == "relation":
        return change.relations
    tokens = next(s.tokens for s in workspace.parsed.sentences if change.before in s.tokens)
    names = (tokens[head - 1].text if head else t("blame.root") for head in change.heads)
    return next(names), next(names)


def _tag_label(tag: str) -> str:
    """Return a tag with its name, if it has one."""
    tag_names = text_catalogue(interface_language())["tags"]
    name = next((t(f"tags.{part}") for part in (tag, tag[:2]) if part in tag_names), "")
    return t("blame.named_tag", name=name, tag=tag) if name else tag
