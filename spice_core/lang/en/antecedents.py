"""Antecedents of pronouns."""

from __future__ import annotations

from spice_core.lang.en.word_lists import PEOPLE
from spice_core.syntax.document import Dependency
from spice_core.syntax.enhancement import Edges, Tokens

_OF_PEOPLE = frozenset("he him his she her himself herself hers".split())
_OF_THINGS = frozenset("it its itself it's".split())
_MANY = frozenset("they them their themselves".split())


def clear_pronouns(tokens: Tokens, edges: Edges) -> Edges:
    """Replace each pronoun by the highest preceding noun that it can refer to, with that noun's conjuncts; otherwise it gets no node."""
    for token in tokens[1:]:
        if token.tag not in ("PRP", "PRP$"):
            continue
        word = token.text.lower()
        meant = _meant(tokens, edges, token.index, word) if word in _OF_PEOPLE | _OF_THINGS | _MANY else None
        if meant:
            nouns = [meant, *(e.dependent for e in edges if e.head == meant and e.relation == "conj" and e.dependent < token.index)]
            out = []
            for e in edges:
                if e.dependent == token.index:
                    out += [e._replace(dependent=noun) for noun in nouns if noun != e.head]
                elif e.head != token.index:
                    out.append(e)
            edges = tuple(dict.fromkeys(out))
    return edges


def _meant(tokens: Tokens, edges: Edges, pronoun: int, word: str) -> int | None:
    """The first noun that fits of those before the pronoun, breadth first from the root; not its own head."""
    below: dict[int, list[Dependency]] = {}
    for e in sorted(edges):
        below.setdefault(e.head, []).append(e)
    governors = {e.head for e in edges if e.dependent == pronoun}
    order, seen, level = [], {0}, [0]
    while level:
        reached = [e for h in level for e in below.get(h, ()) if e.relation not in ("compound", "fixed", "amod", "nmod:poss")]
        level = list(dict.fromkeys(e.dependent for e in reached if e.dependent not in seen))
        seen.update(level)
        order += level
    nouns = [i for i in order if i < pronoun and i not in governors and tokens[i - 1].tag.startswith("NN")]
    if word in _OF_PEOPLE:
        fits = [i for i in nouns if tokens[i - 1].lemma in PEOPLE]
    elif word in _OF_THINGS:
        fits = [i for i in nouns if tokens[i - 1].lemma not in PEOPLE and tokens[i - 1].tag in ("NN", "NNP")]
    else:
        fits = [i for i in nouns if tokens[i - 1].tag in ("NNS", "NNPS")]
    return next(iter(fits or nouns), None)
