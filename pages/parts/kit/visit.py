"""Which browser a visitor has, and whether the visitor is still there."""

from __future__ import annotations

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

COOKIE = "spice_core_visit"  # identifies the browser, so that links open what a visitor sent in that browser only


def browser() -> str:
    """The cookie that identifies the visitor's browser; empty if the browser sends no cookies."""
    return st.context.cookies.get(COOKIE, "")


def stop_if_closed() -> None:
    """Stop the script if its page was closed. Streamlit stops a script only when it draws, so long computations call this."""
    context = get_script_run_ctx(suppress_warning=True)
    if context and st.runtime.exists() and not st.runtime.get_instance().is_active_session(context.session_id):
        st.stop()
