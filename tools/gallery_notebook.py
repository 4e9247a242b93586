"""Runs the gallery notebook and keeps its outputs: ``python -m tools.gallery_notebook``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

ROOT = Path(__file__).parents[1]
NOTEBOOK = ROOT / "docs" / "gallery.ipynb"
_SECONDS = 600  # of one cell; the first loads a parser


def read() -> Any:
    """The notebook as it is stored."""
    return nbformat.read(NOTEBOOK, as_version=4)


def executed() -> Any:
    """The notebook with fresh outputs. Raises CellExecutionError where a cell fails."""
    notebook = read()
    for cell in notebook.cells:
        cell.metadata = {}
    options: dict[str, Any] = {"resources": {"metadata": {"path": str(ROOT)}}, "extra_arguments": ["--HistoryManager.hist_file=:memory:"]}
    NotebookClient(notebook, timeout=_SECONDS, kernel_name="python3", record_timing=False, **options).execute()
    notebook.metadata.pop("widgets", None)
    notebook.metadata["language_info"] = {"name": "python"}
    return notebook


if __name__ == "__main__":
    nbformat.write(executed(), NOTEBOOK)
