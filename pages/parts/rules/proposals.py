"""Proposed rules for words without a tuple, and proposed conditions that exclude a wrong tuple. A click opens a proposal in the editor."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from html import escape
from time import thread_time

import streamlit as st

from pages.parts.kit import html, texts
from pages.parts.kit.html import signed_change
from pages.parts.kit.texts import error_text, join_items, t
from pages.parts.rules import edit, results, rule_workspace, wording
from pages.parts.rules.rule_workspace import Workspace
from pages.parts.rules.state import rules_state
from spice_core.errors import SpiceError
from spice_core.rules.pattern import Pattern
from spice_core.rules.ruleset import Rule
from spice_core.scene.propositions import Proposition, sort_tuples
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.workbench.exclusions import Exclusion, find_exclusions
from spice_core.workbench.judged_captions import CaptionSentence, IndexedCaptions, JudgedCaptions, RuleFiring, RuleVerdict
from spice_core.workbench.rule_induction import TargetWords
from spice_core.workbench.rule_proposals import SEARCH_TIMEOUT_S, RuleProposal, RuleProposer, complete_rule, make_example, write_rule_text
from spice_core.workbench.sketch import make_sketch
from spice_core.workbench.why import relates_words

MAX_PROPOSALS, MAX_EXCLUSIONS, MAX_TUPLES = 6, 8, 12  # maximum numbers of proposals, conditions and tuples shown


@dataclass(frozen=True)
class MarkedWords:
    """The words chosen by the visitor, with their sentence."""

    caption: str
    sentence: int
    graph: DependencyGraph
    words: tuple[int, ...]


def show_proposals(workspace: Workspace, marked_words: MarkedWords) -> None:
    """Show a button that searches for rules for these words, and then the proposals."""
    key = _search_key(workspace, marked_words)
    _show_search("propose", key, t("propose.button"), t("propose.help"), partial(_show_proposals, workspace, marked_words, key))


def show_exclusions(workspace: Workspace, marked_words: MarkedWords, propositions: Sequence[Proposition]) -> None:
    """Show a button for each rule that relates the words. A click shows conditions that would exclude its tuple."""
    for name in dict.fromkeys(p.rule for p in propositions):
        key, label = (name, *_search_key(workspace, marked_words)), t("exclude.button", rule=html.escape_markdown(texts.display_name(name)))
        show = partial(_show_exclusions, workspace, marked_words, name, key)
        _show_search(f"exclude.{name}", key, label, t("exclude.help"), show)


def prepare_captions(workspace: Workspace) -> None:
    """Parse the captions that judge proposals, and build their graphs, before the visitor asks for proposals."""
    _ = _judged_captions(workspace).captions.places


def _search_key(workspace: Workspace, words: MarkedWords) -> tuple[Hashable, ...]:
    return workspace.lang, workspace.parser, workspace.base, workspace.rules.digest, words.caption, words.sentence, words.words


@st.fragment
def _show_search(name: str, key: object, label: str, help_: str, show: Callable[[], None]) -> None:
    """Show a button or, after a click for these words, the results. A click reruns only this fragment."""
    state_key = f"rules.asked.{name}"
    if st.session_state.get(state_key) != key:
        st.button(label, key=f"rules.{name}", help=help_, on_click=st.session_state.__setitem__, args=(state_key, key))
        return
    try:
        show()
    except SpiceError as error:
        html.show_messages([error_text(error)], severity="problem")


def _show_proposals(workspace: Workspace, marked_words: MarkedWords, key: object) -> None:
    def find_proposals() -> list[RuleProposal]:
        target, off = TargetWords(marked_words.graph, marked_words.words), workspace.draft.disabled_rules
        proposer = RuleProposer(_judged_captions(workspace), workspace.rules, target, workspace.pack.word_class, disabled_rules=off)
        return proposer.proposals(MAX_PROPOSALS)

    with st.spinner(t("propose.searching")):
        proposals_ = rules_state().cached("proposals", key, find_proposals)
    html.show_heading(t("propose.title"))
    captions = _indexed_captions(workspace)
    gold_count, caption_count = len(captions.gold), len(captions.documents)
    html.show_note(t("propose.hint", captions=caption_count - gold_count, gold=gold_count) if proposals_ else t("propose.none"))
    for index, proposal in enumerate(proposals_):
        _show_proposal(workspace, marked_words, index, proposal)


def _show_exclusions(workspace: Workspace, marked_words: MarkedWords, name: str, key: object) -> None:
    with st.spinner(t("propose.searching")):
        exclusions_ = rules_state().cached("exclusions", key, partial(_find_exclusions, workspace, marked_words, name))
    html.show_note(t("exclude.hint", rule=texts.display_name(name)) if exclusions_ else t("exclude.none"))
    for index, (exclusion, rule) in enumerate(exclusions_):
        _show_exclusion(workspace, index, exclusion, rule)


def _indexed_captions(workspace: Workspace) -> IndexedCaptions:
    return rule_workspace.judged_captions(workspace.lang, workspace.parser, workspace.rules.steps)


def _judged_captions(workspace: Workspace, excluded_rule: str = "") -> JudgedCaptions:
    parses = [parse for caption_set in ("gold", "sample") for parse in results.parses_of_set(workspace, caption_set, workspace.rules)]
    return JudgedCaptions(_indexed_captions(workspace), parses, excluded_rule=excluded_rule)


def _find_exclusions(workspace: Workspace, marked_words: MarkedWords, rule_name: str) -> list[tuple[Exclusion, Rule]]:
    """Return conditions that exclude a firing but keep the tuples of the rule's example, with the resulting rules."""
    rule = next(rule for rule in workspace.rules.rules if rule.name == rule_name)
    sentence = workspace.document.sentences[marked_words.sentence]
    place = CaptionSentence(-1, marked_words.sentence, sentence, marked_words.graph)
    firings = rule.firings(marked_words.graph, marked_words.sentence)
    required_firing = next((RuleFiring(place, b, frozenset()) for b, p in firings if relates_words(p, marked_words.words)), None)
    if (sketch := make_sketch(rule)) is None or required_firing is None:
        return []
    judged, deadline = _judged_captions(workspace, excluded_rule=rule_name), thread_time() + SEARCH_TIMEOUT_S
    all_firings = judged.captions.find_firings(rule)
    exclusions = []
    for exclusion in find_exclusions(judged, all_firings, workspace.rules.rules, required_firing, deadline=deadline):
        changed_rule = replace(rule, pattern=Pattern(sketch.with_clause(exclusion.clause).source))
        if {p.words for p in changed_rule.apply(rule.example.graph)} == set(rule.example.tuples):
            example = make_example(changed_rule, marked_words.caption, marked_words.graph)
            exclusions.append((exclusion, changed_rule if example.tuples else replace(changed_rule, near_miss=example)))
    return exclusions[:MAX_EXCLUSIONS]


def _show_proposal(workspace: Workspace, marked_words: MarkedWords, index: int, proposal: RuleProposal) -> None:
    """Show the tuples of a proposal in this caption and in others, then its pattern and the nearest rule.

    Below, show a button that opens the proposal in the editor or, if the proposal is a disabled rule, a note that says so.
    """
    with st.container(border=True):
        own_tuples = f"<p>{escape(t('propose.here'))} {' '.join(map(wording.tuple_html, proposal.tuples))}</p>"
        st.html(own_tuples + _verdict_html(proposal) + _tuples_html(workspace, proposal.verdict) + _nearest_rule_html(proposal))
        st.code(f"{proposal.rule.pattern.source}\n→ {proposal.rule.yields}", language=None, wrap_lines=True)
        if proposal.disabled_rule:
            html.show_note(t("propose.off", rule=texts.display_name(proposal.disabled_rule)))
        else:
            show_button = partial(st.button, type="secondary" if index else "primary", key=f"rules.proposed.{index}")
            if show_button(t("propose.take"), on_click=_open_proposal, args=(workspace, marked_words, proposal)):
                st.rerun()  # rerun the full page, because the editor opens


def _verdict_html(proposal: RuleProposal) -> str:
    verdict, f1_before = proposal.verdict, proposal.f1_before
    right_count, wrong_count, unknown = map(len, (verdict.right_tuples, verdict.wrong_tuples, verdict.unknown_tuples))
    if not right_count + wrong_count:
        return f"<p>{escape(t('propose.no_evidence', hits=verdict.hit_count, unknown=unknown))}</p>"
    line = escape(t("propose.counts", hits=verdict.hit_count, right=right_count, wrong=wrong_count, unknown=unknown))
    f1 = f"{escape(t('propose.f1'))} {f1_before:.3f} → <b>{proposal.f1:.3f}</b> {signed_change(proposal.f1 - f1_before)}"
    return f"<p>{line}<br>{f1}</p>"


def _nearest_rule_html(proposal: RuleProposal) -> str:
    """Return the nearest rule, and the edits that would make it relate the words, as HTML."""
    if proposal.nearest is None:
        return ""
    edits = join_items(
        t("propose.edit", before=e.before, after=e.after) if e.after else t("propose.left_out", before=e.before)
        for e in proposal.nearest.edits
    )
    return f"<p>{escape(t('propose.nearest', rule=texts.display_name(proposal.nearest.rule.name), edits=edits))}</p>"


def _tuples_html(workspace: Workspace, changes: RuleVerdict | Exclusion, sign: str = "+") -> str:
    """Return gained or lost tuples with their captions as foldable HTML lists, by the gold graphs' verdict.

    The lists of judged tuples are open.
    """
    documents, out = _indexed_captions(workspace).documents, ""
    for name, tuples_ in (("right", changes.right_tuples), ("wrong", changes.wrong_tuples), ("unknown", changes.unknown_tuples)):
        shown_tuples = sorted(tuples_)[:MAX_TUPLES]
        items = "".join(
            f"<li>{sign} {wording.tuple_html(words)} <small>{escape(documents[n].text)}</small></li>" for n, words in shown_tuples
        )
        title, state = escape(f"{t(f'propose.{name}')}: {len(tuples_)}"), "" if name == "unknown" else " open"
        out += f'<details{state}><summary>{title}</summary><ul class="sc-changes">{items}</ul></details>' if items else ""
    return out


def _show_exclusion(workspace: Workspace, index: int, exclusion: Exclusion, rule: Rule) -> None:
    with st.container(border=True):
        wrong_count, right_count, unknown = map(len, (exclusion.wrong_tuples, exclusion.right_tuples, exclusion.unknown_tuples))
        counts = t("exclude.counts", wrong=wrong_count, right=right_count, unknown=unknown)
        condition = wording.describe_condition(Pattern(exclusion.clause.source).conditions[-1])
        st.html(f"<p><b>{escape(condition)}</b><br>{escape(counts)}</p>{_tuples_html(workspace, exclusion, '−')}")
        rule_index = [other_rule.name for other_rule in workspace.draft.all_rules.rules].index(rule.name)
        args = (workspace, rule_index, write_rule_text(rule))
        if st.button(t("exclude.take"), key=f"rules.exclude.{rule.name}.{index}", on_click=edit.open_editor, args=args):
            st.rerun()  # rerun the full page, because the editor opens


def _open_proposal(workspace: Workspace, marked_words: MarkedWords, proposal: RuleProposal) -> None:
    """Open the proposal in the editor as a new rule with its reason, example and near miss."""
    assert proposal.sketch is not None
    captions, caption, graph = _indexed_captions(workspace), marked_words.caption, marked_words.graph
    rule = complete_rule(proposal.rule, proposal.sketch, workspace.rules, captions, caption=caption, graph=graph)
    tuples = "; ".join(f"({', '.join(words)})" for words in sort_tuples(rule.example.tuples))
    reason = t("propose.reason", tuples=tuples, caption=marked_words.caption)
    edit.open_editor(workspace, edit.NEW_RULE_CHOICE, write_rule_text(replace(rule, reason=reason)))
