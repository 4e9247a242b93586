"""Sentences for distillation: texts that the teacher labels, and trees from treebanks and a grammar.

Texts have no trees; their targets are the teacher's probabilities. The trees come from UD English-EWT, from `tree_grammar`, and from
captions on which two parsers agree. `augment` and `attachment` vary the trees of these captions.
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
from tools.parser.attachment import attach_belongings
from tools.parser.augment import augment_documents
from tools.parser.examples import Example, Labels, load_tokenizer, make_examples
from tools.parser.inflection import Inflection
from tools.parser.recipes import HELD_OUT_INTERVAL, SEED, Sources
from tools.parser.respell import iterate_spellings
from tools.parser.tree_grammar import load_caption_grammar

PART_COUNT = 16  # each part has its own seed, so the examples do not depend on the number of processes
MAX_TEXT_WORDS = 40  # maximum number of words of a text
SPELLINGS_PER_CAPTION = 2  # number of spellings of a caption


class TrainingExamples(NamedTuple):
    """Training and held-out sentences. Sentences in ``soft`` have no trees; sentences in ``hard`` and ``grammar`` have trees."""

    soft: list[Example]
    hard: list[Example]
    grammar: list[Example]
    held_out_soft: list[Example]
    held_out_grammar: list[Example]


def make_corpus(sources: Sources, labels: Labels, tokenizer_file: Path, *, grammar_count: int, workers: int) -> TrainingExamples:
    """Return all examples, including ``grammar_count`` trees from the grammar."""
    never = set(map(_text_key, recipes.iterate_excluded_captions(sources)))
    held_out_keys = {_text_key(text) for text in recipes.held_out_captions(sources.captions)}
    rows = read_pairs(sources.factual) if sources.factual else []
    held_out_keys |= {_text_key(caption) for caption, _ in rows[::HELD_OUT_INTERVAL]}
    texts = dict.fromkeys(
        [*(text for _, text in recipes.iterate_captions(sources.captions)), *(caption for caption, _ in rows), *iterate_snli_texts(sources)]
    )
    learned_texts = [text for text in texts if _text_key(text) not in held_out_keys | never]
    measured = [text for text in texts if _text_key(text) in held_out_keys - never]
    ewt = recipes.read_ewt_trees(sources)
    agreed = [d for d in recipes.read_agreed_trees(sources) if _text_key(d.text) not in held_out_keys | never]
    tokenizer = load_tokenizer(tokenizer_file)
    _SHARED_DATA[:] = [
        _SharedData(
            agreed, ewt, [g.propositions for _, g in rows], Inflection([*agreed, *ewt]), learned_texts, labels, tokenizer, grammar_count
        )
    ]
    with get_context("fork").Pool(workers) as pool:
        parts = pool.map(_make_part, [(kind, n) for kind in _KINDS for n in range(PART_COUNT)], chunksize=1)
    examples_by_kind = {kind: list(chain.from_iterable(parts[i * PART_COUNT : (i + 1) * PART_COUNT])) for i, kind in enumerate(_KINDS)}
    return TrainingExamples(
        examples_by_kind["soft"],
        examples_by_kind["variants"] + examples_by_kind["ewt"],
        examples_by_kind["grammar"],
        _encode_texts(measured[:: max(1, len(measured) // 1500)], tokenizer),
        make_examples(_draw_documents(1500, SEED - 1), labels, tokenizer),
    )


class _SharedData(NamedTuple):
    """Data that the processes share by fork because it is too large to send."""

    agreed_trees: list[Document]
    ewt: list[Document]
    graphs: list[Sequence[Proposition]]
    inflection: Inflection
    texts: list[str]
    labels: Labels
    tokenizer: Tokenizer
    grammar_count: int


_SHARED_DATA: list[_SharedData] = []
_KINDS = ("variants", "grammar", "ewt", "soft")


def _make_part(task: tuple[str, int]) -> list[Example]:
    """Return the examples of a task, which is a kind of examples and the number of a part. Each part has its own seed."""
    (kind, part_index), shared_data = task, _SHARED_DATA[0]
    if kind == "soft":
        return _encode_texts(shared_data.texts[part_index::PART_COUNT], shared_data.tokenizer)
    if kind == "grammar":
        drawn_documents: Iterable[Document] = _draw_documents(shared_data.grammar_count // PART_COUNT, SEED + part_index)
    elif kind == "ewt":
        drawn_documents = chain(shared_data.ewt[part_index::PART_COUNT], _iterate_lower_case(shared_data.ewt[part_index::PART_COUNT]))
    else:
        drawn_documents = _iterate_variants(shared_data, part_index)
    return make_examples(drawn_documents, shared_data.labels, shared_data.tokenizer)


def _iterate_variants(shared_data: _SharedData, part_index: int) -> Iterator[Document]:
    """Yield variants of the agreed trees, in other constructions or with an added "with" phrase, in common spellings."""
    documents, seed = shared_data.agreed_trees[part_index::PART_COUNT], SEED + part_index
    yield from iterate_spellings(
        [*augment_documents(documents, seed, form_documents=shared_data.ewt), *attach_belongings(documents, shared_data.graphs, seed)], seed
    )


def _draw_documents(count: int, seed: int) -> Iterator[Document]:
    """Return trees drawn from the grammar, in common spellings."""
    return iterate_spellings(load_caption_grammar(_SHARED_DATA[0].inflection.form, seed).documents("TEXT", count, MAX_TEXT_WORDS), seed)


def _iterate_lower_case(documents: Iterable[Document]) -> Iterator[Document]:
    """Yield the documents in lower case, as many captions are."""
    for document in documents:
        text = document.text.lower()
        if len(text) == len(document.text):
            yield Document(text, document.sentences)


def iterate_snli_texts(sources: Sources) -> Iterator[str]:
    """Yield sentences of SNLI."""
    for _, row in read_rows(sources.snli) if sources.snli else ():
        assert isinstance(row, dict)
        if row["source"].startswith("snli"):
            yield row["text"]


def _text_key(text: str) -> str:
    return " ".join(text.lower().split()).rstrip(" .")


def _encode_texts(texts: Sequence[str], tokenizer: Tokenizer) -> list[Example]:
    """Return the sentences of the texts in random spellings, without trees (all tags, heads and relations are 0)."""
    rng, encodings = random.Random(SEED), []
    for text in texts:
        for spelt in rng.sample(_spelling_variants(text), SPELLINGS_PER_CAPTION):
            for spans in split_sentences(spelt, tokenize_words(spelt)):
                words = [spelt[start:end] for start, end in spans]
                zeros = [0] * len(words)
                encodings.append(Example(*WordPieces(tokenizer).split(words), word_shapes(words), zeros, zeros, zeros))
    return encodings


def _spelling_variants(text: str) -> list[str]:
    """Return the text unchanged, in lower case without a full stop, and with a capital and a full stop."""
    plain_spelling_ = " ".join(text.split()).rstrip(" .")
    return [text, plain_spelling_.lower() or text, plain_spelling_[:1].upper() + plain_spelling_[1:] + "."]


# --- files ---------------------------------------------------------------------------------------------------------


def write_examples(examples: TrainingExamples, path: Path) -> None:
    """Write the examples as arrays to a file that `read_examples` reads."""
    arrays: dict[str, np.ndarray] = {}
    for name, rows in examples._asdict().items():
        for field in Example._fields:
            values = [getattr(row, field) for row in rows]
            arrays[f"{name}.{field}"] = np.fromiter(chain.from_iterable(values), np.int32)
        arrays[f"{name}.pieces"] = np.array([len(row.ids) for row in rows], np.int32)
        arrays[f"{name}.words"] = np.array([len(row.first_pieces) for row in rows], np.int32)
    np.savez_compressed(path, **arrays)  # type: ignore[arg-type]  # numpy types the keywords as options


def read_examples(path: Path) -> TrainingExamples:
    """Read the examples that `write_examples` wrote."""
    with np.load(path) as arrays:
        return TrainingExamples(*(_read_rows(arrays, name) for name in TrainingExamples._fields))


def _read_rows(arrays: dict[str, np.ndarray], name: str) -> list[Example]:
    pieces, words = (np.cumsum(arrays[f"{name}.{unit}"])[:-1] for unit in ("pieces", "words"))
    fields = [np.split(arrays[f"{name}.{field}"], pieces if field == "ids" else words) for field in Example._fields]
    return [Example(*(part.tolist() for part in parts)) for parts in zip(*fields)] if len(arrays[f"{name}.pieces"]) else []
