"""The picture of each step before the answer, after the answer, and after Reveal."""

from collections.abc import Callable, Mapping
from html import escape
from typing import Any

import streamlit as st

from pages.parts.kit import choice, page
from pages.parts.kit.html import table
from pages.parts.kit.texts import t
from pages.parts.learn import elements, human_order, lessons, results
from pages.parts.learn.elements import StepProgress
from pages.parts.learn.lessons import StepFigures, TourStep
from pages.parts.learn.material import current_material
from pages.parts.learn.results import score_candidate
from pages.parts.learn.state import learn_state
from pages.parts.state.engine import ScoredCaptions
from pages.parts.views import captions, graphs, tuples
from spice_core.draw import texts
from spice_core.explain.evidence import TupleRow
from spice_core.lang import language
from spice_core.scene.scores import format_count
from spice_core.syntax.document import Sentence


def show_placeholder(text: str = "") -> None:
    """Show a placeholder for a picture that appears after the answer."""
    st.html(f'<p class="sc-hidden">{text or t("learn.hidden")}</p>')


def show_ngrams(figures: StepFigures, progress: StepProgress) -> None:
    """Show two pairs of captions: after the answer with word-based scores, after Reveal with SPICE and a graph."""
    material = current_material()
    texts = dict(zip("abcd", (material.girl, material.giraffe, material.pot, material.pan)))
    highlighted_words = {
        name: escape(text).replace(material.shared_words, f"<mark class=sc-run>{material.shared_words}</mark>")
        for name, text in texts.items()
    }
    st.html(
        f'<dl class="sc-captions sc-stacked sc-letters">{"".join(f"<div><dt>{k}</dt><dd lang={material.lang}>{v}</dd></div>" for k, v in highlighted_words.items())}</dl>'
    )
    if not progress.open:
        return show_placeholder()
    pairs = {"a / b": score_candidate(material.giraffe, material.girl), "c / d": score_candidate(material.pan, material.pot)}
    items = tuple((scored_captions.inputs.candidate, scored_captions.inputs.references) for scored_captions in pairs.values())
    bars = results.word_metric_scores(items, lessons.OVERLAP_METRICS)
    if progress.is_revealed:
        bars = bars | {"SPICE": [scored_captions.result.f1 for scored_captions in pairs.values()]}
    rows = ([name, *map(_bar_html, values)] for name, values in bars.items())
    st.html(table([t("learn.metric"), *pairs], rows, css_class="sc-bars"))
    if progress.is_revealed:
        chosen_pair = choice.segmented_control(
            t("learn.pair"), {name: name for name in pairs}, key="learn.ngrams.pair", label_visibility="collapsed"
        )
        elements.show_graph(pairs[chosen_pair], key=f"learn.ngrams.{'ac'[chosen_pair == 'c / d']}")
    else:
        st.html(f'<p class="sc-note">{t("learn.graph_later")}</p>')
    return None


def _bar_html(value: float) -> str:
    return f'<span class="sc-bar" style="--value:{value:.3f}"></span>{page.display_style().format_ratio(value)}'


def show_tree(figures: StepFigures, progress: StepProgress) -> None:
    """Show the dependency tree with one relation highlighted. After the answer, add the caption, and after Reveal, add the graph."""
    (sentence,) = _parse_sentences(figures.scored_captions.parses[0])
    relations = {edge.relation: edge.relation for edge in sentence.basic if edge.relation in current_material().highlighted_relations}
    highlighted_relation = choice.segmented_control(t("learn.relation"), relations, key="learn.tree.relation") if relations else ""
    highlighted_edges = [edge for edge in sentence.basic if edge.relation == highlighted_relation]
    graphs.draw_trees([(current_material().court, graphs.without_full_stop(sentence), (), highlighted_edges)], lang=current_material().lang)
    if not progress.open:
        return show_placeholder()
    captions.show_captions(figures.scored_captions, side="candidate", is_plain=True)
    if progress.is_revealed:
        elements.show_graph(figures.scored_captions, key="learn.tree", view="candidate", is_plain=True)
    return None


def show_kinds(figures: StepFigures, progress: StepProgress) -> None:
    """Show a caption and, after the answer, the graph of its tuples."""
    if not progress.open:
        elements.show_captions({t("captions.candidate"): current_material().court}, lang=current_material().lang)
        return show_placeholder()
    captions.show_captions(figures.scored_captions, side="candidate", is_plain=True)
    rows = figures.scored_captions.explanation.rows
    options = {name: t(f"legend.{name}") for name in ("object", "attribute", "relation")}
    highlighted_kind = choice.pills(t("learn.light"), options, key="learn.tuples.kind")
    ids = [row.id for row in rows if row.kind == highlighted_kind]
    elements.show_graph(figures.scored_captions, key="learn.tuples", view="candidate", is_plain=True, highlighted_rows=ids)
    return None


def show_merging(figures: StepFigures, progress: StepProgress) -> None:
    """Show each reference with its graph. After the answer, show the merged graph instead."""
    if not progress.open:
        for name, text in zip(figures.scored_captions.caption_labels[1:], current_material().dog_references):
            picture = graphs.view_picture(score_candidate(text, text), "candidate")
            st.html(
                f'<figure class="sc-small-graph"><figcaption>{escape(name)}: {escape(text)}</figcaption>'
                f'<img src="{graphs.data_url(picture)}" alt=""></figure>'
            )
        return None
    captions.show_captions(figures.scored_captions, side="references", is_plain=True)
    elements.show_graph(figures.scored_captions, key="learn.merge", view="references", is_plain=True)
    return None


def show_synonyms(figures: StepFigures, progress: StepProgress) -> None:
    """Show the sentence with the gap and, after the answer, a choice of words for it with the resulting match."""
    material = current_material()
    options = {word: material.fill(word) for word in (*material.fill_by_choice.values(), *material.more_fills)} | lessons.subject_fills()
    if not progress.open:
        elements.show_captions(
            {t("captions.candidate"): material.shown_gap, t("captions.reference", number=1): material.sofa}, lang=material.lang
        )
        return show_placeholder()
    word = choice.segmented_control(t("learn.pair"), {word: word for word in options}, key="learn.match.word", label_visibility="collapsed")
    scored_captions = score_candidate(options[word], material.sofa)
    captions.show_captions(scored_captions)
    _show_score_formula(scored_captions)
    elements.show_graph(scored_captions, key="learn.match")
    return None


def show_counting(figures: StepFigures, progress: StepProgress) -> None:
    """Let the visitor mark tuples of the candidate. After the answer, show the graph with all matches instead."""
    if progress.open:
        captions.show_captions(figures.scored_captions)
        _show_score_formula(figures.scored_captions)
        return elements.show_graph(figures.scored_captions, key="learn.score")
    result = figures.scored_captions.result
    elements.show_scored_captions(figures.scored_captions)
    names = lessons.tuple_names(result.candidate_tuples)
    marked_names = choice.pills(t("learn.mark"), dict(zip(names, names)), selection_mode="multi", key="learn.score.marked")
    references = " ".join(lessons.tuple_names(result.reference_tuples))
    st.html(f'<p class="sc-note">{escape(t("captions.reference", number="1–3"))}: {escape(references)}</p>')
    values: dict[str, Any] = {"marked": len(marked_names), "candidate": len(names), "reference": len(result.reference_tuples)}
    st.html(f'<p class="sc-count" role="status">{t("learn.marked", **values)}</p>')
    return None


def show_categories(figures: StepFigures, progress: StepProgress) -> None:
    """Show the captions and, after the answer, the score of each category. A click highlights a category's tuples."""
    if not progress.open:
        return elements.show_scored_captions(figures.scored_captions)
    captions.show_captions(figures.scored_captions)
    category_scores, rows = figures.scored_captions.result.scores, figures.scored_captions.explanation.rows
    names = {
        name: f"{tuples.category_label(name)} {page.display_style().format_ratio(category_scores[name].f1)}"
        for name in category_scores
        if name != "All"
    }
    highlighted_category = choice.pills(t("learn.light"), names, key="learn.categories.lit")
    highlighted_ids = [row.id for row in rows if highlighted_category in (row.kind.capitalize(), *row.categories)]
    elements.show_graph(figures.scored_captions, key="learn.categories", highlighted_rows=highlighted_ids)
    return None


def show_limits(figures: StepFigures, progress: StepProgress) -> None:
    """Show four pairs of captions, after the answer their scores, after Reveal the graph of a chosen pair."""
    captions_by_limit = {name: score_candidate(*pair) for name, pair in current_material().limits.items()}
    rows = (
        [escape(a), escape(b), page.display_style().format_ratio(captions_by_limit[name].result.f1) if progress.open else "?"]
        for name, (a, b) in current_material().limits.items()
    )
    st.html(table([t("captions.candidate"), t("captions.reference", number=1), "SPICE"], rows, css_class="sc-texts"))
    if not progress.is_revealed:
        return show_placeholder(t("learn.graph_later"))
    options = {name: scored_captions.inputs.candidate for name, scored_captions in captions_by_limit.items()}
    chosen_caption = choice.segmented_control(
        t("learn.pair"), options, key="learn.limits.pair", default="bites", label_visibility="collapsed"
    )
    return elements.show_graph(captions_by_limit[chosen_caption], key=f"learn.limits.{chosen_caption}")


def ask_wrong_tuples(step: TourStep, figures: StepFigures) -> StepProgress:
    """Let the visitor mark the wrong tuples of a parse. Each mark gets a verdict; Reveal shows the missed tuples."""
    names = lessons.tuple_names(figures.scored_captions.result.candidate_tuples)
    st.html(f'<p class="sc-ask">{escape(elements.step_text(step, "ask", figures))}</p>')
    chosen_ids = set(
        choice.pills(t("learn.wrong_tuples"), dict(zip(names, names)), selection_mode="multi", key=f"learn.{step.name}.marked")
    )
    items = ""
    for name, verdict, is_correct in lessons.judge_marks(chosen_ids, figures, is_revealed=elements.current_progress(step).is_revealed):
        note = t(f"learn.judged_{verdict}")
        items += f'<li class="sc-{"yes" if is_correct else "no"}">{escape(name)} <small>{note}</small></li>'
    if items:
        st.html(f'<ul class="sc-judged" role="status">{items}</ul>')
    right_ids = chosen_ids - figures.values["open"]
    verdict = (
        "" if not right_ids else "all" if right_ids == figures.right_choices else "part" if right_ids < figures.right_choices else "other"
    )
    learn_state().steps[step.name] = verdict
    if verdict:
        key = {"all": "right", "part": "some", "other": "wrong"}[verdict]
        elements.show_feedback(t(f"learn.{key}"), elements.step_text(step, f"{verdict}_why", figures), is_right=verdict == "all")
    return elements.ask_question(step, figures)


def show_readings(figures: StepFigures, progress: StepProgress) -> None:
    """Show the wrong tree and, after Reveal, the correct tree and both graphs side by side."""
    misread_parse, current_parse = figures.scored_captions.parses
    titled_parses = [(t("learn.earlier"), misread_parse), *([(t("learn.today"), current_parse)] if progress.is_revealed else [])]
    pictures = [(title, graphs.without_full_stop(s), (), ()) for title, parse in titled_parses for s in _parse_sentences(parse)]
    graphs.draw_trees(pictures, lang=current_material().lang)
    if progress.is_revealed:
        return elements.show_graph(figures.scored_captions, key="learn.read", view="both")
    return show_placeholder(t("learn.graph_later"))


def show_japanese(figures: StepFigures, progress: StepProgress) -> None:
    """Show the bunsetsu of a Japanese caption and, after the answer, its graph with the implicit subject."""
    pack = language("ja")
    sentences = [(s, pack.structure(s)) for s in _parse_sentences(figures.scored_captions.parses[0])]
    graphs.draw_unit_trees([(lessons.BOY_CAPTION, s, structure.units) for s, structure in sentences if structure], lang="ja")
    if not progress.open:
        return show_placeholder()
    rows = figures.scored_captions.explanation.rows
    highlighted_ids = [row.id for row in rows if row.kind == "relation" and row.parts[0] == "男の子"]
    return elements.show_graph(
        figures.scored_captions, key="learn.japanese", view="candidate", is_plain=True, highlighted_rows=highlighted_ids
    )


def _show_score_formula(scored_captions: ScoredCaptions) -> None:
    overall = scored_captions.result.overall
    line = f"P {format_count(overall.matched)}/{overall.candidate} · R {format_count(overall.recalled)}/{overall.reference} · F1 {page.display_style().format_ratio(overall.f1)}"
    st.html(f'<p class="sc-sum">{line}</p>')


def _parse_sentences(parse: object) -> tuple[Sentence, ...]:
    document = getattr(parse, "document", None)
    return document.sentences if document else ()


def show_verdicts(figures: StepFigures, progress: StepProgress) -> None:
    """Show the captions, after the answer a tuple for each verdict, after Reveal the graph."""
    scored_captions = figures.scored_captions
    if not progress.open:
        elements.show_scored_captions(scored_captions)
        return show_placeholder()
    captions.show_captions(scored_captions)
    headers = [t("learn.verdict"), t("learn.verdict_tuple"), t("learn.verdict_why")]
    rows = []
    for row in example_rows(scored_captions):
        reasons = "<br>".join(map(escape, texts.match_reason_texts(row, page.display_style())))
        rows.append([f"{tuples.state_mark(row.state)} {t(f'legend.{row.state}')}", tuples.tuple_html(row.parts), reasons])
    st.html(table(headers, rows, css_class="sc-texts sc-verdicts"))
    if progress.is_revealed:
        elements.show_graph(scored_captions, key="learn.meaning")
    else:
        st.html(f'<p class="sc-note">{t("learn.graph_later")}</p>')


def example_rows(scored_captions: ScoredCaptions) -> list[TupleRow]:
    """Return the candidate's first tuple of each verdict."""
    rows = [row for row in scored_captions.explanation.rows if row.side == "c"]
    row_by_state = {row.state: row for row in reversed(rows)}
    return [row for row in rows if row_by_state[row.state] is row]


SHOW_PICTURE_BY_NAME: Mapping[str, Callable[[StepFigures, StepProgress], None]] = {
    "ngrams": show_ngrams,
    "tree": show_tree,
    "tuples": show_kinds,
    "merge": show_merging,
    "match": show_synonyms,
    "score": show_counting,
    "categories": show_categories,
    "meaning": show_verdicts,
    "limits": show_limits,
    "read": show_readings,
    "people": human_order.show_picture,
    "japanese": show_japanese,
}
