"""Reader of plain text files that are paired line by line: a file of candidates and one or more files of references."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from spice_core.data.layouts import read_packed_table, token_rows
from spice_core.data.reader import EncodingByFile, ReadablePath, Row, delimiter_of, first_line, open_utf8, suffix_of, text_lines
from spice_core.errors import InputError, Message

_OTHER_SUFFIXES = (".json", ".jsonl", ".jsonlines", ".ndjson", ".csv", ".tsv", ".token")
_SAMPLE_LINES = 20  # lines from which a table is detected
_COLUMN_NAMES = {"image_id", "image", "image_name", "file_name", "caption", "captions", "test", "candidate", "refs"}  # names in a header


def is_plain_text(path: ReadablePath) -> bool:
    """Return whether a file is taken for plain text: not for JSON, a table with a header, or lines ``NAME#0<tab>caption``."""
    if suffix_of(path) in _OTHER_SUFFIXES or read_packed_table(path):
        return False
    line = first_line(path)
    names = {cell.strip().strip('"').lower() for cell in line.split(delimiter_of(path, ","))}
    return not line.lstrip().startswith(("[", "{")) and not names & _COLUMN_NAMES and token_rows(path, {}) is None


def has_regular_columns(path: ReadablePath) -> bool:
    """Return whether the first lines of a file all have the same number of cells, and at least two, as in a table."""
    delimiter = delimiter_of(path, ",")
    counts = {line.count(delimiter) for line in islice(_iterate_lines(path, {}), _SAMPLE_LINES) if line.strip()}
    return len(counts) == 1 and counts != {0}


def line_rows(
    path: ReadablePath, references: Sequence[ReadablePath], encodings: EncodingByFile, notices: list[Message]
) -> Iterator[Row[object]]:
    """Yield a row for each line of ``path``, paired with the same line of each file of references.

    The row has the line number as ``image_id``, the line as ``test``, and the nonempty lines of the other files as
    ``refs``. Raises InputError if the files differ in length or a file of references is not plain text.
    """
    files = [path, *references]
    for file in references:
        if not is_plain_text(file):
            raise InputError(str(file), Message("found.no_plain_text"), Message("expected.plain_text"))
    counts = [sum(1 for _ in _iterate_lines(file, encodings)) for file in files]
    for file, count in zip(references, counts[1:]):
        if count != counts[0]:
            raise InputError(
                str(file), Message("found.lines_of", number=count), Message("expected.lines_of", number=counts[0], file=str(path))
            )
    notice = Message("notice.lines", file=str(path), references=", ".join(map(str, references)), number=counts[0])
    if notice not in notices:
        notices.append(notice)
    for line_number, (test, *captions) in enumerate(zip(*(_iterate_lines(file, encodings) for file in files)), 1):
        refs = [line for line in captions if line.strip()]
        yield Row(Message("where.line", number=line_number), {"image_id": line_number, "test": test, "refs": refs})


def _iterate_lines(file: ReadablePath, encodings: EncodingByFile) -> Iterator[str]:
    """Yield the lines of a file without line breaks."""
    return (line.rstrip("\r\n") for line in text_lines(open_utf8(file, encodings), file))
