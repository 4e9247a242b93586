"""A pattern in words: noun with adjective “red”, 形容詞「red」を持つ名詞."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Sequence

from pages.parts.kit.texts import catalogue, interface, t
from spice_core.rules.conditions import Order, TokenTest, ValueMatcher
from spice_core.rules.pattern import Pattern
from spice_core.workbench.reading import MAY, MUST_NOT, Phrase, Relation, reading
from spice_core.workbench.vocabulary import TAG, Vocabulary

CLASSES = {  # the beginnings of the tags of a part of speech, in English and Japanese
    "noun": ("NN", "NOUN", "PROPN", "名詞"),
    "verb": ("VB", "V", "VERB", "動詞"),
    "adjective": ("JJ", "ADJ", "形容詞", "形状詞"),
    "adverb": ("RB", "ADV", "副詞"),
    "number": ("CD", "NUM", "名詞-数詞"),
    "preposition": ("IN", "TO", "ADP", "助詞"),
    "determiner": ("DT", "DET", "連体詞"),
    "pronoun": ("PRP", "PRON", "代名詞"),
}
DEEPEST = 6  # relations inside relations that are read
MOST = 3  # kinds that are named where a value fits several


def describe_pattern(pattern: Pattern, known: Vocabulary) -> str:
    """A pattern in the language of the interface; ``known`` are the labels and tags that its expressions may fit."""
    read = reading(pattern)
    parts = [_phrase(phrase, known) for phrase in read.phrases]
    return t("reading.then").join([*parts, *(_order(order, pattern) for order in read.orders)])


def _phrase(phrase: Phrase, known: Vocabulary, role: str = "", depth: int = 0) -> str:
    """A word with what it must or may have, and what it must not; ``role`` is what it is to the word above it."""
    word = _word(phrase, known, role)
    if depth > DEEPEST:
        return word
    ends = [_end(one, known, depth) for one in phrase.relations if one.mode != MUST_NOT]
    without = [_end(one, known, depth) for one in phrase.relations if one.mode == MUST_NOT]
    key = "both" if ends and without else "must" if ends else "must_not" if without else ""
    given = {"ends": _join_items(ends, "reading.and"), "without": _join_items(without, "reading.nor")}
    return t(f"reading.{key}", word=word, **given) if key else word


def _end(relation: Relation, known: Vocabulary, depth: int) -> str:
    """The other end of a relation, by its role."""
    role = _role(relation.label, known)
    role = role if relation.governs else t("reading.head_of", role=role)
    end = _phrase(relation.other, known, role, depth + 1)
    end = t("reading.inside", end=end) if relation.other.relations else end
    return t("reading.may", end=end) if relation.mode == MAY else end


def _role(label: str, known: Vocabulary) -> str:
    """What a relation makes of a word; a label without a text stands for itself."""
    texts, matcher = catalogue(interface())["relations"], ValueMatcher(label)
    expression = label.startswith("/")
    fitting = [name for name in known.labels if matcher.fit(name) is not None] if expression else label.split("|")
    names = list(dict.fromkeys(_relation(name, texts, base=expression) for name in fitting))
    return _join_items(names, "reading.or") if all(names) and 0 < len(names) <= MOST else t("reading.label", label=label)


def _relation(name: str, texts: Container[str], *, base: bool) -> str:
    """A label in words: with its subtype or, for one of many, by its ``base`` alone; "" without a text."""
    whole, (first, _, link) = name.replace(":", "_"), name.partition(":")
    if whole in texts and not base:
        return t(f"relations.{whole}")
    if first not in texts:
        return ""
    return t("reading.by", role=t(f"relations.{first}"), link=link.replace("_", " ")) if link and not base else t(f"relations.{first}")


def _word(phrase: Phrase, known: Vocabulary, role: str) -> str:
    """A word by its role, part of speech and form."""
    kinds = [_class(test, known.tags) for test in phrase.tests if test.attribute == TAG]
    kind = _join_items([kind for kind in kinds if kind != role], "reading.and")
    word = t("reading.role", role=role, kind=kind) if role and kind else role or kind or t("reading.word")
    for test in phrase.tests:
        if test.attribute != TAG:
            word = t("reading.other" if test.refused else "reading.form", word=word, form=_forms(test.value.source))
    return word


def _class(test: TokenTest, tags: Iterable[str]) -> str:
    """The parts of speech whose tags fit, by name if they are few."""
    fitting = [tag for tag in tags if test.value.fit(tag) is not None] or [test.value.source]
    names = dict.fromkeys(next((name for name, starts in CLASSES.items() if tag.startswith(starts)), "") for tag in fitting)
    few = all(names) and len(names) <= MOST
    kind = _join_items([t(f"reading.{name}") for name in names], "reading.or") if few else t("reading.tag", tag=test.value.source)
    return t("reading.no", word=kind) if test.refused else kind


def _forms(source: str) -> str:
    """The words of a value; a regular expression that is no list of words stands for itself."""
    plain = source.strip("/")
    words = plain.split("|") if re.fullmatch(r"[\w|-]+", plain) else [source]
    return _join_items([t("reading.quoted", word=word) for word in words], "reading.or")


def _join_items(items: Sequence[str], last: str) -> str:
    """Items with commas, and a word before the last one."""
    *others, end = items or [""]
    return t(last, items=t("reading.comma").join(others), last=end) if others else end


def _order(order: Order, pattern: Pattern) -> str:
    names = [name if name in pattern.named else t("reading.word") for name in (order.first, order.second)]
    return t("reading.directly" if order.direct else "reading.before", first=names[0], second=names[1])
