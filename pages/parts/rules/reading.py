"""A pattern in words: noun with adjective “red”, 形容詞「red」を持つ名詞."""

from __future__ import annotations

from collections.abc import Iterable

from pages.parts.kit.texts import catalogue, interface, t
from spice_core.rules.conditions import Order, TokenTest
from spice_core.rules.pattern import Pattern
from spice_core.workbench.reading import MAY, MUST, MUST_NOT, Phrase, Relation, reading
from spice_core.workbench.vocabulary import TAG

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


def aloud(pattern: Pattern, tags: Iterable[str]) -> str:
    """A pattern in the language of the interface; ``tags`` are those that its expressions may fit."""
    read, known = reading(pattern), tuple(tags)
    parts = [_phrase(phrase, known) for phrase in read.phrases]
    parts += [_order(order, pattern) for order in read.orders]
    return t("reading.and").join(parts)


def _phrase(phrase: Phrase, tags: tuple[str, ...], role: str = "", depth: int = 0) -> str:
    """A word with what it must have, may have, and must not have; ``role`` is what it is to the word above it."""
    words = _word(phrase, tags, role)
    if depth > DEEPEST:
        return words
    found = {mode: [_end(one, tags, depth) for one in phrase.relations if one.mode == mode] for mode in (MUST, MAY, MUST_NOT)}
    for mode, ends in found.items():
        if ends:
            words = t(f"reading.{mode}", word=words, ends=t("reading.list").join(ends))
    return words


def _end(relation: Relation, tags: tuple[str, ...], depth: int) -> str:
    """The other end of a relation, by its role."""
    role = _role(relation.label)
    if not relation.governs:
        role = t("reading.head_of", role=role)
    end = _phrase(relation.other, tags, role, depth + 1)
    return t("reading.inside", end=end) if relation.other.relations and depth < DEEPEST else end


def _role(label: str) -> str:
    """What a relation makes of a word; a label without a text stands for itself."""
    texts = catalogue(interface())["relations"]
    plain = label.strip("/")
    base = plain.partition(":")[0].partition("|")[0].strip("(?")
    names = [texts[name.replace(":", "_")] for name in plain.split("|") if name.replace(":", "_") in texts]
    if names and len(names) == len(plain.split("|")):
        return t("reading.or").join(dict.fromkeys(names))
    if base in texts and ":" in plain:
        rest = plain.partition(":")[2]
        return t("reading.by", role=texts[base], link=rest) if rest.isalpha() else texts[base]
    return t("reading.label", label=label)


def _word(phrase: Phrase, tags: tuple[str, ...], role: str) -> str:
    """A word by its role, part of speech and form."""
    kinds = [_class(test, tags) for test in phrase.tests if test.attribute == TAG]
    forms = [_form(test) for test in phrase.tests if test.attribute != TAG]
    kind = t("reading.list").join(filter(None, kinds))
    name = t("reading.role", role=role, kind=kind) if role and kind and kind != role else role or kind or t("reading.word")
    return t("reading.form", word=name, form=t("reading.list").join(forms)) if forms else name


def _class(test: TokenTest, tags: tuple[str, ...]) -> str:
    """The parts of speech whose tags fit, by name if at most two do."""
    fitting = [tag for tag in tags if test.value.fit(tag) is not None] or [test.value.source]
    names = dict.fromkeys(next((name for name, starts in CLASSES.items() if tag.startswith(starts)), "") for tag in fitting)
    known = t("reading.or").join(t(f"reading.{name}") for name in names if name)
    kind = known if all(names) and len(names) <= 2 else t("reading.tag", tag=test.value.source)
    return t("reading.no", word=kind) if test.refused else kind


def _form(test: TokenTest) -> str:
    words = t("reading.or").join(t("reading.quoted", word=word) for word in test.value.source.split("|"))
    return t("reading.no", word=words) if test.refused else words


def _order(order: Order, pattern: Pattern) -> str:
    names = [name if name in pattern.named else t("reading.word") for name in (order.first, order.second)]
    return t("reading.directly" if order.direct else "reading.before", first=names[0], second=names[1])
