"""Sources of items to score: one file with candidates and references, separate files of results and references, or references alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import chain, islice
from pathlib import Path

from spice_core.data.columns import (
    IMAGE_FILE_FIELD,
    ITEM_FIELDS,
    REFERENCE_FIELDS,
    RESULT_FIELDS,
    Columns,
    are_documented_names,
    are_names,
    caption_columns,
    guess_columns,
    image_file,
    read_captions,
)
from spice_core.data.items import Item, check_candidate, check_fields, check_image_id, check_reference, convert_rows, field_place, read_item
from spice_core.data.json_stream import only_names_message
from spice_core.data.layouts import COLUMNS_BY_TABLE, Reading, are_parallel_lines, is_annotated, line_rows, reference_rows, sniff
from spice_core.data.reader import NUMBERED_COLUMN, EncodingByFile, Head, ReadablePath, Row, RowError, Upload, read_each, read_head
from spice_core.data.references import References, group_of, read_references
from spice_core.errors import InputError, Message
from spice_core.syntax.clean_text import CleaningCount

_SAMPLE_ROWS = 20  # number of rows for guessing columns
ID_SEPARATOR = "+"  # separates the columns whose values, joined by _, form the image id
_MAX_NAMED_COLUMNS = 3  # maximum number of columns in an error message
ColumnChoice = Mapping[str, Sequence[str]]  # columns by field
_CONTENT_BY_LAYOUT = {ITEM_FIELDS: "items", RESULT_FIELDS: "results", REFERENCE_FIELDS: "references"}
COLUMN_FIELDS = (*dict.fromkeys(ITEM_FIELDS + RESULT_FIELDS + REFERENCE_FIELDS), IMAGE_FILE_FIELD)
MAX_IMAGE_GROUPS = 200
_MAX_LANGUAGES = 3  # maximum number of languages of captions that a notice names
_LANGUAGE_FIELDS = ("Language", "language", "lang", "locale")
_COMPARED_ROWS = 1_000  # number of rows of each file in which a shared id column is searched


@dataclass(frozen=True)
class Preview:
    """The first rows of a file, and a guess at the meaning of its columns."""

    names: tuple[str, ...]
    rows: tuple[Mapping[str, object], ...]
    columns: Columns


@dataclass(frozen=True)
class Source:
    """The items of one file, or of a file of results and its references.

    Iterating yields items, and an InputError for each invalid row. Only the ids and the names of groups are held in memory.
    Raises InputError if the rest of a file cannot be read.

    Attributes:
        path: A file of JSON, JSON lines or a table (CSV, TSV, Parquet, Arrow, Excel), which may be compressed. Without
            ``references``, its rows have ``image_id``, ``test`` and ``refs``; otherwise they are results with ``image_id``
            and ``caption``.
        references: A file with the captions or scene graphs of each image, or plain text files that are paired with
            ``path`` line by line.
        columns: The columns of tables or fields of rows, by the documented field, such as ``image_id`` or ``refs``. If
            the list of ``image_id`` is empty, rows are numbered.
        delimiter: The column separator of tables; by default, it is detected.
        allow_repeated: Whether an id may occur several times.
        allow_empty: Whether candidates may be empty.
        reference_columns: The columns of the file of references, if they differ from ``columns``.
        all_images: Whether images with references but without a result are reported as an error.
        split: The split to read; by default, all splits.
        by: A field of images or rows whose value is the ``group`` of an item.
        where: The value that each of these fields must have. Rows with another value are ignored.
        keys: A file with a key for each line of plain text files. Lines with the same key describe one item.
        header: Whether the first row of a table holds column names; by default, this is detected.
        encodings: The encoding of each file read so far that is not in UTF-8.
        notices: How the files were interpreted, and what was excluded.
    """

    path: ReadablePath
    references: ReadablePath | Sequence[ReadablePath] | None = None
    columns: ColumnChoice = field(default_factory=dict)
    delimiter: str | None = None
    allow_repeated: bool = False
    allow_empty: bool = False
    reference_columns: ColumnChoice | None = None
    all_images: bool = False
    split: str = ""
    by: str = ""
    where: Mapping[str, str] = field(default_factory=dict)
    keys: ReadablePath | None = None
    header: bool | None = None
    encodings: EncodingByFile = field(default_factory=dict, init=False, compare=False)
    notices: list[Message] = field(default_factory=list, init=False, compare=False)
    _heads: dict[int, Head] = field(default_factory=dict, init=False, compare=False, repr=False)
    _columns_by_layout: dict[tuple[str, ...], ColumnChoice] = field(default_factory=dict, init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        for name in {*self.columns, *(self.reference_columns or ())} - set(COLUMN_FIELDS):
            raise InputError("columns", name, Message("expected.one_of", names=", ".join(COLUMN_FIELDS)))
        delimiter: object = self.delimiter
        if delimiter is not None and not (isinstance(delimiter, str) and len(delimiter) == 1 and delimiter not in '"\r\n'):
            raise InputError("delimiter", delimiter, Message("expected.separator"))

    def __iter__(self) -> Iterator[Item | InputError]:
        seen: set[str] = set()
        groups: dict[str, None] = {}
        cleaning_count = CleaningCount()
        if is_annotated(self._head(self.path)):  # the results are annotations
            expected = Message("expected.swapped" if self._reference_files else "expected.results_file")
            remedy = "swapped" if self._reference_files else "results"
            raise InputError(str(self.path), Message("found.annotations"), expected, remedy=remedy)
        references = self._reference_store
        if references and not references.is_complete:
            column_choice = self.columns if self.reference_columns is None else self.reference_columns
            for place, error in references.read(self._rows_of_layout(references.path, REFERENCE_FIELDS, column_choice), cleaning_count):
                yield self._row_error(references.path, place, error, REFERENCE_FIELDS)
        for place, value in convert_rows(self._scored_rows(), partial(self._read_item, cleaning_count=cleaning_count)):
            if isinstance(value, Item):
                key = str(value.image_id)
                if key in seen and not self.allow_repeated:
                    value = InputError(field_place("image_id"), value.image_id, Message("expected.new_id"))
                seen.add(key)
            if isinstance(value, Item) and self.by:
                groups[value.group] = None
                if len(groups) > MAX_IMAGE_GROUPS:
                    raise InputError("--by", self.by, Message("expected.groups", number=MAX_IMAGE_GROUPS))
            yield self._row_error(self.path, place, value, self._scored_layout) if isinstance(value, InputError) else value
        if groups.keys() == {""}:
            raise InputError("--by", self.by, Message("expected.field_of_images"))
        yield from self._final_notices(references, cleaning_count)

    def _row_error(self, path: ReadablePath, place: str, error: InputError, layout: tuple[str, ...]) -> RowError:
        """Return the error of a row with the file's own column names."""
        return RowError(path, place, with_chosen_columns(error, self._columns_by_layout.get(layout, {})))

    def _final_notices(self, references: References | None, cleaning_count: CleaningCount) -> Iterator[InputError]:
        """Add the notices about the files. Yield an error if no result has references or, with ``all_images``, if an image has
        no result."""
        unused_note = references.find_unused_images() if references else None
        notices: list[Message | None] = [references.layout_notice() if references else None, *cleaning_count.notices()]
        if isinstance(unused_note, Message) and self.all_images:
            unused_note = InputError(str(references and references.path), unused_note, Message("expected.result_for_each"))
        if isinstance(unused_note, InputError):
            yield unused_note
        else:
            notices.append(unused_note)
        self.notices.extend(notice for notice in notices if notice and notice not in self.notices)  # report each notice once

    def preview(self, *, of_references: bool = False) -> Preview | None:
        """Return the first rows of the file or its references, for a choice of columns.

        Return None if the columns have the documented names, or if there is nothing to choose: for annotations, plain text,
        results without references, files without a readable row, and tables with a single column or without column names.
        Raises InputError if the file cannot be read.
        """
        if self._line_files:
            return None
        if of_references and self._reference_store:
            return self._preview_of(self._reference_store.path, REFERENCE_FIELDS)
        return None if is_annotated(self._head(self.path)) else self._preview_of(self.path, self._scored_layout)

    def _preview_of(self, path: ReadablePath, layout: tuple[str, ...]) -> Preview | None:
        names, rows, as_table = self._open_rows(path, layout, self.notices)
        if as_table and names[0] == f"{NUMBERED_COLUMN}1":  # without column names
            return None
        some = rows_with_fields(sample_rows(rows)[0])
        names = names or field_names(some)
        if not some or len(names) < 2 or not are_names(names):
            return None
        are_documented = are_documented_names(names, layout, table=as_table) or (layout == ITEM_FIELDS and are_results(names))
        return None if are_documented else Preview((*names,), (*some,), guess_columns(names, some, layout, table=as_table))

    @cached_property
    def _reference_store(self) -> References | None:
        files = self._reference_files
        return References(files[0], self.split, self.by) if files and not self._line_files else None

    @property
    def _reference_files(self) -> Sequence[ReadablePath]:
        if self.references is None:
            return ()
        return (self.references,) if isinstance(self.references, Path | Upload) else self.references

    @cached_property
    def _line_files(self) -> Sequence[ReadablePath]:
        """The reference files that are paired with ``path`` line by line: several files, or one if both files are plain text."""
        files = self._reference_files
        if len(files) > 1 or self.keys:
            return files
        has_columns = self.columns or self.delimiter or self.split or self.by or self.where or self.header is False
        return files if not has_columns and all(map(are_parallel_lines, map(self._head, (self.path, *files)))) else ()

    @property
    def _scored_layout(self) -> tuple[str, ...]:
        return RESULT_FIELDS if self._reference_store else ITEM_FIELDS

    def _scored_rows(self) -> Iterator[Row[object]]:
        """Return the rows to score, without rows of other splits."""
        if self._line_files:
            rows = line_rows([*map(self._head, (self.path, *self._line_files))], self.encodings, self.notices, self.keys)
        else:
            rows = self._rows_of_layout(self.path, self._scored_layout, self.columns)
        return self._rows_of_split(rows) if self.split else rows

    def _rows_of_split(self, rows: Iterator[Row[object]]) -> Iterator[Row[object]]:
        """Yield the rows of the chosen split, which the reference file states or, without one, the field ``split``."""
        excluded_count, splits = 0, dict[str, None]()
        for row in rows:
            value = row.value if isinstance(row.value, dict) else {}
            row_split = str(value.get("split", ""))
            splits[row_split] = None
            if self._reference_store.is_in_other_split(value.get("image_id")) if self._reference_store else row_split != self.split:
                excluded_count += 1
            else:
                yield row
        if not self._reference_store and self.split not in splits:
            names = ", ".join(filter(None, splits)) or "–"
            raise InputError("--split", self.split, Message("expected.split_of", names=names, file=str(self.path)))
        notice = Message("notice.other_split", file=str(self.path), number=excluded_count, split=self.split)
        if excluded_count and notice not in self.notices:
            self.notices.append(notice)

    def _read_item(self, row: object, cleaning_count: CleaningCount) -> Item:
        """Convert a row to an item. Raises InputError naming the field."""
        references = self._reference_store
        with cleaning_count.counting():
            if references:
                image, text = check_fields(row, *RESULT_FIELDS)
                id, caption = check_image_id(image), check_candidate(text, "caption", allow_empty=self.allow_empty)
                item = Item(id, caption, references.image_references(id))
            else:
                item = read_item(row, allow_empty=self.allow_empty)
        values = row if isinstance(row, dict) else {}
        group = group_of(values, self.by) or (references.group(item.image_id) if references and self.by else "")
        file = image_file(values)
        return replace(item, image_file=file, group=group) if file or group else item

    def _head(self, path: ReadablePath) -> Head:
        """Return the beginning of a file, which is read once."""
        if id(path) not in self._heads:
            self._heads[id(path)] = read_head(path)
        return self._heads[id(path)]

    def _open_rows(
        self, path: ReadablePath, layout: tuple[str, ...], notices: list[Message]
    ) -> tuple[list[str], Iterator[Row[object]], bool]:
        """Open a file. Return its column names (none if it is not a table), its rows, and whether it is a table."""
        head, is_reference_file = self._head(path), layout == REFERENCE_FIELDS
        add_image = self._reference_store.add_image if self._reference_store and is_reference_file else None
        reading = Reading(self.delimiter or "", self.encodings, notices, add_image, self.header)
        names, rows = sniff(head, _CONTENT_BY_LAYOUT[layout], reading.delimiter).open(head, reading)
        return names, reference_rows(rows, path, notices) if is_reference_file and not names else rows, bool(names)

    def _rows_of_layout(self, path: ReadablePath, layout: tuple[str, ...], column_choice: ColumnChoice) -> Iterator[Row[object]]:
        """Return the rows of a file in this layout. Raises InputError if columns must be chosen, or chosen columns are missing."""
        names, rows, as_table = self._open_rows(path, layout, self.notices)
        rows = self._chosen_rows(rows, path)
        extra_columns = ("split", self.by) if self.by else ("split",)
        if as_table:
            columns = self._public_columns(path, names, layout, column_choice)
            if names[0] == f"{NUMBERED_COLUMN}1" and not column_choice:
                sample, rows = sample_rows(rows)
                columns, rows = self._columns_without_header(path, names, rows_with_fields(sample), layout), chain(sample, rows)
            columns = columns or columns_of_header(path, names, layout, rows, column_choice, lambda: self._shared_column(layout))
            self._columns_by_layout[layout] = columns
            return named_rows(rows, columns, layout, extra_columns, table=True)
        sample, other_rows = sample_rows(rows)
        columns = self._columns_by_layout[layout] = self._chosen_fields(path, rows_with_fields(sample), layout, column_choice)
        return named_rows(chain(sample, other_rows), columns, layout, extra_columns, table=False) if columns else chain(sample, other_rows)

    def _chosen_rows(self, rows: Iterator[Row[object]], path: ReadablePath) -> Iterator[Row[object]]:
        """Yield the rows that match ``where``. Adds a notice about excluded rows, or about captions in several languages."""
        excluded_count, languages = 0, dict[tuple[str, str], None]()
        for row in rows:
            value = row.value if isinstance(row.value, dict) else {}
            if any(str(value[name]) != chosen for name, chosen in self.where.items() if name in value):
                excluded_count += 1
                continue
            if len(languages) < _MAX_LANGUAGES:
                languages |= {(name, value[name]): None for name in _LANGUAGE_FIELDS if isinstance(value.get(name), str)}
            yield row
        notices = [Message("notice.other_values", file=str(path), number=excluded_count)] if excluded_count else []
        if len(languages) > 1:
            (name, first), *_ = languages
            values = ", ".join(language for _, language in languages)
            notices.append(Message("notice.languages", file=str(path), name=name, values=values, first=first))
        self.notices.extend(notice for notice in notices if notice not in self.notices)

    def _chosen_fields(
        self, path: ReadablePath, sample_rows: Sequence[Mapping[str, object]], layout: tuple[str, ...], column_choice: ColumnChoice
    ) -> ColumnChoice:
        """Return the chosen columns by field of the layout, or an empty choice if no field needs renaming.

        Raises InputError if no fields are chosen, and the rows are results without references or have suitable fields under other names.
        """
        names = field_names(sample_rows)
        if public_choice := self._public_columns(path, names, layout, column_choice):
            return public_choice
        are_documented = are_documented_names(names, layout, table=False)
        if {*layout} & {*column_choice} and not (layout == REFERENCE_FIELDS and are_documented and "captions" not in column_choice):
            return {name: [*filter(None, fields)] for name, fields in column_choice.items()}
        if not sample_rows or are_documented:
            return {}
        if layout == ITEM_FIELDS and are_results(sample_rows[0]):
            raise missing_references_error(path)
        choice = with_shared_id_column(guess_columns(names, sample_rows, layout, table=False), names, self._shared_column(layout))
        is_usable = is_readable(sample_rows, choice, layout) and (choice.image_id or not self._reference_store)
        if is_usable and (option := choice.option_value(layout)):
            expected = Message("expected.fields", names=", ".join(layout), option=option)
            raise InputError(str(path), ", ".join(names), expected, remedy="columns")
        return {}

    def _columns_without_header(
        self, path: ReadablePath, names: Sequence[str], rows: Sequence[Mapping[str, object]], layout: tuple[str, ...]
    ) -> ColumnChoice:
        """Return the columns of a table without column names, with a notice, or an empty choice if a field has no column."""
        columns = caption_columns(names, rows, layout)
        if not all(columns.values()):
            return {}
        column_text = " ".join(f"{name}={','.join(columns[name])}" for name in layout)
        notice = Message("notice.no_header", file=str(path), columns=column_text)
        self.notices.extend([notice] if notice not in self.notices else [])
        return columns

    def _public_columns(
        self, path: ReadablePath, names: Sequence[str], layout: tuple[str, ...], column_choice: ColumnChoice
    ) -> ColumnChoice:
        """Return the columns of a public set of references, with a notice.

        Return an empty choice for other files, and if the user chose columns or must choose the columns of the results.
        """
        header = "" if column_choice or layout != REFERENCE_FIELDS else " ".join(names)
        if header not in COLUMNS_BY_TABLE or not self._has_documented_fields:
            return {}
        columns = {name: fields.split() for name, fields in COLUMNS_BY_TABLE[header].items()}
        column_text = " ".join(f"{name}={','.join(columns[name])}" for name in layout)
        self.notices.append(Message("notice.columns", file=str(path), columns=column_text))
        return columns

    @cached_property
    def _has_documented_fields(self) -> bool:
        """Whether the results have the documented fields, so that no columns need to be chosen."""
        names, rows, as_table = self._open_rows(self.path, RESULT_FIELDS, [])
        return are_documented_names(
            names if as_table else field_names(rows_with_fields(sample_rows(rows)[0])), RESULT_FIELDS, table=as_table
        )

    def _shared_column(self, layout: tuple[str, ...]) -> str:
        """Return the column that links results to references in this layout, or ""."""
        return self._shared_columns[layout == REFERENCE_FIELDS] if self._reference_store else ""

    @cached_property
    def _shared_columns(self) -> tuple[str, str]:
        """The columns of results and references that share the most values, preferably with the same name."""
        assert self._reference_store
        value_sets = []
        for path, layout in ((self.path, RESULT_FIELDS), (self._reference_store.path, REFERENCE_FIELDS)):
            _, rows, _ = self._open_rows(path, layout, [])
            values: dict[str, set[str]] = {}
            for row in islice((row.value for row in rows), _COMPARED_ROWS):
                for name, value in row.items() if isinstance(row, dict) else ():
                    if isinstance(value, str | int):
                        values.setdefault(name, set()).add(str(value))
            value_sets.append(values)
        results, references = value_sets
        counts = {
            (name, other): (len(values & references[other]), name == other)
            for name, values in results.items()
            for other in references
            if name == "image_id" or "image_id" not in results
        }
        pair = max(counts, key=counts.__getitem__, default=("", ""))
        return pair if pair in counts and counts[pair][0] * 2 > len(results[pair[0]]) else ("", "")

    def description(self, file: str) -> Message | None:
        """Return a notice about the columns or fields of this file, or None."""
        store = self._reference_store
        is_reference_file = bool(store and str(store.path) == file)
        path, layout = (store.path, REFERENCE_FIELDS) if store and is_reference_file else (self.path, self._scored_layout)
        try:
            names, rows, as_table = self._open_rows(path, layout, [])
            fields = rows_with_fields(sample_rows(rows)[0])
        except InputError:
            return None
        if fields and (kind := fields[0].get("layout")):
            return Message("notice.read_as", file=file, layout=kind)
        names = names or field_names(fields)
        return Message("notice.table" if as_table else "notice.objects", file=file, names=", ".join(names)) if names else None


class ReferenceCorpus(Source):
    """The references in a file ``path``: a file of references in any layout, or a file with candidates and ``refs``."""

    _has_documented_fields = True  # there are no results, so the user need not choose their columns

    def captions(self) -> list[list[str]]:
        """Return the list of captions of each image. Raises InputError if a row has no captions, or if there is no row."""
        layout = ITEM_FIELDS if self._has_reference_fields() else REFERENCE_FIELDS
        images: dict[str, list[str]] = {}
        for key, captions, split in read_each(self._rows_of_layout(self.path, layout, self.columns), self.path, _read_captions):
            if not self.split or split == self.split:
                images.setdefault(key, []).extend(captions)
        if not images:
            raise InputError(str(self.path), Message("found.no_row"), Message("expected.captions"))
        return list(images.values())

    def _has_reference_fields(self) -> bool:
        names, rows, _ = self._open_rows(self.path, ITEM_FIELDS, [])
        first_row = next(rows, None)
        fields = first_row.value if first_row and isinstance(first_row.value, dict) else {}
        return "refs" in names or "ref1" in names or "refs" in fields


def _read_captions(row: object) -> tuple[str, list[str], object]:
    """Return id, captions and split of a row. Raises InputError for scene graphs, which have no n-grams."""
    kind = next((name for name in ("refs", "captions") if isinstance(row, dict) and name in row), "caption")
    image, value = check_fields(row, "image_id", kind)
    values = value if isinstance(value, list) else [value]
    if not values:
        raise InputError(field_place(kind), value, Message("expected.captions"))
    captions = [_check_caption(caption, f"{kind}[{i}]") for i, caption in enumerate(values)]
    return str(check_image_id(image)), captions, row.get("split") if isinstance(row, dict) else None


def _check_caption(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise InputError(name, value, Message("expected.caption"))
    return str(check_reference(value, name))


def columns_of_header(
    path: ReadablePath, names: Sequence[str], layout: tuple[str, ...], rows: Iterator[Row[object]], given_columns: ColumnChoice,
    shared_column: Callable[[], str],
) -> ColumnChoice:  # fmt: skip
    """Return the columns of a table for each field of the layout. By default, a list takes all columns with its prefix ("ref1", "ref2").

    The last field of each layout is a list, except in the layout of results. Only ``image_id`` may be given without columns; rows are
    then numbered. Raises InputError if columns are missing. The error suggests columns or asks for a file of references. The suggested
    id column is the one that ``shared_column`` returns, if the table has this column.
    """
    list_name = "" if layout == RESULT_FIELDS else layout[-1]
    prefix, missing_names = list_name.removesuffix("s"), []
    column_choice = {name: [n for n in names if n.startswith(prefix)] if name == list_name else [name] for name in layout}
    column_choice |= {name: [*filter(None, given_columns[name])] for name in layout if name in given_columns}
    for name, columns in column_choice.items():
        is_numbered = not columns and name == "image_id" and name in given_columns
        parts = {part for column in columns for part in ([column] if column in names else column.split(ID_SEPARATOR))}
        if not (is_numbered or (parts <= {*names} and (len(columns) == 1 or (columns and name == list_name)))):
            missing_names.append(name)
    if not missing_names:
        return column_choice | {name: [*given_columns[name]] for name in given_columns if name == IMAGE_FILE_FIELD}
    if layout == ITEM_FIELDS and not given_columns and are_results(names):
        raise missing_references_error(path)
    sample = rows_with_fields(sample_rows(rows)[0])
    guess = with_shared_id_column(guess_columns(names, sample, layout), names, shared_column())
    is_usable = is_readable(sample, guess, layout) and (guess.image_id or layout == ITEM_FIELDS)
    missing_options = " ".join(f"{name}=NAME{',NAME' if name == list_name else ''}" for name in missing_names)
    column_text = ", ".join(", ".join(column_choice[name]) or f"{prefix}1, {prefix}2 …" for name in missing_names)
    option = (guess.option_value(layout, given_columns) if is_usable else "") or missing_options
    expected = Message("expected.columns", columns=column_text, option=option)
    raise RowError(path, Message("where.line", number=1), InputError("", ", ".join(names), expected, remedy="columns"))


def is_readable(rows: Sequence[Mapping[str, object]], columns: Columns, layout: tuple[str, ...]) -> bool:
    """Return whether most of these rows can be read with these columns."""
    good_count = 0
    for _, row in named_rows((Row("", row) for row in rows), columns.by_field(layout), layout, (), table=True):
        with suppress(InputError):
            if layout == ITEM_FIELDS:
                read_item(row, allow_empty=True)
            elif layout == RESULT_FIELDS:
                image, caption = check_fields(row, *RESULT_FIELDS)
                check_image_id(image), check_candidate(caption, "caption", allow_empty=True)
            else:
                read_references(row)
            good_count += 1
    return columns.is_complete(layout) and (good_count * 2 > len(rows) or not rows)


def with_shared_id_column(columns: Columns, names: Sequence[str], shared_column: str) -> Columns:
    """Return the columns with ``shared_column`` as the id column if it is one of the ``names``."""
    return replace(columns, image_id=shared_column) if shared_column in names else columns


def named_rows(
    rows: Iterator[Row[object]], column_choice: ColumnChoice, layout: tuple[str, ...], extra_columns: Sequence[str], *, table: bool
) -> Iterator[Row[object]]:
    """Yield rows with the fields of the layout, the image file and the ``extra_columns``.

    In tables, ids such as "42" (but not "042") become numbers. Empty references are dropped, and rows are numbered if
    ``image_id`` has no column. A list of captions that is written as text is split if it is in the only column of its field.
    """
    for row_number, (place, row) in enumerate(rows, 1):
        values: object = row
        if isinstance(row, dict):
            values = fields = {
                **{name: row[name] for name in extra_columns if name in row},
                **_chosen_fields(row, row_number, column_choice, layout),
            }
            id = fields.get("image_id")
            if missing_name := next((name for name in layout if name not in fields), ""):
                values = InputError(field_place(missing_name), only_names_message(row), Message("expected.field", name=missing_name))
            if table and isinstance(id, str) and id.isdecimal() and id.isascii() and len(id) < 19 and str(int(id)) == id:
                fields["image_id"] = int(id)
        yield Row(place, values)


def with_chosen_columns(error: InputError, column_choice: ColumnChoice) -> InputError:
    """Return the error with the names of the chosen columns instead of the layout's fields."""

    def rename(text: str) -> str:
        if not isinstance(text, Message) or text.key not in ("where.field", "expected.field"):
            return text
        field, bracket, index = str(text.values["name"]).partition("[")
        columns = column_choice.get(field) or [field]
        shown_columns = [*columns[:_MAX_NAMED_COLUMNS], *["…"][: len(columns) - _MAX_NAMED_COLUMNS]]
        return Message(text.key, name=columns[0] + bracket + index if len(columns) == 1 else ", ".join(shown_columns))

    if not column_choice:
        return error
    return InputError(rename(error.where), error.found, rename(error.expected), remedy=error.remedy)


def _chosen_fields(row: Mapping[str, object], row_number: int, column_choice: ColumnChoice, layout: tuple[str, ...]) -> dict[str, object]:
    """Return the fields of a row from the chosen columns, or from the documented names if the row lacks these columns."""
    values: dict[str, object] = {} if IMAGE_FILE_FIELD in column_choice else {IMAGE_FILE_FIELD: image_file(row)}
    if "other_ids" in column_choice:
        values["other_ids"] = [row[column] for column in column_choice["other_ids"]]
    for name in (*layout, *({IMAGE_FILE_FIELD} & {*column_choice})):
        column_names = column_choice.get(name, [name])
        columns = [column for column in column_names if column in row] or [name for _ in column_names[:1] if name in row]
        if name in ("refs", "captions"):
            cells = [row[column] for column in columns if row[column] not in (None, "")]
            has_lists = len(columns) == 1 and not columns[0][-1:].isdigit()  # only such a column's texts are split into captions
            values[name] = [c for cell in cells for c in (read_captions(cell) if has_lists or isinstance(cell, list) else [cell])]
        elif columns:
            values[name] = row[columns[0]]
        elif name == "image_id" and column_names and all(part in row for part in column_names[0].split(ID_SEPARATOR)):
            values[name] = "_".join(str(row[part]) for part in column_names[0].split(ID_SEPARATOR))
        elif name == "image_id" and not column_names:
            values[name] = row_number
    return values


def are_results(names: Sequence[str] | Mapping[str, object]) -> bool:
    """Return whether these are the fields or columns of results with references in another file."""
    return {*RESULT_FIELDS} <= {*names} and "test" not in names and not any(name.startswith("ref") for name in names)


def missing_references_error(path: ReadablePath) -> InputError:
    return InputError(str(path), Message("found.no_references"), Message("expected.references_file"), remedy="references")


def rows_with_fields(rows: Iterable[Row[object]]) -> list[Mapping[str, object]]:
    """Return the values of the rows that are JSON objects or rows of a table."""
    return [row.value for row in rows if isinstance(row.value, dict)]


def field_names(rows: Iterable[Mapping[str, object]]) -> list[str]:
    """Return the names of all fields of these rows, each once."""
    return [*dict.fromkeys(name for row in rows for name in row)]


def sample_rows(rows: Iterator[Row[object]]) -> tuple[list[Row[object]], Iterator[Row[object]]]:
    """Return the first rows, and an iterator over the rest. The iterator raises any error of reading the first rows."""
    sample: list[Row[object]] = []
    try:
        sample.extend(islice(rows, _SAMPLE_ROWS))
    except InputError as error:
        return sample, _raise_error(error)
    return sample, rows


def _raise_error(error: InputError) -> Iterator[Row[object]]:
    raise error
    yield
