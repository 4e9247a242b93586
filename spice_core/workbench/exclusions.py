"""Search for conditions that exclude wrong tuples of a rule.

A condition concerns the tag or the lemma of a word, or a word that must or must not depend on another word.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from math import inf
from time import thread_time
from typing import NamedTuple

from spice_core.errors import RuleError
from spice_core.rules.conditions import Bindings
from spice_core.rules.pattern import Pattern
from spice_core.rules.ruleset import Rule
from spice_core.scene.propositions import TupleWords
from spice_core.workbench.judged_captions import JudgedCaptions, RuleFiring
from spice_core.workbench.rule_induction import PLAIN_VALUE_PATTERN, label_pattern
from spice_core.workbench.sketch import NAMELESS_NODE, SketchClause, clauses_of

MAX_CONDITIONS = 60


class Exclusion(NamedTuple):
    """A condition with the tuples that it excludes: wrong, correct, and unjudged ones."""

    clause: SketchClause
    wrong_tuples: frozenset[tuple[int, TupleWords]]
    right_tuples: frozenset[tuple[int, TupleWords]]
    unknown_tuples: frozenset[tuple[int, TupleWords]]

    @property
    def gain(self) -> int:
        """The number of excluded wrong tuples minus the number of excluded correct tuples."""
        return len(self.wrong_tuples) - len(self.right_tuples)


class ClauseTest:
    """Cached test of whether a clause holds for a firing of a rule."""

    def __init__(self) -> None:
        self._answers: dict[tuple[str, int, int, int], bool] = {}
        self._patterns: dict[SketchClause, Pattern | None] = {}

    def __call__(self, clause: SketchClause, firing: RuleFiring) -> bool:
        if clause not in self._patterns:
            with suppress(RuleError):
                self._patterns[clause] = Pattern(clause.source)
        pattern, word = self._patterns.setdefault(clause, None), firing.bindings.get(clause.node)
        if pattern is None or not isinstance(word, int):
            return True
        key = (clause.text, firing.place.position, firing.place.number, word)
        if ".." in clause.text or key not in self._answers:
            bindings = {name: i for name, i in firing.bindings.items() if name in pattern.nodes}
            self._answers[key] = _pattern_holds(pattern, firing, bindings)
        return self._answers[key]


def find_exclusions(
    captions: JudgedCaptions,
    firings: Sequence[RuleFiring],
    rules: tuple[Rule, ...],
    required_firing: RuleFiring | None = None,
    *,
    clause_test: ClauseTest | None = None,
    deadline: float = inf,
) -> list[Exclusion]:
    """Return the conditions that exclude wrong tuples of these firings, best first.

    If ``required_firing`` is given, return the conditions that exclude this firing.

    The search ends at ``deadline``, a value of ``thread_time``.
    """
    clause_test = clause_test or ClauseTest()
    verdict = captions.verdict(firings)
    wrong_firings = [f for f in firings if any((f.place.position, w) in verdict.wrong_tuples for w in f.tuples)]
    out = []
    unwanted_firings = [required_firing] if required_firing else wrong_firings
    for clause in _rule_conditions(unwanted_firings, firings, rules):
        if thread_time() > deadline:
            break
        if all(clause_test(clause, f) for f in unwanted_firings):
            continue
        new_verdict = captions.verdict([f for f in firings if clause_test(clause, f)])
        exclusion = Exclusion(
            clause,
            verdict.wrong_tuples - new_verdict.wrong_tuples,
            verdict.right_tuples - new_verdict.right_tuples,
            verdict.unknown_tuples - new_verdict.unknown_tuples,
        )
        if required_firing or exclusion.wrong_tuples:
            out.append(exclusion)
    return sorted(out, key=lambda e: (-e.gain, len(e.right_tuples), len(e.unknown_tuples)))


def _rule_conditions(wrong_firings: Sequence[RuleFiring], firings: Sequence[RuleFiring], rules: tuple[Rule, ...]) -> list[SketchClause]:
    """Return the conditions to try, in order.

    First come negated conditions of the rules, then conditions that wrong firings violate, and finally conditions that at least half of the
    first firings meet.
    """
    bindings = firings[0].bindings if firings else {}
    nodes = [name for name, value in bindings.items() if isinstance(value, int) and not NAMELESS_NODE.fullmatch(name)]
    texts = dict.fromkeys(c.text for c, _ in clauses_of(rules) if c.text.startswith("!") or ":!" in c.text)
    counts = Counter(clause for f in wrong_firings for clause in dict.fromkeys(_observed_conditions(f, nodes)))
    clause_counts = Counter(clause for f in firings[:MAX_CONDITIONS] for clause in dict.fromkeys(_dependent_conditions(f, nodes)))
    common_clauses = [clause for clause, _ in counts.most_common(MAX_CONDITIONS)]
    frequent_clauses = [clause for clause, count in clause_counts.items() if 2 * count >= len(firings[:MAX_CONDITIONS])]
    return list(dict.fromkeys([*(SketchClause(n, text) for text in texts for n in nodes), *common_clauses, *frequent_clauses]))


def _observed_conditions(firing: RuleFiring, nodes: Iterable[str]) -> Iterator[SketchClause]:
    """Yield conditions that a firing violates: another tag or lemma for a word, or a missing dependent or head."""
    graph = firing.place.graph
    for name in nodes:
        index = firing.bindings.get(name)
        if isinstance(index, int):
            token = graph.token(index)
            yield from (
                SketchClause(name, f"{a}:!{v}") for a, v in (("tag", token.tag), ("lemma", token.lemma)) if PLAIN_VALUE_PATTERN.fullmatch(v)
            )
            yield from (SketchClause(name, f"!>{label_pattern(e.relation)} {{}}") for e in graph.children(index))
            yield from (SketchClause(name, f"!<{label_pattern(e.relation)} {{}}") for e in graph.parents(index) if e.head)


def _dependent_conditions(firing: RuleFiring, nodes: Iterable[str]) -> Iterator[SketchClause]:
    """Yield a condition for each dependent of a firing's words: a dependent with this relation."""
    named_indices = ((name, firing.bindings.get(name)) for name in nodes)
    yield from (
        SketchClause(name, f">{label_pattern(e.relation)} {{}}")
        for name, index in named_indices
        if isinstance(index, int)
        for e in firing.place.graph.children(index)
    )


def _pattern_holds(pattern: Pattern, firing: RuleFiring, bindings: Bindings) -> bool:
    """Return whether a pattern matches these words. A pattern that times out counts as a match."""
    try:
        return pattern.failure(firing.place.graph, bindings) is None
    except RuleError:
        return True
