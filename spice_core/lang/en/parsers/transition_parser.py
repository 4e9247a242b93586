"""Parser ``spice-2016``: a convolutional network with arc-eager transitions, and tags adapted to the tree. It runs in NumPy without spaCy."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice, pairwise
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from spice_core.data.items import check_caption
from spice_core.lang.en.lemmas import Lemmas
from spice_core.lang.en.parsers.penn_tokenizer import PennTokenizer, Word
from spice_core.model_files import read_model_file
from spice_core.syntax.document import Dependency, Document, Sentence, Token

if TYPE_CHECKING:
    from spice_core.lang.en.parsers.transitions import TaggedTextTree, TreePredictor

SPICE_2016_FOLDER = Path(__file__).parents[1] / "models" / "spice-2016"
_CAPTIONS_PER_BLOCK = 256


class TransitionParser:
    """Parser of captions with the network, tokenizer, labels and lemmas in ``folder``."""

    def __init__(self, folder: Path):
        self._folder, self._lock = folder, Lock()
        self._labels = json.loads(read_model_file(folder / "labels.json"))
        self.signature = f"{self._labels['name']}-{self._labels['version']}"
        self._lemma = Lemmas.read(folder / "lemmas.json").lemma

    def __reduce__(self) -> tuple[type[TransitionParser], tuple[Path]]:
        """Pickle and copy the parser by its folder, so that a copy loads the network at first use."""
        return type(self), (self._folder,)

    @cached_property
    def _tokenizer(self) -> PennTokenizer:
        return PennTokenizer.read(self._folder / "tokenizer.json")

    @cached_property
    def _predictor(self) -> TreePredictor:
        from spice_core.lang.en.parsers.transitions import TreePredictor

        return TreePredictor(self._folder / "network.npz", self._labels)

    def parse(self, captions: Iterable[str]) -> Iterator[Document]:
        """Yield a document for each caption, with normalised white space."""
        texts = (" ".join(check_caption(caption, "caption").split()) for caption in captions)
        while batch := list(islice(texts, _CAPTIONS_PER_BLOCK)):
            words = [self._tokenizer.words(text) for text in batch]
            with self._lock:  # The reader's cache of word vectors is not safe for several threads.
                trees = self._predictor.predict(words)
            yield from map(self._make_document, batch, words, trees)

    def _make_document(self, text: str, words: Sequence[Word], tree: TaggedTextTree) -> Document:
        starts = [*sorted(tree_starts(tree.heads)), len(words)]
        return Document(text, tuple(self._make_sentence(words, tree, *span) for span in pairwise(starts)))

    def _make_sentence(self, words: Sequence[Word], tree: TaggedTextTree, start: int, end: int) -> Sentence:
        tokens, edges = [], []
        for index, i in enumerate(range(start, end), 1):
            word, tag, head = words[i], tree.tags[i], tree.heads[i]
            tokens.append(Token(index, word.text, self._lemma(word.text, tag), tag, word.start, word.start + len(word.text)))
            edges.append(Dependency(0, index, "root") if head < 0 else Dependency(head - start + 1, index, tree.relations[i]))
        return Sentence(tuple(tokens), tuple(edges))


def tree_starts(heads: Sequence[int]) -> set[int]:
    """Return the start of each tree of a text: its leftmost word."""
    starts: dict[int, int] = {}
    for i in range(len(heads)):
        root = i
        while heads[root] >= 0:
            root = heads[root]
        starts.setdefault(root, i)
    return set(starts.values())


def spice_2016_parser() -> TransitionParser:
    """Return the parser ``spice-2016``, which was trained on the trees of the original SPICE (see its model card)."""
    return TransitionParser(SPICE_2016_FOLDER)
