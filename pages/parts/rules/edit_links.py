"""Rule edits packed into the URL: the rules that differ from the default rules, or the full file.

The full file is packed if the differing rules are too long for the URL, or if the edits changed anything besides the rules' texts, such as
their order. The full file is compressed with the default rules as dictionary. Such a link opens only with the same default rules.
"""

import zlib
from collections.abc import Mapping
from typing import Any

import streamlit as st

from pages.parts.kit import html, url
from pages.parts.kit.texts import error_text, t
from pages.parts.rules import results
from pages.parts.rules.rule_workspace import Workspace, activate_draft
from pages.parts.rules.state import RuleDraft, parse_rule_text
from pages.parts.state import links
from spice_core.errors import InputError, SpiceError
from spice_core.rules import text_positions
from spice_core.rules.rule_file import is_newer, parse_rules
from spice_core.version import __version__

EDITS_PARAM = "edits"
PACKED_FILE_PREFIX = "."
MAX_FILE_BYTES = 60_000


def store_edits_in_url(workspace: Workspace) -> bool:
    """Store the edits in the URL if they are short enough, and return whether they are."""
    token = pack_edits(workspace.draft, workspace.default_draft)
    url.set_param(EDITS_PARAM, token or "")
    return token is not None


def apply_link_edits(workspace: Workspace, disabled_rules: frozenset[str]) -> None:
    """Apply the edits in the URL and disable these rules, reporting edits that cannot be unpacked or run."""
    draft = RuleDraft(workspace.base, workspace.default_draft.text, disabled_rules)
    if token := st.query_params.get(EDITS_PARAM, ""):
        try:
            draft = RuleDraft(workspace.base, unpack_edits(token, workspace.default_draft), disabled_rules)
            results.run_rules(workspace, draft.rules)
        except SpiceError as error:
            html.show_messages([t("edit.link_unopened", error=error_text(error))], severity="problem")
            draft = RuleDraft(workspace.base, workspace.default_draft.text, disabled_rules)
    if disabled_rules or draft.text != workspace.default_draft.text:
        activate_draft(workspace, draft)


def pack_edits(draft: RuleDraft, default: RuleDraft) -> str | None:
    """Return a draft's edits as text for a URL, "" without edits, or None if the text does not fit."""
    return "" if draft.text == default.text else _pack_text(draft.text, default.text)


@st.cache_data(show_spinner=False, max_entries=64)
def _pack_text(text: str, default: str) -> str | None:
    old_texts, new_texts = _rule_texts(default), _rule_texts(text)
    content: dict[str, object] = {
        "version": __version__,
        "rules": {name: piece for name, piece in new_texts.items() if old_texts.get(name, "") != piece},
        "gone": [name for name in old_texts if name not in new_texts],
    }
    token = links.pack_json(content)
    if len(token) > links.MAX_LINK_CHARS or _apply_edits(content, default) != text.rstrip():
        token = PACKED_FILE_PREFIX + links.pack_json({"version": __version__, "file": text}, default)
    return token if len(token) <= links.MAX_LINK_CHARS and len(text.encode()) <= MAX_FILE_BYTES else None


def unpack_edits(token: str, default: RuleDraft) -> str:
    """Return the text of the rule file with the packed edits applied.

    Raises InputError if the edits cannot be unpacked, and RuleError if the rules are invalid.
    """
    try:
        content: Any = (
            links.unpack_json(token[len(PACKED_FILE_PREFIX) :], default.text)
            if token.startswith(PACKED_FILE_PREFIX)
            else links.unpack_json(token)
        )
        text = content["file"] if token.startswith(PACKED_FILE_PREFIX) else _apply_edits(content, default.text) + "\n"
        text.encode()
        version = str(content.get("version", ""))[:20].replace('"', "")
    except (InputError, ValueError, KeyError, TypeError, AttributeError, zlib.error, RecursionError):
        raise InputError("link", url.quote_value(token, 24), t("edit.link_expected")) from None
    parse_rules(text_positions.set_version(text, version) if is_newer(version) else text, name=default.name)
    return text


def _apply_edits(content: Mapping, text: str) -> str:
    """Return the text with changed rules replaced, removed rules deleted and new rules appended.

    Raises ValueError if the edits are invalid.
    """
    if not isinstance(content, dict) or not isinstance(content.get("rules"), dict) or not isinstance(content.get("gone"), list):
        raise ValueError("no edits")
    names = list(_rule_texts(text))
    for rule_index in reversed(range(len(names))):
        if names[rule_index] in content["gone"]:
            text = text_positions.replace_rule(text, rule_index, "")
        elif names[rule_index] in content["rules"]:
            text = text_positions.replace_rule(text, rule_index, content["rules"][names[rule_index]])
    for name, piece in content["rules"].items():
        if name not in names:
            text = text_positions.append_rule(text, piece)
    return text.rstrip()


def _rule_texts(text: str) -> dict[str, str]:
    return {rule.name: text_positions.rule_source(text, n).rstrip() for n, rule in enumerate(parse_rule_text(text, "rules").rules)}
