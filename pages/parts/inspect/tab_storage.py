"""Storage in the browser's tab: captions that no address holds survive a reload, and no one else sees them."""

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


def request_stored_captions(*, key: str) -> None:
    """At the first visit, ask the tab for its stored captions, or only for edited rules if the address names captions."""
    names_captions = st.query_params.keys() & {"example", "ex", "t"}
    st.session_state.setdefault(f"{key}.ask", visit.session_id())
    st.session_state.setdefault(f"{key}.named", bool(names_captions))


def store_captions(now: CaptionInputs, config: SpiceConfig, *, key: str) -> None:
    """Store these captions, their settings and the choice of references in the tab, if the address does not hold them."""
    opened, _ = st.session_state.get(f"{key}.opened", (None, ""))
    custom = now != opened and (now.candidate or now.references) and not examples.example_of(now)
    content = links.link_content(now, config) | _unlinked_state(now, key=key) if custom else {}
    rules = {name: getattr(config, name) for name in _RULE_SETTINGS} if config.rules_text else {}
    component.exchange_with_tab(
        content, rules, ask=st.session_state[f"{key}.ask"], on_content=lambda stored: restore_captions(stored, key=key), key=key
    )


def _unlinked_state(now: CaptionInputs, *, key: str) -> dict[str, object]:
    """Return the state that no link holds: references that count, custom categories, and whether the language is detected."""
    categories = st.session_state.get(f"{key}.categories", "")
    return {
        "used": _included_references(now, key=key),
        "categories": categories,
        "auto": languages.chosen_language(key=key) == languages.AUTOMATIC,
    }


def _included_references(now: CaptionInputs, *, key: str) -> list[int]:
    """Return the positions of the references that count, from 0; an empty list means all."""
    earlier, used = st.session_state.get(f"{key}.counted", ((), []))
    return st.session_state.get(f"{key}.used", used) if earlier == now.references else []


def restore_captions(stored: object, *, key: str) -> None:
    """Fill the form with the captions stored in the tab and score them; ignore invalid data."""
    _restore_rules(stored.get("rules") if isinstance(stored, dict) else None, key=key)
    if st.session_state.get(f"{key}.named"):
        return
    try:
        captions, config = links.read_link_content(stored, quoted="")
    except InputError:
        return
    beside = stored if isinstance(stored, dict) else {}
    examples.fill_form(captions, key=key)
    settings.apply_settings(config, key=key)
    if beside.get("auto") is True:
        st.session_state[f"{key}.lang"] = languages.AUTOMATIC
    st.session_state[f"{key}.categories"] = _valid_text(beside.get("categories"))
    st.session_state.pop(f"{key}.used", None)
    st.session_state[f"{key}.counted"] = captions.references, _restore_references(beside.get("used"), len(captions.references))
    st.session_state.pop(f"{key}.scored", None)


def _restore_rules(stored: object, *, key: str) -> None:
    """Use the rules stored in the tab for the next score, if they are valid."""
    values = [stored.get(name) for name in _RULE_SETTINGS] if isinstance(stored, dict) else []
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


def _restore_references(used: object, number: int) -> list[int]:
    """Return the references that a tab names; an empty list means all."""
    return [position for position in range(number) if position in used] if isinstance(used, list) and len(used) <= number else []


def _valid_text(value: object) -> str:
    """Return the value if it is a text of bounded length that can be shown, or ""."""
    return encodable_text(value) if isinstance(value, str) and len(value) <= limits.MAX_TOTAL_CHARS else ""
