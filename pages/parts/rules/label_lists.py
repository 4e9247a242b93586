"""A reference list of the labels, tags and attributes that patterns can use."""

from __future__ import annotations

from html import escape

import streamlit as st

from pages.parts.kit import choice, html
from pages.parts.kit.texts import join_items, t
from pages.parts.rules import rule_workspace, wording
from pages.parts.rules.rule_workspace import STATE_KEY, Workspace
from spice_core.rules.conditions import TOKEN_ATTRIBUTES
from spice_core.rules.pattern import RELATION_ATTRIBUTE
from spice_core.workbench.vocabulary import TAG_ATTRIBUTE, find_first_use


def show_labels(workspace: Workspace) -> None:
    """Show a searchable list of labels and tags.

    For the chosen label or tag, show how a pattern tests it, and a sentence that contains it.
    """
    vocabulary = rule_workspace.known_labels(workspace)
    options = [(attribute, name) for attribute in (RELATION_ATTRIBUTE, TAG_ATTRIBUTE) for name in vocabulary.counts_of(attribute)]
    titles = {(a, name): t(f"edit.name_{a}", name=name, number=vocabulary.counts_of(a)[name]) for a, name in options}
    html.show_heading(t("edit.names"))
    html.show_note(t("edit.names_help", labels=len(vocabulary.labels), tags=len(vocabulary.tags), attributes=join_items(TOKEN_ATTRIBUTES)))
    label = t("edit.name")
    chosen_name = choice.selectbox(label, titles, index=None, key=f"{STATE_KEY}.name.{workspace.lang}", placeholder=label)
    if chosen_name:
        attribute, name = chosen_name
        st.code(f">{name}" if attribute == RELATION_ATTRIBUTE else f"{{tag:{name}}}", language=None)
        _show_first_use(workspace, attribute, name)


def _show_first_use(workspace: Workspace, attribute: str, name: str) -> None:
    """Show the first sentence with a label or tag. Mark the word with the tag, or the two words of the edge with the label."""
    for caption_set in rule_workspace.bundled_caption_sets(workspace.lang):
        use = find_first_use(
            rule_workspace.parsed_corpus(workspace.lang, workspace.parser, caption_set).enhanced_documents(workspace.rules.steps),
            attribute,
            name,
        )
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
