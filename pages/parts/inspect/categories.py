"""Precision, recall and F1 by category, and scores by sentence.

The visitor can choose a category, which highlights its tuples and filters the table.
"""

from collections.abc import Mapping
from html import escape

import streamlit as st

from pages.parts.kit import html, url
from pages.parts.kit.choice import drawer
from pages.parts.kit.html import table
from pages.parts.kit.texts import join_items, t
from pages.parts.state.engine import ScoredCaptions
from pages.parts.views import component, tuples
from spice_core.draw.design import KIND_BY_CATEGORY
from spice_core.draw.style import DisplayStyle
from spice_core.explain.evidence import TupleRow
from spice_core.scene.scores import OVERALL, Score, format_count


def chosen_rows(scored_captions: ScoredCaptions) -> list[TupleRow]:
    """Return the tuples of the chosen category, or all tuples. The visitor or the URL chooses the category."""
    names, widget = _category_names(scored_captions.result.scores), "inspect.category"
    url.init_from_param(widget, "category", names, None)
    if st.session_state[widget] not in names:
        st.session_state[widget] = None
    chosen_category = st.session_state[widget]
    return [row for row in scored_captions.explanation.rows if chosen_category in (None, row.kind.capitalize(), *row.categories)]


def choose_category(scored_captions: ScoredCaptions, *, style: DisplayStyle) -> None:
    """Show a bar for each category. A click on a bar selects its category, and a second click deselects it."""
    category_scores = scored_captions.result.scores
    names, widget = _category_names(category_scores), "inspect.category"
    chosen_category = st.session_state[widget]

    def handle_click(name: str) -> None:
        st.session_state[widget] = None if st.session_state[widget] == name else name

    scores_text = join_items(f"{name} {style.format_ratio(category_scores[k].f1)}" for k, name in names.items())
    bars = [category_bar(k, name, category_scores[k], style, is_chosen=chosen_category == k) for k, name in names.items()]
    component.show_bars(
        t("categories.alt", values=scores_text), bars, hint=t("categories.counts"), on_choice=handle_click, key="inspect.bars"
    )
    url.set_param("category", chosen_category, None)


def category_bar(category: str, name: str, score: Score, style: DisplayStyle, *, is_chosen: bool) -> component.BarRow:
    """Return the bar of a category, without ratios if the references have no tuples in it."""
    f1, precision, recall = (score.f1, score.precision, score.recall) if score.defined else (None, None, None)
    matched_count, kind = format_count(score.matched), KIND_BY_CATEGORY.get(category, "attribute")
    counts = f"{matched_count}/{score.candidate} · {format_count(score.recalled)}/{score.reference}"
    return component.BarRow(category, name, kind, f1, precision, recall, style.format_ratio(score.f1), counts, is_chosen)


def _category_names(scores_by_category: Mapping[str, Score]) -> dict[str, str]:
    return {k: tuples.category_label(k) for k in scores_by_category if k != OVERALL}


def show_table(scored_captions: ScoredCaptions, *, style: DisplayStyle) -> None:
    """Show a table of F1, precision, recall and counts by category."""
    category_scores, names = scored_captions.result.scores, _category_names(scored_captions.result.scores)
    headers = [t(f"categories.{k}") for k in ("category", "f1")] + [t("score.precision"), t("score.recall")]
    headers += [t(f"categories.{k}") for k in ("matched", "candidate", "references")]
    body = []
    for key, name in {OVERALL: tuples.category_label(OVERALL), **names}.items():
        score = category_scores[key]
        ratios = [style.format_ratio(value) for value in (score.f1, score.precision, score.recall)]
        body.append([escape(name), *ratios, format_count(score.matched), str(score.candidate), str(score.reference)])
    st.html(html.table(headers, body) + f'<p class="sc-note">{t("categories.note")}</p>')


@drawer("sentences.title", "inspect.sentences")
def show_sentence_scores(scored_captions: ScoredCaptions, *, style: DisplayStyle) -> None:
    """Show an expander with the score of each sentence."""
    headers = [t(f"sentences.{name}") for name in ("sentence", "measure", "matched")]
    body = (
        [
            f"<small>{scored_captions.caption_labels[sentence.caption]}</small> {escape(sentence.text)}",
            f"{t('score.recall' if sentence.caption else 'score.precision')} {style.format_ratio(sentence.ratio)}",
            t("sentences.of", matched=format_count(sentence.matched), total=sentence.tuples),
        ]
        for sentence in scored_captions.result.sentences
    )
    st.html(table(headers, body) + f'<p class="sc-note">{t("sentences.note")}</p>')
