"""Sources of items to score: one file with candidates and references, separate files of results and references, or references alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import chain, islice
from pathlib import Path

from spice_core.data.chosen_columns import (
    ColumnChoice,
    are_results,
    columns_of_header,
    field_names,
    is_readable,
    missing_references_error,
    named_rows,
    rows_with_fields,
    sample_rows,
    with_chosen_columns,
    with_shared_id_column,
)
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
)
from spice_core.data.items import Item, check_candidate, check_fields, check_image_id, check_reference, convert_rows, field_place, read_item
from spice_core.data.layouts import COLUMNS_BY_TABLE, Reading, is_annotated, reference_rows, sniff
from spice_core.data.plain_lines import has_regular_columns, is_plain_text, line_rows
from spice_core.data.reader import NUMBERED_COLUMN, EncodingByFile, Head, ReadablePath, Row, RowError, Upload, read_each, read_head
from spice_core.data.references import References, group_of
from spice_core.errors import InputError, Message
from spice_core.syntax.clean_text import CleaningCount

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
        are_plain = not has_columns and all(
            is_plain_text(head) and not has_regular_columns(head) for head in map(self._head, (self.path, *files))
        )
        return files if are_plain else ()

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
        if (
            is_readable(sample_rows, choice, layout)
            and (choice.image_id or not self._reference_store)
            and (option := choice.option_value(layout))
        ):
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
        layout = ITEM_FIELDS if self._has_candidates() else REFERENCE_FIELDS
        images: dict[str, list[str]] = {}
        for key, captions, split in read_each(self._rows_of_layout(self.path, layout, self.columns), self.path, _read_captions):
            if not self.split or split == self.split:
                images.setdefault(key, []).extend(captions)
        if not images:
            raise InputError(str(self.path), Message("found.no_row"), Message("expected.captions"))
        return list(images.values())

    def _has_candidates(self) -> bool:
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
