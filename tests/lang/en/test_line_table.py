"""A table of lines says what a list of strings says."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from spice_core.lang.en.line_table import LineTable

LINES = st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n")), min_size=1)


@given(LINES, st.slices(8))
def test_lines_are_read_by_number(lines: list[str], part: slice):
    table = LineTable("\n".join(lines).encode())
    assert list(table) == lines and len(table) == len(lines) and table[-1] == lines[-1]
    assert table[part] == lines[part]


@given(LINES, st.text())
def test_a_line_of_a_sorted_table_is_found_by_what_it_says(lines: list[str], other: str):
    lines = sorted(set(lines))
    table = LineTable("\n".join(lines).encode())
    assert [table.find(line) for line in lines] == list(range(len(lines)))
    assert table.find(other) == (lines.index(other) if other in lines else None)
