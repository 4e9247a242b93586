"""The page's address: the state that a link restores."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

Default = TypeVar("Default", str, None)
PAGE = "page"  # the name of the page that is shown


def asked(name: str, known: Iterable[str], default: Default) -> str | Default:
    """The value in the address if it is known, else the default."""
    value = st.query_params.get(name)
    return default if value is None or value not in known else value


def quoted(value: str, most: int = 40) -> str:
    """A value of the address as a message quotes it."""
    return value if len(value) <= most else f"{value[:most]}…"


def renamed(old: str, new: str) -> None:
    """Read a parameter under the name that it had until 0.2."""
    if old in st.query_params:
        st.query_params.setdefault(new, st.query_params[old])
        keep(old, "")


def start(widget: str, name: str, known: Iterable[str], default: str | None) -> None:
    """Initialise a widget from the address."""
    if widget not in st.session_state:
        st.session_state[widget] = asked(name, known, default)


def keep(name: str, value: str | None, default: str | None = "") -> None:
    """Put a value into the address, or remove it if it is the default.

    A browser that asks before it has read the last answer still names the address of before it, so what was kept last counts too.
    """
    page = f"{PAGE}.{st.session_state.get(PAGE)}"
    kept = dict(st.session_state.get(page, st.query_params.to_dict()))
    known = {st.query_params.get(name), kept.get(name)}
    if value == default:
        kept.pop(name, None)
        if name in st.query_params:
            del st.query_params[name]
        elif known != {None}:
            st.query_params.from_dict(st.query_params.to_dict())  # says it once more
    elif value is not None:
        kept[name] = value
        if known != {value}:
            st.query_params[name] = value
    st.session_state[page] = kept


def went_back() -> bool:
    """Whether the address is one that the visitor went back or forward to; else a page put it there, or a link at the first visit."""
    context = get_script_run_ctx(suppress_warning=True)
    return context is not None and context.is_history_navigation


def left(page: str) -> dict[str, str]:
    """What the address held when the visitor left a page, so that the way back there finds it."""
    return st.session_state.get(f"{PAGE}.{page}", {})
