"""Scores of answers to questions as text, JSON or CSV."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence

from spice_core.catalogues import format_quantity
from spice_core.data.csv_text import csv_lines
from spice_core.questions.answers import AnswerScores
from spice_core.report.tables import align_columns
from spice_core.stats.bootstrap import Estimate
from spice_core.stats.kappa import Kappa

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
