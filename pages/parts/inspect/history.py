"""Navigation back and forward: restore the captions and choices of the URL."""

from __future__ import annotations

import streamlit as st

from pages.parts.kit import url
from pages.parts.state import examples, links, settings
from pages.parts.state.engine import CaptionInputs, ScoredCaptions
from spice_core.errors import InputError

_VIEW_KEYS = ("view", "show", "category", "focus", "used")


def follow_address(*, key: str) -> None:
    """After navigation back or forward, restore the captions, references and view of the URL."""
    if not url.has_gone_back():
        return
    url.save_restored_params()
    for name in [f"{key}.{view_key}{suffix}" for view_key in _VIEW_KEYS for suffix in ("", ".last", ".label")]:
        st.session_state.pop(name, None)
    st.session_state.pop(f"{key}.counted", None)
    scored_captions: ScoredCaptions | None = st.session_state.get(f"{key}.scored")
    _restore_captions(scored_captions.inputs if scored_captions else None, key=key)


def _restore_captions(current_inputs: CaptionInputs | None, *, key: str) -> None:
    """Fill the form with the captions of the URL, unless the page already shows them."""
    token, name = st.query_params.get("t", ""), st.query_params.get("example", "")
    opened_captions, opened_token = st.session_state.get(f"{key}.opened", (None, ""))
    current_name = examples.example_id_of(current_inputs) if current_inputs else ""
    if token and not (current_inputs and current_inputs == opened_captions and token == opened_token):
        try:
            captions, config = links.unpack_captions(token)
        except InputError:
            return
        examples.fill_form(captions, key=key)
        settings.apply_settings(config, key=key)
        st.session_state[f"{key}.opened"] = captions, token
        st.session_state.pop(f"{key}.scored", None)
    elif name in examples.examples_by_id() and name != current_name:
        examples.load_example(name, key=key)
    elif not token and not name and (current_name or current_inputs == opened_captions):
        _fill_in_captions(current_name, key=key)


def _fill_in_captions(current_name: str, *, key: str) -> None:
    """Fill the form with the captions that the visitor typed or, if there are none, with the first example."""
    if st.session_state.get(f"{key}.own"):
        examples.restore_captions(key=key)
    elif current_name != (default_name := examples.first_example_id()):
        examples.load_example(default_name, key=key)
        st.session_state.pop(f"{key}.own", None)  # load_example stored the captions of the link here; the visitor can go forward to them
