"""Reranking of tags by the tree: the tagger's scores, weighted by how often a tag occurs with a relation.

Tagger and parser decide independently, so they may disagree: a noun tag on "standing" under ``acl`` is rare in the training trees.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy
from spacy.language import Language
from spacy.tokens import Doc

if TYPE_CHECKING:
    from spacy.pipeline import Tagger

COMPONENT_NAME = "tag_agreement"
EVIDENCE_WEIGHT = 0.5  # weight of the relation's evidence relative to the tagger's; chosen on held-out captions of the training images
_ADDED_COUNT = 0.5


@Language.factory(COMPONENT_NAME)
class TagReranker:
    """A pipe after tagger and parser that reranks each tag, given the relation of its token."""

    def __init__(self, nlp: Language, name: str):
        self._tagger: Tagger = nlp.get_pipe("tagger")
        self.evidence: dict[str, numpy.ndarray] = {}

    def learn(self, docs: Iterable[Doc]) -> None:
        """Learn the evidence from training trees: log ratio of a tag's probability under a relation to its overall probability."""
        labels = self._tagger.labels
        counts: dict[str, Counter[str]] = defaultdict(Counter)
        for doc in docs:
            for token in doc:
                counts[token.dep_][token.tag_] += 1
        overall_shares = _log_shares(sum(counts.values(), Counter()), labels)
        self.evidence = {relation: _log_shares(c, labels) - overall_shares for relation, c in counts.items()}

    def __call__(self, doc: Doc) -> Doc:
        if len(doc):
            (log_probabilities,) = self._tagger.model.predict([doc])  # log-probabilities up to a constant
            labels = self._tagger.labels
            for token, row in zip(doc, log_probabilities):
                token.tag_ = labels[int((row + EVIDENCE_WEIGHT * self.evidence.get(token.dep_, 0.0)).argmax())]
        return doc

    def to_disk(self, path: Path, *, exclude: Iterable[str] = ()) -> None:
        """Write the evidence as JSON."""
        rows = {relation: [round(float(x), 3) for x in values] for relation, values in sorted(self.evidence.items())}
        Path(path).write_text(json.dumps(rows) + "\n", encoding="utf-8")

    def from_disk(self, path: Path, *, exclude: Iterable[str] = ()) -> TagReranker:
        """Read the evidence."""
        rows = json.loads(Path(path).read_text(encoding="utf-8"))
        self.evidence = {relation: numpy.array(values) for relation, values in rows.items()}
        return self


def _log_shares(counts: Counter[str], labels: tuple[str, ...]) -> numpy.ndarray:
    smoothed_counts = numpy.array([counts[label] + _ADDED_COUNT for label in labels])
    shares: numpy.ndarray = numpy.log(smoothed_counts / smoothed_counts.sum())
    return shares
