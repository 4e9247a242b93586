"""The command ``score``: check the input, score it item by item, stream the rows, and print a summary."""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import NamedTuple, TextIO

from spice_core.catalogues import format_quantity
from spice_core.cli import arguments, output
from spice_core.cli.interrupts import InterruptHandler
from spice_core.cli.resume import resume
from spice_core.data import Item, Source
from spice_core.data.reader import RowError
from spice_core.data.results import RowFields, RowWriter, ScoredItem
from spice_core.errors import InputError, Message
from spice_core.evaluation.corpus import MeanScore, RunningMeans
from spice_core.evaluation.executors import MAX_WORKERS, collect_garbage_rarely, run_in_processes, run_on_dask, run_serially
from spice_core.evaluation.parse_cache import ParseCache
from spice_core.evaluation.run import RunOptions, score_items
from spice_core.lang import language, other_language
from spice_core.lang.pack import PreloadableParser
from spice_core.scene.scores import OVERALL, SentenceScore, format_count

_SCRIPT_SAMPLE_CAPTIONS = 200  # number of captions used to detect the language by its script
_MAX_SHOWN_PROBLEMS = 50
_MAX_UNREADABLE_PROBLEMS = 3  # number of problems printed (one fewer if there are more) for a file without a valid row
_MAX_SHOWN_SENTENCES = 20  # maximum number of printed sentences with the lowest precision
_TASKS_PER_WORKER = 2  # tasks queued per worker


class CheckedInput(NamedTuple):
    """The numbers of items and problems found by the first pass over the input."""

    item_count: int
    problem_count: int


class RunSummary:
    """Running means, counts and signatures of a run with rows of these fields."""

    def __init__(self, fields: RowFields):
        self.image_count = self.skipped_count = 0
        self._names = None if fields.categories else {OVERALL}
        self._is_grouped = fields.group
        self._means, self._groups = RunningMeans(), dict[str, RunningMeans]()
        self._sentences: list[tuple[SentenceScore, int | str]] = []
        self._signatures: dict[str, None] = {}

    def add(self, item: ScoredItem) -> None:
        """Add one row."""
        self.image_count += 1
        worst_sentences = [*self._sentences, *((s, item.image_id) for s in item.sentences if s.caption == 0 and s.tuples)]
        self._sentences = sorted(worst_sentences, key=lambda pair: pair[0].ratio)[:_MAX_SHOWN_SENTENCES]
        self._means.add(item.scores)
        if self._is_grouped:
            self._groups.setdefault(item.group, RunningMeans()).add(item.scores)
        self._signatures[item.signature] = None

    def __str__(self) -> str:
        average = self._means_to_show(self._means)
        for group, group_means in sorted(self._groups.items()):
            group_rows = self._means_to_show(group_means).items()
            average |= {(group or "–") if name == OVERALL else f"{group or '–'} {name}": score for name, score in group_rows}
        return "\n".join([_summary_table(average), *self._signatures]) + self._worst_sentences_table()

    def notices(self) -> list[Message]:
        """Return notices about the scored captions."""
        return self._means.notices()

    def _means_to_show(self, means: RunningMeans) -> dict[str, MeanScore]:
        return {name: score for name, score in means.means().items() if self._names is None or name in self._names}

    def _worst_sentences_table(self) -> str:
        """Return a Markdown table of the candidate sentences with the lowest precision, or "" if no sentences were scored."""
        if not self._sentences:
            return ""
        rows = (
            f"| {image} | {s.ratio:.3f} | {format_count(s.matched)} of {s.tuples} | {s.text.replace('|', '¦')} |"
            for s, image in self._sentences
        )
        return "\n".join(["\n", "| image | P | matched | sentence of the candidate |", "|---|---|---|---|", *rows])


def add_command(commands: arguments.CommandParsers) -> None:
    """Add the command ``score``."""
    command = commands.add_parser(
        "score",
        parents=[arguments.parsing_options(), arguments.input_options()],
        help="score candidates against references",
        description=arguments.INPUT_HELP,
    )
    command.add_argument(
        "--out",
        metavar="FILE",
        help="write the results to this file: as JSON lines if its name ends in .jsonl, otherwise in the format of the original SPICE",
    )
    command.add_argument("--resume", action="store_true", help="continue an interrupted run from its --out FILE.jsonl")
    command.add_argument(
        "--shard", default="1/1", metavar="N/COUNT", help="score only every COUNTth image from the Nth; merge joins the results"
    )
    command.add_argument("--cache", metavar="FILE", help="store parses in this file, and reuse the parses that it contains")
    command.add_argument("--subset", action="store_true", help="add the scores of each category: object, relation, attribute, colour, …")
    command.add_argument(
        "--by", default="", metavar="FIELD", help="also print the means for each value of this input field, such as domain"
    )
    command.add_argument("--detailed", action="store_true", help="add the tuples of each image, and whether they match")
    command.add_argument(
        "--sentences", action="store_true", help="add precision and recall by sentence; print the sentences with the lowest precision"
    )
    arguments.add_matching_options(command)
    command.add_argument("--no-synsets", action="store_true", help="disable synonyms, so that only equal lemmas match")
    command.add_argument("--workers", type=int, default=1, metavar="N", help="number of processes (default: 1)")
    command.add_argument("--dask", metavar="ADDRESS", help="run on the workers of this Dask scheduler")
    command.add_argument(
        "--silent",
        action="store_true",
        help="print no summary and no progress; without --out, write the results to standard output as JSON",
    )
    command.set_defaults(run=run_score)


def run_score(options: argparse.Namespace) -> int:
    """Score a file of candidates and references. Return 0, or 2 if bad rows stop the run.

    On KeyboardInterrupt, print how many images have been scored, and raise it again.
    """
    out = Path(options.out) if options.out else None
    _check_options(options, out)
    shard_number, shard_count = _shard(options.shard, out)
    row_fields = RowFields(options.subset, options.detailed, bool(out and out.suffix == ".jsonl"), options.sentences, bool(options.by))
    settings = arguments.config_from_options(options)
    if (
        options.workers == 1
        and not options.dask
        and isinstance(parser := language(settings.lang).parser(settings.parser), PreloadableParser)
    ):
        parser.load_ahead()  # in another thread, while this thread loads the synonyms and reads the input
    run_options = RunOptions(settings, row_fields)
    run_options.spice.parser  # noqa: B018  # report unknown names and missing resources before reading the input
    items = source_from_options(options)
    checked_input = _check_input(items, options)
    if _is_run_stopped(checked_input, options):
        return 2
    summary, valid_items = RunSummary(row_fields), islice(_iterate_valid_items(items), shard_number - 1, None, shard_count)
    total = len(range(shard_number - 1, checked_input.item_count, shard_count))
    # the field by which ``merge`` recognises the rows of a shard
    shard = {"shard": f"{options.shard} of {checked_input.item_count}"} if shard_count > 1 else {}
    try:
        with output.lock_output(out) if out else contextlib.nullcontext():
            if options.resume and out:
                resume(run_options, valid_items, out, summary, options.skip_bad, shard)
            parse_count = _write_scores(run_options, valid_items, out, total, summary, options, shard)
    except KeyboardInterrupt:
        location_note = (
            f"; the results are in {out}{'; run the same command with --resume to continue' if run_options.fields.lines else ''}"
            if out
            else ""
        )
        print(
            f"\nspice-core: interrupted after {summary.image_count} of {format_quantity(total, 'image')}{location_note}",
            file=sys.stderr,
        )
        raise
    arguments.print_notices(map(str, summary.notices()))
    if not options.silent:
        problems = checked_input.problem_count + summary.skipped_count
        skipped_note = f", {format_quantity(problems, 'problem')} skipped" if problems else ""
        print(f"{summary}\n{format_quantity(summary.image_count, 'image')}, {format_quantity(parse_count, 'caption')} parsed{skipped_note}")
    return 0


def source_from_options(options: argparse.Namespace) -> Source:
    """Return the source of items that the options describe. Raises InputError for an unknown field or an invalid delimiter."""
    columns = {name: values.split(",") for name, _, values in (c.partition("=") for c in options.columns)}
    return Source(
        Path(options.input),
        [Path(name) for name in options.references],
        columns,
        options.delimiter,
        options.repeated_ids,
        options.empty_captions,
        all_images=options.all_images,
        split=options.split,
        by=getattr(options, "by", ""),
        where={name: value for name, _, value in (condition.partition("=") for condition in options.where)},
        keys=Path(options.keys) if options.keys else None,
        header=False if options.no_header else None,
    )


def check_items(items: Source, options: argparse.Namespace) -> list[Item] | None:
    """Report problems and return the valid items, or None if the problems stop the run."""
    return None if _is_run_stopped(_check_input(items, options), options) else list(_iterate_valid_items(items))


def _is_run_stopped(checked_input: CheckedInput, options: argparse.Namespace) -> bool:
    """Return whether bad rows stop the run, and print their number if there are several."""
    if not checked_input.problem_count or (options.skip_bad and checked_input.item_count):
        return False
    if checked_input.problem_count > 1:
        print(
            f"spice-core: {format_quantity(checked_input.problem_count, 'problem')}, {format_quantity(checked_input.item_count, 'good row')} (--skip-bad scores the good rows)",
            file=sys.stderr,
        )
    return True


def _write_scores(
    run_options: RunOptions, items: Iterator[Item], out: Path | None, total: int, summary: RunSummary, options: argparse.Namespace,
    shard: Mapping[str, str],
) -> int:  # fmt: skip
    """Score the items and write their rows. Return the number of parsed captions."""

    def skip_item(error: InputError) -> None:
        problem = RowError(options.input, error.where, InputError("", error.found, error.expected))
        if not options.skip_bad:
            raise problem
        summary.skipped_count += 1
        print(f"spice-core: {problem}", file=sys.stderr)
        if options.problems:
            with output.open_output(options.problems, "a") as problem_file:
                _write_problem(problem, problem_file)

    with ExitStack() as stack:
        interrupts = stack.enter_context(InterruptHandler())
        stack.enter_context(collect_garbage_rarely())
        workers = stack.enter_context(
            run_on_dask(options.dask, lambda notice: arguments.print_notices([notice]))
            if options.dask
            else run_in_processes(options.workers, interrupts.delay_signals)
            if options.workers > 1
            else run_serially()
        )
        cache = ParseCache(run_options.spice.parse_key, Path(options.cache) if options.cache else None)
        stack.enter_context(contextlib.closing(cache))
        file = stack.enter_context(_open_output(out, options))
        writer = stack.enter_context(RowWriter(file, lines=run_options.fields.lines)) if file else None
        prefetch = _TASKS_PER_WORKER * (options.workers if options.workers > 1 else 8 if options.dask else 0)
        rows = score_items(items, run_options, workers, cache, prefetch, total=total - summary.image_count, skip=skip_item)
        for row in _show_progress(rows, total, summary.image_count, options.silent):
            text = json.dumps({**row.as_json(run_options.fields), **shard}, ensure_ascii=False) if writer else ""
            with interrupts.delay_signals():  # count every written row
                if writer:
                    writer.write(text)
                summary.add(row)
        return cache.misses


def _open_output(out: Path | None, options: argparse.Namespace) -> contextlib.AbstractContextManager[TextIO | None]:
    if out:
        return output.open_output(out, "a" if options.resume else "w")
    return contextlib.nullcontext(sys.stdout if options.silent else None)


def _check_input(source: Source, options: argparse.Namespace) -> CheckedInput:
    """Read the complete input and count items and problems. Print the first problems and all notices. Raises InputError if
    there is no row."""
    items, problems, sample, shown_problems = 0, 0, list[str](), list[InputError]()
    with output.open_output(options.problems) if options.problems else contextlib.nullcontext() as file:
        for item in _items_and_problems(source):
            if isinstance(item, Item):
                items += 1
                if len(sample) < _SCRIPT_SAMPLE_CAPTIONS:
                    sample += item.captions
                continue
            problems += 1
            shown_problems += [item] if problems <= _MAX_SHOWN_PROBLEMS else []
            if file:
                _write_problem(item, file)
    is_unreadable = not items and problems > _MAX_UNREADABLE_PROBLEMS
    if is_unreadable:
        arguments.print_notices(filter(None, [source.description(getattr(shown_problems[0], "file", ""))]))
        del shown_problems[_MAX_UNREADABLE_PROBLEMS - 1 :]
    arguments.print_notices(map(str, shown_problems))
    arguments.print_encodings(source.encodings)
    arguments.print_notices([] if is_unreadable else source.notices)
    if (other_code := other_language(sample, options.lang)) is not None:
        suggestion = f"; --lang {other_code} reads {language(other_code).name}" if other_code else ""
        arguments.print_notices([f"most captions are not in {language(options.lang).name} (--lang {options.lang}){suggestion}"])
    if hidden_count := problems - len(shown_problems):
        print(f"spice-core: … and {format_quantity(hidden_count, 'more problem')}", file=sys.stderr)
    if not items and not problems:
        raise InputError(options.input, Message("found.no_row"), "captions with references")
    return CheckedInput(items, problems)


def _write_problem(problem: InputError, file: TextIO) -> None:
    row = {k: str(getattr(problem, k, "")) for k in ("file", "row", "field")}
    file.write(json.dumps({**row, "found": repr(problem.found), "expected": problem.expected, "where": problem.where}) + "\n")


def _items_and_problems(source: Source) -> Iterator[Item | InputError]:
    """Yield items and problems. If the input becomes unreadable, that error is the last problem."""
    try:
        yield from source
    except InputError as error:
        yield error


def _iterate_valid_items(source: Source) -> Iterator[Item]:
    return (item for item in _items_and_problems(source) if isinstance(item, Item))


def _check_options(options: argparse.Namespace, out: Path | None) -> None:
    if not 1 <= options.workers <= MAX_WORKERS:
        raise InputError("--workers", options.workers, Message("expected.workers", most=MAX_WORKERS))
    if options.resume and (not out or out.suffix != ".jsonl"):
        raise InputError("--resume", options.out, "an --out file that ends in .jsonl")
    outputs = {"--out": options.out, "--problems": options.problems, "--cache": options.cache}
    output.check_distinct(outputs, [options.input, *options.references, *arguments.paths_in_options(options)])
    output.check_writable(options.out, options.problems)


def _shard(text: str, out: Path | None) -> tuple[int, int]:
    """Return the shard's number (from 1) and the number of shards. Raises InputError for an invalid ``--shard``."""
    number, _, count = text.partition("/")
    numbers = (int(number), int(count)) if number.isdecimal() and count.isdecimal() and len(text) < 12 else (0, 0)
    if not 1 <= numbers[0] <= numbers[1] or (numbers[1] > 1 and (not out or out.suffix != ".jsonl")):
        raise InputError("--shard", text, "N/COUNT such as 3/16, with an --out file that ends in .jsonl")
    return numbers


def _show_progress(rows: Iterator[ScoredItem], total: int, finished_count: int, is_silent: bool) -> Iterable[ScoredItem]:
    if is_silent or not sys.stderr.isatty():
        return rows
    from tqdm import tqdm

    bar: Iterable[ScoredItem] = tqdm(rows, total=total, initial=finished_count, unit=" images", file=sys.stderr)
    return bar


def _summary_table(summary: dict[str, MeanScore]) -> str:
    width = max(12, *(len(name) + 1 for name in summary))
    lines = [f"{'':<{width}}{'F1':>8}{'P':>8}{'R':>8}{'matched':>10}{'candidate':>11}{'reference':>11}{'images':>8}"]
    for name, s in summary.items():
        ratios = "".join(f"{'n/a' if math.isnan(x) else format(x, '.3f'):>8}" for x in (s.f1, s.precision, s.recall))
        lines.append(f"{name:<{width}}{ratios} {format_count(s.matched):>9} {s.candidate:>10} {s.reference:>10} {s.images:>7}")
    return "\n".join(lines)
