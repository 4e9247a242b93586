"""Warnings about valid rules: labels and tags that no parse has, and examples on which rules fail."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from spice_core.errors import Message
from spice_core.rules import text_positions
from spice_core.rules.pattern import RELATION_ATTRIBUTE
from spice_core.rules.ruleset import Example, Rule, RuleSet
from spice_core.workbench.vocabulary import LabelVocabulary, unknown_values

_MAX_SHOWN_TUPLES = 6  # maximum number of tuples in one message


def find_warnings(text: str, rules: RuleSet, vocabulary: LabelVocabulary, *, other_rules: Iterable[Rule] = ()) -> list[Message]:
    """Return warnings about the rules in a text, except rules in ``other_rules``. Each warning names line and column in the text."""
    existing_keys = {(rule.form, _example_key(rule.example), _example_key(rule.near_miss)) for rule in other_rules}
    out = []
    for rule_index, rule in enumerate(rules.rules):
        if (rule.form, _example_key(rule.example), _example_key(rule.near_miss)) not in existing_keys:
            for part, position, message in (*_unknown_value_warnings(rule, vocabulary), *_example_warnings(rule)):
                line, column = text_positions.field_position(text, rule_index, part, position)
                out.append(Message("rule.at", line=line, column=column, error=message))
    return out


def tuples_of_example(rule: Rule, example: Example) -> list[tuple[str, ...]]:
    """Return the tuples that a rule yields on a stored tree. Raises RuleError if the rule takes too many steps."""
    return list(dict.fromkeys(p.words for p in rule.apply(example.graph)))


def _example_key(example: Example) -> tuple[object, ...]:
    return example.caption, example.graph.tokens, example.graph.edges, example.tuples


def _unknown_value_warnings(rule: Rule, vocabulary: LabelVocabulary) -> Iterator[tuple[str, int, Message]]:
    for unknown_value in unknown_values(rule, vocabulary):
        key = "rule.no_label" if unknown_value.attribute == RELATION_ATTRIBUTE else "rule.no_tag"
        nearest_value = unknown_value.nearest or Message("rule.none_near")
        yield unknown_value.part, unknown_value.position, Message(key, name=rule.name, found=unknown_value.value, nearest=nearest_value)


def _example_warnings(rule: Rule) -> Iterator[tuple[str, int, Message]]:
    """Yield a warning if the rule yields other tuples than those of its example, and a warning if it fires on its near miss."""
    tuples, expected = tuples_of_example(rule, rule.example), list(rule.example.tuples)
    if sorted(tuples) != sorted(expected):
        values = {"found": _list_tuples(tuples), "expected": _list_tuples(expected)}
        yield "example.tuples", 0, Message("rule.example_fails", name=rule.name, caption=rule.example.caption, **values)
    if tuples := tuples_of_example(rule, rule.near_miss):
        message = Message("rule.near_miss_fails", name=rule.name, caption=rule.near_miss.caption, found=_list_tuples(tuples))
        yield "near_miss.tree", 0, message


def _list_tuples(tuples: list[tuple[str, ...]]) -> str:
    text = "; ".join(f"({', '.join(words)})" for words in tuples[:_MAX_SHOWN_TUPLES])
    return (text + (" …" if len(tuples) > _MAX_SHOWN_TUPLES else "")) or Message("rule.nothing")
