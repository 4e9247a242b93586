"""Inference rules as data: patterns over tuples, read from one TOML file per language."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache, partial
from pathlib import Path
from types import MappingProxyType

from spice_core.scene.propositions import TupleWords

_LABEL_PART = re.compile(r"\{(?P<name>\w+)\}|(?P<variable>(?<![A-Za-z])[A-Z](?![A-Za-z]))|[^{A-Z]+|.")
_VARIABLE = re.compile(r"(?<![A-Za-z])[A-Z](?![A-Za-z])")
_HYPHEN_ENDING, _VARIABLE_ENDING = "-", ""  # endings of label shapes: any compound, any word
_ANY_LENGTH = 0
_KIND_PREFIX = "kind of "  # start of the names of classes that are kinds of things
_MULTIWORD_VARIABLES = ("P", "R")  # variables that stand for one or more words
_COMPOUND_PART_PATTERN, _WORD_PATTERN, _WORDS_PATTERN = r"[^\s-]+", r"\S+", r"\S+(?: \S+)*"
_FIELD_BY_KEY = {
    "given": "premises",
    "where": "required_classes",
    "unless": "excluded_classes",
    "together": "in_one_sentence",
    "steps": "cost",
}
PropertyValues = tuple[frozenset[str], ...]  # values of a property, each given by its words
ValuesByWord = Mapping[str, tuple[tuple[PropertyValues, frozenset[str]], ...]]
LabelShape = tuple[int, str]  # number of words (0 for any number), and last word ("-" for any compound, "" for any word)
LabelReading = Mapping[str, str]  # variable values that make a label equal a given text


@dataclass(frozen=True)
class WordClass:
    """Class of words used by rules.

    Attributes:
        words: The listed words.
        superclasses: WordNet senses whose words and hyponyms belong to the class.
        has_unknown_words: Whether words that WordNet lacks, such as names, belong to the class.
        exceptions: Words that do not belong to the class although WordNet places them there.
    """

    words: frozenset[str]
    superclasses: tuple[str, ...] = ()
    has_unknown_words: bool = False
    exceptions: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Label:
    """One form of the middle part of a pattern.

    Attributes:
        text: Words, variables and classes.
        omitted_variables: The optional variables that this form omits.
    """

    text: str
    omitted_variables: tuple[str, ...] = ()

    @classmethod
    def parse_forms(cls, text: str) -> Iterator[Label]:
        """Yield the forms of a label. A label with an optional first word (``V? on``) has two forms."""
        if text[1:3] == "? ":
            yield cls(text[3:], (text[0],))
            text = text[0] + text[2:]
        yield cls(text)

    def fill(self, values: Mapping[str, str]) -> str:
        """Return the label with its variables replaced by values.

        The result is empty if a value is unknown, if an omitted variable has a value, or if the label names a class.
        """
        if "{" in self.text or any(values.get(name) for name in self.omitted_variables):
            return ""
        text = "".join([values.get(part, "?") if is_name else part for part, is_name in self._parts])
        return "" if "?" in text else text

    @cached_property
    def variables(self) -> frozenset[str]:
        """The variables of the label, including omitted ones."""
        return frozenset(_VARIABLE.findall(self.text)) | frozenset(self.omitted_variables)

    @cached_property
    def _parts(self) -> tuple[tuple[str, bool], ...]:
        """The parts of the text, each with True if it is a variable."""
        parts = re.split(f"({_VARIABLE.pattern})", self.text)
        return tuple((part, bool(part_index % 2)) for part_index, part in enumerate(parts))


@dataclass(frozen=True, eq=False)
class Pattern:
    """Pattern for one tuple of a rule.

    An object is a variable (a capital letter) or a word. The middle part has one or more alternative labels. In a label, a capital letter
    stands for a single word (``P`` and ``R``: one or more words), ``V?`` for an optional word, and ``{name}`` for a word of the class with
    this name.
    """

    objects: TupleWords
    labels: tuple[Label, ...] = ()

    @cached_property
    def part_count(self) -> int:
        """Number of parts: 1 for an object, 2 for an attribute, 3 for a relation."""
        return len(self.objects) + bool(self.labels)

    @cached_property
    def variables(self) -> frozenset[str]:
        """The variables of all labels."""
        return frozenset(name for label in self.labels for name in label.variables)

    def __str__(self) -> str:
        labels = " / ".join(dict.fromkeys(label.text for label in self.labels))
        return ", ".join(filter(None, (self.objects[0], labels, *self.objects[1:])))

    @classmethod
    def parse(cls, text: str) -> Pattern:
        """Parse ``X``, ``X, label`` or ``X, label / label, Y``."""
        parts = [part.strip() for part in text.split(",")]
        labels = parts[1].split(" / ") if len(parts) > 1 else ()
        return cls((parts[0], *parts[2:]), tuple(word_form for label in labels for word_form in Label.parse_forms(label.strip())))


@dataclass(frozen=True)
class InferenceRule:
    """Rule that derives each tuple of ``yields`` if all tuples of ``premises`` hold.

    Attributes:
        required_classes: For each variable, word classes to one of which its value must belong.
        excluded_classes: For each variable, word classes to which its value must not belong.
        owner: Two variables, of which the first must be known to have such things as the second.
        likely_owner: Two variables, of which the first must be a likely owner of the second. The graph must not name an owner.
        predicate: Two variables, of which the second must be a predicate noun of the first, as in "the car is a sedan".
        plural: A variable that a caption must mention in the plural.
        cost: The cost of the rule in steps.
        in_one_sentence: Whether a single sentence must state all premises.
    """

    name: str
    kind: str
    reason: str
    premises: tuple[Pattern, ...]
    yields: tuple[Pattern, ...]
    example: TupleWords = ()
    near_miss: TupleWords = ()
    required_classes: Mapping[str, TupleWords] = field(default_factory=dict)
    excluded_classes: Mapping[str, TupleWords] = field(default_factory=dict)
    owner: str = ""
    likely_owner: str = ""
    predicate: str = ""
    plural: str = ""
    cost: int = 1
    in_one_sentence: bool = False

    @cached_property
    def objects(self) -> frozenset[str]:
        """The premises' objects, as variables and words."""
        return frozenset(name for pattern in self.premises for name in pattern.objects)

    @cached_property
    def conditions(self) -> tuple[tuple[str, TupleWords, bool], ...]:
        """The conditions on variables: variable, classes, and whether the value must belong to one of the classes."""
        class_tests = ((self.required_classes, True), (self.excluded_classes, False))
        return tuple((name, classes, belongs) for classes_by_name, belongs in class_tests for name, classes in classes_by_name.items())


@dataclass(frozen=True)
class Derivation:
    """Way to derive a tuple: a rule, its pattern for the tuple, and the variable values in the middle part."""

    rule: InferenceRule
    pattern: Pattern
    reading: LabelReading

    @cached_property
    def related_positions(self) -> tuple[tuple[int, int], ...]:
        """The positions of the tuple's object pairs for which a premise requires a relation."""
        places = {name: place for place, name in enumerate(self.pattern.objects)}
        pairs = (premise.objects for premise in self.rule.premises if premise.part_count == 3 and set(premise.objects) <= places.keys())
        return tuple((places[a], places[b]) for a, b in pairs)

    @cached_property
    def described_positions(self) -> tuple[int, ...]:
        """The positions of the tuple's objects for which a premise requires an attribute."""
        subjects = (premise.objects[0] for premise in self.rule.premises if premise.part_count == 2)
        return tuple(self.pattern.objects.index(name) for name in subjects if name in self.pattern.objects)


@dataclass(frozen=True)
class InferenceRules:
    """Inference rules of a language, with the word classes and lexical facts that they use.

    Attributes:
        rules: The rules, in the order of the file.
        classes: The word classes by name.
        near_words: The words that each word entails although WordNet does not relate them.
        entailing_verbs: For each verb, verbs that entail it.
        kinds_by_name: For each word that names a kind of things, the classes of the kind.
        related_kinds: The classes of kinds whose words are related to each other.
        related_things: Groups of related words for things.
        related_verbs: Groups of related verbs.
        exclusive: Properties of which a thing has at most one value. Each value is given by its words.
        slots: For each slot of a participant (``action``, ``event`` for actions on the same object, ``place``, or a verb for its object),
            the properties of which it has one value, as in ``values_of``.
        exclusive_kinds: Groups of classes of which a participant belongs to at most one.
        participle_endings: The endings of participles.
    """

    rules: tuple[InferenceRule, ...]
    classes: Mapping[str, WordClass]
    near_words: Mapping[str, frozenset[str]] = field(default_factory=lambda: MappingProxyType({}))
    entailing_verbs: Mapping[str, frozenset[str]] = field(default_factory=lambda: MappingProxyType({}))
    kinds_by_name: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    related_kinds: tuple[str, ...] = ()
    related_things: tuple[frozenset[str], ...] = ()
    related_verbs: tuple[frozenset[str], ...] = ()
    exclusive: tuple[PropertyValues, ...] = ()
    slots: Mapping[str, ValuesByWord] = field(default_factory=lambda: MappingProxyType({}))
    exclusive_kinds: tuple[tuple[str, ...], ...] = ()
    participle_endings: tuple[str, ...] = ()

    def __hash__(self) -> int:
        return id(self)

    @cached_property
    def named_objects(self) -> frozenset[str]:
        """Names of the objects that rules yield literally rather than through a variable."""
        return frozenset(name for rule in self.rules for pattern in rule.yields for name in pattern.objects if name.islower())

    def without(self, disabled_names: Collection[str]) -> InferenceRules:
        """Return the rules except those with the given names."""
        return replace(self, rules=tuple(rule for rule in self.rules if rule.name not in disabled_names)) if disabled_names else self

    def words_of_class(self, name: str) -> frozenset[str]:
        """Return the listed words of a class, or an empty set if the file does not define the class."""
        return self.classes[name].words if name in self.classes else frozenset()

    @cached_property
    def values_of(self) -> ValuesByWord:
        """The properties of which each word is a value, with all words for that value, in the order of ``exclusive``."""
        return _index_values(self.exclusive)

    def value(self, prop: PropertyValues, words: frozenset[str]) -> frozenset[str]:
        """Return the value of a property in these words, or an empty set."""
        if all(word not in self.values_of for word in words):
            return frozenset()
        return next((value for value in prop if not value.isdisjoint(words)), frozenset())

    @cached_property
    def related_values(self) -> Callable[[PropertyValues], frozenset[str]]:
        """The cached function that returns all values of a property and of related properties, such as all colours."""
        return cache(self._find_related_values)

    def _find_related_values(self, prop: PropertyValues) -> frozenset[str]:
        values, new_values = frozenset[str](), frozenset(word for words in prop for word in words)
        while new_values != values:
            values = new_values
            properties = {related_prop for word in values for related_prop, _ in self.values_of.get(word, ())}
            new_values = values.union(*(words for related_prop in properties for words in related_prop))
        colours = self.words_of_class("colour") | self.words_of_class("patterned")
        return values if values.isdisjoint(colours) else values | colours

    def excludes(self, a: str, b: str) -> bool:
        """Return whether two words are different values of one property."""
        other = dict(self.values_of.get(b, ()))
        return any(prop in other and other[prop] != value for prop, value in self.values_of.get(a, ()))

    @cached_property
    def readings(self) -> Callable[[Pattern, str], tuple[LabelReading, ...]]:
        """The cached function that returns the variable values with which a pattern's middle part matches a text."""
        return lru_cache(maxsize=1 << 16)(partial(_find_readings, self))

    @cached_property
    def derivations(self) -> Callable[[int, str], tuple[Derivation, ...]]:
        """The cached function that returns the ways to derive a tuple with a given number of parts and middle part."""
        return lru_cache(maxsize=1 << 13)(partial(_find_derivations, self))

    @cached_property
    def yields(self) -> Mapping[int, PatternIndex]:
        """The patterns that rules yield, by number of parts."""
        rule_patterns = [(rule, pattern) for rule in self.rules for pattern in rule.yields]
        return {count: PatternIndex([pair for pair in rule_patterns if pair[1].part_count == count], self) for count in (1, 2, 3)}


@cache
def inference_rules(file: Path) -> InferenceRules:
    """Read a rule file and cache it. Raises OSError, or an error of ``parse_inference_rules``."""
    return parse_inference_rules(file.read_text(encoding="utf-8"))


def parse_inference_rules(text: str) -> InferenceRules:
    """Parse the text of a rule file. Raises tomllib.TOMLDecodeError, KeyError or TypeError if the text is invalid."""
    data = tomllib.loads(text)
    classes = {name: _read_word_class(value) for name, value in data.get("classes", {}).items()}
    kinds_by_name: dict[str, tuple[str, ...]] = {}
    for kind, value in data.get("kinds", {}).items():
        word_class = _read_word_class(value)
        names = _split_words(value["names"])
        classes[f"{_KIND_PREFIX}{kind}"] = replace(word_class, words=word_class.words | names)
        kinds_by_name |= {name: (*kinds_by_name.get(name, ()), f"{_KIND_PREFIX}{kind}") for name in names}
    near_words, entailing_verbs = (
        {word: frozenset(other.strip() for other in text.split(",")) for word, text in data.get(key, {}).items()}
        for key in ("near", "verbs")
    )
    related, slots = data.get("related", {}), data.get("slots", {})
    return InferenceRules(
        rules=tuple(map(_read_rule, data["rule"])),
        classes=MappingProxyType(classes),
        near_words=MappingProxyType(near_words),
        entailing_verbs=MappingProxyType(entailing_verbs),
        kinds_by_name=MappingProxyType(kinds_by_name),
        related_kinds=tuple(_KIND_PREFIX + kind for kind in str(related.get("kinds", "")).split()),
        related_things=tuple(map(_split_words, related.get("things", ()))),
        related_verbs=tuple(map(_split_words, related.get("verbs", ()))),
        exclusive=_read_properties(data.get("exclusive", ())),
        slots=MappingProxyType({name: _index_values(_read_properties(lines)) for name, lines in slots.items() if name != "participants"}),
        exclusive_kinds=tuple(tuple(_KIND_PREFIX + kind for kind in line.split()) for line in slots.get("participants", ())),
        participle_endings=tuple(data.get("participles", ())),
    )


def _read_properties(lines: Iterable[str]) -> tuple[PropertyValues, ...]:
    """Read one property per line, with values separated by ``|`` and words of a value by commas."""
    return tuple(tuple(frozenset(map(str.strip, value.split(","))) for value in line.split("|")) for line in lines)


def _index_values(properties: Iterable[PropertyValues]) -> ValuesByWord:
    """Return, for each word, the properties of which it is a value, with all words for that value."""
    values_by_word: dict[str, dict[PropertyValues, frozenset[str]]] = {}
    for prop in properties:
        for value in prop:
            for word in value:
                values_by_word.setdefault(word, {}).setdefault(prop, value)
    return {word: tuple(values.items()) for word, values in values_by_word.items()}


def _split_words(text: str) -> frozenset[str]:
    return frozenset(word.strip() for word in text.split("," if "," in text else None)) - {""}


def _read_word_class(value: str | Mapping[str, object]) -> WordClass:
    value = {"words": value} if isinstance(value, str) else value
    superclasses = value.get("under", ())
    return WordClass(
        _split_words(str(value.get("words", ""))),
        tuple(superclasses) if isinstance(superclasses, list) else (),
        bool(value.get("unknown")),
        _split_words(str(value.get("except", ""))),
    )


def _read_rule(table: Mapping[str, object]) -> InferenceRule:
    values = {_FIELD_BY_KEY.get(key, key): value for key, value in table.items()}
    for side in ("premises", "yields"):
        values[side] = tuple(map(Pattern.parse, values[side]))  # type: ignore[call-overload]
    for name in ("example", "near_miss"):
        values[name] = tuple(values.get(name, ()))  # type: ignore[arg-type]
    for name in ("required_classes", "excluded_classes"):
        conditions: Mapping[str, str] = values.get(name, {})  # type: ignore[assignment]
        values[name] = {variable: tuple(classes.split()) for variable, classes in conditions.items()}
    return InferenceRule(**values)  # type: ignore[arg-type]


class PatternIndex:
    """Index of the patterns of rules by the shapes of their labels."""

    def __init__(self, patterns: Sequence[tuple[InferenceRule, Pattern]], rules: InferenceRules):
        self._rules, self._patterns = rules, patterns
        self._by_shape: dict[LabelShape, list[tuple[int, int]]] = {}
        for index, (_, pattern) in enumerate(patterns):
            for shape, labels in _labels_by_shape(rules, pattern).items():
                self._by_shape.setdefault(shape, []).extend((index, label) for label in labels)

    def readings(self, text: str) -> Iterator[tuple[InferenceRule, Pattern, LabelReading]]:
        """Yield the patterns that match a text, with their rules and readings, in the order of the rules.

        An empty text matches all patterns.
        """
        if not text:
            yield from ((rule, pattern, {}) for rule, pattern in self._patterns)
        for index, label in sorted(place for shape in _shapes_of_text(text) for place in self._by_shape.get(shape, ())):
            rule, pattern = self._patterns[index]
            if (reading := _read_label(self._rules, pattern.labels[label], text)) is not None:
                yield rule, pattern, reading


def _find_readings(rules: InferenceRules, pattern: Pattern, text: str) -> tuple[LabelReading, ...]:
    if not pattern.labels:
        return ({},)
    by_shape = _labels_by_shape(rules, pattern)
    numbers = sorted(index for shape in _shapes_of_text(text) for index in by_shape.get(shape, ()))
    readings = (_read_label(rules, pattern.labels[index], text) for index in numbers)
    return tuple(reading for reading in readings if reading is not None)


def _read_label(rules: InferenceRules, label: Label, text: str) -> LabelReading | None:
    match = _compile_label(rules, label.text).fullmatch(text)
    return {**match.groupdict(), **dict.fromkeys(label.omitted_variables, "")} if match else None


@lru_cache(maxsize=1 << 14)
def _shapes_of_text(text: str) -> tuple[LabelShape, ...]:
    """Return the shapes of the labels that may match a text."""
    words = text.split(" ")
    endings = [_VARIABLE_ENDING, words[-1], *([_HYPHEN_ENDING] if _HYPHEN_ENDING in words[-1] else [])]
    return tuple((length, ending) for length in (_ANY_LENGTH, len(words)) for ending in endings)


@lru_cache(maxsize=1 << 12)
def _labels_by_shape(rules: InferenceRules, pattern: Pattern) -> Mapping[LabelShape, Sequence[int]]:
    """Return the positions of a pattern's labels by shape.

    Comparing shapes rules out most labels without a regular expression.
    """
    indices_by_shape: dict[LabelShape, list[int]] = {}
    for label_index, label in enumerate(pattern.labels):
        for shape in _shapes_of_label(rules, label.text):
            indices_by_shape.setdefault(shape, []).append(label_index)
    return indices_by_shape


@lru_cache(maxsize=1 << 12)
def _shapes_of_label(rules: InferenceRules, label: str) -> frozenset[LabelShape]:
    *first_parts, last = label.split(" ")
    is_fixed_length = not any(part in _MULTIWORD_VARIABLES or part.startswith("{") for part in first_parts)
    if last.startswith("{"):
        words = (word.split(" ") for word in rules.classes[last[1:-1]].words)
        return frozenset((len(first_parts) + len(words) if is_fixed_length else _ANY_LENGTH, words[-1]) for words in words)
    ending = last if not _VARIABLE.search(last) else _HYPHEN_ENDING if _HYPHEN_ENDING in last else _VARIABLE_ENDING
    return frozenset(((len(first_parts) + 1 if is_fixed_length and last not in _MULTIWORD_VARIABLES else _ANY_LENGTH, ending),))


def _find_derivations(rules: InferenceRules, part_count: int, text: str) -> tuple[Derivation, ...]:
    return tuple(Derivation(rule, pattern, reading) for rule, pattern, reading in rules.yields[part_count].readings(text))


@lru_cache(maxsize=1 << 12)
def _compile_label(rules: InferenceRules, label: str) -> re.Pattern[str]:
    seen = set[str]()

    def part_expression(match: re.Match[str]) -> str:
        if match["name"]:
            return _alternatives_pattern(rules.classes[match["name"]].words)
        variable = match["variable"]
        if variable is None:
            return re.escape(match[0])
        if variable in seen:
            return f"(?P={variable})"
        seen.add(variable)
        return f"(?P<{variable}>{_WORDS_PATTERN if variable in _MULTIWORD_VARIABLES else _WORD_PATTERN if len(label) == 1 or '-' not in label else _COMPOUND_PART_PATTERN})"

    return re.compile(_LABEL_PART.sub(part_expression, label))


@cache
def _alternatives_pattern(words: frozenset[str]) -> str:
    return "(?:" + "|".join(map(re.escape, sorted(words, key=lambda word: (-len(word), word)))) + ")"
