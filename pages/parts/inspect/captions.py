"""The captions, their words marked by kind and state of the tuple; a click on a word puts its tuple in focus."""

from __future__ import annotations

from html import escape

import streamlit as st

from pages.parts.kit.texts import t
from pages.parts.session.engine import Scored, engine
from spice_core.explain.evidence import Stretch, marked
from spice_core.explain.unused_words import unused


def lines(scored: Scored) -> None:
    """One caption per line."""
    result = scored.result
    said = f"<dd lang={result.signature.lang}>"
    body = (f"<div><dt>{name}</dt>{said}{''.join(map(_stretch, line))}</dd></div>" for name, line in zip(scored.captions, marked(result)))
    st.html(f'<h3 class="sc-small">{t("captions.title")}</h3><dl class="sc-captions">{"".join(body)}</dl>{_silent(scored)}')


def _silent(scored: Scored) -> str:
    """The words of each caption without a tuple, each with the reason; function words and pronouns are listed separately."""
    rules, lines = engine(scored.settings).rules, []
    for name, parse in zip(scored.captions, (scored.result.candidate, *scored.result.references)):
        words = [word for word in unused(parse, rules) if word.reason in ("unread", "content")]
        said = ", ".join(
            f'<span title="{escape(t(f"unused.{w.reason}", relation=w.relation))}">{escape(w.token.text)}</span>' for w in words
        )
        lines += [f"{said} ({name})"] if words else []
    return f'<p class="sc-note sc-silent">{t("unused.title")} {" · ".join(lines)}</p>' if lines else ""


def _stretch(stretch: Stretch) -> str:
    if not stretch.kind:
        return escape(stretch.text)
    said = f"{t(f'legend.{stretch.kind}')}, {t(f'legend.{stretch.state}')}"
    return f'<mark class="sc-{stretch.kind} sc-{stretch.state}" data-focus="{stretch.row}" title="{said}">{escape(stretch.text)}</mark>'
