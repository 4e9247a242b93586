"""Why there is no tuple: two or three words of the caption, chosen by clicks, and what stopped the rules that could relate them."""

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

MOST = 6  # rules shown at once


def show(work: Workspace) -> None:
    """The choice of two or three words, and the answer."""
    sentences = [sentence.tokens for sentence in work.document.sentences]
    if sum(map(len, sentences)) < 2:
        html.note(t("trace.nothing"))
        return
    sentence, words = word_choice.of_caption(work, sentences)
    graph = DependencyGraph.of(work.pack.enhance(work.document, work.rules.steps).sentences[sentence])
    _choose(work, sentences, graph)
    if len(words) > 1:
        answer = explain_words(work.pack, work.rules, work.document, (words[0], words[-1]), sentence=sentence, off=work.draft.silent)
        _say(work, answer, graph, proposals.Marked(_sentence(work, sentence), sentence, graph, words))
    proposals.prepare(work)


def _sentence(work: Workspace, number: int) -> str:
    """The text of a sentence of the caption."""
    return work.document.sentence_texts[number] if len(work.document.sentences) > 1 else work.caption


def _choose(work: Workspace, sentences: Sequence[Sequence[Token]], graph: DependencyGraph) -> None:
    """The caption and the tree of a sentence, of which words are chosen."""
    at = word_choice.of_caption(work, sentences)
    title = t("trace.enhanced") if len(sentences) == 1 else t("choose.tree", tree=t("trace.enhanced"), number=at.sentence + 1)
    between = [e for e in graph.edges if e.head in at.words and e.dependent in at.words]
    tree = component.Tree(at.sentence, title, trees.svg(graph, marked=between, lang=work.lang))
    component.words(sentences, tree, chosen=str(at), lang=work.lang, ask=partial(_show_reason, work), key=f"{KEY}.choose")


def _show_reason(work: Workspace, asked: object) -> None:
    """Keep the words that a browser sent."""
    if words := word_choice.read(asked):
        word_choice.keep(work, words)


def _say(work: Workspace, answer: WordsExplanation, graph: DependencyGraph, marked: proposals.Marked) -> None:
    first, last = (graph.token(marked.words[at]) for at in (0, -1))
    a, b = first.text, last.text
    if answer.made:
        html.heading(t("why.made", a=a, b=b))
        st.html(wording.proposition_list(answer.made))
        proposals.exclude(work, marked, answer.made)
    else:
        html.heading(t("why.none", a=a, b=b))
    for rule in dict.fromkeys(p.rule for p in answer.off):
        _switched_off(work, answer, rule)
    if not answer.made and not answer.off:
        wrong_tuples.show(work, (first, last))
    proposals.show(work, marked)
    if answer.stopped:
        html.heading(t("why.nearest"))
        heads = [t(f"trace.{name}") for name in ("rule", "held", "failed")]
        rows = [
            [f"<b>{escape(rule_texts.name(s.rule.name))}</b><br><small>{escape(rule_texts.reason(s.rule))}</small>",
             t("trace.of", satisfied=s.failure.satisfied, total=s.conditions), wording.failure_html(s.failure)]
            for s in answer.stopped[:MOST]
        ]  # fmt: skip
        st.html(wording.table(heads, rows))


def _switched_off(work: Workspace, answer: WordsExplanation, rule: str) -> None:
    """A disabled rule that would relate the words, with a button that enables it."""
    found = [p for p in answer.off if p.rule == rule]
    st.html(
        f'<div class="sc-say sc-problem" role="status"><p>{escape(t("why.off", rule=rule_texts.name(rule)))}</p>{wording.proposition_list(found)}</div>'
    )
    draft = replace(work.draft, off=work.draft.off - {rule})
    st.button(
        t("why.on", rule=html.plain(rule_texts.name(rule))),
        key=f"{KEY}.on.{rule}",
        on_click=workspace.keep,
        args=(work, draft),
        type="primary",
    )
