"""The browser of a visitor, the state of the visit, and whether the page is still connected."""

from hashlib import sha256
from typing import TypeVar

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

State = TypeVar("State")
VISIT_COOKIE = "spice_core_visit"  # identifies the browser, because links to uploads work only in the browser of the upload


def browser_cookie() -> str:
    """Return the cookie that identifies the visitor's browser, or "" if the browser sends no cookies."""
    return st.context.cookies.get(VISIT_COOKIE, "")


def state_of_visit(state_type: type[State]) -> State:
    """Return a page's state of the visit, such as a ``BatchState``, initially with default values."""
    if state_type.__name__ not in st.session_state:
        st.session_state[state_type.__name__] = state_type()
    return st.session_state[state_type.__name__]


def is_closed() -> bool:
    """Return whether the script's page was closed. Streamlit stops a script only when it sends an element."""
    context = get_script_run_ctx(suppress_warning=True)
    return bool(context and st.runtime.exists() and not st.runtime.get_instance().is_active_session(context.session_id))


def session_id() -> str:
    """Return a short id of the page's session. A reload starts a new session."""
    context = get_script_run_ctx(suppress_warning=True)
    return sha256(context.session_id.encode()).hexdigest()[:8] if context else ""
