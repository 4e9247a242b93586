"""What of the parse is to blame for a missing tuple: other trees under which the rules relate two words."""

from __future__ import annotations

from html import escape

import streamlit as st

from pages.parts.kit import html, rule_texts
from pages.parts.kit.texts import catalogue, interface, t
from pages.parts.rules import tree, wording, workspace
from pages.parts.rules.workspace import KEY, Workspace
from spice_core.errors import SpiceError
from spice_core.syntax.document import Document, Token
from spice_core.workbench.blame import Change, OtherTree, blame

MOST = 3  # trees shown at once


def show(work: Workspace, words: tuple[Token, Token]) -> None:
    """The likeliest other trees, each with the change that counts, its tuples and a button that takes it over."""
    others, absent = _other_parses(work)
    likely = () if work.corrections else workspace.runners_up(work.caption, work.lang, work.parser)
    found = blame(work.pack, work.rules, work.parsed, words, parsers=others, runners_up=likely)
    if found:
        html.heading(t("blame.title"))
        html.note(t("blame.hint"))
        for number, other in enumerate(_differences(work, found)):
            _say(work, other, number)
    if absent:
        html.note(t("why.absent", names=", ".join(absent)))


def _other_parses(work: Workspace) -> tuple[dict[str, Document], list[str]]:
    """The caption parsed by other parsers, and the parsers that cannot run."""
    found, absent = {}, []
    for name in workspace.parsers(work.pack):
        if name != work.parser:
            try:
                found[name] = workspace.parse_caption(work.caption, work.lang, name)
            except (SpiceError, OSError):
                absent.append(name)
    return found, absent


def _differences(work: Workspace, found: tuple[OtherTree, ...]) -> list[OtherTree]:
    """The first of the trees, each with another explanation or other tuples."""
    first: dict[object, OtherTree] = {}
    for other in found:
        first.setdefault((_sentence(work, other), tuple(p.words for p in other.made)), other)
    return list(first.values())[:MOST]


def _say(work: Workspace, other: OtherTree, number: int) -> None:
    sentence = _sentence(work, other)
    more = t("blame.more", number=len(other.changes) - 1) if len(other.changes) > 1 else ""
    source = t(f"blame.{other.source.value}", parser=other.parser)
    st.html(
        f'<div class="sc-say" role="status"><p>{escape(sentence + more)}</p>{wording.proposition_list(other.made)}'
        f'<small class="sc-muted">{escape(source)}</small></div>'
    )
    st.button(t("blame.take"), key=f"{KEY}.take.{number}", on_click=tree.take_over, args=(work, other.document))


def _sentence(work: Workspace, other: OtherTree) -> str:
    """The change that counts, and the rules that then fire."""
    rules = t("trace.comma").join(dict.fromkeys(rule_texts.name(p.rule) for p in other.made))
    change = other.first
    if change is None:
        return t("blame.other_words", parser=other.parser, rules=rules)
    before, after = _values(work, change)
    return t(f"blame.{change.field}", word=change.after.text, before=before, after=after, rules=rules)


def _values(work: Workspace, change: Change) -> tuple[str, str]:
    """What differs, before and after."""
    if change.field == "tag":
        return _tag(change.before.tag), _tag(change.after.tag)
    if change.field == "relation":
        return change.relations
    tokens = next(s.tokens for s in work.parsed.sentences if change.before in s.tokens)
    names = (tokens[head - 1].text if head else t("blame.root") for head in change.heads)
    return next(names), next(names)


def _tag(tag: str) -> str:
    """A tag with its name, where it has one."""
    known = catalogue(interface())["tags"]
    name = next((t(f"tags.{part}") for part in (tag, tag[:2]) if part in known), "")
    return t("blame.named_tag", name=name, tag=tag) if name else tag
