"""Positions in the text of a rule file: the blocks of its rules, and line and column of errors."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from spice_core.errors import Message, RuleError

_AROUND = 50  # characters shown before an error in a long line
_STRING = r"'''.*?'''|\"\"\"(?:\\.|.)*?\"\"\"|'[^'\n]*'|\"(?:\\.|[^\"\\\n])*\""
_TOKEN = re.compile(rf"(?P<string>{_STRING})|(?P<comment>#[^\n]*)|(?P<rule>^[ \t]*\[\[[ \t]*rule[ \t]*\]\])|(?P<table>^[ \t]*\[[^\n]*)"
                    r"|(?:^|(?<=[{,]))[ \t]*(?P<key>[\w.-]+)[ \t]*=[ \t]*", re.M | re.S)  # fmt: skip
_VERSION = re.compile(r"^[ \t]*version[ \t]*=[^\n]*\n?", re.M)


class Block(NamedTuple):
    """The text of one rule: ``start`` and ``end`` as file offsets, and the positions of its keys and values."""

    start: int
    end: int
    keys: dict[str, int]
    values: dict[str, int]


@lru_cache(maxsize=32)
def blocks(text: str) -> tuple[Block, ...]:
    """The blocks of a file in order, each from its ``[[rule]]`` to the next one; those of the last texts are remembered."""
    found: list[Block] = []
    prefix, key = "", ""
    for token in _TOKEN.finditer(text):
        kind, at = token.lastgroup, token.start()
        if kind == "rule":
            if found:
                found[-1] = found[-1]._replace(end=_before(text, at))
            found.append(Block(at + len(token[0]) - len(token[0].lstrip()), len(text), {}, {}))
            prefix = key = ""
        elif kind == "table":
            named = re.search(r"rule\.(\w+)", token[0])
            prefix, key = f"{named[1]}." if named else "", ""
        elif kind == "key" and found:
            inside = at > 0 and text[at - 1] in "{,"
            outer = key.partition(".")[0] if inside else ""
            key = f"{outer}.{token['key']}" if outer else prefix + token["key"]
            found[-1].keys.setdefault(key, token.start("key"))
            found[-1].keys.setdefault(key.partition(".")[0], token.start("key"))
        elif kind == "string" and found and key:
            found[-1].values.setdefault(key, at)
    return tuple(found)


def piece(text: str, number: int) -> str:
    """The text of the rule with this index (from 0), without trailing blank lines."""
    block = blocks(text)[number]
    return text[block.start : block.end].rstrip() + "\n"


def replaced(text: str, number: int, new: str) -> str:
    """The file with this rule replaced by another text; an empty text removes the rule."""
    block = blocks(text)[number]
    return text[: block.start] + (new.strip() + "\n\n" if new.strip() else "") + text[block.end :]


def without(text: str, numbers: Iterable[int]) -> str:
    """The file without the rules at these indices; the settings before the first rule are kept."""
    for number in sorted(set(numbers), reverse=True):
        text = replaced(text, number, "")
    return text


def added(text: str, new: str) -> str:
    """The file with a rule appended."""
    return f"{text.rstrip()}\n\n{new.strip()}\n"


def stamped(text: str, version: str) -> str:
    """The file with the version of spice_core that writes it, before all else; without an empty one."""
    head, rest = _VERSION.sub("", text[: _first(text)]), text[_first(text) :]
    return f'version = "{version}"\n{head}{rest}' if version else head + rest


def _first(text: str) -> int:
    """Where the first rule begins."""
    return next((block.start for block in blocks(text)), len(text))


def located(error: RuleError, text: str, number: int) -> RuleError:
    """The error of the rule with this index, with line and column added to its attributes and message."""
    if number >= len(blocks(text)):
        return error
    line, column = place(text, number, error.part, error.position)
    message, excerpt = Message("rule.at", line=line, column=column, error=error.message), shown(text, line, column)
    return RuleError(message, part=error.part, position=error.position, line=line, column=column, excerpt=excerpt)


def place(text: str, number: int, part: str, position: int | None = None) -> tuple[int, int]:
    """Line and column of a field of the rule with this index, or of a character of its value."""
    block = blocks(text)[number]
    if position is not None and part in block.values:
        return spot(text, _inside(text, block.values[part], position))
    return spot(text, block.keys.get(part, block.start))


def spot(text: str, offset: int) -> tuple[int, int]:
    """Line and column (both from 1) of a character of the text."""
    before = text[:offset]
    return before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1


def shown(text: str, line: int, column: int) -> str:
    """The line with a caret under the column; of a long line what stands around it."""
    lines = text.split("\n")
    if not 0 < line <= len(lines):
        return ""
    start = max(0, column - _AROUND) if column > 2 * _AROUND else 0
    return f"  {lines[line - 1][start : start + 3 * _AROUND]}\n  {' ' * (column - 1 - start)}^"


def of_toml(message: str, text: str) -> tuple[int, int]:
    """Line and column from a TOML error message; the end of the text if it names none."""
    found = re.search(r"line (\d+), column (\d+)", message)
    return (int(found[1]), int(found[2])) if found else spot(text, len(text))


def _before(text: str, at: int) -> int:
    """The start of the comments directly before this position, which belong to what follows."""
    while at and text[at - 1] == "\n":
        start = text.rfind("\n", 0, at - 1) + 1
        if not text[start:at].lstrip(" \t").startswith("#"):
            break
        at = start
    return at


def _inside(text: str, start: int, position: int) -> int:
    """The file offset of a character of the string that begins at ``start``."""
    mark = next(q for q in ("'''", '"""', "'", '"') if text.startswith(q, start))
    at = start + len(mark)
    if len(mark) == 3 and text[at : at + 1] == "\n":
        at += 1
    return _escaped(text, at, position) if mark[0] == '"' else at + position


def _escaped(text: str, at: int, position: int) -> int:
    """The offset of character ``position`` in a string with escapes, where each escape is one character."""
    for _ in range(position):
        found = re.compile(r"\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8}|\\.|.", re.S).match(text, at)
        at = found.end() if found else at + 1
    return at
