"""CSV whose cells no spreadsheet executes as formulas."""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Iterable, Iterator
from types import SimpleNamespace

# A formula starts a cell, or a part of it that another column separator makes a cell. {0} is the mark before it.
_FORMULA = r"(?<![^;\n]){0}(?=(?:'|[^\S\r\n])*+[=+\-@＝＋－＠]\s*+\S)|\A{0}(?='*+[\t\r\n])"
_UNMARKED_FORMULA, _MARKED_FORMULA = (re.compile(_FORMULA.format(mark)) for mark in ("", "'"))


def csv_lines(rows: Iterable[Iterable[object]], *, line_end: str = "\n") -> Iterator[str]:
    """Yield each row as a line of CSV, with an apostrophe before formulas and empty cells for nan."""
    write_row = csv.writer(SimpleNamespace(write=str)).writerow  # With its own line end, the writer quotes both \r and \n.
    for row in rows:
        yield str(write_row(map(_safe_cell, row))).removesuffix("\r\n") + line_end


def restore_cell(cell: str) -> str:
    """Return the original text of a cell from ``csv_lines``.

    >>> "".join(csv_lines([["=1", "a;+1", "a + 1", "'=1"]]))
    "'=1,a;'+1,a + 1,''=1\\n"
    >>> restore_cell("''=1"), restore_cell("a;'+1"), restore_cell("'tis")
    ("'=1", 'a;+1', "'tis")
    """
    return _MARKED_FORMULA.sub("", cell)


def _safe_cell(value: object) -> object:
    if isinstance(value, str):
        return _UNMARKED_FORMULA.sub("'", value)
    return "" if isinstance(value, float) and math.isnan(value) else value
