"""FACTUAL's scene graphs (Li et al., Findings of ACL 2023): read as propositions, and written from ours.

A graph is one line: ``( man , hold , umbrella ) , ( umbrella , is , red )``. Nodes keep their plurals and fixed compounds,
numbers are digits, "is" precedes an attribute.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from spice_core.data.items import check_caption, in_field, in_utf8
from spice_core.data.reader import read_rows
from spice_core.errors import InputError, Message
from spice_core.scene.propositions import Parse, Proposition, from_tuples

_TRIPLE = re.compile(r"\(\s*(.*?)\s*\)(?=\s*(?:,\s*\(|$))")
_IS = "is"


def read_graph(text: str, *, where: str = "scene_graph") -> Parse:
    """The graph as given propositions: (a, is, b) is an attribute, a single part an object. Raises InputError for anything else."""
    triples = [tuple(part.strip() for part in t.split(" , ")) for t in _TRIPLE.findall(text.strip())]
    if not triples or any(len(t) not in (1, 3) or not all(t) for t in triples):
        raise InputError(where, text, Message("expected.graph"))
    return from_tuples([(t[0], t[2]) if len(t) == 3 and t[1] == _IS else t for t in triples], where=where)


def read_pairs(path: Path) -> list[tuple[str, Parse]]:
    """The captions of a JSONL file with their graphs (fields ``caption`` and ``scene_graph``). Raises InputError."""
    out = []
    for where, row in read_rows(path):
        if not isinstance(row, dict) or not all(isinstance(row.get(name), str) for name in ("caption", "scene_graph")):
            raise InputError(where, row, Message("expected.factual_row"))
        caption = check_caption(row["caption"], in_field(where, "caption"))
        graph = in_utf8(row["scene_graph"], in_field(where, "scene_graph"))
        out.append((caption, read_graph(graph, where=in_field(where, "scene_graph"))))
    return out


def write_graph(propositions: Iterable[Proposition]) -> str:
    """The propositions as one line of triples; bare objects only if there is nothing else."""
    triples: dict[tuple[str, ...], None] = {}
    for p in propositions:
        triples[(p.words[0], _IS, p.words[1]) if len(p.words) == 2 else p.words] = None
    return " , ".join(f"( {' , '.join(t)} )" for t in [t for t in triples if len(t) == 3] or triples)


def set_match(parse: Parse, graph: Parse) -> bool:
    """Whether both have the same set of attributes and relations, or of objects if there are neither."""
    return _said(parse) == _said(graph)


def _said(parse: Parse) -> set[tuple[str, ...]]:
    words = {p.words for p in parse.propositions}
    return {w for w in words if len(w) > 1} or words
