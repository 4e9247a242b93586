"""Registry of the language packs by code, and detection of languages. Each pack is imported at first use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import islice

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
    """Return the language code of the script used by most texts, or the first language for unknown scripts."""
    codes = (pack.code for text in texts if any(map(str.isalpha, text)) for pack in language_packs() if pack.is_mostly_in_script(text))
    return next((code for code, _ in Counter(codes).most_common(1)), next(iter(LANGUAGES)))


_SAMPLE_CAPTIONS = 200  # number of captions checked, enough to tell a foreign file from a file with some foreign captions
_MIN_UNIQUE_SHARE = 0.1  # letters unique to the language; half the letters of Japanese captions are kana
_MIN_SAMPLE_CHARS = 30  # a smaller share of unique letters counts only in samples of this length


def other_language(captions: Iterable[str], lang: str) -> str | None:
    """Return the code of the likely language of most captions if they are not in the language ``lang``.

    Args:
        captions: Candidates and references; only the first 200 that contain letters are checked.
        lang: Code of the expected language.

    Returns:
        None if at least half of the captions are in the script of ``lang``, unless the captions have at least 30 characters in total and
        too few of the letters that only this language has. Otherwise, the code of the other language, or "" if it is unknown.

    Example:
        >>> other_language(["犬がソファに座っている", "猫"], "en")
        'ja'
        >>> other_language(["一只狗坐在沙发上"], "en")
        ''
    """
    sample = list(islice((text for text in captions if any(map(str.isalpha, text))), _SAMPLE_CAPTIONS))
    other_texts = [text for text in sample if not language(lang).is_mostly_in_script(text)]
    if 2 * len(other_texts) <= len(sample):
        is_other_script = sum(map(len, sample)) >= _MIN_SAMPLE_CHARS and language(lang).unique_letter_share(sample) < _MIN_UNIQUE_SHARE
        return "" if is_other_script else None
    counts = Counter(p.code for text in other_texts for p in language_packs() if p.code != lang and p.is_mostly_in_script(text))
    likely_codes = (code for code, count in counts.most_common(1) if 2 * count > len(sample))
    return next((code for code in likely_codes if language(code).unique_letter_share(other_texts) >= _MIN_UNIQUE_SHARE), "")
