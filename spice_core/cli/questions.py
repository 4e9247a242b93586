"""The commands ``questions`` and ``answers``: write yes/no questions about captions or prompts, and score the answers."""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from spice_core.catalogues import format_quantity
from spice_core.cli import arguments, output
from spice_core.data.csv_text import csv_lines
from spice_core.data.reader import EncodingByFile, ReadablePath, Upload
from spice_core.errors import InputError, Message
from spice_core.evaluation.executors import MAX_WORKERS, run_in_processes, run_serially
from spice_core.evaluation.run import cached_metric
from spice_core.metrics.config import SpiceConfig
from spice_core.questions.answers import AnswerScores, annotator_kappa, read_answers, score_answers
from spice_core.questions.files import ROWS_BY_LAYOUT, Prompt, PromptQuestions, json_lines, question_csv_lines, read_prompts
from spice_core.questions.question import ask, blank_parameters
from spice_core.report.tables import align_columns
from spice_core.stats.bootstrap import Estimate
from spice_core.stats.kappa import Kappa

_PROMPTS_PER_BATCH = 64  # number of prompts that are parsed together
_BATCHES_PER_WORKER = 2  # number of batches queued for each worker
_MAX_STANDARD_INPUT_BYTES = 200 << 20
_JSON_SUFFIXES = (".json", ".jsonl")


def add_command(commands: arguments.CommandParsers) -> None:
    """Add the commands ``questions`` and ``answers``."""
    command = commands.add_parser(
        "questions", parents=[arguments.parsing_options()], help="write a yes/no question for each tuple, for DSG or TIFA"
    )
    command.add_argument(
        "file",
        metavar="FILE",
        help="one text per line, or rows with item_id (or id) and text (or caption, prompt, test); - for standard input",
    )
    command.add_argument("--format", choices=ROWS_BY_LAYOUT, default="dsg", help="output layout (default: dsg)")
    command.add_argument(
        "--json",
        action="store_true",
        help="write the layout dsg as JSON instead of CSV (the default for --out FILE.json or FILE.jsonl); tifa is always JSON",
    )
    command.add_argument("--workers", type=int, default=1, metavar="N", help="number of processes (default: 1)")
    command.add_argument("--out", metavar="FILE", help="write the questions here")
    command.set_defaults(run=run_questions)

    command = commands.add_parser("answers", help="score the answers to questions by category, with and without dependencies")
    command.add_argument(
        "file", metavar="FILE", help="questions with an additional field answer, or only answers (item_id, question_id, answer)"
    )
    command.add_argument("--questions", metavar="FILE", help="the file of questions, if FILE contains only answers")
    command.add_argument(
        "--by", default="", metavar="FIELD", help="score the values of this field separately (default: annotator, t2i_model or model)"
    )
    arguments.add_bootstrap(command)
    command.add_argument("--format", choices=FORMATTERS, default="text", help="output format (default: text)")
    command.add_argument("--out", metavar="FILE", help="write the scores here")
    command.set_defaults(run=run_answers)


@arguments.report_cleaned_texts()
def run_questions(options: argparse.Namespace) -> int:
    """Write the questions about the prompts of a file, and return 0."""
    output.check_distinct({"--out": options.out}, [options.file, *arguments.paths_in_options(options)])
    output.check_writable(options.out)
    encodings: EncodingByFile = {}
    if not 1 <= options.workers <= MAX_WORKERS:
        raise InputError("--workers", options.workers, Message("expected.workers", most=MAX_WORKERS))
    empty_ids: list[str] = []
    rows = ROWS_BY_LAYOUT[options.format](_ask_prompts(options, encodings, empty_ids))
    in_json = options.json or options.format == "tifa" or str(options.out).lower().endswith(_JSON_SUFFIXES)
    lines = (json_lines if in_json else question_csv_lines)(rows)
    if options.out:
        with output.open_output(options.out) as file:
            file.writelines(lines)
    else:
        sys.stdout.writelines(lines)
    arguments.print_encodings(encodings)
    if empty_ids:
        arguments.print_notices([Message("notice.no_questions", file=options.file, number=len(empty_ids), first=empty_ids[0])])
    return 0


def run_answers(options: argparse.Namespace) -> int:
    """Score the answers in a file, write the scores, and return 0."""
    arguments.check_bootstrap(options)
    output.check_distinct({"--out": options.out}, [options.file, options.questions])
    output.check_writable(options.out)
    encodings: EncodingByFile = {}
    notices: list[Message] = []
    questions_path = Path(options.questions) if options.questions else None
    answered_questions = read_answers(Path(options.file), questions_path, by=options.by, encodings=encodings, notices=notices)
    arguments.print_encodings(encodings)
    arguments.print_notices(notices)
    scores = score_answers(answered_questions, resamples=options.resamples, seed=options.seed)
    output.write_output(FORMATTERS[options.format](scores, annotator_kappa(answered_questions, options.resamples)), options.out)
    return 0


def _ask_prompts(options: argparse.Namespace, encodings: EncodingByFile, empty_ids: list[str]) -> Iterator[PromptQuestions]:
    """Yield the prompts of a file with their questions. Add the ids of prompts without a question to ``empty_ids``."""
    prompts, config = read_prompts(_open_source(options.file), encodings), arguments.config_from_options(options)
    with run_in_processes(options.workers) if options.workers > 1 else run_serially() as submit:
        pending: deque[Callable[[], list[PromptQuestions]]] = deque()
        batches = iter(lambda: list(islice(prompts, _PROMPTS_PER_BATCH)), [])
        for batch in islice(batches, _BATCHES_PER_WORKER * options.workers):
            pending.append(submit(_ask_batch, config, batch))
        while pending:
            prompt_questions = pending.popleft()()
            pending.extend(submit(_ask_batch, config, batch) for batch in islice(batches, 1))
            for prompt in prompt_questions:
                if not prompt.questions:
                    empty_ids.append(prompt.prompt.id)
                yield prompt


def _ask_batch(config: SpiceConfig, prompts: list[Prompt]) -> list[PromptQuestions]:
    spice = cached_metric(config)
    parses = spice.parse(blank_parameters(prompt.text) for prompt in prompts)
    return [PromptQuestions(prompt, tuple(ask(spice, parse))) for prompt, parse in zip(prompts, parses)]


def _open_source(name: str) -> ReadablePath:
    """Return the path of a file, or the content of standard input for the name ``-``."""
    if name != "-":
        return Path(name)
    content = sys.stdin.buffer.read(_MAX_STANDARD_INPUT_BYTES + 1)
    if len(content) > _MAX_STANDARD_INPUT_BYTES:
        raise InputError("-", Message("found.megabytes", megabytes=_MAX_STANDARD_INPUT_BYTES >> 20), Message("expected.smaller_file"))
    return Upload("-", content)


ScoreRows = Iterator[tuple[str, str, int, Estimate, Estimate]]


def _score_rows(scores: Sequence[AnswerScores]) -> ScoreRows:
    """Yield rows of annotator, category, number of answered questions, and scores without and with dependencies."""
    for score in scores:
        yield score.annotator, "all", score.question_count - score.open_count, score.without_dependencies, score.with_dependencies
        for name, category in score.categories.items():
            yield score.annotator, name, category.question_count, category.without_dependencies, category.with_dependencies


def format_as_text(scores: Sequence[AnswerScores], kappa: Kappa | None) -> str:
    """Return a table with aligned columns, scores × 100 with 95% intervals, followed by notes and kappa if it is given."""
    has_several_annotators = len(scores) > 1
    table = [[*(["annotator"] if has_several_annotators else []), "category", "questions", "with dependencies", "without"]]
    for annotator, category, question_count, plain_share, dependent_share in _score_rows(scores):
        cells = [category, str(question_count), _format_percent(dependent_share), _format_percent(plain_share)]
        table.append([*([annotator or "-"] if has_several_annotators else []), *cells])
    summary = ", ".join(
        f"{score.annotator + ': ' if has_several_annotators else ''}{format_quantity(score.item_count, 'item')}, "
        + format_quantity(score.open_count, "unanswered question")
        for score in scores
    )
    value = kappa and ("-" if math.isnan(kappa.kappa.value) else f"{kappa.kappa.value:.3f}")
    agreement = f"Cohen's kappa {value} over {format_quantity(kappa.n, 'question')}\n" if kappa else ""
    return "\n".join([*align_columns(table), f"× 100, 95% intervals over items; all: mean over the items; {summary}", agreement])


def _format_percent(estimate: Estimate) -> str:
    interval = "" if math.isnan(estimate.low) else f" [{100 * estimate.low:.1f}, {100 * estimate.high:.1f}]"
    return ("-" if math.isnan(estimate.value) else f"{100 * estimate.value:.1f}") + interval


def format_as_json(scores: Sequence[AnswerScores], kappa: Kappa | None) -> str:
    """Return all scores as JSON. Undefined values are null."""
    content: dict[str, object] = {
        "scores": [
            {"annotator": a, "category": c, "questions": n}
            | {"with_dependencies": _estimate_as_json(w), "without_dependencies": _estimate_as_json(o)}
            for a, c, n, o, w in _score_rows(scores)
        ],
        "annotators": {s.annotator: {"items": s.item_count, "questions": s.question_count, "open": s.open_count} for s in scores},
    }
    if kappa:
        content["kappa"] = {"questions": kappa.n, "raw": _nan_to_none(kappa.raw), **_estimate_as_json(kappa.kappa)}
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def _estimate_as_json(estimate: Estimate) -> dict[str, float | None]:
    return {name: _nan_to_none(value) for name, value in estimate._asdict().items()}


def _nan_to_none(value: float) -> float | None:
    return None if math.isnan(value) else value


def format_as_csv(scores: Sequence[AnswerScores], kappa: Kappa | None) -> str:
    """Return CSV with one row per annotator and category, without kappa."""
    heads = "annotator category questions with low high without without_low without_high".split()
    return "".join(csv_lines([heads, *((*row, *dependent, *plain) for *row, plain, dependent in _score_rows(scores))]))


FORMATTERS = {"text": format_as_text, "json": format_as_json, "csv": format_as_csv}
