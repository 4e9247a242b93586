"""The browser of a visitor, and whether the page is still connected."""

from __future__ import annotations

from hashlib import sha256

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

VISIT_COOKIE = "spice_core_visit"  # identifies the browser, because links to uploads work only in the browser that uploaded them


def browser_cookie() -> str:
    """Return the cookie that identifies the visitor's browser, or "" if the browser sends no cookies."""
    return st.context.cookies.get(VISIT_COOKIE, "")


def is_closed() -> bool:
    """Return whether the page of this script was closed. Streamlit stops a script only when the script sends an element."""
    context = get_script_run_ctx(suppress_warning=True)
    return bool(context and st.runtime.exists() and not st.runtime.get_instance().is_active_session(context.session_id))


def session_id() -> str:
    """Return a short text that identifies the session of the page. A reload starts a new session."""
    context = get_script_run_ctx(suppress_warning=True)
    return sha256(context.session_id.encode()).hexdigest()[:8] if context else ""
