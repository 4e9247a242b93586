"""Reader and writer of scene graphs in the format of FACTUAL (Li et al., Findings of ACL 2023).

A graph is one line: ``( man , hold , umbrella ) , ( umbrella , is , red )``. Nouns keep plurals and
compounds ("tennis courts"), numbers are digits, and "is" precedes an attribute.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from spice_core.data.graph_parts import parse_of
from spice_core.data.items import check_caption, check_utf8, nested_place
from spice_core.data.reader import read_rows
from spice_core.errors import InputError, Message
from spice_core.scene.propositions import Parse, Proposition

_TRIPLE_SEPARATOR = re.compile(r"\)\s*,\s*\(")  # separates two triples
_COPULA = "is"


def is_graph_text(caption: str) -> bool:
    """Return whether a caption is a graph in this notation: one or more triples."""
    text = caption.strip()
    if not (text.startswith("( ") and text.endswith(" )")):
        return False
    triples = [triple.split(" , ") for triple in _TRIPLE_SEPARATOR.split(text[1:-1])]
    return all(len(triple) == 3 and all(map(str.strip, triple)) for triple in triples)


def read_graph(text: str, *, where: str = "scene_graph") -> Parse:
    """Read a graph from its notation, in which ( a , is , b ) is an attribute and ( a ) an object. Raises InputError for an invalid text."""
    text = text.strip()
    if len(text) < 2 or text[0] != "(" or text[-1] != ")":
        raise InputError(where, text, Message("expected.graph"))
    triples = [tuple(part.strip() for part in t.strip().split(" , ")) for t in _TRIPLE_SEPARATOR.split(text[1:-1])]
    for triple_number, triple in enumerate(triples, 1):
        if len(triple) not in (1, 3) or not all(triple):
            place = Message("where.triple", graph=where, number=triple_number)
            raise InputError(place, f"( {' , '.join(triple)} )", Message("expected.graph"))
    return parse_of(([t[0], t[2]] if len(t) == 3 and t[1] == _COPULA else [*t] for t in triples), where=where)


def read_pairs(path: Path) -> list[tuple[str, Parse]]:
    """Read captions and graphs (fields ``caption`` and ``scene_graph``) from JSON lines or a table.

    Raises InputError for an invalid row.
    """
    out = []
    for where, row in read_rows(path):
        if not isinstance(row, dict) or not all(isinstance(row.get(name), str) for name in ("caption", "scene_graph")):
            raise InputError(where, row, Message("expected.factual_row"))
        caption = check_caption(row["caption"], nested_place(where, "caption"))
        graph = check_utf8(row["scene_graph"], nested_place(where, "scene_graph"))
        out.append((caption, read_graph(graph, where=nested_place(where, "scene_graph"))))
    return out


def write_graph(propositions: Iterable[Proposition]) -> str:
    """Return the propositions as one line of triples. Objects are written only if there are no attributes or relations.

    Raises InputError if the notation cannot represent a word.
    """
    triples: dict[tuple[str, ...], None] = {}
    for proposition in propositions:
        triple = (proposition.words[0], _COPULA, proposition.words[1]) if len(proposition.words) == 2 else proposition.words
        text = " , ".join(triple)
        if _TRIPLE_SEPARATOR.search(text) or tuple(part.strip() for part in text.split(" , ")) != triple:
            raise InputError("", text, Message("expected.factual_words"))
        triples[triple] = None
    return " , ".join(f"( {' , '.join(t)} )" for t in [t for t in triples if len(t) == 3] or triples)


def is_set_match(parse: Parse, graph: Parse) -> bool:
    """Return whether both graphs have the same attributes and relations, or the same objects if they have neither."""
    facts, graph_facts = ({p.words for p in side.propositions} for side in (parse, graph))
    return ({w for w in facts if len(w) > 1} or facts) == ({w for w in graph_facts if len(w) > 1} or graph_facts)
