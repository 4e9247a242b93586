"""Captions parsed once, so that rules can be tried on all of them repeatedly."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from spice_core.errors import Message
from spice_core.lang.pack import LanguagePack
from spice_core.rules.conditions import SearchBudget
from spice_core.rules.ruleset import RuleSet
from spice_core.scene.propositions import Parse, closed, ordered
from spice_core.syntax.document import Document

STEP_LIMIT, STEPS_EACH = 150_000, 300  # in total, or per caption for many captions; the bundled rules take about 50 per caption


class CaptionEffect(NamedTuple):
    """A caption whose tuples change under another rule set: its position, gained tuples, lost tuples."""

    position: int
    caption: str
    gained: tuple[tuple[str, ...], ...]
    lost: tuple[tuple[str, ...], ...]


class ParsedCorpus:
    """Parsed captions, with the enhanced graphs cached for the last steps used."""

    def __init__(self, pack: LanguagePack, documents: Sequence[Document], signature: str):
        """``documents`` are parsed but not enhanced; ``signature`` is that of their parser."""
        self.pack, self.documents, self.signature = pack, tuple(documents), signature
        self._steps: dict[tuple[str, ...] | None, tuple[Document, ...]] = {}

    def enhanced(self, steps: tuple[str, ...] | None = None) -> tuple[Document, ...]:
        """The documents with the graphs made by these steps."""
        if steps not in self._steps:
            enhanced_documents = tuple(self.pack.enhance(document, steps) for document in self.documents)
            self._steps = {**dict(list(self._steps.items())[-1:]), steps: enhanced_documents}
        return self._steps[steps]

    def parses(self, rules: RuleSet, *, limit: int | None = None) -> list[Parse]:
        """The parses under these rules. Raises RuleError if the rules take more than ``limit`` steps in total."""
        budget = bounded(len(self.documents), limit)
        return [Parse(d.text, rules.apply(d, budget), d, self.signature) for d in self.enhanced(rules.steps)]

    def part(self, start: int, end: int | None = None) -> ParsedCorpus:
        """A slice of the captions as a corpus."""
        return ParsedCorpus(self.pack, self.documents[start:end], self.signature)

    def plus(self, documents: Iterable[Document]) -> ParsedCorpus:
        """The corpus with further documents appended."""
        return ParsedCorpus(self.pack, (*self.documents, *documents), self.signature)


def bounded(captions: int, limit: int | None = None) -> SearchBudget:
    """The step budget for this number of captions together, or ``limit`` steps."""
    return SearchBudget(limit or max(STEP_LIMIT, STEPS_EACH * captions), Message("pattern.these_captions", number=captions))


def effects(before: Iterable[Parse], after: Iterable[Parse]) -> Iterator[CaptionEffect]:
    """The captions with different tuples under two rule sets, compared as with gold graphs."""
    for position, (old, new) in enumerate(zip(before, after, strict=True)):
        was, is_ = (closed(p.words for p in parse.propositions) for parse in (old, new))
        if was != is_:
            yield CaptionEffect(position, new.caption, ordered(is_ - was), ordered(was - is_))


def stripped(parses: Iterable[Parse]) -> list[Parse]:
    """The parses without documents, as kept for an earlier rule set."""
    return [replace(parse, document=None) for parse in parses]
