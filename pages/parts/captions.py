"""The captions with the words that gave tuples marked by kind and state; a marked word puts its tuple in focus."""

from __future__ import annotations

from html import escape

import streamlit as st

from pages.parts.engine import Scored
from pages.parts.words import t
from spice_core.draw.evidence import Stretch, marked


def lines(scored: Scored) -> None:
    """Each caption on a line."""
    result = scored.result
    said = f"<dd lang={result.signature.lang}>"
    body = (f"<div><dt>{name}</dt>{said}{''.join(map(_stretch, line))}</dd></div>" for name, line in zip(scored.captions, marked(result)))
    st.html(f'<h3 class="sc-small">{t("captions.title")}</h3><dl class="sc-captions">{"".join(body)}</dl>')


def _stretch(stretch: Stretch) -> str:
    if not stretch.kind:
        return escape(stretch.text)
    said = f"{t(f'legend.{stretch.kind}')}, {t(f'legend.{stretch.state}')}"
    return f'<mark class="sc-{stretch.kind} sc-{stretch.state}" data-focus="{stretch.row}" title="{said}">{escape(stretch.text)}</mark>'
