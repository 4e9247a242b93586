"""Which browser a visitor has, and whether the visitor is still there."""

from __future__ import annotations

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

COOKIE = "spice_core_visit"  # tells one browser from another, so that nobody else's link opens what a visitor sent


def browser() -> str:
    """What tells the visitor's browser from others; empty where it keeps no cookies."""
    return st.context.cookies.get(COOKIE, "")


def end_if_left() -> None:
    """End the script if its page was closed. Streamlit tells it only when it draws; what computes for seconds asks now and then."""
    context = get_script_run_ctx(suppress_warning=True)
    if context and st.runtime.exists() and not st.runtime.get_instance().is_active_session(context.session_id):
        st.stop()
