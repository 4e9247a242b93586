"""Sources of items: one file with candidates and references, or results and references in separate files."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path

from spice_core.data.items import Item, candidate, converted, field_named, fields, image_id, item
from spice_core.data.reader import Readable, Row, RowError, json_rows, table
from spice_core.data.references import References
from spice_core.errors import InputError, Message

_DELIMITERS = {".csv": ",", ".tsv": "\t"}
_JSON = (".json", ".jsonl")
ITEMS, RESULTS, REFERENCES = ("image_id", "test", "refs"), ("image_id", "caption"), ("image_id", "captions")
COLUMNS = tuple(dict.fromkeys(ITEMS + RESULTS + REFERENCES))


@dataclass(frozen=True)
class Source:
    """The items of ``path``, in JSON, JSON lines or a table (CSV, TSV); gzipped files are unpacked.

    With ``references`` the file holds results, ``[{"image_id": …, "caption": …}, …]``, and that other file the captions
    or scene graphs of each image. ``columns`` gives tables' columns: ``image_id``, ``test`` and ``refs`` (one or more),
    or ``image_id`` and ``caption``, with the references' in ``captions``. Iterating gives items and, for what is wrong,
    InputErrors; an id that comes twice is wrong unless ``repeated``, a candidate without text unless ``empty``. No more than
    the ids stands in memory. Raises InputError where a file cannot be read on.
    """

    path: Readable
    references: Readable | None = None
    columns: Mapping[str, Sequence[str]] = field(default_factory=dict)
    delimiter: str | None = None
    repeated: bool = False
    empty: bool = False

    def __post_init__(self) -> None:
        for name in set(self.columns) - set(COLUMNS):
            raise InputError("columns", name, Message("expected.one_of", names=", ".join(COLUMNS)))

    def __iter__(self) -> Iterator[Item | InputError]:
        seen: set[int | str] = set()
        references = self._references
        if references and not references.complete:
            yield from references.read(self._rows(references.path, REFERENCES, "annotations"))
        rows = self._rows(self.path, RESULTS) if references else self._with_references(self._rows(self.path, ITEMS))
        for place, value in converted(rows, partial(self._result, references) if references else partial(item, empty=self.empty)):
            if isinstance(value, Item) and value.image_id in seen and not self.repeated:
                value = InputError(field_named("image_id"), value.image_id, Message("expected.new_id"))
            if isinstance(value, InputError):
                yield RowError(self.path, place, value)
            else:
                seen.add(value.image_id)
                yield value
        if references and (unused := references.unused()):
            yield unused

    @cached_property
    def _references(self) -> References | None:
        return References(self.references) if self.references else None

    def _result(self, references: References, row: object) -> Item:
        image, text = fields(row, *RESULTS)
        return Item(image_id(image), candidate(text, "caption", empty=self.empty), references.of(image_id(image)))

    def _with_references(self, rows: Iterator[Row[object]]) -> Iterator[Row[object]]:
        """The rows, unless the first one shows that none will have references."""
        for number, row in enumerate(rows):
            if number == 0 and isinstance(row.value, dict):
                self._check_results(row.value)
            yield row

    def _check_results(self, names: Collection[str]) -> None:
        """Raises InputError where these fields or columns are those of results, whose references stand elsewhere."""
        if set(RESULTS) <= set(names) and "test" not in names:
            found, expected = Message("found.no_references"), Message("expected.references_file")
            raise InputError(str(self.path), found, expected, remedy="references")

    def _rows(self, path: Readable, layout: tuple[str, ...], key: str | None = None) -> Iterator[Row[object]]:
        suffix = Path(path.name.removesuffix(".gz")).suffix.lower()
        if suffix in _JSON or (suffix not in _DELIMITERS and not self.delimiter):
            return json_rows(path, key if suffix != ".jsonl" else None)
        names, rows = table(path, self.delimiter or _DELIMITERS[suffix])
        return _named(rows, self._chosen(path, names, layout), layout)

    def _chosen(self, path: Readable, names: list[str], layout: tuple[str, ...]) -> list[list[str]]:
        """The columns of each field of the layout; by default a list takes all columns with its prefix ("ref1", "ref2")."""
        several = layout[-1].removesuffix("s") if layout != RESULTS else ""
        chosen, missing = [], {}
        for name in layout:
            many = several and name == layout[-1]
            default = [n for n in names if n.startswith(several)] if many else [name]
            columns = list(self.columns.get(name, default))
            if not columns or set(columns) - set(names) or (len(columns) > 1 and not many):
                missing[f"{name}=NAME{',NAME' if many else ''}"] = ", ".join(columns) or f"{several}1, {several}2 …"
            chosen.append(columns)
        if missing:
            if layout == ITEMS and not self.columns:
                self._check_results(names)
            expected = Message("expected.columns", columns=", ".join(missing.values()), option=" ".join(missing))
            raise RowError(path, Message("where.line", number=1), InputError("", ", ".join(names), expected, remedy="columns"))
        return chosen


def _named(rows: Iterator[Row[object]], chosen: list[list[str]], layout: tuple[str, ...]) -> Iterator[Row[object]]:
    """Rows of a table in the form of JSON rows; ids of digits become numbers, empty references are dropped."""
    (image,), *rest = chosen
    for place, row in rows:
        if isinstance(row, dict):
            values: dict[str, object] = {"image_id": _number(row[image])}
            for name, columns in zip(layout[1:], rest):
                values[name] = [row[c] for c in columns if row[c]] if name in ("refs", "captions") else row[columns[0]]
            row = values
        yield Row(place, row)


def _number(text: str) -> int | str:
    return int(text) if text.isdecimal() and text.isascii() and len(text) < 19 and str(int(text)) == text else text
