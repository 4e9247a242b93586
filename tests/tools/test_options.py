"""The options that the tools read are those that their parsers define."""

import ast
import re
from pathlib import Path

import pytest

from tools.benchmarks.__main__ import MEASURES, main, make_measure_parser
from tools.check_size import sizes

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


def test_lines_and_files_are_counted_per_folder(tmp_path):
    files = {"app.py": "a\n", "pages/a.py": "a\nb\n", "pages/parts/b.py": "a\nb\n\nc", "tools/c.py": "", "tools/notes.md": "a\n"}
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert sizes(tmp_path, ["pages", "tools"]) == {"pages": 7, "tools": 0, "files": 4}


@pytest.mark.parametrize("name", MEASURES)
def test_each_measure_has_a_description_and_typed_options(name):
    parser = make_measure_parser(name)
    assert parser.description
    required = [argument for action in parser._actions if action.required for argument in (action.option_strings[0], "a.json")]
    assert all(value is not None for value in vars(parser.parse_args(required)).values())


def test_options_have_the_types_of_their_defaults():
    assert vars(make_measure_parser("runs").parse_args(["--captions", "a", "--sizes", "3", "4"]))["sizes"] == [3, 4]
    assert vars(make_measure_parser("visitors").parse_args(["--pause", "1"]))["pause"] == 1.0


def test_an_unknown_measure_is_an_error(capsys):
    assert main(["no-such-measure"]) == main([]) == 2
    assert "ratios" in capsys.readouterr().err
