"""Names and reasons of the bundled rules and enhancement steps, in the interface language; others keep their own."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Protocol

from pages.parts.kit.texts import FOLDER, interface
from spice_core.catalogues import read_catalogue


class Explained(Protocol):
    """A rule or an enhancement step."""

    @property
    def name(self) -> str: ...
    @property
    def reason(self) -> str: ...


def name(of: str) -> str:
    """The name of a rule or step by its name in the files."""
    return _by_name(interface()).get(of, of)


def reason(of: Explained) -> str:
    """The reason of a rule or step; one that differs from the bundled one of this name is left as it is."""
    return _by_reason(interface()).get((of.name, of.reason), of.reason)


def entries(language: str) -> Iterator[tuple[tuple[str, str, str], dict[str, str]]]:
    """The texts by ``rules`` or ``steps``, rule set or language, and name."""
    for kind, groups in read_catalogue(FOLDER, language, prefix="rules.").items():
        for group, texts in groups.items():
            yield from (((kind, group, name), text) for name, text in texts.items())


@cache
def _by_name(language: str) -> dict[str, str]:
    return {name: text["name"] for (*_, name), text in entries(language)}


@cache
def _by_reason(language: str) -> dict[tuple[str, str], str]:
    return {(name, text["english"]): text["reason"] for (*_, name), text in entries(language)}
