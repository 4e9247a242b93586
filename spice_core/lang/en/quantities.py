"""Quantities: the noun after "a group of", "lots of", "one of" becomes the head."""

from __future__ import annotations

from spice_core.syntax.document import Dependency
from spice_core.syntax.enhancement import Edges, Tokens

_NUMBER_LIKE = frozenset("couple pair dozen hundred thousand million".split())
_GROUPS = _NUMBER_LIKE | frozenset(
    "group bunch lot number variety few assortment array handful multitude plethora ton slew kind sort type bit range".split()
)
_PARTS = frozenset("some all both several many plenty most each any none neither half".split())
_NONE = frozenset("none neither".split())  # denies what is said of the noun
_NUMBERS = frozenset("one two three four five six seven eight nine ten".split())


def quantities(tokens: Tokens, edges: Edges) -> Edges:
    """Replace the words before it by the noun after "a group of", "lots of", "one of"; number-like quantities count the noun."""
    for of in range(2, len(tokens) + 1):
        quantity = tokens[of - 2]
        if tokens[of - 1].text.lower() != "of":
            continue
        lemma = quantity.text.lower() if quantity.tag == "CD" else quantity.lemma
        counted = any(e.head == quantity.index and e.relation == "nummod" for e in edges)
        if lemma in _PARTS or lemma in _NUMBERS or (lemma in _GROUPS and not counted):
            nouns = [e.dependent for e in edges if e.head == quantity.index and e.dependent > of and e.relation in ("nmod:of", "obl:of")]
            if nouns:
                label = "det:qmod" if lemma in _NUMBER_LIKE | _NUMBERS else "det:none" if lemma in _NONE else "det:group"
                edges = _promoted(edges, quantity.index, of, nouns, label)
    return edges


def _promoted(edges: Edges, quantity: int, of: int, nouns: list[int], label: str) -> Edges:
    """The nouns with all edges of the quantity; its article, itself and "of" depend on the first noun as one quantifier."""
    article = [e.dependent for e in edges if e.head == quantity and e.relation == "det" and e.dependent < quantity]
    out: list[Dependency] = []
    for e in edges:
        if e.dependent == of or e.dependent in article or (e.head == quantity and e.dependent in nouns):
            continue
        if e.head == quantity and e.dependent < quantity and e.relation in ("amod", "advmod", "compound"):
            continue
        if e.dependent == quantity:
            out += [e._replace(dependent=noun) for noun in nouns if noun != e.head]
        elif e.head == quantity:
            out += [e._replace(head=noun) for noun in nouns if noun != e.dependent]
        else:
            out.append(e)
    quantifier = [*article, quantity, of]
    first, *rest = quantifier
    out += [*(Dependency(noun, first, label) for noun in nouns), *(Dependency(first, w, "fixed") for w in rest)]
    return tuple(dict.fromkeys(out))
