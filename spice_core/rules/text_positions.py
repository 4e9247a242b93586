"""Positions in the text of a rule file: the blocks of its rules, and the lines and columns of errors.

TOML libraries do not report the offsets of keys and values, and they assign a comment before a rule to the rule above it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from spice_core.errors import Message, RuleError

_MAX_KEY_DOTS = 500  # maximum number of dots in one line
_CONTEXT_CHARS = 50  # characters shown before an error in a long line
_STRING_PATTERN = r"'''.*?'''|\"\"\"(?:\\.|.)*?\"\"\"|'[^'\n]*'|\"(?:\\.|[^\"\\\n])*\""
_TOML_TOKEN = re.compile(rf"(?P<string>{_STRING_PATTERN})|(?P<comment>#[^\n]*)|(?P<block>^[ \t]*\[\[[ \t]*(?P<name>rule|step)[ \t]*\]\])|(?P<table>^[ \t]*\[[^\n]*)"
                    r"|(?:^|(?<=[{,]))[ \t]*(?P<key>[\w.-]+)[ \t]*=[ \t]*", re.M | re.S)  # fmt: skip
_VERSION_LINE = re.compile(r"^[ \t]*version[ \t]*=[^\n]*\n?", re.M)


class RuleBlock(NamedTuple):
    """The place of a rule or a step in a file, as offsets of its start, its end, its keys and its values.

    ``table`` is "rule" or "step".
    """

    table: str
    start: int
    end: int
    key_offsets: dict[str, int]
    value_offsets: dict[str, int]


def rule_blocks(text: str, table: str = "rule") -> list[RuleBlock]:
    """Return the blocks of all rules or of all steps, each from its ``[[rule]]`` or ``[[step]]`` to the comments before the next block."""
    return [block for block in _all_blocks(text) if block.table == table]


@lru_cache(maxsize=32)
def _all_blocks(text: str) -> tuple[RuleBlock, ...]:
    """Return the blocks of a file, cached for recent texts."""
    out: list[RuleBlock] = []
    prefix, key = "", ""
    for token in _TOML_TOKEN.finditer(text):
        kind, start = token.lastgroup, token.start()
        if kind == "block":
            if out:
                out[-1] = out[-1]._replace(end=_start_of_comments(text, start))
            out.append(RuleBlock(token["name"], start + len(token[0]) - len(token[0].lstrip()), len(text), {}, {}))
            prefix = key = ""
        elif kind == "table":
            match = re.search(r"(?:rule|step)\.(\w+)", token[0])
            prefix, key = f"{match[1]}." if match else "", ""
        elif kind == "key" and out:
            is_inline = start > 0 and text[start - 1] in "{,"
            outer_key = key.partition(".")[0] if is_inline else ""
            key = f"{outer_key}.{token['key']}" if outer_key else prefix + token["key"]
            out[-1].key_offsets.setdefault(key, token.start("key"))
            out[-1].key_offsets.setdefault(key.partition(".")[0], token.start("key"))
        elif kind == "string" and out and key:
            out[-1].value_offsets.setdefault(key, start)
    return tuple(out)


def rule_source(text: str, rule_index: int) -> str:
    """Return the text of the rule with this index (from 0), without trailing blank lines."""
    block = rule_blocks(text)[rule_index]
    return text[block.start : block.end].rstrip() + "\n"


def replace_rule(text: str, rule_index: int, rule_text: str) -> str:
    """Return the file with another text in place of the rule with this index. An empty text removes the rule."""
    block = rule_blocks(text)[rule_index]
    return text[: block.start] + (rule_text.strip() + "\n\n" if rule_text.strip() else "") + text[block.end :]


def remove_rules(text: str, rule_indices: Iterable[int]) -> str:
    """Return the file without the rules at these indices."""
    for rule_index in sorted(set(rule_indices), reverse=True):
        text = replace_rule(text, rule_index, "")
    return text


def append_rule(text: str, rule_text: str) -> str:
    """Return the file with this rule added at its end."""
    return f"{text.rstrip()}\n\n{rule_text.strip()}\n"


def set_version(text: str, version: str) -> str:
    """Return the file with this version of spice_core in its first line, or without a version if ``version`` is empty."""
    head, body = _VERSION_LINE.sub("", text[: _start_of_first_block(text)]), text[_start_of_first_block(text) :]
    return f'version = "{version}"\n{head}{body}' if version else head + body


def _start_of_first_block(text: str) -> int:
    """Return the offset of the first rule or step, or the text's length if there is none."""
    return next((block.start for block in _all_blocks(text)), len(text))


def with_location(error: RuleError, text: str, index: int, table: str = "rule") -> RuleError:
    """Return the error with line and column in the text, given the index of its rule or step."""
    if index >= len(rule_blocks(text, table)):
        return error
    line, column = field_position(text, index, error.part, error.position, table)
    message = Message("rule.at", line=line, column=column, error=error.message)
    return RuleError(
        message, part=error.part, position=error.position, line=line, column=column, excerpt=source_excerpt(text, line, column)
    )


def field_position(text: str, index: int, part: str, position: int | None = None, table: str = "rule") -> tuple[int, int]:
    """Return line and column of a field of the rule or step with this index, or of a character of its value."""
    block = rule_blocks(text, table)[index]
    if position is not None and part in block.value_offsets:
        return line_and_column(text, _offset_in_string(text, block.value_offsets[part], position))
    return line_and_column(text, block.key_offsets.get(part, block.start))


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    """Return line and column (from 1) of a character."""
    preceding_text = text[:offset]
    return preceding_text.count("\n") + 1, offset - (preceding_text.rfind("\n") + 1) + 1


def source_excerpt(text: str, line: int, column: int) -> str:
    """Return the line, or the surrounding part of a long line, with a caret under the column."""
    lines = text.split("\n")
    if not 0 < line <= len(lines):
        return ""
    start = max(0, column - _CONTEXT_CHARS) if column > 2 * _CONTEXT_CHARS else 0
    return f"  {lines[line - 1][start : start + 3 * _CONTEXT_CHARS]}\n  {' ' * (column - 1 - start)}^"


def read_toml(text: str) -> dict[str, Any]:
    """Return the tables of a TOML text. Raises RuleError, with the line and the column if the text is not TOML."""
    try:
        if max(line.count(".") for line in text.split("\n")) > _MAX_KEY_DOTS:
            raise ValueError("the time to read a key grows with the square of the number of its parts")
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        match = re.search(r"line (\d+), column (\d+)", str(error))
        line, column = (int(match[1]), int(match[2])) if match else line_and_column(text, len(text))
        message = Message("rule.at", line=line, column=column, error=Message("rule.not_toml", reason=str(error)))
        raise RuleError(message, line=line, column=column, excerpt=source_excerpt(text, line, column)) from None
    except (RecursionError, ValueError):  # deep nesting, a key with too many parts, or a number with too many digits
        raise RuleError(Message("rule.too_deep")) from None


def _start_of_comments(text: str, offset: int) -> int:
    """Return where the comment lines directly before this position start. They belong to the next rule."""
    while offset and text[offset - 1] == "\n":
        start = text.rfind("\n", 0, offset - 1) + 1
        if not text[start:offset].lstrip(" \t").startswith("#"):
            break
        offset = start
    return offset


def _offset_in_string(text: str, start: int, position: int) -> int:
    """Return the file offset of a character in the string that starts at ``start``."""
    mark = next(q for q in ("'''", '"""', "'", '"') if text.startswith(q, start))
    offset = start + len(mark)
    if len(mark) == 3 and text[offset : offset + 1] == "\n":
        offset += 1
    return _offset_in_escaped_string(text, offset, position) if mark[0] == '"' else offset + position


def _offset_in_escaped_string(text: str, offset: int, position: int) -> int:
    """Return the file offset of the string's character ``position``, where an escape counts as one character."""
    for _ in range(position):
        match = re.compile(r"\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8}|\\.|.", re.S).match(text, offset)
        offset = match.end() if match else offset + 1
    return offset
