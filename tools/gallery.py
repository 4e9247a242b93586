"""Run the gallery notebook, save its outputs, and draw the pictures of the example gallery: ``python -m tools.gallery``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

from pages.parts.inspect.gallery import PICTURES_FOLDER
from pages.parts.state import examples
from spice_core import Spice
from spice_core.draw.style import DisplayStyle
from spice_core.draw.svg import result_svg
from spice_core.lang import detect_language

ROOT = Path(__file__).parents[1]
NOTEBOOK = ROOT / "docs" / "gallery.ipynb"
_CELL_TIMEOUT_S = 600  # the first cell loads a parser


def read_notebook() -> Any:
    return nbformat.read(NOTEBOOK, as_version=4)


def run_notebook() -> Any:
    """Run the stored notebook. Return it with new outputs. Raises CellExecutionError if a cell fails."""
    notebook = read_notebook()
    for cell in notebook.cells:
        cell.metadata = {}
    options: dict[str, Any] = {"resources": {"metadata": {"path": str(ROOT)}}, "extra_arguments": ["--HistoryManager.hist_file=:memory:"]}
    NotebookClient(
        notebook, timeout=_CELL_TIMEOUT_S, kernel_name="python3", record_timing=False, coalesce_streams=True, **options
    ).execute()
    notebook.metadata.pop("widgets", None)
    notebook.metadata["language_info"] = {"name": "python"}
    return notebook


def render_picture(example_id: str) -> str:
    """Return the union graph of an example as SVG in the colours of the surrounding page."""
    example = examples.examples_by_id()[example_id]
    spice = Spice(detect_language([example["candidate"]]))
    return (
        result_svg(spice.compute(example["candidate"], example["references"]), DisplayStyle("auto"), view="union", name=example_id) + "\n"
    )


if __name__ == "__main__":
    nbformat.write(run_notebook(), NOTEBOOK)
    for name in examples.examples_by_id():
        (PICTURES_FOLDER / f"{name}.svg").write_text(render_picture(name), encoding="utf-8")
