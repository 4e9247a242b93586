"""Encoder input: a caption with its sentence breaks and markup, split into Penn-Treebank-like tokens, lower-case word pieces and shapes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenizers import Tokenizer
from typing import NamedTuple

MAX_SENTENCE_TOKENS = 200
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
    end = start + len(word)
    if match := _CONTRACTED_WORD_PATTERN.fullmatch(word):
        split_offset = start + len(next(filter(None, match.groups())))
        return [(start, split_offset), (split_offset, end)]
    if clitic := _CLITIC_PATTERN.search(word):
        return [(start, start + clitic.start()), (start + clitic.start(), end)]
    return [(start, end)]


START_ID, END_ID, UNKNOWN_ID = 101, 102, 100  # ids of [CLS], [SEP] and [UNK] in the vocabulary
MAX_PIECES = 512
MAX_WORD_PIECES = 8
_MAX_WORDS, _MAX_WORD_CHARS = 1 << 14, 30  # maximum number of cached words, and of characters of a cached word
SHAPE_COUNT = 5  # lower case, first word capitalised, other word capitalised, all capitals, with digits


class WordPieces:
    """Splitter of words into the pieces of a tokenizer, with a cache for short words."""

    def __init__(self, tokenizer: Tokenizer):
        self._tokenizer = tokenizer
        self._pieces_by_word = lru_cache(maxsize=_MAX_WORDS)(self._encode)

    def split(self, words: Sequence[str]) -> tuple[list[int], list[int]]:
        """Return the ids of all pieces, from [CLS] to [SEP], and the index of the first piece of each word.

        Long words are truncated, to fewer pieces in long texts.
        """
        max_pieces = min(MAX_WORD_PIECES, (MAX_PIECES - 2) // max(1, len(words)))
        ids, first_pieces = [START_ID], []
        for word in words:
            first_pieces.append(len(ids))
            pieces = self._pieces_by_word(word) if len(word) <= _MAX_WORD_CHARS else self._encode(word)
            ids += pieces[:max_pieces] or (UNKNOWN_ID,)
        return [*ids, END_ID], first_pieces

    def _encode(self, word: str) -> tuple[int, ...]:
        return tuple(self._tokenizer.encode(word, add_special_tokens=False).ids[:MAX_WORD_PIECES])


def word_shapes(words: Sequence[str]) -> list[int]:
    """Return the shape of each word as a number below ``SHAPE_COUNT``."""
    return [_word_shape(word, is_first=not i) for i, word in enumerate(words)]


def _word_shape(word: str, *, is_first: bool) -> int:
    if word.islower() and word.isalpha():
        return 0
    if any(c.isdigit() for c in word):
        return 4
    if len(word) > 1 and word.isupper():
        return 3
    return (1 if is_first else 2) if word[:1].isupper() else 0


_MARKUP_HINT = re.compile(r"^[^.,!?]{0,40}:\s|[\n\r\v\f\x85\u2028\u2029*_#•`]|[:.!?\"”)] +(?:[-–]|\d{1,2}[.)]) |^\s*(?:[-–>]|\d{1,2}[.)]) ")
_LIST_ITEM = re.compile(r"\s*(?:[-–*•+>]|\(?\d{1,2}[.)])\s+")
_INLINE_LIST_ITEM = re.compile(r"(?<=[:.!?\"”)*])[ \t]+(?=(?:[-–•*]|\d{1,2}[.)])\s+[*\"“]*[A-Z])|[ \t]+(?=•)")
_HEADING = re.compile(r"\s*(?:#{1,6}\s.*|(\*\*|__)[^*_]+\1:?\s*|\S.*:\s*|[-*_=]{3,}\s*)$")
_LABEL = re.compile(r"\s*(?:(\*\*|__)[^*_]{1,60}(?::\1|\1\s*:)|[A-Z][^\W\d_]*(?: [\w/&]+){0,2}:(?=\s))")
_FRAME_LABEL = re.compile(
    r"image|photo|picture|scene|caption|description|answer|background|foreground|title|setting|summary", re.IGNORECASE
)
_EMPHASIS = re.compile(r"\*+(?=\S)|(?<=\S)\*+|(?<!\w)_+(?=\w)|(?<=\w)_+(?!\w)|`+")
_SENTENCE_END = re.compile(r"[.!?:;][\"”’')*_]*$")


class Layout(NamedTuple):
    """Caption with single spaces.

    ``breaks`` are the offsets where a sentence must begin, and ``markup`` holds the spans that are not words.
    """

    text: str
    breaks: tuple[int, ...] = ()
    markup: tuple[tuple[int, int], ...] = ()

    def spans_outside_markup(self, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """Return the spans that do not begin inside markup. The spans must be in order."""
        if not self.markup:
            return spans
        out, index = [], 0
        for span in spans:
            while index < len(self.markup) and self.markup[index][1] <= span[0]:
                index += 1
            if index == len(self.markup) or span[0] < self.markup[index][0]:
                out.append(span)
        return out


def layout_caption(caption: str) -> Layout:
    """Return the layout of a caption.

    List items and paragraphs begin sentences. Bullets, headings, labels and emphasis marks are markup.
    """
    if not _MARKUP_HINT.search(caption):
        return Layout(" ".join(caption.split()))
    text, breaks, markup = "", [], []
    pieces, follows_blank = (
        [piece for line in caption.splitlines() for piece in (_INLINE_LIST_ITEM.split(line) if line.strip() else [""])],
        False,
    )
    for piece in pieces:
        line = " ".join(piece.split())
        if not line:
            follows_blank = True
            continue
        item = _LIST_ITEM.match(line + " ")
        if text and (item or follows_blank or _SENTENCE_END.search(text) or (line.startswith(("#", "*", "_")) and _HEADING.match(line))):
            breaks.append(len(text) + 1)
        start = len(text) + bool(text)
        text += " " * bool(text) + line
        markup += [(start + a, start + b) for a, b in _markup_spans(line, item.end() if item else 0, in_list=len(pieces) > 1)]
        follows_blank = False
    return Layout(text, tuple(breaks), tuple(markup))


def _markup_spans(line: str, begin: int, *, in_list: bool) -> list[tuple[int, int]]:
    """Return the spans of a line that are not words: bullets, labels, headings and emphasis marks."""
    out, begin = ([(0, min(begin, len(line)))] if begin else []), min(begin, len(line))
    if in_list and _HEADING.match(line[begin:]):
        return [(0, len(line))]
    if label := _LABEL.match(line[begin:]):
        if in_list or label.group(1) or _FRAME_LABEL.search(label.group()):
            out.append((begin, begin + label.end()))
            begin += label.end()
    return out + [(begin + m.start(), begin + m.end()) for m in _EMPHASIS.finditer(line[begin:])]
