"""chrF, computed by sacrebleu on captions without punctuation. Captions are in lower case if the language's tokenizer lower-cases words."""

from __future__ import annotations

from collections.abc import Sequence

from spice_core.errors import require_module
from spice_core.metrics.metric import Metric, Needs
from spice_core.metrics.text.tokens import INSTALL_BASELINES_COMMAND, TokenPair, text_signature, token_pairs


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
