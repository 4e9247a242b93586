"""Why there is no tuple: two words of the caption, and what stopped the rules that could relate them."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from dataclasses import replace
from html import escape

import streamlit as st

from pages.parts.kit import html, rule_texts, url
from pages.parts.kit.texts import t
from pages.parts.rules import culprits, proposals, wording, workspace
from pages.parts.rules.workspace import KEY, Work
from pages.parts.views import trees
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Token
from spice_core.workbench.why import TupleDiagnosis, why

MOST = 6  # rules shown at once
Place = tuple[int, int]  # the number of a sentence from 0, of a word from 1


def show(work: Work) -> None:
    """The choice of two words, and the answer."""
    html.note(t("why.hint"))
    places = {(n, token.index): token for n, sentence in enumerate(work.document.sentences) for token in sentence.tokens}
    if len(places) < 2:
        html.note(t("trace.nothing"))
        return
    pair = _choose(places, work)
    if pair is None:
        return
    sentence, words = pair[0][0], tuple(index for _, index in pair)
    a, b = words[0], words[-1]
    answer = why(work.pack, work.rules, work.document, (a, b), sentence=sentence, off=work.draft.silent)
    graph = DependencyGraph.of(work.pack.enhance(work.document, work.rules.steps).sentences[sentence])
    _say(work, answer, graph, (a, b), proposals.Marked(_sentence(work, sentence), sentence, graph, words))
    proposals.prepare(work)


def _sentence(work: Work, number: int) -> str:
    """The text of a sentence of the caption."""
    return work.document.sentence_texts[number] if len(work.document.sentences) > 1 else work.caption


def _choose(places: dict[Place, Token], work: Work) -> tuple[Place, ...] | None:
    names = {place: f"{token.text}" for place, token in places.items()}
    counts = list(names.values())
    names = {place: f"{text} ({place[1]})" if counts.count(text) > 1 else text for place, text in names.items()}
    nouns = [place for place, token in places.items() if token.tag.startswith(("N", "名詞"))]
    usual = _asked(places) or ([*nouns, *places][0], [*nouns[1:], *list(places)[1:]][0])
    with st.container(horizontal=True, gap="small"):
        chosen = [_word(which, names, start, work) for which, start in zip(("first", "second"), usual)]
        chosen.append(_word("third", names, (*usual, None)[2], work))
    words = tuple(place for place in chosen if place)
    if len(set(words)) < len(words) or len({sentence for sentence, _ in words}) > 1:
        url.keep("words", "")
        html.note(t("why.two"))
        return None
    url.keep("words", f"{words[0][0]}.{'-'.join(str(index) for _, index in words)}")
    return words


def _word(which: str, names: Mapping[Place, str], start: Place | None, work: Work) -> Place | None:
    """The choice of one word; the third may be none."""
    options: dict[Place | None, str] = {None: t("why.no_third")} if which == "third" else {}
    options.update(names.items())
    known = list(options)
    return st.selectbox(t(f"why.{which}"), known, index=known.index(start), format_func=options.__getitem__, key=_key(which, work))


def _asked(places: Container[Place]) -> tuple[Place, ...] | None:
    """The two or three words that the address names: 0.3-7 for words 3 and 7 of the first sentence."""
    if not (found := re.fullmatch(r"(\d{1,3})\.(\d{1,3}(?:-\d{1,3}){1,2})", st.query_params.get("words", ""), re.ASCII)):
        return None
    words = tuple((int(found[1]), int(index)) for index in found[2].split("-"))
    return words if all(place in places for place in words) else None


def _key(which: str, work: Work) -> str:
    return f"{KEY}.why.{which}.{work.lang}.{work.parser}.{hash(work.caption)}"


def _say(work: Work, answer: TupleDiagnosis, graph: DependencyGraph, words: tuple[int, int], marked: proposals.Marked) -> None:
    a, b = (graph.token(i).text for i in words)
    if answer.made:
        html.heading(t("why.made", a=a, b=b))
        st.html(wording.made(answer.made))
        proposals.exclude(work, marked, answer.made)
    else:
        html.heading(t("why.none", a=a, b=b))
    for rule in dict.fromkeys(p.rule for p in answer.off):
        _switched_off(work, answer, rule)
    if not answer.made and not answer.off:
        culprits.show(work, (graph.token(words[0]), graph.token(words[1])))
    proposals.show(work, marked)
    if answer.stopped:
        html.heading(t("why.nearest"))
        heads = [t(f"trace.{name}") for name in ("rule", "held", "failed")]
        rows = [
            [f"<b>{escape(rule_texts.name(s.rule.name))}</b><br><small>{escape(rule_texts.reason(s.rule))}</small>",
             t("trace.of", satisfied=s.failure.satisfied, total=s.conditions), wording.failed(s.failure)]
            for s in answer.stopped[:MOST]
        ]  # fmt: skip
        st.html(wording.table(heads, rows))
    between = [e for e in graph.edges if {e.head, e.dependent} == set(words)]
    trees.draw(graph, t("trace.enhanced"), lang=work.lang, words=words, marked=between)


def _switched_off(work: Work, answer: TupleDiagnosis, rule: str) -> None:
    """A disabled rule that would relate the words, with a button that enables it."""
    found = [p for p in answer.off if p.rule == rule]
    st.html(
        f'<div class="sc-say sc-problem" role="status"><p>{escape(t("why.off", rule=rule_texts.name(rule)))}</p>{wording.made(found)}</div>'
    )
    draft = replace(work.draft, off=work.draft.off - {rule})
    st.button(
        t("why.on", rule=html.plain(rule_texts.name(rule))),
        key=f"{KEY}.on.{rule}",
        on_click=workspace.keep,
        args=(work, draft),
        type="primary",
    )
