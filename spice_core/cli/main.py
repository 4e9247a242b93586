"""The command line: ``python -m spice_core score``, ``compare``, ``parse``, ``why``, ``gold``, ``factual``, ``import-wordnet``, ``app``."""

from __future__ import annotations

import argparse
import io
import os
import sys
from typing import TYPE_CHECKING

from spice_core.cli import app, arguments, gold, wordnet
from spice_core.cli.agree import agree
from spice_core.cli.compare import compare
from spice_core.cli.interrupts import Interrupts, exit_code
from spice_core.cli.metrics import metrics
from spice_core.cli.parse import parse
from spice_core.cli.score import score
from spice_core.cli.why import why
from spice_core.errors import SpiceError
from spice_core.lang import LANGUAGES, language
from spice_core.metrics.config import SpiceConfig
from spice_core.metrics.registry import DEFAULT, METRICS
from spice_core.report.agreement import FORMATS as AGREEMENT_FORMATS
from spice_core.report.comparison import FORMATS
from spice_core.version import __version__

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]

_SCORE_HELP = """INPUT is JSON or JSON lines: [{"image_id": 1, "test": "a dog", "refs": ["a brown dog", …]}, …], or a table (.csv,
.tsv) with columns image_id, test and ref1, ref2 …; with --references, INPUT holds results: [{"image_id": 1, "caption": "a dog"}, …].
A caption may be a list of propositions instead: [["dog"], ["dog", "brown"], ["dog", "on", "sofa"]]."""


def main(argv: list[str] | None = None) -> int:
    """Run one command; returns the exit code: 0, 2 after a line on each problem of the input, 130 after SIGINT, 143 after SIGTERM."""
    options = _parser().parse_args(argv)
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # a closed one is None
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors == "strict":
        sys.stdout.reconfigure(errors="backslashreplace")  # not every encoding has all letters: on Windows that of a pipe has not
    try:
        with Interrupts():
            code: int = options.run(options)
            sys.stdout.flush()
            return code
    except SpiceError as error:
        print(f"spice-core: {str(error).partition(chr(10))[0]}", file=sys.stderr)  # without the drawing of the place below
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


def _give_up_output() -> None:
    """What is still held for standard output goes nowhere; the interpreter would complain of it at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _names(part: str) -> str:
    """The names of one part of every language; a name is added to those that end in a colon."""
    known = {code: (f"{name}NAME" if name.endswith(":") else name for name in getattr(language(code), part)) for code in LANGUAGES}
    return "; ".join(f"{code}: {', '.join(names)}" for code, names in known.items())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="spice-core", description="SPICE: scene graphs of image captions, matched and scored.")
    parser.add_argument("--version", action="version", version=f"spice-core {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    shared, inputs = _shared(), _inputs()
    _add_score(commands, [shared, inputs])
    _add_compare(commands)
    _add_metrics(commands, [shared, inputs])
    _add_agree(commands, [shared])
    _add_why(commands, [shared])
    _add_parse(commands, [shared])
    gold.add_commands(commands, shared)
    wordnet.add_commands(commands)
    app.add_commands(commands)
    return parser


def _shared() -> argparse.ArgumentParser:
    """The options of commands that parse captions."""
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--lang", default=SpiceConfig.lang, help=f"language of the captions: {', '.join(LANGUAGES)} (default: the first)")
    shared.add_argument("--parser", default="", help=f"parser of the language (default: its first): {_names('parsers')}")
    shared.add_argument("--analyser", dest="parser", action=arguments.OldName, new="--parser")
    shared.add_argument("--rules", default="", help=f"rule set of the language, or the path of a rule file (.toml): {_names('rules')}")
    return shared


def _inputs() -> argparse.ArgumentParser:
    """The input of commands that score, and how it is read."""
    inputs = argparse.ArgumentParser(add_help=False)
    inputs.add_argument("input", metavar="INPUT")
    inputs.add_argument("--references", metavar="FILE", help="COCO annotations, Visual Genome scene graphs, or a table (image_id, caption)")
    inputs.add_argument(
        "--columns",
        nargs="+",
        default=[],
        metavar="FIELD=NAME[,NAME]",
        help="columns of a table, or fields of JSON rows: image_id=photo refs=a,b (image_id= numbers the rows)",
    )
    inputs.add_argument("--delimiter", metavar="CHARACTER", help="column separator of a table")
    inputs.add_argument("--repeated-ids", action="store_true", help="allow several rows for one image")
    inputs.add_argument("--empty-captions", action="store_true", help="a candidate without text is scored as 0 and no problem")
    inputs.add_argument("--skip-bad", action="store_true", help="score the good rows if others are bad")
    inputs.add_argument("--problems", metavar="FILE", help="write all problems of the input to this file, as JSON lines")
    return inputs


def _add_score(commands: Commands, parents: list[argparse.ArgumentParser]) -> None:
    command = commands.add_parser("score", parents=parents, help="score candidates against references", description=_SCORE_HELP)
    command.add_argument("--out", metavar="FILE", help="write the results here, as the original SPICE (Java) does; FILE.jsonl: row by row")
    command.add_argument("--resume", action="store_true", help="continue the --out FILE.jsonl of an interrupted run")
    command.add_argument("--cache", metavar="FILE", help="parse cache, kept between runs")
    command.add_argument("--subset", action="store_true", help="add the categories: object, relation, attribute, colour, …")
    command.add_argument("--detailed", action="store_true", help="add the tuples with their truth values")
    command.add_argument(
        "--sentences", action="store_true", help="add precision and recall by sentence; print the sentences of lowest precision"
    )
    command.add_argument("--synonyms", default="", help=f"synonym source of the language: {_names('synonyms')}")
    command.add_argument("--no-synsets", action="store_true", help="no synonyms: only equal words match")
    command.add_argument("--translations", action="store_true", help="also score the English captions in fields test_en and refs_en")
    command.add_argument("--workers", type=int, default=1, metavar="N", help="processes (default: 1)")
    command.add_argument("--dask", metavar="ADDRESS", help="run on the workers of this Dask scheduler")
    command.add_argument("--silent", action="store_true", help="no summary, no progress; without --out the JSON goes to standard output")
    command.set_defaults(run=score)


def _add_compare(commands: Commands) -> None:
    command = commands.add_parser("compare", help="compare systems by their result files from score")
    command.add_argument("results", metavar="RESULTS", nargs="+", help="result file of a system (scored with --subset for categories)")
    command.add_argument("--names", nargs="+", metavar="NAME", help="names of the systems (default: the file names)")
    command.add_argument("--baseline", metavar="NAME", help="baseline system, by name or file (default: the first)")
    command.add_argument("--format", choices=FORMATS, default="text", help="output format (default: text)")
    command.add_argument("--out", metavar="FILE", help="write the table here")
    arguments.add_options(command)
    command.set_defaults(run=compare)


def _add_metrics(commands: Commands, parents: list[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "metrics",
        parents=parents,
        help="SPICE beside soft matching, BLEU, METEOR, CIDEr …",
        description=_SCORE_HELP,
        epilog="; ".join(f"{each.name}: {each.summary}" for each in METRICS.values()),
    )
    command.add_argument("--metrics", nargs="+", default=["all"], metavar="NAME", help=f"{', '.join(METRICS)}, or all (default)")
    command.add_argument("--synonyms", default="", help="synonym source, as for score")
    arguments.add_options(command)
    command.add_argument("--out", metavar="FILE", help="write the scores of each image to this file: FILE.csv, or JSON lines")
    command.set_defaults(run=metrics)


def _add_agree(commands: Commands, parents: list[argparse.ArgumentParser]) -> None:
    command = commands.add_parser("agree", parents=parents, help="agreement of metrics with human ratings or preferences")
    command.add_argument(
        "files", metavar="FILE", nargs="+", help="ratings (candidate, references, ratings) or preferences (a, b, references, choice)"
    )
    command.add_argument("--metrics", nargs="+", metavar="NAME", help=f"{', '.join(METRICS)}, or all (default: {' '.join(DEFAULT)})")
    command.add_argument("--subset", action="store_true", help="also SPICE by category")
    command.add_argument("--synonyms", default="", help="synonym source, as for score")
    command.add_argument("--level", choices=("caption", "system"), default="caption", help="level of correlation (default: caption)")
    command.add_argument("--symmetric", action="store_true", help="score both ways and average: for similarity of two captions")
    command.add_argument("--limit", type=int, metavar="N", help="read only the first N rows")
    command.add_argument("--first", dest="limit", type=int, action=arguments.OldName, new="--limit")
    command.add_argument("--baseline", default="", metavar="METRIC", help="baseline metric (default: the first)")
    arguments.add_options(command)
    command.add_argument("--format", choices=AGREEMENT_FORMATS, default="text", help="output format (default: text)")
    command.add_argument("--out", metavar="FILE", help="write the table here")
    command.add_argument("--scores", metavar="FILE", help="write the scores of all captions to this file, as JSON")
    command.set_defaults(run=agree)


def _add_why(commands: Commands, parents: list[argparse.ArgumentParser]) -> None:
    command = commands.add_parser("why", parents=parents, help="why two words of a caption form a tuple, or why not")
    command.add_argument("caption", metavar="CAPTION")
    command.add_argument("words", metavar="WORD", nargs=2)
    command.set_defaults(run=why)


def _add_parse(commands: Commands, parents: list[argparse.ArgumentParser]) -> None:
    command = commands.add_parser("parse", parents=parents, help="propositions and tuples of captions")
    command.add_argument("file", metavar="FILE", help="one caption per line; - for standard input")
    command.add_argument("--conllu", action="store_true", help="FILE holds trees in CoNLL-U, used unchanged")
    command.add_argument("--factual", action="store_true", help="add the scene graph in FACTUAL's notation and conventions")
    command.set_defaults(run=parse)
