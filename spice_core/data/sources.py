"""Sources of items: one file with candidates and references, or results and references in separate files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, islice
from pathlib import Path

from spice_core.data.columns import IMAGE_FILE, ITEMS, REFERENCES, RESULTS, Columns, are_names, captions_of, guess, image_file, known
from spice_core.data.items import Item, candidate, converted, field_named, fields, image_id, item
from spice_core.data.layouts import object_layout, object_rows, packed_table, token_rows
from spice_core.data.reader import Encodings, Readable, Row, RowError, delimiter_of, json_rows, opened, readable, table, unpacked
from spice_core.data.references import References
from spice_core.errors import InputError, Message

_DELIMITERS = {".csv": ",", ".tsv": "\t"}
_JSON, _LINES = (".json", ".jsonl", ".jsonlines", ".ndjson"), (".jsonl", ".jsonlines", ".ndjson")
COLUMNS = (*dict.fromkeys(ITEMS + RESULTS + REFERENCES), IMAGE_FILE)
_SAMPLE, _COMPARED = 20, 1_000  # rows that show what columns hold, and which column two files share
_ANNOTATED = (re.compile(rb'\s*\{\s*"(?:info|images|annotations|licenses)"\s*:\s*[\[{]'), re.compile(rb'"(?:images|annotations)"\s*:\s*\['))
Choice = Mapping[str, Sequence[str]]  # columns by field


@dataclass(frozen=True)
class Preview:
    """The first rows of a file, and the columns that they seem to hold."""

    names: tuple[str, ...]
    rows: tuple[Mapping[str, object], ...]
    columns: Columns


@dataclass(frozen=True)
class Source:
    """The items of ``path``, in JSON, JSON lines or a table (CSV, TSV); gzipped files are unpacked.

    With ``references`` the file holds results, ``[{"image_id": …, "caption": …}, …]``, and that other file the captions
    or scene graphs of each image. ``columns`` gives the columns of tables or fields of rows: ``image_id`` (none: rows are numbered),
    ``test`` and ``refs`` (one or more), or ``image_id`` and ``caption``, with the references' in ``captions``; of the file of
    references ``reference_columns``, where they differ. Iterating gives items and, for what is wrong, InputErrors; an id that
    comes twice is wrong unless ``repeated``, a candidate without text unless ``empty``. No more than the ids stands in memory.
    ``encodings`` names, by file, those that are not UTF-8, as far as files have been read; ``notices`` say how files were understood
    and what was left out. Annotated images without a result are left out, unless ``all_images`` are wanted. Raises InputError
    where a file cannot be read on.
    """

    path: Readable
    references: Readable | None = None
    columns: Choice = field(default_factory=dict)
    delimiter: str | None = None
    repeated: bool = False
    empty: bool = False
    reference_columns: Choice | None = None
    all_images: bool = False
    encodings: Encodings = field(default_factory=dict, init=False, compare=False)
    notices: list[Message] = field(default_factory=list, init=False, compare=False)

    def __post_init__(self) -> None:
        for name in {*self.columns, *(self.reference_columns or ())} - set(COLUMNS):
            raise InputError("columns", name, Message("expected.one_of", names=", ".join(COLUMNS)))
        if self.delimiter is not None and not _separates(self.delimiter):
            raise InputError("delimiter", self.delimiter, Message("expected.separator"))

    def __iter__(self) -> Iterator[Item | InputError]:
        seen: set[int | str] = set()
        self._check_swapped()
        references = self._references
        if references and not references.complete:
            chosen = self.columns if self.reference_columns is None else self.reference_columns
            yield from references.read(self._rows(references.path, REFERENCES, chosen))
        rows = self._rows(self.path, RESULTS if references else ITEMS, self.columns)
        for place, value in converted(rows, self._item):
            if isinstance(value, Item):
                key = str(value.image_id) if references else value.image_id
                if key in seen and not self.repeated:
                    value = InputError(field_named("image_id"), value.image_id, Message("expected.new_id"))
                seen.add(key)
            yield RowError(self.path, place, value) if isinstance(value, InputError) else value
        unused = references.unused() if references else None
        if isinstance(unused, Message):
            if self.all_images:
                unused = InputError(str(references and references.path), unused, Message("expected.result_for_each"))
            elif unused not in self.notices:  # in the second pass
                self.notices.append(unused)
        if isinstance(unused, InputError):
            yield unused

    def preview(self, *, of_references: bool = False) -> Preview | None:
        """The first rows of the file, or of that of the references, if its columns are not the documented ones.

        None also for what has no columns to choose from: results without references, annotations, no readable row, a table
        without names. Raises InputError where the file cannot be read.
        """
        path, layout = self.path, RESULTS if self.references else ITEMS
        if of_references and self.references:
            path, layout = self.references, REFERENCES
        if layout != REFERENCES and _is_annotated(path):
            return None
        names, rows, as_table = self._begun(path, layout)
        some = tuple(row.value for row in _sampled(rows)[0] if isinstance(row.value, dict))
        names = names or [*dict.fromkeys(name for row in some for name in row)]
        documented = known(names, layout, table=as_table) or (layout == ITEMS and _are_results(names))
        asked = some and len(names) > 1 and are_names(names) and not documented
        return Preview((*names,), some, guess(names, some, layout, table=as_table)) if asked else None

    @cached_property
    def _references(self) -> References | None:
        return References(self.references) if self.references else None

    def _item(self, row: object) -> Item:
        """The item of a row. Raises InputError naming the field."""
        if references := self._references:
            image, text = fields(row, *RESULTS)
            made = Item(image_id(image), candidate(text, "caption", empty=self.empty), references.of(image_id(image)))
        else:
            made = item(row, empty=self.empty)
        file = image_file(row) if isinstance(row, dict) else ""
        return replace(made, image_file=file) if file else made

    def _check_swapped(self) -> None:
        """Raises InputError where annotations stand in place of what is scored."""
        if _is_annotated(self.path):
            expected = Message("expected.swapped" if self.references else "expected.results_file")
            raise InputError(str(self.path), Message("found.annotations"), expected, remedy="swapped" if self.references else "results")

    def _begun(self, path: Readable, layout: tuple[str, ...]) -> tuple[list[str], Iterator[Row[object]], bool]:
        """The column names of a table, or none; the rows; and whether it is a table."""
        suffix = Path(path.name.removesuffix(".gz")).suffix.lower()
        if packed := packed_table(path):
            return *packed, True
        if suffix in _JSON or (suffix not in _DELIMITERS and not self.delimiter):
            if layout != ITEMS and suffix not in _LINES and object_layout(path):
                return [], object_rows(path, self.encodings, self.notices), False
            if suffix not in _JSON and (tokens := token_rows(path, self.encodings)):
                return [], tokens, False
            if suffix in _JSON or not _is_table(path):
                return [], json_rows(path, None, self.encodings), False
        delimiter = self.delimiter or delimiter_of(path, _DELIMITERS.get(suffix, ","))
        return *table(path, delimiter, self.encodings), True

    def _rows(self, path: Readable, layout: tuple[str, ...], chosen: Choice) -> Iterator[Row[object]]:
        """The rows of a file in the form of this layout. Raises InputError where it has other columns and none are chosen."""
        names, rows, as_table = self._begun(path, layout)
        if as_table:
            return _named(rows, _columns(path, names, rows, layout, chosen, lambda: self._shared_column), layout, table=True)
        first, rest = _sampled(rows)
        some = [row.value for row in first if isinstance(row.value, dict)]
        names = [*dict.fromkeys(name for row in some for name in row)]
        documented = known(names, layout, table=False)
        if {*layout} & {*chosen} and not (layout == REFERENCES and documented and "captions" not in chosen):
            return _named(chain(first, rest), {name: [*filter(None, columns)] for name, columns in chosen.items()}, layout, table=False)
        if some and not documented:
            if layout == ITEMS and _are_results(some[0]):
                raise _without_references(path)
            found = _identified(guess(names, some, layout, table=False), names, self._shared_column)
            if found.complete(layout) and (found.image_id or not self.references) and (option := found.option(layout)):
                expected = Message("expected.fields", names=", ".join(layout), option=option)
                raise InputError(str(path), ", ".join(names), expected, remedy="columns")
        return chain(first, rest)

    @cached_property
    def _shared_column(self) -> str:
        """The column of both files by whose values results find their references; empty if there is none."""
        if not self.references:
            return ""
        sides = []
        for path, layout in ((self.path, RESULTS), (self.references, REFERENCES)):
            _, rows, _ = replace(self)._begun(path, layout)  # whose notices nobody reads
            values: dict[str, set[str]] = {}
            for row in islice((row.value for row in rows), _COMPARED):
                for name, value in row.items() if isinstance(row, dict) else ():
                    if isinstance(value, str | int):
                        values.setdefault(name, set()).add(str(value))
            sides.append(values)
        shared = {name: len(sides[0][name] & sides[1][name]) for name in sides[0] if name in sides[1]}
        name = max(shared, key=shared.__getitem__, default="")
        return name if shared.get(name, 0) * 2 > len(sides[0].get(name, ())) else ""


def _identified(found: Columns, names: Sequence[str], shared: str) -> Columns:
    """These columns with the id that two files share, where they do."""
    return replace(found, image_id=shared) if shared in names else found


def _columns(
    path: Readable, names: list[str], rows: Iterator[Row[object]], layout: tuple[str, ...], given: Choice, shared: Callable[[], str]
) -> dict[str, list[str]]:
    """The columns of each field of the layout; by default a list takes all columns with its prefix ("ref1", "ref2").

    ``shared`` tells the column that results and references have in common, which is looked for only where columns are missing.

    Raises InputError for missing columns, with those that seem to be meant.
    """
    several = layout[-1].removesuffix("s") if layout != RESULTS else ""
    chosen: dict[str, list[str]] = {name: [*given[name]] for name in given if name == IMAGE_FILE}
    missing = {}
    for name in layout:
        many = several and name == layout[-1]
        default = [n for n in names if n.startswith(several)] if many else [name]
        columns = [*filter(None, given[name])] if name in given else default
        numbered = name == "image_id" and name in given and not columns
        if not numbered and (not columns or set(columns) - set(names) or (len(columns) > 1 and not many)):
            missing[f"{name}=NAME{',NAME' if many else ''}"] = ", ".join(columns) or f"{several}1, {several}2 …"
        chosen[name] = columns
    if missing:
        if layout == ITEMS and not given and _are_results(names):
            raise _without_references(path)
        some = [row.value for row in _sampled(rows)[0] if isinstance(row.value, dict)]
        found = _identified(guess(names, some, layout), names, shared())
        option = found.option(layout, given) if found.complete(layout) and (found.image_id or layout == ITEMS) else ""
        expected = Message("expected.columns", columns=", ".join(missing.values()), option=option or " ".join(missing))
        raise RowError(path, Message("where.line", number=1), InputError("", ", ".join(names), expected, remedy="columns"))
    return chosen


def _named(rows: Iterator[Row[object]], chosen: Choice, layout: tuple[str, ...], *, table: bool) -> Iterator[Row[object]]:
    """Rows with the fields of the layout; a table's ids of digits become numbers, empty references are dropped, rows without an id numbered.

    A list of captions in one cell is read where it has a column of its own.
    """
    for number, (place, row) in enumerate(rows, 1):
        values: object = row
        if isinstance(row, dict):
            values = made = _fields(row, number, chosen, layout)
            if table and isinstance(id := made.get("image_id"), str):
                made["image_id"] = _number(id)
        yield Row(place, values)


def _fields(row: Mapping[str, object], number: int, chosen: Choice, layout: tuple[str, ...]) -> dict[str, object]:
    """The fields of a row, by the columns that were chosen or, where it has none of these, by their usual names."""
    values: dict[str, object] = {} if IMAGE_FILE in chosen else {IMAGE_FILE: image_file(row)}
    for name in (*layout, *({IMAGE_FILE} & {*chosen})):
        wanted = chosen.get(name, [name])
        columns = [column for column in wanted if column in row] or [name for _ in wanted[:1] if name in row]
        if name in ("refs", "captions"):
            values[name] = _captions(row, columns)
        elif columns:
            values[name] = row[columns[0]]
        elif name == "image_id" and not wanted:
            values[name] = number
    return values


def _captions(row: Mapping[str, object], columns: Sequence[str]) -> list[object]:
    """The references of a row: one of each column, or all of a column that stands alone and without a number."""
    cells = [row[column] for column in columns if row[column] not in (None, "")]
    if len(columns) == 1 and not columns[0][-1:].isdigit():
        return [caption for cell in cells for caption in captions_of(cell)]
    return [caption for cell in cells for caption in (captions_of(cell) if isinstance(cell, list) else [cell])]


def _are_results(names: Sequence[str] | Mapping[str, object]) -> bool:
    """Whether these fields or columns are those of results, whose references stand elsewhere."""
    return {*RESULTS} <= {*names} and "test" not in names and not any(name.startswith("ref") for name in names)


def _without_references(path: Readable) -> InputError:
    return InputError(str(path), Message("found.no_references"), Message("expected.references_file"), remedy="references")


def _is_table(path: Readable) -> bool:
    """Whether a file of another name than tables have is one: its first line has several columns, and is no JSON."""
    with opened(path, {}) as file, readable(path):
        line = file.peek().lstrip().split(b"\n", 1)[0].decode("utf-8", "replace")
    return not line.startswith(("[", "{")) and any(each in line for each in ",;\t|")


def _is_annotated(path: Readable) -> bool:
    """Whether a file is an object with lists of images and annotations, as COCO has them."""
    with unpacked(path) as file, readable(path):
        head = file.peek()
    return bool(_ANNOTATED[0].match(head) and _ANNOTATED[1].search(head))


def _sampled(rows: Iterator[Row[object]]) -> tuple[list[Row[object]], Iterator[Row[object]]]:
    """The first rows, and the others, of which the first may raise what ended these."""
    first: list[Row[object]] = []
    try:
        first.extend(islice(rows, _SAMPLE))
    except InputError as error:
        return first, _raising(error)
    return first, rows


def _raising(error: InputError) -> Iterator[Row[object]]:
    raise error
    yield


def _separates(delimiter: object) -> bool:
    """Whether this may stand between columns."""
    return isinstance(delimiter, str) and len(delimiter) == 1 and delimiter not in '"\r\n'


def _number(text: str) -> int | str:
    return int(text) if text.isdecimal() and text.isascii() and len(text) < 19 and str(int(text)) == text else text
