"""Training examples of the encoder parser: sentences as word pieces, tags, heads and relations, in batches of similar length."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from tokenizers import Tokenizer

from spice_core.lang.en.parsers.word_tokens import WordPieces, word_shapes
from spice_core.syntax.document import Document, Sentence

MAX_SENTENCE_WORDS = 120  # maximum number of words of a training sentence


class Example(NamedTuple):
    """A sentence: ids of its word pieces, and per word its first piece, shape, tag, head (0 is the root) and relation."""

    ids: list[int]
    first_pieces: list[int]
    shapes: list[int]
    tags: list[int]
    heads: list[int]
    relations: list[int]


@dataclass(frozen=True)
class Labels:
    """The tags and relations of training trees. A label's position is its number in an `Example`."""

    tags: tuple[str, ...]
    relations: tuple[str, ...]

    @classmethod
    def of(cls, documents: Iterable[Document], min_count: int = 5) -> Labels:
        """Return the tags and relations that occur at least ``min_count`` times."""
        tags: Counter[str] = Counter()
        relations: Counter[str] = Counter()
        for document in documents:
            for sentence in document.sentences:
                tags.update(token.tag for token in sentence.tokens)
                relations.update(e.relation for e in sentence.basic)
        return cls(*(tuple(sorted(name for name, n in counter.items() if n >= min_count)) for counter in (tags, relations)))


def load_tokenizer(file: Path) -> Tokenizer:
    """Return the tokenizer of a file, without padding and truncation."""
    tokenizer = Tokenizer.from_file(str(file))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def make_examples(documents: Iterable[Document], labels: Labels, tokenizer: Tokenizer) -> list[Example]:
    """Return the sentences with known tags and relations, except very long ones."""
    tags = {name: i for i, name in enumerate(labels.tags)}
    relations = {name: i for i, name in enumerate(labels.relations)}
    examples = []
    for document in documents:
        for sentence in document.sentences:
            is_known = all(t.tag in tags for t in sentence.tokens) and all(e.relation in relations for e in sentence.basic)
            if is_known and len(sentence.tokens) <= MAX_SENTENCE_WORDS:
                examples.append(_make_example(document.text, sentence, tags, relations, tokenizer))
    return examples


def _make_example(text: str, sentence: Sentence, tags: dict[str, int], relations: dict[str, int], tokenizer: Tokenizer) -> Example:
    words = [text[t.start : t.end] or t.text for t in sentence.tokens]
    ids, first_pieces = WordPieces(tokenizer).split(words)
    edges = sorted(sentence.basic, key=lambda e: e.dependent)
    return Example(
        ids,
        first_pieces,
        word_shapes(words),
        [tags[t.tag] for t in sentence.tokens],
        [e.head for e in edges],
        [relations[e.relation] for e in edges],
    )


class PaddedBatch(NamedTuple):
    """Padded arrays of a batch of sentences. Padding words have head -1."""

    ids: np.ndarray  # (sentences, pieces)
    mask: np.ndarray  # (sentences, pieces)
    first_pieces: np.ndarray  # (sentences, words)
    shapes: np.ndarray  # (sentences, words)
    tags: np.ndarray
    heads: np.ndarray
    relations: np.ndarray


def make_batches(rows: Sequence[Example], max_pieces: int, rng: random.Random) -> Iterator[PaddedBatch]:
    """Yield batches in random order, each with at most ``max_pieces`` word pieces including padding.

    The sentences of a batch have similar lengths. A longer sentence forms a batch by itself.
    """
    order = sorted(range(len(rows)), key=lambda i: len(rows[i].ids) + rng.random())
    groups: list[list[int]] = [[]]
    for i in order:
        if groups[-1] and (len(groups[-1]) + 1) * len(rows[i].ids) > max_pieces:
            groups.append([])
        groups[-1].append(i)
    rng.shuffle(groups)
    for group in groups:
        yield pad_examples([rows[i] for i in group])


def pad_examples(rows: Sequence[Example]) -> PaddedBatch:
    """Return these sentences as padded arrays."""
    ids, mask = _pad_rows([r.ids for r in rows], 0), _pad_rows([[1] * len(r.ids) for r in rows], 0)
    padded = [_pad_rows([row[i] for row in rows], 0) for i in (1, 2, 3)]
    heads_, relations = _pad_rows([r.heads for r in rows], -1), _pad_rows([r.relations for r in rows], 0)
    return PaddedBatch(ids, mask, padded[0], padded[1], padded[2], heads_, relations)


def _pad_rows(rows: Sequence[Sequence[int]], fill_value: int) -> np.ndarray:
    padded = np.full((len(rows), max(map(len, rows))), fill_value, np.int64)
    for row_index, row in enumerate(rows):
        padded[row_index, : len(row)] = row
    return padded
