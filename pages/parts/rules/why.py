"""Explanation of a missing tuple: for two or three words that the visitor chooses, the conditions that stopped the rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from html import escape

import streamlit as st

from pages.parts.kit import html, rule_texts
from pages.parts.kit.texts import t
from pages.parts.rules import proposals, word_choice, wording, workspace, wrong_tuples
from pages.parts.rules.workspace import KEY, Workspace
from pages.parts.views import component, trees
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Token
from spice_core.workbench.why import WordsExplanation, explain_words

MAX_RULES = 6  # maximum number shown together


def show(work: Workspace) -> None:
    """Show the choice of two or three words, and the answer."""
    sentences = [sentence.tokens for sentence in work.document.sentences]
    if sum(map(len, sentences)) < 2:
        html.show_note(t("trace.nothing"))
        return
    sentence, words = word_choice.chosen_words(work, sentences)
    graph = DependencyGraph.of(work.pack.enhance(work.document, work.rules.steps).sentences[sentence])
    _show_choice(work, sentences, graph)
    if len(words) > 1:
        answer = explain_words(
            work.pack, work.rules, work.document, (words[0], words[-1]), sentence=sentence, off=work.draft.disabled_rules
        )
        _show_answer(work, answer, graph, proposals.Marked(_sentence(work, sentence), sentence, graph, words))
    proposals.prepare(work)


def _sentence(work: Workspace, number: int) -> str:
    """Return the text of a sentence of the caption."""
    return work.document.sentence_texts[number] if len(work.document.sentences) > 1 else work.caption


def _show_choice(work: Workspace, sentences: Sequence[Sequence[Token]], graph: DependencyGraph) -> None:
    """Show the caption and the tree of a sentence, whose words the visitor can click."""
    at = word_choice.chosen_words(work, sentences)
    title = t("trace.enhanced") if len(sentences) == 1 else t("choose.tree", tree=t("trace.enhanced"), number=at.sentence + 1)
    between = [e for e in graph.edges if e.head in at.words and e.dependent in at.words]
    tree = component.Tree(at.sentence, title, trees.svg(graph, marked=between, lang=work.lang))
    component.show_words(sentences, tree, chosen=str(at), lang=work.lang, ask=partial(_store_words, work), key=f"{KEY}.choose")


def _store_words(work: Workspace, words_text: object) -> None:
    """Store the words that a browser sent."""
    if words := word_choice.parse_words(words_text):
        word_choice.store_words(work, words)


def _show_answer(work: Workspace, answer: WordsExplanation, graph: DependencyGraph, marked: proposals.Marked) -> None:
    first, last = (graph.token(marked.words[at]) for at in (0, -1))
    a, b = first.text, last.text
    if answer.made:
        html.show_heading(t("why.made", a=a, b=b))
        st.html(wording.proposition_list(answer.made))
        proposals.show_exclusions(work, marked, answer.made)
    else:
        html.show_heading(t("why.none", a=a, b=b))
    for rule in dict.fromkeys(p.rule for p in answer.off):
        _show_disabled_rule(work, answer, rule)
    if not answer.made and not answer.off:
        wrong_tuples.show(work, (first, last))
    proposals.show(work, marked)
    if answer.stopped:
        html.show_heading(t("why.nearest"))
        heads = [t(f"trace.{name}") for name in ("rule", "held", "failed")]
        rows = [
            [f"<b>{escape(rule_texts.name(s.rule.name))}</b><br><small>{escape(rule_texts.reason(s.rule))}</small>",
             t("trace.of", satisfied=s.failure.satisfied, total=s.conditions), wording.failure_html(s.failure)]
            for s in answer.stopped[:MAX_RULES]
        ]  # fmt: skip
        st.html(wording.table_html(heads, rows))


def _show_disabled_rule(work: Workspace, answer: WordsExplanation, rule: str) -> None:
    """Show a disabled rule that would relate the words, with a button that enables it."""
    propositions = [p for p in answer.off if p.rule == rule]
    st.html(
        f'<div class="sc-say sc-problem" role="status"><p>{escape(t("why.off", rule=rule_texts.name(rule)))}</p>{wording.proposition_list(propositions)}</div>'
    )
    draft = replace(work.draft, off=work.draft.off - {rule})
    st.button(
        t("why.on", rule=html.plain(rule_texts.name(rule))),
        key=f"{KEY}.on.{rule}",
        on_click=workspace.activate_draft,
        args=(work, draft),
        type="primary",
    )
