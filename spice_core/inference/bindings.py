"""Binding of the variables of inference rules, and the conditions on their values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from spice_core.inference.lexicon import Lexicon
from spice_core.inference.rules import InferenceRule, InferenceRules, LabelReading, Pattern
from spice_core.scene.graph import Element, SceneTuple

Term = Element | str  # an object of the graph, or a word: the name of a derivable object, or part of a label
TermByVariable = dict[str, Term]


def match_pattern(pattern: Pattern, objects: Sequence[Term], reading: LabelReading, bindings: TermByVariable) -> TermByVariable | None:
    """Return ``bindings`` extended so that a pattern matches the objects and the reading, or None if the pattern cannot match."""
    for name, value in reading.items():
        current = bindings.get(name, value)
        if current != value and value not in term_names(current):
            return None
    new_bindings: TermByVariable = {**reading, **bindings}
    for name, term in zip(pattern.objects, objects):
        if not is_variable(name):
            if name not in term_names(term):
                return None
        else:
            current = new_bindings.setdefault(name, term)
            if current is not term and current != term:
                if name in bindings or reading.get(name, "") not in term_names(term):
                    return None
                new_bindings[name] = term
    return new_bindings


def iterate_matches(pattern: Pattern, tuple_: SceneTuple, bindings: TermByVariable, rules: InferenceRules) -> Iterator[TermByVariable]:
    """Yield each extension of ``bindings`` with which a pattern matches a tuple of a graph."""
    objects = tuple_.elements[::2] if pattern.part_count == 3 else tuple_.elements[:1]
    for text in sorted(tuple_.concepts[1].words) if pattern.labels else ("",):
        for reading in rules.readings(pattern, text):
            new_bindings = match_pattern(pattern, objects, reading, bindings)
            if new_bindings is not None:
                yield new_bindings


def failed_conditions(rule: InferenceRule, bindings: TermByVariable, lexicon: Lexicon) -> Iterator[tuple[str, tuple[str, ...], bool]]:
    """Yield the conditions that the bound values violate.

    A condition consists of a variable, word classes, and whether the value must belong to one of the classes.
    """
    for name, classes, belongs in rule.conditions:
        if name in bindings:
            if lexicon.is_a(term_names(bindings[name]), *classes) is not belongs:
                yield name, classes, belongs


def term_names(term: Term) -> frozenset[str]:
    """Return the words for a term."""
    return single_word(term) if isinstance(term, str) else term.concept.words


@lru_cache(maxsize=1 << 12)
def single_word(word: str) -> frozenset[str]:
    return frozenset((word,))


@lru_cache(maxsize=1 << 12)
def is_variable(name: str) -> bool:
    """Return whether a name in a pattern is a variable rather than a word."""
    return len(name) == 1 and name.isupper()
