"""The language that captions seem to be in, by their script."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import islice

from spice_core.lang import LANGUAGES, language

_SAMPLE = 200  # captions looked at: enough to tell a file in another language from a file with some foreign captions


def likely_language(captions: Iterable[str], lang: str) -> str:
    """Return the code of the language that most captions seem to be in, if their script is not that of ``lang``.

    Args:
        captions: Candidates and references; the first 200 with letters are read.
        lang: Code of the language that they are read in.

    Returns:
        The code of another language, or "" if at least half of the captions fit ``lang`` or most fit no other language.

    Example:
        >>> likely_language(["犬がソファに座っている", "猫"], "en")
        'ja'
    """
    sample = list(islice((text for text in captions if any(map(str.isalpha, text))), _SAMPLE))
    others = [text for text in sample if not language(lang).fits(text)]
    if 2 * len(others) <= len(sample):
        return ""
    found = Counter(code for text in others for code in LANGUAGES if code != lang and language(code).fits(text))
    return next((code for code, count in found.most_common(1) if 2 * count > len(sample)), "")
