"""Augmentation by grammar: make other correct trees from the tree of a caption, in another construction or with other words.

Captions are mostly noun phrases with participles ("a man riding a horse"), but people also type finite verbs, questions, negation
and subordinate clauses. Words that can be nouns and verbs ("walk", "nap") occur as both in the new trees.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from spice_core.lang.en.word_lists import COLOUR_WORDS
from spice_core.syntax.document import Document
from tools.parser import combinations, constructions
from tools.parser.clauses import Clause, parse_clause
from tools.parser.constructions import Construction, Grammar
from tools.parser.inflection import Inflection, NounVerbWords
from tools.parser.noun_phrases import correct_articles, replace_numbers_by_digits
from tools.parser.respell import is_tree
from tools.parser.select_trees import is_projective
from tools.parser.words import Word, copy_words, make_document, read_words

_MAX_CAPTION_WORDS = 18  # maximum number of words of the original caption
_MAX_KIND_SHARE = 0.2  # maximum share of a kind among all variants
_DIGITS_SHARE = 0.2  # share of variants with digits for number words
_MIN_PREDICATIVE_COUNT = 3  # minimum frequency of an adjective after "is"

CONSTRUCTION_BY_KIND: dict[str, Callable[[Clause, Grammar], Construction | None]] = {
    kind.__name__: kind
    for kind in (
        constructions.make_present,
        constructions.make_past,
        constructions.make_progressive,
        constructions.make_participle_phrase,
        constructions.make_passive,
        constructions.make_telegraphic,
        constructions.make_question,
        constructions.make_imperative,
        constructions.make_existential,
        constructions.make_negation,
        combinations.coordinate_subjects,
        combinations.coordinate_verbs,
        combinations.subordinate_clause,
        combinations.make_relative_clause,
        combinations.split_group,
        combinations.replace_verb,
        combinations.replace_noun,
    )
}
WEIGHT_BY_KIND = {
    "make_present": 2.0,
    "replace_verb": 3.0,
    "replace_noun": 1.5,
    "make_past": 0.5,
    "split_group": 0.5,
    "make_imperative": 0.5,
    "make_participle_phrase": 0.5,
    "make_passive": 0.5,
}


def augment_documents(
    documents: Sequence[Document], seed: int, *, share: float = 1.0, form_documents: Sequence[Document] = ()
) -> Iterator[Document]:
    """Return variants of suitable documents (clauses and plain noun phrases), about ``share`` per document.

    No kind makes up much more than a fifth of the variants. Only forms and frames of words are learned from ``form_documents``.
    """
    return (document for _, document in draw_variants(documents, seed, share=share, form_documents=form_documents))


def draw_variants(
    documents: Sequence[Document], seed: int, *, share: float = 1.0, form_documents: Sequence[Document] = ()
) -> Iterator[tuple[str, Document]]:
    """Yield the variants of ``augment_documents`` with the name of their kind (in CONSTRUCTION_BY_KIND, or "copular")."""
    rng, counts = random.Random(seed), Counter[str]()
    sources = [words for words in map(read_words, documents) if words and len(words) <= _MAX_CAPTION_WORDS]
    clauses = [parse_clause(words) for words in sources]
    grammar = learn_grammar(documents, form_documents, [c for c in clauses if c], rng)
    for words, clause in zip(sources, clauses):
        for _ in range(int(share) + (rng.random() < share % 1)):
            if variant := _make_variant(words, clause, grammar, counts):
                counts[variant[0]] += 1
                yield variant


def learn_grammar(
    documents: Sequence[Document], form_documents: Sequence[Document], clauses: Sequence[Clause], rng: random.Random
) -> Grammar:
    """Learn the constructions' requirements from the documents. ``form_documents`` add only forms and frames of words."""
    inflection = Inflection([*documents, *form_documents])
    return Grammar(inflection, NounVerbWords(documents, inflection, form_documents), clauses, _predicative_adjectives(documents), rng)


def _predicative_adjectives(documents: Sequence[Document]) -> frozenset[str]:
    """Return the colours, and adjectives that often follow a copula, except those in "-ed" and "-ing"."""
    counts = Counter[str]()
    for sentence in chain.from_iterable(d.sentences for d in documents):
        copulas = {e.head for e in sentence.basic if e.relation == "cop"}
        counts.update(t.lemma for t in sentence.tokens if t.tag == "JJ" and t.index in copulas)
    typical_adjectives = {w for w, n in counts.items() if n >= _MIN_PREDICATIVE_COUNT and w.isalpha() and not w.endswith(("ed", "ing"))}
    return frozenset(typical_adjectives | COLOUR_WORDS - {"light", "dark"})


def _make_variant(words: Sequence[Word], clause: Clause | None, grammar: Grammar, counts: Counter[str]) -> tuple[str, Document] | None:
    kinds = (
        sorted(CONSTRUCTION_BY_KIND, key=lambda k: (counts[k] + grammar.rng.random()) / WEIGHT_BY_KIND.get(k, 1.0))
        if clause
        else ["copular"]
    )
    for kind in kinds:
        if counts[kind] > max(3, _MAX_KIND_SHARE * counts.total()):
            continue
        variant_words = (
            CONSTRUCTION_BY_KIND[kind](clause.copy(), grammar) if clause else combinations.make_copular(copy_words(words), grammar)
        )
        if variant_words and grammar.is_chosen(_DIGITS_SHARE):
            variant_words = replace_numbers_by_digits(variant_words[0]), variant_words[1]
        if variant_words and (document := _make_projective_document(*variant_words)):
            return kind, document
    return None


def _make_projective_document(words: list[Word], stop: str) -> Document | None:
    """Return the words as a document, or None if arcs of the tree cross."""
    document = make_document(correct_articles(words), stop)
    edges = document.sentences[0].basic
    return document if is_tree(edges) and is_projective(edges) else None
