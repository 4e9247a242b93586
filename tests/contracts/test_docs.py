"""The documents: links lead somewhere, samples run, and the commands, tests, modules and paths that they cite exist."""

from __future__ import annotations

import argparse
import ast
import importlib
import importlib.util
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
from spice_core.metrics import registry
from spice_core.metrics.config import Signature
from spice_core.rules.rule_file import parse_rules
from tools import command_pages

ROOT = Path(__file__).parents[2]
FILES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
TEXTS = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in FILES}
NEW = ("lang/eo/", "text/jaccard", "test_jaccard", "7_Leftover", "leftover.toml", "test_leftover")  # files that the recipes tell how to add
PROGRAMS = ("spice-core", "make", "pip", "python", "echo", "docker", "cp", "curl")  # that begin the lines of commands
KINDS = {"", "python", "py", "toml", "json", "conllu", "text"}  # py: asks for a package that is not in the test environment; text: output
FILES = {"jsonl", "xml", "dot"}  # samples of file formats, written and read by tests/data/test_graph_formats.py
NEW_TESTS = ("test_words_without_a_tuple_have_a_reason", "test_a_caption_is_text")


def fenced(text: str, language: str = "") -> list[str]:
    """The fenced blocks of a language; of none, those without one."""
    return [code for name, code in re.findall(r"^```(\w*)\n(.*?)^```$", text, re.S | re.M) if name == language]


def blocks(language: str) -> list:
    """The fenced blocks of a language in all documents, each with its place as its id."""
    return [pytest.param(code, id=f"{name}-{i}") for name, text in TEXTS.items() for i, code in enumerate(fenced(text, language))]


def prose(text: str) -> str:
    """A document without its fenced blocks."""
    return re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)


def cited(text: str) -> list[str]:
    """What stands in backquotes, on one line or across a break, each text once, in order."""
    return list(dict.fromkeys(" ".join(code.split()) for code in re.findall(r"`([^`]+)`", prose(text))))


def anchors(text: str) -> set[str]:
    """The anchors of the headings, as GitHub makes them."""
    heads = re.findall(r"^#+ (.*)$", prose(text), re.M)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("name", TEXTS)
def test_links_and_pictures_lead_to_files_and_headings(name):
    links = re.findall(r"\]\((?!https?:)([^)\s]+)\)", prose(TEXTS[name]))
    lost = []
    for link in links:
        path, _, anchor = unquote(link).partition("#")
        target = (ROOT / name).parent / path if path else ROOT / name
        if not target.exists() or (anchor and anchor not in anchors(target.read_text(encoding="utf-8"))):
            lost.append(link)
    assert lost == []


def test_every_page_of_the_documentation_is_in_both_indexes():
    for index, folder in (("README.md", "docs/"), ("docs/index.md", "")):
        pages = {Path(name).name for name in TEXTS if name.startswith("docs/")} - {"index.md"}
        assert {page for page in pages if f"]({folder}{page})" not in TEXTS[index]} == set()


@pytest.mark.parser
@pytest.mark.parametrize("code", blocks("python"))
def test_python_samples_run(code, monkeypatch):
    monkeypatch.setattr(registry, "METRICS", dict(registry.METRICS))  # a recipe adds a metric
    monkeypatch.setattr(pycocoevalcap.eval, "Spice", None)  # a sample sets it
    exec(compile(code, "sample", "exec"), {"__name__": "sample"})


@pytest.mark.parametrize("name", [name for name in TEXTS if name not in ("CONTRIBUTING.md", "CHANGELOG.md")])
def test_every_block_is_run_checked_or_named_an_output(name):
    assert {kind for kind in re.findall(r"^```([^\n]+)\n.*?^```$", TEXTS[name], re.S | re.M)} <= (
        KINDS | FILES if name == "docs/formats.md" else KINDS
    )
    lines = [line.partition(" #")[0] for block in fenced(TEXTS[name]) for line in block.splitlines() if line.strip()]
    assert [line for line in lines if not line.startswith((*PROGRAMS, "#"))] == []


@pytest.mark.parametrize("code", blocks("py"))
def test_samples_for_other_packages_import_what_is_here(code):
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.ImportFrom) and node.module.startswith("spice_core"):
            module = importlib.import_module(node.module)
            assert all(hasattr(module, each.name) for each in node.names)


@pytest.mark.parametrize("text", blocks("json"))
def test_json_samples_are_json(text):
    try:
        json.loads(text)
    except json.JSONDecodeError:
        assert all(json.loads(line) for line in text.splitlines())


@pytest.mark.parser
def test_the_page_of_commands_is_that_of_today():
    """Options and outputs of every command; if not: python -m tools.command_pages."""
    assert command_pages.page() == TEXTS["docs/commands.md"]


@pytest.mark.parser
def test_the_first_sample_prints_a_score(capsys):
    exec(fenced(TEXTS["README.md"], "python")[0], {})
    assert "SPICE 0." in capsys.readouterr().out


@pytest.mark.parametrize("code", blocks("toml"))
def test_rules_of_the_documents_yield_their_examples(code):
    for rule in parse_rules(code, name="sample").rules:
        assert {p.words for p in rule.apply(rule.example.graph)} == set(rule.example.tuples) != set()
        assert list(rule.apply(rule.near_miss.graph)) == []


def test_the_parser_of_the_language_recipe_reads_esperanto():
    (code,) = [param.values[0] for param in blocks("python") if "class Endings" in param.values[0]]
    (toml,) = [param.values[0] for param in blocks("toml") if "Ruĝa" in param.values[0]]
    exec(compile(code, "sample", "exec"), space := {"__name__": "sample"})
    (document,) = space["Endings"]().parse(["Viro rajdas brunan ĉevalon."])
    assert [(e.head, e.dependent, e.relation) for e in document.sentences[0].basic] == [
        (2, 1, "nsubj"),
        (0, 2, "root"),
        (4, 3, "amod"),
        (2, 4, "obj"),
    ]
    assert {p.words for p in parse_rules(toml, name="eo").apply(document)} == {("ĉevalo", "bruna")}


def commands() -> list[str]:
    """The command lines of spice-core: those of the blocks, and in the prose those that name a file."""
    lines = [line for text in TEXTS.values() for block in fenced(text) for line in block.splitlines()]
    lines += [
        code for text in TEXTS.values() for code in cited(text) if re.match(r"spice-core \w+ .*(\w\.\w|FILE)", code) and "--out" not in code
    ]
    found = [re.split(r"\s{2,}#", line)[0].partition("spice-core ")[2] for line in lines if re.search(r"(^|\| )spice-core ", line)]
    return list(dict.fromkeys(re.split(r"\s[#>]\s", line)[0].strip() for line in found))


@pytest.mark.parametrize("line", commands())
def test_command_lines_are_accepted(line, monkeypatch):
    def refused(self, message):
        raise AssertionError(f"{line}: {message}")

    monkeypatch.setattr(argparse.ArgumentParser, "error", refused)
    assert callable(main._parser().parse_args(shlex.split(line)).run)


@pytest.mark.parser
@pytest.mark.parametrize("name", ["README.md", "docs/install.md", "docs/java.md", "docs/which.md"])
def test_command_lines_of_the_guides_run(name, tmp_path, monkeypatch):
    """On the files of the page of commands; what is printed is shown there."""
    monkeypatch.chdir(tmp_path)
    command_pages.write_files()
    for system, file in (("A", "captions.json"), ("B", "other.json")):
        command_pages.run(f"spice-core score {file} --subset --silent --out {system}.json")
    lines = [line.partition("  #")[0].strip() for block in fenced(TEXTS[name]) for line in block.splitlines() if "spice-core " in line]
    assert lines
    for line in lines:
        command_pages.run(line)  # ends with its exit code if that is not 0


def test_options_that_are_named_exist():
    # the options of every command, read off the parser itself
    (commands,) = [action for action in main._parser()._actions if isinstance(action, argparse._SubParsersAction)]
    known = {option for command in commands.choices.values() for action in command._actions for option in action.option_strings}
    named = {option for text in TEXTS.values() for code in cited(text) for option in re.findall(r"(?<![\w-])--[a-z-]+", code)}
    assert named and named <= known


def test_every_test_that_is_named_exists():
    code = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    named = {name for text in TEXTS.values() for name in cited(text) if re.fullmatch(r"test_\w+_\w+", name)}
    assert len(named) > 40 and sorted(name for name in named if f"def {name}(" not in code) == []


def test_every_path_that_is_named_exists():
    tops = "app.py|pages|spice_core|tests|assets|static|docs|tools|deploy|Containerfile|" + re.escape(".ci")
    found = {(name, path) for name, text in TEXTS.items() for path in re.findall(rf"`((?:{tops})(?:/[^`\s]*)?)`", prose(text))}
    assert len(found) > 40
    assert sorted((name, path) for name, path in found if not any(new in path for new in NEW) and not (ROOT / path).exists()) == []


def test_every_module_that_is_named_exists():
    found = {
        m
        for text in TEXTS.values()
        for m in re.findall(r"(?:-m |\bfrom |\bimport |`)((?:spice_core|pages|tests|tools)(?:\.[a-z_]\w*)+)", text)
    }
    lost = set()
    for module in found:
        parts = module.split(".")
        if not any(importlib.util.find_spec(".".join(parts[:n])) for n in range(len(parts), len(parts) - 2, -1)):
            lost.add(module)
    assert found and lost == set()


def test_make_targets_that_are_named_exist():
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
    assert {
        target for text in TEXTS.values() for target in re.findall(r"\bmake (app|bench|check|container|dist|test|clean)\b", text)
    } <= targets


def test_the_signature_of_the_documents_has_todays_parts():
    (line,) = re.findall(r"^spice\|.*$", TEXTS["docs/signatures.md"], re.M)
    assert str(Signature.parse(line)) == line
    rows = re.findall(r"^\| `(\w+)` \|", TEXTS["docs/signatures.md"], re.M)
    assert {field.name for field in fields(Signature)} <= set(rows)


def test_the_readme_is_short_and_begins_with_the_two_commands():
    text = TEXTS["README.md"]
    first = text.index("```")
    assert text[first:].startswith("```\nmake app") and "make test" in text[first : first + 200]
    assert len(text.splitlines()) <= 200


def test_the_signature_that_is_shown_is_todays():
    text = (ROOT / "docs" / "signatures.md").read_text(encoding="utf-8")
    assert fenced(text, "text")[0].strip() == str(Spice().signature)
