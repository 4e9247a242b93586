"""Splitting of a text into Penn-Treebank-like tokens, by one regular expression, and into sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence

MAX_SENTENCE_TOKENS = 200  # maximum number of words of a sentence; further words form another sentence
_MIN_CLAUSE_TOKENS = 3  # minimum number of words before a colon that ends a sentence
_END_MARKS = (".", "!", "?")
_CLAUSE_START_WORDS = frozenset("a an he her his it its one she some the their there these they this those two three".split())
_SAY_FORMS = frozenset(  # verbs before quoted speech or text: "a sign reads: STOP"
    "say says saying said read reads reading state states stating spell spells spelling write writes written text texts word words caption "
    "title letter letters sign message label name".split()
)
_ABBREVIATIONS = (
    "a.m|p.m|adm|approx|apt|ariz|aug|ave|blvd|bros|calif|capt|co|colo|conn|corp|cpl|dec|dept|dr|ed|est|etc|feb|fla|ft|gen|gov|inc|jan|"
    "jr|lt|ltd|maj|messrs|mich|minn|mr|mrs|ms|mt|no|nov|oct|okla|oz|ph.d|prof|rep|rev|sen|sept|sgt|sr|st|supt|tenn|tex|univ|vs|wis|"
    "d.v.d|t.v|u.s|u.s.a|u.k"
)
_SENTENCE_STARTS = "a|an|at|he|her|his|in|it|its|on|one|she|some|the|their|there|these|they|this|those|two"
_TOKEN_PATTERN = re.compile(
    rf"""
      (?:https?://|www\.)\S*[\w/]                           # addresses
    | (?:{_ABBREVIATIONS.replace(".", r"[.]")})\.(?=\s|$)(?!\s*$)   # abbreviations, unless they end the text
    | (?:apr|jul|jun|mar)\.(?=\s+\d)                         # dates: Apr. 3
    | (?:[a-z]\.){{2,}}                                     # initials: U.S., t.v.
    | (?-i:[A-HJ-Z])\.(?=\s+(?-i:[A-Z]))(?!\s+(?:{_SENTENCE_STARTS})\b)   # initials of names: J. Doe
    | ``|''|\.\.+|--+                                       # quotes, dots, dashes
    | w/(?=\W|$)                                            # "with"
    | \d+(?:[.,:/]\d+)*(?:st|nd|rd|th|s)?\b(?![-\w])        # numbers: 1,000, 9:30, 1/2, 2nd, 1920s
    | \w+(?:(?!(?-i:(?<=[a-z]{{2}})[.][A-Z]))[-/.&+@*'’]\w+)*   # words, with hyphens and apostrophes inside, but no sentence end ("wet.The")
    | ['’](?:s|re|ve|ll|d|m|em|n|til|tis|twas)\b            # clitics that stand alone
    | [^\w\s]                                               # any other sign
    """,
    re.IGNORECASE | re.VERBOSE,
)
_CLITIC_PATTERN = re.compile(r"(?<=\w)(?:n['’]t|['’](?:s|re|ve|ll|d|m))$", re.IGNORECASE)
_CONTRACTED_WORD_PATTERN = re.compile(r"(can)(not)|(gon|wan)(na)|(got)(ta)", re.IGNORECASE)


def tokenize_words(text: str) -> list[tuple[int, int]]:
    """Return the start and end of each token, in order."""
    spans: list[tuple[int, int]] = []
    for match in _TOKEN_PATTERN.finditer(text):
        spans += _split_word(match.group(), match.start())
    return spans


def split_sentences(text: str, tokens: Sequence[tuple[int, int]], breaks: Sequence[int] = ()) -> list[list[tuple[int, int]]]:
    """Return the tokens of each sentence.

    A sentence ends at a break, at the maximum length, or after an end mark and the signs that follow it. It also ends
    after the colon of a clause, and after a semicolon before a clause.
    """
    out: list[list[tuple[int, int]]] = []
    is_after_end, limits = True, iter([*breaks, len(text) + 1])
    limit = next(limits)
    for start, end in tokens:
        word = text[start:end]
        while start >= limit:
            is_after_end, limit = True, next(limits)
        starts_clause = bool(out) and text[slice(*out[-1][-1])] == ";" and word.lower() in _CLAUSE_START_WORDS
        if (is_after_end and word[0].isalnum()) or starts_clause or not out or len(out[-1]) == MAX_SENTENCE_TOKENS:
            out.append([])
            is_after_end = False
        out[-1].append((start, end))
        is_after_end = is_after_end or word in _END_MARKS or (word == ":" and _ends_clause(text, out[-1]))
    return out


def _ends_clause(text: str, tokens: Sequence[tuple[int, int]]) -> bool:
    """Return whether the colon at the end of these tokens ends a clause rather than introduces quoted speech or text."""
    return len(tokens) > _MIN_CLAUSE_TOKENS and not any(text[start:end].lower() in _SAY_FORMS for start, end in tokens[-4:])


def _split_word(word: str, start: int) -> list[tuple[int, int]]:
    """Return the spans of a word after splitting off a clitic, or splitting "cannot", "gonna" and the like."""
    end = start + len(word)
    if match := _CONTRACTED_WORD_PATTERN.fullmatch(word):
        split_offset = start + len(next(filter(None, match.groups())))
        return [(start, split_offset), (split_offset, end)]
    if clitic := _CLITIC_PATTERN.search(word):
        return [(start, start + clitic.start()), (start + clitic.start(), end)]
    return [(start, end)]
