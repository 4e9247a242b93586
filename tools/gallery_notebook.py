"""Run the gallery notebook and save its outputs: ``python -m tools.gallery_notebook``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

ROOT = Path(__file__).parents[1]
NOTEBOOK = ROOT / "docs" / "gallery.ipynb"
_CELL_TIMEOUT_S = 600  # the first cell loads a parser


def read_notebook() -> Any:
    """Return the stored notebook."""
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


if __name__ == "__main__":
    nbformat.write(run_notebook(), NOTEBOOK)
