"""Readers and writers of gold graphs and gold trees: captions with their expected tuples or trees."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from spice_core.data.factual import read_graph
from spice_core.data.items import check_caption, check_utf8, nested_place
from spice_core.data.json_stream import decode_line
from spice_core.data.reader import RowError, decode_text, input_errors, open_utf8, read_rows, suffix_of
from spice_core.errors import InputError, Message
from spice_core.scene.propositions import TupleWords, add_implied_objects, parse_from_tuples, sort_tuples
from spice_core.syntax import conllu
from spice_core.syntax.document import Document


@dataclass(frozen=True)
class GoldGraph:
    """A caption with its gold tuples.

    Attributes:
        split: ``dev``, ``test`` or another name; empty if the row names no split.
        optional_tuples: Tuples that count neither as correct nor as wrong.
        document: The tree of the caption, used instead of a parser's tree; None if there is none.
    """

    caption: str
    tuples: frozenset[TupleWords]
    split: str = ""
    optional_tuples: frozenset[TupleWords] = frozenset()
    document: Document | None = None


def read_gold(path: Path, *, place_links: bool = False) -> list[GoldGraph]:
    """Read the gold graphs of a JSON or JSONL file: ``{"caption": …, "tuples": [["dog"], ["dog", "on", "sofa"]], "split": "dev"}``.

    With ``place_links``, the tuples in the field ``place_links`` (Japanese) are added. The field ``optional`` holds
    tuples that count neither as correct nor as wrong. Raises InputError for an invalid row.
    """
    return [read_gold_graph(row, where, place_links=place_links) for where, row in read_rows(path)]


def parse_gold(text: str, name: str = "<gold>") -> list[GoldGraph]:
    """Parse gold graphs from JSON lines. Raises InputError naming ``name`` and the line."""
    graphs = []
    for line_number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            value = decode_line(line)
            if isinstance(value, InputError):
                raise RowError(name, Message("where.line", number=line_number), value)
            graphs.append(read_gold_graph(value, Message("where.inside", outer=name, inner=Message("where.line", number=line_number))))
    if not graphs:
        raise InputError(name, Message("found.empty_file"), Message("expected.json_lines"))
    return graphs


def write_gold(graphs: Iterable[GoldGraph]) -> str:
    """Return gold graphs as JSON lines for ``read_gold``, with objects first, then attributes, then relations."""
    rows = [
        {"caption": g.caption, "tuples": sort_tuples(g.tuples), "optional": sort_tuples(g.optional_tuples), "split": g.split}
        for g in graphs
    ]
    named = ({name: value for name, value in row.items() if value or name in ("caption", "tuples")} for row in rows)
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in named)


def _optional_list(row: dict[str, Any], name: str, where: str) -> list[Any]:
    """Return the list in a field of a row, or an empty list if the field is missing or empty. Raises InputError for any other value."""
    tuples = row.get(name) or []
    if not isinstance(tuples, list):
        raise InputError(where, row, Message("expected.tuples_in", name=name))
    return tuples


def read_gold_graph(row: object, where: str, *, place_links: bool = False) -> GoldGraph:
    """Read the gold graph of a row, which may be in FACTUAL's format (``scene_graph``). Raises InputError naming ``where``."""
    if isinstance(row, dict) and "tuples" not in row and isinstance(graph := row.get("scene_graph"), str):
        graph_place = nested_place(where, "scene_graph")
        row = {**row, "tuples": [[*p.words] for p in read_graph(check_utf8(graph, graph_place), where=graph_place).propositions]}
    if not isinstance(row, dict) or not isinstance(row.get("caption"), str) or not isinstance(row.get("tuples"), list):
        raise InputError(where, row, Message("expected.gold_row"))
    links, optional = _optional_list(row, "place_links", where) if place_links else [], _optional_list(row, "optional", where)
    parse = parse_from_tuples([*row["tuples"], *links], where=nested_place(where, "tuples"))
    optional_parse = parse_from_tuples(optional, where=nested_place(where, "optional"))
    caption = check_caption(row["caption"], nested_place(where, "caption"))
    check_utf8(parse.caption + optional_parse.caption, nested_place(where, "tuples"))
    split = "" if row.get("split") is None else row["split"]
    gold_tuples, optional_tuples = (add_implied_objects(p.words for p in parse.propositions) for parse in (parse, optional_parse))
    return GoldGraph(caption, gold_tuples, check_utf8(str(split), f"{where}, field split"), optional_tuples - gold_tuples)


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
    """Return the gold graphs with a tree as CoNLL-U, each with a comment ``# tuples = [["dog"], …]``."""
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
