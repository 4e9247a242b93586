"""Navigation back and forward: restore the captions and choices of the URL."""

import streamlit as st

from pages.parts.kit import url
from pages.parts.state import examples, links, settings
from pages.parts.state.engine import CaptionInputs
from pages.parts.state.inspect_state import OpenedLink, inspect_state
from spice_core.errors import InputError

_VIEW_KEYS = ("view", "show", "category", "focus", "used")


def follow_address() -> None:
    """After navigation back or forward, restore the captions, references and view of the URL."""
    if not url.has_gone_back():
        return
    url.save_restored_params()
    for name in [f"inspect.{view_key}{suffix}" for view_key in _VIEW_KEYS for suffix in ("", ".last", ".label")]:
        st.session_state.pop(name, None)
    inspect_state().used_references = None
    scored_captions = inspect_state().scored
    _restore_captions(scored_captions.inputs if scored_captions else None)


def _restore_captions(current_inputs: CaptionInputs | None) -> None:
    """Fill the form with the captions of the URL, unless the page already shows them."""
    token, name = st.query_params.get("t", ""), st.query_params.get("example", "")
    opened_captions, opened_token = inspect_state().opened_link
    current_name = examples.example_id_of(current_inputs) if current_inputs else ""
    if token and not (current_inputs and current_inputs == opened_captions and token == opened_token):
        try:
            captions, config = links.unpack_captions(token)
        except InputError:
            return
        examples.fill_form(captions)
        settings.apply_settings(config)
        inspect_state().opened_link = OpenedLink(captions, token)
        inspect_state().scored = None
    elif name in examples.examples_by_id() and name != current_name:
        examples.load_example(name)
    elif not token and not name and (current_name or current_inputs == opened_captions):
        _fill_in_captions(current_name)


def _fill_in_captions(current_name: str) -> None:
    """Fill the form with the captions that the visitor typed or, if there are none, with the first example."""
    if inspect_state().custom_inputs:
        examples.restore_captions()
    elif current_name != (default_name := examples.first_example_id()):
        examples.load_example(default_name)
        inspect_state().custom_inputs = None  # load_example stored the captions of the link here; the visitor can go forward to them
