"""Storage in the browser tab. It preserves edited rules, and captions that the URL does not contain, across a reload."""

from __future__ import annotations

import streamlit as st

from pages.parts.inspect import languages
from pages.parts.kit import visit
from pages.parts.state import examples, limits, links, settings
from pages.parts.state.engine import CaptionInputs
from pages.parts.views import component
from spice_core import SpiceConfig
from spice_core.errors import InputError, SpiceError, encodable_text

_RULE_SETTINGS = ("lang", "parser", "rules", "synonyms", "rules_text")  # settings stored together with edited rules
_MAX_RULES_CHARS = 200_000  # maximum number of characters of the stored settings and rules together


def request_stored_content(*, key: str) -> None:
    """Once per session, request the rules and captions stored in the tab. Captions in the URL take precedence over stored captions."""
    caption_params = st.query_params.keys() & {"example", "ex", "t"}
    st.session_state.setdefault(f"{key}.ask", visit.session_id())
    st.session_state.setdefault(f"{key}.named", bool(caption_params))


def store_captions(captions: CaptionInputs, config: SpiceConfig, *, key: str) -> None:
    """Store edited rules in the tab. Unless the URL restores the captions, also store them with their settings and chosen references."""
    opened_captions, _ = st.session_state.get(f"{key}.opened", (None, ""))
    is_custom = captions != opened_captions and (captions.candidate or captions.references) and not examples.example_id_of(captions)
    content = links.link_content(captions, config) | _unlinked_state(captions, key=key) if is_custom else {}
    rules = {name: getattr(config, name) for name in _RULE_SETTINGS} if config.rules_text else {}
    component.exchange_with_tab(
        content, rules, ask=st.session_state[f"{key}.ask"], on_content=lambda stored: restore_captions(stored, key=key), key=key
    )


def _unlinked_state(captions: CaptionInputs, *, key: str) -> dict[str, object]:
    """Return the state that links omit: chosen references, custom categories, and whether the language is detected."""
    categories = st.session_state.get(f"{key}.categories", "")
    return {
        "used": _included_references(captions, key=key),
        "categories": categories,
        "auto": languages.chosen_language(key=key) == languages.AUTOMATIC,
    }


def _included_references(captions: CaptionInputs, *, key: str) -> list[int]:
    """Return the indices of the chosen references, or an empty list if all are used."""
    earlier_texts, used_indices = st.session_state.get(f"{key}.counted", ((), []))
    return st.session_state.get(f"{key}.used", used_indices) if earlier_texts == captions.references else []


def restore_captions(content: object, *, key: str) -> None:
    """Restore the rules stored in the tab and, unless the URL contained captions, the stored captions. Ignore invalid data.

    The page then scores the captions.
    """
    _restore_settings(content.get("rules") if isinstance(content, dict) else None, key=key)
    if st.session_state.get(f"{key}.named"):
        return
    try:
        captions, config = links.read_link_content(content, source="")
    except InputError:
        return
    entries = content if isinstance(content, dict) else {}
    examples.fill_form(captions, key=key)
    settings.apply_settings(config, key=key)
    if entries.get("auto") is True:
        st.session_state[f"{key}.lang"] = languages.AUTOMATIC
    st.session_state[f"{key}.categories"] = _valid_text(entries.get("categories"))
    st.session_state.pop(f"{key}.used", None)
    st.session_state[f"{key}.counted"] = captions.references, _restore_references(entries.get("used"), len(captions.references))
    st.session_state.pop(f"{key}.scored", None)


def _restore_settings(content: object, *, key: str) -> None:
    """Use the rules stored in the tab for the next score, if they are valid."""
    values = [content.get(name) for name in _RULE_SETTINGS] if isinstance(content, dict) else []
    texts = [encodable_text(value) for value in values if isinstance(value, str)]
    if len(texts) != len(_RULE_SETTINGS) or not texts[-1] or sum(map(len, texts)) > _MAX_RULES_CHARS:
        return
    try:
        config = SpiceConfig.from_dict(dict(zip(_RULE_SETTINGS, texts)))
        config.rule_set()
    except SpiceError:
        return
    settings.restore_settings(config, key=key)
    st.session_state.pop(f"{key}.scored", None)


def _restore_references(indices: object, count: int) -> list[int]:
    """Return the indices of the chosen references that the tab stored, or an empty list if all are used."""
    return [position for position in range(count) if position in indices] if isinstance(indices, list) and len(indices) <= count else []


def _valid_text(value: object) -> str:
    """Return a text that can be displayed, or "" if the value is no text or too long."""
    return encodable_text(value) if isinstance(value, str) and len(value) <= limits.MAX_TOTAL_CHARS else ""
