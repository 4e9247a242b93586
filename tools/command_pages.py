"""Write docs/commands.md: the options of every command, read off its parser, and an example with what it prints.

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

PAGE = Path(__file__).resolve().parents[1] / "docs" / "commands.md"
FILES: dict[str, list[dict[str, object]]] = {
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
    "gold.jsonl": [{"caption": "A brown dog on a sofa.", "tuples": [["dog"], ["sofa"], ["dog", "brown"], ["dog", "on", "sofa"]]}],
    "factual.jsonl": [{"caption": "a brown dog on a sofa", "scene_graph": "( dog , is , brown ) , ( dog , on , sofa )"}],
}
EXAMPLES = {  # the last command of each is the one whose output is shown; empty for files that cannot lie here
    "score": ["spice-core score captions.json --subset --out A.json"],
    "compare": ["spice-core score other.json --subset --out B.json --silent", "spice-core compare A.json B.json --format csv"],
    "metrics": ["spice-core metrics captions.json --metrics SPICE soft CIDEr-D"],
    "agree": ["spice-core agree ratings.jsonl --metrics SPICE soft --resamples 100"],
    "parse": ["echo 'A red bus on a narrow street' | spice-core parse -"],
    "why": ["spice-core why 'A brown dog on a sofa.' dog brown"],
    "gold": ["spice-core gold gold.jsonl --silent"],
    "factual": ["spice-core factual factual.jsonl --silent"],
    "frequencies": ["spice-core frequencies captions.json --out frequencies.json"],
    "import-wordnet": ["spice-core import-wordnet wnjpn.db.gz"],
}
_NOT_HERE = ("import-wordnet",)
_COMMON = 3  # commands that share an option of the common table; two, where its meaning is the same
_LINES = 8  # of an output
_INTRO = """# Commands

Written by `python -m tools.command_pages` from the commands themselves, examples included: the outputs are what was printed.

The examples read small files, shown here as JSON lines; `captions.json` and `other.json` hold the same as arrays.
"""
_ENDS = """## Exit codes

| code | meaning |
|---|---|
| 0 | done |
| 2 | wrong input or options: one line for each problem on standard error (file, row and field, what was found, what was expected) |
| 130, 143 | ended by Ctrl-C, by SIGTERM; what was written stays |
"""


def page() -> str:
    """The text of docs/commands.md."""
    commands, summaries = _commands()
    options = [(_key(a), _help(a)) for command in commands.values() for a in _shown(command) if a.option_strings and "--out" not in _key(a)]
    common = {key for key, number in Counter(key for key, _ in options).items() if number >= _COMMON}
    common |= {key for (key, _), number in Counter(options).items() if number > 1}
    lines = [_INTRO, *(f"`{name}`:\n\n```json\n{_rows(name)}\n```\n" for name in FILES)]
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        write_files()
        for i, (name, command) in enumerate(commands.items()):
            lines += _section(name, summaries[name], command, common, dict(list(commands.items())[:i]))
    known: dict[str, str] = {}
    for command in commands.values():
        for action in _shown(command):
            if _key(action) in common:
                known.setdefault(_key(action), _help(action))
    lines += ["## Common options\n", *_table(known.items()), "", _ENDS]
    return "\n".join(lines)


def write_files() -> None:
    """The files of the examples, in this folder."""
    for name, rows in FILES.items():
        Path(name).write_text(_rows(name) if name.endswith("l") else json.dumps(rows), encoding="utf-8")


def _commands() -> tuple[dict[str, argparse.ArgumentParser], dict[str, str]]:
    """The parser of each command, and its line in the list of commands."""
    (choices,) = [action for action in main._parser()._actions if isinstance(action, argparse._SubParsersAction)]
    return dict(choices.choices), {action.dest: str(action.help) for action in choices._choices_actions}


def _section(
    name: str, summary: str, command: argparse.ArgumentParser, common: set[str], before: Mapping[str, argparse.ArgumentParser]
) -> Iterator[str]:
    yield f"## {name}\n"
    yield f"{summary[0].upper()}{summary[1:]}{'' if summary.endswith('…') else '.'}\n"
    if command.description:
        same = next((other for other, each in before.items() if each.description == command.description), "")
        yield f"Input as for [{same}](#{same}).\n" if same else f"{' '.join(command.description.split())}\n"
    own = {_key(action): _help(action) for action in _shown(command) if _key(action) not in common and action.help}
    if own:
        yield from [*_table(own.items()), ""]
    taken = [key for action in _shown(command) if (key := _key(action)) in common]
    if taken:
        yield f"Also {', '.join(taken)}: see [common options](#common-options).\n"
    if command.epilog:
        yield f"{' '.join(command.epilog.split())}\n"
    lines = EXAMPLES.get(name, [])
    if lines:
        yield "```\n" + "\n".join(lines) + "\n```\n"
    if lines and name not in _NOT_HERE:
        yield f"```text\n{[run(line) for line in lines][-1]}\n```\n"


def run(line: str) -> str:
    """What a command line prints; ``echo 'TEXT' |`` before it is its standard input."""
    before, _, after = line.rpartition("spice-core ")
    given = " ".join(shlex.split(before)[1:-1]) if before else ""
    out, real = io.StringIO(), sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(given.encode()))
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
            code = main.main(shlex.split(after))
    finally:
        sys.stdin = real
    if code:
        raise SystemExit(f"{line}: exit code {code}")
    printed = [text.rstrip() for text in out.getvalue().rstrip().splitlines()]
    return "\n".join(printed if len(printed) <= 2 * _LINES else [*printed[:_LINES], "…"])


def _shown(command: argparse.ArgumentParser) -> list[argparse.Action]:
    """The arguments that the help lists."""
    hidden = (argparse._HelpAction,)
    return [
        a for a in command._actions if not isinstance(a, hidden) and a.help is not argparse.SUPPRESS and (a.help or not a.option_strings)
    ]


def _key(action: argparse.Action) -> str:
    """An argument as it is written: ``--lang LANG``."""
    value = action.metavar or (f"{{{','.join(map(str, action.choices))}}}" if action.choices else action.dest.upper())
    value = value if isinstance(value, str) else " ".join(value)
    many = " …" if action.nargs in ("+", "*", 2) else ""
    written = action.option_strings[-1] if action.option_strings else ""
    return f"`{' '.join(filter(None, (written, '' if action.nargs == 0 else value)))}{many}`"


def _help(action: argparse.Action) -> str:
    return " ".join((action.help or "").split()).replace("%%", "%")


def _table(rows: Iterable[tuple[str, str]]) -> list[str]:
    return ["| option | meaning |", "|---|---|", *(f"| {_cell(key)} | {_cell(text)} |" for key, text in rows)]


def _cell(text: str) -> str:
    return text.replace("|", r"\|")


def _rows(name: str) -> str:
    return "\n".join(json.dumps(row, ensure_ascii=False) for row in FILES[name])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
