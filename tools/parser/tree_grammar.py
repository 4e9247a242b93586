"""Draw captions with their trees from a grammar of heads and relations.

A rule is a sequence of constituents: ``det=a/DT amod?.3=COLOUR person:NN``. The constituent without a relation is
the head; the relations of the others attach them to its head word. ``?`` and a share make a constituent optional, ``|`` separates
alternatives. A constituent is a symbol (``PERSON``), a word of a list in a form (``person:NNS``, ``act:VBZ``) or a word itself
(``a/DT``). A number before a rule is its weight. By construction, every text has one correct tree with the labels and tags of UD English-EWT,
so no parser is needed.
"""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from spice_core.lang.en.parsers.word_tokens import split_sentences, tokenize_words
from spice_core.syntax.document import Document
from tools.parser.noun_phrases import correct_articles
from tools.parser.words import Word, attach, make_document

FormFunction = Callable[[str, str], str | None]  # the form of a lemma under a Penn tag, or None

_CONSTITUENT_PATTERN = re.compile(r"(?:(?P<relation>[a-z:]+)(?P<optional>\?(?P<share>\.\d+)?)?=)?(?P<content>\S+)")
_NO_SPACE_BEFORE = frozenset((",", ".", "!", "?", ":", ";", ")", "'s", "n't", "''", "%"))
_NO_SPACE_AFTER = frozenset(("(", "``", "$", "#"))
_QUOTE_BY_TOKEN = {"``": '"', "''": '"'}
_INFLECTED_TAGS = frozenset(("NNS", "VBZ", "VBG", "VBD", "VBN"))
_MAX_ATTEMPTS = 100  # maximum draws until a text has forms for all its words and the right length


class NoFormError(Exception):
    """Raised if a word has no known form for the tag in a rule."""


@dataclass(frozen=True)
class _Constituent:
    """A constituent of a rule: its relation ("" for the head), the share of texts that have it, and its alternatives."""

    relation: str
    share: float
    alternatives: tuple[str, ...]


@dataclass(frozen=True)
class _Rule:
    weight: float
    constituents: tuple[_Constituent, ...]


class TreeGrammar:
    """Generator of documents from ``rules`` (a list by symbol) and ``words`` (comma-separated words by the name of the list)."""

    def __init__(self, rules: Mapping[str, Sequence[str]], words: Mapping[str, str], form: FormFunction, seed: int):
        self._rules = {symbol: [_parse_rule(text) for text in texts] for symbol, texts in rules.items()}
        self._words = {name: [" ".join(w.split()) for w in text.split(",") if w.strip()] for name, text in words.items()}
        self._form, self._random = form, random.Random(seed)
        self._check_symbols()

    def documents(self, symbol: str, count: int, max_words: int) -> Iterator[Document]:
        """Draw ``count`` documents of this symbol, and yield those that the tokenizer splits into the same tokens."""
        for _ in range(count):
            for _ in range(_MAX_ATTEMPTS):
                document = self._make_document(symbol, max_words)
                if document:
                    yield document
                    break

    def _make_document(self, symbol: str, max_words: int) -> Document | None:
        try:
            words = self._expand(symbol)
        except NoFormError:
            return None
        if len(words) > max_words:
            return None
        document = make_document(_set_spaces(correct_articles(words)), "")
        return document if _is_tokenized(document) else None

    def _expand(self, content: str) -> list[Word]:
        """Return the words of a constituent: a symbol, a word of a list, or a word itself."""
        if "/" in content:
            text, tag = content.rsplit("/", 1)
            return [Word(text, text.lower(), tag)]
        if ":" in content:
            return self._draw_listed(*content.split(":"))
        (rule,) = self._random.choices(self._rules[content], self._weights[content])
        return self._compose(rule)

    @cached_property
    def _weights(self) -> dict[str, list[float]]:
        return {symbol: [rule.weight for rule in rules] for symbol, rules in self._rules.items()}

    def _compose(self, rule: _Rule) -> list[Word]:
        drawn_constituents = [c for c in rule.constituents if self._random.random() < c.share]
        parts = [(c.relation, self._expand(self._random.choice(c.alternatives))) for c in drawn_constituents]
        head = next(word for relation, words in parts if not relation for word in words if word.head is None)
        return [word for relation, words in parts for word in (attach(words, head, relation) if relation else words)]

    def _draw_listed(self, name: str, tag: str) -> list[Word]:
        """Draw a word of a list and inflect it: the first word of two-word verbs, the last word of two-word nouns."""
        first_field, *other_fields = self._random.choice(self._words[name]).split()
        if tag[0] == "V":
            verb = self._inflect(first_field, tag)
            return [verb, *(Word(w, w, "RP", "compound:prt", verb) for w in other_fields)]
        *words_before, last_word = first_field, *other_fields
        head = self._inflect(last_word, tag)
        tag_before = "NN" if tag == "NNS" else tag
        return [*(Word(w, w.lower(), tag_before, "compound" if tag[0] == "N" else "advmod", head) for w in words_before), head]

    def _inflect(self, lemma: str, tag: str) -> Word:
        form = self._form(lemma, tag) if tag in _INFLECTED_TAGS else lemma
        if form is None:
            raise NoFormError(lemma)
        return Word(form, lemma.lower(), tag)

    def _check_symbols(self) -> None:
        """Raise ValueError for a symbol or list that is missing, and for a rule without exactly one head."""
        for symbol, rules in self._rules.items():
            for rule in rules:
                if sum(not c.relation for c in rule.constituents) != 1:
                    raise ValueError(f"{symbol}: expected one head in each rule")
                for content in (a for c in rule.constituents for a in c.alternatives if "/" not in a):
                    if content.split(":")[0] not in (self._words if ":" in content else self._rules):
                        raise ValueError(f"{symbol}: {content} is no symbol and no list of words")


def _parse_rule(text: str) -> _Rule:
    first_field, *other_fields = text.split()
    weighted = re.fullmatch(r"[\d.]+", first_field) and other_fields
    items = other_fields if weighted else [first_field, *other_fields]
    return _Rule(float(first_field) if weighted else 1.0, tuple(map(_parse_constituent, items)))


def _parse_constituent(text: str) -> _Constituent:
    match = _CONSTITUENT_PATTERN.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is no constituent")
    share = float(match["share"] or 0.5) if match["optional"] else 1.0
    content = match["content"]
    return _Constituent(match["relation"] or "", share, (content,) if content.startswith("|") else tuple(content.split("|")))


def _set_spaces(words: list[Word]) -> list[Word]:
    """Return the words with spaces as in print. Penn Treebank quotation marks become ``"``."""
    for word_before, word in zip([None, *words], words):
        word.follows_directly = word.text in _NO_SPACE_BEFORE or (word_before is not None and word_before.text in _NO_SPACE_AFTER)
    for word in words:
        word.text = _QUOTE_BY_TOKEN.get(word.text, word.text)
    return words


def _is_tokenized(document: Document) -> bool:
    """Return whether the tokenizer finds these tokens in a single sentence."""
    spans = split_sentences(document.text, tokenize_words(document.text))
    return len(spans) == 1 and spans[0] == [(t.start, t.end) for t in document.sentences[0].tokens]


def load_caption_grammar(form: FormFunction, seed: int) -> TreeGrammar:
    """Return the grammar of ``tree_grammar.toml``."""
    table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return TreeGrammar(table["rules"], table["words"], form, seed)
