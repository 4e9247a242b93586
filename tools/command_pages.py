"""Write docs/commands.md: the options of every command, from its parser, and an example with its output.

python -m tools.command_pages
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import shlex
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from spice_core.cli import main

COMMANDS_PAGE = Path(__file__).resolve().parents[1] / "docs" / "commands.md"
ROWS_BY_EXAMPLE_FILE: dict[str, list[dict[str, object]]] = {
    "captions.json": [
        {"image_id": 1, "test": "A brown dog on a sofa.", "refs": ["A brown dog lies on a couch.", "A dog is sleeping on the sofa."]},
        {"image_id": 2, "test": "Two people ride horses.", "refs": ["A man and a woman are riding horses on a beach."]},
    ],
    "other.json": [
        {"image_id": 1, "test": "A cat on a sofa.", "refs": ["A brown dog lies on a couch.", "A dog is sleeping on the sofa."]},
        {"image_id": 2, "test": "A man rides a horse.", "refs": ["A man and a woman are riding horses on a beach."]},
    ],
    "ratings.jsonl": [
        {"candidate": "A dog on a sofa.", "references": ["A brown dog lies on a couch."], "ratings": [4, 3]},
        {"candidate": "A cat on a sofa.", "references": ["A brown dog lies on a couch."], "ratings": [2, 2]},
        {"candidate": "A red bus.", "references": ["A brown dog lies on a couch."], "ratings": [1, 1]},
    ],
    "answers.jsonl": [
        {"item_id": 1, "proposition_id": 1, "dependency": "0", "category_broad": "entity", "question": "Is there a dog?", "answer": "no"},
        {"item_id": 1, "proposition_id": 2, "dependency": "1", "category_broad": "attribute", "question": "Is it big?", "answer": "yes"},
        {"item_id": 2, "proposition_id": 1, "dependency": "0", "category_broad": "entity", "question": "Is there a cat?", "answer": "yes"},
    ],
    "regions.json": [{"id": 1, "regions": [{"x": 0, "y": 0, "width": 10, "height": 10, "phrase": "a brown dog"}]}],
    "described.json": [{"id": 1, "regions": [{"x": 0, "y": 0, "width": 10, "height": 6, "phrase": "a dog"}]}],
    "gold.jsonl": [{"caption": "A brown dog on a sofa.", "tuples": [["dog"], ["sofa"], ["dog", "brown"], ["dog", "on", "sofa"]]}],
    "factual.jsonl": [{"caption": "a brown dog on a sofa", "scene_graph": "( dog , is , brown ) , ( dog , on , sofa )"}],
}
EXAMPLE_LINES_BY_COMMAND = {  # the output of the last command is shown
    "score": ["spice-core score captions.json --subset --out A.json"],
    "merge": [
        "spice-core score captions.json --shard 1/2 --out 1.jsonl --silent",
        "spice-core score captions.json --shard 2/2 --out 2.jsonl --silent",
        "spice-core merge 1.jsonl 2.jsonl --out merged.jsonl",
    ],
    "compare": ["spice-core score other.json --subset --out B.json --silent", "spice-core compare A.json B.json"],
    "metrics": ["spice-core metrics captions.json --metrics SPICE soft CIDEr-D"],
    "dense": ["spice-core dense described.json --references regions.json"],
    "agree": ["spice-core agree ratings.jsonl --metrics SPICE soft --resamples 100"],
    "parse": ["echo 'A red bus on a narrow street' | spice-core parse -"],
    "why": ["spice-core why 'A brown dog on a sofa.' dog brown"],
    "questions": ["echo 'Two brown dogs on a sofa' | spice-core questions -"],
    "answers": ["spice-core answers answers.jsonl"],
    "gold": ["spice-core gold gold.jsonl --silent"],
    "factual": ["spice-core factual factual.jsonl --silent"],
    "frequencies": ["spice-core frequencies captions.json --out frequencies.json"],
    "import-wordnet": ["spice-core import-wordnet wnjpn.db.gz"],
    "serve-rewards": ["spice-core serve-rewards --workers 2"],
}
_COMMANDS_WITHOUT_OUTPUT = ("import-wordnet", "serve-rewards")
_MAX_OUTPUT_LINES = 8  # maximum before an output is truncated
_INTRO = """# Commands

This page describes the commands of `spice-core` and their options. Most commands have an example with its output.
`python -m tools.command_pages` generates the page. The examples use the following files; `captions.json` and
`other.json` contain these rows as JSON arrays.
"""
_EXIT_CODES_SECTION = """## Exit codes

| code | meaning |
|---|---|
| 0 | success |
| 1 | the program that reads the output, such as `head`, has stopped |
| 2 | invalid input or options, or an output that cannot be written; standard error describes the problem. For invalid rows, it has one line per problem (file, row, field, what was found and what was expected), up to 50 lines |
| 130, 143 | stopped by Ctrl-C or SIGTERM; `score` keeps the rows written so far |
"""


def render_page() -> str:
    """Return the text of docs/commands.md."""
    commands, summaries = _command_parsers()
    option_counts = Counter(
        (_argument_syntax(a), _help_text(a)) for command in commands.values() for a in _visible_arguments(command) if a.option_strings
    )
    common_options: dict[str, str] = {}
    for (syntax, text), count in option_counts.items():
        if count > 1 and not syntax.startswith("`--out "):
            common_options.setdefault(syntax, text)
    lines = [_INTRO, "```text\n" + "\n\n".join(f"==> {name} <==\n{_json_rows(name)}" for name in ROWS_BY_EXAMPLE_FILE) + "\n```\n"]
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        write_files()
        for i, (name, command) in enumerate(commands.items()):
            lines += _render_section(name, summaries[name], command, common_options, dict(list(commands.items())[:i]))
    lines += ["## Common options\n", *_render_table(common_options.items()), "", _EXIT_CODES_SECTION]
    return "\n".join(lines)


def write_files() -> None:
    for name, rows in ROWS_BY_EXAMPLE_FILE.items():
        Path(name).write_text(_json_rows(name) if name.endswith("l") else json.dumps(rows), encoding="utf-8")


def _command_parsers() -> tuple[dict[str, argparse.ArgumentParser], dict[str, str]]:
    """Return the parser of each command, and its line in the list of commands."""
    (choices,) = [action for action in main._make_parser()._actions if isinstance(action, argparse._SubParsersAction)]
    return dict(choices.choices), {action.dest: str(action.help) for action in choices._choices_actions}


def _render_section(
    name: str,
    summary: str,
    command: argparse.ArgumentParser,
    common_options: Mapping[str, str],
    earlier_commands: Mapping[str, argparse.ArgumentParser],
) -> Iterator[str]:
    yield f"## {name}\n"
    yield f"{summary[0].upper()}{summary[1:]}{'' if summary.endswith('…') else '.'}\n"
    if command.description:
        alias_name = next(
            (name_ for name_, earlier_command in earlier_commands.items() if earlier_command.description == command.description), ""
        )
        yield (
            f"The input is the same as for [{alias_name}](#{alias_name}).\n" if alias_name else f"{' '.join(command.description.split())}\n"
        )
    options = {_argument_syntax(action): _help_text(action) for action in _visible_arguments(command) if action.help}
    specific_options = {syntax: text for syntax, text in options.items() if common_options.get(syntax) != text}
    if specific_options:
        yield from [*_render_table(specific_options.items()), ""]
    used_options = [syntax for syntax in options if syntax not in specific_options]
    if used_options:
        yield f"Also {', '.join(used_options)}: see [common options](#common-options).\n"
    if command.epilog:
        yield f"{' '.join(command.epilog.split())}\n"
    lines = EXAMPLE_LINES_BY_COMMAND.get(name, [])
    if lines:
        yield "```\n" + "\n".join(lines) + "\n```\n"
    if lines and name not in _COMMANDS_WITHOUT_OUTPUT:
        yield f"```text\n{[run_line(line) for line in lines][-1]}\n```\n"


def run_line(line: str) -> str:
    """Run a command line and return its output. ``echo 'TEXT' |`` before the command provides its standard input."""
    prefix, _, arguments = line.rpartition("spice-core ")
    stdin = " ".join(shlex.split(prefix)[1:-1]) if prefix else ""
    buffer, real_stdin = io.StringIO(), sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(stdin.encode()))
    try:
        with contextlib.redirect_stdout(buffer), contextlib.redirect_stderr(io.StringIO()):
            code = main.main(shlex.split(arguments))
    finally:
        sys.stdin = real_stdin
    if code:
        raise SystemExit(f"{line}: exit code {code}")
    output_lines = [text.rstrip() for text in buffer.getvalue().rstrip().splitlines()]
    return "\n".join(output_lines if len(output_lines) <= 2 * _MAX_OUTPUT_LINES else [*output_lines[:_MAX_OUTPUT_LINES], "…"])


def _visible_arguments(command: argparse.ArgumentParser) -> list[argparse.Action]:
    hidden_actions = (argparse._HelpAction,)
    return [
        a
        for a in command._actions
        if not isinstance(a, hidden_actions) and a.help is not argparse.SUPPRESS and (a.help or not a.option_strings)
    ]


def _argument_syntax(action: argparse.Action) -> str:
    value = action.metavar or (f"{{{','.join(map(str, action.choices))}}}" if action.choices else action.dest.upper())
    value = value if isinstance(value, str) else " ".join(value)
    repetition = " …" if action.nargs in ("+", "*", 2) else ""
    option_name = action.option_strings[-1] if action.option_strings else ""
    return f"`{' '.join(filter(None, (option_name, '' if action.nargs == 0 else value)))}{repetition}`"


def _help_text(action: argparse.Action) -> str:
    return " ".join((action.help or "").split()).replace("%%", "%")


def _render_table(rows: Iterable[tuple[str, str]]) -> list[str]:
    return ["| option | meaning |", "|---|---|", *(f"| {_escape_cell(key)} | {_escape_cell(text)} |" for key, text in rows)]


def _escape_cell(text: str) -> str:
    return text.replace("|", r"\|")


def _json_rows(name: str) -> str:
    return "\n".join(json.dumps(row, ensure_ascii=False) for row in ROWS_BY_EXAMPLE_FILE[name])


if __name__ == "__main__":
    COMMANDS_PAGE.write_text(render_page(), encoding="utf-8")
