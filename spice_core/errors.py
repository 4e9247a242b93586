"""Errors of spice_core, with messages in the interface languages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from spice_core.catalogues import fill_template, read_catalogue

_CATALOGUES_FOLDER = Path(__file__).with_name("messages")


class Message(str):
    """An English text with its template key and values, from which ``message_in_language`` renders it in another language."""

    key: str
    values: Mapping[str, object]

    def __new__(cls, key: str, /, **values: object) -> Message:
        """Fill the English template ``key`` with the values, which may be messages."""
        message = super().__new__(cls, fill_template(message_templates("en")[key], values))
        message.key, message.values = key, values
        return message

    def __reduce__(self) -> tuple[object, ...]:
        return _format_message, (self.key, self.values)


def message_in_language(value: object, language: str) -> str:
    """Return a message in a language, or any other value as text. Languages without a catalogue fall back to English."""
    if not isinstance(value, Message):
        return str(value)
    values = {name: message_in_language(v, language) if isinstance(v, Message) else v for name, v in value.values.items()}
    return fill_template(message_templates(language)[value.key], values)


@cache
def message_templates(language: str) -> dict[str, str]:
    """Return the message templates of a language by key, such as ``error.input``."""
    sections = read_catalogue(_CATALOGUES_FOLDER, language)
    return {f"{section}.{name}": text for section, texts in sections.items() for name, text in texts.items()}


class SpiceError(Exception):
    """Base class of the errors of spice_core."""

    def text(self, language: str) -> str:
        """Return the message in a language. Texts without a template remain in English."""
        return message_in_language(self.args[0] if self.args else "", language)

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild_error, (type(self), self.args), vars(self)  # keep the attributes of errors pickled by workers


class InputError(SpiceError):
    """Invalid input.

    Attributes:
        where: The place of the error, such as a file with row and field, an argument or an option. It may be empty.
        found: The value that was found, or a description of it.
        expected: A description of what was expected.
        remedy: What the user can change to make a file usable, for example ``references``, ``encoding`` or ``columns``.
    """

    def __init__(self, where: str, found: object, expected: str, *, remedy: str = ""):
        where, expected = printable_text(where), printable_text(expected)  # names of fields and columns come from files
        found = printable_text(found, 80) if isinstance(found, Message) else found
        super().__init__(Message("error.input", where=where, found=_found_text(found), expected=expected))
        self.where, self.found, self.expected, self.remedy = where, found, expected, remedy

    def text(self, language: str) -> str:
        """Return the message in a language."""
        parts = {"where": self.where, "found": _found_text(self.found), "expected": self.expected}
        return message_templates(language)["error.input" if self.where else "error.input_alone"].format(
            **{name: message_in_language(part, language) for name, part in parts.items()}
        )


class RuleError(SpiceError):
    """An invalid rule file or pattern.

    Attributes:
        part: The name of the text with the error, such as ``pattern``.
        position: The position of the error in that text, from 0, or None if unknown.
        line: The line in the file, from 1, or None if unknown.
        column: The column in the line, from 1, or None if unknown.
        excerpt: The line of the file with a caret below it. The string form of the error ends with the excerpt.
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
        super().__init__(f"{message}\n{excerpt}" if excerpt else message)
        self.message, self.excerpt = message, excerpt
        self.part, self.position, self.line, self.column = part, position, line, column

    def text(self, language: str) -> str:
        """Return the message in a language, with the excerpt below it."""
        return "\n".join(filter(None, (message_in_language(self.message, language), self.excerpt)))


class UnknownNameError(SpiceError):
    """A name that is not registered, such as a language, parser or metric. The message lists the known names."""

    def __init__(self, kind: str, name: str, known_names: Iterable[str]):
        super().__init__(Message("error.unknown", kind=kind, name=name, known=", ".join(sorted(known_names))))


class MissingResourceError(SpiceError):
    """A missing package, file or part of a language pack, or a server that does not answer."""

    def __init__(self, message: str):
        super().__init__(printable_text(message))


def require_module(module: str, install: str) -> Any:
    """Import a module and return it. Raises MissingResourceError with the command ``install`` if the import fails."""
    try:
        return import_module(module)
    except ImportError:
        raise not_installed_error(module.partition(".")[0], install) from None


def not_installed_error(package: str, install: str) -> MissingResourceError:
    """Return the error for a package that is not installed, with the command that installs it."""
    return MissingResourceError(Message("error.not_installed", package=package, install=install))


def _rebuild_error(error_class: type[SpiceError], args: tuple[object, ...]) -> SpiceError:
    """Rebuild an error from its arguments without its constructor."""
    return error_class.__new__(error_class, *args)


def shorten_value(value: object) -> str:
    """Return a value as Python code, shortened for a message."""
    text = repr(value)
    return text if len(text) <= 80 else text[:79] + "…"


def printable_text(text: str, limit: int | None = None) -> str:
    """Cut a text to the limit and escape unprintable characters such as line breaks. In a message, change its text values."""
    if isinstance(text, Message):
        texts = {name: printable_text(value, limit) for name, value in text.values.items() if isinstance(value, str)}
        return Message(text.key, **{**text.values, **texts})
    text = text if limit is None or len(text) <= limit else text[: limit - 1] + "…"
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def encodable_text(text: str) -> str:
    """Return a text with lone surrogates escaped, because UTF-8 cannot encode them. Return a message unchanged."""
    return text if isinstance(text, Message) else text.encode("utf-8", "backslashreplace").decode()


def _found_text(found: object) -> str:
    """Return the found value as text: a description unchanged, an input value as Python code."""
    return found if isinstance(found, Message) else shorten_value(found)


def _format_message(key: str, values: Mapping[str, object]) -> Message:
    return Message(key, **values)
