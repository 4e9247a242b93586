"""Warnings about valid rules: labels and tags that no parsed caption has, and examples on which rules fail."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import NamedTuple

from spice_core.errors import Message
from spice_core.rules import text_positions
from spice_core.rules.conditions import ValueMatcher
from spice_core.rules.pattern import RELATION_ATTRIBUTE, PatternValue
from spice_core.rules.ruleset import Example, Rule, RuleSet
from spice_core.syntax.document import Document, Sentence

TAG_ATTRIBUTE = "tag"


@dataclass(frozen=True)
class LabelVocabulary:
    """The frequencies of labels and tags, the most frequent first."""

    labels: Mapping[str, int]
    tags: Mapping[str, int]

    def counts_of(self, attribute: str) -> Mapping[str, int]:
        """Return the frequencies of labels for the attribute ``relation``, or those of tags for other attributes."""
        return self.labels if attribute == RELATION_ATTRIBUTE else self.tags


class UnknownValue(NamedTuple):
    """A label or tag that occurs in no parse.

    Attributes:
        attribute: ``relation`` or ``tag``.
        value: The label or tag.
        part: The field of the rule that contains the value.
        position: The position of the value in this field.
        nearest: The most similar known label or tag, or "" if none is similar.
    """

    attribute: str
    value: str
    part: str
    position: int
    nearest: str


def make_vocabulary(corpora: Iterable[Iterable[Document]], rules: Iterable[Rule] = ()) -> LabelVocabulary:
    """Return the labels and tags of enhanced documents and of bundled rules."""
    labels: Counter[str] = Counter()
    tags: Counter[str] = Counter()
    for documents in corpora:
        for document in documents:
            for sentence in document.sentences:
                labels.update(edge.relation for edge in sentence.edges)
                tags.update(token.tag for token in sentence.tokens)
    for rule in rules:
        for value in rule.pattern.values:
            names = [] if value.matcher.source.startswith("/") else value.matcher.source.split("|")
            if value.attribute in (RELATION_ATTRIBUTE, TAG_ATTRIBUTE):
                (labels if value.attribute == RELATION_ATTRIBUTE else tags).update(dict.fromkeys(names, 0))
    return LabelVocabulary(dict(labels.most_common()), dict(tags.most_common()))


def unknown_values(rule: Rule, vocabulary: LabelVocabulary) -> list[UnknownValue]:
    """Return a rule's labels and tags that occur in no parse. Alternatives are looked up separately."""
    values = [("pattern", value) for value in rule.pattern.values if value.attribute in (RELATION_ATTRIBUTE, TAG_ATTRIBUTE)]
    labels = re.finditer(r"\w\+([\w:|]+)", rule.yields)  # of ``name+label``
    values += [("yields", PatternValue(RELATION_ATTRIBUTE, ValueMatcher(match[1]), match.start(1))) for match in labels]
    return [
        UnknownValue(value.attribute, source, part, value.position + offset, nearest_name(source, vocabulary.counts_of(value.attribute)))
        for part, value in values
        for source, offset in _alternatives(value.matcher.source)
        if not _is_known(source, vocabulary.counts_of(value.attribute))
    ]


def nearest_name(value: str, known_names: Iterable[str]) -> str:
    """Return the known name that is most similar to a value, or "" if none is similar.

    For a regular expression, only the text before the first special character is compared.
    """
    plain_value = re.split(r"[(\[\\.*+?]", value.strip("/"))[0].rstrip(":")
    names = {
        name.casefold(): name for name in sorted({part for name in known_names for part in (name, name.partition(":")[0])}, reverse=True)
    }
    return next((names[name] for name in get_close_matches(plain_value.casefold(), names, 1, 0.5)), "")


def _alternatives(source: str) -> Iterator[tuple[str, int]]:
    """Yield the alternatives of a value with their positions. A regular expression with groups, sets or escapes is one alternative."""
    expression = len(source) > 1 and source.startswith("/") and source.endswith("/")
    expression_text, start = (source[1:-1], 1) if expression else (source, 0)
    if "|" not in expression_text or (expression and re.search(r"[()\[\\]", expression_text)):
        yield source, 0
        return
    for part in expression_text.split("|"):
        yield (f"/{part}/" if expression else part), start
        start += len(part) + 1


def _is_known(source: str, known_names: Mapping[str, int]) -> bool:
    matcher = ValueMatcher(source)
    return any(matcher.match_text(name) is not None for name in known_names)


def find_first_use(documents: Iterable[Document], attribute: str, name: str) -> tuple[Sentence, frozenset[int]] | None:
    """Return the first sentence with a label or tag and the indices of its words there, or None.

    The words are the ends of an edge with this label, or the token with this tag.
    """
    for sentence in (sentence for document in documents for sentence in document.sentences):
        if attribute == TAG_ATTRIBUTE:
            words = next(({token.index} for token in sentence.tokens if token.tag == name), None)
        else:
            words = next(({edge.head, edge.dependent} - {0} for edge in sentence.edges if edge.relation == name), None)
        if words:
            return sentence, frozenset(words)
    return None


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
    """Yield a warning for each failed example: tuples that differ from the expected ones, or a near miss on which the rule fires."""
    tuples, expected = tuples_of_example(rule, rule.example), list(rule.example.tuples)
    if sorted(tuples) != sorted(expected):
        values = {"found": _tuples_text(tuples), "expected": _tuples_text(expected)}
        yield "example.tuples", 0, Message("rule.example_fails", name=rule.name, caption=rule.example.caption, **values)
    if tuples := tuples_of_example(rule, rule.near_miss):
        message = Message("rule.near_miss_fails", name=rule.name, caption=rule.near_miss.caption, found=_tuples_text(tuples))
        yield "near_miss.tree", 0, message


def _tuples_text(tuples: list[tuple[str, ...]]) -> str:
    text = "; ".join(f"({', '.join(words)})" for words in tuples[:_MAX_SHOWN_TUPLES])
    return (text + (" …" if len(tuples) > _MAX_SHOWN_TUPLES else "")) or Message("rule.nothing")
