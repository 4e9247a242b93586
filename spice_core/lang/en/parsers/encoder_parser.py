"""Parser ``caption``: a contextual encoder with scores of tags, arcs and relations, run by ONNX Runtime without spaCy or torch."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from spice_core.data.items import check_caption
from spice_core.lang.en.lemmas import Lemmas
from spice_core.lang.en.parsers.likely_trees import best_tree, runners_up
from spice_core.lang.en.parsers.tree_repair import repaired
from spice_core.lang.en.parsers.word_pieces import WordPieces, shapes
from spice_core.lang.en.parsers.word_tokens import sentences, word_tokens
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Dependency, Document, Sentence, Token
from spice_core.syntax.layout import Layout, layout

if TYPE_CHECKING:
    import numpy as np

CAPTION = Path(__file__).parents[1] / "models" / "caption"
_CAPTIONS = 256  # captions per batch
_BATCH = 8  # sentences per encoder batch; larger batches are not faster and keep more memory
_USUAL = 150  # maximum number of words of a sentence with runners-up
_LIKELY = 4.0  # maximum score difference between the best tree and its runners-up
_PAIRS = 1 << 16  # maximum number of word pairs per encoder batch; longer sentences make batches smaller
_WRITTEN = 64  # maximum number of sentences of handwritten captions, which are parsed again after each edit; more count as a data set
_RECENT = 256  # number of these sentences whose outputs are cached
_KEPT = 60  # maximum number of words of a cached sentence


class _Input(NamedTuple):
    """Encoder input of a sentence."""

    ids: tuple[int, ...]
    first: tuple[int, ...]
    shapes: tuple[int, ...]


class _Output(NamedTuple):
    """Encoder output: a tag for each word, the scores of the arcs (words, 1 + words), and the best relation of each arc."""

    tags: np.ndarray
    arcs: np.ndarray
    relations: np.ndarray


class EncoderParser:
    """Parser of captions with the network in ``folder``: ``parser.onnx``, ``labels.json``, ``tokenizer.json``, ``lemmas.json``."""

    def __init__(self, folder: Path):
        self._folder = folder
        self._labels = json.loads((folder / "labels.json").read_bytes())
        self.signature = f"{folder.name}-{self._labels['version']}"
        self._lemma = Lemmas.read(folder / "lemmas.json", checked=True).lemma
        self._recent: OrderedDict[_Input, _Output] = OrderedDict()

    def __reduce__(self) -> tuple[type[EncoderParser], tuple[Path]]:
        """Pickle and copy the parser by its folder; a copy loads the network again at first use."""
        return type(self), (self._folder,)

    @cached_property
    def _session(self):  # type: ignore[no-untyped-def]  # onnxruntime has no types
        from onnxruntime import InferenceSession, SessionOptions

        options = SessionOptions()
        options.intra_op_num_threads = 1  # results for a caption must not depend on the number of cores
        options.add_session_config_entry("session.disable_quant_qdq", "1")  # unpack quantised matrices once, not at each product
        return InferenceSession(self._folder / "parser.onnx", options, providers=["CPUExecutionProvider"])

    @cached_property
    def _pieces(self) -> WordPieces:
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(self._folder / "tokenizer.json"))
        tokenizer.no_padding()
        tokenizer.no_truncation()
        return WordPieces(tokenizer)

    def parse(self, captions: Iterable[str]) -> Iterator[Document]:
        """Return one document per caption, in order; white space is normalised."""
        layouts = (layout(check_caption(caption, "caption")) for caption in captions)
        while batch := list(islice(layouts, _CAPTIONS)):
            yield from self._documents(batch)

    def _documents(self, layouts: Sequence[Layout]) -> Iterator[Document]:
        spans = [sentences(each.text, each.outside(word_tokens(each.text)), each.breaks) for each in layouts]
        inputs = [self._input(each.text, row) for each, rows in zip(layouts, spans) for row in rows]
        outputs = iter(self._outputs(inputs))
        for each, rows in zip(layouts, spans):
            yield Document(each.text, tuple(self._sentence(each.text, row, next(outputs)) for row in rows))

    def runners_up(self, caption: str) -> list[Document]:
        """Return variants of the caption in which one word of a sentence of usual length has another likely head, the likeliest first."""
        each = layout(check_caption(caption, "caption"))
        spans = sentences(each.text, each.outside(word_tokens(each.text)), each.breaks)
        outputs = self._outputs([self._input(each.text, row) for row in spans])
        best = [self._sentence(each.text, row, output) for row, output in zip(spans, outputs)]
        found = []
        for n, (row, output) in enumerate(zip(spans, outputs)):
            if len(row) > _USUAL:
                continue
            for loss, heads in runners_up(output.arcs, margin=_LIKELY):
                other = self._sentence(each.text, row, output, heads)
                found.append((loss, Document(each.text, (*best[:n], other, *best[n + 1 :]))))
        return [document for _, document in sorted(found, key=itemgetter(0))]

    def _input(self, text: str, spans: Sequence[tuple[int, int]]) -> _Input:
        words = [text[start:end] for start, end in spans]
        return _Input(*map(tuple, (*self._pieces.split(words), shapes(words))))

    def _outputs(self, inputs: Sequence[_Input]) -> list[_Output]:
        """Return the network's output for each sentence; after an edit of a long caption, only new sentences are computed."""
        if not 1 < len(inputs) <= _WRITTEN:
            return self._computed(inputs)
        known = {each: output for each in inputs if (output := self._recent.get(each))}
        new = [each for each in dict.fromkeys(inputs) if each not in known]
        for each, output in zip(new, self._computed(new)):
            known[each] = output
            if len(each.first) <= _KEPT:
                self._recent[each] = _Output(*(part.copy() for part in output))  # a copy, so that the cache does not hold the entire batch
        while len(self._recent) > _RECENT:
            self._recent.popitem(last=False)
        return [known[each] for each in inputs]

    def _computed(self, inputs: Sequence[_Input]) -> list[_Output]:
        """Return the network's output for each sentence, computed in batches of sentences of similar length."""
        order = sorted(range(len(inputs)), key=lambda i: len(inputs[i].ids))
        out: dict[int, _Output] = {}
        while order:
            longest = len(inputs[order[-1]].first) + 1
            group = [order.pop() for _ in range(min(len(order), _BATCH, max(1, _PAIRS // longest**2)))]
            tags, arcs, relations = self._run([inputs[i] for i in group])
            for row, i in enumerate(group):
                n = len(inputs[i].first)
                out[i] = _Output(tags[row, :n], arcs[row, :n, : n + 1], relations[row, :n, : n + 1])
        return [out[i] for i in range(len(inputs))]

    def _run(self, rows: Sequence[_Input]) -> list[np.ndarray]:
        import numpy as np

        def matrix(values: Sequence[Sequence[int]]) -> np.ndarray:
            out = np.zeros((len(values), max(map(len, values))), np.int64)
            for at, value in enumerate(values):
                out[at, : len(value)] = value
            return out

        ids, first, shape = (matrix([row[i] for row in rows]) for i in range(3))
        inputs = {"ids": ids, "mask": (ids != 0).astype(np.int64), "first": first, "shapes": shape}
        found: list[np.ndarray] = self._session.run(["tags", "arcs", "relations"], inputs)
        return found

    def _sentence(self, text: str, spans: Sequence[tuple[int, int]], output: _Output, heads: Sequence[int] = ()) -> Sentence:
        heads, names = heads or best_tree(output.arcs), self._labels["relations"]
        relations = (names[row[head]] if head else "root" for row, head in zip(output.relations, heads))
        edges = (Dependency(head, number, relation) for number, (head, relation) in enumerate(zip(heads, relations), 1))
        tags = (self._labels["tags"][tag] for tag in output.tags)
        tokens = (Token(number, text[slice(*span)], "", tag, *span) for number, (tag, span) in enumerate(zip(tags, spans), 1))
        tree = repaired(DependencyGraph(tuple(tokens), edges))
        return Sentence(tuple(token._replace(lemma=self._lemma(token.text, token.tag)) for token in tree.tokens), tree.edges)


def caption() -> EncoderParser:
    """Return the parser ``caption``, trained on correct trees (see its model card)."""
    return EncoderParser(CAPTION)
