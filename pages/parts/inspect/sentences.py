"""Scores by sentence: precision for each sentence of the candidate, and recall for each sentence of the references."""

from __future__ import annotations

from html import escape

import streamlit as st

from pages.parts.kit.html import table
from pages.parts.kit.texts import t
from pages.parts.state.engine import ScoredCaptions
from spice_core.draw.style import DisplayStyle
from spice_core.scene.scores import format_count


def show_sentence_scores(scored_captions: ScoredCaptions, *, key: str, style: DisplayStyle) -> None:
    """Show an expander with the score of each sentence, if a caption has several sentences."""
    if not scored_captions.result.sentences:
        return
    expander = st.expander(t("sentences.title"), key=f"{key}.sentences", on_change="rerun")
    if not expander.open:
        return
    with expander:
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
