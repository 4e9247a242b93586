"""The choice between exact matching and matching by meaning, which all pages share."""

from typing import Any

import streamlit as st

from pages.parts.kit import choice, url
from pages.parts.kit.texts import t

PARAM = "matching"  # state key of the choice, and its parameter in the URL
WAYS = ("exact", "meaning")
_SWITCH_KEY = f"{PARAM}.switch"


def restore() -> None:
    """Apply the matching in the URL (by default exact) when a session starts and after navigation back or forward."""
    if PARAM not in st.session_state or url.has_gone_back():
        follow_url()


def follow_url() -> None:
    """Apply the matching in the URL, by default exact."""
    st.session_state[PARAM] = url.requested_param(PARAM, WAYS, WAYS[0])


def is_by_meaning() -> bool:
    """Return whether tuples entailed by the other side count as matched."""
    return st.session_state.get(PARAM) == "meaning"


def choose_matching(by_meaning: bool) -> None:
    """Choose matching by meaning or exact matching on all pages."""
    st.session_state[PARAM] = WAYS[by_meaning]


def choose() -> None:
    """Show the switch between exact matching and matching by meaning, which applies to all pages."""
    st.session_state[_SWITCH_KEY] = st.session_state[PARAM]
    options: dict[str, Any] = {"label_visibility": "collapsed", "width": "content", "help": t("matching.help"), "on_change": _follow_switch}
    choice.segmented_control(t("matching.title"), {way: t(f"matching.{way}") for way in WAYS}, key=_SWITCH_KEY, **options)


def _follow_switch() -> None:
    st.session_state[PARAM] = st.session_state[_SWITCH_KEY] or st.session_state[PARAM]


def write_url() -> None:
    """Write the choice to the URL."""
    url.set_param(PARAM, st.session_state[PARAM], WAYS[0])
