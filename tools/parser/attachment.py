"""Where "with" phrases hang, learnt from gold graphs: horses have saddles, men have hats.

FACTUAL's graphs say which things have which parts and belongings. Captions that end in a noun get such a phrase: "a man rides a horse
with a saddle" (the horse has it) and "a man rides a horse with a hat" (the man has it), with the tree that fits.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from spice_core.lang.en.lemmas import regular_lemma
from spice_core.lang.en.word_lists import PERSON_NOUNS
from spice_core.scene.propositions import Proposition
from spice_core.syntax.document import Document
from tools.parser.clauses import Clause, clause_of
from tools.parser.words import Word, below, document_of, words_of

_HAVE = frozenset("with have wear hold carry".split())
_BELONG = frozenset(("of", "attach to"))
_PERSON, _ANYONE = "person", ""
_LEAST = 3  # graphs in which an owner has a thing, at least
_MOSTLY = 0.7  # share of a thing's owners who are people
_LONGEST = 14  # words of a caption to start from

Belongings = dict[str, Counter[str]]


def belongings(graphs: Iterable[Iterable[Proposition]]) -> Belongings:
    """Return how often each owner (all people as one) has each thing, as lemmas of single words."""
    found: Belongings = defaultdict(Counter)
    for propositions in graphs:
        for words in (p.words for p in propositions if len(p.words) == 3):
            first, relation, second = words
            owner, thing = (first, second) if relation in _HAVE else (second, first)
            if relation in _HAVE or relation in _BELONG:
                found[_owner(owner)][thing] += 1
                found[_ANYONE][thing] += 1
    return found


def attached(documents: Sequence[Document], graphs: Iterable[Iterable[Proposition]], seed: int) -> Iterator[Document]:
    """Yield clauses with a final phrase that only their last noun, or only their subject, a person, can have; as many of both."""
    known, rng, surplus = belongings(graphs), random.Random(seed), 0
    for document in documents:
        words = words_of(document) or []
        clause = clause_of(words) if 0 < len(words) <= _LONGEST else None
        last = _last(clause) if clause else None
        if clause is None or last is None:
            continue
        owner, other = (clause.noun, last) if _owner(clause.noun.lemma) == _PERSON and surplus > 0 else (last, clause.noun)
        if things := _only(known, owner, other):
            surplus += 1 if owner is last else -1
            yield _with(words, clause, owner, rng.choice(things))


def _owner(word: str) -> str:
    lemma = regular_lemma(word, "NNS")
    return _PERSON if lemma in PERSON_NOUNS or lemma in ("men", "women") else lemma


def _last(clause: Clause) -> Word | None:
    """Return the object or place that ends the clause, without its phrases."""
    direct = [w for w in clause.rest if w.head is clause.verb and w.relation in ("obj", "obl") and w.tag in ("NN", "NNS")]
    if not direct or any(w.relation in ("conj", "advcl", "xcomp") for w in clause.rest):
        return None
    inside = below(clause.rest, direct[-1])
    return direct[-1] if inside[-1] is clause.rest[-1] is direct[-1] else None


def _only(known: Belongings, owner: Word, other: Word) -> list[str]:
    """Return the things that the owner often has and the other never; of a person, things that mostly people have."""
    name, others = _owner(owner.lemma), known.get(_owner(other.lemma), Counter())
    things = [thing for thing, n in known.get(name, Counter()).items() if n >= _LEAST and thing.isalpha() and not others[thing]]
    if name != _PERSON:
        return things
    return [thing for thing in things if known[_PERSON][thing] > _MOSTLY * known[_ANYONE][thing]]


def _with(words: list[Word], clause: Clause, owner: Word, thing: str) -> Document:
    """Return the clause with "with" and the thing: below the last noun, or below the verb where the subject has it."""
    head, relation = (clause.verb, "obl") if owner is clause.noun else (owner, "nmod")
    lemma = regular_lemma(thing, "NNS")
    noun = Word(thing, lemma, "NN" if lemma == thing else "NNS", relation, head if any(w is head for w in words) else None)
    phrase = [Word("with", "with", "IN", "case", noun)]
    if noun.tag == "NN":
        phrase.append(Word("an" if thing[0] in "aeiou" else "a", "a", "DT", "det", noun))
    return document_of([*words, *phrase, noun])
