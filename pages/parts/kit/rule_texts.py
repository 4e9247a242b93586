"""Names and reasons of the bundled rules, enhancement steps and inference rules in the interface language.

Custom rules keep their names and reasons.
"""

from collections.abc import Iterator
from functools import cache
from typing import Protocol

from pages.parts.kit.texts import TEXTS_FOLDER, interface_language
from spice_core.catalogues import read_catalogue


class ExplainedRule(Protocol):
    """A rule, an enhancement step or an inference rule."""

    @property
    def name(self) -> str: ...
    @property
    def reason(self) -> str: ...


def display_name(key: str) -> str:
    """Return the display name of a rule or step, or its name in the rule file if there is no display name."""
    return _names_of_language(interface_language()).get(key, key)


def reason_text(explained_rule: ExplainedRule) -> str:
    """Return the reason of a rule or step in the interface language. Return an edited reason unchanged."""
    return _reasons_of_language(interface_language()).get((explained_rule.name, explained_rule.reason), explained_rule.reason)


def text_entries(language: str) -> Iterator[tuple[tuple[str, str, str], dict[str, str]]]:
    """Yield each text with its key: the section ("rules", "steps" or "inference"), the rule set or language, and the name."""
    for section, groups in read_catalogue(TEXTS_FOLDER, language, prefix="rules.").items():
        for group, texts in groups.items():
            yield from (((section, group, name), text) for name, text in texts.items())


@cache
def _names_of_language(language: str) -> dict[str, str]:
    return {name: text["name"] for (*_, name), text in text_entries(language)}


@cache
def _reasons_of_language(language: str) -> dict[tuple[str, str], str]:
    return {(name, text["english"]): text["reason"] for (*_, name), text in text_entries(language)}
