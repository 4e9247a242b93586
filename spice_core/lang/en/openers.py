"""Openers, which introduce the content of a picture at the beginning of a sentence: "the image shows", "in this photo there is"."""

from __future__ import annotations

import re
from collections.abc import Sequence

SHOW_VERBS = (
    "show depict feature present display portray showcase illustrate reveal include contain highlight document capture represent "
    "picture frame"
).split()
_LOOK = (
    r"(?:black and white |black-and-white |close-up |closeup |close up |aerial |overhead |top-down |bird's-eye |eye-level |wide |medium |full |indoor |outdoor |high-angle |low-angle |high angle |low angle |side |front |slightly |fairly |"
    r"drone |digital |video |given |provided |color |overall |entire |first |second )*"
)
_PICTURE = (
    rf"(?:(?:the|this|these) {_LOOK}(?:image|picture|photo|photograph|scene|shot|snapshot|frame|illustration|artwork|drawing|sketch|cartoon|"
    rf"rendering|render|animation|screenshot|video|clip|footage|visual)s?|an? {_LOOK}(?:image|photo|photograph|shot|video|illustration)"
    r"|(?:the|this) (?:painting|view|portrait))"
)
_KIND = (
    "(?:close-up|closeup|close up|view|image|picture|photo|photograph|shot|snapshot|glimpse|painting|drawing|sketch|illustration|portrait|"
    "rendering|cartoon|collage|x-ray|screenshot)s?"
)
_DEPICTION_AHEAD = rf"(?=an? (?:\S+ ){{0,3}}{_KIND} (?:of|into|at|showing|depicting|featuring|from|taken) )"
_THING = r"(?=(?:an?|the|two|three|four|some|several|many) )"
_SHOW_VERB = f"(?:{'|'.join(SHOW_VERBS)})"
_SCENE = (
    r"(?:(?:an? )?(?:vibrant |serene |lively |dynamic |tranquil |bustling |peaceful |charming |cozy |busy |quiet |beautiful |vivid |captivating |"
    r"intense |striking |unique |delightful |detailed |comprehensive |exciting |engaging |candid |joyful |single |clear )*"
    r"(?:scene|moment|snapshot|glimpse|picture)s? (?:of|featuring|showing|depicting|where|in which|when) )?"
)
_SHOW_PHRASE = (
    rf"(?:{_SHOW_VERB}s? (?:us |that )?{_SCENE}|paints? (?=an? (?:\S+ )?picture of ){_SCENE}|(?:appears?|seems?) to {_SHOW_VERB} {_SCENE}"
    rf"|looks like |(?:focus(?:es)?|cent(?:er|re)s?|zooms in) on |consists of "
    rf"|is (?:focused on|cent(?:er|re)ed on|filled with|full of|composed of|made up of) |(?:is|appears to be|seems to be) (?:{_DEPICTION_AHEAD}|of {_THING})"
    rf"|(?:provides|offers|gives) (?:us )?{_DEPICTION_AHEAD})"
)
_SEE = "(?:we|you|one|i) (?:can )?(?:also )?(?:see|observe|notice) "
_OPENER = re.compile(
    rf"(?:{_PICTURE} (?:also |\w+ly )?{_SHOW_PHRASE}"
    rf"|the (?:main|primary|central|key) (?:subject|focus|focal point)(?: (?:of|in) {_PICTURE})? (?:is|are) (?:on )?{_THING}"
    rf"|(?:in|within) {_PICTURE} (?!of )(?:, )?(?:there (?:is|are) |{_SEE})?"
    rf"|(?:here (?:, )?)?{_SEE}{_THING})"
    r"(?=\w)"
)
_DEPICTION = re.compile(rf"(?:an? |the )?{_LOOK}{_KIND} of (?=\w)")
_QUOTES, _CLOSING_QUOTES = ("“", '"', "``", "‘", "'"), ("”", '"', "''", "’", "'")


def count_opener_words(words: Sequence[str]) -> int:
    """Return the number of words before the content of a picture, including quotation marks (0 without an opener)."""
    start = int(bool(words) and words[0] in _QUOTES)
    match = _OPENER.match(" ".join(words[start:]).lower())
    return start + match.group().count(" ") if match else 0


def find_content(words: Sequence[str]) -> tuple[int, int]:
    """Return the index of the first word after opener, "a photo of" and quotation marks, and of the end before a closing mark."""
    is_quoted = len(words) > 2 and words[0] in _QUOTES and words[-1] in _CLOSING_QUOTES
    opener = count_opener_words(words)
    depiction_start = opener or 2 * (words[1:2] == ["is"])  # "this is a photo of"
    match = _DEPICTION.match(" ".join(words[depiction_start:]).lower()) if depiction_start else None
    start = depiction_start + match.group().count(" ") if match else max(opener, is_quoted)
    return start, len(words) - is_quoted
