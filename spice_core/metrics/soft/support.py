"""Support: how well the references support each tuple of a candidate, from 0 (hallucinated) to 1 (stated).

A tuple that matches no reference tuple may be wrong, or it may be a detail that the references omit. A logistic regression distinguishes
the two cases by features such as the similarity to the nearest tuple and the similarity of the captions with and without the words of the
tuple. ``tools/build_support.py`` fits the regression on captions, on copies with one word replaced, and on rated
captions.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from spice_core.metrics.result import SpiceResult
from spice_core.metrics.soft.hypernyms import HypernymSimilarity
from spice_core.metrics.soft.passages import passage_of_sentence
from spice_core.metrics.soft.similarity import Side
from spice_core.metrics.soft.soft import Soft, SoftResult
from spice_core.model_files import read_model_file
from spice_core.scene.graph import Concept, SceneTuple
from spice_core.scene.lexical_relations import compare_concepts
from spice_core.scene.matching import MatchState
from spice_core.scene.propositions import Parse
from spice_core.scene.synonyms import Synonyms

WEIGHTS_PATH = Path(__file__).parent / "models" / "support.json"
SupportWeights = Mapping[str, Mapping[str, float]]


class SupportFeatures(NamedTuple):
    """Features for predicting whether the references support a candidate tuple.

    The tuple's own word is the object, attribute or relation that it adds.
    """

    kind: str  # object, attribute or relation
    nearest: float  # similarity to the nearest tuple (0–1)
    related: float  # relation of the tuple's own word to any reference word in the dictionary (0–1)
    hypernym: float  # credit of the tuple's own word along hypernyms (0–1)
    sibling: float  # 1 if a reference tuple of the same kind adds a co-hyponym, otherwise 0
    captions: float  # similarity of the full captions (0–1)
    loss: float  # loss of the sentence's mean similarity to the references without the tuple's own words
    loss_of_best: float  # loss of the sentence's highest similarity to a reference without the tuple's own words


FEATURE_NAMES = SupportFeatures._fields[1:]  # names of the weighted features


class Support:
    """Support of candidate tuples. The weights depend on the similarity of the soft result."""

    def __init__(self, synonyms: Synonyms):
        self._synonyms, self._hypernyms = synonyms, HypernymSimilarity(synonyms)

    def prepare(self, results: Sequence[SoftResult]) -> None:
        """Encode the texts for the features of these results in batches, faster than one by one."""
        texts = [text for result in results for pair in _sentence_pairs(result) for text in pair]
        if texts:
            results[0].similarity.prepare(Parse(text, ()) for text in texts)

    def tuple_scores(self, result: SoftResult) -> tuple[float, ...]:
        """Return the support of each candidate tuple (0–1), in the order of the graph.

        The support is 1 for a matched or entailed tuple and 0 for a contradicted tuple. The support of a partial match is at most its
        credit. If the similarity has no weights, the support of other tuples is the similarity to the nearest tuple.
        """
        weights = load_weights().get(result.similarity.signature)
        values = [1 / (1 + math.exp(-support_score(weights, f))) if weights else f.nearest for f in self.features(result)]
        return tuple(_support(result.result, tuple_, value) for tuple_, value in zip(result.alignment.candidates, values))

    def lowest_score(self, result: SoftResult) -> float:
        """Return the lowest support of any candidate tuple, or nan if there are no tuples."""
        return min(self.tuple_scores(result), default=math.nan)

    def features(self, result: SoftResult) -> list[SupportFeatures]:
        """Return the features of each candidate tuple, in the order of the graph."""
        losses = _removal_losses(result)
        return [self._features_of(result, place, losses[place]) for place in range(len(result.alignment.candidates))]

    def _features_of(self, result: SoftResult, index: int, losses: tuple[float, float]) -> SupportFeatures:
        tuple_, references = result.alignment.candidates[index], result.alignment.references
        word, words = _added_concept(tuple_), [_added_concept(reference) for reference in references]
        parts = [compare_concepts(word, reference_word, self._synonyms) for reference_word in words]
        return SupportFeatures(
            tuple_.kind,
            float(max(result.alignment.similarities[index], default=0.0)),
            max((part.closeness for part in parts), default=0.0),
            max((self._hypernyms.credit(word, reference_word) for reference_word in words), default=0.0),
            float(any(part.relation == "sibling" and reference.kind == tuple_.kind for part, reference in zip(parts, references))),
            0.0 if math.isnan(result.caption) else result.caption,
            *losses,
        )


def support_signature(soft: Soft) -> str:
    """Return the signature of support scores: settings, similarity and weights."""
    weights = load_weights().get(soft.similarity.signature)
    digest = sha256(json.dumps(weights, sort_keys=True).encode()).hexdigest()[:8]
    return f"support|weights:{digest if weights else 'none'}|{soft.signature.removeprefix('soft|')}"


@cache
def load_weights() -> Mapping[str, SupportWeights]:
    """Return the weight of each feature and the ``intercept``, by signature of the similarity and by kind of tuple."""
    by_language: Mapping[str, SupportWeights] = json.loads(read_model_file(WEIGHTS_PATH))
    return by_language


def support_score(weights: SupportWeights, features: SupportFeatures) -> float:
    """Return the log-odds that a tuple is correct: the intercept plus the weighted sum of its features."""
    kind_weights = weights[features.kind]
    return kind_weights["intercept"] + sum(kind_weights[name] * value for name, value in zip(FEATURE_NAMES, features[1:]))


def _support(result: SpiceResult, tuple_: SceneTuple, feature_support: float) -> float:
    """Return the support of a candidate tuple, given the support predicted from its features."""
    state = result.state(tuple_)
    if state is MatchState.PARTIAL:
        return min(feature_support, result.match_by_tuple[tuple_.id].credit)
    return 1.0 if state.matched else feature_support * (state is not MatchState.CONTRADICTED)


def _added_concept(tuple_: SceneTuple) -> Concept:
    """Return the part that a tuple adds: the object, the attribute or the relation."""
    return tuple_.concepts[min(1, len(tuple_.concepts) - 1)]


def _removal_losses(result: SoftResult) -> list[tuple[float, float]]:
    """Return how much each candidate tuple's words raise the similarity of its sentence to the references.

    Each tuple has two values: the mean loss over the references, and the loss for the best reference.
    """

    def mean_and_best_similarity(text: str) -> tuple[float, float]:
        similarities = result.similarity.caption_similarities(Side((), (Parse(text, ()),)), Side((), result.result.references)) or (0.0,)
        return math.fsum(similarities) / len(similarities), max(similarities)

    return [(a - c, b - d) for (a, b), (c, d) in (map(mean_and_best_similarity, pair) for pair in _sentence_pairs(result))]


def _sentence_pairs(result: SoftResult) -> list[tuple[str, str]]:
    """Return each candidate tuple's sentence with and without the tuple's words."""
    return [_sentence_without(result.result.candidate, tuple_) for tuple_ in result.alignment.candidates]


def _sentence_without(parse: Parse, tuple_: SceneTuple) -> tuple[str, str]:
    """Return the sentence of a tuple with and without the tuple's words.

    Both texts are empty if the tuple does not come from a parse.
    """
    mention = tuple_.mentions[0]
    tokens = mention.proposition.tokens[mention.part] if mention.proposition.tokens else ()
    if not tokens or not parse.document:
        return "", ""
    text, start = passage_of_sentence(parse, mention.proposition.sentence)
    characters = (c for i, c in enumerate(text, start) if not any(t.start <= i < t.end for t in tokens))
    return " ".join(text.split()), " ".join("".join(characters).split())
