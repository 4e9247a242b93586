"""The command line: ``python -m spice_core score``, ``compare``, ``parse``, ``why``, ``gold`` and ``factual``."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import TextIO

from spice_core import conllu
from spice_core.commands import gold, resampling
from spice_core.commands.agree import DEFAULT, agree
from spice_core.commands.agree import FORMATS as AGREEMENT_FORMATS
from spice_core.commands.compare import FORMATS, compare
from spice_core.commands.interrupts import Interrupts, exit_code
from spice_core.commands.metrics import metrics
from spice_core.commands.score import score, settings
from spice_core.data.factual import write_graph
from spice_core.data.items import in_utf8, text
from spice_core.data.rows import readable
from spice_core.errors import InputError, SpiceError
from spice_core.files import check_regular
from spice_core.metric import Spice
from spice_core.propositions import Parse
from spice_core.rules import DependencyGraph
from spice_core.version import __version__

_SCORE_HELP = """INPUT is JSON or JSON lines: [{"image_id": 1, "test": "a dog", "refs": ["a brown dog", …]}, …], or a table (.csv,
.tsv) with columns image_id, test and ref1, ref2 …; with --references it holds results: [{"image_id": 1, "caption": "a dog"}, …].
A caption may be a list of propositions instead: [["dog"], ["dog", "brown"], ["dog", "on", "sofa"]]."""


def main(argv: list[str] | None = None) -> int:
    """Run one command; returns the exit code: 0, 2 after a line on each problem of the input, 130 after SIGINT, 143 after SIGTERM."""
    options = _parser().parse_args(argv)
    sys.stdout = sys.stdout or open(os.devnull, "w")  # a closed one is None
    try:
        with Interrupts():
            code = options.run(options)
            sys.stdout.flush()
            return code
    except SpiceError as error:
        print(f"spice-core: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        _give_up_output()
        return 1
    except OSError as error:  # of standard output, most likely: files are named where they are read and written
        _give_up_output()
        print(f"spice-core: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt as interrupt:
        return exit_code(interrupt)


def parse(options: argparse.Namespace) -> int:
    """Parse captions, one a line, or trees in CoNLL-U; print one JSON line for each caption."""
    spice = Spice(**dict(settings(options)))
    for parsed in _parses(spice, options):
        graph = spice.graph([parsed])
        row = {
            "caption": parsed.caption,
            "propositions": [list(p.words) for p in parsed.propositions],
            "tuples": [list(t.words) for t in graph.tuples()],
        }
        if options.factual:
            row["scene_graph"] = write_graph(gold.in_factual_style(parsed, options.lang).propositions)
        print(json.dumps(row, ensure_ascii=False))
    return 0


def why(options: argparse.Namespace) -> int:
    """For two words of a caption: the tuples that relate them, or what stopped the rules that might have."""
    spice = Spice(**dict(settings(options)))
    (parsed,) = spice.parse([options.caption])
    for number, sentence in enumerate(parsed.document.sentences):
        a, b = ([t.index for t in sentence.tokens if word.lower() in (t.text.lower(), t.lemma)] for word in options.words)
        pair = next(((i, j) for i in a for j in b if i != j), None)
        if pair:
            break
    else:
        raise InputError("WORD", " ".join(options.words), f"two words of one sentence of {options.caption!r}")
    graph = DependencyGraph.of(sentence)
    for p in parsed.propositions:
        if p.sentence == number and set(pair) <= {t.index for part in p.tokens for t in part}:
            print(f"{p.rule}: {' – '.join(p.words)}")
    for rule, failure in spice.rules.why_not(graph, *pair):
        print(f"no {rule.name}, for want of: {failure.condition}; found: {failure.found}")
    return 0


def _give_up_output() -> None:
    """What is still held for standard output goes nowhere; the interpreter would complain of it at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parses(spice: Spice, options: argparse.Namespace) -> Iterator[Parse]:
    if not options.conllu:
        lines = enumerate(_lines(options.file), 1)
        captions = [text(line.rstrip("\r\n"), f"{options.file}, line {number}") for number, line in lines]
        # the analyser normalises white space; the caption is given back as it came
        for caption, parsed in zip(captions, spice.parse(captions)):
            yield replace(parsed, caption=caption)
        return
    for document in conllu.read(_lines(options.file), name=options.file):
        yield spice.parse_document(document)


def _lines(name: str) -> Iterator[str]:
    with readable(name), _opened(name) as file:
        for number, line in enumerate(file, 1):
            yield in_utf8(line, f"{name}, line {number}")


def _opened(name: str) -> TextIO:
    if name == "-" and sys.stdin:
        sys.stdin.reconfigure(encoding="utf-8-sig", errors="surrogateescape")
        return sys.stdin
    check_regular(name)
    return open(name, encoding="utf-8-sig", errors="surrogateescape")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="spice-core", description="SPICE: scene graphs of image captions, matched and scored.")
    parser.add_argument("--version", action="version", version=f"spice-core {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--lang", default="en", help="language of the captions: en (default) or ja")
    shared.add_argument(
        "--analyser",
        help="analyser: caption, spice-2016 or spacy:NAME for an installed pipeline; ja: ginza or ginza:NAME (the first is the default)",
    )
    shared.add_argument(
        "--rules", help="rule set: caption or spice-2016; ja: ja-caption, jaspice-2023, ja-ud; or the path of a rule file (.toml)"
    )

    inputs = argparse.ArgumentParser(add_help=False)
    inputs.add_argument("input", metavar="INPUT")
    inputs.add_argument("--references", metavar="FILE", help="COCO annotations, Visual Genome scene graphs, or a table (image_id, caption)")
    inputs.add_argument("--columns", nargs="+", default=[], metavar="FIELD=NAME[,NAME]", help="columns of a table: image_id=photo refs=a,b")
    inputs.add_argument("--delimiter", metavar="CHARACTER", help="what stands between the columns of a table")
    inputs.add_argument("--repeated-ids", action="store_true", help="the same image may come more than once")
    inputs.add_argument("--empty-captions", action="store_true", help="a candidate without text is scored as 0 and no problem")
    inputs.add_argument("--skip-bad", action="store_true", help="score the good rows where others are bad")
    inputs.add_argument("--problems", metavar="FILE", help="write all problems of the input here, as JSON lines")

    command = commands.add_parser("score", parents=[shared, inputs], help="score candidates against references", description=_SCORE_HELP)
    command.add_argument("--out", metavar="FILE", help="write the results here, as the reference program's JSON; FILE.jsonl: row by row")
    command.add_argument("--resume", action="store_true", help="go on with an --out FILE.jsonl that an earlier run left")
    command.add_argument("--cache", metavar="FILE", help="keep parses here between runs")
    command.add_argument("--subset", action="store_true", help="also the categories: object, relation, attribute, colour, …")
    command.add_argument("--detailed", action="store_true", help="also the tuples with their truth values")
    command.add_argument(
        "--synonyms",
        help="synonym source: wn3.0+collisions, wn3.0, none; ja: sudachi+captions, sudachi, sudachi+wordnet[:wnjpn.db], wordnet[:wnjpn.db], none",
    )
    command.add_argument("--no-synsets", action="store_true", help="no synonyms: only equal words match")
    command.add_argument("--translations", action="store_true", help="also SPICE on the English of fields test_en and refs_en")
    command.add_argument("--workers", type=int, default=1, metavar="N", help="processes (default: 1)")
    command.add_argument("--dask", metavar="ADDRESS", help="compute on the workers of this Dask scheduler")
    command.add_argument("--silent", action="store_true", help="no summary, no progress; without --out the JSON goes to standard output")
    command.set_defaults(run=score)

    command = commands.add_parser("compare", help="compare systems by the result files that score wrote")
    command.add_argument(
        "results", metavar="RESULTS", nargs="+", help="result file of a system; with --subset's categories, if they are wanted"
    )
    command.add_argument("--names", nargs="+", metavar="NAME", help="names of the systems (default: those of the files)")
    command.add_argument("--baseline", metavar="NAME", help="the system to compare with, or its file (default: the first)")
    command.add_argument("--format", choices=FORMATS, default="text", help="what to print (default: text)")
    command.add_argument("--out", metavar="FILE", help="write the table here")
    resampling.add_options(command)
    command.set_defaults(run=compare)

    command = commands.add_parser(
        "metrics", parents=[shared, inputs], help="SPICE beside soft matching, BLEU, METEOR, CIDEr …", description=_SCORE_HELP
    )
    command.add_argument(
        "--metrics", nargs="+", default=["all"], metavar="NAME", help="SPICE, soft, soft+, hypernyms, BLEU-4 … (default: all)"
    )
    command.add_argument("--synonyms", help="synonym source, as for score")
    resampling.add_options(command)
    command.add_argument("--out", metavar="FILE", help="write the scores of each image here: FILE.csv, or JSON lines")
    command.set_defaults(run=metrics)

    command = commands.add_parser("agree", parents=[shared], help="how metrics agree with people's ratings or choices")
    command.add_argument(
        "files", metavar="FILE", nargs="+", help="ratings (candidate, references, ratings) or choices (a, b, references, choice)"
    )
    command.add_argument(
        "--metrics", nargs="+", default=list(DEFAULT), metavar="NAME", help="SPICE, soft, soft+, hypernyms, BLEU-4 …, or all"
    )
    command.add_argument("--subset", action="store_true", help="also SPICE by category")
    command.add_argument("--synonyms", help="synonym source, as for score")
    command.add_argument("--level", choices=("caption", "system"), default="caption", help="of ratings (default: caption)")
    command.add_argument("--symmetric", action="store_true", help="score both ways and average: for similarity of two captions")
    command.add_argument("--first", type=int, metavar="N", help="only the first rows")
    command.add_argument("--baseline", default="", metavar="METRIC", help="what the others are compared with (default: the first)")
    resampling.add_options(command)
    command.add_argument("--format", choices=AGREEMENT_FORMATS, default="text", help="what to print (default: text)")
    command.add_argument("--out", metavar="FILE", help="write the table here")
    command.add_argument("--scores", metavar="FILE", help="write the scores of all captions here, as JSON")
    command.set_defaults(run=agree)

    command = commands.add_parser("why", parents=[shared], help="why two words of a caption make a tuple, or why not")
    command.add_argument("caption", metavar="CAPTION")
    command.add_argument("words", metavar="WORD", nargs=2)
    command.set_defaults(run=why)

    command = commands.add_parser("parse", parents=[shared], help="propositions and tuples of captions")
    command.add_argument("file", metavar="FILE", help="one caption a line; - for standard input")
    command.add_argument("--conllu", action="store_true", help="FILE holds trees in CoNLL-U, used as they are")
    command.add_argument("--factual", action="store_true", help="also the scene graph in FACTUAL's notation and conventions")
    command.set_defaults(run=parse)

    gold.add_commands(commands, shared)
    return parser
