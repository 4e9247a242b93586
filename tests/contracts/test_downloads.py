"""Files to save: no button starts a script run, which would take a file away before the browser has fetched it."""

from __future__ import annotations

import ast
from pathlib import Path

PAGES = Path(__file__).parents[2] / "pages"


def calls(tree: ast.AST) -> list[ast.Call]:
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)]
    return [call for call in found if call.func.attr == "download_button"]


def test_saving_starts_no_run():
    functions = {
        f"{path.relative_to(PAGES)}:{node.name}": node
        for path in sorted(PAGES.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and calls(node)
    }
    without = [name for name, node in functions.items() if ast.unparse(node).count("'ignore'") < len(calls(node))]
    assert len(functions) > 10 and not without
