"""ROUGE-L as in pycocoevalcap: the F-measure of the best precision and the best recall over the references, weighted towards recall."""

from __future__ import annotations

from collections.abc import Sequence

from spice_core.errors import require_module
from spice_core.metrics.metric import Metric, Needs
from spice_core.metrics.text.tokens import INSTALL_BASELINES_COMMAND, TokenPair, TokenTexts, text_signature, token_pairs

BETA = 1.2  # weight of recall in pycocoevalcap


class _PresplitTokenizer:
    def tokenize(self, text: str) -> TokenTexts:
        return text.split()


def rouge_l_scores(items: Sequence[TokenPair]) -> list[float]:
    """Return the ROUGE-L score (0–1) of each candidate."""
    scorer = require_module("rouge_score.rouge_scorer", INSTALL_BASELINES_COMMAND).RougeScorer(["rougeL"], tokenizer=_PresplitTokenizer())

    def score_pair(pair: TokenPair) -> float:
        by_reference = [scorer.score(" ".join(r), " ".join(pair.candidate))["rougeL"] for r in pair.references]
        p, r = max(f.precision for f in by_reference), max(f.recall for f in by_reference)
        return (1 + BETA**2) * p * r / (r + BETA**2 * p) if p and r else 0.0

    return [score_pair(pair) for pair in items]


ROUGE_L = Metric(
    name="ROUGE-L",
    summary="longest common subsequence of words",
    needs=Needs.TEXT,
    segment=lambda batch: rouge_l_scores(batch.compute_once(token_pairs)),
    signature=text_signature("ROUGE-L", "rouge-score"),
    install_command=INSTALL_BASELINES_COMMAND,
)
