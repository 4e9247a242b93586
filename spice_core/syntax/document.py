"""Documents that parsers return and rules read: tokens and typed dependencies in UD v2, with the same types for all languages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple


class Token(NamedTuple):
    """One word of a sentence.

    ``index`` counts from 1 within the sentence; 0 is the artificial root. ``start`` and ``end`` are character offsets in the caption, or -1
    if the token could not be found there.
    """

    index: int  # type: ignore[assignment]  # tuple.index is never called
    text: str
    lemma: str
    tag: str
    start: int = -1
    end: int = -1


class Dependency(NamedTuple):
    """A typed edge from the token ``head`` (0 for the root) to the token ``dependent``."""

    head: int
    dependent: int
    relation: str


class Antecedent(NamedTuple):
    """The antecedent of a token such as a pronoun.

    Attributes:
        index: The index of the token in its sentence.
        sentence: The number of the sentence that contains the antecedent, from 0.
        heads: The head word of the antecedent, or several head words if the antecedent is coordinated.
    """

    index: int  # type: ignore[assignment]  # tuple.index is never called
    sentence: int
    heads: tuple[Token, ...]

    def resolve_token(self, token: Token, position: int = 0) -> Token:
        """Return a token with the lemma and part of speech of the antecedent's head word at ``position``."""
        head = self.heads[position]
        return token._replace(lemma=head.lemma, tag=head.tag)


@dataclass(frozen=True, slots=True)
class Sentence:
    """Tokens with their basic tree and, if available, their enhanced graph, both with UD v2 labels.

    ``antecedents`` are the antecedents of tokens that the discourse steps found.
    """

    tokens: tuple[Token, ...]
    basic: tuple[Dependency, ...]
    enhanced: tuple[Dependency, ...] | None = None
    antecedents: tuple[Antecedent, ...] = ()

    @property
    def resolved_tokens(self) -> tuple[Token, ...]:
        """The tokens for steps and rules, with the lemma and part of speech of their antecedents."""
        if not self.antecedents:
            return self.tokens
        tokens = list(self.tokens)
        for antecedent in self.antecedents:
            tokens[antecedent.index - 1] = antecedent.resolve_token(tokens[antecedent.index - 1])
        return tuple(tokens)

    @property
    def edges(self) -> tuple[Dependency, ...]:
        """The edges of the enhanced graph, or of the basic tree if there is none."""
        return self.basic if self.enhanced is None else self.enhanced


@dataclass(frozen=True, slots=True)
class Document:
    """A parsed caption: its text and its sentences, in order."""

    text: str
    sentences: tuple[Sentence, ...]

    @property
    def sentence_texts(self) -> tuple[str, ...]:
        """The text of each sentence, from its first to its last token."""
        tokens_by_sentence = [[t for t in sentence.tokens if t.start >= 0] for sentence in self.sentences]
        return tuple(self.text[tokens[0].start : tokens[-1].end] if tokens else "" for tokens in tokens_by_sentence)

    def text_offsets(self, texts: Iterable[str]) -> tuple[int, ...]:
        """Return the offsets of texts that the document contains in this order."""
        starts, offset = [], 0
        for text in texts:
            start = self.text.find(text, offset)
            starts.append(start if start >= 0 else offset)
            offset = starts[-1] + len(text)
        return tuple(starts)


def align_words(text: str, words: list[str]) -> list[tuple[int, int]]:
    """Return the start and end offsets of ``words`` in ``text``, in order, with (-1, -1) for words that are not found.

    Penn Treebank escapes (-LRB-, and `` and '' for quotes) are also looked up in plain form.
    """
    spans, position = [], 0
    for word in words:
        for form in (word, *_BRACKET_SPELLINGS.get(word, ())):
            start = text.find(form, position)
            if start >= 0:
                position = start + len(form)
                spans.append((start, position))
                break
        else:
            spans.append((-1, -1))
    return spans


_BRACKET_SPELLINGS = {
    "-LRB-": ("(",), "-RRB-": (")",), "-LSB-": ("[",), "-RSB-": ("]",), "-LCB-": ("{",), "-RCB-": ("}",),
    "``": ('"', "“", "''"), "''": ('"', "”"), "`": ("'", "‘"), "'": ("’",), "...": ("…",), "--": ("—", "–"),
}  # fmt: skip


def find_cycle(edges: Iterable[Dependency]) -> list[int]:
    """Return the tokens of a cycle of heads, or an empty list if there is no cycle.

    The list starts and ends with the token of the cycle that comes first in the sentence.
    """
    return find_cycle_of_heads({edge.dependent: edge.head for edge in edges})


def find_cycle_of_heads(heads: Mapping[int, int]) -> list[int]:
    """Return a cycle like ``find_cycle``, given the head of each dependent."""
    checked_words: set[int] = set()
    for start in heads:
        path: dict[int, None] = {}
        word = start
        while word in heads and word not in checked_words and word not in path:
            path[word] = None
            word = heads[word]
        if word in path:
            cycle = list(path)[list(path).index(word) :]
            start_index = cycle.index(min(cycle))
            return [*cycle[start_index:], *cycle[: start_index + 1]]
        checked_words |= path.keys()
    return []
