"""Metrics of errors and of variety: hallucinated objects, and the diversity of several captions of an image.

- ``CHAIR-i`` is the share of the objects of candidates that no reference entails, and ``CHAIR-s`` the share of candidates with such an object
  (Rohrbach et al., Object Hallucination in Image Captioning, EMNLP 2018). Objects are those of scene graphs, not the 80 categories of
  COCO. Instances of COCO can be given in addition to the references.
- ``AllSPICE`` is SPICE of the merged graph of all candidates of an image (Luo and Shakhnarovich, Analysis of diversity-accuracy tradeoff
  in image captioning, 2020), and ``self-similarity`` the mean SPICE of their pairs. Candidates with the same references belong to the same
  image.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import combinations
from statistics import fmean
from typing import NamedTuple

from spice_core.lang import language
from spice_core.metrics.metric import Batch, Metric, Needs
from spice_core.metrics.result import SpiceResult
from spice_core.metrics.spice import Spice
from spice_core.scene.matching import match_by_scheme
from spice_core.scene.propositions import Parse, parse_from_tuples
from spice_core.scene.scores import OVERALL, compute_scores


class ObjectCounts(NamedTuple):
    """The numbers of hallucinated objects and of all objects of a candidate."""

    hallucinated: int
    objects: int

    @property
    def share(self) -> float:
        """The share of hallucinated objects (nan without objects)."""
        return self.hallucinated / self.objects if self.objects else math.nan


def entailment_spice(spice: Spice) -> Spice:
    """Return the metric under the scheme ``entailed`` if the language has rules of inference."""
    return spice.with_scheme("entailed") if language(spice.lang).inference_rules else spice


def count_objects(result: SpiceResult) -> ObjectCounts:
    """Return the number of candidate objects that no reference states or entails."""
    objects = [tuple_ for tuple_ in result.candidate_tuples if tuple_.kind == "object"]
    return ObjectCounts(sum(not result.state(tuple_).matched for tuple_ in objects), len(objects))


def object_counts(batch: Batch) -> list[ObjectCounts]:
    """Return the counts of each item of a batch."""
    spice, parses = batch.get_tool(entailment_spice), batch.parses
    graphs = [[parse_from_tuples([[name] for name in sorted(names)], where="objects")] if names else [] for names in batch.objects]
    graphs = graphs or [[]] * len(batch.items)
    return [
        count_objects(spice.compare(parses[candidate], [*(parses[text] for text in texts), *in_image]))
        for (candidate, texts), in_image in zip(batch.items, graphs, strict=True)
    ]


def _chair_i(batch: Batch) -> float:
    counts = batch.compute_once(object_counts)
    return ObjectCounts(sum(count.hallucinated for count in counts), sum(count.objects for count in counts)).share


def all_spice(spice: Spice, candidates: Sequence[Parse], references: Sequence[Parse]) -> float:
    """Return the F1 of the merged graph of the candidates against the merged graph of the references."""
    tuples, merged_references = tuple(spice.graph(candidates).tuples()), spice.merge(references)
    matches = tuple(match_by_scheme(tuples, merged_references.tuples, spice.scheme))
    return compute_scores(tuples, merged_references.tuples, matches, {}, partial_credit=spice.scheme.partial_credit)[OVERALL].f1


def self_similarity(spice: Spice, candidates: Sequence[Parse], references: Sequence[Parse]) -> float:
    """Return the mean F1 of all pairs of candidates, or nan for a single candidate. Less is more diverse."""
    pairs = [spice.compare(a, [b]).f1 for a, b in combinations(candidates, 2)]
    return fmean(pairs) if pairs else math.nan


def _scores_of_images(batch: Batch, score: Callable[[Spice, Sequence[Parse], Sequence[Parse]], float]) -> dict[tuple[str, ...], float]:
    """Return the score of each image, computed from its references."""
    candidates: dict[tuple[str, ...], list[Parse]] = {}
    for candidate, references in batch.items:
        candidates.setdefault(tuple(references), []).append(batch.parses[candidate])
    return {texts: score(batch.spice, parses, [batch.parses[text] for text in texts]) for texts, parses in candidates.items()}


def _all_spice_of_images(batch: Batch) -> dict[tuple[str, ...], float]:
    return _scores_of_images(batch, all_spice)


def _self_similarity_of_images(batch: Batch) -> dict[tuple[str, ...], float]:
    return _scores_of_images(batch, self_similarity)


def _diversity_metric(name: str, summary: str, scores_of_images: Callable[[Batch], dict[tuple[str, ...], float]]) -> Metric:
    def mean(batch: Batch) -> float:
        values = [value for value in batch.compute_once(scores_of_images).values() if not math.isnan(value)]
        return fmean(values) if values else math.nan

    return Metric(
        name=name,
        summary=summary,
        needs=Needs.CORPUS,
        segment=lambda batch: [batch.compute_once(scores_of_images)[tuple(references)] for _, references in batch.items],
        corpus=mean,
        signature=lambda spice: _named_signature(name, spice),
    )


def _named_signature(name: str, spice: Spice) -> str:
    return f"{name}|{str(spice.signature).removeprefix('spice|')}"


def _chair_metric(name: str, summary: str, segment: Callable[[ObjectCounts], float], corpus: Callable[[Batch], float] | None) -> Metric:
    return Metric(
        name=name,
        summary=summary,
        needs=Needs.GRAPH,
        segment=lambda batch: [segment(count) for count in batch.compute_once(object_counts)],
        corpus=corpus,
        signature=lambda spice: _named_signature(name, entailment_spice(spice)),
    )


OBJECT_AND_DIVERSITY_METRICS = (
    _chair_metric("CHAIR-i", "share of objects that no reference entails; less is better", lambda count: count.share, _chair_i),
    _chair_metric(
        "CHAIR-s", "share of captions with an object that no reference entails; less is better", lambda c: float(c.hallucinated > 0), None
    ),
    _diversity_metric("AllSPICE", "SPICE of all captions of an image, merged", _all_spice_of_images),
    _diversity_metric(
        "self-similarity", "mean SPICE of the pairs of captions of an image; less is more diverse", _self_similarity_of_images
    ),
)
