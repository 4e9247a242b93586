"""BLEU with 1 to 4 n-grams by sacrebleu, on our tokens, as pycocoevalcap computes it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from spice_core.errors import require
from spice_core.metrics.metric import Batch, Metric, Needs
from spice_core.metrics.text.tokens import INSTALL_BASELINES, TokenPair, Tokens, pairs, text_signature

_TINY = 1e-15  # pycocoevalcap's value for no match


def bleu(items: Sequence[TokenPair], order: int) -> list[float]:
    """Return the BLEU of each candidate."""
    metric = _sacrebleu(order)
    return [metric.corpus_score([" ".join(p.candidate)], [[" ".join(r)] for r in p.references]).score / 100 for p in items]


def corpus_bleu(items: Sequence[TokenPair], order: int) -> float:
    """Return the BLEU of the data set, from summed counts."""
    references = zip(*(_padded(p.references, max(len(q.references) for q in items)) for p in items))
    return float(_sacrebleu(order).corpus_score([" ".join(p.candidate) for p in items], list(references)).score) / 100


def _sacrebleu(order: int) -> Any:
    options = {"tokenize": "none", "smooth_method": "floor", "smooth_value": _TINY, "effective_order": False}
    return require("sacrebleu", INSTALL_BASELINES).metrics.BLEU(max_ngram_order=order, force=True, **options)


def _padded(references: Sequence[Tokens], count: int) -> list[str | None]:
    return [*(" ".join(r) for r in references), *[None] * (count - len(references))]


def _segment(order: int, batch: Batch) -> list[float]:
    return bleu(batch.once(pairs), order)


def _corpus(order: int, batch: Batch) -> float:
    return corpus_bleu(batch.once(pairs), order)


BLEU = tuple(
    Metric(
        name=f"BLEU-{order}",
        summary=f"precision of n-grams of up to {order} {'words' if order > 1 else 'word'}, with a brevity penalty",
        needs=Needs.TEXT,
        segment=partial(_segment, order),
        corpus=partial(_corpus, order),
        signature=text_signature(f"BLEU-{order}", "sacrebleu"),
        install=INSTALL_BASELINES,
    )
    for order in (1, 2, 3, 4)
)
