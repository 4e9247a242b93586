"""Evaluation of parses against gold graphs: precision and recall by kind and rule, and the differences.

Tuples are compared by their words, without synonyms or merging. Both sides are closed first: every subject, object and
attribute host becomes an object tuple, and a relation loses a leading "be ".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from spice_core.data.gold import GoldGraph
from spice_core.scene.propositions import KINDS, Parse, Words, closed, without_be


@dataclass(frozen=True)
class Counts:
    """True positives, predicted and gold tuples."""

    right: int
    found: int
    wanted: int

    @property
    def precision(self) -> float:
        """Precision (0–1; 0 if nothing was predicted)."""
        return self.right / self.found if self.found else 0.0

    @property
    def recall(self) -> float:
        """Recall (0–1; 0 if there are no gold tuples)."""
        return self.right / self.wanted if self.wanted else 0.0

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall (0–1)."""
        return 2 * self.right / (self.found + self.wanted) if self.right else 0.0


@dataclass(frozen=True)
class Difference:
    """A caption whose tuples differ from gold: extra tuples with the rules that yielded them, and missing ones."""

    caption: str
    extra: Mapping[Words, tuple[str, ...]]
    missing: tuple[Words, ...]


@dataclass(frozen=True)
class GoldReport:
    """Result of one comparison: counts over all tuples and by kind, ``(right, fired)`` by rule, and the captions that differ."""

    overall: Counts
    kinds: Mapping[str, Counts]
    rules: Mapping[str, tuple[int, int]]
    differences: tuple[Difference, ...]

    def __str__(self) -> str:
        rows = [("all", self.overall), *self.kinds.items()]
        lines = [f"{'':<32}{'F1':>7}{'P':>7}{'R':>7}{'right':>8}{'found':>8}{'wanted':>8}"]
        lines += [f"{n:<32}{c.f1:>7.3f}{c.precision:>7.3f}{c.recall:>7.3f}{c.right:>8}{c.found:>8}{c.wanted:>8}" for n, c in rows]
        lines += ["", f"{'rule':<32}{'right':>8}{'fired':>8}"]
        lines += [f"{name:<32}{right:>8}{fired:>8}{right / fired:>8.3f}" for name, (right, fired) in self.rules.items()]
        return "\n".join(lines)


def compare(gold: Sequence[GoldGraph], parses: Sequence[Parse]) -> GoldReport:
    """Compare parses with gold graphs, given in the same order."""
    found = [closed(p.words for p in parse.propositions) for parse in parses]
    pairs = [(mine, graph.tuples) for mine, graph in zip(found, gold, strict=True)]
    kinds = {name: _counts([(_sized(a, size), _sized(b, size)) for a, b in pairs]) for size, name in KINDS.items()}
    rules: dict[str, list[int]] = {}
    differences = []
    for parse, graph, mine in zip(parses, gold, found):
        yielded = {(p.rule, without_be(p.words)) for p in parse.propositions}
        for rule, words in yielded:
            row = rules.setdefault(rule, [0, 0])
            row[0] += words in graph.tuples
            row[1] += 1
        if mine != graph.tuples:
            extra = {words: tuple(sorted(r for r, w in yielded if words in closed([w]))) for words in sorted(mine - graph.tuples)}
            differences.append(Difference(parse.caption, extra, tuple(sorted(graph.tuples - mine))))
    by_firings = {rule: (right, fired) for rule, (right, fired) in sorted(rules.items(), key=lambda r: (-r[1][1], r[0]))}
    return GoldReport(_counts(pairs), kinds, by_firings, tuple(differences))


def _sized(tuples: Set[tuple[str, ...]], size: int) -> Set[tuple[str, ...]]:
    return {t for t in tuples if len(t) == size}


def _counts(pairs: Sequence[tuple[Set[tuple[str, ...]], Set[tuple[str, ...]]]]) -> Counts:
    return Counts(sum(len(a & b) for a, b in pairs), sum(len(a) for a, _ in pairs), sum(len(b) for _, b in pairs))
