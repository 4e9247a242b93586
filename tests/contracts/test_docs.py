"""Test the documentation: links resolve, samples run, and all mentioned commands, tests, modules and paths exist."""

import argparse
import ast
import importlib
import importlib.util
import inspect
import json
import re
import shlex
from dataclasses import fields
from pathlib import Path
from urllib.parse import unquote

import pycocoevalcap.eval
import pytest

from spice_core import Spice
from spice_core.cli import main
from spice_core.metrics.config import Signature
from spice_core.rules.rule_file import parse_rules
from tests.conftest import without_steps_digest
from tools import command_pages, layout_table
from tools.benchmarks.__main__ import make_measure_parser

ROOT = Path(__file__).parents[2]
MODEL_CARDS = [
    *(ROOT / "spice_core").rglob("*.md"),
    ROOT / "assets" / "LICENSES.md",
    ROOT / "tests" / "golden" / "README.md",
]
DOCUMENT_FILES = [
    ROOT / "README.md",
    ROOT / "README.ja.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "CHANGELOG.md",
    *sorted((ROOT / "docs").glob("*.md")),
]
TEXT_BY_DOCUMENT = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in DOCUMENT_FILES}
# Parts of the paths of files that readers create when they follow the recipes.
RECIPE_FILES = (
    "lang/eo/",
    "text/jaccard",
    "test_jaccard",
    "7_Leftover",
    "leftover.toml",
    "test_leftover",
)
# Beginnings of the lines of command blocks: programs, and comments.
PROGRAMS = ("spice-core", "make", "pip", "python", "echo", "docker", "cp", "git", "curl", "#")
# Blocks in `py` are excerpts or need further packages. Blocks in `text` are output or example files.
BLOCK_LANGUAGES = {
    "",
    "python",
    "py",
    "toml",
    "json",
    "conllu",
    "text",
}
# Samples of file formats in docs/data.md, tested by tests/data/test_graph_formats.py.
DATA_FORMATS = {"jsonl"}
# The test runs the spice-core commands of these guides, except those that match SKIPPED_PATTERN.
GUIDES = ("README.md", "docs/install.md", "docs/fidelity.md", "docs/metrics.md")
# These commands need a server, or a file that the tests lack.
SKIPPED_PATTERN = re.compile(r"corenlp:|trees\.conllu")


def fenced_blocks(text: str, language: str = "") -> list[str]:
    return [code for name, code in re.findall(r"^```(\w*)\n(.*?)^```$", text, re.S | re.M) if name == language]


def blocks_by_place(language: str) -> dict[str, str]:
    """Return the fenced code blocks of a language in all documents, by document and number."""
    return {f"{name}-{i}": code for name, text in TEXT_BY_DOCUMENT.items() for i, code in enumerate(fenced_blocks(text, language))}


def lines(name: str) -> list[str]:
    commands_found = [line.partition(" #")[0].strip() for block in fenced_blocks(TEXT_BY_DOCUMENT[name]) for line in block.splitlines()]
    return [line for line in commands_found if line]


def prose(text: str) -> str:
    return re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)


def cited_texts(text: str) -> list[str]:
    """Return the texts in backquotes, also across line breaks, in order without duplicates."""
    return list(dict.fromkeys(" ".join(code.split()) for code in re.findall(r"`([^`]+)`", prose(text))))


def find_in_documents(pattern: str) -> set[str]:
    return {match for text in TEXT_BY_DOCUMENT.values() for match in re.findall(pattern, text)}


def test_links_resolve_and_the_readme_lists_every_page():
    linked = TEXT_BY_DOCUMENT | {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in MODEL_CARDS}
    broken_links, headings = (
        [],
        {path: re.findall(r"^#+ (.*)$", prose(linked[str(path.relative_to(ROOT))]), re.M) for path in [*DOCUMENT_FILES, *MODEL_CARDS]},
    )
    # GitHub derives the anchors of headings in this way.
    anchor_of = lambda head: re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-")
    anchors = {path: set(map(anchor_of, headings[path])) for path in headings}
    for name, text in linked.items():
        for link in re.findall(r"\]\((?!https?:)([^)\s]+)\)", prose(text)):
            path, _, anchor = unquote(link).partition("#")
            target = ((ROOT / name).parent / path if path else ROOT / name).resolve()
            if not target.exists() or (anchor and anchor not in anchors[target]):
                broken_links.append((name, link))
    assert broken_links == []
    pages = {name for name in TEXT_BY_DOCUMENT if name.startswith("docs/")}
    assert {page for page in pages if f"]({page})" not in TEXT_BY_DOCUMENT["README.md"]} == set()
    text = TEXT_BY_DOCUMENT["README.md"]
    code_start = text.index("```")
    assert text[code_start:].startswith("```\nmake app") and "make test" in text[code_start : code_start + 200]
    assert len(text.splitlines()) <= 200


def test_blank_lines_surround_tables_and_headings():
    pattern = r"^(?!\|).+\n\|.*|^\|.*\n(?!\|).+|^#+ .*\n.+"
    assert [(name, lines) for name, text in TEXT_BY_DOCUMENT.items() for lines in re.findall(pattern, prose(text), re.M)] == []


@pytest.mark.parametrize("place", blocks_by_place("python"))
def test_python_samples_run(place, monkeypatch, capsys):
    # A sample sets this attribute. ``monkeypatch`` restores it afterwards.
    monkeypatch.setattr(pycocoevalcap.eval, "Spice", None)
    exec(compile(blocks_by_place("python")[place], place, "exec"), {"__name__": "sample"})
    assert place != "README.md-0" or "SPICE 0." in capsys.readouterr().out


def test_every_block_is_run_checked_or_marked_as_output():
    for name in TEXT_BY_DOCUMENT.keys() - {"CONTRIBUTING.md", "CHANGELOG.md"}:
        kinds = set(re.findall(r"^```([^\n]+)\n.*?^```$", TEXT_BY_DOCUMENT[name], re.S | re.M))
        assert kinds <= BLOCK_LANGUAGES | (DATA_FORMATS if name == "docs/data.md" else set()), name
        assert [line for line in lines(name) if not line.startswith(PROGRAMS)] == [], name
    for text in blocks_by_place("json").values():
        try:
            json.loads(text)
        except json.JSONDecodeError:
            assert all(json.loads(line) for line in text.splitlines())


def test_recipes_use_current_names_and_parameters():
    imported_names = set()
    for code in blocks_by_place("py").values():
        tree, objects = ast.parse(code), {}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module.startswith(("pages", "spice_core")):
                objects |= {alias.name: _import_name(node.module, alias.name) for alias in node.names}
        imported_names |= objects.keys()
        for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
            name, _, method = ast.unparse(call.func).partition(".")
            if name in objects and "." not in method:
                function = getattr(objects[name], method) if method else objects[name]
                parameters = inspect.signature(function).parameters
                accepts_any = any(p.kind is p.VAR_KEYWORD for p in parameters.values())
                assert accepts_any or {keyword.arg for keyword in call.keywords} <= set(parameters), ast.unparse(call)
    assert imported_names
    definitions = find_in_documents(r"((?:`\w+`(?: and )?)+) (?:is|are) defined in `([\w/]+\.py)`")
    assert len(definitions) == 2
    for names, path in definitions:
        source = (ROOT / path).read_text(encoding="utf-8")
        assert all(re.search(rf"^(def {name}\(|{name}\b.* = )", source, re.M) for name in re.findall(r"\w+", names.replace(" and ", ""))), (
            path
        )


def _import_name(module: str, name: str) -> object:
    """Import a name from a module; the name may be a submodule."""
    package = importlib.import_module(module)
    return getattr(package, name) if hasattr(package, name) else importlib.import_module(f"{module}.{name}")


def test_the_page_of_commands_and_the_signatures_are_current():
    """To update them, run python -m tools.command_pages (options and outputs) or python -m tools.layout_table (layouts)."""
    assert without_steps_digest(command_pages.render_page()) == without_steps_digest(TEXT_BY_DOCUMENT["docs/commands.md"])
    assert layout_table.render_page(TEXT_BY_DOCUMENT["docs/data.md"]) == TEXT_BY_DOCUMENT["docs/data.md"]
    (line,) = re.findall(r"^spice\|.*$", TEXT_BY_DOCUMENT["docs/metrics.md"], re.M)
    assert str(Signature.parse(line)) == line == fenced_blocks(TEXT_BY_DOCUMENT["docs/metrics.md"], "text")[0].strip()
    assert without_steps_digest(line) == without_steps_digest(str(Spice().signature)) != line
    rows = re.findall(r"^\| `(\w+)` \|", TEXT_BY_DOCUMENT["docs/metrics.md"], re.M)
    assert {field.name for field in fields(Signature)} <= set(rows)


def test_rules_and_the_parser_of_the_recipes_yield_their_examples():
    rule_files = {place: code for place, code in blocks_by_place("toml").items() if not code.startswith("[project")}
    for place, code in rule_files.items():
        for rule in parse_rules(code, name=place).rules:
            assert {p.words for p in rule.apply(rule.example.graph)} == set(rule.example.tuples) != set()
            assert list(rule.apply(rule.near_miss.graph)) == []
    (code,) = [code for code in blocks_by_place("python").values() if "class Endings" in code]
    (toml,) = [code for code in blocks_by_place("toml").values() if "Ruĝa" in code]
    exec(compile(code, "sample", "exec"), space := {"__name__": "sample"})
    (document,) = space["Endings"]().parse(["Viro rajdas brunan ĉevalon."])
    edges = [(e.head, e.dependent, e.relation) for e in document.sentences[0].basic]
    assert edges == [(2, 1, "nsubj"), (0, 2, "root"), (4, 3, "amod"), (2, 4, "obj")]
    assert {p.words for p in parse_rules(toml, name="eo").apply(document)} == {("ĉevalo", "bruna")}


def test_command_lines_are_valid_and_those_in_guides_run(monkeypatch, tmp_path):
    """Test commands in code blocks, and commands in prose that name a file."""
    codes = [line for text in TEXT_BY_DOCUMENT.values() for block in fenced_blocks(text) for line in block.splitlines()]
    prose_commands = [code for text in TEXT_BY_DOCUMENT.values() for code in cited_texts(text)]
    codes += [code for code in prose_commands if re.match(r"spice-core \w+ .*(\w\.\w|FILE)", code) and "--out" not in code]
    commands_found = {re.split(r"\s{2,}#", code)[0].partition("spice-core ")[2] for code in codes if re.search(r"(^|\| )spice-core ", code)}
    assert len(commands_found) > 20
    with monkeypatch.context() as patch:
        patch.setattr(argparse.ArgumentParser, "error", lambda _, message: pytest.fail(message))
        for line in sorted(commands_found):
            print(line)
            assert callable(main._make_parser().parse_args(shlex.split(re.split(r"\s[#>]\s", line)[0])).run)
    # The commands read the files that docs/commands.md shows. ``run_line`` raises SystemExit if a command fails.
    monkeypatch.chdir(tmp_path)
    command_pages.write_files()
    for system, file in (("A", "captions.json"), ("B", "other.json")):
        command_pages.run_line(f"spice-core score {file} --subset --silent --out {system}.json")
    commands_found = {name: [line for line in lines(name) if "spice-core " in line and not SKIPPED_PATTERN.search(line)] for name in GUIDES}
    assert all(commands_found.values())
    for line in {line: None for command_line in commands_found.values() for line in command_line}:
        command_pages.run_line(line)


def test_mentioned_options_tests_paths_modules_and_make_targets_exist():
    (commands,) = [action for action in main._make_parser()._actions if isinstance(action, argparse._SubParsersAction)]
    known_options = {option for command in commands.choices.values() for action in command._actions for option in action.option_strings}
    spans = [(code, set(re.findall(r"(?<![\w-])--[a-z-]+", code))) for text in TEXT_BY_DOCUMENT.values() for code in cited_texts(text)]
    tools = [(*tool.groups(), options) for code, options in spans if (tool := re.match(r"python -m (tools[\w.]+)(?: (\w+))?", code))]
    named_options = set().union(*(options for code, options in spans if not code.startswith("python -m tools")))
    assert named_options and named_options <= known_options
    for tool, measure, options in tools:
        if tool == "tools.benchmarks":
            assert not measure or options <= make_measure_parser(measure)._option_string_actions.keys(), measure
            continue
        source = (ROOT / f"{tool.replace('.', '/')}.py").read_text(encoding="utf-8")
        assert {option for option in options if f'"{option}"' not in source} == set(), tool
    code = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    tests = {name for text in TEXT_BY_DOCUMENT.values() for name in cited_texts(text) if re.fullmatch(r"test_\w+_\w+", name)}
    assert sorted(name for name in tests if f"def {name}(" not in code) == []
    top_level = "app.py|pages|spice_core|tests|assets|static|docs|tools|deploy|Containerfile|" + re.escape(".ci")
    paths_found = {path for text in TEXT_BY_DOCUMENT.values() for path in re.findall(rf"`((?:{top_level})(?:/[^`\s]*)?)`", prose(text))}
    assert len(paths_found) > 40
    assert sorted(p for p in paths_found if not any(path_ in p for path_ in RECIPE_FILES) and not (ROOT / p).exists()) == []
    named_options = find_in_documents(r"(?:-m |\bfrom |\bimport |`)((?:spice_core|pages|tests|tools)(?:\.[a-z_]\w*)+)")
    missing_names = set()
    for name in named_options:
        parent_module, _, last_part = name.rpartition(".")
        module = importlib.import_module(parent_module)
        if not hasattr(module, last_part) and not (hasattr(module, "__path__") and importlib.util.find_spec(name)):
            missing_names.add(name)
    assert named_options and missing_names == set()
    # Each row of the table of graph formats names a module and its functions.
    rows = re.findall(r"`(spice_core(?:\.\w+)+)`: (`.*\)`)", "\n".join(TEXT_BY_DOCUMENT.values()))
    assert rows
    assert [
        (module, name)
        for module, calls in rows
        for name in re.findall(r"`(\w+)\(", calls)
        if not hasattr(importlib.import_module(module), name)
    ] == []
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
    assert find_in_documents(r"\bmake (app|bench|check|container|dist|test|clean)\b") <= targets
