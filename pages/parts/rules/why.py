"""A caption with its tree, fired rules and tuples, and an explanation of why the chosen words do or do not form a tuple.

Parser errors may explain a missing tuple, so the explanation includes other trees under which the rules relate the words.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from html import escape

import streamlit as st

from pages.parts.kit import html, texts
from pages.parts.kit.texts import interface_language, join_items, t, text_catalogue
from pages.parts.rules import edit, proposals, rule_workspace, word_choice, wording
from pages.parts.rules.rule_workspace import Workspace
from pages.parts.views import component, graphs
from spice_core.errors import SpiceError
from spice_core.rules import text_positions
from spice_core.scene.propositions import KIND_BY_LENGTH, Proposition
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Document, Token
from spice_core.workbench.blame import OtherTree, WordChange, find_relating_trees
from spice_core.workbench.trace import trace_sentences
from spice_core.workbench.why import WordsExplanation, explain_words, relates_words

MAX_SHOWN_RULES = 6


def show_why(workspace: Workspace) -> None:
    """Show the caption, its tree and fired rules, and the explanation for the chosen words."""
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
        text = workspace.document.sentence_texts[sentence] if len(sentences) > 1 else workspace.caption
        marked_words = proposals.MarkedWords(text, sentence, graph, words)
        _show_answer(workspace, _explain_words(workspace, sentence, words), graph, marked_words)
    proposals.prepare_captions(workspace)


def _explain_words(workspace: Workspace, sentence: int, words: tuple[int, ...]) -> WordsExplanation:
    """Explain why rules relate the first and the last word, or why none does.

    For a single word, the explanation contains only the propositions that consist of this word.
    """
    if len(words) > 1:
        end_words = (words[0], words[-1])
        return explain_words(
            workspace.pack, workspace.rules, workspace.document, end_words, sentence=sentence, disabled_rules=workspace.draft.disabled_rules
        )
    propositions = [p for p in workspace.parse(workspace.caption).propositions if p.sentence == sentence and _word_indices(p) == words]
    return WordsExplanation(tuple(propositions))


def _show_fired_rules(workspace: Workspace, chosen_words: word_choice.ChosenWords) -> None:
    """Show each rule that fired with its tuple. A click chooses the words of the tuple."""
    rows: dict[object, component.FiredRule] = {}
    for sentence_index, sentence_trace in enumerate(trace_sentences(workspace.pack, workspace.rules, workspace.caption_document.sentences)):
        for rule, firing in ((rule_trace.rule, firing) for rule_trace in sentence_trace.rules for firing in rule_trace.firings):
            words = firing.proposition.words
            bound_words = join_items(value if isinstance(value, str) else value.text for value in firing.bindings.values())
            description = f"{texts.reason_text(rule)} {t('why.matched', words=bound_words)}"
            id_ = str(word_choice.ChosenWords(sentence_index, _word_indices(firing.proposition)))
            row = component.FiredRule(
                id_, words, KIND_BY_LENGTH[len(words)], texts.display_name(rule.name), description, id_ == str(chosen_words)
            )
            rows.setdefault((id_, words, rule.name), row)
    html.show_heading(t("why.fired", number=len(rows)))
    ask = lambda id_: _store_words(workspace, id_)
    component.show_fired_rules(t("why.fired", number=len(rows)), list(rows.values()), on_choice=ask, key="rules.fired")


def _word_indices(proposition: Proposition) -> tuple[int, ...]:
    """Return up to three word indices of a proposition, one per element with a word."""
    parts = [part for part in proposition.tokens if part]
    return tuple(dict.fromkeys(part[0 if 0 < position < len(parts) - 1 else -1].index for position, part in enumerate(parts)))[:3]


def _show_choice(
    workspace: Workspace, sentences: Sequence[Sequence[Token]], graph: DependencyGraph, chosen_words: word_choice.ChosenWords
) -> None:
    """Show the caption and the tree of a sentence. The visitor can click words in either."""
    title = t("trace.enhanced") if len(sentences) == 1 else t("choose.tree", tree=t("trace.enhanced"), number=chosen_words.sentence + 1)
    inner_edges = [e for e in graph.edges if e.head in chosen_words.words and e.dependent in chosen_words.words]
    tree = component.SentenceTree(chosen_words.sentence, title, graphs.tree_svg(graph, highlighted_edges=inner_edges, lang=workspace.lang))
    on_choice = partial(_store_words, workspace)
    component.show_words(sentences, tree, chosen_text=str(chosen_words), lang=workspace.lang, on_choice=on_choice, key="rules.choose")


def _store_words(workspace: Workspace, words_text: object) -> None:
    """Store the words sent by the browser, if valid."""
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
    is_related = any(relates_words(p, marked_words.words) for p in answer.propositions)
    is_unknown = has_many_words and not answer.propositions and not answer.propositions_of_disabled_rules
    is_parse_to_blame = is_unknown and show_other_trees(workspace, (first_word, last_word))
    if has_many_words and not is_related and not is_parse_to_blame:
        proposals.show_proposals(workspace, marked_words)
    if answer.stopped_rules:
        html.show_heading(t("why.nearest"))
        headers = [t(f"trace.{name}") for name in ("rule", "held", "failed")]
        rows = [
            [wording.rule_html(rule), t("trace.of", satisfied=failure.satisfied_count, total=len(rule.pattern.conditions)),
             wording.failure_html(failure)]
            for rule, failure in answer.stopped_rules[:MAX_SHOWN_RULES]
        ]  # fmt: skip
        st.html(wording.table_html(headers, rows, stacks_on_phones=True))


def _show_corrections(workspace: Workspace, answer: WordsExplanation) -> None:
    """Show the reasons of the rules that yield the tuples, and buttons to correct the tree or a rule."""
    names = [rule.name for rule in workspace.draft.all_rules.rules]
    rule_names = dict.fromkeys(p.rule for p in answer.propositions)
    for rule in workspace.rules.rules:
        if rule.name in rule_names:
            html.show_note(texts.reason_text(rule))
    with st.container(horizontal=True, gap="small"):
        open_tree = partial(st.session_state.__setitem__, "rules.section", "tree")
        st.button(t("why.tree"), key="rules.why.tree", on_click=open_tree)
        for name in filter(names.__contains__, rule_names):
            rule_index, label = names.index(name), t("why.edit", rule=html.escape_markdown(texts.display_name(name)))
            text = text_positions.rule_source(workspace.draft.text, rule_index)
            st.button(label, key=f"rules.why.edit.{name}", on_click=edit.open_editor, args=(workspace, rule_index, text))


def _show_disabled_rule(workspace: Workspace, answer: WordsExplanation, rule: str) -> None:
    """Show a disabled rule that would relate the words, and a button to enable it."""
    propositions = [p for p in answer.propositions_of_disabled_rules if p.rule == rule]
    st.html(
        f'<div class="sc-say sc-problem" role="status"><p>{escape(t("why.off", rule=texts.display_name(rule)))}</p>{wording.proposition_list(propositions)}</div>'
    )
    args = (workspace, replace(workspace.draft, disabled_names=workspace.draft.disabled_names - {rule}))
    label = t("why.on", rule=html.escape_markdown(texts.display_name(rule)))
    st.button(label, key=f"rules.on.{rule}", on_click=rule_workspace.activate_draft, args=args, type="primary")


MAX_SHOWN_TREES = 3


def show_other_trees(workspace: Workspace, words: tuple[Token, Token]) -> bool:
    """Describe other trees on which the rules relate the words, and name unavailable parsers. Return whether any exist.

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
        for tree_number, other_tree in enumerate(_select_distinct_trees(workspace, trees)):
            _show_tree(workspace, other_tree, tree_number)
    if absent_parsers:
        html.show_note(t("why.absent", names=join_items(absent_parsers)))
    return bool(trees)


def _other_parses(workspace: Workspace) -> tuple[dict[str, Document], list[str]]:
    """Return the trees of the caption by the other parsers, and the names of unavailable parsers."""
    documents, absent_parsers = {}, []
    for name in rule_workspace.available_parsers(workspace.pack):
        if name != workspace.parser:
            try:
                documents[name] = rule_workspace.parse_caption(workspace.caption, workspace.lang, name)
            except (SpiceError, OSError):
                absent_parsers.append(name)
    return documents, absent_parsers


def _select_distinct_trees(workspace: Workspace, trees: tuple[OtherTree, ...]) -> list[OtherTree]:
    """Return the first ``MAX_SHOWN_TREES`` trees that differ in explanation or tuples."""
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
    st.button(
        t("blame.take"), key=f"rules.take.{tree_number}", on_click=rule_workspace.add_correction, args=(workspace, other_tree.document)
    )


def _describe_change(workspace: Workspace, other_tree: OtherTree) -> str:
    """Describe the decisive change and the rules that then fire."""
    rules = join_items(dict.fromkeys(texts.display_name(p.rule) for p in other_tree.propositions))
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
    """Return a tag with its name, if any."""
    tag_names = text_catalogue(interface_language())["tags"]
    name = next((t(f"tags.{part}") for part in (tag, tag[:2]) if part in tag_names), "")
    return t("blame.named_tag", name=name, tag=tag) if name else tag
