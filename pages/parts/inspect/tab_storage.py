"""Captions that no address holds survive a reload: the browser's tab keeps them, and no one else sees them."""

from __future__ import annotations

from hashlib import sha256

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.parts.inspect import languages
from pages.parts.state import examples, limits, links, settings
from pages.parts.state.engine import Inputs
from pages.parts.views import component
from spice_core import SpiceConfig
from spice_core.errors import InputError, SpiceError, encodable

_RULES = ("lang", "parser", "rules", "synonyms", "rules_text")  # the settings that edited rules are kept with
_LONGEST_RULES = 200_000  # characters


def begin(*, key: str) -> None:
    """At the first visit: what the tab kept is asked for; of an address that names captions, only edited rules."""
    context = get_script_run_ctx(suppress_warning=True)
    named = st.query_params.keys() & {"example", "ex", "t"}
    visit = sha256(context.session_id.encode()).hexdigest()[:8] if context else ""
    st.session_state.setdefault(f"{key}.ask", visit)
    st.session_state.setdefault(f"{key}.named", bool(named))


def keep(now: Inputs, config: SpiceConfig, *, key: str) -> None:
    """Let the tab keep these captions with their settings and the choice of references, if the address holds none of them."""
    opened, _ = st.session_state.get(f"{key}.opened", (None, ""))
    own = now != opened and (now.candidate or now.references) and not examples.example_of(now)
    kept = links.content(now, config) | _unlinked_state(now, key=key) if own else {}
    rules = {name: getattr(config, name) for name in _RULES} if config.rules_text else {}
    component.tab(kept, rules, ask=st.session_state[f"{key}.ask"], found=lambda found: fill(found, key=key), key=key)


def _unlinked_state(now: Inputs, *, key: str) -> dict[str, object]:
    """What no link holds: references that count, own categories as written, and whether the language is found from the captions."""
    categories = st.session_state.get(f"{key}.categories", "")
    return {"used": _included_references(now, key=key), "categories": categories, "auto": languages.choice_of(key=key) == languages.AUTO}


def _included_references(now: Inputs, *, key: str) -> list[int]:
    """The references that count, by their numbers from 0; none for all of them."""
    known, used = st.session_state.get(f"{key}.counted", ((), []))
    return st.session_state.get(f"{key}.used", used) if known == now.references else []


def fill(found: object, *, key: str) -> None:
    """Put what a tab kept into the form, to be scored; anything else is left out."""
    _restore_rules(found.get("rules") if isinstance(found, dict) else None, key=key)
    if st.session_state.get(f"{key}.named"):
        return
    try:
        captions, config = links.read(found, quoted="")
    except InputError:
        return
    beside = found if isinstance(found, dict) else {}
    examples.fill(captions, key=key)
    settings.put(config, key=key)
    if beside.get("auto") is True:
        st.session_state[f"{key}.lang"] = languages.AUTO
    st.session_state[f"{key}.categories"] = _valid_text(beside.get("categories"))
    st.session_state.pop(f"{key}.used", None)
    st.session_state[f"{key}.counted"] = captions.references, _restore_references(beside.get("used"), len(captions.references))
    st.session_state.pop(f"{key}.scored", None)


def _restore_rules(found: object, *, key: str) -> None:
    """Let the rules that a tab kept be those of the next score, if they are rules."""
    values = [found.get(name) for name in _RULES] if isinstance(found, dict) else []
    texts = [encodable(value) for value in values if isinstance(value, str)]
    if len(texts) != len(_RULES) or not texts[-1] or sum(map(len, texts)) > _LONGEST_RULES:
        return
    try:
        config = SpiceConfig.from_dict(dict(zip(_RULES, texts)))
        config.rule_set()
    except SpiceError:
        return
    settings.restore(config, key=key)
    st.session_state.pop(f"{key}.scored", None)


def _restore_references(used: object, number: int) -> list[int]:
    """The references that a tab names; none for all of them."""
    return [each for each in range(number) if each in used] if isinstance(used, list) and len(used) <= number else []


def _valid_text(written: object) -> str:
    """A text of bounded length that can be shown; empty for anything else."""
    return encodable(written) if isinstance(written, str) and len(written) <= limits.IN_ALL else ""
