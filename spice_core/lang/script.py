"""Detection of the language of captions by their script."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import islice
from typing import NamedTuple

from spice_core.lang import language, language_packs

_SAMPLE_CAPTIONS = 200  # number of captions to check: enough to tell a file in another language from a file with some foreign captions
_MIN_OWN_SHARE = 0.1  # minimum share of letters that only the language has: kana are half the letters of Japanese captions
_MIN_CHARS = 30  # minimum total length of captions in which a smaller share shows another language


class OtherLanguage(NamedTuple):
    """Detected language of captions that are not in the selected language.

    ``code`` is empty if the language is unknown.
    """

    code: str


def other_language(captions: Iterable[str], lang: str) -> OtherLanguage | None:
    """Return the likely language of most captions if they are not in the language ``lang``.

    Args:
        captions: Candidates and references; only the first 200 that contain letters are checked.
        lang: Code of the expected language.

    Returns:
        None if at least half of the captions are in the script of ``lang``, unless the captions have at least 30 characters in total and
        too few of the letters that only this language has. Otherwise, the other language.

    Example:
        >>> other_language(["犬がソファに座っている", "猫"], "en")
        OtherLanguage(code='ja')
        >>> other_language(["一只狗坐在沙发上"], "en")
        OtherLanguage(code='')
    """
    sample = list(islice((text for text in captions if any(map(str.isalpha, text))), _SAMPLE_CAPTIONS))
    other_texts = [text for text in sample if not language(lang).is_mostly_in_script(text)]
    if 2 * len(other_texts) <= len(sample):
        is_other_script = sum(map(len, sample)) >= _MIN_CHARS and language(lang).unique_letter_share(sample) < _MIN_OWN_SHARE
        return OtherLanguage("") if is_other_script else None
    counts = Counter(p.code for text in other_texts for p in language_packs() if p.code != lang and p.is_mostly_in_script(text))
    likely_codes = (code for code, count in counts.most_common(1) if 2 * count > len(sample))
    return OtherLanguage(next((code for code in likely_codes if language(code).unique_letter_share(other_texts) >= _MIN_OWN_SHARE), ""))
