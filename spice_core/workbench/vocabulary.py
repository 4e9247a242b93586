"""Labels and tags of parsed captions, and values in patterns that no parsed caption has."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import NamedTuple

from spice_core.rules.conditions import ValueMatcher
from spice_core.rules.pattern import RELATION_ATTRIBUTE, PatternValue
from spice_core.rules.ruleset import Rule
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
    """A label or tag that no parse has.

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
    """Return the labels and tags of enhanced documents and of bundled rules, which may contain labels and tags that no document has."""
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
    """Return the labels and tags in a rule that no parse has. Alternatives are looked up separately."""
    values = [("pattern", value) for value in rule.pattern.values if value.attribute in (RELATION_ATTRIBUTE, TAG_ATTRIBUTE)]
    labels = re.finditer(r"\w\+([\w:|]+)", rule.yields)  # of ``name+label``
    values += [("yields", PatternValue(RELATION_ATTRIBUTE, ValueMatcher(match[1]), match.start(1))) for match in labels]
    return [
        UnknownValue(value.attribute, source, part, value.position + offset, nearest_name(source, vocabulary.counts_of(value.attribute)))
        for part, value in values
        for source, offset in _alternatives_of(value.matcher.source)
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


def _alternatives_of(source: str) -> Iterator[tuple[str, int]]:
    """Yield the alternatives of a value with their positions. A regular expression with groups, sets or escapes is a single alternative."""
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
