"""A link to the Rules page with the caption and words of the tuple in focus."""

from __future__ import annotations

import streamlit as st

from pages.parts.kit.texts import t
from pages.parts.state import links
from pages.parts.state.engine import ScoredCaptions
from spice_core.explain.evidence import TupleRow


def offer_rules_link(scored_captions: ScoredCaptions, row: TupleRow, *, key: str) -> None:
    """Show a link to Rules, which explains why the candidate has the words of a tuple but not the tuple, or which rules yield the tuple."""
    address, explains_rules = links.tuple_link(scored_captions, row)
    if address:
        st.link_button(t("detail.why_rules" if explains_rules else "detail.rules_page"), address, key=f"{key}.rules", type="tertiary")
