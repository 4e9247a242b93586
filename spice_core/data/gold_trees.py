"""Reader and writer of gold graphs with trees, as CoNLL-U with the tuples in a comment below the caption."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from spice_core.data.gold import GoldGraph, parse_gold, read_gold, read_gold_graph
from spice_core.data.json_stream import decode_line
from spice_core.data.reader import RowError, decode_text, input_errors, open_utf8, suffix_of
from spice_core.errors import InputError, Message
from spice_core.scene.propositions import sort_tuples
from spice_core.syntax import conllu

TREE_SUFFIX = ".conllu"


def read_cases(path: Path, *, place_links: bool = False) -> list[GoldGraph]:
    """Read gold graphs from CoNLL-U with trees or from JSON lines. The file may be compressed. Raises InputError for invalid content."""
    if suffix_of(path) != TREE_SUFFIX:
        return read_gold(path, place_links=place_links)
    with open_utf8(path) as file, input_errors(path):
        text = decode_text(file.read(), str(path))
    return _parse_trees(text, str(path))


def parse_cases(text: str, name: str) -> list[GoldGraph]:
    """Return the gold graphs in a text. The file name ``name`` selects the format. Raises InputError naming ``name`` and the line."""
    return _parse_trees(text, name) if name.lower().endswith(TREE_SUFFIX) else parse_gold(text, name)


def write_trees(graphs: Iterable[GoldGraph]) -> str:
    """Return the gold graphs that have a tree as CoNLL-U, each with a comment ``# tuples = [["dog"], …]``."""
    out = []
    for graph in graphs:
        if graph.document:
            caption, _, tree_lines = conllu.write(replace(graph.document, text=graph.caption)).partition("\n")
            out.append(f"{caption}\n# tuples = {json.dumps(sort_tuples(graph.tuples), ensure_ascii=False)}\n{tree_lines}")
    return "".join(out)


def _parse_trees(text: str, name: str) -> list[GoldGraph]:
    lines = text.split("\n")
    documents = list(conllu.read(lines, name=name))
    graphs = list(_iterate_graphs(lines, name))
    if len(graphs) != len(documents):
        raise _missing_tuples_error(name, 1)
    return [replace(graph, document=document) for graph, document in zip(graphs, documents, strict=True)]


def _iterate_graphs(lines: Iterable[str], name: str) -> Iterator[GoldGraph]:
    """Yield a gold graph for each caption, with the tuples from its comment."""
    caption, start_line = "", 0
    for number, line in enumerate(lines, 1):
        key, separator, value = line[1:].partition("=") if line.startswith("#") else ("", "", "")
        if separator and key.strip() == "caption":
            if start_line:
                raise _missing_tuples_error(name, start_line)
            caption, start_line = value.strip(), number
        elif separator and key.strip() == "tuples" and start_line:
            tuples, line_number = decode_line(value), Message("where.line", number=number)
            if isinstance(tuples, InputError):
                raise RowError(name, line_number, tuples)
            yield read_gold_graph({"caption": caption, "tuples": tuples}, Message("where.inside", outer=name, inner=line_number))
            start_line = 0
    if start_line:
        raise _missing_tuples_error(name, start_line)


def _missing_tuples_error(name: str, line_number: int) -> InputError:
    where = Message("where.inside", outer=name, inner=Message("where.line", number=line_number))
    return InputError(where, Message("found.no_tuples"), Message("expected.tuples_comment"))
