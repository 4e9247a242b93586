"""The way back: the address says what was chosen before, and the page follows it."""

from __future__ import annotations

import streamlit as st

from pages.parts.kit import url
from pages.parts.state import examples, links, settings
from pages.parts.state.engine import Inputs, Scored
from spice_core.errors import InputError

_VIEW = ("view", "show", "category", "focus", "used")


def follow(*, key: str) -> None:
    """Where the visitor went back or forward: the captions, references and view that the address names."""
    if not url.has_gone_back():
        return
    url.follow()
    for name in [f"{key}.{each}{memory}" for each in _VIEW for memory in ("", ".last", ".label")]:
        st.session_state.pop(name, None)
    st.session_state.pop(f"{key}.counted", None)
    scored: Scored | None = st.session_state.get(f"{key}.scored")
    _captions(scored.inputs if scored else None, key=key)


def _captions(shown: Inputs | None, *, key: str) -> None:
    """Fill the form with the captions of the address, unless it shows them."""
    token, name = st.query_params.get("t", ""), st.query_params.get("example", "")
    opened, opened_token = st.session_state.get(f"{key}.opened", (None, ""))
    here = examples.example_of(shown) if shown else ""
    if token and not (shown and shown == opened and token == opened_token):
        try:
            captions, config = links.unpack(token)
        except InputError:
            return
        examples.fill(captions, key=key)
        settings.put(config, key=key)
        st.session_state[f"{key}.opened"] = captions, token
        st.session_state.pop(f"{key}.scored", None)
    elif name in examples.examples() and name != here:
        examples.load(name, key=key)
    elif not token and not name and (here or shown == opened):
        _default_captions(here, key=key)


def _default_captions(here: str, *, key: str) -> None:
    """An address that names nothing is that of the visitor's own captions, or of the first example."""
    if st.session_state.get(f"{key}.own"):
        examples.restore(key=key)
    elif here != (first := next(iter(examples.examples()))):
        examples.load(first, key=key)
        st.session_state.pop(f"{key}.own", None)  # captions of a link, to which one can go forward
