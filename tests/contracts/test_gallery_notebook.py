"""The gallery notebook runs, and the outputs that are stored have the figures that it gives."""

from __future__ import annotations

import html
import re

import pytest

FIGURE = re.compile(r"(?<![\w.-])\d+(?:\.\d+)?(?![\w-])")


@pytest.fixture(scope="module")
def notebooks():
    """The notebook as it is stored, and after a run."""
    from tools import gallery_notebook

    return gallery_notebook.read(), gallery_notebook.executed()


def said(output) -> str:
    """What a reader sees of an output."""
    found = output.get("data", {})
    text = found.get("text/html") or found.get("text/plain") or output.get("text", "")
    text = re.sub(r"<style.*?</style>|<pre.*?</pre>|<desc.*?</desc>", "", text, flags=re.S)
    return re.sub(r"spice\|\S+", "", html.unescape(re.sub(r"<[^>]*>", " ", text)))


def code(notebook) -> list:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


@pytest.mark.parser
def test_the_notebook_runs_and_its_figures_are_current(notebooks):
    stored, fresh = map(code, notebooks)
    assert len(stored) == len(fresh) > 8
    for old, new in zip(stored, fresh):
        assert not [output for output in new.outputs if output.output_type == "error" or output.get("name") == "stderr"], new.source
        (before, now) = (" ".join(map(said, cell.outputs)) for cell in (old, new))
        assert [float(x) for x in FIGURE.findall(before)] == pytest.approx([float(x) for x in FIGURE.findall(now)], abs=0.0015), (
            f"run python -m tools.gallery_notebook; other figures of: {new.source}"
        )
    assert sum(len(FIGURE.findall(said(output))) for cell in stored for output in cell.outputs) > 100


@pytest.mark.parser
def test_what_is_stored_is_small_and_names_no_machine(notebooks):
    stored, _ = notebooks
    for cell in code(stored):
        for output in cell.outputs:
            assert len(str(output)) < 150_000
    assert not re.search(r"/home/|/tmp/|/work/|Traceback", str(stored)) and not any(cell.metadata for cell in stored.cells)
    assert len([1 for cell in code(stored) for o in cell.outputs if "spice-core-text" in o.get("data", {}).get("text/html", "")]) == 3
