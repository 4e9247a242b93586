"""BLEU, ROUGE-L and chrF, computed by sacrebleu and rouge-score on tokens of this package.

BLEU has the smoothing of pycocoevalcap. ROUGE-L is the F-measure of the best precision and the best recall over the references, weighted
towards recall, as in pycocoevalcap. chrF ignores punctuation, and case if the language's tokenizer lower-cases words.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

from spice_core.errors import require_module
from spice_core.metrics.metric import Metric, Needs
from spice_core.metrics.text.tokens import INSTALL_BASELINES_COMMAND, TokenPair, TokenTexts, text_signature, token_pairs

_SMOOTHING_VALUE = 1e-15  # pycocoevalcap's value for no match
_ROUGE_BETA = 1.2  # weight of recall in pycocoevalcap


def bleu_scores(items: Sequence[TokenPair], order: int) -> list[float]:
    """Return the BLEU score (0–1) of each candidate."""
    metric = _sacrebleu_metric(order)
    return [metric.corpus_score([" ".join(p.candidate)], [[" ".join(r)] for r in p.references]).score / 100 for p in items]


def corpus_bleu(items: Sequence[TokenPair], order: int) -> float:
    """Return the BLEU score (0–1) of a data set, computed from counts that are summed over its items."""
    references = list(zip_longest(*([" ".join(r) for r in p.references] for p in items)))
    return float(_sacrebleu_metric(order).corpus_score([" ".join(p.candidate) for p in items], references).score) / 100


def _sacrebleu_metric(order: int) -> Any:
    options = {"tokenize": "none", "smooth_method": "floor", "smooth_value": _SMOOTHING_VALUE, "effective_order": False}
    return require_module("sacrebleu", INSTALL_BASELINES_COMMAND).metrics.BLEU(max_ngram_order=order, force=True, **options)


def _make_bleu(order: int) -> Metric:
    return Metric(
        name=f"BLEU-{order}",
        summary=f"precision of n-grams of up to {order} {'words' if order > 1 else 'word'}, with a brevity penalty",
        needs=Needs.TEXT,
        segment=lambda batch: bleu_scores(batch.compute_once(token_pairs), order),
        corpus=lambda batch: corpus_bleu(batch.compute_once(token_pairs), order),
        signature=text_signature(f"BLEU-{order}", "sacrebleu"),
        install_command=INSTALL_BASELINES_COMMAND,
    )


BLEU_METRICS = tuple(map(_make_bleu, (1, 2, 3, 4)))


def chrf_scores(items: Sequence[TokenPair], joiner: str = " ") -> list[float]:
    """Return the chrF score (0–1) of each candidate, whose words are joined by ``joiner``."""
    metric = require_module("sacrebleu", INSTALL_BASELINES_COMMAND).metrics.CHRF()
    return [metric.sentence_score(joiner.join(p.candidate), [joiner.join(r) for r in p.references]).score / 100 for p in items]


CHRF = Metric(
    name="chrF",
    summary="F-score of character n-grams",
    needs=Needs.TEXT,
    segment=lambda batch: chrf_scores(batch.compute_once(token_pairs), batch.pack.text.joiner),
    signature=text_signature("chrF", "sacrebleu"),
    install_command=INSTALL_BASELINES_COMMAND,
)


class _PresplitTokenizer:
    def tokenize(self, text: str) -> TokenTexts:
        return text.split()


def rouge_l_scores(items: Sequence[TokenPair]) -> list[float]:
    """Return the ROUGE-L score (0–1) of each candidate."""
    scorer = require_module("rouge_score.rouge_scorer", INSTALL_BASELINES_COMMAND).RougeScorer(["rougeL"], tokenizer=_PresplitTokenizer())

    def score_pair(pair: TokenPair) -> float:
        by_reference = [scorer.score(" ".join(r), " ".join(pair.candidate))["rougeL"] for r in pair.references]
        p, r = max(f.precision for f in by_reference), max(f.recall for f in by_reference)
        return (1 + _ROUGE_BETA**2) * p * r / (r + _ROUGE_BETA**2 * p) if p and r else 0.0

    return [score_pair(pair) for pair in items]


ROUGE_L = Metric(
    name="ROUGE-L",
    summary="longest common subsequence of words",
    needs=Needs.TEXT,
    segment=lambda batch: rouge_l_scores(batch.compute_once(token_pairs)),
    signature=text_signature("ROUGE-L", "rouge-score"),
    install_command=INSTALL_BASELINES_COMMAND,
)
