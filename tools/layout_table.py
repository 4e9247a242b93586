"""Write the table of layouts in docs/data.md from the test cases, with the output of the command.

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


def render_page(text: str) -> str:
    """Return the text of docs/data.md with the current table."""
    before, _, rest = text.partition(BEGIN)
    return f"{before}{BEGIN}\n{render_section()}\n{END}{rest.partition(END)[2]}"


def render_section() -> str:
    """Return the table of layouts and their examples."""
    table = ["| layout | what is read |", "|---|---|", *(f"| {layout.name} | {layout.read} |" for layout in LAYOUTS)]
    return "\n".join([*table, "", *(line for layout in LAYOUTS for line in _example(layout))])


def _example(layout: Layout) -> Iterator[str]:
    """Yield the files of a layout except the common result files, the command that reads them, and its standard error."""
    shown = "".join(f"```text\n{content.rstrip()}\n```\n\n" for content in files(layout).values() if content not in (RESULTS, NAMED))
    yield f"**{layout.name}**\n\n{shown.rstrip()}\n"
    printed = "".join(f"\n{line}" for line in run(layout))
    yield f"```text\n$ {command(layout)}{printed}\n```\n"


def command(layout: Layout) -> str:
    """Return the command line that scores the example of a layout."""
    scored, *references = files(layout)
    option = f" --references {references[0]}" if references else ""
    return f"spice-core score {scored}{option}{f' {layout.options}' if layout.options else ''}"


def run(layout: Layout) -> list[str]:
    """Return the lines on standard error of the command. Raises SystemExit if it fails."""
    stderr = io.StringIO()
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for name, content in files(layout).items():
            Path(name).write_text(content, encoding="utf-8")
        with contextlib.redirect_stderr(stderr), contextlib.redirect_stdout(io.StringIO()):
            code = main.main(shlex.split(command(layout))[1:])
    if code:
        raise SystemExit(f"{command(layout)}: exit code {code}: {stderr.getvalue()}")
    return stderr.getvalue().splitlines()


if __name__ == "__main__":
    PAGE.write_text(render_page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
