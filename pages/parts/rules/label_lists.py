"""The labels, tags and attributes that patterns may name, to be looked up while a rule is written."""

from __future__ import annotations

from html import escape

import streamlit as st

from pages.parts.kit import choice, html
from pages.parts.kit.texts import t
from pages.parts.rules import wording, workspace
from pages.parts.rules.workspace import KEY, Workspace
from spice_core.rules.conditions import ATTRIBUTES
from spice_core.rules.pattern import RELATION
from spice_core.workbench.vocabulary import TAG, first_use


def show(work: Workspace) -> None:
    """A list that is narrowed by typing; of the chosen name how it is written and a caption that has it."""
    known = workspace.known_labels(work)
    options = [(attribute, name) for attribute in (RELATION, TAG) for name in known.known(attribute)]
    titles = {(a, name): t(f"edit.name_{a}", name=name, number=known.known(a)[name]) for a, name in options}
    html.heading(t("edit.names"))
    html.note(t("edit.names_help", labels=len(known.labels), tags=len(known.tags), attributes=t("trace.comma").join(ATTRIBUTES)))
    label = t("edit.name")
    chosen = choice.in_list(label, titles, index=None, key=f"{KEY}.name.{work.lang}", placeholder=label)
    if chosen:
        attribute, name = chosen
        st.code(f">{name}" if attribute == RELATION else f"{{tag:{name}}}", language=None)
        _first_use(work, attribute, name)


def _first_use(work: Workspace, attribute: str, name: str) -> None:
    """The first caption that has a label or a tag, with its words marked."""
    for kind in workspace.kinds(work.lang):
        use = first_use(workspace.corpus(work.lang, work.parser, kind).enhanced(work.rules.steps), attribute, name)
        if use:
            sentence, words = use
            arcs = [edge for edge in sentence.edges if edge.relation == name and edge.dependent in words] if attribute == RELATION else []
            st.html(
                f'<p class="sc-used">{wording.mark_sentence(sentence.tokens, words)}</p>'
                + "".join(wording.edge_text(e, sentence.tokens) for e in arcs)
            )
            return
    html.note(t("edit.name_unused", name=escape(name)))
