"""Steps for descriptions that are no plain adjective: suffixes, numbers in names, colours in く, results of てある."""

from __future__ import annotations

import re

from spice_core.lang.ja import word_lists
from spice_core.lang.ja.trees import edges_below, is_nominal, is_verb, particles_of, phrase_of, tree_of
from spice_core.syntax.document import Dependency
from spice_core.syntax.enhancement import Edges, Tokens

_SUFFIXED = re.compile(r".+(?:敷き|建て|専用|っぽい|付き|つき|製|仕立て|仕様|張り|並み|がかり|がかった|まみれ|だらけ)|.*[0-9０-９]+番.*|.+(?:めの?|いろ)")
_PROPERTIES = frozenset("色 形 型 柄 模様 状 風 多色".split())  # things, unless something stands before them


def suffixed_descriptions(tokens: Tokens, edges: Edges) -> Edges:
    """Relabel modifiers of a noun by their suffix: 石畳敷きの道, 歩行者専用の道; 色の印 has a colour, but 色 is none."""
    below, tree = edges_below(edges), tree_of(edges)
    out = []
    for e in edges:
        text = phrase_of(tokens, below, e.dependent)
        if e.relation == "nmod:の" and _SUFFIXED.fullmatch(text):
            e = e._replace(relation="amod")
        elif e.relation == "amod" and text in _PROPERTIES and "の" in particles_of(tokens, below, e.dependent):
            e = e._replace(relation="nmod:の")
        elif e.relation in ("advmod", "nmod") and word_lists.is_quantity(text) and "の" in particles_of(tokens, below, e.dependent):
            head = e.head
            while tree[head].relation in ("nmod:の", "amod", "nummod") and word_lists.is_attribute(phrase_of(tokens, below, head)):
                head = tree[head].head
            e = Dependency(head, e.dependent, "nummod") if head and is_nominal(tokens[head - 1]) else e
        out.append(e)
    return tuple(out)


def resulting_colours(tokens: Tokens, edges: Edges) -> Edges:
    """Make a colour in く describe the object or subject of its verb: 壁が|白く|塗られている."""
    below = edges_below(edges)
    out = list(edges)
    for e in edges:
        adjective = tokens[e.dependent - 1]
        if e.relation in ("advcl", "advmod") and adjective.text.endswith("く") and adjective.lemma in word_lists.COLOURS and e.head:
            arguments = below.get(e.head, ())
            described = [a for a in arguments if a.relation == "obj"] or [a for a in arguments if a.relation in ("nsubj", "nsubj:zero")]
            if not any(a.relation.startswith("nsubj") for a in below.get(e.dependent, ())):
                out += [Dependency(e.dependent, a.dependent, "nsubj") for a in described]
    return tuple(out)


def resultatives(tokens: Tokens, edges: Edges) -> Edges:
    """Make the noun after てある the subject, as in the passive: 壁に|掛けてある|絵."""
    results = {e.head for e in edges if e.relation == "aux" and tokens[e.dependent - 1].lemma == "ある" and is_verb(tokens[e.head - 1])}
    clauses = {e.dependent: e.head for e in edges if e.relation == "acl"}
    return tuple(
        e._replace(relation="nsubj")
        if e.relation == "obj" and e.head in results and (clauses.get(e.head) == e.dependent)
        else e
        for e in edges
    )
