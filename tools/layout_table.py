"""Write the table of public data sets in docs/data.md from the test cases.

python -m tools.layout_table
"""

from __future__ import annotations

from pathlib import Path

from tests.data.layout_cases import LAYOUTS, Layout, files

PAGE = Path(__file__).resolve().parents[1] / "docs" / "data.md"
BEGIN, END = "<!-- layouts: python -m tools.layout_table -->\n", "<!-- end of layouts -->\n"
_USUAL_RESULTS = "results.json"


def render_page(text: str) -> str:
    """Return the text of docs/data.md with the current table."""
    before, _, rest = text.partition(BEGIN)
    return f"{before}{BEGIN}\n{render_table()}\n\n{END}{rest.partition(END)[2]}"


def render_table() -> str:
    """Return the table of layouts: what is read of each, and the options that read it."""
    rows = (f"| {layout.name} | {layout.read} | `{_arguments(layout).removeprefix(f'{_USUAL_RESULTS} ')}` |" for layout in LAYOUTS)
    return "\n".join(["| layout | what is read | options |", "|---|---|---|", *rows])


def command(layout: Layout) -> str:
    """Return the command line that scores the example of a layout."""
    return f"spice-core score {_arguments(layout)}"


def _arguments(layout: Layout) -> str:
    """Return the file of results, then the options that name the references and their columns."""
    scored, *references = files(layout)
    return " ".join([scored, *(f"--references {file}" for file in references), *filter(None, [layout.options])])


if __name__ == "__main__":
    PAGE.write_text(render_page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
