"""Training data of the parser ``caption``, made from treebank files."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from spice_core.data.factual import read_pairs
from spice_core.data.reader import read_rows
from spice_core.lang import language
from spice_core.lang.en.lemmas import learn_lemmas
from spice_core.lang.pack import Parser
from spice_core.syntax.conllu import read
from spice_core.syntax.document import Document
from tools.parser.attachment import attach_belongings
from tools.parser.augment import augment_documents
from tools.parser.respell import iterate_spellings, join_hyphenated_words, normalise_caption_words, reanalyse_close_ups
from tools.parser.select_trees import RelatedPairs, choose_tree, related_pairs, words_by_sentence

HELD_OUT_INTERVAL = 10
SEED = 2016
_WORD_BY_DIGIT = {str(n): word for n, word in enumerate("zero one two three four five six seven eight nine ten".split())}


@dataclass(frozen=True)
class Sources:
    """Input files: caption trees, COCO captions, FACTUAL's graphs, EWT, SNLI trees, and files to exclude."""

    treebank: Path
    captions: Path
    factual: Path
    ewt: Path
    snli: Path
    excluded_files: tuple[Path, ...] = ()


@dataclass(frozen=True)
class Corpus:
    """Training documents, held-out documents, and documents for learning lemmas."""

    train: list[Document]
    held_out: list[Document]
    lemma_documents: list[Document]


def make_caption_corpus(sources: Sources, earlier_parser: Parser | None = None) -> Corpus:
    """Return trees selected for correctness. ``earlier_parser`` is the first round's parser, or None in that round.

    The trees of the first round are EWT and those of captions on which two parsers agree. In the second round, a caption with a gold graph
    has the tree that explains the graph best, repaired, and another caption has a tree that two of three parsers share. Further trees are
    EWT, trees of plain sentences that two parsers share, and other constructions of the selected trees. Every tree occurs once, unchanged
    or in another spelling.
    """
    rows = read_pairs(sources.factual)
    held_out_texts = (
        held_out_captions(sources.captions)
        | {caption for caption, _ in rows[::HELD_OUT_INTERVAL]}
        | set(_iterate_excluded_captions(sources))
    )
    captions = _read_parses(sources.treebank, "captions", earlier_parser)
    lemma = learn_lemmas(captions[0]).lemma
    selected_trees = [reanalyse_close_ups(d) for d in _select_trees(captions, _gold_pairs(rows, lemma) if earlier_parser else {})]
    plain_trees = _select_trees(_read_parses(sources.snli, "plain", earlier_parser), {}) if earlier_parser else []
    train = [d for d in [*selected_trees, *plain_trees] if d.text not in held_out_texts]
    ewt = [_convert_labels(_normalise(d)) for d in _read_documents(sources.ewt)]
    other_trees = (
        [*augment_documents(train, SEED, form_documents=ewt), *attach_belongings(train, [g.propositions for _, g in rows], SEED)]
        if earlier_parser
        else []
    )
    return Corpus([*iterate_spellings([*train, *other_trees], SEED), *ewt], [d for d in selected_trees if d.text in held_out_texts], train)


def _iterate_excluded_captions(sources: Sources) -> Iterator[str]:
    for path in sources.excluded_files:
        for _, row in read_rows(path):
            assert isinstance(row, dict)
            yield row["caption"]


def held_out_captions(captions: Path) -> set[str]:
    """Return the captions of the images whose id is a multiple of ten."""
    rows = (row for _, row in read_rows(captions) if isinstance(row, dict))
    return {caption for row in rows if row["image_id"] % HELD_OUT_INTERVAL == 0 for caption in row["captions"]}


def _read_parses(folder: Path, name: str, earlier_parser: Parser | None) -> tuple[list[Document], ...]:
    """Return the trees of each parser (two of CoreNLP and, in the second round, ``earlier_parser``) for the same captions."""
    parses = [list(map(_normalise, _read_documents(folder / f"{name}.corenlp45{kind}.conllu.gz"))) for kind in ("nn", "sr")]
    if earlier_parser:
        parses.append(list(map(normalise_caption_words, earlier_parser.parse(d.text for d in parses[0]))))
    return tuple(parses)


def _select_trees(parses: tuple[list[Document], ...], gold: dict[str, RelatedPairs]) -> list[Document]:
    """Return the tree chosen for each caption. Only parses with the first parse's tokens count."""
    rules = language("en").rule_set("caption")
    trees = []
    for neural, *other_parses in zip(*parses):
        same_parses = [neural, *(parse for parse in other_parses if words_by_sentence(parse) == words_by_sentence(neural))]
        trees.append(choose_tree(same_parses, gold.get(neural.text), rules))
    return [d for d in trees if d]


_OLDER_RELATIONS = {
    "nmod:desc": "compound",
    "nmod:unmarked": "nmod:npmod",
    "obl:unmarked": "obl:npmod",
    "advcl:relcl": "advcl",
    "nsubj:outer": "nsubj",
}


def _convert_labels(document: Document) -> Document:
    trees = (tuple(e._replace(relation=_OLDER_RELATIONS.get(e.relation, e.relation)) for e in s.basic) for s in document.sentences)
    return replace(document, sentences=tuple(replace(s, basic=basic) for s, basic in zip(document.sentences, trees)))


def _gold_pairs(rows: list, lemma: Callable[[str, str], str]) -> dict[str, RelatedPairs]:
    """Return the related pairs of each gold graph, with number words for digits and lemmas for plurals."""
    return {
        caption: related_pairs(graph.propositions, lambda word: _WORD_BY_DIGIT.get(word) or lemma(word, "NNS")) for caption, graph in rows
    }


def _normalise(document: Document) -> Document:
    return normalise_caption_words(join_hyphenated_words(document))


def _read_documents(path: Path) -> Iterator[Document]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from read(lines, name=path.name)
