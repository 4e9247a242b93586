"""Descriptions of patterns in words, such as: noun with adjective “red” (in Japanese: 形容詞「red」を持つ名詞)."""

import re
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass

from pages.parts.kit.texts import interface_language, t, text_catalogue
from spice_core.rules.conditions import OrderTest, TokenTest, ValueMatcher
from spice_core.rules.pattern import Pattern
from spice_core.workbench.reading import MAY_MODE, MUST_NOT_MODE, PatternPhrase, PhraseRelation, read_pattern_phrases
from spice_core.workbench.rule_check import TAG_ATTRIBUTE, LabelVocabulary

CLASS_NAMES = {  # the texts that name parts of speech of Universal Dependencies
    "NOUN": "noun", "PROPN": "noun", "VERB": "verb", "ADJ": "adjective", "ADV": "adverb",
    "NUM": "number", "ADP": "preposition", "DET": "determiner", "PRON": "pronoun",
}  # fmt: skip
MAX_DEPTH = 6  # maximum depth of the relations described
MAX_NAMES = 3  # maximum number of roles or parts of speech named for one condition


def describe_pattern(pattern: Pattern, vocabulary: LabelVocabulary, word_class: Callable[[str], str]) -> str:
    """Describe a pattern in the interface language.

    Args:
        pattern: The pattern.
        vocabulary: The labels and tags that regular expressions may match.
        word_class: A function that returns the part of speech of a tag, such as ``LanguagePack.word_class``.
    """
    phrases, describer = read_pattern_phrases(pattern), _PatternDescriber(vocabulary, word_class)
    parts = [describer.describe_phrase(phrase) for phrase in phrases.phrases]
    return t("reading.then").join([*parts, *(_describe_order(order, pattern) for order in phrases.orders)])


@dataclass(frozen=True)
class _PatternDescriber:
    vocabulary: LabelVocabulary
    word_class: Callable[[str], str]

    def describe_phrase(self, phrase: PatternPhrase, role: str = "", depth: int = 0) -> str:
        """Describe a word with its required, optional and forbidden relations.

        A description can be nested in the description of another word. ``role`` then names the role of the nested word.
        """
        word = self._describe_word(phrase, role)
        if depth > MAX_DEPTH:
            return word
        required_ends = [self._describe_end(relation, depth) for relation in phrase.relations if relation.mode != MUST_NOT_MODE]
        excluded_ends = [self._describe_end(relation, depth) for relation in phrase.relations if relation.mode == MUST_NOT_MODE]
        key = "both" if required_ends and excluded_ends else "must" if required_ends else "must_not" if excluded_ends else ""
        phrase_values = {"ends": _join_items(required_ends, "reading.and"), "without": _join_items(excluded_ends, "reading.nor")}
        return t(f"reading.{key}", word=word, **phrase_values) if key else word

    def _describe_end(self, relation: PhraseRelation, depth: int) -> str:
        """Describe the word at the other end of a relation."""
        role = self._role_name(relation.label)
        role = role if relation.governs else t("reading.head_of", role=role)
        end = self.describe_phrase(relation.other, role, depth + 1)
        end = t("reading.inside", end=end) if relation.other.relations else end
        return t("reading.may", end=end) if relation.mode == MAY_MODE else end

    def _role_name(self, label: str) -> str:
        """Return the names of the relations that a label matches, or the label itself if names are missing or too many."""
        texts, matcher = text_catalogue(interface_language())["relations"], ValueMatcher(label)
        expression = label.startswith("/")
        fitting_labels = (
            [name for name in self.vocabulary.labels if matcher.match_text(name) is not None] if expression else label.split("|")
        )
        names = list(dict.fromkeys(_relation_name(name, texts, base=expression) for name in fitting_labels))
        return _join_items(names, "reading.or") if all(names) and 0 < len(names) <= MAX_NAMES else t("reading.label", label=label)

    def _describe_word(self, phrase: PatternPhrase, role: str) -> str:
        """Describe a word by its role, part of speech and form."""
        class_names = [self._class_name(test) for test in phrase.tests if test.attribute == TAG_ATTRIBUTE]
        word_class = _join_items([name for name in class_names if name != role], "reading.and")
        word = t("reading.role", role=role, kind=word_class) if role and word_class else role or word_class or t("reading.word")
        for test in phrase.tests:
            if test.attribute != TAG_ATTRIBUTE:
                word = t("reading.other" if test.is_negated else "reading.form", word=word, form=_describe_forms(test.value.source))
        return word

    def _class_name(self, condition: TokenTest) -> str:
        """Return the names of the parts of speech that a test matches, or the value of the test if names are missing or too many."""
        fitting_tags = [tag for tag in self.vocabulary.tags if condition.value.match_text(tag) is not None] or [condition.value.source]
        names = dict.fromkeys(CLASS_NAMES.get(self.word_class(tag), "") for tag in fitting_tags)
        is_short = all(names) and len(names) <= MAX_NAMES
        word_class = (
            _join_items([t(f"reading.{name}") for name in names], "reading.or")
            if is_short
            else t("reading.tag", tag=condition.value.source)
        )
        return t("reading.no", word=word_class) if condition.is_negated else word_class


def _relation_name(name: str, texts: Container[str], *, base: bool) -> str:
    """Return the name of a relation in the interface language, or "" if there is none. ``base`` leaves out the subtype."""
    full_name, (base_name, _, link) = name.replace(":", "_"), name.partition(":")
    if full_name in texts and not base:
        return t(f"relations.{full_name}")
    if base_name not in texts:
        return ""
    return (
        t("reading.by", role=t(f"relations.{base_name}"), link=link.replace("_", " ")) if link and not base else t(f"relations.{base_name}")
    )


def _describe_forms(source: str) -> str:
    """Return the quoted words that a value matches, or the quoted value if it is not a list of words."""
    pattern_text = source.strip("/")
    words = pattern_text.split("|") if re.fullmatch(r"[\w|-]+", pattern_text) else [source]
    return _join_items([t("reading.quoted", word=word) for word in words], "reading.or")


def _join_items(items: Sequence[str], conjunction: str) -> str:
    """Join items with commas and a conjunction."""
    *other_items, end = items or [""]
    return t(conjunction, items=t("reading.comma").join(other_items), last=end) if other_items else end


def _describe_order(order: OrderTest, pattern: Pattern) -> str:
    names = [name if name in pattern.explicit_names else t("reading.word") for name in (order.first, order.second)]
    return t("reading.directly" if order.is_adjacent else "reading.before", first=names[0], second=names[1])
