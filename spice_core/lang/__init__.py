"""The language packs by code, imported at first use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from spice_core.errors import Message, UnknownNameError
from spice_core.lang.pack import LanguagePack, resolve

LANGUAGES: dict[str, str] = {"en": "spice_core.lang.en:PACK", "ja": "spice_core.lang.ja:PACK"}


def language(code: str) -> LanguagePack:
    """The pack of a language code. Raises UnknownNameError."""
    if code not in LANGUAGES:
        raise UnknownNameError(Message("kind.language"), code, LANGUAGES)
    pack: LanguagePack = resolve(LANGUAGES[code])
    return pack


def detect_language(texts: Iterable[str]) -> str:
    """Detect the language of most texts by script; ties go to the first text, texts without letters to the first language."""
    codes = (code for text in texts if any(map(str.isalpha, text)) for code in LANGUAGES if language(code).fits(text))
    return next((code for code, _ in Counter(codes).most_common(1)), next(iter(LANGUAGES)))
