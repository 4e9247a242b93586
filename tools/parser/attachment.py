"""Attachment of "with" phrases, learned from gold graphs: horses have saddles, men have hats.

FACTUAL's graphs say which things have which parts and belongings. Captions that end in a noun get a "with" phrase and the correct
tree: "a man rides a horse with a saddle" (the horse has the saddle) and "a man rides a horse with a hat" (the man has the hat).
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from spice_core.lang.en.lemmas import regular_lemma
from spice_core.lang.en.word_lists import PERSON_NOUNS
from spice_core.scene.propositions import Proposition
from spice_core.syntax.document import Document
from tools.parser.clauses import Clause, parse_clause
from tools.parser.words import Word, make_document, read_words, subtree

_POSSESSION_WORDS = frozenset("with have wear hold carry".split())
_BELONGING_WORDS = frozenset(("of", "attach to"))
_PERSON, _ANY_OWNER = "person", ""
_MIN_GRAPHS = 3  # minimum number of graphs in which an owner has a thing
_MIN_PERSON_SHARE = 0.7  # minimum share of a thing's owners who are people
_MAX_CAPTION_WORDS = 14  # maximum number of words of the original caption

ThingCountsByOwner = dict[str, Counter[str]]


def count_belongings(graphs: Iterable[Iterable[Proposition]]) -> ThingCountsByOwner:
    """Return how often each owner has each thing. All people are one owner, and ``""`` owns all things."""
    things_by_owner: ThingCountsByOwner = defaultdict(Counter)
    for propositions in graphs:
        for words in (p.words for p in propositions if len(p.words) == 3):
            first_word, relation, second_word = words
            owner, thing_name = (first_word, second_word) if relation in _POSSESSION_WORDS else (second_word, first_word)
            if relation in _POSSESSION_WORDS or relation in _BELONGING_WORDS:
                things_by_owner[_owner_class(owner)][thing_name] += 1
                things_by_owner[_ANY_OWNER][thing_name] += 1
    return things_by_owner


def attach_belongings(documents: Sequence[Document], graphs: Iterable[Iterable[Proposition]], seed: int) -> Iterator[Document]:
    """Yield clauses with an added "with" phrase, equally often for the last noun and for the (personal) subject."""
    known_things, rng, surplus = count_belongings(graphs), random.Random(seed), 0
    for document in documents:
        words = read_words(document) or []
        clause = parse_clause(words) if 0 < len(words) <= _MAX_CAPTION_WORDS else None
        last_noun = _last_noun(clause) if clause else None
        if clause is None or last_noun is None:
            continue
        owner, other_owner = (
            (clause.noun, last_noun) if _owner_class(clause.noun.lemma) == _PERSON and surplus > 0 else (last_noun, clause.noun)
        )
        if thing_names := _distinctive_things(known_things, owner, other_owner):
            surplus += 1 if owner is last_noun else -1
            yield _append_with_phrase(words, clause, owner, rng.choice(thing_names))


def _owner_class(word: str) -> str:
    lemma = regular_lemma(word, "NNS")
    return _PERSON if lemma in PERSON_NOUNS or lemma in ("men", "women") else lemma


def _last_noun(clause: Clause) -> Word | None:
    """Return the noun of the object or place at the end of the clause, or None."""
    objects = [w for w in clause.words_after if w.head is clause.verb and w.relation in ("obj", "obl") and w.tag in ("NN", "NNS")]
    if not objects or any(w.relation in ("conj", "advcl", "xcomp") for w in clause.words_after):
        return None
    inner_words = subtree(clause.words_after, objects[-1])
    return objects[-1] if inner_words[-1] is clause.words_after[-1] is objects[-1] else None


def _distinctive_things(counts: ThingCountsByOwner, owner: Word, other_owner: Word) -> list[str]:
    """Return the things that the owner often has and the other owner never has. For a person, only people's things count."""
    name, other_things = _owner_class(owner.lemma), counts.get(_owner_class(other_owner.lemma), Counter())
    thing_names = [
        thing_name
        for thing_name, n in counts.get(name, Counter()).items()
        if n >= _MIN_GRAPHS and thing_name.isalpha() and not other_things[thing_name]
    ]
    if name != _PERSON:
        return thing_names
    return [thing_name for thing_name in thing_names if counts[_PERSON][thing_name] > _MIN_PERSON_SHARE * counts[_ANY_OWNER][thing_name]]


def _append_with_phrase(words: list[Word], clause: Clause, owner: Word, thing_name: str) -> Document:
    """Return the clause with "with" and the thing, attached to the last noun, or to the verb if the subject has the thing."""
    head, relation = (clause.verb, "obl") if owner is clause.noun else (owner, "nmod")
    lemma = regular_lemma(thing_name, "NNS")
    noun = Word(thing_name, lemma, "NN" if lemma == thing_name else "NNS", relation, head if any(w is head for w in words) else None)
    phrase = [Word("with", "with", "IN", "case", noun)]
    if noun.tag == "NN":
        phrase.append(Word("an" if thing_name[0] in "aeiou" else "a", "a", "DT", "det", noun))
    return make_document([*words, *phrase, noun])
