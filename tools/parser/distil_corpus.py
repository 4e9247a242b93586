"""Sentences for distillation: captions labelled by the teacher, and trees of a grammar and of treebanks that the teacher has not seen.

Captions come without trees: their targets are the teacher's probabilities. Trees come from UD English-EWT, from `tree_grammar` and
from `augment` and `attachment` over captions on which two parsers agree.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import numpy as np
from tokenizers import Tokenizer

from spice_core.data.factual import read_pairs
from spice_core.data.reader import read_rows
from spice_core.lang.en.parsers.word_pieces import WordPieces, word_shapes
from spice_core.lang.en.parsers.word_tokens import split_sentences, tokenize_words
from spice_core.scene.propositions import Proposition
from spice_core.syntax.document import Document
from tools.parser import recipes
from tools.parser.attachment import attached
from tools.parser.augment import augmented
from tools.parser.examples import Example, Labels, examples, tokenizer_of
from tools.parser.inflection import Inflection
from tools.parser.recipes import HELD_OUT, SEED, Sources
from tools.parser.respell import spellings
from tools.parser.tree_grammar import caption_grammar

PARTS = 16  # parts, each with its own seed, so that the examples do not depend on the number of processes
MAX_WORDS = 40  # words of a text by grammar
SPELLINGS = 2  # spellings of a caption


class Examples(NamedTuple):
    """Sentences to learn and to measure by: ``soft`` ones have no tree, ``hard`` ones have."""

    soft: list[Example]
    hard: list[Example]
    grammar: list[Example]
    held_out_soft: list[Example]
    held_out_grammar: list[Example]


def corpus(sources: Sources, labels: Labels, tokenizer_file: Path, *, by_grammar: int, workers: int) -> Examples:
    """Return all examples; ``by_grammar`` trees are drawn from the grammar."""
    never = set(map(_key, recipes.never_captions(sources)))
    held = {_key(text) for text in recipes.held_out(sources.captions)}
    rows = read_pairs(sources.factual) if sources.factual else []
    held |= {_key(caption) for caption, _ in rows[::HELD_OUT]}
    texts = dict.fromkeys(
        [*(text for _, text in recipes.of_images(sources.captions)), *(caption for caption, _ in rows), *plain_texts(sources)]
    )
    learnt = [text for text in texts if _key(text) not in held | never]
    measured = [text for text in texts if _key(text) in held - never]
    ewt = recipes.ewt_trees(sources)
    agreed = [d for d in recipes.agreed(sources) if _key(d.text) not in held | never]
    tokenizer = tokenizer_of(tokenizer_file)
    _SHARED[:] = [
        _Shared(agreed, ewt, [g.propositions for _, g in rows], Inflection([*agreed, *ewt]), learnt, labels, tokenizer, by_grammar)
    ]
    with get_context("fork").Pool(workers) as pool:
        parts = pool.map(_part, [(kind, n) for kind in _KINDS for n in range(PARTS)], chunksize=1)
    found = {kind: list(chain.from_iterable(parts[i * PARTS : (i + 1) * PARTS])) for i, kind in enumerate(_KINDS)}
    return Examples(
        found["soft"],
        found["variants"] + found["ewt"],
        found["grammar"],
        _encoded(measured[:: max(1, len(measured) // 1500)], tokenizer),
        examples(_drawn(1500, SEED - 1), labels, tokenizer),
    )


class _Shared(NamedTuple):
    """Data that the processes share by fork because it is too large to send."""

    agreed: list[Document]
    ewt: list[Document]
    graphs: list[Sequence[Proposition]]
    inflection: Inflection
    texts: list[str]
    labels: Labels
    tokenizer: Tokenizer
    by_grammar: int


_SHARED: list[_Shared] = []
_KINDS = ("variants", "grammar", "ewt", "soft")


def _part(task: tuple[str, int]) -> list[Example]:
    """Return the examples of one part of one kind, drawn with the seed of the part."""
    (kind, number), shared = task, _SHARED[0]
    if kind == "soft":
        return _encoded(shared.texts[number::PARTS], shared.tokenizer)
    if kind == "grammar":
        made: Iterable[Document] = _drawn(shared.by_grammar // PARTS, SEED + number)
    elif kind == "ewt":
        made = chain(shared.ewt[number::PARTS], _lower(shared.ewt[number::PARTS]))
    else:
        made = _variants(shared, number)
    return examples(made, shared.labels, shared.tokenizer)


def _variants(shared: _Shared, number: int) -> Iterator[Document]:
    """Yield variants of agreed trees in other constructions, and with phrases attached as in gold graphs, in common spellings."""
    documents, seed = shared.agreed[number::PARTS], SEED + number
    yield from spellings([*augmented(documents, seed, forms=shared.ewt), *attached(documents, shared.graphs, seed)], seed)


def _drawn(count: int, seed: int) -> Iterator[Document]:
    """Return trees by grammar, in common spellings."""
    return spellings(caption_grammar(_SHARED[0].inflection.form, seed).documents("TEXT", count, MAX_WORDS), seed)


def _lower(documents: Iterable[Document]) -> Iterator[Document]:
    """Yield the documents in lower case, as many captions are."""
    for document in documents:
        text = document.text.lower()
        if len(text) == len(document.text):
            yield Document(text, document.sentences)


def plain_texts(sources: Sources) -> Iterator[str]:
    """Yield sentences of SNLI."""
    for _, row in read_rows(sources.plain) if sources.plain else ():
        assert isinstance(row, dict)
        if row["source"].startswith("snli"):
            yield row["text"]


def _key(text: str) -> str:
    return " ".join(text.lower().split()).rstrip(" .")


def _encoded(texts: Sequence[str], tokenizer: Tokenizer) -> list[Example]:
    """Return the sentences of the texts in some spellings, without trees (all heads are 0)."""
    rng, out = random.Random(SEED), []
    for text in texts:
        for spelt in rng.sample(_spelt(text), SPELLINGS):
            for spans in split_sentences(spelt, tokenize_words(spelt)):
                words = [spelt[start:end] for start, end in spans]
                zeros = [0] * len(words)
                out.append(Example(*WordPieces(tokenizer).split(words), word_shapes(words), zeros, zeros, zeros))
    return out


def _spelt(text: str) -> list[str]:
    """Return the text as it stands, in lower case without a full stop, and with a capital and a full stop."""
    bare = " ".join(text.split()).rstrip(" .")
    return [text, bare.lower() or text, bare[:1].upper() + bare[1:] + "."]


# --- files ---------------------------------------------------------------------------------------------------------


def write(found: Examples, path: Path) -> None:
    """Write the examples as arrays."""
    arrays: dict[str, np.ndarray] = {}
    for name, rows in found._asdict().items():
        for field in Example._fields:
            values = [getattr(row, field) for row in rows]
            arrays[f"{name}.{field}"] = np.fromiter(chain.from_iterable(values), np.int32)
        arrays[f"{name}.pieces"] = np.array([len(row.ids) for row in rows], np.int32)
        arrays[f"{name}.words"] = np.array([len(row.first) for row in rows], np.int32)
    np.savez_compressed(path, **arrays)  # type: ignore[arg-type]  # numpy types the keywords as options


def read(path: Path) -> Examples:
    """Read the examples."""
    with np.load(path) as arrays:
        return Examples(*(_rows(arrays, name) for name in Examples._fields))


def _rows(arrays: dict[str, np.ndarray], name: str) -> list[Example]:
    pieces, words = (np.cumsum(arrays[f"{name}.{size}"])[:-1] for size in ("pieces", "words"))
    fields = [np.split(arrays[f"{name}.{field}"], pieces if field == "ids" else words) for field in Example._fields]
    return [Example(*(part.tolist() for part in parts)) for parts in zip(*fields)] if len(arrays[f"{name}.pieces"]) else []
