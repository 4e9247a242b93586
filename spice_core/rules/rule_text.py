"""The text of one rule, changed field by field: its example and near miss filled in from a parse."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from spice_core.errors import Message, RuleError
from spice_core.rules import text_positions
from spice_core.rules.rule_file import write_tree
from spice_core.syntax.dependency_graph import DependencyGraph

_PARTS = ("example", "near_miss")
_FIRST = ("name", "reason", "pattern", "yields")


def with_example(text: str, part: str, caption: str, graph: DependencyGraph, tuples: Sequence[Sequence[str]] = ()) -> str:
    """The text of a rule with another ``example`` (or ``near_miss``, which has no tuples). Raises RuleError if it is not one rule."""
    raw = _one(text)
    fields: dict[str, object] = {"caption": caption, "tree": write_tree(graph)}
    if part == "example":
        fields["tuples"] = [list(words) for words in tuples]
    wanted = {**raw, part: fields}
    changed = _replaced(text, part, fields)
    return changed if _reads(changed) == wanted else written(wanted)


def without_examples(text: str) -> str:
    """The text of a rule with any example and near miss that can be read, for a rule that has none yet."""
    raw = _one(text)
    tree = "_/_/_/0/root"
    blank: Mapping[str, object] = {"caption": "", "tree": tree}
    return written({**raw, "example": {**blank, "tuples": []}, "near_miss": blank})


def written(raw: Mapping[str, Any]) -> str:
    """The text of a rule from its fields, in the order of the bundled files."""
    lines = ["[[rule]]"]
    for name in [*_FIRST, *(name for name in raw if name not in (*_FIRST, *_PARTS))]:
        if name in raw:
            lines.append(f"{name} = {_value(raw[name], name)}")
    for part in _PARTS:
        if isinstance(raw.get(part), dict):
            lines += [f"{part}.{name} = {_value(value)}" for name, value in raw[part].items()]
    return "\n".join(lines) + "\n"


def _one(text: str) -> dict[str, Any]:
    """The fields of the only rule of a text."""
    try:
        rules = tomllib.loads(text).get("rule")
    except tomllib.TOMLDecodeError as error:
        line, column = text_positions.of_toml(str(error), text)
        message = Message("rule.at", line=line, column=column, error=Message("rule.not_toml", reason=str(error)))
        raise RuleError(message, line=line, column=column, excerpt=text_positions.shown(text, line, column)) from None
    except (RecursionError, ValueError):
        raise RuleError(Message("rule.too_deep")) from None
    if not isinstance(rules, list) or len(rules) != 1 or not isinstance(rules[0], dict):
        raise RuleError(Message("rule.one", number=len(rules) if isinstance(rules, list) else 0))
    return dict(rules[0])


def _reads(text: str) -> dict[str, Any] | None:
    try:
        return _one(text)
    except RuleError:
        return None


def _replaced(text: str, part: str, fields: Mapping[str, object]) -> str:
    """The text with lines ``part.field = …`` in place of its lines for the part; other layouts are left to ``written``."""
    lines = text.rstrip().split("\n")
    old = [n for n, line in enumerate(lines) if re.match(rf"[ \t]*{part}(?:\.\w+)?[ \t]*=", line)]
    at = old[0] if old else len(lines)
    new = [f"{part}.{name} = {_value(value)}" for name, value in fields.items()]
    kept = [line for n, line in enumerate(lines[at:], at) if n not in old]
    return "\n".join([*lines[:at], *new, *kept]) + "\n"


def _value(value: object, name: str = "") -> str:
    """A value as TOML; a pattern without quotes of its own stands in quotes that need no escapes."""
    if name in ("pattern", "yields") and isinstance(value, str) and "'''" not in value and not value.endswith("'"):
        return f"'''{value}'''" if "\n" in value or "'" in value else f"'{value}'"
    return json.dumps(value, ensure_ascii=False)
