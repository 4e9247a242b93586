"""The labels, tags and attributes that patterns may name, for reference while the visitor writes a rule."""

from __future__ import annotations

from html import escape

import streamlit as st

from pages.parts.kit import choice, html
from pages.parts.kit.texts import join_items, t
from pages.parts.rules import wording, workspace
from pages.parts.rules.workspace import STATE_KEY, Workspace
from spice_core.rules.conditions import TOKEN_ATTRIBUTES
from spice_core.rules.pattern import RELATION_ATTRIBUTE
from spice_core.workbench.vocabulary import TAG_ATTRIBUTE, find_first_use


def show_labels(work: Workspace) -> None:
    """Show a list that the visitor can filter by typing; for the chosen name, show its notation and a caption that has it."""
    vocabulary = workspace.known_labels(work)
    options = [(attribute, name) for attribute in (RELATION_ATTRIBUTE, TAG_ATTRIBUTE) for name in vocabulary.known(attribute)]
    titles = {(a, name): t(f"edit.name_{a}", name=name, number=vocabulary.known(a)[name]) for a, name in options}
    html.show_heading(t("edit.names"))
    html.show_note(t("edit.names_help", labels=len(vocabulary.labels), tags=len(vocabulary.tags), attributes=join_items(TOKEN_ATTRIBUTES)))
    label = t("edit.name")
    chosen = choice.selectbox(label, titles, index=None, key=f"{STATE_KEY}.name.{work.lang}", placeholder=label)
    if chosen:
        attribute, name = chosen
        st.code(f">{name}" if attribute == RELATION_ATTRIBUTE else f"{{tag:{name}}}", language=None)
        _show_first_use(work, attribute, name)


def _show_first_use(work: Workspace, attribute: str, name: str) -> None:
    """Show the first caption that has a label or a tag, with its words marked."""
    for kind in workspace.caption_kinds(work.lang):
        use = find_first_use(workspace.parsed_corpus(work.lang, work.parser, kind).enhanced(work.rules.steps), attribute, name)
        if use:
            sentence, words = use
            arcs = (
                [edge for edge in sentence.edges if edge.relation == name and edge.dependent in words]
                if attribute == RELATION_ATTRIBUTE
                else []
            )
            st.html(
                f'<p class="sc-used">{wording.sentence_html(sentence.tokens, words)}</p>'
                + "".join(wording.edge_html(e, sentence.tokens) for e in arcs)
            )
            return
    html.show_note(t("edit.name_unused", name=escape(name)))
