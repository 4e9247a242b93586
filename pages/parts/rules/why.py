"""A caption with its tree, fired rules and tuples, and an explanation of why the chosen words do or do not form a tuple."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from html import escape

import streamlit as st

from pages.parts.kit import html, rule_texts
from pages.parts.kit.texts import join_items, t
from pages.parts.rules import edit, other_trees, proposals, rule_workspace, word_choice, wording
from pages.parts.rules.rule_workspace import STATE_KEY, Workspace
from pages.parts.views import component, trees
from spice_core.rules import text_positions
from spice_core.scene.propositions import KIND_BY_LENGTH, Proposition
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Token
from spice_core.workbench.trace import trace_sentences
from spice_core.workbench.why import WordsExplanation, explain_words

MAX_RULES = 6  # maximum number of rules shown


def show_why(workspace: Workspace) -> None:
    """Show the caption, its tree and the tuples of the rules that fired, and below them the explanation for the chosen words."""
    sentences = [sentence.tokens for sentence in workspace.document.sentences]
    if not sum(map(len, sentences)):
        html.show_note(t("trace.nothing"))
        return
    chosen_words = word_choice.chosen_words(workspace, sentences)
    sentence, words = chosen_words
    graph = DependencyGraph.from_sentence(workspace.pack.enhance(workspace.document, workspace.rules.steps).sentences[sentence])
    left, right = st.columns([3, 2], gap="medium")
    with left:
        _show_choice(workspace, sentences, graph, chosen_words)
    with right:
        _show_fired_rules(workspace, chosen_words)
    if words:
        _show_answer(
            workspace,
            _explain_words(workspace, sentence, words),
            graph,
            proposals.MarkedWords(_sentence_text(workspace, sentence), sentence, graph, words),
        )
    proposals.prepare_captions(workspace)


def _explain_words(workspace: Workspace, sentence: int, words: tuple[int, ...]) -> WordsExplanation:
    """Explain why rules relate the first and the last word, or why no rule does.

    For a single word, the explanation contains only the propositions that consist of this word.
    """
    if len(words) > 1:
        end_words = (words[0], words[-1])
        return explain_words(
            workspace.pack, workspace.rules, workspace.document, end_words, sentence=sentence, disabled_rules=workspace.draft.disabled_rules
        )
    propositions = [p for p in workspace.parse(workspace.caption).propositions if p.sentence == sentence and _word_indices(p) == words]
    return WordsExplanation(tuple(propositions), (), (), {})


def _show_fired_rules(workspace: Workspace, chosen_words: word_choice.ChosenWords) -> None:
    """Show each rule that fired with its tuple. A click chooses the words of the tuple."""
    rows: dict[object, component.FiredRule] = {}
    for sentence_index, sentence_trace in enumerate(trace_sentences(workspace.pack, workspace.rules, workspace.caption_document.sentences)):
        for rule, firing in ((rule_trace.rule, firing) for rule_trace in sentence_trace.rules for firing in rule_trace.firings):
            words = firing.proposition.words
            bound_words = join_items(value if isinstance(value, str) else value.text for value in firing.bindings.values())
            description = f"{rule_texts.reason_text(rule)} {t('why.matched', words=bound_words)}"
            id_ = str(word_choice.ChosenWords(sentence_index, _word_indices(firing.proposition)))
            row = component.FiredRule(
                id_, words, KIND_BY_LENGTH[len(words)], rule_texts.display_name(rule.name), description, id_ == str(chosen_words)
            )
            rows.setdefault((id_, words, rule.name), row)
    html.show_heading(t("why.fired", number=len(rows)))
    ask = lambda id_: _store_words(workspace, id_)
    component.show_fired_rules(t("why.fired", number=len(rows)), list(rows.values()), on_choice=ask, key=f"{STATE_KEY}.fired")


def _word_indices(proposition: Proposition) -> tuple[int, ...]:
    """Return at most three word indices of a proposition, one for each element with a word."""
    parts = [part for part in proposition.tokens if part]
    return tuple(dict.fromkeys(part[0 if 0 < position < len(parts) - 1 else -1].index for position, part in enumerate(parts)))[:3]


def _sentence_text(workspace: Workspace, sentence_index: int) -> str:
    """Return the text of a sentence of the caption."""
    return workspace.document.sentence_texts[sentence_index] if len(workspace.document.sentences) > 1 else workspace.caption


def _show_choice(
    workspace: Workspace, sentences: Sequence[Sequence[Token]], graph: DependencyGraph, chosen_words: word_choice.ChosenWords
) -> None:
    """Show the caption and the tree of a sentence. The visitor can click words in either."""
    title = t("trace.enhanced") if len(sentences) == 1 else t("choose.tree", tree=t("trace.enhanced"), number=chosen_words.sentence + 1)
    inner_edges = [e for e in graph.edges if e.head in chosen_words.words and e.dependent in chosen_words.words]
    tree = component.SentenceTree(chosen_words.sentence, title, trees.tree_svg(graph, marked_edges=inner_edges, lang=workspace.lang))
    component.show_words(
        sentences,
        tree,
        chosen_text=str(chosen_words),
        lang=workspace.lang,
        on_choice=partial(_store_words, workspace),
        key=f"{STATE_KEY}.choose",
    )


def _store_words(workspace: Workspace, words_text: object) -> None:
    """Store the words that the browser sent, if they are valid."""
    if words := word_choice.parse_words(words_text):
        word_choice.store_words(workspace, words)


def _show_answer(workspace: Workspace, answer: WordsExplanation, graph: DependencyGraph, marked_words: proposals.MarkedWords) -> None:
    first_word, last_word = (graph.token(marked_words.words[position]) for position in (0, -1))
    first_text, last_text, has_many_words = first_word.text, last_word.text, len(marked_words.words) > 1
    if answer.propositions:
        html.show_heading(t("why.made", a=first_text, b=last_text) if has_many_words else t("why.made_alone", a=first_text))
        st.html(wording.proposition_list(answer.propositions))
        _show_corrections(workspace, answer)
        proposals.show_exclusions(workspace, marked_words, answer.propositions)
    else:
        html.show_heading(t("why.none", a=first_text, b=last_text) if has_many_words else t("why.none_alone", a=first_text))
    for rule in dict.fromkeys(p.rule for p in answer.propositions_of_disabled_rules):
        _show_disabled_rule(workspace, answer, rule)
    if not answer.propositions and not answer.propositions_of_disabled_rules and has_many_words:
        other_trees.show_other_trees(workspace, (first_word, last_word))
    if has_many_words:
        proposals.show_proposals(workspace, marked_words)
    if answer.stopped_rules:
        html.show_heading(t("why.nearest"))
        headers = [t(f"trace.{name}") for name in ("rule", "held", "failed")]
        rows = [
            [f"<b>{escape(rule_texts.display_name(s.rule.name))}</b><br><small>{escape(rule_texts.reason_text(s.rule))}</small>",
             t("trace.of", satisfied=s.failure.satisfied_count, total=s.condition_count), wording.failure_html(s.failure)]
            for s in answer.stopped_rules[:MAX_RULES]
        ]  # fmt: skip
        st.html(wording.table_html(headers, rows, stacks_on_phones=True))


def _show_corrections(workspace: Workspace, answer: WordsExplanation) -> None:
    """Show the reasons of the rules that yield the tuples, and buttons that open the tree or one of these rules for correction."""
    names = [rule.name for rule in workspace.draft.all_rules.rules]
    rule_names = dict.fromkeys(p.rule for p in answer.propositions)
    for rule in workspace.rules.rules:
        if rule.name in rule_names:
            html.show_note(rule_texts.reason_text(rule))
    with st.container(horizontal=True, gap="small"):
        open_tree = partial(st.session_state.__setitem__, f"{STATE_KEY}.section", "tree")
        st.button(t("why.tree"), key=f"{STATE_KEY}.why.tree", on_click=open_tree)
        for name in filter(names.__contains__, rule_names):
            rule_index, label = names.index(name), t("why.edit", rule=html.escape_markdown(rule_texts.display_name(name)))
            text = text_positions.rule_source(workspace.draft.text, rule_index)
            st.button(label, key=f"{STATE_KEY}.why.edit.{name}", on_click=edit.open_editor, args=(workspace, rule_index, text))


def _show_disabled_rule(workspace: Workspace, answer: WordsExplanation, rule: str) -> None:
    """Show a disabled rule that would relate the words, and a button that enables it."""
    propositions = [p for p in answer.propositions_of_disabled_rules if p.rule == rule]
    st.html(
        f'<div class="sc-say sc-problem" role="status"><p>{escape(t("why.off", rule=rule_texts.display_name(rule)))}</p>{wording.proposition_list(propositions)}</div>'
    )
    draft = replace(workspace.draft, disabled_names=workspace.draft.disabled_names - {rule})
    st.button(
        t("why.on", rule=html.escape_markdown(rule_texts.display_name(rule))),
        key=f"{STATE_KEY}.on.{rule}",
        on_click=rule_workspace.activate_draft,
        args=(workspace, draft),
        type="primary",
    )
