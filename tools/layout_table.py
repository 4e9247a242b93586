"""Write the table of layouts in docs/data.md from the cases of the tests, with the lines that the command prints.

python -m tools.layout_table
"""

from __future__ import annotations

import contextlib
import io
import shlex
import tempfile
from collections.abc import Iterator
from pathlib import Path

from spice_core.cli import main
from tests.data.layout_cases import LAYOUTS, NAMED, RESULTS, Layout, files

PAGE = Path(__file__).resolve().parents[1] / "docs" / "data.md"
BEGIN, END = "<!-- layouts: python -m tools.layout_table -->\n", "<!-- end of layouts -->\n"


def page(text: str) -> str:
    """The text of docs/data.md with the table of today."""
    before, _, rest = text.partition(BEGIN)
    return f"{before}{BEGIN}\n{section()}\n{END}{rest.partition(END)[2]}"


def section() -> str:
    """The table of layouts and the example of each."""
    table = ["| layout | what is read |", "|---|---|", *(f"| {layout.name} | {layout.read} |" for layout in LAYOUTS)]
    return "\n".join([*table, "", *(line for layout in LAYOUTS for line in _example(layout))])


def _example(layout: Layout) -> Iterator[str]:
    """The files of a layout, but for the usual results, the command that reads them, and what it prints on standard error."""
    shown = "".join(f"```text\n{content.rstrip()}\n```\n\n" for content in files(layout).values() if content not in (RESULTS, NAMED))
    yield f"**{layout.name}**\n\n{shown.rstrip()}\n"
    printed = "".join(f"\n{line}" for line in run(layout))
    yield f"```text\n$ {command(layout)}{printed}\n```\n"


def command(layout: Layout) -> str:
    """The command line that scores a layout's example."""
    scored, *references = files(layout)
    beside = f" --references {references[0]}" if references else ""
    return f"spice-core score {scored}{beside}{f' {layout.options}' if layout.options else ''}"


def run(layout: Layout) -> list[str]:
    """The lines that the command prints on standard error. Raises SystemExit where it fails."""
    said = io.StringIO()
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for name, content in files(layout).items():
            Path(name).write_text(content, encoding="utf-8")
        with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
            code = main.main(shlex.split(command(layout))[1:])
    if code:
        raise SystemExit(f"{command(layout)}: exit code {code}: {said.getvalue()}")
    return said.getvalue().splitlines()


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
