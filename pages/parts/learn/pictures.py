"""The picture of each step: what is seen before the answer, after it, and once it is revealed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from typing import Any

import streamlit as st

from pages.parts.kit import choice, page
from pages.parts.kit.html import table
from pages.parts.kit.texts import t
from pages.parts.learn import ask, graph, human_order, lessons, results
from pages.parts.learn.ask import Progress
from pages.parts.learn.lessons import Facts, Step, score_english
from pages.parts.learn.results import KEY
from pages.parts.state.engine import Scored
from pages.parts.views import captions, graphs, trees, tuples
from spice_core.draw.svg import svg
from spice_core.lang import language
from spice_core.scene.scores import counted
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Sentence

_RUN = "standing on top of a"  # what a and b share


def answer_place(text: str = "") -> None:
    """The place of a picture that an answer opens."""
    st.html(f'<p class="sc-hidden">{text or t("learn.hidden")}</p>')


def ngrams(facts: Facts, progress: Progress) -> None:
    """Two pairs, their bars after the answer, their graphs after the reveal."""
    named = dict(zip("abcd", (lessons.GIRL, lessons.GIRAFFE, lessons.POT, lessons.PAN)))
    lit = {name: escape(text).replace(_RUN, f"<mark class=sc-run>{_RUN}</mark>") for name, text in named.items()}
    st.html(
        f'<dl class="sc-captions sc-stacked sc-letters">{"".join(f"<div><dt>{k}</dt><dd lang=en>{v}</dd></div>" for k, v in lit.items())}</dl>'
    )
    if not progress.open:
        return answer_place()
    pairs = {"a / b": score_english(lessons.GIRAFFE, lessons.GIRL), "c / d": score_english(lessons.PAN, lessons.POT)}
    items = tuple((one.inputs.candidate, one.inputs.references) for one in pairs.values())
    bars = results.word_scores(items, lessons.OVERLAP)
    if progress.revealed:
        bars = bars | {"SPICE": [one.result.f1 for one in pairs.values()]}
    rows = ([name, *map(_bar, values)] for name, values in bars.items())
    st.html(table([t("learn.metric"), *pairs], rows, css_class="sc-bars"))
    if progress.revealed:
        shown = choice.one_of(t("learn.pair"), {name: name for name in pairs}, key=f"{KEY}.ngrams.pair", label_visibility="collapsed")
        graph.show(pairs[shown], key=f"{KEY}.ngrams.{'ac'[shown == 'c / d']}")
    else:
        st.html(f'<p class="sc-note">{t("learn.graph_later")}</p>')
    return None


def _bar(value: float) -> str:
    return f'<span class="sc-bar" style="--value:{value:.3f}"></span>{page.style().ratio(value)}'


def tree(facts: Facts, progress: Progress) -> None:
    """The dependency tree, one kind of link highlighted at a time."""
    (sentence,) = _sentences(facts.main)
    found = {edge.relation: edge.relation for edge in sentence.basic if edge.relation in ("amod", "nsubj", "obl", "compound")}
    lit = choice.one_of(t("learn.relation"), found, key=f"{KEY}.tree.relation") if found else ""
    marked = [edge for edge in sentence.basic if edge.relation == lit]
    trees.draw_all([(lessons.COURT, _without_full_stop(sentence), (), marked)], lang="en")
    if not progress.open:
        return answer_place()
    captions.lines(facts.main, side="candidate", plain=True)
    if progress.revealed:
        graph.show(facts.main, key=f"{KEY}.tree", view="candidate", plain=True)
    return None


def kinds(facts: Facts, progress: Progress) -> None:
    """A caption, then the graph of its tuples."""
    if not progress.open:
        graph.caption_list({t("captions.candidate"): lessons.COURT}, lang="en")
        return answer_place()
    captions.lines(facts.main, side="candidate", plain=True)
    rows = facts.main.explanation.rows
    options = {name: t(f"legend.{name}") for name in ("object", "attribute", "relation")}
    lit = st.pills(t("learn.light"), list(options), format_func=options.__getitem__, key=f"{KEY}.tuples.kind")
    graph.show(
        facts.main, key=f"{KEY}.tuples", view="candidate", plain=True, lit=[row.id for row in rows if lit is not None and row.kind == lit]
    )
    return None


def show_merging(facts: Facts, progress: Progress) -> None:
    """The references, each with its graph; then the one graph of all."""
    if not progress.open:
        for name, text in zip(facts.main.captions[1:], lessons.DOGS):
            one = svg(score_english(text, text).result, page.style(), view="candidate", name=f"step-{name[-1]}")
            st.html(
                f'<figure class="sc-small-graph"><figcaption>{escape(name)}: {escape(text)}</figcaption>'
                f'<img src="{graphs.data_url(one)}" alt=""></figure>'
            )
        return None
    captions.lines(facts.main, side="references", plain=True)
    graph.show(facts.main, key=f"{KEY}.merge", view="references", plain=True)
    return None


def show_synonyms(facts: Facts, progress: Progress) -> None:
    """A word in the gap, and what it does to the match."""
    options = {word: lessons.sofa_sentence(word) for word in (*lessons.WORDS, "lounge")}
    options |= {word: lessons.SOFA.replace("dog", word) for word in ("hound", "puppy")}
    if not progress.open:
        graph.caption_list({t("captions.candidate"): "A dog sleeps on a [ ].", t("captions.reference", number=1): lessons.SOFA}, lang="en")
        return answer_place()
    word = choice.one_of(t("learn.pair"), {word: word for word in options}, key=f"{KEY}.match.word", label_visibility="collapsed")
    found = score_english(options[word], lessons.SOFA)
    captions.lines(found)
    _score_formula(found)
    graph.show(found, key=f"{KEY}.match")
    return None


def show_counting(facts: Facts, progress: Progress) -> None:
    """The tuples of the candidate to mark by hand; then the graph with all marks."""
    if progress.open:
        captions.lines(facts.main)
        _score_formula(facts.main)
        return graph.show(facts.main, key=f"{KEY}.score")
    result = facts.main.result
    graph.caption_list(dict(zip(facts.main.captions, (lessons.WHITE, *lessons.DOGS))), lang="en")
    names = lessons.tuple_names(result.candidate_tuples)
    marked = st.pills(t("learn.mark"), names, selection_mode="multi", key=f"{KEY}.score.marked")
    references = " ".join(lessons.tuple_names(result.reference_tuples))
    st.html(f'<p class="sc-note">{escape(t("captions.reference", number="1–3"))}: {escape(references)}</p>')
    values: dict[str, Any] = {"marked": len(marked), "candidate": len(names), "reference": len(result.reference_tuples)}
    st.html(f'<p class="sc-count" role="status">{t("learn.marked", **values)}</p>')
    return None


def categories(facts: Facts, progress: Progress) -> None:
    """The captions, then the score of each category, and its tuples lit."""
    if not progress.open:
        return graph.caption_list(dict(zip(facts.main.captions, (lessons.THREE, *lessons.HORSES))), lang="en")
    captions.lines(facts.main)
    scores, rows = facts.main.result.scores, facts.main.explanation.rows
    names = {name: f"{tuples.category(name)} {page.style().ratio(scores[name].f1)}" for name in scores if name != "All"}
    lit = st.pills(t("learn.light"), list(names), format_func=names.__getitem__, key=f"{KEY}.categories.lit")
    chosen = [row.id for row in rows if lit in (row.kind.capitalize(), *row.categories)]
    graph.show(facts.main, key=f"{KEY}.categories", lit=chosen)
    return None


def limits(facts: Facts, progress: Progress) -> None:
    """Four pairs, their scores after the answer, their graphs after the reveal."""
    found = {name: score_english(candidate, reference) for name, (candidate, reference) in lessons.LIMITS.items()}
    rows = (
        [escape(a), escape(b), page.style().ratio(found[name].result.f1) if progress.open else "?"]
        for name, (a, b) in lessons.LIMITS.items()
    )
    st.html(table([t("captions.candidate"), t("captions.reference", number=1), "SPICE"], rows, css_class="sc-texts"))
    if not progress.revealed:
        return answer_place(t("learn.graph_later"))
    options = {name: one.inputs.candidate for name, one in found.items()}
    shown = choice.one_of(t("learn.pair"), options, key=f"{KEY}.limits.pair", default="bites", label_visibility="collapsed")
    return graph.show(found[shown], key=f"{KEY}.limits.{shown}")


def marked_tuples(step: Step, facts: Facts) -> Progress:
    """The tuples of a parse, to mark those that are wrong; the verdict tells nothing of those left out."""
    names = lessons.tuple_names(facts.main.result.candidate_tuples)
    st.html(f'<p class="sc-ask">{escape(ask.step_text(step, "ask", facts))}</p>')
    marked = set(st.pills(t("learn.wrong_tuples"), names, selection_mode="multi", key=f"{KEY}.{step.name}.marked"))
    marked -= facts.values["open"]
    verdict = "" if not marked else "all" if marked == facts.right else "part" if marked < facts.right else "other"
    st.session_state[f"{KEY}.{step.name}.answered"] = verdict
    if verdict:
        told = {"all": "right", "part": "some", "other": "wrong"}[verdict]
        ask.feedback(t(f"learn.{told}"), ask.step_text(step, f"{verdict}_why", facts), right=verdict == "all")
    return ask.question(step, facts)


def reading(facts: Facts, progress: Progress) -> None:
    """The tree of an earlier parser; after the reveal that of today's, and what differs in the graph."""
    wrong, today = facts.main.parses
    shown = [(t("learn.earlier"), wrong), *([(t("learn.today"), today)] if progress.revealed else [])]
    drawn = [(title, _without_full_stop(s), (), ()) for title, parse in shown for s in _parse_sentences(parse)]
    trees.draw_all(drawn, lang="en")
    if progress.revealed:
        return graph.show(facts.main, key=f"{KEY}.read", view="both")
    return answer_place(t("learn.graph_later"))


def japanese(facts: Facts, progress: Progress) -> None:
    """The units of a Japanese caption, then its graph with the implicit subject."""
    pack = language("ja")
    sentences = [(s, pack.structure(s)) for s in _sentences(facts.main)]
    trees.draw_units([(lessons.BOY, s, structure.units) for s, structure in sentences if structure], lang="ja")
    if not progress.open:
        return answer_place()
    rows = facts.main.explanation.rows
    lit = [row.id for row in rows if row.kind == "relation" and row.parts[0] == "男の子"]
    return graph.show(facts.main, key=f"{KEY}.japanese", view="candidate", plain=True, lit=lit)


def _without_full_stop(sentence: Sentence) -> DependencyGraph:
    """The basic tree without a full stop at its end, which only takes room."""
    tokens = sentence.tokens[:-1] if sentence.tokens[-1].text == "." else sentence.tokens
    last = tokens[-1].index
    return DependencyGraph(tokens, tuple(edge for edge in sentence.basic if edge.head <= last and edge.dependent <= last))


def _score_formula(found: Scored) -> None:
    """The sums of a score, written out."""
    overall = found.result.overall
    line = f"P {counted(overall.matched)}/{overall.candidate} · R {counted(overall.recalled)}/{overall.reference} · F1 {page.style().ratio(overall.f1)}"
    st.html(f'<p class="sc-sum">{line}</p>')


def _sentences(found: Scored) -> tuple[Sentence, ...]:
    return _parse_sentences(found.parses[0])


def _parse_sentences(parse: object) -> tuple[Sentence, ...]:
    document = getattr(parse, "document", None)
    return document.sentences if document else ()


PICTURES: Mapping[str, Callable[[Facts, Progress], None]] = {
    "ngrams": ngrams,
    "tree": tree,
    "tuples": kinds,
    "merge": show_merging,
    "match": show_synonyms,
    "score": show_counting,
    "categories": categories,
    "limits": limits,
    "read": reading,
    "people": human_order.picture,
    "japanese": japanese,
}
