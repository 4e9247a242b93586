"""Storage in the browser tab and navigation: edited rules and captions survive a reload, and Back restores the captions of the URL."""

import streamlit as st

from pages.parts.inspect import inputs
from pages.parts.kit import url, visit
from pages.parts.state import engine, examples, links, settings
from pages.parts.state.engine import CaptionInputs
from pages.parts.state.inspect_state import OpenedLink, UsedReferences, inspect_state
from pages.parts.views import component
from spice_core import SpiceConfig
from spice_core.errors import InputError, SpiceError, encodable_text

_VIEW_KEYS = ("view", "show", "category", "focus", "used")


def restore_from_url() -> None:
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
        if inspect_state().custom_inputs:
            examples.restore_captions()
        elif current_name != (default_name := examples.first_example_id()):
            examples.load_example(default_name)
            inspect_state().custom_inputs = None  # load_example stored the captions of the link here; the visitor can go forward to them


_RULE_SETTINGS = ("lang", "parser", "rules", "synonyms", "rules_text")  # settings stored together with edited rules
_MAX_RULES_CHARS = 200_000  # maximum number of characters of the stored settings and rules together


def request_stored_content() -> None:
    """Once per session, request the rules and captions stored in the tab. Captions in the URL take precedence over stored captions."""
    state = inspect_state()
    if not state.tab_request:
        state.tab_request = visit.session_id()
        state.starts_with_link = bool(st.query_params.keys() & {"example", "t"})


def store_captions(captions: CaptionInputs, config: SpiceConfig) -> None:
    """Store edited rules in the tab and, unless the URL restores them, the captions with settings and chosen references."""
    opened_captions, _ = inspect_state().opened_link
    is_custom = captions != opened_captions and (captions.candidate or captions.references) and not examples.example_id_of(captions)
    content: dict[str, object] = {}
    if is_custom:  # also store what links omit
        used = inspect_state().used_references
        indices = st.session_state.get("inspect.used", used.indices) if used and used.texts == captions.references else []
        is_automatic = inputs.chosen_language() == inputs.AUTOMATIC
        content = links.link_content(captions, config) | {"used": indices, "auto": is_automatic}
        content["categories"] = st.session_state.get("inspect.categories", "")
    rules = {name: getattr(config, name) for name in _RULE_SETTINGS} if config.rules_text else {}
    component.exchange_with_tab(content, rules, ask=inspect_state().tab_request, on_content=restore_captions, key="inspect")


def restore_captions(content: object) -> None:
    """Restore the rules stored in the tab and, unless the URL contained captions, the stored captions. Ignore invalid data.

    The page then scores the captions.
    """
    _restore_settings(content.get("rules") if isinstance(content, dict) else None)
    if inspect_state().starts_with_link:
        return
    try:
        captions, config = links.read_link_content(content, quoted_text="")
    except InputError:
        return
    entries = content if isinstance(content, dict) else {}
    examples.fill_form(captions)
    settings.apply_settings(config)
    if entries.get("auto") is True:
        st.session_state["inspect.lang"] = inputs.AUTOMATIC
    value = entries.get("categories")
    st.session_state["inspect.categories"] = (
        encodable_text(value) if isinstance(value, str) and len(value) <= engine.MAX_TOTAL_CHARS else ""
    )
    st.session_state.pop("inspect.used", None)
    indices = entries.get("used")
    count = len(captions.references)
    used_indices = (
        [position for position in range(count) if position in indices] if isinstance(indices, list) and len(indices) <= count else []
    )
    inspect_state().used_references = UsedReferences(captions.references, used_indices)
    inspect_state().scored = None


def _restore_settings(content: object) -> None:
    """Use the rules stored in the tab for the next score, if they are valid."""
    values = [content.get(name) for name in _RULE_SETTINGS] if isinstance(content, dict) else []
    texts = [encodable_text(value) for value in values if isinstance(value, str)]
    if len(texts) != len(_RULE_SETTINGS) or not texts[-1] or sum(map(len, texts)) > _MAX_RULES_CHARS:
        return
    try:
        config = SpiceConfig.from_dict(dict(zip(_RULE_SETTINGS, texts)) | {"scheme": settings.chosen_scheme(texts[0])})
        config.rule_set()
    except SpiceError:
        return
    settings.restore_settings(config)
    inspect_state().scored = None
