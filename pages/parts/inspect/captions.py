"""The captions, their words marked by kind and state of the tuple; a click on a word puts its tuple in focus."""

from __future__ import annotations

from html import escape

import streamlit as st

from pages.parts.kit.texts import t
from pages.parts.session.engine import Scored
from spice_core.explain.evidence import Span

_LISTED = ("unread", "content")  # reasons of the unused words that are listed: not function words and pronouns


def lines(scored: Scored) -> None:
    """One caption per line."""
    text = f"<dd lang={scored.result.signature.lang}>"
    captions = zip(scored.captions, scored.explanation.captions)
    body = "".join(f"<div><dt>{name}</dt>{text}{''.join(map(_span, line))}</dd></div>" for name, line in captions)
    st.html(f'<h3 class="sc-small">{t("captions.title")}</h3><dl class="sc-captions">{body}</dl>{_unused(scored)}')


def _unused(scored: Scored) -> str:
    """The words of each caption without a tuple, each with the reason."""
    lines = []
    for name, unused in zip(scored.captions, scored.explanation.unused):
        words = ", ".join(
            f'<span title="{escape(t(f"unused.{w.reason}", relation=w.relation))}">{escape(w.token.text)}</span>'
            for w in unused
            if w.reason in _LISTED
        )
        lines += [f"{words} ({name})"] if words else []
    return f'<p class="sc-note sc-silent">{t("unused.title")} {" · ".join(lines)}</p>' if lines else ""


def _span(span: Span) -> str:
    if not span.kind:
        return escape(span.text)
    title = f"{t(f'legend.{span.kind}')}, {t(f'legend.{span.state}')}"
    return f'<mark class="sc-{span.kind} sc-{span.state}" data-focus="{span.row}" title="{title}">{escape(span.text)}</mark>'
