"""A scored candidate: graphs, tuples, matches and scores, with their provenance."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from operator import mul
from statistics import fmean
from typing import TYPE_CHECKING, Any

from spice_core.inference.verdicts import Contradiction, Relative, Verdicts
from spice_core.lang import language
from spice_core.metrics.config import Signature
from spice_core.scene.graph import SceneGraph, SceneTuple
from spice_core.scene.matching import Match, MatchState
from spice_core.scene.propositions import Parse
from spice_core.scene.salience import WeightsByTuple
from spice_core.scene.scores import OVERALL, Score, SentenceScore, format_count

if TYPE_CHECKING:
    import networkx as nx

    from spice_core.inference.prover import Proof


def score_row(scores: Mapping[str, Score]) -> dict[str, float]:
    """Return the ratios and counts of all categories in one flat row, with names such as ``All f1``."""
    names = ("f1", "precision", "recall", "matched", "candidate", "reference")
    return {f"{category} {name}": getattr(score, name) for category, score in scores.items() for name in names}


@dataclass(frozen=True)
class SpiceResult:
    """A scored candidate: graphs, tuples, matches and scores, with full provenance.

    Attributes:
        candidate: The parse of the candidate.
        references: The parses of the references.
        candidate_graph: The scene graph of the candidate.
        reference_graph: The merged scene graph of the references.
        candidate_tuples: The tuples of the candidate.
        reference_tuples: The tuples of the references.
        matches: Each matched candidate tuple with its reference tuple.
        scores: The scores over all tuples (``All``), by kind (``Object``, ``Attribute``, ``Relation``) and by category of attributes.
        signature: All choices that affect the scores.
        verdicts: The entailed and contradicted tuples of both sides, under the scheme ``entailed``.
    """

    candidate: Parse
    references: tuple[Parse, ...]
    candidate_graph: SceneGraph = field(repr=False)
    reference_graph: SceneGraph = field(repr=False)
    candidate_tuples: tuple[SceneTuple, ...] = field(repr=False)
    reference_tuples: tuple[SceneTuple, ...] = field(repr=False)
    matches: tuple[Match, ...] = field(repr=False)
    scores: Mapping[str, Score]
    signature: Signature
    verdicts: Verdicts = field(default=Verdicts(), repr=False)
    weights: WeightsByTuple = field(default_factory=dict, repr=False)

    @property
    def overall(self) -> Score:
        """The score over all tuples."""
        return self.scores[OVERALL]

    @property
    def metric_name(self) -> str:
        """The metric's name under these settings, followed by ``by meaning`` if it compares by meaning."""
        s = self.signature
        name = language(s.lang).name_of_metric(s.rules, parser=s.parser, scheme=s.scheme, synonyms=s.synonyms)
        return name + (", by meaning" if self.verdicts.is_judged else "")

    @property
    def f1(self) -> float:
        """SPICE: the F1 over all tuples (0–1)."""
        return self.overall.f1

    @property
    def precision(self) -> float:
        """The precision over all tuples (0–1)."""
        return self.overall.precision

    @property
    def recall(self) -> float:
        """The recall over all tuples (0–1)."""
        return self.overall.recall

    @cached_property
    def match_by_tuple(self) -> dict[str, Match]:
        """The match of each matched tuple by tuple id. A reference tuple has its best match.

        A tuple that is entailed or contradicted has no partial match.
        """
        out: dict[str, Match] = {}
        for m in sorted(self.matches, key=lambda m: -m.credit):
            out[m.candidate.id] = m
            out.setdefault(m.reference.id, m)
        judged_tuples = [each.tuple_ for each in self.verdicts.entailments] + [each.tuple_ for each in self.verdicts.contradictions]
        for tuple_ in judged_tuples:
            out.pop(tuple_.id, None)
        return out

    def state(self, tuple_: SceneTuple) -> MatchState:
        """Return the match state of a tuple of either side."""
        return self._states[tuple_.id]

    @cached_property
    def _states(self) -> dict[str, MatchState]:
        states = dict.fromkeys((t.id for t in self.candidate_tuples), MatchState.EXTRA)
        states |= dict.fromkeys((t.id for t in self.reference_tuples), MatchState.MISSING)
        states |= {relative.tuple_.id: relative.state for relative in self.verdicts.relatives}
        states |= dict.fromkeys((entailment.tuple_.id for entailment in self.verdicts.entailments), MatchState.ENTAILED)
        states |= dict.fromkeys((contradiction.tuple_.id for contradiction in self.verdicts.contradictions), MatchState.CONTRADICTED)
        return states | {key: match.state for key, match in self.match_by_tuple.items()}

    def credit(self, tuple_: SceneTuple) -> float:
        """Return the share for which a tuple counts (0–1), without its weight."""
        match, relative = self.match_by_tuple.get(tuple_.id), self.relative_of(tuple_)
        return max(match.credit if match else float(self.state(tuple_).matched), relative.credit if relative else 0.0)

    def weight(self, tuple_: SceneTuple) -> float:
        """Return the mean weight of a tuple in the captions that mention it: 1, or less for details under the scheme ``entailed``."""
        return fmean(self.weights.get(tuple_.id, {0: 1.0}).values())

    def relative_of(self, tuple_: SceneTuple) -> Relative | None:
        """Return the tuple of the other side that a tuple entails or shares its kind with, or None."""
        return self._relatives.get(tuple_.id)

    @cached_property
    def _relatives(self) -> dict[str, Relative]:
        return {relative.tuple_.id: relative for relative in self.verdicts.relatives}

    @property
    def missed(self) -> tuple[SceneTuple, ...]:
        """Reference tuples that the candidate neither matches nor entails."""
        return tuple(t for t in self.reference_tuples if not self.state(t).matched)

    @property
    def extra(self) -> tuple[SceneTuple, ...]:
        """Candidate tuples that the references neither match nor entail."""
        return tuple(t for t in self.candidate_tuples if not self.state(t).matched)

    @cached_property
    def sentences(self) -> tuple[SentenceScore, ...]:
        """Precision for each sentence of the candidate, then recall for each sentence of the references.

        A tuple counts in each sentence that mentions it. The result is empty if every caption is a single sentence.
        """
        parses = (self.candidate, *self.references)
        if not any(parse.sentences for parse in parses):
            return ()
        out = []
        for caption, parse in enumerate(parses):
            for sentence, text in enumerate(parse.sentences or (parse.caption,)):
                tuples = self.tuples_by_sentence.get((caption, sentence), [])
                weights = [self.weights.get(t.id, {}).get(max(0, caption - 1), 1.0) for t in tuples]
                matched_count = sum(map(mul, map(self.credit, tuples), weights), 0.0) * len(tuples) / (sum(weights) or 1)
                out.append(SentenceScore(caption, text, matched_count, len(tuples)))
        return tuple(out)

    @cached_property
    def tuples_by_sentence(self) -> dict[tuple[int, int], list[SceneTuple]]:
        """The tuples of each sentence, by caption number (0 for the candidate) and sentence number."""
        out: dict[tuple[int, int], list[SceneTuple]] = {}
        for first_caption, tuples in ((0, self.candidate_tuples), (1, self.reference_tuples)):
            for tuple_ in tuples:
                for place in dict.fromkeys((first_caption + m.caption, m.proposition.sentence) for m in tuple_.mentions):
                    out.setdefault(place, []).append(tuple_)
        return out

    def as_spice_json(self, image_id: object, *, categories: bool = True, detailed: bool = False) -> dict[str, object]:
        """Return the result in the JSON format of the original SPICE.

        Args:
            image_id: the id of the image.
            categories: whether to add the scores of all categories to the overall score.
            detailed: whether to add the tuples of both sides and whether each of them is matched.
        """
        names = list(self.scores) if categories else [OVERALL]
        out: dict[str, object] = {"image_id": image_id, "scores": {n: self.scores[n].as_spice_json() for n in names}}
        if detailed:
            for key, side in (("test_tuples", self.candidate_tuples), ("ref_tuples", self.reference_tuples)):
                out[key] = [{"tuple": list(t.words), "truth_value": self.state(t).matched} for t in side]
        return out

    def as_row(self) -> dict[str, object]:
        """Return one flat row for a DataFrame, with candidate, ratios and counts of each category, and signature."""
        return {"candidate": self.candidate.caption, **score_row(self.scores), "signature": str(self.signature)}

    def to_dict(self) -> dict[str, object]:
        """Return the result as plain data for JSON: captions, scores, scores by sentence, tuples of both sides and signature.

        Undefined ratios are None.
        """
        tuples_by_side = (("candidate", self.candidate_tuples), ("references", self.reference_tuples))
        return {
            "candidate": self.candidate.caption,
            "references": [parse.caption for parse in self.references],
            "scores": {name: score.as_json() for name, score in self.scores.items()},
            **({"sentences": [sentence.as_json() for sentence in self.sentences]} if self.sentences else {}),
            "tuples": {name: [self.tuple_as_json(t) for t in tuples] for name, tuples in tuples_by_side},
            "signature": str(self.signature),
        }

    def tuple_as_json(self, tuple_: SceneTuple) -> dict[str, object]:
        """Return a tuple as plain data: id, elements, words, kind, state and, if it is negated, ``negated``.

        A matched tuple also has the id of its partner and its credit, and an entailed tuple its proof.
        """
        match = self.match_by_tuple.get(tuple_.id)
        row: dict[str, object] = {
            "id": tuple_.id,
            "elements": [element.id for element in tuple_.elements],
            "words": [element.words for element in tuple_.elements],
            "kind": tuple_.kind,
            "state": str(self.state(tuple_)),
            **({"negated": True} if tuple_.negated else {}),
        }
        if match is not None:
            partner = match.reference if tuple_.id == match.candidate.id else match.candidate
            row |= {"partner": partner.id, "credit": match.credit}
        if proof := self.proof_of(tuple_):
            row["steps"] = proof.as_json()
        return row

    def proof_of(self, tuple_: SceneTuple) -> Proof | None:
        """Return the proof that the other side entails a tuple, or None if the tuple is matched or not entailed."""
        return next((entailment.proof for entailment in self.verdicts.entailments if entailment.tuple_.id == tuple_.id), None)

    def contradiction_of(self, tuple_: SceneTuple) -> Contradiction | None:
        """Return the contradiction between a tuple and the other side, or None."""
        return next((contradiction for contradiction in self.verdicts.contradictions if contradiction.tuple_.id == tuple_.id), None)

    def graph(self, view: str = "candidate") -> nx.DiGraph:
        """Return a scene graph for networkx.

        Args:
            view: ``candidate``, ``references`` (merged), their ``union`` or their ``difference``.

        Returns:
            A graph in which objects, attributes and relations are nodes with ``kind``, ``words``, ``state`` and ``captions``.

        Raises:
            UnknownNameError: there is no such view.
        """
        from spice_core.draw.network import view_network

        return view_network(self, view)

    def _repr_html_(self) -> str:
        """Return the HTML that notebooks display: score, captions and both graphs."""
        from spice_core.report.notebook import notebook_html

        return notebook_html(self)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Print the result in IPython consoles, which cannot display HTML."""
        printer.text(str(self))

    def __str__(self) -> str:
        lines = [f"SPICE {self.f1:.3f} (P {self.precision:.3f}, R {self.recall:.3f}) {self.candidate.caption}"]
        for name, s in self.scores.items():
            ratios = "n/a" if math.isnan(s.f1) else f"{s.f1:.3f}"
            lines.append(f"  {name:<12}{ratios:>6}  {format_count(s.matched)} of {s.candidate} candidate, {s.reference} reference tuples")
        for sentence in self.sentences:
            side, ratio = ("P" if sentence.caption == 0 else "R"), "n/a" if math.isnan(sentence.ratio) else f"{sentence.ratio:.3f}"
            lines.append(f"  {side} {ratio:>5}  {format_count(sentence.matched)} of {sentence.tuples}  {sentence.text}")
        return "\n".join([*lines, f"  {self.signature}"])
