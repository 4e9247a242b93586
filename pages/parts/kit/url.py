"""The page's address: the state that a link restores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

Default = TypeVar("Default", str, None)
_CHANGES: ContextVar[dict[str, str | None] | None] = ContextVar("changes", default=None)  # of the address, to be written together
PAGE = "page"  # the name of the page that is shown


def requested(name: str, known: Iterable[str], default: Default) -> str | Default:
    """The value in the address if it is known, else the default."""
    value = st.query_params.get(name)
    return default if value is None or value not in known else value


def quote_value(value: str, most: int = 40) -> str:
    """A value of the address as a message quotes it."""
    return value if len(value) <= most else f"{value[:most]}…"


def accept_old_name(old: str, new: str) -> None:
    """Read a parameter under the name that it had until 0.2."""
    if old in st.query_params:
        st.query_params.setdefault(new, st.query_params[old])
        set_param(old, "")


def init_from_param(widget: str, name: str, known: Iterable[str], default: str | None) -> None:
    """Initialise a widget from the address."""
    if widget not in st.session_state:
        st.session_state[widget] = requested(name, known, default)


def set_param(name: str, value: str | None, default: str | None = "") -> None:
    """Put a value into the address, or remove it if it is the default.

    A browser that asks before it has read the last answer still names the address of before it, so what was kept last counts too.
    """
    kept, written = current_params(), None if value == default else value
    if value is None and default is not None:
        return
    if {st.query_params.get(name), kept.pop(name, None)} != {written}:
        _write({name: written})
    st.session_state[f"{PAGE}.{st.session_state.get(PAGE)}"] = kept | ({name: written} if written is not None else {})


def current_params() -> dict[str, str]:
    """What the address of this page holds, or will once it is written."""
    return dict(st.session_state.get(f"{PAGE}.{st.session_state.get(PAGE)}", st.query_params.to_dict()))


@contextmanager
def write_together() -> Iterator[None]:
    """Write what is kept meanwhile at once: each change of the address is a step of its own on the way back."""
    changes: dict[str, str | None] = {}
    token = _CHANGES.set(changes)
    try:
        yield
    finally:
        _CHANGES.reset(token)
        if changes:
            _write(changes)


def _write(changes: Mapping[str, str | None]) -> None:
    """Change parameters of the address, now or with others; None removes one. An address that stays the same is sent once more."""
    if (waiting := _CHANGES.get()) is not None:
        waiting.update(changes)
    else:
        st.query_params.from_dict({n: v for n, v in (st.query_params.to_dict() | dict(changes)).items() if v is not None})


def follow() -> None:
    """Let the address be what the visitor went back to, and not what a page put there."""
    st.session_state[f"{PAGE}.{st.session_state.get(PAGE)}"] = st.query_params.to_dict()


def has_gone_back() -> bool:
    """Whether the address is one that the visitor went back or forward to; else a page put it there, or a link at the first visit."""
    context = get_script_run_ctx(suppress_warning=True)
    return context is not None and context.is_history_navigation


def saved_params(page: str) -> dict[str, str]:
    """What the address held when the visitor left a page, so that the way back there finds it."""
    return st.session_state.get(f"{PAGE}.{page}", {})
