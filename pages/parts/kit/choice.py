"""Choices of one of several options, whose labels may change."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, TypeVar

import streamlit as st

T = TypeVar("T")


def one_of(label: str, options: Mapping[T, str], *, key: str, default: T | None = None, **settings: Any) -> T:
    """A segmented control of options with their labels; returns the choice, by default the first option.

    Streamlit knows options by their labels, and returns None where a browser sends a label that has changed since
    (a number in it, the language); then the last choice holds.
    """
    first = next(iter(options)) if default is None else default
    begun: dict[str, Any] = {} if key in st.session_state else {"default": first}
    chosen = st.segmented_control(label, list(options), key=key, format_func=options.__getitem__, required=True, **begun, **settings)
    if chosen not in options:
        chosen = last_choice(key, options, first)
    st.session_state[_memory(key)] = chosen
    return chosen


def in_list(label: str, options: Mapping[T, str], *, key: str, place: Any = st, **settings: Any) -> T:
    """A select box of options with their labels; returns the choice, None only where ``index`` is None and nothing is chosen.

    A browser goes on showing the label of the choice after it has changed (a number in it, the language), and sends it: then the choice
    is said again, so that it is shown with its new label.
    """
    state = st.session_state
    chosen: Any = state.get(key)
    before: Any = state.get(_memory(key))
    if again := before in options and ((chosen == before and options[before] != state.get(_label(key))) or chosen not in (None, *options)):
        state[key] = before
    index = settings.pop("index", 0)
    begun = 0 if again and index else index  # Streamlit warns of a widget that begins with two values
    found: T = place.selectbox(label, list(options), begun, key=key, format_func=options.__getitem__, **settings)
    state[_memory(key)], state[_label(key)] = found, options.get(found)
    return found


def last_choice(key: str, options: Collection[T], default: T) -> T:
    """The last choice, if it is still an option."""
    chosen = st.session_state.get(_memory(key), default)
    return chosen if chosen in options else default


def _memory(key: str) -> str:
    return f"{key}.last"


def _label(key: str) -> str:
    return f"{key}.label"
