"""The errors of spice_core: each names what was found, what was expected, and where."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import Any


class SpiceError(Exception):
    """Root of all errors raised on purpose by spice_core."""

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (type(self), self.args), vars(self)  # errors of worker processes keep their attributes


class InputError(SpiceError):
    """Bad input data: names file, row and field, what was found and what was expected.

    ``remedy`` names what would help where a whole file cannot be used as it is: ``references``, ``encoding`` or ``columns``.
    """

    def __init__(self, where: str, found: object, expected: str, *, remedy: str = ""):
        where, expected = _printable(where), _printable(expected)  # names of fields and columns come from files
        super().__init__(f"{where}: found {short(found)}, expected {expected}")
        self.where, self.found, self.expected, self.remedy = where, found, expected, remedy


class RuleError(SpiceError):
    """A rule file or pattern that cannot be read: names file, rule and position.

    ``position`` counts characters from 0 in the text named by ``part``; ``line`` and ``column`` count from 1 in the whole file.
    Each is None if unknown. ``excerpt`` is the line of the file with a caret below it; the string form ends with it.
    """

    def __init__(
        self,
        message: str,
        *,
        part: str = "",
        position: int | None = None,
        line: int | None = None,
        column: int | None = None,
        excerpt: str = "",
    ):
        super().__init__("\n".join(filter(None, (message, excerpt))))
        self.message, self.excerpt = message, excerpt
        self.part, self.position, self.line, self.column = part, position, line, column


class UnknownNameError(SpiceError):
    """A language, parser, rule set or synonym source that is not registered."""

    def __init__(self, kind: str, name: str, known: Iterable[str]):
        super().__init__(f"unknown {kind} {name!r}; known: {', '.join(sorted(known))}")


class MissingResourceError(SpiceError):
    """A package or file that is not installed, with the line that installs it; or a part that a language pack lacks."""


def require(module: str, install: str) -> Any:
    """Import a module. Raises MissingResourceError with the line that installs it."""
    try:
        return import_module(module)
    except ImportError:
        raise MissingResourceError(f"{module.partition('.')[0]} is not installed; install it with: {install}") from None


def _again(kind: type[SpiceError], args: tuple[object, ...]) -> SpiceError:
    """Rebuild an error from its message, whatever its constructor takes."""
    return kind.__new__(kind, *args)


def short(value: object, limit: int = 80) -> str:
    """A value as it is shown in a message."""
    text = repr(value)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _printable(text: str) -> str:
    """The text on one line, what cannot be printed escaped."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
