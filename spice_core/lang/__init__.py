"""Registry of the language packs by code. Each pack is imported at first use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from spice_core.errors import Message, UnknownNameError
from spice_core.lang.pack import LanguagePack
from spice_core.plugins import Registry, broken_plugin_error, load_added, load_working

_BUNDLED_PATHS = {"en": "spice_core.lang.en:PACK", "ja": "spice_core.lang.ja:PACK"}
LANGUAGES: Registry[str] = Registry("spice_core.languages", _BUNDLED_PATHS, str)


def language(code: str) -> LanguagePack:
    """Return the pack for a language code. Raises UnknownNameError, or MissingResourceError if the pack of a package is broken."""
    if code not in LANGUAGES:
        raise UnknownNameError(Message("kind.language"), code, LANGUAGES)
    pack = load_added(LANGUAGES[code], LanguagePack)
    if pack.code != code:
        raise broken_plugin_error(LANGUAGES[code], ValueError(f"found the code {pack.code!r}, expected {code!r}"))
    return pack


def language_packs() -> list[LanguagePack]:
    """Return the packs of all languages, without broken packs of packages."""
    return load_working(LANGUAGES, language)


def detect_language(texts: Iterable[str]) -> str:
    """Return the code of the language whose script the most texts use, or of the first language if no text uses a known script."""
    codes = (pack.code for text in texts if any(map(str.isalpha, text)) for pack in language_packs() if pack.is_mostly_in_script(text))
    return next((code for code, _ in Counter(codes).most_common(1)), next(iter(LANGUAGES)))
