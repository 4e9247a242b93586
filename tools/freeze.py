"""Freeze what the project computes, so that two versions of the code can be compared byte by byte.

    python tools/freeze.py write FOLDER            # texts and digests.json; FOLDER outside the repository
    python tools/freeze.py compare FOLDER FOLDER   # names what differs; exit 1 if anything does
    python tools/freeze.py compare FOLDER FOLDER --replace 'analyser:' 'parser:'

The code is reached by the command line and ``spice_core.Spice``; what has no such door is found by the names below.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import difflib
import hashlib
import importlib
import inspect
import io
import json
import os
import re
import runpy
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
# Doors by name, new places first; an adapter goes here if a signature changes.
DOORS = {
    "write_conllu": ("spice_core.syntax.conllu:write", "spice_core.syntax.conllu:write"),
    "Soft": ("spice_core.metrics.measure.soft:Soft", "spice_core.metrics.soft:Soft"),
    "Explanation": ("spice_core.explain.explanation:Explanation",),
    "networks": ("spice_core.draw.network:networks",),
    "svg": ("spice_core.draw.svg:svg",),
    "as_json": ("spice_core.report.export:as_json", "spice_core.report.export:as_json"),
    "graphml": ("spice_core.report.export:graphml", "spice_core.report.export:graphml"),
    "dot": ("spice_core.report.export:dot", "spice_core.report.export:dot"),
    "latex": ("spice_core.report.tables:latex", "spice_core.report.tables:latex"),
    "tuples_csv": ("spice_core.report.tables:tuples_csv", "spice_core.report.tables:tuples_csv"),
    "report": ("spice_core.report.result_page:report", "spice_core.report.result_page:report"),
    "unused": ("spice_core.explain.unused_words:find_unused_words", "spice_core.explain.unused_words:unused"),
    "unite": ("spice_core.draw.network:union",),
}
PARSERS = {"en": ("caption", "spice-2016"), "ja": ("ginza",)}
RULES = {"en": ("caption", "spice-2016"), "ja": ("ja-caption", "jaspice-2023", "ja-ud")}
SYNONYMS = {"en": ("wn3.0+collisions", "wn3.0", "none"), "ja": ("sudachi+captions", "sudachi", "none")}
EXPORTED = 8  # results that are drawn, of each language
COMMANDS = (
    "--help",
    "--version",
    *(f"{name} --help" for name in ("score", "compare", "metrics", "agree", "why", "parse", "gold", "factual")),
    "score en.json",
    "score en.json --subset --detailed --out en-caption.json",
    "score en.json --subset --out en-2016.json --analyser spice-2016",
    "score en.json --subset --detailed --silent --no-synsets --out en-none.jsonl",
    "score en.csv --rules spice-2016 --cache en.cache",
    "score en.csv --rules spice-2016 --cache en.cache",
    "score results.json --references references.json --subset --silent",
    "score tuples.json --silent --detailed",
    "score bad.json --problems problems.jsonl",
    "score bad.json --skip-bad",
    "score nothing.json",
    "score en.json --analyser nothing",
    "score en.json --rules nothing",
    "score en.json --synonyms nothing",
    "score --lang ja ja.json --subset --out ja-caption.json",
    "score --lang ja ja.json --subset --detailed --rules jaspice-2023 --out ja-2023.jsonl",
    *(f"compare en-caption.json en-2016.json en-none.jsonl --resamples 200 --format {f}" for f in ("text", "latex", "html", "csv")),
    "compare en-caption.json --names",
    "metrics en.json --resamples 200 --out en-metrics.jsonl",
    "metrics en.json --metrics SPICE BLEU-4 nothing",
    "metrics --lang ja ja.json --resamples 200 --out ja-metrics.csv",
    *(f"agree ratings.jsonl --resamples 200 --format {f}" for f in ("text", "json", "csv")),
    "agree ratings.jsonl --lang ja --metrics SPICE CIDEr --subset --symmetric --first 20 --resamples 50 --scores agree-ja.json",
    "parse captions-en.txt",
    "parse captions-en.txt --factual --analyser spice-2016",
    "parse captions-en.txt --rules spice-2016",
    "parse --conllu trees.conllu",
    "parse captions-ja.txt --lang ja --rules ja-ud",
    "gold gold_en.jsonl",
    "gold gold_en.jsonl --half dev --analyser spice-2016 --silent",
    "gold gold_ja.jsonl --lang ja --place-links",
    "gold gold_ja.jsonl --lang ja --rules jaspice-2023",
    "factual factual.jsonl",
    "factual factual.jsonl --lang ja",
    ("why", "a brown dog lies on a couch near two cats", "dog", "couch"),
    ("why", "a brown dog lies on a couch near two cats", "dog", "two"),
    ("why", "茶色い犬がソファーの上で寝ている", "犬", "ソファー", "--lang", "ja"),
    ("why", "a dog", "dog", "horse"),
)


def main(argv: list[str] | None = None) -> int:
    """Run one of the two commands; returns the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    commands = parser.add_subparsers(required=True, dest="command")
    commands.add_parser("write", help="compute everything").add_argument("folder", type=Path)
    command = commands.add_parser("compare", help="name the parts that differ")
    command.add_argument("old", type=Path)
    command.add_argument("new", type=Path)
    command.add_argument("--replace", nargs=2, action="append", default=[], metavar=("REGEX", "TEXT"), help="in the old texts, first")
    options = parser.parse_args(argv)
    if options.command == "write":
        return write(options.folder.resolve())
    return compare(options.old, options.new, options.replace)


def write(folder: Path) -> int:
    """Write each part as a text, with the digests of all and how long each took."""
    if folder.is_relative_to(ROOT):
        raise SystemExit(f"{folder}: expected a folder outside the repository")
    folder.mkdir(parents=True, exist_ok=True)
    os.environ |= {"COLUMNS": "140"}  # the width of help texts
    sys.path[:0] = [str(ROOT)]
    digests, seconds, started = {}, {}, time.perf_counter()
    for name, text in parts():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode("utf-8", errors="surrogateescape"))
        digests[name] = hashlib.sha256(target.read_bytes()).hexdigest()
        seconds[name], started = round(time.perf_counter() - started, 2), time.perf_counter()
    for name, found in (("digests.json", digests), ("seconds.json", seconds)):
        (folder / name).write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    print(f"{len(digests)} parts, {sum(seconds.values()):.0f} s")
    return 0


def compare(old: Path, new: Path, replace: Iterable[tuple[str, str]]) -> int:
    """Print the parts that differ, with the first lines that do; returns 1 if there are any."""
    before, after = (json.loads((f / "digests.json").read_bytes()) for f in (old, new))
    differ = 0
    for name in sorted(before | after):
        if before.get(name) == after.get(name):
            continue
        if name in before and name in after:
            a, b = ((f / name).read_text(encoding="utf-8", errors="surrogateescape") for f in (old, new))
            for pattern, text in replace:
                a = re.sub(pattern, text, a)
            if a == b:
                continue
            print(f"differs: {name}")
            changed = (
                line
                for line in difflib.unified_diff(a.split("\n"), b.split("\n"), "", "", n=0, lineterm="")
                if line[:2] not in ("--", "++")
            )
            print(*(f"    {line[:300]}" for line in islice(changed, 8)), sep="\n")
        else:
            print(f"only {'before' if name in before else 'after'}: {name}")
        differ += 1
    print(f"{differ} of {len(before | after)} parts differ")
    return 1 if differ else 0


def parts() -> Iterator[tuple[str, str]]:
    """The names of all parts with their texts."""
    for lang in PARSERS:
        captions = _captions(lang)
        for parser in PARSERS[lang]:
            for rules in RULES[lang]:
                yield from _parses(lang, parser, rules, captions)
        for parser in PARSERS[lang]:
            for synonyms in SYNONYMS[lang]:
                yield _scores(lang, parser, synonyms)
        yield from _exports(lang)
        yield _soft(lang)
    yield from _command_line()


def door(name: str) -> Callable[..., Any]:
    """The function of this name, wherever it lives now."""
    for place in DOORS[name]:
        module, _, attribute = place.partition(":")
        with contextlib.suppress(ModuleNotFoundError, AttributeError):
            return getattr(importlib.import_module(module), attribute)
    raise SystemExit(f"{name}: in none of {', '.join(DOORS[name])}")


def metric(lang: str, *, parser: str | None = None, **settings: Any) -> Any:
    """``Spice``, whatever its parser is called."""
    from spice_core import Spice

    called = "parser" if "parser" in inspect.signature(Spice).parameters else "analyser"
    return Spice(lang, **{**settings, called: parser})


def _parses(lang: str, parser: str, rules: str, captions: list[str]) -> Iterator[tuple[str, str]]:
    """Propositions with rules and tokens, tuples, words without a tuple; and the trees."""
    spice, lines, trees = metric(lang, parser=parser, rules=rules), [], []
    for parse in spice.parse(captions):
        propositions = [[*p.words, p.rule, p.sentence, [[t.index for t in part] for part in p.tokens]] for p in parse.propositions]
        tuples = [[*t.words, len(t.mentions)] for t in spice.graph([parse]).tuples()]
        left = [[u.token.text, u.relation, u.reason] for u in door("unused")(parse, spice.rules)]
        lines.append(_json([parse.caption, parse.analyser if hasattr(parse, "analyser") else parse.parser, propositions, tuples, left]))
        trees.append(door("write_conllu")(parse.document))
    yield f"{lang}/parses-{parser}-{rules}.jsonl", "".join([*lines, f"{spice.signature}\n"])
    yield f"{lang}/trees-{parser}-{rules}.conllu", "".join(trees)


def _results(lang: str, parser: str | None = None, synonyms: str | None = None) -> Iterator[tuple[Any, Any]]:
    spice = metric(lang, parser=parser, synonyms=synonyms)
    items = _items(lang)
    parsed = {p.caption: p for p in spice.parse(dict.fromkeys(c for _, mine, refs in items for c in (mine, *refs)))}
    for _, mine, refs in items:
        yield spice, spice.compare(parsed[mine], [parsed[r] for r in refs])


def _explained(spice: Any, result: Any) -> Any:
    explanation: Any = door("Explanation")
    return explanation.of(result, spice)


def _scores(lang: str, parser: str, synonyms: str) -> tuple[str, str]:
    """Counts, ratios, tuples, states, partners and evidence of each image."""
    found = _results(lang, parser, synonyms)
    lines = (_json([json.loads(door("as_json")(_explained(s, r))), r.as_reference_json(1, detailed=True), r.as_row()]) for s, r in found)
    return f"{lang}/scores-{parser}-{synonyms}.jsonl", "".join(lines)


def _soft(lang: str) -> tuple[str, str]:
    """The soft metrics by every similarity, with their pairs."""
    lines = []
    for similarity in {"en": ("minilm", "static", "hypernyms"), "ja": ("words", "hypernyms")}[lang]:
        soft = None
        for spice, result in islice(_results(lang), 30):
            soft = soft or door("Soft")(spice, similarity)
            found = soft.of(result)
            pairs = [[m.candidate.words, m.reference.words, m.similarity if hasattr(m, "similarity") else m[2]] for m in found.matches]
            lines.append(_json([found.f1, found.precision, found.recall, found.plus, found.categories, pairs, found.signature]))
    return f"{lang}/soft.jsonl", "".join(lines)


def _exports(lang: str) -> Iterator[tuple[str, str]]:
    """Drawings, tables and pages of a few results."""
    for number, (spice, result) in enumerate(islice(_results(lang), EXPORTED)):
        explanation = _explained(spice, result)
        both = door("networks")(result)
        network = door("unite")(*both)
        made = {
            "svg": door("svg")(result),
            "graphml": door("graphml")(network),
            "dot": door("dot")(network),
            "tex": door("latex")(result),
            "csv": door("tuples_csv")(explanation).decode("utf-8"),
            "html": door("report")(explanation),
            "txt": f"{result}\n",
        }
        for ending, text in made.items():
            yield f"{lang}/exports/{number}.{ending}", text


def _command_line() -> Iterator[tuple[str, str]]:
    """What each command prints and writes, run one after another in a folder of its own."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            _inputs(Path(folder))
            for number, line in enumerate(COMMANDS):
                arguments = line.split() if isinstance(line, str) else list(line)
                seen = _files()
                code, out, error = _run(arguments)
                written = {name: _text(name) for name, stamp in _files().items() if seen.get(name) != stamp and not name.endswith("cache")}
                files = "".join(f"\n--- {name}\n{text}" for name, text in sorted(written.items()))
                yield f"cli/{number:02}-{arguments[0].lstrip('-')}.txt", f"$ {arguments}\n{code}\n--- out\n{out}\n--- error\n{error}{files}"
        finally:
            os.chdir(before)


def _run(arguments: list[str]) -> tuple[object, str, str]:
    out, error, argv = io.StringIO(), io.StringIO(), sys.argv
    sys.argv = ["spice_core", *arguments]
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(error):
            runpy.run_module("spice_core", run_name="__main__", alter_sys=False)
        code: object = 0
    except SystemExit as exit_:
        code = exit_.code
    finally:
        sys.argv = argv
    return code, out.getvalue(), error.getvalue()


def _files() -> dict[str, tuple[int, int]]:
    return {p.name: (p.stat().st_mtime_ns, p.stat().st_size) for p in Path.cwd().iterdir() if p.is_file()}


def _text(name: str) -> str:
    return Path(name).read_text(encoding="utf-8", errors="surrogateescape")


def _inputs(folder: Path) -> None:
    """The files that the commands read."""
    for lang in PARSERS:
        rows = [{"image_id": i, "test": mine, "refs": refs} for i, mine, refs in _items(lang)[:40]]
        (folder / f"{lang}.json").write_text(_json(rows), encoding="utf-8")
        (folder / f"captions-{lang}.txt").write_text("".join(f"{c}\n" for c in _captions(lang)[:60]), encoding="utf-8")
        (folder / f"gold_{lang}.jsonl").write_bytes((ROOT / f"assets/gold/gold_{lang}.jsonl").read_bytes())
    items = _items("en")[:40]
    with (folder / "en.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["image_id", "test", "ref1", "ref2"], *([i, mine, *refs[:2]] for i, mine, refs in items)])
    (folder / "results.json").write_text(_json([{"image_id": i, "caption": mine} for i, mine, _ in items]), encoding="utf-8")
    notes = [{"id": n, "image_id": i, "caption": r} for n, (i, r) in enumerate((i, r) for i, _, refs in items for r in refs)]
    (folder / "references.json").write_text(_json({"images": [{"id": i} for i, *_ in items], "annotations": notes}), encoding="utf-8")
    stored = [json.loads(line) for line in (ROOT / "tests/golden/scores.jsonl").read_text(encoding="utf-8").splitlines()]
    (folder / "tuples.json").write_text(
        _json([{"image_id": r["id"], "test": r["test"], "refs": r["refs"]} for r in stored]), encoding="utf-8"
    )
    bad = [
        {"image_id": 1, "test": "a dog", "refs": ["a dog"]},
        {"image_id": 1, "test": "a cat", "refs": ["a cat"]},
        {"test": 3, "refs": []},
    ]
    (folder / "bad.json").write_text(_json(bad), encoding="utf-8")
    rated = [{"candidate": a, "references": [b], "ratings": [score]} for a, b, score in _pairs()[:60]]
    (folder / "ratings.jsonl").write_text("".join(map(_json, rated)), encoding="utf-8")
    (folder / "trees.conllu").write_bytes((ROOT / "tests/golden/propositions.conllu").read_bytes())
    graphs = [{"caption": refs[0], "scene_graph": "( dog , is , brown ) , ( dog , on , sofa )"} for _, _, refs in items[:10]]
    (folder / "factual.jsonl").write_text("".join(map(_json, graphs)), encoding="utf-8")


def _captions(lang: str) -> list[str]:
    gold = [json.loads(line)["caption"] for line in (ROOT / f"assets/gold/gold_{lang}.jsonl").read_text(encoding="utf-8").splitlines()]
    if lang == "en":
        return list(dict.fromkeys((ROOT / "assets/captions/coco_500.txt").read_text(encoding="utf-8").splitlines() + gold))
    return list(dict.fromkeys([*gold, *(c for a, b, _ in _pairs() for c in (a, b))]))[:500]


def _items(lang: str) -> list[tuple[object, str, list[str]]]:
    """Image, candidate and references."""
    if lang == "en":
        rows = map(json.loads, (ROOT / "assets/samples/coco.jsonl").read_text(encoding="utf-8").splitlines())
        return [(row["image_id"], row["captions"][0], row["captions"][1:]) for row in rows]
    pairs = _pairs()
    return [(n, a, [b, pairs[n + 1][0]]) for n, (a, b, _) in enumerate(pairs[:100])]


def _pairs() -> list[tuple[str, str, float]]:
    stored = json.loads((ROOT / "assets/agreement/sample_ja.json").read_bytes())
    return [(item["candidate"], item["references"][0], item["rating"]) for item in stored["items"]]


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.exit(main())
