"""Explanation of a result: the rows of the tuple table, captions divided into spans, unused words, and the details of a row."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

from spice_core.data.items import Caption
from spice_core.data.work_file import UnmatchedTuple
from spice_core.explain.causes.suggest import UNCLEAR_CAUSE, Suggestion, suggest_cause
from spice_core.explain.evidence import Passage, Span, TupleRow, caption_passages, caption_spans, tuple_rows, tuple_text
from spice_core.explain.nearest_tuples import PartCache, RelatedTuple, nearest_tuples, related_tuples
from spice_core.explain.senses import ConceptMerge, DoubtfulSense, doubtful_senses, needed_merges
from spice_core.explain.unused_words import UnusedWord, find_unused_words
from spice_core.inference.prover import NearMiss, Proof
from spice_core.inference.rules import InferenceRule, inference_rules
from spice_core.lang import language
from spice_core.metrics.result import SpiceResult
from spice_core.metrics.spice import Spice
from spice_core.rules import RuleSet
from spice_core.scene.graph import SceneTuple
from spice_core.scene.matching import MatchState
from spice_core.scene.synonyms import Synonyms


class RowDetails(NamedTuple):
    """Details of a row.

    For an unmatched tuple, these are its nearest tuples and its probable cause. For a match, they are the merges that the
    match depends on and its doubtful senses.
    """

    nearest: tuple[RelatedTuple, ...] = ()
    cause: Suggestion | None = None
    merges: tuple[ConceptMerge, ...] = ()
    senses: tuple[DoubtfulSense, ...] = ()


@dataclass(frozen=True, eq=False)
class Explanation:
    """A result with its explanation, whose parts are computed once at first use."""

    result: SpiceResult
    synonyms: Synonyms
    categories: Mapping[str, frozenset[str]] = field(default_factory=dict)
    rules: RuleSet | None = None

    @classmethod
    def from_result(cls, result: SpiceResult, spice: Spice) -> Explanation:
        """Explain a result.

        Args:
            result: the result.
            spice: the metric that computed it.

        Returns:
            The rows of the tuples, the captions in spans, unused words, and for each unmatched tuple its near misses and probable cause.

        >>> spice = Spice()
        >>> explanation = Explanation.from_result(spice.compute("a dog on a sofa", ["a brown dog lies on a couch"]), spice)
        >>> [(row.state.value, row.parts) for row in explanation.rows][:2]
        [('exact', ('dog',)), ('synonym', ('sofa',))]
        """
        return cls(result, spice.synonyms, spice.categories, spice.rules)

    def _repr_html_(self) -> str:
        """Return the explanation as HTML for notebooks: the result, and the tuples with their reasons."""
        from spice_core.report.notebook import notebook_html

        return notebook_html(self)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Print the explanation in IPython without HTML, one tuple per line."""
        printer.text("\n".join(f"{row.state:<8} {tuple_text(row.parts)}" for row in self.rows))

    @cached_property
    def rows(self) -> tuple[TupleRow, ...]:
        """All tuples by state: matched pairs, then entailed, contradicted, extra and missing tuples."""
        return tuple(tuple_rows(self.result, self.synonyms, categories=self.categories))

    def inference_rules(self, proof: Proof) -> list[InferenceRule]:
        """Return the inference rules that a proof applies, without duplicates."""
        file = language(self.result.signature.lang).inference_rules
        rule_by_name = {rule.name: rule for rule in inference_rules(file).rules} if file else {}
        return [rule_by_name[name] for name in proof.rule_names if name in rule_by_name]

    @cached_property
    def row_by_node(self) -> dict[str, TupleRow]:
        """The rows by the ids of their nodes."""
        return {node: row for row in self.rows for node in row.nodes}

    @cached_property
    def captions(self) -> tuple[tuple[Span, ...], ...]:
        """Each caption, the candidate first, divided into spans with and without a tuple."""
        return tuple(map(tuple, caption_spans(self.result)))

    @cached_property
    def passages(self) -> tuple[tuple[Passage, ...], ...]:
        """The sentences of each caption, the candidate first, all empty if each caption is a single sentence."""
        return caption_passages(self.result, self.captions)

    @cached_property
    def unused_words(self) -> tuple[tuple[UnusedWord, ...], ...]:
        """The words of each caption in no tuple (of original or rephrased propositions), the candidate first."""
        result, pack = self.result, language(self.result.signature.lang)
        rows_by_side = (result.candidate_tuples, (result.candidate,)), (result.reference_tuples, result.references)
        return tuple(
            find_unused_words(
                replace(
                    parse, propositions=(*parse.propositions, *(m.proposition for t in tuples for m in t.mentions if m.caption == index))
                ),
                pack,
                self.rules,
            )
            for tuples, parses in rows_by_side
            for index, parse in enumerate(parses)
        )

    @cached_property
    def suggestions(self) -> dict[UnmatchedTuple, Suggestion | None]:
        """The probable cause of each unmatched tuple, or None without evidence, in the order of the rows.

        If several unmatched tuples have the same words, the cause is that of the first.
        """
        causes: dict[UnmatchedTuple, Suggestion | None] = {}
        for row in self.rows:
            if unmatched_tuple := self.unmatched_tuple(row):
                causes.setdefault(unmatched_tuple, self.details(row.id).cause)
        return causes

    def unmatched_tuple(self, row: TupleRow) -> UnmatchedTuple | None:
        """Return a row's unmatched or contradicted tuple, or None for other rows."""
        if row.state.matched:
            return None
        return UnmatchedTuple(MatchState.MISSING if row.side == "r" else MatchState.EXTRA, self.tuple_of(row.id).words)

    def tuple_of(self, row_id: str) -> SceneTuple:
        """Return the tuple of the row with this id."""
        return self._tuples[row_id]

    def details(self, row_id: str) -> RowDetails:
        """Return the details of the row with this id."""
        if row_id not in self._details:
            self._details[row_id] = self._make_details(self.tuple_of(row_id))
        return self._details[row_id]

    @cached_property
    def _tuples(self) -> dict[str, SceneTuple]:
        return {t.id: t for t in (*self.result.candidate_tuples, *self.result.reference_tuples)}

    @cached_property
    def _details(self) -> dict[str, RowDetails]:
        return {}

    @cached_property
    def _part_comparisons(self) -> PartCache:
        return {}

    def _make_details(self, tuple_: SceneTuple) -> RowDetails:
        match = self.result.match_by_tuple.get(tuple_.id)
        if match is None:
            neighbours = related_tuples(self.result, tuple_, self.synonyms, self._part_comparisons)
            return RowDetails(nearest_tuples(neighbours, tuple_), suggest_cause(self.result, tuple_, neighbours, self.categories))
        return RowDetails(merges=needed_merges(match, self.synonyms), senses=doubtful_senses(match, self.synonyms))


def probable_causes(spice: Spice, candidate: Caption, references: Sequence[Caption]) -> dict[UnmatchedTuple, str]:
    """Return the probable cause of each unmatched tuple of a caption by name, or an empty dict without references."""
    causes = Explanation.from_result(spice.compute(candidate, references), spice).suggestions if references else {}
    return {tuple_: str(suggestion.cause) if suggestion else UNCLEAR_CAUSE for tuple_, suggestion in causes.items()}


@dataclass(frozen=True)
class Judgement:
    """A tuple of the conclusion with its verdict.

    If the tuple neither follows nor is contradicted, ``near_misses`` are the rules that come closest, with their missing
    conditions.
    """

    row: TupleRow
    near_misses: tuple[NearMiss, ...] = ()


def judge_tuples(spice: Spice, premise: str, conclusion: str, *, disabled_rules: Collection[str] = ()) -> list[Judgement]:
    """Judge each tuple of the caption ``conclusion`` given the caption ``premise``, without the rules named in ``disabled_rules``.

    Raises MissingResourceError if the language has no inference rules.
    """
    result = spice.compute(conclusion, [premise])
    inference = language(result.signature.lang).inference(spice.synonyms, disabled_names=disabled_rules)
    tuples_by_side = result.candidate_tuples, result.reference_tuples
    result = replace(result, verdicts=inference.verdicts(*tuples_by_side, result.matches))
    explanation = Explanation.from_result(result, spice)
    rows = [row for row in explanation.rows if row.side == "c"]
    extra_tuples = [explanation.tuple_of(row.id) for row in rows if not row.state.matched and row.state is not MatchState.CONTRADICTED]
    misses_by_tuple = inference.near_misses(extra_tuples, tuples_by_side[1])
    return [Judgement(row, tuple(misses_by_tuple.get(row.id, ()))) for row in rows]
