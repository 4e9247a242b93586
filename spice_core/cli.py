"""The command line: ``python -m spice_core score``, ``parse``, ``why``, and those of cli_gold.py."""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TextIO

from spice_core import cli_gold, conllu
from spice_core.data.factual import write_graph
from spice_core.data.items import Item, read_items
from spice_core.errors import InputError, SpiceError
from spice_core.evaluate import evaluate, means, parse_distinct
from spice_core.metric import Spice
from spice_core.propositions import Parse
from spice_core.rules import DependencyGraph
from spice_core.scoring import OVERALL, MeanScore
from spice_core.version import __version__

_SCORE_HELP = """INPUT is JSON or JSON lines: [{"image_id": 1, "test": "a dog", "refs": ["a brown dog", …]}, …]. A caption may
be a list of propositions instead: [["dog"], ["dog", "brown"], ["dog", "on", "sofa"]]."""


def main(argv: list[str] | None = None) -> int:
    """Run one command; returns the exit code: 0, or 2 after one line on bad input."""
    options = _parser().parse_args(argv)
    try:
        return options.run(options)
    except SpiceError as error:
        print(f"spice-core: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        return 1


def score(options: argparse.Namespace) -> int:
    """Score a file of candidates and references; write the reference program's JSON, print a summary."""
    if options.workers < 1:
        raise InputError("--workers", options.workers, "1 or more")
    items = read_items(Path(options.input))
    settings = _settings(options)
    rows, summary = _scored(items, settings, options)
    translated = [n for n, item in enumerate(items) if item.translation] if options.translations else []
    english, english_summary = _scored([items[n].translation for n in translated], {"lang": "en"}, options)
    for n, row in zip(translated, english):
        rows[n]["scores_en"] = row["scores"]
    text = json.dumps(rows, ensure_ascii=False) + "\n"
    if options.out:
        Path(options.out).write_text(text, encoding="utf-8")
    elif options.silent:
        sys.stdout.write(text)
    if not options.silent:
        print(summary)
        if options.translations:
            print(f"\nSPICE on the translations\n{english_summary}")
    return 0


def _scored(items: list[Item], settings: dict[str, object], options: argparse.Namespace) -> tuple[list[dict], str]:
    """The output row of each item, every distinct caption parsed once; and means, counts and what they depend on."""
    spice = Spice(**settings)
    captions = list(dict.fromkeys(c for item in items for c in item.captions))
    parsed = parse_distinct(captions, settings, workers=options.workers)
    parses = dict(_progress(parsed, len(captions), "captions", options.silent)) if captions else {}
    rows, scores, signatures = [], [], {}
    for item, result in evaluate(items, spice, parses):
        rows.append(result.as_reference_json(item.image_id, categories=options.subset, detailed=options.detailed))
        scores.append(result.scores)
        signatures[str(result.signature)] = None
    summary = means(scores)
    table = _table(summary if options.subset else {name: s for name, s in summary.items() if name == OVERALL})
    return rows, "\n".join([table, f"{len(items)} images, {len(captions)} distinct captions", *signatures])


def parse(options: argparse.Namespace) -> int:
    """Parse captions, one a line, or trees in CoNLL-U; print one JSON line for each caption."""
    spice = Spice(**_settings(options))
    with _opened(options.file) as lines:
        for parsed in _parses(spice, lines, options):
            graph = spice.graph([parsed])
            row = {
                "caption": parsed.caption,
                "propositions": [list(p.words) for p in parsed.propositions],
                "tuples": [list(t.words) for t in graph.tuples()],
            }
            if options.factual:
                row["scene_graph"] = write_graph(cli_gold.in_factual_style(parsed, options.lang).propositions)
            print(json.dumps(row, ensure_ascii=False))
    return 0


def why(options: argparse.Namespace) -> int:
    """For two words of a caption: the tuples that relate them, or what stopped the rules that might have."""
    spice = Spice(**_settings(options))
    (parsed,) = spice.parse([options.caption])
    for number, sentence in enumerate(parsed.document.sentences):
        a, b = ([t.index for t in sentence.tokens if word.lower() in (t.text.lower(), t.lemma)] for word in options.words)
        if a and b:
            break
    else:
        raise InputError("WORD", " ".join(options.words), f"two words of one sentence of {options.caption!r}")
    graph = DependencyGraph(sentence.tokens, sentence.enhanced)
    pair = {a[0], b[0]}
    for p in parsed.propositions:
        if p.sentence == number and pair <= {t.index for part in p.tokens for t in part}:
            print(f"{p.rule}: {' – '.join(p.words)}")
    for rule, failure in spice.rules.why_not(graph, a[0], b[0]):
        print(f"no {rule.name}, for want of: {failure.condition}; found: {failure.found}")
    return 0


def _parses(spice: Spice, lines: TextIO, options: argparse.Namespace) -> Iterator[Parse]:
    if not options.conllu:
        captions = [line.rstrip("\r\n") for line in lines]
        # the analyser normalises white space; the caption is given back as it came
        for caption, parsed in zip(captions, spice.parse(captions)):
            yield replace(parsed, caption=caption)
        return
    for document in conllu.read(lines, name=options.file):
        yield spice.parse_document(document)


def _opened(name: str) -> TextIO:
    if name == "-":
        sys.stdin.reconfigure(encoding="utf-8")
        return sys.stdin
    try:
        return open(name, encoding="utf-8-sig")
    except OSError as error:
        raise InputError(name, error.strerror, "a readable file") from None


def _settings(options: argparse.Namespace) -> dict[str, object]:
    synonyms = "none" if getattr(options, "no_synsets", False) else getattr(options, "synonyms", None)
    return {"lang": options.lang, "analyser": options.analyser, "rules": options.rules, "synonyms": synonyms}


def _progress(parsed: Iterable, total: int, unit: str, silent: bool) -> Iterable:
    from tqdm import tqdm

    return tqdm(parsed, total=total, unit=f" {unit}", disable=silent or not sys.stderr.isatty(), file=sys.stderr)


def _table(summary: dict[str, MeanScore]) -> str:
    lines = [f"{'':<12}{'F1':>8}{'P':>8}{'R':>8}{'matched':>10}{'candidate':>11}{'reference':>11}{'images':>8}"]
    for name, s in summary.items():
        ratios = "".join(f"{'n/a' if math.isnan(x) else format(x, '.3f'):>8}" for x in (s.f1, s.precision, s.recall))
        lines.append(f"{name:<12}{ratios}{s.matched:>10}{s.candidate:>11}{s.reference:>11}{s.images:>8}")
    return "\n".join(lines)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="spice-core", description="SPICE: scene graphs of image captions, matched and scored.")
    parser.add_argument("--version", action="version", version=f"spice-core {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--lang", default="en", help="language of the captions: en (default) or ja")
    shared.add_argument(
        "--analyser",
        help="analyser: spice-2016, caption or spacy:NAME for an installed pipeline; ja: ginza or ginza:NAME (the first is the default)",
    )
    shared.add_argument(
        "--rules", help="rule set: spice-2016 or caption; ja: ja-caption, jaspice-2023, ja-ud; or the path of a rule file (.toml)"
    )

    command = commands.add_parser("score", parents=[shared], help="score candidates against references", description=_SCORE_HELP)
    command.add_argument("input", metavar="INPUT")
    command.add_argument("--out", metavar="FILE", help="write the results here, as the reference program's JSON")
    command.add_argument("--subset", action="store_true", help="also the categories: object, relation, attribute, colour, …")
    command.add_argument("--detailed", action="store_true", help="also the tuples with their truth values")
    command.add_argument(
        "--synonyms",
        help="synonym source: wn3.0+collisions, wn3.0, none; ja: sudachi+captions, sudachi, sudachi+wordnet[:wnjpn.db], wordnet[:wnjpn.db], none",
    )
    command.add_argument("--no-synsets", action="store_true", help="no synonyms: only equal words match")
    command.add_argument("--translations", action="store_true", help="also SPICE on the English of fields test_en and refs_en")
    command.add_argument("--workers", type=int, default=1, metavar="N", help="processes for parsing (default: 1)")
    command.add_argument("--silent", action="store_true", help="no summary, no progress; without --out the JSON goes to standard output")
    command.set_defaults(run=score)

    command = commands.add_parser("why", parents=[shared], help="why two words of a caption make a tuple, or why not")
    command.add_argument("caption", metavar="CAPTION")
    command.add_argument("words", metavar="WORD", nargs=2)
    command.set_defaults(run=why)

    command = commands.add_parser("parse", parents=[shared], help="propositions and tuples of captions")
    command.add_argument("file", metavar="FILE", help="one caption a line; - for standard input")
    command.add_argument("--conllu", action="store_true", help="FILE holds trees in CoNLL-U, used as they are")
    command.add_argument("--factual", action="store_true", help="also the scene graph in FACTUAL's notation and conventions")
    command.set_defaults(run=parse)

    cli_gold.add_commands(commands, shared)
    return parser
