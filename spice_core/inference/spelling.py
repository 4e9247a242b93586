"""Detection of misspelt words: unknown words that differ from a word in the dictionary by one letter or by two exchanged letters."""

from __future__ import annotations

from collections.abc import Callable

_MIN_LETTERS = 5  # shorter words have too many neighbours


def is_misspelt(word: str, other: str, is_known: Callable[[str], bool]) -> bool:
    """Return whether one of two words is a misspelling of the other.

    Exactly one of them must be in the dictionary, and they must differ in one letter or in the order of two neighbouring letters. In
    compounds, this must hold for exactly one part. Words that differ only in hyphens also count.
    """
    if min(len(word), len(other)) < _MIN_LETTERS or abs(len(word) - len(other)) > 1 or word == other:
        return False
    parts, other_parts = word.split("-"), other.split("-")
    if len(parts) != len(other_parts):
        return word.replace("-", "") == other.replace("-", "")
    different = [(a, b) for a, b in zip(parts, other_parts) if a != b]
    if len(different) != 1:
        return False
    (a, b) = different[0]
    letters = (a + b).isascii() and (a + b).isalpha() and min(len(a), len(b)) >= _MIN_LETTERS - 1
    return letters and _differ_by_one_letter(a, b) and is_known(a) is not is_known(b)


def _differ_by_one_letter(a: str, b: str) -> bool:
    """Return whether two words differ by one missing or replaced letter, or by two exchanged neighbours."""
    short, long = sorted((a, b), key=len)
    if len(short) < len(long):
        return any(long[:place] + long[place + 1 :] == short for place in range(len(long)))
    indices = [index for index, (one, other) in enumerate(zip(a, b)) if one != other]
    if len(indices) != 2 or indices[1] != indices[0] + 1:
        return len(indices) == 1
    return a[indices[0] : indices[1] + 1] == b[indices[0] : indices[1] + 1][::-1]
