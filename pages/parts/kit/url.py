"""The page's URL, which stores the state that a link restores."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

DefaultType = TypeVar("DefaultType", str, None)
_PENDING_CHANGES: ContextVar[dict[str, str | None] | None] = ContextVar(
    "changes", default=None
)  # changes of the URL that are written in one step
PAGE_PARAM = "page"  # state key of the name of the current page, and prefix of the keys of saved parameters


def widget_key(name: str) -> str:
    """Return the key of a widget of the current page, such as batch.percent."""
    return f"{st.session_state[PAGE_PARAM]}.{name}"


def requested_param(name: str, allowed_values: Iterable[str], default: DefaultType) -> str | DefaultType:
    """Return the value of a URL parameter, or the default if the value is not allowed."""
    value = st.query_params.get(name)
    return default if value is None or value not in allowed_values else value


def quote_value(value: str, max_chars: int = 40) -> str:
    """Shorten a URL value for a message."""
    return value if len(value) <= max_chars else f"{value[:max_chars]}…"


def init_from_param(widget: str, name: str, allowed_values: Iterable[str], default: str | None) -> None:
    """Initialise a widget from a URL parameter or to the default, unless it has a state."""
    if widget not in st.session_state:
        st.session_state[widget] = requested_param(name, allowed_values, default)


def set_param(name: str, value: str | None, default: str | None = "") -> None:
    """Set a parameter of the URL, or remove it if the value is the default.

    None as ``value`` changes nothing unless None is the default. The saved parameters are compared too, because a browser that sends a
    request before it has read the last response sends an outdated URL.
    """
    params, stored_value = current_params(), None if value == default else value
    if value is None and default is not None:
        return
    if {st.query_params.get(name), params.pop(name, None)} != {stored_value}:
        _write_params({name: stored_value})
    st.session_state[f"{PAGE_PARAM}.{st.session_state.get(PAGE_PARAM)}"] = params | (
        {name: stored_value} if stored_value is not None else {}
    )


def current_params() -> dict[str, str]:
    """Return the page's URL parameters, including changes collected by ``write_together``."""
    return dict(st.session_state.get(f"{PAGE_PARAM}.{st.session_state.get(PAGE_PARAM)}", st.query_params.to_dict()))


@contextmanager
def write_together() -> Iterator[None]:
    """Collect all changes of a block in one URL change, because each adds an entry to the browser's history."""
    changes: dict[str, str | None] = {}
    token = _PENDING_CHANGES.set(changes)
    try:
        yield
    finally:
        _PENDING_CHANGES.reset(token)
        if changes:
            _write_params(changes)


def _write_params(changes: Mapping[str, str | None]) -> None:
    """Set parameters of the URL (None removes one), or collect the changes within ``write_together``."""
    if (pending_changes := _PENDING_CHANGES.get()) is not None:
        pending_changes.update(changes)
    else:
        st.query_params.from_dict({n: v for n, v in (st.query_params.to_dict() | dict(changes)).items() if v is not None})


def save_restored_params() -> None:
    """Save the parameters of a URL reached by navigation back or forward."""
    st.session_state[f"{PAGE_PARAM}.{st.session_state.get(PAGE_PARAM)}"] = st.query_params.to_dict()


def has_gone_back() -> bool:
    """Return whether the visitor reached this URL by navigation back or forward."""
    context = get_script_run_ctx(suppress_warning=True)
    return context is not None and context.is_history_navigation


def saved_params(page: str) -> dict[str, str]:
    """Return the URL parameters that a page had when the visitor left it, or {}."""
    return st.session_state.get(f"{PAGE_PARAM}.{page}", {})
