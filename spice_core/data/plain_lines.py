"""Reader of plain text files that are paired line by line: a file of candidates and one or more files of references."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from spice_core.data.layouts import JSON_SUFFIXES, added_layouts, has_tokens
from spice_core.data.packed_tables import is_packed
from spice_core.data.reader import DELIMITER_BY_SUFFIX, EncodingByFile, Head, ReadablePath, Row, open_utf8, text_lines
from spice_core.errors import InputError, Message

_OTHER_SUFFIXES = (*JSON_SUFFIXES, *DELIMITER_BY_SUFFIX, ".token")
_SAMPLE_LINES = 20  # number of lines for detecting a table
_COLUMN_NAMES = {"image_id", "image", "image_name", "file_name", "caption", "captions", "test", "candidate", "refs"}  # names in a header


def is_plain_text(head: Head) -> bool:
    """Return whether a file is taken for plain text: not for JSON, a table with a header, or lines ``NAME#0<tab>caption``."""
    if head.suffix in _OTHER_SUFFIXES or is_packed(head) or any(layout.matches(head) for layout in added_layouts()):
        return False
    names = {cell.strip().strip('"').lower() for cell in head.first_line.split(head.delimiter())}
    return not head.first_line.lstrip().startswith(("[", "{")) and not names & _COLUMN_NAMES and not has_tokens(head)


def has_regular_columns(head: Head) -> bool:
    """Return whether the first lines of a file all have the same number of cells, and at least two, as in a table."""
    counts = {line.count(head.delimiter()) for line in head.text.splitlines()[:_SAMPLE_LINES] if line.strip()}
    return len(counts) == 1 and counts != {0}


def line_rows(
    heads: Sequence[Head], encodings: EncodingByFile, notices: list[Message], keys: ReadablePath | None = None
) -> Iterator[Row[object]]:
    """Yield a row for each line of the first file, with the same line of each other file as a reference.

    The row has the line number as ``image_id``, the line as ``test``, and the nonempty lines of the other files as
    ``refs``. With ``keys``, there is a row for each distinct line of that file, whose references are those of all such lines.
    Raises InputError if the files differ in length or a file of references is not plain text.
    """
    path, *references = files = [head.path for head in heads]
    for head in heads[1:]:
        if not is_plain_text(head):
            raise InputError(str(head.path), Message("found.no_plain_text"), Message("expected.plain_text"))
    files += [keys] if keys else []
    counts = [sum(1 for _ in _iterate_lines(file, encodings)) for file in files]
    for file, count in zip(files[1:], counts[1:]):
        if count != counts[0]:
            raise InputError(
                str(file), Message("found.lines_of", number=count), Message("expected.lines_of", number=counts[0], file=str(path))
            )
    notice = Message("notice.lines", file=str(path), references=", ".join(map(str, references)), number=counts[0])
    if notice not in notices:
        notices.append(notice)
    rows: dict[object, Row[Any]] = {}
    for line_number, (test, *captions) in enumerate(zip(*(_iterate_lines(file, encodings) for file in files)), 1):
        key = captions.pop().strip() if keys else line_number
        refs = [line for line in captions if line.strip()]
        row = Row(Message("where.line", number=line_number), {"image_id": key, "test": test, "refs": refs})
        if not keys:
            yield row
        elif (first := rows.setdefault(key, row)) is not row:
            first.value["refs"].extend(refs)
            if first.value["test"] != test:
                yield Row(row.place, InputError("", test, Message("expected.same_candidate", name=key)))
    yield from rows.values()


def _iterate_lines(file: ReadablePath, encodings: EncodingByFile) -> Iterator[str]:
    return (line.rstrip("\r\n") for line in text_lines(open_utf8(file, encodings), file))
