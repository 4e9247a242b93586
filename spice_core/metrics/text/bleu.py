"""BLEU-1 to BLEU-4, computed by sacrebleu with the smoothing of pycocoevalcap, on tokens of this package."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from spice_core.errors import require_module
from spice_core.metrics.metric import Batch, Metric, Needs
from spice_core.metrics.text.tokens import INSTALL_BASELINES_COMMAND, TokenPair, TokenTexts, text_signature, token_pairs

_SMOOTHING_VALUE = 1e-15  # pycocoevalcap's value for no match


def bleu_scores(items: Sequence[TokenPair], order: int) -> list[float]:
    """Return the BLEU score (0–1) of each candidate."""
    metric = _sacrebleu_metric(order)
    return [metric.corpus_score([" ".join(p.candidate)], [[" ".join(r)] for r in p.references]).score / 100 for p in items]


def corpus_bleu(items: Sequence[TokenPair], order: int) -> float:
    """Return the BLEU score (0–1) of a data set, computed from counts that are summed over its items."""
    references = zip(*(_pad_references(p.references, max(len(q.references) for q in items)) for p in items))
    return float(_sacrebleu_metric(order).corpus_score([" ".join(p.candidate) for p in items], list(references)).score) / 100


def _sacrebleu_metric(order: int) -> Any:
    options = {"tokenize": "none", "smooth_method": "floor", "smooth_value": _SMOOTHING_VALUE, "effective_order": False}
    return require_module("sacrebleu", INSTALL_BASELINES_COMMAND).metrics.BLEU(max_ngram_order=order, force=True, **options)


def _pad_references(references: Sequence[TokenTexts], count: int) -> list[str | None]:
    return [*(" ".join(r) for r in references), *[None] * (count - len(references))]


def _segment_scores(order: int, batch: Batch) -> list[float]:
    return bleu_scores(batch.compute_once(token_pairs), order)


def _corpus_score(order: int, batch: Batch) -> float:
    return corpus_bleu(batch.compute_once(token_pairs), order)


BLEU_METRICS = tuple(
    Metric(
        name=f"BLEU-{order}",
        summary=f"precision of n-grams of up to {order} {'words' if order > 1 else 'word'}, with a brevity penalty",
        needs=Needs.TEXT,
        segment=partial(_segment_scores, order),
        corpus=partial(_corpus_score, order),
        signature=text_signature(f"BLEU-{order}", "sacrebleu"),
        install_command=INSTALL_BASELINES_COMMAND,
    )
    for order in (1, 2, 3, 4)
)
