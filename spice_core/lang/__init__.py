"""Registry of the language packs by code. Each pack is imported at first use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from spice_core.errors import Message, UnknownNameError
from spice_core.lang.pack import LanguagePack, resolve

LANGUAGES: dict[str, str] = {"en": "spice_core.lang.en:PACK", "ja": "spice_core.lang.ja:PACK"}


def language(code: str) -> LanguagePack:
    """Return the pack for a language code. Raises UnknownNameError."""
    if code not in LANGUAGES:
        raise UnknownNameError(Message("kind.language"), code, LANGUAGES)
    pack: LanguagePack = resolve(LANGUAGES[code])
    return pack


def detect_language(texts: Iterable[str]) -> str:
    """Return the code of the language whose script the most texts use, or of the first language if no text uses a known script."""
    codes = (code for text in texts if any(map(str.isalpha, text)) for code in LANGUAGES if language(code).is_mostly_in_script(text))
    return next((code for code, _ in Counter(codes).most_common(1)), next(iter(LANGUAGES)))
