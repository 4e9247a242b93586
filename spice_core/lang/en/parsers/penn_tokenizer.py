"""Tokenizer for Penn-Treebank-like words. It splits contractions, but not hyphenated words or "and/or".

The algorithm is that of spaCy's tokenizer: it removes prefixes and suffixes until an exception or nothing remains, then
splits the rest at infixes. The default tables are those with which the parser ``spice-2016`` was trained.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from spice_core.model_files import read_model_file

_LONG_WORD_CHARS = 50  # minimum number of characters of words that are not cached
_MAX_SUFFIX_CHARS = 16  # longer than any suffix in the tables with its context; only dots may be longer
_TABLES_PATH = Path(__file__).parents[1] / "models" / "spice-2016" / "tokenizer.json"


class Word(NamedTuple):
    """A word, its offset in the caption in characters, and its normal form."""

    text: str
    start: int
    norm: str


WordWithNorm = tuple[str, str]  # a word and its normal form


class PennTokenizer:
    """Tokenizer defined by ``tables``.

    ``prefix``, ``suffix`` and ``infix`` are regular expressions. ``exceptions`` maps a text to its words with their normal
    forms, and ``norms`` maps other words to their normal forms. ``across`` lists the words into which affix rules split
    an exception, such as "t.v" and "." for "t.v.".
    """

    def __init__(self, tables: Mapping[str, Any]):
        self._prefix = re.compile(tables["prefix"].removeprefix("^").replace("|^", "|")).match
        self._suffix = re.compile(tables["suffix"]).search
        self._infix = re.compile(tables["infix"]).finditer
        self._norms: dict[str, str] = tables["norms"]
        self._exceptions: dict[str, list[WordWithNorm]] = {
            text: [(word, norm or self._normalise(word)) for word, norm in parts] for text, parts in tables["exceptions"].items()
        }
        self._exceptions["&amp;"] = [("&", self._normalise("&"))]  # as in the tokenizer of the original SPICE
        self._max_exception_chars = max(map(len, self._exceptions))
        self._multiword_exceptions: dict[str, list[list[str]]] = {}  # multiword exceptions by first word
        for words in tables["across"]:
            self._multiword_exceptions.setdefault(words[0], []).append(words)
        self._split = lru_cache(maxsize=1 << 14)(self._split_chunk)

    @classmethod
    def read(cls, path: Path = _TABLES_PATH) -> PennTokenizer:
        """Return the tokenizer with the tables in a file, by default those of the parser ``spice-2016``."""
        return cls(json.loads(read_model_file(path)))

    def words(self, text: str) -> list[Word]:
        """Return the words of a text. Single spaces must be its only white space."""
        words, start = [], 0
        for chunk in text.split(" ") if text else ():
            position = start
            for word, norm in self._split(chunk) if len(chunk) < _LONG_WORD_CHARS else self._split_chunk(chunk):
                words.append(Word(word, position, norm))
                position += len(word)
            start += len(chunk) + 1
        spans = list(self._exception_spans(words))
        return list(self._merge_exceptions(words, text, spans)) if spans else words

    def _normalise(self, word: str) -> str:
        return self._norms.get(word, word.lower())

    def _split_chunk(self, text: str) -> tuple[WordWithNorm, ...]:
        """Return the words of a text that contains no spaces."""
        if text in self._exceptions:
            return tuple(self._exceptions[text])
        prefixes, text, suffixes = self._split_affixes(text)
        inner_words = (
            self._exceptions[text] if text in self._exceptions else [(word, self._normalise(word)) for word in self._split_infixes(text)]
        )
        return (
            *((word, self._normalise(word)) for word in prefixes),
            *inner_words,
            *((word, self._normalise(word)) for word in reversed(suffixes)),
        )

    def _split_affixes(self, text: str) -> tuple[list[str], str, list[str]]:
        """Return the prefixes, the remaining text, and the suffixes, the last suffix first. The time is linear in the length of the text."""
        prefixes: list[str] = []
        suffixes: list[str] = []
        start, end = 0, len(text)
        while start < end and not self._is_exception(text, start, end):
            match = self._prefix(text, start, end)
            inner_start = match.end() if match else start
            inner_end = end if match and self._is_exception(text, inner_start, end) else self._suffix_start(text, inner_start, end)
            if inner_end < end and self._is_exception(text, start, inner_end):
                inner_start = start
            if (inner_start, inner_end) == (start, end):
                break
            prefixes += filter(None, (text[start:inner_start],))
            suffixes += filter(None, (text[inner_end:end],))
            start, end = inner_start, inner_end
        return prefixes, text[start:end], suffixes

    def _is_exception(self, text: str, start: int, end: int) -> bool:
        return end - start <= self._max_exception_chars and text[start:end] in self._exceptions

    def _suffix_start(self, text: str, start: int, end: int) -> int:
        """Return where the suffix of ``text[start:end]`` begins, or ``end`` if there is none. Only the last characters are searched."""
        word_end = end
        while word_end > start and text[word_end - 1] == ".":
            word_end -= 1
        search_start = max(start, word_end - _MAX_SUFFIX_CHARS)
        match = self._suffix(text[search_start:end])
        return search_start + match.start() if match else end

    def _split_infixes(self, text: str) -> Iterator[str]:
        """Yield the words and infixes of a text without affixes. An infix at the start of the text does not split it."""
        start = 0
        for match in self._infix(text):
            if match.start() == 0:
                continue
            yield from filter(None, (text[start : match.start()], match.group()))
            start = match.end()
        yield from filter(None, (text[start:],))

    def _exception_spans(self, words: Sequence[Word]) -> Iterator[tuple[int, int]]:
        """Yield the start and end of each sequence of words that may form an exception."""
        for start, word in enumerate(words):
            for exception in self._multiword_exceptions.get(word.text, ()):
                end = start + len(exception)
                if [word.text for word in words[start:end]] == exception:
                    yield start, end

    def _merge_exceptions(self, words: Sequence[Word], text: str, spans: Sequence[tuple[int, int]]) -> Iterator[Word]:
        """Yield the words, replacing each span that forms an exception by the words of that exception.

        If spans overlap, the longest span applies, or the first of equally long spans.
        """
        end_by_start: dict[int, int] = {}
        seen: set[int] = set()
        for start, end in sorted(spans, key=lambda span: (span[0] - span[1], span[0])):
            if start not in seen and end - 1 not in seen:
                end_by_start[start] = end
            seen.update(range(start, end))
        index = 0
        while index < len(words):
            end = end_by_start.get(index, index + 1)
            parts = (
                self._exceptions.get(text[words[index].start : words[end - 1].start + len(words[end - 1].text)])
                if index in end_by_start
                else None
            )
            if parts is None:
                yield from words[index:end]
            else:
                start = words[index].start
                for word, norm in parts:
                    yield Word(word, start, norm)
                    start += len(word)
            index = end
