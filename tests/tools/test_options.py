"""The options that the tools read are those that their parsers define."""

import ast
import re
from pathlib import Path

import pytest

_FOLDER = Path(__file__).parents[2] / "tools"
TOOLS = sorted(path for path in _FOLDER.rglob("*.py") if re.search(r"options = \w*parser\.parse_args", path.read_text("utf-8")))


@pytest.mark.parametrize("path", TOOLS, ids=lambda path: path.stem)
def test_every_option_that_a_tool_reads_is_defined(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    nodes = list(ast.walk(tree))
    defined_names = {str(node.value).lstrip("-").replace("-", "_") for node in nodes if isinstance(node, ast.Constant)}
    defined_names |= {keyword.arg for node in nodes if isinstance(node, ast.Call) for keyword in node.keywords}
    namespaces = {
        target.id
        for node in nodes
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and getattr(node.value.func, "attr", "") == "parse_args"
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    read_names = {
        node.attr for node in nodes if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in namespaces
    }
    assert read_names and read_names <= defined_names
