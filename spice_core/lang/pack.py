"""The interface of a language: everything that a language brings, in one object."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar, runtime_checkable

from spice_core.errors import InputError, Message, MissingResourceError, UnknownNameError, catalogue
from spice_core.files import APP
from spice_core.inference.lexicon import Lexicon
from spice_core.inference.rules import inference_rules
from spice_core.inference.verdicts import Inference
from spice_core.lang.step_book import StepEntry, read_step_book
from spice_core.rules import RuleSet
from spice_core.rules.rule_file import load_rules
from spice_core.scene.propositions import Parse
from spice_core.scene.synonyms import Synonyms
from spice_core.syntax.document import Document, Sentence, Token
from spice_core.syntax.enhancement import DiscourseStep, Edges, Step, selected

_EVERYWHERE = {"conllu:": "spice_core.lang.tree_file:parser"}  # parsers of every language
ASSETS = APP / "assets"
_LOADED: dict[int, tuple[object, str, str]] = {}  # by id: the part, the path of its function and the argument
_T = TypeVar("_T")


class Parser(Protocol):
    """Parses captions into documents with basic trees or enhanced graphs; ``signature`` gives its name and version."""

    @property
    def signature(self) -> str:
        """Name and version."""

    def parse(self, captions: Iterable[str]) -> Iterator[Document]:
        """One document per caption, in order."""


@runtime_checkable
class ScoredParser(Parser, Protocol):
    """A parser that knows other trees that are nearly as likely."""

    def runners_up(self, caption: str) -> list[Document]:
        """The caption with another likely head for one word, the likeliest first."""


class Argument(NamedTuple):
    """A predicate, the case of one argument, and the argument; ``read`` if the tree has the edge, otherwise it was inferred."""

    predicate: str
    case: str
    argument: str
    read: bool = True


class Structure(NamedTuple):
    """Structure of a sentence above the word level: units of several tokens, and predicate–argument pairs."""

    units: tuple[tuple[Token, ...], ...]
    arguments: tuple[Argument, ...]


class Tokenizer(Protocol):
    """Splits a caption into words for text metrics; ``signature`` gives its name and version."""

    signature: str

    def __call__(self, text: str) -> list[str]:
        """The words, normalised as far as the language wants it; punctuation may stay."""


class Stemmer(Protocol):
    """Stems words for METEOR."""

    def stem(self, word: str) -> str:
        """The word's stem."""


class Words:
    """A tokenizer for languages that write spaces: runs of letters, digits and apostrophes, in lower case."""

    signature = "words"

    def __call__(self, text: str) -> list[str]:
        """The words, without punctuation."""
        return re.findall(r"[\w'’]+", text.lower())


class WholeWords:
    """A stemmer that leaves words as they are."""

    def stem(self, word: str) -> str:
        """The word."""
        return word


@dataclass(frozen=True)
class TextTools:
    """What text metrics ask of a language; functions are named as ``module:function``.

    ``stop_words`` count less in METEOR, ``synonyms`` names its synonym source. ``joiner`` stands between words, ``comma``
    between the parts of a list.
    """

    tokenizer: str = "spice_core.lang.pack:Words"
    stemmer: str = "spice_core.lang.pack:WholeWords"
    stop_words: str = "builtins:frozenset"
    synonyms: str = ""
    joiner: str = " "
    comma: str = ", "


@dataclass(frozen=True)
class Examples:
    """What the pages begin with: a caption, patterns, files of gold graphs, of minimal pairs, and of captions, one a line.

    Without caption or pattern, those of the first rule serve.
    """

    caption: str = ""
    patterns: tuple[str, ...] = ()
    gold: Path | None = None
    pairs: Path | None = None
    captions: Path | None = None


@dataclass(frozen=True)
class LanguagePack:
    """A language pack; its parts are named as ``module:function`` and loaded at first use.

    ``parsers`` and ``synonyms`` map a name to the function that loads it; a name with a colon
    (``spacy:en_core_web_sm``) is looked up by the part up to the colon, and the rest is passed to the function. The
    first entry of each mapping is the default; ``conllu:FILE`` is a parser of every language. ``rules_of`` names, up to the
    colon, the rules of parsers that have no namesake. ``enhancement`` names the function that adds the graphs which the rules
    read; the function ``trace`` of its module does the same step by step, and where the language ``discourses``, the function
    ``discourse`` does so with the steps across sentences that come before. ``step_book`` is the file
    with an example and a near miss for each step, which the function ``steps`` of that module lists. ``scripts`` are the first words of the Unicode
    names of the language's letters, ``own_scripts`` those of letters that no other language has; ``argument_structure`` names the function behind ``structure``.

    ``readings`` names the function that reads one word of a sentence otherwise; ``tags`` are all parts of speech of the tagset,
    empty where they are not listed.

    ``individuals`` names the function that tells members of a group apart. ``similarities`` are those of soft matching, the first installed one is the default; ``vectors`` names the word vectors behind ``words``.
    ``metric_name`` is the usual name of the metric, ``original`` the parser and rules that compute it as first published.
    ``factual_style`` names the function that gives a parse the conventions of FACTUAL, ``fluency`` that which finds faults of fluency. ``inference_rules`` is the file of the scheme ``entailed``, ``possession`` names the function
    ``share(owner, thing)`` that says how often such owners have such a thing. ``bundled_pipelines`` are the spaCy
    pipelines behind the parsers.
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
    readings: str = ""
    tags: frozenset[str] = frozenset()
    discourses: bool = False
    individuals: str = ""
    scripts: tuple[str, ...] = ()
    own_scripts: tuple[str, ...] = ()
    argument_structure: str = ""
    metric_name: str = "SPICE"
    original: str = ""
    text: TextTools = TextTools()
    similarities: tuple[str, ...] = ("hypernyms",)
    vectors: str = ""
    factual_style: str = ""
    fluency: str = ""
    inference_rules: Path | None = None
    possession: str = ""
    bundled_pipelines: tuple[str, ...] = ()
    examples: Examples = Examples()

    def parser(self, name: str | None = None) -> Parser:
        """The parser of this name, loaded once. Raises UnknownNameError."""
        parser: Parser = self._part("parser", {**self.parsers, **_EVERYWHERE}, name)
        return parser

    def rules_with(self, parser: str) -> str:
        """The name of the rules that go with a parser: its namesake, those of its kind, or the default."""
        return parser if parser in self.rules else self.rules_of.get("".join(parser.partition(":")[:2]), next(iter(self.rules)))

    def enhance(self, document: Document, steps: Sequence[str] | None = None) -> Document:
        """The document with the enhanced graphs that the rules read; ``steps`` names the steps to apply to the basic trees."""
        if not self.enhancement:
            selected((), steps or ())
            return document
        enhanced: Document = resolve(self.enhancement)(document, steps)
        return enhanced

    def steps(self) -> list[StepEntry]:
        """Return the named steps, those across sentences first, each with an example and a near miss."""
        if self.step_book is None:
            return []
        return read_step_book(self.step_book, resolve(f"{self.enhancement.partition(':')[0]}:steps")())

    def prepared(self, document: Document, steps: Sequence[str] | None = None) -> Document:
        """The document after the steps across sentences, as the enhancement of each sentence reads it."""
        taken = self.discourse(document, steps)
        return taken[-1][1] if taken else document

    def trace(self, sentence: Sentence, steps: Sequence[str] | None = None) -> list[tuple[Step, Edges]]:
        """The enhancement of a sentence step by step: each step with the edges after it."""
        if not self.enhancement:
            selected((), steps or ())
            return []
        traced: list[tuple[Step, Edges]] = resolve(f"{self.enhancement.partition(':')[0]}:trace")(sentence, steps)
        return traced

    def discourse(self, document: Document, steps: Sequence[str] | None = None) -> list[tuple[DiscourseStep, Document]]:
        """The steps across sentences, before the enhancement of each: each step with the document after it."""
        path = f"{self.enhancement.partition(':')[0]}:discourse"
        return resolve(path)(document, steps) if self.discourses else []

    def individual(self, sentence: Sentence, words: Sequence[Token], predicate: Sequence[Token]) -> str:
        """Which member of a group these words name ("one", "other"), given their predicate; empty for no one."""
        name: str = resolve(self.individuals)(sentence, words, predicate) if self.individuals else ""
        return name

    def other_readings(self, sentence: Sentence) -> Iterator[Sentence]:
        """The sentence with one word read otherwise, such as a participle for an adjective; none if the pack names none."""
        found: Iterator[Sentence] = resolve(self.readings)(sentence) if self.readings else iter(())
        return found

    def fits(self, text: str) -> bool:
        """Whether at least half of the text's letters belong to the language's scripts; a text without letters fits."""
        letters = [unicodedata.name(c, "") for c in text if c.isalpha()]
        return 2 * sum(name.startswith(self.scripts) for name in letters) >= len(letters)

    def own_share(self, texts: Iterable[str]) -> float:
        """The share of the texts' letters that only this language has; 1 if the pack names no such letters or there are none."""
        letters = [unicodedata.name(c, "") for text in texts for c in text if c.isalpha()]
        if not letters or not self.own_scripts:
            return 1.0
        return sum(name.startswith(self.own_scripts) for name in letters) / len(letters)

    def structure(self, sentence: Sentence) -> Structure | None:
        """The units and arguments of a parsed sentence; None if the language defines none."""
        found: Structure | None = resolve(self.argument_structure)(sentence) if self.argument_structure else None
        return found

    @property
    def first_caption(self) -> str:
        """The caption that pages begin with."""
        return self.examples.caption or self.rule_set().rules[0].example.caption

    @property
    def first_patterns(self) -> tuple[str, ...]:
        """The patterns that the query page begins with, at least one."""
        return self.examples.patterns or (self.rule_set().rules[0].pattern.source.strip(),)

    def rule_set(self, name: str | None = None) -> RuleSet:
        """The bundled rule set of this name. Raises UnknownNameError."""
        name = name or next(iter(self.rules))
        if name not in self.rules:
            raise UnknownNameError(Message("kind.rules", language=self.named_in_messages), name, self.rules)
        return _rule_set(self.rules[name])

    def synonym_source(self, name: str | None = None) -> Synonyms:
        """The synonym source of this name, loaded once. Raises UnknownNameError."""
        source: Synonyms = self._part("synonyms", self.synonyms, name)
        return source

    def tokenizer(self) -> Tokenizer:
        """The tokenizer of text metrics, loaded once. Raises MissingResourceError."""
        tokenizer: Tokenizer = _load(self.text.tokenizer, "")
        return tokenizer

    def stemmer(self) -> Stemmer:
        """METEOR's stemmer, loaded once. Raises MissingResourceError."""
        stemmer: Stemmer = _load(self.text.stemmer, "")
        return stemmer

    def stop_words(self) -> frozenset[str]:
        """The words that count less in METEOR."""
        words: frozenset[str] = _load(self.text.stop_words, "")
        return words

    def word_vectors(self) -> Any:
        """The word vectors, loaded once. Raises MissingResourceError."""
        return _load(self.named(self.vectors, Message("lacks.similarity"), "vectors"), "")

    def in_factual_style(self, parse: Parse) -> Parse:
        """The parse in FACTUAL's conventions. Raises MissingResourceError."""
        adapted: Parse = resolve(self.named(self.factual_style, Message("lacks.factual"), "conversion"))(parse)
        return adapted

    def fluency_rules(self) -> Callable[[Document], list[tuple[str, str]]]:
        """The function that finds faults of fluency in a caption: their names and words. Raises MissingResourceError."""
        rules: Callable[[Document], list[tuple[str, str]]] = resolve(self.named(self.fluency, Message("lacks.fluency"), "fluency_rules"))
        return rules

    def inference(self, synonyms: Synonyms) -> Inference:
        """What compares scene graphs by meaning. Raises MissingResourceError."""
        if self.inference_rules is None:
            raise MissingResourceError(self.lack(Message("lacks.entailed"), "inference_rules"))
        rules = inference_rules(self.inference_rules)
        return Inference(rules, Lexicon(synonyms, rules, resolve(self.possession) if self.possession else _never))

    def named(self, part: str, purpose: str, kind: str) -> str:
        """The name of an optional part. Raises MissingResourceError if the pack names none."""
        if not part:
            raise MissingResourceError(self.lack(purpose, kind))
        return part

    @property
    def named_in_messages(self) -> str:
        """The name in messages, in the language of the message where it is known there."""
        key = f"language.{self.code}"
        return Message(key) if catalogue("en").get(key) == self.name else self.name

    def lack(self, purpose: str, kind: str) -> str:
        """One line on what there is not for this language, and the part that its pack would have to name."""
        return Message("error.lacking", purpose=purpose, language=self.named_in_messages, part=Message(f"lacks.{kind}"))

    def _part(self, kind: str, known: Mapping[str, str], name: str | None) -> Any:
        name = name or next(iter(known))
        prefix, colon, argument = name.partition(":")
        if prefix + colon not in known:
            raise UnknownNameError(Message(f"kind.{kind}", language=self.named_in_messages), name, known)
        if colon and not argument:
            raise InputError(Message(f"kind.{kind}", language=self.named_in_messages), name, Message("expected.after_colon"))
        return _load(known[prefix + colon], argument)


def resolve(path: str) -> Any:
    """The object at ``module:name``, imported at first use."""
    module, _, name = path.partition(":")
    return getattr(import_module(module), name)


def loader(part: _T) -> Callable[[], _T]:
    """A function that returns this part; it is pickled by name if a language pack loaded the part."""
    if id(part) in _LOADED:
        _, path, argument = _LOADED[id(part)]
        return partial(_load, path, argument)
    return partial(_identity, part)


def _never(owner: str, thing: str) -> float:
    return 0.0


def _identity(part: _T) -> _T:
    return part


@cache
def _load(path: str, argument: str) -> Any:
    part = resolve(path)(*([argument] if argument else []))
    _LOADED[id(part)] = part, path, argument
    return part


@cache
def _rule_set(path: Path) -> RuleSet:
    return load_rules(path)
