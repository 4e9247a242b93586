"""Tags that agree with the tree: the tagger's scores, weighed by how often a tag goes with a relation.

Tagger and parser decide apart; "standing" tagged as a noun under ``acl`` is a pair that the training trees hardly know.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path

import numpy
from spacy.language import Language
from spacy.tokens import Doc

NAME = "tag_agreement"
WEIGHT = 0.5  # of the relation's evidence against the tagger's; chosen on held-out captions of the training images
_SMOOTHING = 0.5


@Language.factory(NAME)
class TagAgreement:
    """A pipe behind tagger and parser that chooses each tag anew, given the relation of its token."""

    def __init__(self, nlp: Language, name: str):
        self._tagger = nlp.get_pipe("tagger")
        self._evidence: dict[str, numpy.ndarray] = {}

    def learn(self, docs: Iterable[Doc]) -> None:
        """Take the evidence from training trees: log of how much likelier a tag is under a relation than anywhere."""
        labels = self._tagger.labels
        counts: dict[str, Counter[str]] = defaultdict(Counter)
        for doc in docs:
            for token in doc:
                counts[token.dep_][token.tag_] += 1
        everywhere = _log_shares(sum(counts.values(), Counter()), labels)
        self._evidence = {relation: _log_shares(c, labels) - everywhere for relation, c in counts.items()}

    def __call__(self, doc: Doc) -> Doc:
        if len(doc):
            (scores,) = self._tagger.model.predict([doc])  # log-probabilities up to a constant
            labels = self._tagger.labels
            for token, row in zip(doc, scores):
                token.tag_ = labels[int((row + WEIGHT * self._evidence.get(token.dep_, 0.0)).argmax())]
        return doc

    def to_disk(self, path: Path, *, exclude: Iterable[str] = ()) -> None:
        """Write the evidence as JSON."""
        rows = {relation: [round(float(x), 3) for x in values] for relation, values in sorted(self._evidence.items())}
        Path(path).write_text(json.dumps(rows) + "\n", encoding="utf-8")

    def from_disk(self, path: Path, *, exclude: Iterable[str] = ()) -> TagAgreement:
        """Read the evidence."""
        rows = json.loads(Path(path).read_text(encoding="utf-8"))
        self._evidence = {relation: numpy.array(values) for relation, values in rows.items()}
        return self


def _log_shares(counts: Counter[str], labels: tuple[str, ...]) -> numpy.ndarray:
    smoothed = numpy.array([counts[label] + _SMOOTHING for label in labels])
    return numpy.log(smoothed / smoothed.sum())
