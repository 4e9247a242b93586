"""The texts of the app, from the catalogues in assets/words (one a page) and of the library, by section and name."""

from __future__ import annotations

from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.parts.kit import url
from spice_core import lang
from spice_core.catalogues import read_catalogue
from spice_core.draw import style
from spice_core.errors import SpiceError, in_language

FOLDER = Path(__file__).parents[3] / "assets" / "words"
INTERFACE = {"en": "English", "ja": "日本語"}  # names of the languages, each in itself
KEY = "interface"  # the language of the visit; a widget's own state is not kept from page to page
_SWITCH = f"{KEY}.switch"
_SPOKEN = ContextVar("spoken", default="")  # the same, in the thread of a run: a long page asks for it thousands of times


def t(key: str, /, *, language: str = "", **values: object) -> str:
    """The text ``section.name`` in the interface language (or ``language``), with its values filled in."""
    section, _, name = key.partition(".")
    numbers = {field: _Number(value) for field, value in values.items() if type(value) is int}
    return catalogue(language or interface())[section][name].format(**values | numbers)


def problem(found: object) -> str:
    """An error, or a message that one carried, in the interface language."""
    return found.text(interface()) if isinstance(found, SpiceError) else in_language(found, interface())


def language_names() -> dict[str, str]:
    """The languages of captions by code; one without a text in the catalogue has the name that its pack gives."""
    known = catalogue(interface())["language"]
    return {code: t(f"language.{code}") if code in known else lang.language(code).name for code in lang.LANGUAGES}


def interface() -> str:
    """The code of the interface language; independent of the captions' language."""
    if spoken := _SPOKEN.get():
        return spoken
    visited = get_script_run_ctx(suppress_warning=True) is not None
    chosen: str | None = st.session_state.get(KEY) if visited else None
    return chosen or next(iter(INTERFACE))


def restore() -> None:
    """Speak the language of the visit; at its begin and on the way back that of the address, else that of the browser."""
    known = st.session_state.get(KEY)
    _set_language(known if known and not url.has_gone_back() else url.requested("ui", INTERFACE, known or _browser_language()))
    st.session_state[_SWITCH] = interface()


def choose() -> None:
    """The choice of the interface language."""
    label = t("language.interface")
    options: dict[str, Any] = {"label_visibility": "collapsed", "required": True, "width": "content"}
    st.segmented_control(label, list(INTERFACE), key=_SWITCH, format_func=INTERFACE.__getitem__, on_change=_change_language, **options)


def _change_language() -> None:
    _set_language(st.session_state[_SWITCH] or interface())


def _set_language(language: str) -> None:
    """From here on; the address holds the language where it is not the browser's."""
    st.session_state[KEY] = language
    _SPOKEN.set(language)
    url.set_param("ui", language, _browser_language())


def _browser_language() -> str:
    """The browser's language, where the page speaks it; else the first."""
    return nearest_to(st.context.locale or "")


def nearest_to(locale: str) -> str:
    """Return the interface language of a locale such as en-GB; the first one if the page does not speak it."""
    code = locale.partition("-")[0].lower()
    return code if code in INTERFACE else next(iter(INTERFACE))


class _Number(int):
    """A number in a text, where ``{number:image|images}`` stands for the word after one or after any other number."""

    def __format__(self, spec: str) -> str:
        one, bar, several = spec.partition("|")
        return (one if self == 1 else several) if bar else super().__format__(spec)


@cache
def catalogue(language: str) -> dict[str, dict[str, str]]:
    """All texts of a language by section and name: those of the library's drawings and those of the app."""
    found = {section: dict(texts) for section, texts in style.catalogue(language).items()}
    for section, texts in app_texts(language).items():
        found.setdefault(section, {}).update(texts)
    return found


def app_texts(language: str) -> dict[str, dict[str, str]]:
    """The app's own texts of a language: one file for each page, and one for what pages share."""
    return read_catalogue(FOLDER, language)
