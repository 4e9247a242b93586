"""Interface of a language pack: everything that a language provides, in one object."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache, partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar, runtime_checkable

from spice_core.errors import InputError, Message, MissingResourceError, SpiceError, UnknownNameError, message_templates
from spice_core.files import APP_FOLDER
from spice_core.lang.enhancement import NO_STEPS, Enhancement
from spice_core.lang.step_book import StepEntry, make_step_entry, read_step_book
from spice_core.lang.wording import Wordings
from spice_core.plugins import added_paths, broken_plugin_error
from spice_core.rules import RuleSet
from spice_core.rules.edit_step import EditStep, RuleSetStep
from spice_core.rules.rule_file import load_rules
from spice_core.scene.propositions import Parse, Proposition
from spice_core.scene.synonyms import Synonyms
from spice_core.syntax.document import Document, Sentence, Token

if TYPE_CHECKING:
    from spice_core.inference.comparison import Inference

_PARSERS_OF_ALL_LANGUAGES = {"conllu:": "spice_core.lang.tree_file:parser"}  # parsers available in every language
ASSETS_FOLDER = APP_FOLDER / "assets"
_PATH_BY_PART_ID: dict[int, tuple[object, str, str]] = {}  # loaded parts by id: the part, the path of its function and the argument
_T = TypeVar("_T")


class Parser(Protocol):
    """Parser that turns captions into documents with basic trees or enhanced graphs."""

    @property
    def signature(self) -> str:
        """The parser's name and version."""

    def parse(self, captions: Iterable[str]) -> Iterator[Document]:
        """Yield one document per caption, in order."""


@runtime_checkable
class PreloadableParser(Parser, Protocol):
    """Parser that can load its network in the background."""

    def load_ahead(self) -> None:
        """Start to load the network and return at once."""


@runtime_checkable
class NBestParser(Parser, Protocol):
    """Parser that also returns alternative trees."""

    def runners_up(self, caption: str) -> list[Document]:
        """Return other trees of a caption, the likeliest first.

        Each gives one word another head. The heads of other words change only if the edges would not form a tree otherwise.
        """


class Argument(NamedTuple):
    """A predicate, the case of one argument, and the argument.

    ``is_explicit`` tells whether the basic tree contains the edge between them. If not, an enhancement step added the edge.
    """

    predicate: str
    case: str
    argument: str
    is_explicit: bool = True


class Foil(NamedTuple):
    """Copy of a caption that differs from it in one fact of a kind, such as ``colour``."""

    kind: str
    caption: str


class Structure(NamedTuple):
    """Structure of a sentence above the word level: units of one or more tokens, and the arguments of predicates."""

    units: tuple[tuple[Token, ...], ...]
    arguments: tuple[Argument, ...]


class Tokenizer(Protocol):
    """Tokenizer that splits a caption into words for text metrics.

    ``signature`` identifies the tokenizer by its name and, if this affects the words, a version.
    """

    signature: str

    def __call__(self, text: str) -> list[str]:
        """Return the words, normalised as the language requires. The result may include punctuation."""


class Stemmer(Protocol):
    """Stemmer for METEOR."""

    def stem(self, word: str) -> str:
        """Return the word's stem."""


class WhitespaceTokenizer:
    """Tokenizer for languages that separate words by spaces.

    A word is a run of letters, digits, underscores and apostrophes, in lower case.
    """

    signature = "words"

    def __call__(self, text: str) -> list[str]:
        """Return the words, without punctuation."""
        return re.findall(r"[\w'’]+", text.lower())


class IdentityStemmer:
    """Stemmer that returns words unchanged."""

    def stem(self, word: str) -> str:
        """Return the word."""
        return word


@dataclass(frozen=True)
class TextTools:
    """Resources of a language for text metrics. Functions are named as ``module:function``.

    Attributes:
        tokenizer: The class or function that returns the tokenizer.
        stemmer: The class or function that returns METEOR's stemmer.
        stop_words: The function that returns the words that METEOR gives less weight.
        synonyms: The name of METEOR's synonym source.
        joiner: The text between two words.
        comma: The text between two items of a list.
    """

    tokenizer: str = "spice_core.lang.pack:WhitespaceTokenizer"
    stemmer: str = "spice_core.lang.pack:IdentityStemmer"
    stop_words: str = "builtins:frozenset"
    synonyms: str = ""
    joiner: str = " "
    comma: str = ", "


@dataclass(frozen=True)
class Examples:
    """Initial contents of the inspector's pages: a caption, patterns, and files of gold graphs, minimal pairs and captions.

    If the caption or the patterns are empty, the pages show the example caption or the pattern of the first rule.
    """

    caption: str = ""
    patterns: tuple[str, ...] = ()
    gold: Path | None = None
    pairs: Path | None = None
    captions: Path | None = None


@dataclass(frozen=True)
class LanguagePack:
    """Language pack whose functions are named as ``module:function`` and loaded at first use.

    In ``parsers`` and ``synonyms``, a name that ends in a colon stands for all names with this prefix, such as ``spacy:en_core_web_sm``.
    The rest of the name is passed to the function.

    Attributes:
        code: The code of the language.
        name: The English name of the language.
        parsers: The functions that load the parsers, by name. The first parser is the default. Every language also has ``conllu:FILE``.
        rules: The files of the bundled rule sets, by name. The first rule set is the default.
        synonyms: The functions that load the synonym sources, by name. The first source is the default.
        categories: The words of each category of attributes.
        rules_of: The name of the rules for parsers that share no name with a rule set, by the prefix of the parser's name, such as
            ``corenlp:``.
        enhancement: The ``Enhancement`` that adds the graphs that the rules read.
        step_book: The file with an example and a near miss for each step.
        step_digests: The file with a digest of the code of each step (written by ``tools/step_digests.py``).
        readings: The function that yields the sentence with another reading of one word.
        tags: All parts of speech of the tagset, or an empty set if they are unknown.
        word_classes: The parts of speech of Universal Dependencies (UPOS) by the beginning of the tag, longer ones first. If the parser
            returns UPOS, the mapping is empty.
        plural_tags: The tags of nouns in the plural.
        state_verbs: The verbs that denote no action. If empty, the scheme ``actions`` derives no attributes from relations.
        individuals: The function that distinguishes members of a group.
        scripts: The first words of the Unicode names of the language's letters.
        own_scripts: The first words of the Unicode names of letters that only this language has.
        argument_structure: The function that returns the units and arguments of a sentence.
        metric_name: The usual name of the metric.
        metric_names: The names of the metric with unchanged bundled rules, by the name of the rules.
        reproductions: The names of published metrics, with the beginnings of the parts of the signatures that reproduce them.
        original: The name of both the parser and the rules that compute the metric as first published.
        text: The resources for text metrics.
        similarities: The names of the soft similarities. The first installed one is the default.
        vectors: The function that loads the word vectors of the similarity ``words``.
        factual_style: The function that converts a parse to FACTUAL's conventions.
        fluency: The function that finds fluency errors.
        foils: The function that makes foils from the parse of a caption.
        inference_rules: The file of inference rules for the scheme ``entailed``.
        possession: The function ``share(owner, thing)`` that returns the thing's share of all things that such owners have.
        questions: The function that words the tuples of a graph as questions.
        phrase_book: The file with the phrasings of the questions.
        bundled_pipelines: The spaCy pipelines that the parsers use.
        examples: The initial contents of the pages.
    """

    code: str
    name: str
    parsers: Mapping[str, str]
    rules: Mapping[str, Path]
    synonyms: Mapping[str, str]
    categories: Mapping[str, frozenset[str]]
    rules_of: Mapping[str, str] = field(default_factory=dict)
    enhancement: str = ""
    step_book: Path | None = None
    step_digests: Path | None = None
    readings: str = ""
    tags: frozenset[str] = frozenset()
    word_classes: Mapping[str, str] = field(default_factory=dict)
    plural_tags: tuple[str, ...] = ()
    state_verbs: tuple[str, ...] = ()
    individuals: str = ""
    scripts: tuple[str, ...] = ()
    own_scripts: tuple[str, ...] = ()
    argument_structure: str = ""
    metric_name: str = "SPICE"
    metric_names: Mapping[str, str] = field(default_factory=dict)
    reproductions: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    original: str = ""
    text: TextTools = TextTools()
    similarities: tuple[str, ...] = ("hypernyms",)
    vectors: str = ""
    factual_style: str = ""
    fluency: str = ""
    foils: str = ""
    inference_rules: Path | None = None
    possession: str = ""
    questions: str = ""
    phrase_book: Path | None = None
    bundled_pipelines: tuple[str, ...] = ()
    examples: Examples = Examples()

    def parser(self, name: str | None = None) -> Parser:
        """Return the parser with this name, loaded once.

        Raises:
            UnknownNameError: The language has no such parser.
            InputError: Nothing follows the colon of the name, or what follows is invalid.
            MissingResourceError: The parser needs a package, pipeline or server that is not available, or the parser of a package is broken.
        """
        paths = {**self.all_parsers, **_PARSERS_OF_ALL_LANGUAGES}
        try:
            parser: Parser = self._load_part("parser", paths, name)
        except SpiceError:
            raise
        except Exception as error:  # packages may raise any exception
            path = paths["".join((name or next(iter(paths))).partition(":")[:2])]
            if path not in added_paths("spice_core.parsers").values():
                raise
            raise broken_plugin_error(path, error) from error
        return parser

    @property
    def all_parsers(self) -> Mapping[str, str]:
        """The functions that load the parsers by name: the pack's, then those of packages, with entry points CODE.NAME."""
        start = f"{self.code}."
        added = {name.removeprefix(start): path for name, path in added_paths("spice_core.parsers").items() if name.startswith(start)}
        return {**self.parsers, **{name: path for name, path in added.items() if name not in self.parsers}}

    def rules_with(self, parser: str) -> str:
        """Return the name of the rules for a parser: the rules with its name, the rules for its prefix, or the default rules."""
        return parser if parser in self.rules else self.rules_of.get("".join(parser.partition(":")[:2]), next(iter(self.rules)))

    def name_of_metric(self, rules: str, **parts: str) -> str:
        """Return the name of the metric with the rules and other parts of a signature.

        It is the published metric that they reproduce, the entry of the rules in ``metric_names``, or else the usual name.
        """
        name = next((n for n in self.metric_names if rules.startswith(n) and self.rule_set(n).signature == rules), "")
        values = {"rules": name, **parts}
        reproduced = (m for m, starts in self.reproductions.items() if all(values.get(p, "").startswith(s) for p, s in starts.items()))
        return next(reproduced, self.metric_names.get(name, self.metric_name))

    def enhance(self, document: Document, steps: Sequence[RuleSetStep] | None = None) -> Document:
        """Return the document with the enhanced graphs that the rules read.

        ``steps`` are the steps that are applied to the basic trees. None selects the default steps.
        """
        return self.enhancer.enhance(document, steps) if self.enhancement or steps else document

    @property
    def enhancer(self) -> Enhancement:
        """The steps of the language, which its ``enhancement`` names."""
        enhancement: Enhancement = resolve(self.enhancement) if self.enhancement else NO_STEPS
        return enhancement

    def negated_propositions(self, document: Document, rules: RuleSet, propositions: Iterable[Proposition]) -> tuple[Proposition, ...]:
        """Return a document's negated propositions: those that the rules yield in addition to ``propositions`` when ignoring negations.

        An object is included only if no other such proposition mentions it: "no dog runs" does not state that there is no dog.
        """
        affirmed = self.enhancer.enhance_without_negation(document, rules.steps)
        if affirmed is None:
            return ()
        stated, words = {p.words for p in propositions}, self.enhancer.affirmed_words
        negated = [
            replace(p, words=tuple(words.get(word, word) for word in p.words), negated=True)
            for p in rules.apply(affirmed)
            if p.words not in stated and all(words.get(word, word) for word in p.words)
        ]
        described = {word for p in negated if len(p.words) > 1 for word in p.words[::2]}
        return tuple(p for p in negated if len(p.words) > 1 or p.words[0] not in described)

    def digest_of_steps(self, steps: Sequence[RuleSetStep] | None) -> str:
        """Return the first digits of a digest of these steps' code. None selects the default steps.

        The result is empty if ``steps`` is empty or the language has no digests.
        """
        if self.step_digests is None or (steps is not None and not steps):
            return ""
        return _digest_of_steps(self.step_digests, tuple(step for step in steps or ("",) if isinstance(step, str)))

    def steps(self, rules: RuleSet | None = None) -> list[StepEntry]:
        """Return a rule set's steps (by default the language's), each with an example and a near miss.

        Without a rule set, return all steps of the language and of its bundled rule sets.
        """
        entries = read_step_book(self.step_book, self.enhancer.steps) if self.step_book else []
        entry_by_name = {entry.step.name: entry for entry in entries}
        rule_sets = [rules] if rules else [self.rule_set(name) for name in self.rules]
        for rule_set in rule_sets:
            entries_of_file = (make_step_entry(s, *rule_set.step_examples[s.name]) for s in rule_set.steps or () if isinstance(s, EditStep))
            entry_by_name |= {entry.step.name: entry for entry in entries_of_file}
        if rules is None or rules.steps is None:
            return list(entry_by_name.values())
        names = (step if isinstance(step, str) else step.name for step in rules.steps)
        return [entry_by_name[name] for name in names if name in entry_by_name]

    def word_class(self, tag: str) -> str:
        """Return the UPOS for a tag, such as VERB, or the tag if ``word_classes`` lacks it."""
        return next((word_class for prefix, word_class in self.word_classes.items() if tag.startswith(prefix)), tag)

    def action_lemma(self, tokens: Iterable[Token]) -> str:
        """Return the lemma of a relation's verb, or "" if it expresses no action."""
        verbs = (t.lemma for t in tokens if self.state_verbs and self.word_class(t.tag) == "VERB")
        return next((lemma for lemma in verbs if lemma not in self.state_verbs), "")

    def member_word(self, sentence: Sentence, words: Sequence[Token], predicate: Sequence[Token]) -> str:
        """Return the word ("one", "other") for a group member with this predicate, or ""."""
        name: str = resolve(self.individuals)(sentence, words, predicate) if self.individuals else ""
        return name

    def other_readings(self, sentence: Sentence) -> Iterator[Sentence]:
        """Yield the sentence with each alternative analysis of one word, such as a participle as an adjective.

        Yield nothing if the language does not support this.
        """
        sentences: Iterator[Sentence] = resolve(self.readings)(sentence) if self.readings else iter(())
        return sentences

    def is_mostly_in_script(self, text: str) -> bool:
        """Return whether at least half of the text's letters belong to the language's scripts.

        A text without letters also counts.
        """
        letters = [unicodedata.name(c, "") for c in text if c.isalpha()]
        return 2 * sum(name.startswith(self.scripts) for name in letters) >= len(letters)

    def unique_letter_share(self, texts: Iterable[str]) -> float:
        """Return the share of the texts' letters that occur only in this language.

        The result is 1 if the texts have no letters or the pack names no such letters.
        """
        letters = [unicodedata.name(c, "") for text in texts for c in text if c.isalpha()]
        if not letters or not self.own_scripts:
            return 1.0
        return sum(name.startswith(self.own_scripts) for name in letters) / len(letters)

    def structure(self, sentence: Sentence) -> Structure | None:
        """Return the units and arguments of a parsed sentence, or None if the language does not define them."""
        structure: Structure | None = resolve(self.argument_structure)(sentence) if self.argument_structure else None
        return structure

    @property
    def first_caption(self) -> str:
        """The initial caption of the pages."""
        return self.examples.caption or self.rule_set().rules[0].example.caption

    @property
    def first_patterns(self) -> tuple[str, ...]:
        """The initial patterns of the query page, at least one."""
        return self.examples.patterns or (self.rule_set().rules[0].pattern.source.strip(),)

    def rule_set(self, name: str | None = None) -> RuleSet:
        """Return the bundled rule set with this name. Raises UnknownNameError."""
        name = name or next(iter(self.rules))
        if name not in self.rules:
            raise UnknownNameError(Message("kind.rules", language=self.name_in_messages), name, self.rules)
        return _rule_set(self.rules[name])

    def synonym_source(self, name: str | None = None) -> Synonyms:
        """Return the synonym source with this name, loaded once. Raises UnknownNameError, InputError and MissingResourceError."""
        source: Synonyms = self._load_part("synonyms", self.synonyms, name)
        return source

    def tokenizer(self) -> Tokenizer:
        """Return the tokenizer for text metrics, loaded once. Raises MissingResourceError."""
        tokenizer: Tokenizer = _load(self.text.tokenizer, "")
        return tokenizer

    def stemmer(self) -> Stemmer:
        """Return METEOR's stemmer, loaded once. Raises MissingResourceError."""
        stemmer: Stemmer = _load(self.text.stemmer, "")
        return stemmer

    def stop_words(self) -> frozenset[str]:
        """Return METEOR's function words."""
        words: frozenset[str] = _load(self.text.stop_words, "")
        return words

    def word_vectors(self) -> Any:
        """Return the word vectors, loaded once. Raises MissingResourceError."""
        return _load(self.required_part(self.vectors, Message("lacks.similarity"), "vectors"), "")

    def to_factual_style(self, parse: Parse) -> Parse:
        """Return the parse in FACTUAL's conventions. Raises MissingResourceError."""
        adapted_parse: Parse = resolve(self.required_part(self.factual_style, Message("lacks.factual"), "conversion"))(parse)
        return adapted_parse

    def fluency_rules(self) -> Callable[[Document], list[tuple[str, str]]]:
        """Return the function that finds fluency errors in a caption, each as a name and the words. Raises MissingResourceError."""
        rules: Callable[[Document], list[tuple[str, str]]] = resolve(
            self.required_part(self.fluency, Message("lacks.fluency"), "fluency_rules")
        )
        return rules

    def make_foils(self, parse: Parse) -> list[Foil]:
        """Return foils of a caption, or an empty list if the language cannot make them."""
        foils: list[Foil] = resolve(self.foils)(parse) if self.foils else []
        return foils

    def inference(self, synonyms: Synonyms, *, disabled_names: Collection[str] = ()) -> Inference:
        """Return the comparison of scene graphs by meaning, without the rules in ``disabled_names``. Raises MissingResourceError."""
        if self.inference_rules is None:
            raise MissingResourceError(self.missing_part_message(Message("lacks.entailed"), "inference_rules"))
        from spice_core.inference.comparison import Inference
        from spice_core.inference.lexicon import Lexicon
        from spice_core.inference.rules import inference_rules

        rules = inference_rules(self.inference_rules).without(disabled_names)
        share = resolve(self.possession) if self.possession else _no_ownership_share
        return Inference(rules, Lexicon(synonyms, rules, share, self.word_class, self.plural_tags))

    def wordings(self) -> Wordings:
        """Return the function that words tuples as yes/no questions. Raises MissingResourceError."""
        wordings: Wordings = resolve(self.required_part(self.questions, Message("lacks.wordings"), "questions"))
        return wordings

    def required_part(self, part: str, purpose: str, kind: str) -> str:
        """Return ``part``, the name of an optional part. Raises MissingResourceError if the name is empty."""
        if not part:
            raise MissingResourceError(self.missing_part_message(purpose, kind))
        return part

    @property
    def name_in_messages(self) -> str:
        """The language's name for use in messages, translated if the messages contain it."""
        key = f"language.{self.code}"
        return Message(key) if message_templates("en").get(key) == self.name else self.name

    def missing_part_message(self, purpose: str, kind: str) -> str:
        """Return a one-line message that the language lacks a feature, naming the part that its pack would need."""
        return Message("error.lacking", purpose=purpose, language=self.name_in_messages, part=Message(f"lacks.{kind}"))

    def _load_part(self, kind: str, registered_parts: Mapping[str, str], name: str | None) -> Any:
        name = name or next(iter(registered_parts))
        prefix, colon, argument = name.partition(":")
        if prefix + colon not in registered_parts:
            raise UnknownNameError(Message(f"kind.{kind}", language=self.name_in_messages), name, registered_parts)
        if colon and not argument:
            raise InputError(Message(f"kind.{kind}", language=self.name_in_messages), name, Message("expected.after_colon"))
        return _load(registered_parts[prefix + colon], argument)


def resolve(path: str) -> Any:
    """Return the object at ``module:name``, imported at first use."""
    module, _, name = path.partition(":")
    return getattr(import_module(module), name)


def loader(part: _T) -> Callable[[], _T]:
    """Return a function that returns this part.

    If a language pack loaded the part, the function is pickled by the part's name.
    """
    if id(part) in _PATH_BY_PART_ID:
        _, path, argument = _PATH_BY_PART_ID[id(part)]
        return partial(_load, path, argument)
    return partial(_return_part, part)


def _no_ownership_share(owner: str, thing: str) -> float:
    return 0.0


def _return_part(part: _T) -> _T:
    return part


@cache
def _load(path: str, argument: str) -> Any:
    part = resolve(path)(*([argument] if argument else []))
    _PATH_BY_PART_ID[id(part)] = part, path, argument
    return part


@lru_cache(maxsize=16)
def _digest_of_steps(path: Path, names: tuple[str, ...]) -> str:
    digest_by_step = _read_step_digests(path)
    return hashlib.sha256(json.dumps([digest_by_step.get(name, "") for name in names]).encode()).hexdigest()[:8]


@cache
def _read_step_digests(path: Path) -> dict[str, str]:
    digests: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return digests


@cache
def _rule_set(path: Path) -> RuleSet:
    return load_rules(path)
