"""Augmentation by grammar: for a caption's tree another correct tree in another construction or with other words.

Captions are mostly noun phrases with participles ("a man riding a horse"); what people type has finite verbs, questions, negation
and subordinate clauses. Words that are noun and verb ("walk", "nap") occur here as both.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from spice_core.lang.en.word_lists import COLOUR_WORDS
from spice_core.syntax.document import Document
from tools.parser import combinations, constructions
from tools.parser.clauses import Clause, clause_of
from tools.parser.constructions import Construction, Grammar
from tools.parser.inflection import BothWords, Inflection
from tools.parser.noun_phrases import articles, digits
from tools.parser.respell import is_tree
from tools.parser.select_trees import is_projective
from tools.parser.words import Word, copied, document_of, words_of

_LONGEST = 18  # words of a caption to start from
_OF_ALL = 0.2  # greatest share of one kind
_DIGITS = 0.2  # share with digits for number words
_PREDICATIVE = 3  # least frequency of an adjective after "is"

KINDS: dict[str, Callable[[Clause, Grammar], Construction | None]] = {
    kind.__name__: kind
    for kind in (
        constructions.present,
        constructions.past,
        constructions.progressive,
        constructions.participle,
        constructions.passive,
        constructions.telegraphic,
        constructions.question,
        constructions.imperative,
        constructions.existential,
        constructions.negation,
        combinations.coordinated_subjects,
        combinations.coordinated_verbs,
        combinations.subordinate,
        combinations.relative,
        combinations.one_other,
        combinations.exchanged_verb,
        combinations.exchanged_noun,
    )
}
WEIGHTS = {
    "present": 2.0,
    "exchanged_verb": 3.0,
    "exchanged_noun": 1.5,
    "past": 0.5,
    "one_other": 0.5,
    "imperative": 0.5,
    "participle": 0.5,
    "passive": 0.5,
}


def augmented(documents: Sequence[Document], seed: int, *, share: float = 1.0, forms: Sequence[Document] = ()) -> Iterator[Document]:
    """Return ``share`` variants of each suitable document (clause or plain noun phrase), no kind above a fifth of all.

    ``forms``: further trees from which only forms and frames of words are learnt.
    """
    return (document for _, document in variants(documents, seed, share=share, forms=forms))


def variants(
    documents: Sequence[Document], seed: int, *, share: float = 1.0, forms: Sequence[Document] = ()
) -> Iterator[tuple[str, Document]]:
    """Like `augmented`, each with the name of its kind (`KINDS`, or "copular")."""
    rng, counts = random.Random(seed), Counter[str]()
    sources = [words for words in map(words_of, documents) if words and len(words) <= _LONGEST]
    clauses = [clause_of(words) for words in sources]
    grammar = grammar_of(documents, forms, [c for c in clauses if c], rng)
    for words, clause in zip(sources, clauses):
        for _ in range(int(share) + (rng.random() < share % 1)):
            if found := _variant(words, clause, grammar, counts):
                counts[found[0]] += 1
                yield found


def grammar_of(documents: Sequence[Document], forms: Sequence[Document], clauses: Sequence[Clause], rng: random.Random) -> Grammar:
    """Return the material of the constructions, learnt from the documents; ``forms`` adds only forms and frames of words."""
    inflection = Inflection([*documents, *forms])
    return Grammar(inflection, BothWords(documents, inflection, forms), clauses, _predicative(documents), rng)


def _predicative(documents: Sequence[Document]) -> frozenset[str]:
    """Return the adjectives that stand after "is" in the trees, except participles, and the colours."""
    counts = Counter[str]()
    for sentence in chain.from_iterable(d.sentences for d in documents):
        copulas = {e.head for e in sentence.basic if e.relation == "cop"}
        counts.update(t.lemma for t in sentence.tokens if t.tag == "JJ" and t.index in copulas)
    usual = {w for w, n in counts.items() if n >= _PREDICATIVE and w.isalpha() and not w.endswith(("ed", "ing"))}
    return frozenset(usual | COLOUR_WORDS - {"light", "dark"})


def _variant(words: Sequence[Word], clause: Clause | None, grammar: Grammar, counts: Counter[str]) -> tuple[str, Document] | None:
    """Return a variant of the least frequent kind that the caption allows."""
    kinds = sorted(KINDS, key=lambda k: (counts[k] + grammar.rng.random()) / WEIGHTS.get(k, 1.0)) if clause else ["copular"]
    for kind in kinds:
        if counts[kind] > max(3, _OF_ALL * counts.total()):
            continue
        made = KINDS[kind](clause.copy(), grammar) if clause else combinations.copular(copied(words), grammar)
        if made and grammar.chance(_DIGITS):
            made = digits(made[0]), made[1]
        if made and (document := _checked(*made)):
            return kind, document
    return None


def _checked(words: list[Word], stop: str) -> Document | None:
    """Return the document, unless arcs cross."""
    document = document_of(articles(words), stop)
    edges = document.sentences[0].basic
    return document if is_tree(edges) and is_projective(edges) else None
