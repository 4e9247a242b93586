"""Write the table of public data sets in docs/data.md from the test cases.

python -m tools.layout_table
"""

from __future__ import annotations

from pathlib import Path

from tests.data.layout_cases import LAYOUTS, Layout, example_files

DATA_PAGE = Path(__file__).resolve().parents[1] / "docs" / "data.md"
BEGIN_MARKER, END_MARKER = "<!-- layouts: python -m tools.layout_table -->\n", "<!-- end of layouts -->\n"
_DEFAULT_RESULTS_FILE = "results.json"


def render_page(text: str) -> str:
    text_before, _, text_after = text.partition(BEGIN_MARKER)
    return f"{text_before}{BEGIN_MARKER}\n{render_table()}\n\n{END_MARKER}{text_after.partition(END_MARKER)[2]}"


def render_table() -> str:
    """Return the table of layouts, with the data read from each and the options for reading them."""
    rows = (
        f"| {layout.name} | {layout.description} | `{_file_arguments(layout).removeprefix(f'{_DEFAULT_RESULTS_FILE} ')}` |"
        for layout in LAYOUTS
    )
    return "\n".join(["| layout | what is read | options |", "|---|---|---|", *rows])


def example_command(layout: Layout) -> str:
    """Return the command line that scores the example of a layout."""
    return f"spice-core score {_file_arguments(layout)}"


def _file_arguments(layout: Layout) -> str:
    """Return the file of results, then the options that name the references and their columns."""
    scored, *references = example_files(layout)
    return " ".join([scored, *(f"--references {file}" for file in references), *filter(None, [layout.options])])


if __name__ == "__main__":
    DATA_PAGE.write_text(render_page(DATA_PAGE.read_text(encoding="utf-8")), encoding="utf-8")
