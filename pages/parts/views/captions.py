"""The captions, with words marked by the kind and state of their tuple. A click on a word puts its tuple in focus."""

from collections.abc import Iterable, Sequence
from html import escape

import streamlit as st

from pages.parts.kit.texts import join_items, t
from pages.parts.state.engine import ScoredCaptions
from spice_core.explain.evidence import Passage, Span
from spice_core.scene.scores import format_count

_SHOWN_REASONS = ("frame", "negated", "unread", "content")  # reasons for content words; function words and pronouns are hidden


def show_captions(scored_captions: ScoredCaptions, *, side: str = "", is_plain: bool = False) -> None:
    """Show one caption per line: all captions, or only the ``side`` candidate or references. ``is_plain`` hides matches."""
    shown_slice = {"candidate": slice(0, 1), "references": slice(1, None)}.get(side, slice(None))
    passages = scored_captions.explanation.passages if not is_plain else [()] * len(scored_captions.caption_labels)
    captions = list(zip(scored_captions.caption_labels, scored_captions.explanation.captions, passages))[shown_slice]
    body = "".join(
        f"<div><dt>{name}</dt><dd lang={scored_captions.result.signature.lang}>{_marked_html(line, sentences) if sentences else _line_html(line, is_plain)}</dd></div>"
        for name, line, sentences in captions
    )
    st.html(
        f'<h3 class="sc-small">{t("captions.title")}</h3><dl class="sc-captions">{body}</dl>{"" if side else _unused_html(scored_captions)}'
    )


def captions_html(scored_captions: ScoredCaptions) -> list[str]:
    """Return the captions in the order of the fields, with the words of scored captions marked."""
    explanation = scored_captions.explanation
    marked_html = dict(
        zip([0, *(i + 1 for i in scored_captions.used_indices)], map(_marked_html, explanation.captions, explanation.passages))
    )
    texts, lang = (scored_captions.inputs.candidate, *scored_captions.inputs.references), scored_captions.result.signature.lang
    excluded_tag = f'<div class="sc-marked sc-off" lang="{lang}" title="{t("captions.off")}">'
    return [
        f'<div class="sc-marked" lang="{lang}">{marked_html[i]}</div>' if i in marked_html else f"{excluded_tag}{escape(text)}</div>"
        for i, text in enumerate(texts)
    ]


def _marked_html(line: Sequence[Span], sentences: Sequence[Passage]) -> str:
    return _sentences_html(sentences) if len(sentences) > 1 else _line_html(line, False)


def _sentences_html(sentences: Sequence[Passage]) -> str:
    """Return a caption as HTML with one row per sentence, and a button that shows its part of the graph."""
    rows = []
    for passage in sentences:
        score = passage.score
        label = t("sentences.covered" if score.caption else "sentences.found", matched=format_count(score.matched), total=score.tuples)
        count = f"{format_count(score.matched)}/{score.tuples}"
        button = (
            f'<button type="button" data-part="{passage.id}" aria-label="{label}. {t("sentences.show")}" title="{label}">{count}</button>'
        )
        rows.append(
            f'<p data-row="{passage.id}">{button if score.tuples else "<i>–</i>"}<span>{_line_html(passage.spans, False)}</span></p>'
        )
    return f'<div class="sc-sentences">{"".join(rows)}</div>'


def _line_html(spans: Iterable[Span], is_plain: bool) -> str:
    return "".join(_span_html(span, is_plain) for span in spans)


def named_captions_html(scored_captions: ScoredCaptions, *, is_plain: bool = True) -> list[tuple[str, str]]:
    """Return the label of each caption, and its text as HTML.

    Words are marked by kind and, unless ``is_plain``, by the state of their tuple.
    """
    return [(name, _line_html(line, is_plain)) for name, line in zip(scored_captions.caption_labels, scored_captions.explanation.captions)]


def show_unused_words(scored_captions: ScoredCaptions) -> None:
    """Show the content words of each caption that are in no tuple."""
    if unused_html := _unused_html(scored_captions):
        st.html(unused_html)


def _unused_html(scored_captions: ScoredCaptions) -> str:
    """Return each caption's unused content words as HTML, with the reasons as tooltips."""
    lines = []
    for name, unused_words in zip(scored_captions.caption_labels, scored_captions.explanation.unused_words):
        words = join_items(
            f'<span title="{escape(t(f"unused.{w.reason}", relation=w.relation))}">{escape(w.text)}</span>'
            for w in unused_words
            if w.reason in _SHOWN_REASONS
        )
        lines += [f"{words} ({name})"] if words else []
    return f'<p class="sc-note sc-silent">{t("unused.title")} {" · ".join(lines)}</p>' if lines else ""


def _span_html(span: Span, is_plain: bool) -> str:
    if not span.kind:
        return escape(span.text)
    if is_plain:
        return f'<mark class="sc-{span.kind}" data-focus="{span.row}" title="{t(f"legend.{span.kind}")}">{escape(span.text)}</mark>'
    title = f"{t(f'legend.{span.kind}')}, {t(f'legend.{span.state}')}"
    return f'<mark class="sc-{span.kind} sc-{span.state}" data-focus="{span.row}" title="{title}">{escape(span.text)}</mark>'
