"""Result files: written and read row by row, and resumed where a run ended."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from spice_core.data.items import fields, image_id, in_utf8
from spice_core.data.json_stream import decoded
from spice_core.data.reader import RowError, json_rows, readable
from spice_core.errors import InputError
from spice_core.files import check_regular
from spice_core.scene.scores import OVERALL, Score

_COUNTS = ("tp", "fp", "fn")
_MOST = 10**15  # tuples; larger counts are not exact


class Writer:
    """Rows of JSON into a file: one a line, or as one array (the original SPICE's layout).

    The array is closed after an interrupt but not after an error, so that nobody takes it for complete.
    """

    def __init__(self, file: TextIO, *, lines: bool):
        self._file, self._lines, self._first = file, lines, True

    def __enter__(self) -> Writer:
        return self

    def write(self, row: str) -> None:
        """Write one row and flush it, so that a crash loses none."""
        if self._lines:
            self._file.write(row + "\n")
            self._file.flush()
        else:
            self._file.write(("[" if self._first else ", ") + row)
        self._first = False

    def __exit__(self, kind: type[BaseException] | None, *_) -> None:
        if not self._lines and (kind is None or issubclass(kind, KeyboardInterrupt)):
            self._file.write("[]\n" if self._first else "]\n")
        self._file.flush()


def read_results(path: Path) -> Iterator[dict]:
    """Read the rows of a result file (JSON or JSON lines), each with ``image_id`` and ``scores``.

    Raises InputError naming file, row and field.
    """
    for place, row in json_rows(path):
        try:
            if isinstance(row, InputError):
                raise row
            image, _ = fields(row, "image_id", "scores")
            image_id(image)
            for name in scores_of(row):
                in_utf8(name, "field scores")
            if not isinstance(signature := row.get("signature", ""), str):
                raise InputError("field signature", signature, "a text")
            in_utf8(signature, "field signature")
        except InputError as error:
            raise RowError(path, place, error) from None
        yield row


def scores_of(row: dict, key: str = "scores") -> dict[str, Score]:
    """The counts of a result row, by category. Raises InputError naming the field."""
    scores = row.get(key)
    if not isinstance(scores, dict) or OVERALL not in scores:
        raise InputError(f"field {key}", scores, f"counts by category, {OVERALL} among them")
    return {name: _score(counts, name) for name, counts in scores.items()}


def kept(path: Path) -> Iterator[tuple[dict, int]]:
    """The complete rows at the start of a JSON-lines file, each with the byte offset of its end.

    An incomplete last line is ignored. Raises InputError for a broken line before it.
    """
    check_regular(path)
    with readable(path), path.open("rb") as file:
        end = 0
        for number, line in enumerate(iter(file.readline, b""), 1):
            row = decoded(line.decode("utf-8", "replace"))
            if not line.endswith(b"\n") or (not isinstance(row, dict) and not file.peek(1)):
                return
            if not isinstance(row, dict):
                raise InputError(f"{path}, line {number}", line[:20], "a row of results")
            end += len(line)
            yield row, end


def _score(counts: object, name: str) -> Score:
    values = [counts.get(key) for key in _COUNTS] if isinstance(counts, dict) else [None]
    if any(isinstance(v, bool) or not isinstance(v, (int, float)) or not abs(v) <= _MOST for v in values):
        raise InputError(f"field scores.{name}", counts, f"the numbers {', '.join(_COUNTS)}")
    matched, extra, missed = values
    # several candidate tuples may match one reference tuple: then fn is below 0
    if min(matched, extra, matched + missed) < 0:
        raise InputError(f"field scores.{name}", counts, "tp, fp and tp + fn not below 0")
    return Score(matched, round(matched + extra), round(matched + missed), strict=name == OVERALL)
