"""Choice of columns (or JSON fields) for each field of a layout: the user's choice or, by default, the columns named like the field."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice

from spice_core.data.columns import IMAGE_FILE_FIELD, ITEM_FIELDS, RESULT_FIELDS, Columns, guess_columns, image_file, read_captions
from spice_core.data.items import check_candidate, check_fields, check_image_id, field_place, read_item
from spice_core.data.json_stream import only_names_message
from spice_core.data.reader import ReadablePath, Row, RowError
from spice_core.data.references import read_references
from spice_core.errors import InputError, Message

_SAMPLE_ROWS = 20  # number of rows for guessing columns
ID_SEPARATOR = "+"  # separates the columns whose values, joined by _, form the image id
_MAX_NAMED_COLUMNS = 3  # maximum number of columns in an error message
ColumnChoice = Mapping[str, Sequence[str]]  # columns by field


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
