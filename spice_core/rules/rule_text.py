"""Edits of the text of a rule, for example to fill in its example or its near miss from a parse."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from spice_core.errors import Message, RuleError
from spice_core.rules import text_positions
from spice_core.rules.rule_file import write_tree
from spice_core.syntax.dependency_graph import DependencyGraph

_EXAMPLE_PARTS = ("example", "near_miss")
_LEADING_FIELDS = ("name", "reason", "pattern", "yields")


def with_example(text: str, part: str, caption: str, graph: DependencyGraph, tuples: Sequence[Sequence[str]] = ()) -> str:
    """Return the text of a rule with its ``example`` or its ``near_miss`` replaced. A near miss has no tuples.

    Comments and the layout of other fields are preserved unless the layout is unusual. Raises RuleError if the text is not exactly one
    rule.
    """
    old_rule = _read_rule(text)
    fields: dict[str, object] = {"caption": caption, "tree": write_tree(graph)}
    if part == "example":
        fields["tuples"] = [list(words) for words in tuples]
    new_rule = {**old_rule, part: fields}
    new_text = _replace_lines(text, part, fields)
    try:
        return new_text if _read_rule(new_text) == new_rule else write_rule(new_rule)
    except RuleError:
        return write_rule(new_rule)


def without_examples(text: str) -> str:
    """Return the text of a rule with an empty example and an empty near miss."""
    empty_tree = "_/_/_/0/root"
    empty_example: Mapping[str, object] = {"caption": "", "tree": empty_tree}
    return write_rule({**_read_rule(text), "example": {**empty_example, "tuples": []}, "near_miss": empty_example})


def write_rule(rule_fields: Mapping[str, Any]) -> str:
    """Return the text of a rule from its fields, in the order of the bundled files."""
    lines = ["[[rule]]"]
    for name in [*_LEADING_FIELDS, *(name for name in rule_fields if name not in (*_LEADING_FIELDS, *_EXAMPLE_PARTS))]:
        if name in rule_fields:
            lines.append(f"{name} = {_toml_string(rule_fields[name]) if name in ('pattern', 'yields') else _toml_value(rule_fields[name])}")
    for part in _EXAMPLE_PARTS:
        if isinstance(rule_fields.get(part), Mapping):
            lines += _part_lines(part, rule_fields[part])
    return "\n".join(lines) + "\n"


def _read_rule(text: str) -> dict[str, Any]:
    rules = text_positions.read_toml(text).get("rule")
    if not isinstance(rules, list) or len(rules) != 1 or not isinstance(rules[0], dict):
        raise RuleError(Message("rule.one", number=len(rules) if isinstance(rules, list) else 0))
    return dict(rules[0])


def _replace_lines(text: str, part: str, fields: Mapping[str, object]) -> str:
    """Replace the ``part.field = …`` lines of a part. Unusual layouts are not supported."""
    lines = text.rstrip().split("\n")
    replaced_lines = [n for n, line in enumerate(lines) if re.match(rf"[ \t]*{part}(?:\.\w+)?[ \t]*=", line)]
    first_line = replaced_lines[0] if replaced_lines else len(lines)
    later_lines = [line for n, line in enumerate(lines[first_line:], first_line) if n not in replaced_lines]
    return "\n".join([*lines[:first_line], *_part_lines(part, fields), *later_lines]) + "\n"


def _part_lines(part: str, fields: Mapping[str, object]) -> list[str]:
    return [f"{part}.{name} = {_toml_value(value)}" for name, value in fields.items()]


def _toml_string(value: object) -> str:
    """Return a TOML literal string, or a basic string if the text contains the literal string's quotes."""
    if isinstance(value, str) and "'''" not in value and not value.endswith("'"):
        return f"'''{value}'''" if "\n" in value or "'" in value else f"'{value}'"
    return _toml_value(value)


def _toml_value(value: object) -> str:
    """Return a simple value as TOML, which equals its JSON except for U+007F.

    Lone surrogates become question marks.
    """
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f").encode("utf-8", "replace").decode("utf-8")
