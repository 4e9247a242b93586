"""Doubts about valid rules: labels and tags that no parse has, and examples that the rules fail."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from spice_core.errors import Message
from spice_core.rules import text_positions
from spice_core.rules.pattern import RELATION_ATTRIBUTE
from spice_core.rules.ruleset import Example, Rule, RuleSet
from spice_core.workbench.vocabulary import Vocabulary, unknown_values

_MAX_TUPLES_SHOWN = 6  # maximum number of tuples in one message


def doubts(text: str, rules: RuleSet, known: Vocabulary, *, before: Iterable[Rule] = ()) -> list[Message]:
    """Return doubts about the rules of a text that differ from ``before``, each with line and column in the text."""
    same = {(rule.form, _example(rule.example), _example(rule.near_miss)) for rule in before}
    out = []
    for number, rule in enumerate(rules.rules):
        if (rule.form, _example(rule.example), _example(rule.near_miss)) not in same:
            out += [_placed(text, number, *doubt) for doubt in (*_unknown(rule, known), *_failed(rule))]
    return out


def yields(rule: Rule, example: Example) -> list[tuple[str, ...]]:
    """Return the tuples of a rule on a stored tree. Raises RuleError if it takes too many steps."""
    return list(dict.fromkeys(p.words for p in rule.apply(example.graph)))


def _example(example: Example) -> tuple[object, ...]:
    return example.caption, example.graph.tokens, example.graph.edges, example.tuples


def _unknown(rule: Rule, known: Vocabulary) -> Iterator[tuple[str, int, Message]]:
    for each in unknown_values(rule, known):
        key = "rule.no_label" if each.attribute == RELATION_ATTRIBUTE else "rule.no_tag"
        near = each.nearest or Message("rule.none_near")
        yield each.part, each.position, Message(key, name=rule.name, found=each.value, nearest=near)


def _failed(rule: Rule) -> Iterator[tuple[str, int, Message]]:
    """Return the example if the rule yields other tuples, and the near miss if the rule fires."""
    yielded, wanted = yields(rule, rule.example), list(rule.example.tuples)
    if sorted(yielded) != sorted(wanted):
        values = {"found": _listed(yielded), "expected": _listed(wanted)}
        yield "example.tuples", 0, Message("rule.example_fails", name=rule.name, caption=rule.example.caption, **values)
    if yielded := yields(rule, rule.near_miss):
        yield "near_miss.tree", 0, Message("rule.near_miss_fails", name=rule.name, caption=rule.near_miss.caption, found=_listed(yielded))


def _listed(tuples: list[tuple[str, ...]]) -> str:
    shown = "; ".join(f"({', '.join(words)})" for words in tuples[:_MAX_TUPLES_SHOWN])
    return (shown + (" …" if len(tuples) > _MAX_TUPLES_SHOWN else "")) or Message("rule.nothing")


def _placed(text: str, number: int, part: str, position: int, message: Message) -> Message:
    line, column = text_positions.field_position(text, number, part, position)
    return Message("rule.at", line=line, column=column, error=message)
