"""Training data of the bundled English pipelines: one recipe each, from treebank files to documents."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from spice_core.data.factual import read_pairs
from spice_core.data.reader import read_rows
from spice_core.lang import language
from spice_core.lang.en.lemmas import learn
from spice_core.lang.pack import Parser
from spice_core.syntax.conllu import read
from spice_core.syntax.document import Document
from tools.parser.respell import caption_words, spellings, whole_close_ups, whole_hyphens
from tools.parser.select_trees import Pairs, agree, chosen, pairs, words

HELD_OUT = 10
_DIGITS = {str(n): word for n, word in enumerate("zero one two three four five six seven eight nine ten".split())}


@dataclass(frozen=True)
class Sources:
    """Input files of a recipe: treebanks, COCO captions, and for ``caption`` FACTUAL's graphs, EWT, and files to exclude."""

    treebank: Path
    captions: Path
    factual: Path | None = None
    ewt: Path | None = None
    never: tuple[Path, ...] = ()


@dataclass(frozen=True)
class Corpus:
    """Training documents, held-out documents, and the documents from which lemmas are learnt."""

    train: list[Document]
    held_out: list[Document]
    lemmas: list[Document]


def spice_2016(sources: Sources, first: Parser | None = None) -> Corpus:
    """The original SPICE's own trees, mistakes included."""
    held = held_out(sources.captions)
    documents = [d for path in sorted(sources.treebank.glob("*.corenlp36.conllu.gz")) for d in _read(path)]
    train = [d for d in documents if d.text not in held]
    return Corpus(train, [d for d in documents if d.text in held], train)


def caption(sources: Sources, first: Parser | None = None) -> Corpus:
    """Trees selected for correctness; ``first`` is the pipeline of the first round.

    Without it: the captions on which both parsers agree, EWT twice. With it: trees shared by two of the three parsers or, for
    captions with a gold graph, the one that explains it best, repaired; EWT once. Every caption occurs in two spellings.
    """
    if not sources.factual or not sources.ewt:
        raise ValueError("the recipe caption reads FACTUAL's graphs and EWT as well")
    neural, shift_reduce = (list(map(_normal, _read(sources.treebank / f"captions.corenlp45{kind}.conllu.gz"))) for kind in ("nn", "sr"))
    rows = read_pairs(sources.factual)
    held = held_out(sources.captions) | {caption for caption, _ in rows[::HELD_OUT]} | set(_captions(sources.never))
    if first is None:
        selected = [one for one, other in zip(neural, shift_reduce) if agree(one, other)]
    else:
        own = map(caption_words, first.parse(d.text for d in neural))
        selected = _selected(zip(neural, shift_reduce, own), _gold(rows, learn(neural).lemma))
    selected = list(map(whole_close_ups, selected))
    train = [d for d in selected if d.text not in held]
    ewt = list(map(_normal, _read(sources.ewt))) * (2 if first is None else 1)
    return Corpus([*spellings(train), *ewt], [d for d in selected if d.text in held], train)


RECIPES: dict[str, Callable[[Sources, Parser | None], Corpus]] = {"spice-2016": spice_2016, "caption": caption}


def held_out(captions: Path) -> set[str]:
    """Captions of images whose id is a multiple of ten."""
    with gzip.open(captions, "rt", encoding="utf-8") as lines:
        images = map(json.loads, lines)
        return {c for image in images if image["image_id"] % HELD_OUT == 0 for c in image["captions"]}


def _selected(parses: Iterable[tuple[Document, ...]], gold: dict[str, Pairs]) -> list[Document]:
    """The trees to train on; the third parse counts if it has the same tokens."""
    rules = language("en").rule_set("caption")
    out = []
    for neural, shift_reduce, own in parses:
        same = [row for row in words(own) if row] == words(neural)
        out.append(chosen([neural, shift_reduce, *([own] if same else [])], gold.get(neural.text), rules))
    return [d for d in out if d]


def _gold(rows: list, lemma: Callable[[str, str], str]) -> dict[str, Pairs]:
    """The pairs of each caption's graph, with digits as words and lemmas for plurals."""
    return {caption: pairs(graph.propositions, lambda word: _DIGITS.get(word) or lemma(word, "NNS")) for caption, graph in rows}


def _normal(document: Document) -> Document:
    return caption_words(whole_hyphens(document))


def _captions(files: Iterable[Path]) -> Iterator[str]:
    for path in files:
        for _, row in read_rows(path):
            assert isinstance(row, dict)
            yield row["caption"]


def _read(path: Path) -> Iterator[Document]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from read(lines, name=path.name)
