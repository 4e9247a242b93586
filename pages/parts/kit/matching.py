"""The choice between exact matching and matching by meaning, which all pages share."""

from typing import Any

import streamlit as st

from pages.parts.kit import choice, url
from pages.parts.kit.texts import t

MATCHING_PARAM = "matching"  # state key of the choice, and its parameter in the URL
MATCHING_CHOICES = ("exact", "meaning")
_SWITCH_KEY = f"{MATCHING_PARAM}.switch"


def restore() -> None:
    """Apply the matching in the URL (by default exact) when a session starts and after navigation back or forward."""
    if MATCHING_PARAM not in st.session_state or url.has_gone_back():
        st.session_state[MATCHING_PARAM] = url.requested_param(MATCHING_PARAM, MATCHING_CHOICES, MATCHING_CHOICES[0])


def is_by_meaning() -> bool:
    """Return whether tuples entailed by the other side count as matched."""
    return st.session_state.get(MATCHING_PARAM) == "meaning"


def choose_matching(by_meaning: bool) -> None:
    """Choose matching by meaning or exact matching on all pages."""
    st.session_state[MATCHING_PARAM] = MATCHING_CHOICES[by_meaning]


def choose() -> None:
    """Show the switch between exact matching and matching by meaning, which applies to all pages."""
    st.session_state[_SWITCH_KEY] = st.session_state[MATCHING_PARAM]
    options: dict[str, Any] = {"label_visibility": "collapsed", "width": "content", "help": t("matching.help"), "on_change": _follow_switch}
    choice.segmented_control(t("matching.title"), {way: t(f"matching.{way}") for way in MATCHING_CHOICES}, key=_SWITCH_KEY, **options)


def _follow_switch() -> None:
    st.session_state[MATCHING_PARAM] = st.session_state[_SWITCH_KEY] or st.session_state[MATCHING_PARAM]


def write_url() -> None:
    """Write the choice to the URL."""
    url.set_param(MATCHING_PARAM, st.session_state[MATCHING_PARAM], MATCHING_CHOICES[0])
