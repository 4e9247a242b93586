"""Edits of a rule set in the address: the rules that differ from the default ones, packed; or, where these are many, the whole file.

The whole file is packed against the default rules, so that a link with it opens only where these are the same.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from typing import Any

import streamlit as st

from pages.parts.kit import messages, url
from pages.parts.kit.texts import problem, t
from pages.parts.rules import results
from pages.parts.rules.workspace import KEY, Draft, Workspace, keep, parse_rule_text
from pages.parts.state import links
from spice_core.errors import InputError, SpiceError
from spice_core.rules import text_positions
from spice_core.rules.rule_file import newer, parse_rules
from spice_core.version import __version__

NAME = "edits"
PACKED_FILE = "."  # begins a packed file
LARGEST = 60_000  # bytes of a file in a link


def follow(work: Workspace) -> bool:
    """Keep the edits in the address; returns whether a link holds them all."""
    token = pack_edits(work.draft, work.unchanged)
    url.set_param(NAME, token or "")
    return token is not None


def begin(work: Workspace, off: frozenset[str]) -> None:
    """Take over the edits and the switched-off rules that the address names; what cannot be opened is said."""
    draft = Draft(work.base, work.unchanged.text, off)
    if token := st.query_params.get(NAME, ""):
        try:
            draft = Draft(work.base, unpack_edits(token, work.unchanged), off)
            results.run_rules(work, draft.rules)
        except SpiceError as error:
            messages.say([t("edit.link_unopened", error=problem(error))], kind="problem")
            draft = Draft(work.base, work.unchanged.text, off)
    if off or draft.text != work.unchanged.text:
        keep(work, draft)


def pack_edits(draft: Draft, unchanged: Draft) -> str | None:
    """The edits of a draft as text for an address: "" without edits, None where no link can hold them."""
    return "" if draft.text == unchanged.text else _pack(draft.text, unchanged.text)


@st.cache_data(show_spinner=False, max_entries=64)
def _pack(text: str, default: str) -> str | None:
    old, new = _pieces(default), _pieces(text)
    content: dict[str, object] = {
        "version": __version__,
        "rules": {name: piece for name, piece in new.items() if old.get(name, "") != piece},
        "gone": [name for name in old if name not in new],
    }
    token = links.pack_json(content)
    if len(token) > links.LONGEST or _apply_edits(content, default) != text.rstrip():
        token = PACKED_FILE + links.pack_json({"version": __version__, "file": text}, default)
    return token if len(token) <= links.LONGEST and len(text.encode()) <= LARGEST else None


def unpack_edits(token: str, unchanged: Draft) -> str:
    """The text of the rule file of a packed edit. Raises InputError and RuleError."""
    try:
        content: Any = (
            links.unpack_json(token[len(PACKED_FILE) :], unchanged.text) if token.startswith(PACKED_FILE) else links.unpack_json(token)
        )
        text = content["file"] if token.startswith(PACKED_FILE) else _apply_edits(content, unchanged.text) + "\n"
        text.encode()
        version = str(content.get("version", ""))[:20].replace('"', "")
    except (InputError, ValueError, KeyError, TypeError, AttributeError, zlib.error, RecursionError):
        raise InputError("link", url.quote_value(token, 24), t("edit.link_expected")) from None
    parse_rules(text_positions.set_version(text, version) if newer(version) else text, name=unchanged.name)
    return text


def _apply_edits(content: Mapping, text: str) -> str:
    """The default rules with the edits: changed rules in their places, new ones behind. Raises ValueError for other contents."""
    if not isinstance(content, dict) or not isinstance(content.get("rules"), dict) or not isinstance(content.get("gone"), list):
        raise ValueError("no edits")
    names = list(_pieces(text))
    for number in reversed(range(len(names))):
        if names[number] in content["gone"]:
            text = text_positions.replace_rule(text, number, "")
        elif names[number] in content["rules"]:
            text = text_positions.replace_rule(text, number, content["rules"][names[number]])
    for name, piece in content["rules"].items():
        if name not in names:
            text = text_positions.append_rule(text, piece)
    return text.rstrip()


def _pieces(text: str) -> dict[str, str]:
    """The text of each rule by its name."""
    return {rule.name: text_positions.rule_source(text, n).rstrip() for n, rule in enumerate(parse_rule_text(text, KEY).rules)}
