"""The texts of the interface by section and name, from the catalogues in assets/words and in the library."""

import re
from collections.abc import Iterable, Iterator
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Any, Protocol

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.parts.kit import url
from spice_core import lang
from spice_core.catalogues import fill_template, read_catalogue
from spice_core.draw import style
from spice_core.errors import SpiceError, message_in_language

TEXTS_FOLDER = Path(__file__).parents[3] / "assets" / "words"
INTERFACE_LANGUAGES = {"en": "English", "ja": "日本語"}  # native names by code
INTERFACE_KEY = "interface"  # state key of the chosen language; Streamlit drops the state of the widget between pages
_OPTION_HINT = re.compile(r" ?[(（][^()（）]*--(?:columns|delimiter|empty-captions)[^()（）]*[)）]")  # a hint in a message of the library
_SWITCH_KEY = f"{INTERFACE_KEY}.switch"
_INTERFACE_LANGUAGE = ContextVar("spoken", default="")  # cached for each run of a page, where it is read thousands of times


def t(key: str, /, *, language: str = "", **values: object) -> str:
    """Return the text ``section.name`` in the interface language (or ``language``), filled in with ``values``."""
    section, _, name = key.partition(".")
    return fill_template(text_catalogue(language or interface_language())[section][name], values)


def join_items(items: Iterable[str]) -> str:
    """Join items with the comma of the interface language."""
    return t("language.comma").join(items)


def error_text(message: object) -> str:
    """Return the text of an error or message in the interface language, without command-line options."""
    language = interface_language()
    text = message.text(language) if isinstance(message, SpiceError) else message_in_language(message, language)
    return _OPTION_HINT.sub("", text)


def language_names() -> dict[str, str]:
    """Return the names of the caption languages by code, from the catalogue or the language packs."""
    names = text_catalogue(interface_language())["language"]
    return {pack.code: t(f"language.{pack.code}") if pack.code in names else pack.name for pack in lang.language_packs()}


def interface_language() -> str:
    """Return the code of the interface language, which is independent of the captions' language."""
    if context_language := _INTERFACE_LANGUAGE.get():
        return context_language
    has_visitor = get_script_run_ctx(suppress_warning=True) is not None
    chosen_code: str | None = st.session_state.get(INTERFACE_KEY) if has_visitor else None
    return chosen_code or next(iter(INTERFACE_LANGUAGES))


def restore_language() -> None:
    """Restore the interface language.

    When a session starts, use the language in the URL or, if there is none, the browser's. After navigation back or forward, use the
    language in the URL or, if there is none, keep the current language.
    """
    current_code = st.session_state.get(INTERFACE_KEY)
    _set_language(
        current_code
        if current_code and not url.has_gone_back()
        else url.requested_param("ui", INTERFACE_LANGUAGES, current_code or _browser_language())
    )
    st.session_state[_SWITCH_KEY] = interface_language()


def choose_interface() -> None:
    """Show the choice of the interface language."""
    options: dict[str, Any] = {"label_visibility": "collapsed", "required": True, "width": "content", "on_change": _change_language}
    names = INTERFACE_LANGUAGES.__getitem__
    st.segmented_control(t("language.interface"), list(INTERFACE_LANGUAGES), key=_SWITCH_KEY, format_func=names, **options)


def _change_language() -> None:
    _set_language(st.session_state[_SWITCH_KEY] or interface_language())


def _set_language(language: str) -> None:
    """Set the interface language, and write it to the URL unless it is the browser's language."""
    st.session_state[INTERFACE_KEY] = language
    _INTERFACE_LANGUAGE.set(language)
    url.set_param("ui", language, _browser_language())


def _browser_language() -> str:
    return nearest_language(st.context.locale or "")


def nearest_language(locale: str) -> str:
    """Return the interface language of a locale such as en-GB, or the first language if there is none."""
    code = locale.partition("-")[0].lower()
    return code if code in INTERFACE_LANGUAGES else next(iter(INTERFACE_LANGUAGES))


@cache
def text_catalogue(language: str) -> dict[str, dict[str, str]]:
    """Return all texts of a language by section and name, with those of the library's drawings."""
    sections = {section: dict(texts) for section, texts in style.display_texts(language).items()}
    for section, texts in app_texts(language).items():
        sections.setdefault(section, {}).update(texts)
    return sections


def app_texts(language: str) -> dict[str, dict[str, str]]:
    """Return the texts of the app in a language, from the catalogue in assets/words."""
    return read_catalogue(TEXTS_FOLDER, language)


class ExplainedRule(Protocol):
    """A rule, an enhancement step or an inference rule."""

    @property
    def name(self) -> str: ...
    @property
    def reason(self) -> str: ...


def display_name(key: str) -> str:
    """Return the display name of a rule or step, or its name in the rule file."""
    return _load_names(interface_language()).get(key, key)


def reason_text(explained_rule: ExplainedRule) -> str:
    """Return the reason of a rule or step in the interface language, or an edited reason unchanged."""
    return _load_reasons(interface_language()).get((explained_rule.name, explained_rule.reason), explained_rule.reason)


def text_entries(language: str) -> Iterator[tuple[tuple[str, str, str], dict[str, str]]]:
    """Yield each text with its key: section ("rules", "steps" or "inference"), rule set or language, and name."""
    for section, groups in read_catalogue(TEXTS_FOLDER, language, prefix="rules.").items():
        for group, texts in groups.items():
            yield from (((section, group, name), text) for name, text in texts.items())


@cache
def _load_names(language: str) -> dict[str, str]:
    return {name: text["name"] for (*_, name), text in text_entries(language)}


@cache
def _load_reasons(language: str) -> dict[tuple[str, str], str]:
    return {(name, text["english"]): text["reason"] for (*_, name), text in text_entries(language)}
