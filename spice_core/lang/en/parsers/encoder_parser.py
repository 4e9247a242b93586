"""Parser ``caption``: a contextual encoder that predicts tags, arcs and relations. It runs on ONNX Runtime without spaCy or torch."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import chain, islice
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from spice_core.data.items import check_caption
from spice_core.lang.en.lemmas import Lemmas
from spice_core.lang.en.openers import find_content
from spice_core.lang.en.parsers.likely_trees import IMPOSSIBLE_SCORE, best_tree, runner_up_trees
from spice_core.lang.en.parsers.tree_repair import find_conjunction, repair_tree
from spice_core.lang.en.parsers.word_tokens import Layout, WordPieces, layout_caption, split_sentences, tokenize_words, word_shapes
from spice_core.model_files import load_network, read_model_file
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Dependency, Document, Sentence, Token

if TYPE_CHECKING:
    import numpy as np
import os
import sys
from contextlib import contextmanager
from typing import TypeVar

_THREAD_COUNT = 2  # While one thread waits for the interpreter lock, the other computes.

Block = TypeVar("Block")
Result = TypeVar("Result")
Argument = TypeVar("Argument")


def has_free_core() -> bool:
    """Return whether another thread can use another core. Worker processes already use all cores."""
    processes = sys.modules.get("multiprocessing")  # imported in every worker process
    return (os.cpu_count() or 1) > 1 and (processes is None or processes.parent_process() is None)


def start_now(function: Callable[[Argument], Result], argument: Argument) -> Callable[[], Result]:
    """Start a thread that computes a result. Return a function that waits for the result."""
    from concurrent.futures import ThreadPoolExecutor

    thread = ThreadPoolExecutor(1)
    result = thread.submit(function, argument).result
    thread.shutdown(wait=False)
    return result


def start_later(function: Callable[[Argument], Result], argument: Argument) -> Callable[[], Result]:
    """Return a function that computes the result when called."""
    return lambda: function(argument)


class ThreadStarter:
    """Threads that compute batches: a call starts a batch and returns a function that waits for its result."""

    def __init__(self) -> None:
        from concurrent.futures import ThreadPoolExecutor

        self._threads = ThreadPoolExecutor(_THREAD_COUNT)

    def __call__(self, function: Callable[[Argument], Result], argument: Argument) -> Callable[[], Result]:
        return self._threads.submit(function, argument).result

    def close(self) -> None:
        """Cancel the batches that have not started, and wait for the running batches."""
        self._threads.shutdown(cancel_futures=True)


@contextmanager
def batch_threads() -> Iterator[ThreadStarter]:
    """Provide threads for batches. On exit, cancel the batches that have not started, and wait for the running batches."""
    starter = ThreadStarter()
    try:
        yield starter
    finally:
        starter.close()


def read_ahead(blocks: Iterable[Block], start: Callable[[Block], Callable[[], Iterable[Result]]]) -> Iterator[Result]:
    """Yield the results of all blocks, in order. Start each block before waiting for the results of the previous block.

    If a block cannot be read or started, raise the error after the results of the previous blocks.
    """
    next_call: Callable[[], Iterable[Result]] = tuple
    block_iterator = iter(blocks)
    while True:
        try:
            next_result = next((start(block) for block in block_iterator), None)
        except Exception:
            yield from next_call()
            raise
        yield from next_call()
        if next_result is None:
            return
        next_call = next_result


CAPTION_MODEL_FOLDER = Path(__file__).parents[1] / "models" / "caption"
_PARSER_NAME = "parser.onnx"
_CAPTIONS_PER_BLOCK = 256  # captions per block; batches within a block have similar lengths
_CAPTIONS_PER_BLOCK_AHEAD = 128  # captions per block if threads compute blocks ahead
_CAPTIONS_IN_FIRST_BLOCK_AHEAD = 32  # The caller waits for the first block, so it is small. Block sizes then double up to the maximum.
_SENTENCES_PER_BATCH = 8  # sentences per encoder batch; larger batches use more memory and are not faster
_MAX_WORDS_WITH_RUNNERS_UP = 150
_MAX_SCORE_MARGIN = 4.0  # maximum score difference between the best tree and its runners-up
_MAX_WORD_PAIRS_PER_BATCH = 1 << 16  # maximum number of word pairs per encoder batch, so that long sentences form small batches
# A call with at most this many sentences probably comes from an editor, which parses after each edit.
_MAX_HANDWRITTEN_SENTENCES = 64
_MAX_CACHED_SENTENCES = 256  # maximum number of cached sentences from an editor
_MAX_CACHED_SENTENCE_WORDS = 60


Spans = list[list[tuple[int, int]]]  # start and end of each word, by sentence


class _EncoderInput(NamedTuple):
    """Encoder input of a sentence."""

    piece_ids: tuple[int, ...]
    first_pieces: tuple[int, ...]
    word_shapes: tuple[int, ...]
    content_span: tuple[int, int] = (0, 0)  # first and one-past-last word of the content after "the image shows" and the like
    content: _EncoderInput | None = None  # the encoder also reads the content alone


class _EncoderOutput(NamedTuple):
    """Encoder output for a sentence. Governor 0 is the root."""

    tags: np.ndarray  # (words,)
    arc_scores: np.ndarray  # (dependents, governors)
    dependent_states: np.ndarray  # (dependents, width); an arc's relation depends on the states at both ends
    governor_states: np.ndarray  # (governors, width)


class _Starter(Protocol):
    """A function that starts a batch and returns a function that waits for its output."""

    def __call__(
        self, function: Callable[[Sequence[_EncoderInput]], list[np.ndarray]], argument: Sequence[_EncoderInput]
    ) -> Callable[[], list[np.ndarray]]: ...


class EncoderParser:
    """Parser of captions with the network, labels, tokenizer and lemmas in ``folder``.

    ``parser.onnx`` encodes sentences, chooses tags and scores arcs. ``relations.onnx`` labels the arcs of the parse tree.
    """

    def __init__(self, folder: Path):
        self._folder = folder
        self._labels = json.loads(read_model_file(folder / "labels.json"))
        self.signature = f"{folder.name}-{self._labels['version']}"
        self._lemma = Lemmas.read(folder / "lemmas.json", use_wordnet=True).lemma
        self._cached_sentences: OrderedDict[_EncoderInput, _EncoderOutput] = OrderedDict()
        self._loading: Callable[[], Any] | None = None

    def __reduce__(self) -> tuple[type[EncoderParser], tuple[Path]]:
        """Pickle and copy the parser by its folder, so that a copy loads the network at first use."""
        return type(self), (self._folder,)

    def load_ahead(self) -> None:
        """Start to load the network in a thread if a core is free, so that ``parse`` waits less."""
        if self._loading is None and has_free_core():
            self._loading = start_now(load_network, self._folder / _PARSER_NAME)

    @cached_property
    def _session(self):  # type: ignore[no-untyped-def]  # onnxruntime has no types
        try:
            return self._loading() if self._loading else load_network(self._folder / _PARSER_NAME)
        except Exception:
            self._loading = None  # so that the next call loads the model again
            raise

    @cached_property
    def _relation_session(self):  # type: ignore[no-untyped-def]
        return load_network(self._folder / "relations.onnx")

    @cached_property
    def _pieces(self) -> WordPieces:
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_buffer(read_model_file(self._folder / "tokenizer.json"))
        tokenizer.no_padding()
        tokenizer.no_truncation()
        return WordPieces(tokenizer)

    def parse(self, captions: Iterable[str]) -> Iterator[Document]:
        """Yield a document for each caption, with normalised white space."""
        self.load_ahead()
        layouts = (layout_caption(check_caption(caption, "caption")) for caption in captions)
        reads_ahead = has_free_core()
        first_block = list(islice(layouts, _CAPTIONS_PER_BLOCK_AHEAD if reads_ahead else _CAPTIONS_PER_BLOCK))
        if reads_ahead and len(first_block) == _CAPTIONS_PER_BLOCK_AHEAD:
            with batch_threads() as threads:
                yield from read_ahead(_split_into_growing_blocks(chain(first_block, layouts)), partial(self._start_block, threads=threads))
        else:
            for block in chain([first_block], iter(lambda: list(islice(layouts, _CAPTIONS_PER_BLOCK)), [])):
                spans, inputs = self._read_block(block)
                yield from self._make_documents(block, spans, self._cached_outputs(inputs))

    def _start_block(self, layouts: Sequence[Layout], threads: ThreadStarter) -> Callable[[], Iterator[Document]]:
        """Start the network on a block of captions. Return a function that waits for the outputs and yields the documents."""
        spans, inputs = self._read_block(layouts)
        outputs = self._start_outputs(inputs, threads)
        return lambda: self._make_documents(layouts, spans, outputs())

    def _read_block(self, layouts: Sequence[Layout]) -> tuple[list[Spans], list[_EncoderInput]]:
        spans = [
            split_sentences(layout.text, layout.spans_outside_markup(tokenize_words(layout.text)), layout.breaks) for layout in layouts
        ]
        return spans, [self._encode(layout.text, row) for layout, rows in zip(layouts, spans) for row in rows]

    def _make_documents(self, layouts: Sequence[Layout], spans: Sequence[Spans], outputs: Sequence[_EncoderOutput]) -> Iterator[Document]:
        texts = [layout.text for layout, rows in zip(layouts, spans) for _ in rows]
        sentences = self._make_sentences(texts, [row for rows in spans for row in rows], outputs)
        self._read_clauses_alone(texts, [row for rows in spans for row in rows], sentences)
        rows_left = iter(sentences)
        for layout, rows in zip(layouts, spans):
            yield Document(layout.text, tuple(islice(rows_left, len(rows))))

    def _make_sentences(self, texts: Sequence[str], rows: Spans, outputs: Sequence[_EncoderOutput]) -> list[Sentence]:
        trees = self._label_arcs(outputs, [best_tree(output.arc_scores) for output in outputs])
        return list(map(self._make_sentence, texts, rows, outputs, trees))

    def _read_clauses_alone(self, texts: Sequence[str], rows: Spans, sentences: list[Sentence]) -> None:
        """Parse the two clauses of a compound sentence separately, so that they do not affect each other."""
        places = [
            (i, k) for i, sentence in enumerate(sentences) if (k := find_conjunction(DependencyGraph(sentence.tokens, sentence.basic)))
        ]
        parts = list[tuple[str, list[tuple[int, int]]]]()
        for i, k in places:
            end = rows[i][-1:] if texts[i][slice(*rows[i][-1])] == "." else []  # A separate clause gets the full stop.
            has_comma = texts[i][slice(*rows[i][k - 2])] == ","
            parts += [(texts[i], [*rows[i][: k - 1 - has_comma], *end]), (texts[i], rows[i][k:])]
        outputs = self._compute_outputs([self._encode(*part) for part in parts])
        clauses = iter(self._make_sentences([text for text, _ in parts], [row for _, row in parts], outputs))
        for (i, k), pair in zip(places, zip(clauses, clauses)):
            if all(map(_is_clause, pair)):
                sentences[i] = _join_clauses(sentences[i], k, *pair)

    def runners_up(self, caption: str) -> list[Document]:
        """Return other trees of the caption, the likeliest first.

        Each gives one word of one sentence another head. The heads of other words change only if the edges would not form a
        tree otherwise. Sentences of more than 150 words have no such trees.
        """
        layout = layout_caption(check_caption(caption, "caption"))
        spans = split_sentences(layout.text, layout.spans_outside_markup(tokenize_words(layout.text)), layout.breaks)
        outputs = self._cached_outputs([self._encode(layout.text, row) for row in spans])
        trees = self._label_arcs(outputs, [best_tree(output.arc_scores) for output in outputs])
        best_sentences = [self._make_sentence(layout.text, row, output, edges) for row, output, edges in zip(spans, outputs, trees)]
        alternatives = []
        for n, (row, output) in enumerate(zip(spans, outputs)):
            if len(row) > _MAX_WORDS_WITH_RUNNERS_UP:
                continue
            other_trees = list(runner_up_trees(output.arc_scores, margin=_MAX_SCORE_MARGIN))
            for (loss, _), edges in zip(other_trees, self._label_arcs([output] * len(other_trees), [heads for _, heads in other_trees])):
                other = self._make_sentence(layout.text, row, output, edges)
                alternatives.append((loss, Document(layout.text, (*best_sentences[:n], other, *best_sentences[n + 1 :]))))
        return [document for _, document in sorted(alternatives, key=itemgetter(0))]

    def _encode(self, text: str, spans: Sequence[tuple[int, int]]) -> _EncoderInput:
        words = [text[start:end] for start, end in spans]
        if not any(map(str.islower, words)):  # a sentence in capitals
            words = [word.lower() if i else word.capitalize() for i, word in enumerate(words)]
        whole, (start, stop) = self._encode_words(words), find_content(words)
        if stop - start == len(words):
            return whole
        return whole._replace(content_span=(start, stop), content=self._encode_words(words[start:stop]))

    def _encode_words(self, words: Sequence[str]) -> _EncoderInput:
        piece_ids, first_pieces = self._pieces.split(words)
        return _EncoderInput(tuple(piece_ids), tuple(first_pieces), tuple(word_shapes(words)))

    def _cached_outputs(self, inputs: Sequence[_EncoderInput]) -> list[_EncoderOutput]:
        """Return the network's output for each sentence.

        For 2 to ``_MAX_HANDWRITTEN_SENTENCES`` sentences, as in an edited caption, look up short sentences in a cache.
        """
        if not 1 < len(inputs) <= _MAX_HANDWRITTEN_SENTENCES:
            return self._compute_outputs(inputs)
        output_by_sentence = {sentence: output for sentence in inputs if (output := self._cached_sentences.get(sentence))}
        new_sentences = [sentence for sentence in dict.fromkeys(inputs) if sentence not in output_by_sentence]
        for sentence, output in zip(new_sentences, self._compute_outputs(new_sentences)):
            output_by_sentence[sentence] = output
            if len(sentence.first_pieces) <= _MAX_CACHED_SENTENCE_WORDS:
                self._cached_sentences[sentence] = _EncoderOutput(
                    *(part.copy() for part in output)
                )  # a copy, so that the cache does not hold the entire batch
        while len(self._cached_sentences) > _MAX_CACHED_SENTENCES:
            self._cached_sentences.popitem(last=False)
        return [output_by_sentence[sentence] for sentence in inputs]

    def _compute_outputs(self, inputs: Sequence[_EncoderInput]) -> list[_EncoderOutput]:
        return self._start_outputs(inputs, start_later)()

    def _start_outputs(self, inputs: Sequence[_EncoderInput], start: _Starter) -> Callable[[], list[_EncoderOutput]]:
        """Start the network on batches of sentences of similar length. Return a function that waits for the outputs of all sentences."""
        whole_count, inputs = len(inputs), [*inputs, *(i.content for i in inputs if i.content)]
        groups = _group_by_length(inputs)
        results = [start(self._run_network, [inputs[i] for i in group]) for group in groups]

        def outputs() -> list[_EncoderOutput]:
            out: dict[int, _EncoderOutput] = {}
            for group, result in zip(groups, results):
                tags, arcs, dependents, governors = result()
                for row, i in enumerate(group):
                    n = len(inputs[i].first_pieces)
                    out[i] = _EncoderOutput(tags[row, :n], arcs[row, :n, : n + 1], dependents[row, :n], governors[row, : n + 1])
            contents = (out[i] for i in range(whole_count, len(inputs)))
            return [
                _replace_content(out[i], sentence.content_span, next(contents)) if sentence.content else out[i]
                for i, sentence in enumerate(inputs[:whole_count])
            ]

        return outputs

    def _run_network(self, rows: Sequence[_EncoderInput]) -> list[np.ndarray]:
        import numpy as np

        def matrix(values: Sequence[Sequence[int]]) -> np.ndarray:
            out = np.zeros((len(values), max(map(len, values))), np.int64)
            for row, value in enumerate(values):
                out[row, : len(value)] = value
            return out

        ids, first_pieces, shape = (matrix(column) for column in list(zip(*rows))[:3])
        inputs = {"ids": ids, "mask": (ids != 0).astype(np.int64), "first": first_pieces, "shapes": shape}
        outputs: list[np.ndarray] = self._session.run(["tags", "arcs", "dependents", "governors"], inputs)
        return outputs

    def _label_arcs(self, outputs: Sequence[_EncoderOutput], trees: Sequence[Sequence[int]]) -> list[list[Dependency]]:
        """Return the edges of trees with the best relation of each arc. ``trees`` lists the head of each word."""
        import numpy as np

        if not outputs:
            return []
        governors = np.concatenate([output.governor_states[list(heads)] for output, heads in zip(outputs, trees)])
        states = {"dependents": np.concatenate([output.dependent_states for output in outputs]), "governors": governors}
        (best_labels,) = self._relation_session.run(["relations"], states)
        names = map(self._labels["relations"].__getitem__, best_labels.tolist())
        return [
            [Dependency(head, index, name if head else "root") for index, (head, name) in enumerate(zip(heads, names), 1)]
            for heads in trees
        ]

    def _make_sentence(self, text: str, spans: Sequence[tuple[int, int]], output: _EncoderOutput, edges: Sequence[Dependency]) -> Sentence:
        tags = (self._labels["tags"][tag] for tag in output.tags)
        tokens = (Token(index, text[slice(*span)], "", tag, *span) for index, (tag, span) in enumerate(zip(tags, spans), 1))
        tree = repair_tree(DependencyGraph(tuple(tokens), edges))
        lemma = self._lemma
        return Sentence(tuple([Token(t.index, t.text, lemma(t.text, t.tag), t.tag, t.start, t.end) for t in tree.tokens]), tree.edges)


def _replace_content(whole: _EncoderOutput, span: tuple[int, int], alone: _EncoderOutput) -> _EncoderOutput:
    """Return the output for a sentence with the part within ``span`` replaced by the output for that part alone.

    After "a photo of", however, the root of these words is that in the sentence.
    """
    import numpy as np

    inside, heads = np.arange(*span), best_tree(whole.arc_scores)
    outside = np.setdiff1d(np.arange(len(heads)), inside)
    root = heads[span[0] - 1] - 1 if span[0] > 1 else -1  # the root is -1 after a quotation mark
    root = root if root in inside else span[0] + best_tree(alone.arc_scores).index(0)
    governor = next(head for head in heads[slice(*span)] if head - 1 not in inside)
    arcs = np.full_like(whole.arc_scores, IMPOSSIBLE_SCORE)
    arcs[outside] = whole.arc_scores[outside]
    arcs[np.ix_(outside, inside + 1)] = IMPOSSIBLE_SCORE
    arcs[outside, root + 1] = whole.arc_scores[np.ix_(outside, inside + 1)].max(axis=1)
    arcs[np.ix_(inside, inside + 1)] = alone.arc_scores[:, 1:]
    arcs[root] = IMPOSSIBLE_SCORE
    arcs[root, governor] = 0
    tags, dependents, governors = whole.tags.copy(), whole.dependent_states.copy(), whole.governor_states.copy()
    tags[inside], dependents[inside], governors[inside + 1] = alone.tags, alone.dependent_states, alone.governor_states[1:]
    dependents[root] = whole.dependent_states[root]  # keeps the relation to the governor
    return _EncoderOutput(tags, arcs, dependents, governors)


def _is_clause(sentence: Sentence) -> bool:
    """Return whether the root of a sentence has a subject."""
    roots = [e.dependent for e in sentence.basic if not e.head]
    return any(e.relation.startswith(("nsubj", "expl")) and e.head in roots for e in sentence.basic)


def _join_clauses(whole: Sentence, conjunction: int, first: Sentence, second: Sentence) -> Sentence:
    first_length = conjunction - 1 - (whole.tokens[conjunction - 2].text == ",")
    roots = [next(e.dependent for e in clause.basic if not e.head) for clause in (first, second)]
    second_root = roots[1] + conjunction
    edges = list(first.basic[:first_length])
    edges += [e._replace(head=second_root) for e in whole.basic[first_length:conjunction]]
    edges += [Dependency(e.head + conjunction, e.dependent + conjunction, e.relation) for e in second.basic]
    relation = "advcl" if whole.basic[conjunction - 1].relation == "mark" else "conj"
    edges[second_root - 1] = Dependency(roots[0], second_root, relation)
    second_tokens = (t._replace(index=t.index + conjunction) for t in second.tokens)
    return replace(
        whole, tokens=(*first.tokens[:first_length], *whole.tokens[first_length:conjunction], *second_tokens), basic=tuple(edges)
    )


def _split_into_growing_blocks(layouts: Iterator[Layout]) -> Iterator[list[Layout]]:
    """Split captions into blocks whose size doubles up to a maximum."""
    size = _CAPTIONS_IN_FIRST_BLOCK_AHEAD
    while block := list(islice(layouts, min(size, _CAPTIONS_PER_BLOCK_AHEAD))):
        yield block
        size *= 2


def _group_by_length(inputs: Sequence[_EncoderInput]) -> list[list[int]]:
    """Group the indices of sentences into batches of similar length, the longest sentences first."""
    order = sorted(range(len(inputs)), key=lambda i: len(inputs[i].piece_ids))
    groups = []
    while order:
        max_length = len(inputs[order[-1]].first_pieces) + 1
        group_size = min(len(order), _SENTENCES_PER_BATCH, max(1, _MAX_WORD_PAIRS_PER_BATCH // max_length**2))
        groups.append([order.pop() for _ in range(group_size)])
    return groups


def caption_parser() -> EncoderParser:
    """Return the parser ``caption``, trained to yield correct trees (see its model card)."""
    return EncoderParser(CAPTION_MODEL_FOLDER)
