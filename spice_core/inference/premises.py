"""Index of the premises of inference rules by the shape of tuples: which rules a graph has all premises for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce
from operator import or_

from spice_core.inference.bindings import matches, meets_conditions
from spice_core.inference.lexicon import Lexicon
from spice_core.inference.rules import InferenceRules, Pattern, PatternIndex
from spice_core.scene.graph import SceneTuple

_MAX_SHAPES = 1 << 14  # maximum number of cached shapes


class PremiseIndex:
    """Premises of all rules; each tuple is compared once, for all graphs that contain it, with the premises that may match it."""

    def __init__(self, rules: InferenceRules, lexicon: Lexicon):
        self._rules, self._lexicon = rules, lexicon
        premises = [(rule, pattern) for rule in rules.rules for pattern in rule.given]
        self._bits = {pattern: 1 << number for number, (_, pattern) in enumerate(premises)}
        self._required = {rule.name: self._join(rule.given) for rule in rules.rules}
        self._by_kind = {kind: PatternIndex([each for each in premises if each[1].kind == kind], rules) for kind in (1, 2, 3)}
        self._shapes: dict[tuple[object, ...], int] = {}

    def applicable(self, tuples: Iterable[SceneTuple]) -> frozenset[str]:
        """Return the names of the rules for which each premise matches a tuple of a graph and meets the rule's conditions."""
        stated = reduce(or_, map(self._matched, tuples), 0)
        return frozenset(name for name, required in self._required.items() if required & stated == required)

    def _matched(self, each: SceneTuple) -> int:
        """Return the bits of the premises that match a tuple, which depend only on its words."""
        key = (*(concept.words for concept in each.concepts), each.elements[0] is each.elements[-1])
        if (found := self._shapes.get(key)) is None:
            if len(self._shapes) >= _MAX_SHAPES:
                self._shapes.clear()
            found = self._shapes[key] = self._join(self._patterns(each))
        return found

    def _patterns(self, each: SceneTuple) -> Iterator[Pattern]:
        """Yield the premises that match a tuple, if it meets the conditions of their rules."""
        index = self._by_kind[len(each.concepts)]
        for label in each.concepts[1].words if len(each.concepts) > 1 else ("",):
            for rule, pattern in index.candidates(label):
                if any(meets_conditions(rule, bindings, self._lexicon) for bindings in matches(pattern, each, {}, self._rules)):
                    yield pattern

    def _join(self, premises: Iterable[Pattern]) -> int:
        return reduce(or_, map(self._bits.__getitem__, premises), 0)
