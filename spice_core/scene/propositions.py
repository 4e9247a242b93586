"""Propositions: the raw tuples that rules yield from a caption."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from spice_core.errors import InputError, Message
from spice_core.syntax.clean_text import clean_text
from spice_core.syntax.document import Document, Token

GIVEN_RULE = "given"
PLACEHOLDER = "[PHI]"  # an implicit subject, which occurs in relations but never as an object tuple
KIND_BY_LENGTH = {1: "object", 2: "attribute", 3: "relation"}


@dataclass(frozen=True, slots=True)
class Proposition:
    """A raw tuple: (object), (object, attribute) or (subject, relation, object). Comparison ignores all fields but ``words``.

    Attributes:
        words: The words of the parts.
        rule: The name of the rule.
        sentence: The number of the sentence in the caption, from 0.
        tokens: For each part, the tokens that its words come from.
        original_words: The words before rephrasing, or () if the proposition was not rephrased.
        negated: Whether the caption states that the proposition does not hold.
    """

    words: tuple[str, ...]
    rule: str = field(default=GIVEN_RULE, compare=False)
    sentence: int = field(default=0, compare=False)
    tokens: tuple[tuple[Token, ...], ...] = field(default=(), compare=False)
    original_words: tuple[str, ...] = field(default=(), compare=False)
    negated: bool = field(default=False, compare=False)

    def rephrase(self, *parts: int | str) -> Proposition:
        """Return the proposition with other parts, each given as the index of an existing part or as a new word."""
        numbers = [part if isinstance(part, int) else place for place, part in enumerate(parts)]
        words = tuple(self.words[part] if isinstance(part, int) else part for part in parts)
        tokens = tuple(self.tokens[n] for n in numbers if n < len(self.tokens))
        return replace(self, words=words, tokens=tokens, original_words=self.original_words or self.words)

    @property
    def kind(self) -> str:
        """``object``, ``attribute`` or ``relation``."""
        return KIND_BY_LENGTH[len(self.words)]


@dataclass(frozen=True, slots=True)
class Parse:
    """A caption with its document and its propositions.

    Attributes:
        caption: The text of the caption.
        propositions: The propositions, in order.
        document: The parsed caption, or None if the propositions were given or the parse was stored without its document.
        parser: The signature of the parser, or ``given`` if the propositions were given.
        sentences: The texts of the sentences, or () if there is only one sentence.
        negated: What the caption states not to hold.
    """

    caption: str
    propositions: tuple[Proposition, ...]
    document: Document | None = None
    parser: str = GIVEN_RULE
    sentences: tuple[str, ...] = ()
    negated: tuple[Proposition, ...] = ()

    def tree(self, proposition: Proposition) -> int:
        """Return the index of the proposition's sentence in the document (0 if steps joined all sentences)."""
        return proposition.sentence if self.document and len(self.document.sentences) > 1 else 0


def sort_tuples(tuples: Iterable[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    """Return the tuples sorted by kind (objects, attributes, relations) and then by words."""
    return tuple(sorted(tuples, key=lambda words: (len(words), words)))


def parse_from_tuples(rows: Sequence[object], *, where: str) -> Parse:
    """Return a parse of given propositions (rows of one to three strings).

    Raises InputError, which names ``where`` and the row, if a row is not a list of one to three non-empty strings.
    """
    propositions = []
    for row_index, row in enumerate(rows):
        words = tuple(map(clean_text, row)) if isinstance(row, (list, tuple)) and all(isinstance(word, str) for word in row) else ()
        if not 1 <= len(words) <= 3 or not all(map(str.strip, words)):
            raise InputError(Message("where.nth", list=where, number=row_index), row, Message("expected.proposition"))
        propositions.append(Proposition(words))
    caption = "; ".join(" – ".join(p.words) for p in propositions)
    return Parse(caption, tuple(propositions))


TupleWords = tuple[str, ...]


def add_implied_objects(tuples: Iterable[TupleWords]) -> frozenset[TupleWords]:
    """Return the tuples without a leading "be " in relations, with an object tuple for each subject and object but placeholders."""
    out = set()
    for words in map(tuple, tuples):
        out |= {words, (words[0],)} if len(words) < 3 else {without_be(words), (words[0],), (words[2],)}
    return frozenset(out - {(PLACEHOLDER,)})


def without_be(words: TupleWords) -> TupleWords:
    return (words[0], words[1].removeprefix("be "), words[2]) if len(words) == 3 else words
