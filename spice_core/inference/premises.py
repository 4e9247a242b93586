"""Index of the premises of inference rules, which finds the rules that may apply to a graph."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache, reduce
from operator import and_, or_

from spice_core.inference.bindings import is_variable, single_word
from spice_core.inference.lexicon import Lexicon
from spice_core.inference.rules import Derivation, InferenceRule, InferenceRules, LabelReading, Pattern, PatternIndex
from spice_core.scene.graph import SceneTuple


class PremiseIndex:
    """Index of the premises of all rules by the words of tuples.

    A set of premises is stored as the bits of an integer, and the premises that match a word are cached for all graphs. The index compares
    each part of a tuple separately: it may report a rule that does not apply, but it never misses one that does.
    """

    def __init__(self, rules: InferenceRules, lexicon: Lexicon):
        self._rules, self._lexicon = rules, lexicon
        self._premises = [(rule, pattern) for rule in rules.rules for pattern in rule.premises]
        self._bits = {pattern: 1 << index for index, (_, pattern) in enumerate(self._premises)}
        self._required = {rule.name: reduce(or_, map(self._bits.__getitem__, rule.premises), 0) for rule in rules.rules}
        self._index_by_part_count = {
            part_count: PatternIndex([premise for premise in self._premises if premise[1].part_count == part_count], rules)
            for part_count in (1, 2, 3)
        }
        self._restrictions = [self._find_restrictions(position) for position in (0, -1)]
        self.derivations = lru_cache(maxsize=1 << 14)(self._find_derivations)
        self._with_label = lru_cache(maxsize=1 << 14)(self._find_by_label)
        self._with_object = lru_cache(maxsize=1 << 14)(self._find_by_object)

    def applicable_rules(self, tuples: Iterable[SceneTuple]) -> frozenset[str]:
        """Return the names of the rules whose premises may all match a graph's tuples."""
        present_bits = reduce(or_, map(self._matching_premises, tuples), 0)
        return frozenset(name for name, premise_bits in self._required.items() if premise_bits & present_bits == premise_bits)

    def _find_derivations(self, part_count: int, text: str) -> list[Derivation]:
        """Return the ways to derive a tuple of ``part_count`` parts with this middle part.

        The words in the middle part must meet the conditions of the rule.
        """
        derivations = self._rules.derivations(part_count, text)
        return [derivation for derivation in derivations if self._is_admitted(derivation.rule, derivation.pattern, derivation.reading)]

    def _matching_premises(self, tuple_: SceneTuple) -> int:
        """Return, as bits, the premises that the parts of a tuple match."""
        part_count = len(tuple_.concepts)
        labels = tuple_.concepts[1].words if part_count > 1 else ("",)
        premise_bits = reduce(or_, (self._with_label(part_count, label) for label in labels))
        if premise_bits:
            premise_bits &= self._with_object(0, tuple_.concepts[0].words)
        return premise_bits & self._with_object(-1, tuple_.concepts[2].words) if premise_bits and part_count == 3 else premise_bits

    def _find_by_label(self, part_count: int, text: str) -> int:
        """Return the premises whose middle part matches a text and meets the conditions of the rule."""
        readings = self._index_by_part_count[part_count].readings(text)
        return reduce(or_, (self._bits[pattern] for rule, pattern, reading in readings if self._is_admitted(rule, pattern, reading)), 0)

    def _is_admitted(self, rule: InferenceRule, pattern: Pattern, reading: LabelReading) -> bool:
        """Return whether the words in a label, except names of objects, meet the rule's conditions."""
        for name, classes, belongs in rule.conditions:
            word = reading.get(name)
            if word is not None and name not in pattern.objects and self._lexicon.is_a(single_word(word), *classes) is not belongs:
                return False
        return True

    def _find_by_object(self, position: int, words: frozenset[str]) -> int:
        """Return, as bits, the premises whose subject (position 0) or object (position -1) may have these words."""
        name_bits, class_bits = self._restrictions[position]
        missing_bits = (bits for name, bits in name_bits.items() if name not in words)
        unmet_bits = (bits for (classes, belongs), bits in class_bits.items() if self._lexicon.is_a(words, *classes) is not belongs)
        return reduce(and_, (~bits for bits in (*missing_bits, *unmet_bits)), (1 << len(self._premises)) - 1)

    def _find_restrictions(self, position: int) -> tuple[dict[str, int], dict[tuple[tuple[str, ...], bool], int]]:
        """Return the premises with a restriction at this position: by required word, and by condition on the word class."""
        name_bits: dict[str, int] = {}
        class_bits: dict[tuple[tuple[str, ...], bool], int] = {}
        for rule, pattern in self._premises:
            variable, bit = pattern.objects[position], self._bits[pattern]
            if not is_variable(variable):
                name_bits[variable] = name_bits.get(variable, 0) | bit
            for name, classes, belongs in rule.conditions:
                if name == variable:
                    class_bits[classes, belongs] = class_bits.get((classes, belongs), 0) | bit
        return name_bits, class_bits
