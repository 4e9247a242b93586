"""Plural nouns as copies, after Schuster et al. (2015): three men are three nodes, and each rides his own horse.

The edge ``copies:3`` from a noun leads to the word that counts it; the rules then yield a proposition for each copy.
"""

from __future__ import annotations

from spice_core.syntax.document import Dependency, Token
from spice_core.syntax.enhancement import Edges, Tokens

MOST = 12  # copies of a noun
_NUMBERS = {word: n for n, word in enumerate("one two three four five six seven eight nine ten eleven twelve".split(), 1)}
_QUANTITIES = {"both": 2, "couple": 2, "pair": 2, "triple": 3, "dozen": 12}
_PLURALS = ("NNS", "NNPS")
_SUBJECTS = ("nsubj", "nsubj:pass")
_ARGUMENTS = ("obj", "iobj", "obl", "nmod")


def copies(tokens: Tokens, edges: Edges) -> Edges:
    """Count plural nouns: by their number or quantifier, otherwise as many as the subject of their clause."""
    counted = {t.index: found for t in tokens if t.tag in _PLURALS and (found := _counted(tokens, edges, t.index))}
    given = {noun: (number, noun) for noun, (number, _) in counted.items()}
    for predicate, subject in _clauses(edges):
        if subject not in given:
            continue
        for e in edges:
            if e.head == predicate and _argument(e) and tokens[e.dependent - 1].tag in _PLURALS and e.dependent != subject:
                counted.setdefault(e.dependent, given[subject])
    return (*edges, *(Dependency(noun, by, f"copies:{number}") for noun, (number, by) in sorted(counted.items())))


def _counted(tokens: Tokens, edges: Edges, noun: int) -> tuple[int, int] | None:
    """How many of this noun there are, and the word that says so; None where it is not said, or one."""
    for e in edges:
        if e.head == noun and e.relation in ("nummod", "det", "det:predet", "det:qmod"):
            words = [e.dependent, *(f.dependent for f in edges if f.head == e.dependent and f.relation == "fixed")]
            number = next((n for word in words if (n := _number(tokens[word - 1]))), 0)
            if number > 1:
                return min(number, MOST), e.dependent
    return None


def _number(token: Token) -> int:
    word = token.text.lower()
    if word.isdecimal() and len(word) < 5:
        return int(word)
    return _NUMBERS.get(word) or _QUANTITIES.get(token.lemma, 0)


def _clauses(edges: Edges) -> list[tuple[int, int]]:
    """Predicates with their subjects, and participles behind a noun with this noun."""
    subjects = [(e.head, e.dependent) for e in edges if e.relation in _SUBJECTS]
    return subjects + [(e.dependent, e.head) for e in edges if e.relation == "acl"]


def _argument(edge: Dependency) -> bool:
    base, _, preposition = edge.relation.partition(":")
    return base in _ARGUMENTS and preposition != "poss"
