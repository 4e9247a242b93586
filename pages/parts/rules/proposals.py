"""Rules proposed for words without a tuple, and conditions against a wrong one; one click takes either over into the editor."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from html import escape
from time import thread_time
from typing import TypeVar

import streamlit as st

from pages.parts.kit import html, messages, rule_texts
from pages.parts.kit.html import signed_change
from pages.parts.kit.texts import problem, t
from pages.parts.rules import edit, results, wording, workspace
from pages.parts.rules.workspace import KEY, Workspace
from spice_core.errors import SpiceError
from spice_core.rules.pattern import Pattern
from spice_core.rules.ruleset import Rule
from spice_core.scene.propositions import Proposition, Words, ordered
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.workbench.exclude import Exclusion, exclusions
from spice_core.workbench.induce import Wanted
from spice_core.workbench.judged import Captions, Fired, JudgedCaptions, SentencePlace, Verdict
from spice_core.workbench.propose import SECONDS, Proposal, Proposer
from spice_core.workbench.rule_text import complete_rule, example_of, rule_text
from spice_core.workbench.sketch import Clause, sketch_of

T = TypeVar("T")
FOUND = f"{KEY}.proposals"
MOST, MOST_EXCLUDED, MOST_TUPLES = 6, 8, 12  # proposals, conditions and tuples shown


@dataclass(frozen=True)
class Marked:
    """The words that a visitor marked, with the sentence that they stand in."""

    caption: str
    sentence: int
    graph: DependencyGraph
    words: tuple[int, ...]


@st.fragment
def show(work: Workspace, marked: Marked) -> None:
    """The button, then the proposals for these words; what is above and below them stays as it is."""
    try:
        _show(work, marked)
    except SpiceError as error:
        messages.say([problem(error)], kind="problem")


def _show(work: Workspace, marked: Marked) -> None:
    key = ("propose", work.lang, work.parser, work.base, work.rules.digest, marked.caption, marked.sentence, marked.words)
    if _ask_button("propose", key, t("propose.button"), t("propose.help")):
        with st.spinner(t("propose.searching")):
            found = _cached_search("", key, partial(_proposals, work, marked))
        html.heading(t("propose.title"))
        judged = _captions(work)
        html.note(
            t("propose.hint", captions=len(judged.documents) - len(judged.gold), gold=len(judged.gold)) if found else t("propose.none")
        )
        for number, proposal in enumerate(found):
            _card(work, marked, number, proposal)


def prepare(work: Workspace) -> None:
    """Parse the captions that proposals are judged on, and draw up their graphs, while the visitor reads."""
    _ = _judged_captions(work).captions.places


@st.fragment
def exclude(work: Workspace, marked: Marked, made_here: Sequence[Proposition]) -> None:
    """For each rule that relates the words: the button, then the conditions that would exclude the tuple."""
    try:
        _exclude(work, marked, made_here)
    except SpiceError as error:
        messages.say([problem(error)], kind="problem")


def _exclude(work: Workspace, marked: Marked, made_here: Sequence[Proposition]) -> None:
    for name in dict.fromkeys(p.rule for p in made_here):
        key = ("exclude", name, work.lang, work.parser, work.base, work.rules.digest, marked.caption, marked.sentence, marked.words)
        if _ask_button(f"exclude.{name}", key, t("exclude.button", rule=html.plain(rule_texts.name(name))), t("exclude.help")):
            with st.spinner(t("propose.searching")):
                found = _cached_search(name, key, partial(_exclusions, work, marked, name))
            html.note(t("exclude.hint", rule=rule_texts.name(name)) if found else t("exclude.none"))
            for number, (exclusion, rule) in enumerate(found):
                _exclusion(work, number, exclusion, rule)


def _ask_button(name: str, key: object, label: str, help_: str) -> bool:
    """Whether the visitor asked for these words; a button otherwise."""
    asked = f"{FOUND}.asked.{name}"
    if st.session_state.get(asked) != key:
        st.button(label, key=f"{KEY}.{name}", help=help_, on_click=st.session_state.__setitem__, args=(asked, key))
    return st.session_state.get(asked) == key


def _cached_search(name: str, key: object, search: Callable[[], list[T]]) -> list[T]:
    """What a search found, kept until the next one of this name."""
    kept: dict[str, tuple[object, list[T]]] = st.session_state.setdefault(FOUND, {})
    if kept.get(name, (None, []))[0] != key:
        kept[name] = key, search()
    return kept[name][1]


def _captions(work: Workspace) -> Captions:
    return workspace.judged_captions(work.lang, work.parser, work.rules.steps)


def _judged_captions(work: Workspace, without: str = "") -> JudgedCaptions:
    parses = [parse for kind in ("gold", "sample") for parse in results.parses(work, kind, work.rules)]
    return JudgedCaptions(_captions(work), parses, without=without)


def _proposals(work: Workspace, marked: Marked) -> list[Proposal]:
    wanted = Wanted(marked.graph, marked.words)
    return Proposer(_judged_captions(work), work.rules, wanted, off=work.draft.silent).proposals(MOST)


def _exclusions(work: Workspace, marked: Marked, name: str) -> list[tuple[Exclusion, Rule]]:
    """The conditions under which a rule keeps its example and is silent on these words, with the rule that they give."""
    rule = next(rule for rule in work.rules.rules if rule.name == name)
    sketch, place = sketch_of(rule), SentencePlace(-1, marked.sentence, work.document.sentences[marked.sentence], marked.graph)
    firings = rule.firings(marked.graph, marked.sentence)
    must = next(
        (Fired(place, b, frozenset()) for b, p in firings if set(marked.words) <= {t.index for part in p.tokens for t in part}), None
    )
    if sketch is None or must is None:
        return []
    judged = _judged_captions(work, without=name)
    found = exclusions(judged, judged.captions.fired(rule), work.rules.rules, must, until=thread_time() + SECONDS)
    out = []
    for exclusion in found:
        changed = replace(rule, pattern=Pattern(sketch.plus(exclusion.clause).source))
        if {p.words for p in changed.apply(rule.example.graph)} == set(rule.example.tuples):
            silent = example_of(changed, marked.caption, marked.graph)
            out.append((exclusion, changed if silent.tuples else replace(changed, near_miss=silent)))
    return out[:MOST_EXCLUDED]


def _card(work: Workspace, marked: Marked, number: int, proposal: Proposal) -> None:
    """A proposal: its pattern, what it adds, the nearest rule, and the button that takes it over."""
    with st.container(border=True):
        st.code(f"{proposal.rule.pattern.source}\n→ {proposal.rule.yields}", language=None, wrap_lines=True)
        st.html(_verdict(proposal) + _nearest(proposal) + _tuples(work, proposal.verdict))
        if proposal.off:
            html.note(t("propose.off", rule=rule_texts.name(proposal.off)))
        else:
            taken = st.button(
                t("propose.take"),
                key=f"{KEY}.proposed.{number}",
                on_click=_take,
                args=(work, marked, proposal),
                type="secondary" if number else "primary",
            )
            if taken:
                st.rerun()  # all of the page: the editor opens


def _verdict(proposal: Proposal) -> str:
    verdict, before = proposal.verdict, proposal.before
    right, wrong, unknown = map(len, (verdict.right, verdict.wrong, verdict.unknown))
    line = escape(t("propose.counts", hits=verdict.hits, right=right, wrong=wrong, unknown=unknown))
    f1 = f"{escape(t('propose.f1'))} {before:.3f} → <b>{proposal.f1:.3f}</b> {signed_change(proposal.f1 - before)}"
    return f'<p class="sc-proposal">{line}<br>{f1}</p>'


def _nearest(proposal: Proposal) -> str:
    """The nearest rule and the edits that would do."""
    if proposal.nearest is None:
        return ""
    edits = t("trace.comma").join(
        t("propose.edit", before=e.before, after=e.after) if e.after else t("propose.left_out", before=e.before)
        for e in proposal.nearest.edits
    )
    return f"<p>{escape(t('propose.nearest', rule=rule_texts.name(proposal.nearest.rule.name), edits=edits))}</p>"


def _tuples(work: Workspace, verdict: Verdict) -> str:
    """The new tuples by what gold says, folded up."""
    groups = ((name, getattr(verdict, name)) for name in ("right", "wrong", "unknown"))
    lists = "".join(f"<h4>{escape(t(f'propose.{name}'))}</h4>{_change_list(work, found)}" for name, found in groups if found)
    return f"<details><summary>{escape(t('propose.tuples'))}</summary>{lists}</details>" if lists else ""


def _change_list(work: Workspace, found: Iterable[tuple[int, Words]]) -> str:
    documents = _captions(work).documents
    pairs = sorted(found)[:MOST_TUPLES]
    items = "".join(f"<li>{wording.tuple_(words)} <small>{escape(documents[n].text)}</small></li>" for n, words in pairs)
    return f'<ul class="sc-changes">{items}</ul>'


def _exclusion(work: Workspace, number: int, exclusion: Exclusion, rule: Rule) -> None:
    """A condition with what it takes from the rule, and the button that takes it over."""
    with st.container(border=True):
        wrong, right, unknown = map(len, (exclusion.wrong, exclusion.right, exclusion.unknown))
        counts = t("exclude.counts", wrong=wrong, right=right, unknown=unknown)
        st.html(f"<p><b>{escape(_condition(exclusion.clause))}</b><br>{escape(counts)}</p>")
        if st.button(t("exclude.take"), key=f"{KEY}.exclude.{rule.name}.{number}", on_click=_change, args=(work, rule)):
            st.rerun()  # all of the page: the editor opens


def _condition(clause: Clause) -> str:
    return wording.condition(Pattern(clause.source).conditions[-1])


def _take(work: Workspace, marked: Marked, proposal: Proposal) -> None:
    """Open the editor on the proposal as a new rule, with reason, example and near miss."""
    assert proposal.sketch is not None
    rule = complete_rule(proposal.rule, proposal.sketch, work.rules, _captions(work), caption=marked.caption, graph=marked.graph)
    tuples = "; ".join(f"({', '.join(words)})" for words in ordered(rule.example.tuples))
    reason = t("propose.reason", tuples=tuples, caption=marked.caption)
    edit.take(work, edit.NEW, rule_text(replace(rule, reason=reason)))


def _change(work: Workspace, rule: Rule) -> None:
    """Open the editor on a rule with the condition added."""
    number = [known.name for known in work.draft.whole.rules].index(rule.name)
    edit.take(work, number, rule_text(rule))
