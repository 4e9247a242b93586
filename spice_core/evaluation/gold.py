"""Evaluation of parses against gold graphs: precision and recall by kind, correct tuples by rule, and the differences.

Tuples are compared by their words, without synonyms or merging. Before the comparison, the objects of attributes and
relations are added to both sides as object tuples, and a leading "be " is removed from relations. Optional gold tuples
count neither as correct nor as wrong.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from spice_core.data.gold import GoldGraph
from spice_core.scene.propositions import KIND_BY_LENGTH, Parse, TupleWords, add_implied_objects, without_be


@dataclass(frozen=True)
class PrecisionRecall:
    """Numbers of true positives, predicted tuples and gold tuples."""

    tp: int
    predicted: int
    gold: int

    @property
    def precision(self) -> float:
        """Precision (0–1), or 0 if nothing was predicted."""
        return self.tp / self.predicted if self.predicted else 0.0

    @property
    def recall(self) -> float:
        """Recall (0–1), or 0 if there are no gold tuples."""
        return self.tp / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall (0–1)."""
        return 2 * self.tp / (self.predicted + self.gold) if self.tp else 0.0


@dataclass(frozen=True)
class GoldMismatch:
    """A caption whose tuples differ from gold: extra tuples with the rules that yielded them, and missing tuples."""

    caption: str
    extra: Mapping[TupleWords, tuple[str, ...]]
    missing: tuple[TupleWords, ...]


@dataclass(frozen=True)
class GoldReport:
    """Result of a comparison of parses with gold graphs.

    Attributes:
        overall: Counts over all tuples.
        kinds: Counts by kind of tuple.
        rules: The number of correct tuples and the number of all tuples by rule. The rule with the most tuples comes first.
        differences: The captions whose tuples differ from gold.
    """

    overall: PrecisionRecall
    kinds: Mapping[str, PrecisionRecall]
    rules: Mapping[str, tuple[int, int]]
    differences: tuple[GoldMismatch, ...]

    def __str__(self) -> str:
        rows = [("all", self.overall), *self.kinds.items()]
        lines = [f"{'':<32}{'F1':>7}{'P':>7}{'R':>7}{'tp':>8}{'predicted':>11}{'gold':>8}"]
        lines += [f"{n:<32}{c.f1:>7.3f}{c.precision:>7.3f}{c.recall:>7.3f}{c.tp:>8}{c.predicted:>11}{c.gold:>8}" for n, c in rows]
        lines += ["", f"{'rule':<32}{'tp':>8}{'fired':>8}"]
        lines += [f"{name:<32}{tp:>8}{fired_count:>8}{tp / fired_count:>8.3f}" for name, (tp, fired_count) in self.rules.items()]
        return "\n".join(lines)


def compare_gold(gold: Sequence[GoldGraph], parses: Sequence[Parse]) -> GoldReport:
    """Compare parses with gold graphs, which must be in the same order."""
    predicted_tuples = [
        add_implied_objects(p.words for p in parse.propositions) - graph.optional_tuples for parse, graph in zip(parses, gold, strict=True)
    ]
    tuple_pairs = [(tuples, graph.tuples) for tuples, graph in zip(predicted_tuples, gold)]
    kinds = {
        name: _count_pairs([(_tuples_of_size(a, length), _tuples_of_size(b, length)) for a, b in tuple_pairs])
        for length, name in KIND_BY_LENGTH.items()
    }
    rules: dict[str, list[int]] = {}
    differences = []
    for parse, graph, tuples in zip(parses, gold, predicted_tuples):
        propositions = {(p.rule, without_be(p.words)) for p in parse.propositions if without_be(p.words) not in graph.optional_tuples}
        for rule, words in propositions:
            row = rules.setdefault(rule, [0, 0])
            row[0] += words in graph.tuples
            row[1] += 1
        if tuples != graph.tuples:
            extra_tuples = {
                words: tuple(sorted(r for r, w in propositions if words in add_implied_objects([w])))
                for words in sorted(tuples - graph.tuples)
            }
            differences.append(GoldMismatch(parse.caption, extra_tuples, tuple(sorted(graph.tuples - tuples))))
    by_firings = {rule: (tp, fired_count) for rule, (tp, fired_count) in sorted(rules.items(), key=lambda r: (-r[1][1], r[0]))}
    return GoldReport(_count_pairs(tuple_pairs), kinds, by_firings, tuple(differences))


def _tuples_of_size(tuples: Set[tuple[str, ...]], length: int) -> Set[tuple[str, ...]]:
    return {t for t in tuples if len(t) == length}


def _count_pairs(pairs: Sequence[tuple[Set[tuple[str, ...]], Set[tuple[str, ...]]]]) -> PrecisionRecall:
    return PrecisionRecall(sum(len(a & b) for a, b in pairs), sum(len(a) for a, _ in pairs), sum(len(b) for _, b in pairs))
