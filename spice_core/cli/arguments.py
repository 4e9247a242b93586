"""Options that several commands share."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from spice_core.errors import InputError
from spice_core.lang import LANGUAGES, language_packs
from spice_core.metrics.config import SpiceConfig
from spice_core.scene.graph import SCHEMES
from spice_core.stats import bootstrap
from spice_core.syntax.clean_text import CleaningCount

if TYPE_CHECKING:
    CommandParsers = argparse._SubParsersAction[argparse.ArgumentParser]

_TREES_PREFIX, _WORDNET_PREFIX = "conllu:", "wordnet:"  # prefixes of file names in options
_ARGUMENT_BY_PREFIX = {
    "corenlp:": "URL",
    _WORDNET_PREFIX: "FILE",
    f"sudachi+{_WORDNET_PREFIX}": "FILE",
}  # the argument of each prefix in help texts; the argument of any other prefix is NAME
INPUT_HELP = """INPUT is JSON or JSON lines such as [{"image_id": 1, "test": "a dog", "refs": ["a brown dog", …]}, …], or a table
(.csv, .tsv) with the columns image_id, test and ref1, ref2 …. With --references, INPUT contains only results, such as
[{"image_id": 1, "caption": "a dog"}, …]. A list of propositions can replace a caption: [["dog"], ["dog", "brown"], ["dog", "on", "sofa"]]."""


class _InputAction(argparse.Action):
    """The argument INPUT, which may follow the files of ``--references``."""

    def __call__(self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option: str | None = None) -> None:
        """Store INPUT. If it is missing, use the last file of ``--references``, or exit with an error if there is only one."""
        references = getattr(namespace, "references", [])
        if values is None and len(references) < 2:
            parser.error("the following arguments are required: INPUT")
        if values is None:
            *namespace.references, values = references
        setattr(namespace, self.dest, values)


def check_bootstrap(options: argparse.Namespace) -> None:
    """Raise InputError if the number of resamples or the seed is invalid."""
    bootstrap.check_resamples(options.resamples, "--resamples")
    if options.seed < 0:
        raise InputError("--seed", options.seed, "0 or more")


def add_bootstrap(command: argparse.ArgumentParser) -> None:
    """Add ``--resamples`` and ``--seed`` to a command."""
    bounds = f"number of bootstrap resamples, at most {bootstrap.MAX_RESAMPLES:,} (default: 1000)"
    command.add_argument("--resamples", type=int, default=1000, metavar="N", help=bounds)
    command.add_argument("--seed", type=int, default=0, metavar="N", help="random seed of the bootstrap (default: 0)")


def print_encodings(encodings: Mapping[str, str]) -> None:
    """Print a line on standard error for each file with an encoding other than UTF-8."""
    for file, encoding in encodings.items():
        print(f"spice-core: {file} was read as {encoding}", file=sys.stderr)


@contextmanager
def report_cleaned_texts() -> Iterator[None]:
    """Print a notice on standard error after the context if it cleaned any text. Also usable as a decorator."""
    with CleaningCount().counting() as cleaning_count:
        yield
    print_notices(cleaning_count.notices())


def print_notices(notices: Iterable[str]) -> None:
    """Print a line on standard error for each notice about the input."""
    for notice in notices:
        print(f"spice-core: {notice}", file=sys.stderr)


def config_from_options(options: argparse.Namespace) -> SpiceConfig:
    """Return the settings of the metric from the options, resolved by ``SpiceConfig.resolved``."""
    synonyms = "none" if getattr(options, "no_synsets", False) else getattr(options, "synonyms", "")
    return SpiceConfig(options.lang, options.parser, options.rules, synonyms, scheme=getattr(options, "scheme", "")).resolved()


def paths_in_options(options: argparse.Namespace) -> list[str]:
    """Return the paths in ``--parser``, ``--rules`` and ``--synonyms``."""
    parser_files = [options.parser.removeprefix(_TREES_PREFIX)] if options.parser.startswith(_TREES_PREFIX) else []
    synonyms = getattr(options, "synonyms", "").partition(_WORDNET_PREFIX)[2]
    return [*parser_files, *([options.rules] if options.rules.endswith(".toml") else []), *([synonyms] if synonyms else [])]


def parsing_options() -> argparse.ArgumentParser:
    """Return a parent parser with the options of commands that parse captions."""
    options = argparse.ArgumentParser(add_help=False)
    options.add_argument(
        "--lang", default=SpiceConfig.lang, help=f"language of the captions: {', '.join(LANGUAGES)} (default: {SpiceConfig.lang})"
    )
    parser_names = registered_names_help("all_parsers")
    options.add_argument(
        "--parser", default="", help=f"parser, or conllu:FILE for custom trees (default: the first parser of the language): {parser_names}"
    )
    options.add_argument(
        "--rules",
        default="",
        help=f"rule set, or the path of a rule file (.toml) (default: set by the parser): {registered_names_help('rules')}",
    )
    return options


def input_options() -> argparse.ArgumentParser:
    """Return a parent parser with the input options of commands that score."""
    options = argparse.ArgumentParser(add_help=False)
    options.add_argument("input", metavar="INPUT", nargs="?", action=_InputAction)
    options.add_argument(
        "--references",
        nargs="+",
        default=[],
        metavar="FILE",
        help="reference captions: COCO annotations, a table (image_id, caption) or another public layout; or text files, one caption per line",
    )
    options.add_argument("--split", default="", metavar="NAME", help="score only images of this split (default: all images with a result)")
    options.add_argument(
        "--columns",
        nargs="+",
        default=[],
        metavar="FIELD=NAME[,NAME]",
        help="columns of a table, or fields of JSON rows: image_id=photo refs=a,b (an empty image_id= numbers the rows, image_id=a+b joins two columns by _)",
    )
    options.add_argument("--where", nargs="+", default=[], metavar="FIELD=VALUE", help="read only rows with these values: Language=English")
    options.add_argument("--keys", metavar="FILE", help="with text files: a key for each line; lines with the same key are one image")
    options.add_argument("--no-header", action="store_true", help="the first row of a table is data; columns are named column1, column2, …")
    options.add_argument("--delimiter", metavar="CHARACTER", help="column separator of a table")
    options.add_argument("--repeated-ids", action="store_true", help="allow several candidates for one image")
    options.add_argument("--all-images", action="store_true", help="report images without a result as problems")
    options.add_argument("--empty-captions", action="store_true", help="score an empty candidate as 0 instead of reporting a problem")
    options.add_argument("--skip-bad", action="store_true", help="score the valid rows even if others are invalid")
    options.add_argument("--problems", metavar="FILE", help="write all problems of the input to this file, as JSON lines")
    return options


def add_matching_options(command: argparse.ArgumentParser) -> None:
    """Add ``--synonyms`` and ``--scheme`` to a command."""
    command.add_argument("--synonyms", default="", help=f"synonym source (default: set by the rules): {registered_names_help('synonyms')}")
    command.add_argument(
        "--scheme", default="", help=f"how tuples are merged and counted (default: set by the rules): {', '.join(SCHEMES)}"
    )


def registered_names_help(part: str) -> str:
    """Return a line of help that lists the registered names by language.

    ``part`` is ``all_parsers``, ``rules`` or ``synonyms``. Each prefix is followed by its argument, as in ``spacy:NAME``.
    """
    names_by_language = {
        pack.code: (f"{name}{_ARGUMENT_BY_PREFIX.get(name, 'NAME')}" if name.endswith(":") else name for name in getattr(pack, part))
        for pack in language_packs()
    }
    return "; ".join(f"{code}: {', '.join(names)}" for code, names in names_by_language.items())
