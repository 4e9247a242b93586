"""The gallery notebook runs, and its stored outputs contain the current figures."""

import ast
import html
import io
import re
from contextlib import redirect_stdout

import pytest

from tools import gallery

FIGURE_PATTERN = re.compile(r"(?<![\w.-])\d+(?:\.\d+)?(?![\w-])")
CODE_CELLS = [cell for cell in gallery.read_notebook().cells if cell.cell_type == "code"]
OUTPUTS = [output for cell in CODE_CELLS for output in cell.outputs]


def figures(text: str) -> list[float]:
    text = re.sub(r"<style.*?</style>|<pre.*?</pre>|<desc.*?</desc>", "", text, flags=re.S)
    return [float(figure) for figure in FIGURE_PATTERN.findall(re.sub(r"spice\|\S+", "", html.unescape(re.sub(r"<[^>]*>", " ", text))))]


def stored_figures(outputs: list) -> list[float]:
    figures_found = [(output.get("data", {}), output.get("text", "")) for output in outputs]
    return figures(" ".join(data.get("text/html") or data.get("text/plain") or text for data, text in figures_found))


def run_cell(source: str, names: dict[str, object]) -> str:
    """Run a cell in this process and return its output. (The tool runs cells in a kernel.)"""
    *statements_before, last_statement = ast.parse(source).body
    with redirect_stdout(io.StringIO()) as printed_output:
        exec(compile(ast.Module(statements_before, []), "cell", "exec"), names)
        if not isinstance(last_statement, ast.Expr):
            exec(compile(ast.Module([last_statement], []), "cell", "exec"), names)
            return printed_output.getvalue()
        value = eval(compile(ast.Expression(last_statement.value), "cell", "eval"), names)
    shown_text = getattr(value, "_repr_html_", value.__repr__)()
    return printed_output.getvalue() if value is None else f"{printed_output.getvalue()} {shown_text}"


def test_the_notebook_runs_and_its_figures_are_current(monkeypatch):
    monkeypatch.chdir(gallery.ROOT)
    names: dict[str, object] = {"__name__": "__main__"}
    for cell in CODE_CELLS:
        fresh_figures = figures(run_cell(cell.source, names))
        stored_text = f"run python -m tools.gallery; other figures: {cell.source}"
        assert stored_figures(cell.outputs) == pytest.approx(fresh_figures, abs=0.0015), stored_text


def test_stored_outputs_are_small_and_name_no_machine():
    assert len(CODE_CELLS) > 8 and len(stored_figures(OUTPUTS)) > 100 and all(len(str(output)) < 150_000 for output in OUTPUTS)
    notebook = gallery.read_notebook()
    assert not re.search(r"/home/|/tmp/|/work/|Traceback", str(notebook)) and not any(cell.metadata for cell in notebook.cells)
    assert sum("spice-core-text" in output.get("data", {}).get("text/html", "") for output in OUTPUTS) == 3
