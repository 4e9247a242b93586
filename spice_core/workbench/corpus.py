"""Captions analysed once, so that rules can be tried on all of them again and again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from spice_core.lang.pack import Language
from spice_core.rules.conditions import Effort
from spice_core.rules.ruleset import RuleSet
from spice_core.scene.propositions import Parse, closed, ordered
from spice_core.syntax.document import Document

STEP_LIMIT, STEPS_EACH = 150_000, 300  # over all captions, or for each of many; the bundled rules take some 50 a caption


class Effect(NamedTuple):
    """A caption whose tuples another rule set changes: its position, those that it gains and those that it loses."""

    position: int
    caption: str
    gained: tuple[tuple[str, ...], ...]
    lost: tuple[tuple[str, ...], ...]


class Corpus:
    """Analysed captions; the enhanced graphs are kept for the steps that were asked for last."""

    def __init__(self, pack: Language, documents: Sequence[Document], signature: str):
        """``documents`` are analysed, not enhanced; ``signature`` is that of their analyser."""
        self.pack, self.documents, self.signature = pack, tuple(documents), signature
        self._steps: dict[tuple[str, ...] | None, tuple[Document, ...]] = {}

    def enhanced(self, steps: tuple[str, ...] | None = None) -> tuple[Document, ...]:
        """The documents with the graphs that these steps make."""
        if steps not in self._steps:
            made = tuple(self.pack.enhance(document, steps) for document in self.documents)
            self._steps = {**dict(list(self._steps.items())[-1:]), steps: made}
        return self._steps[steps]

    def parses(self, rules: RuleSet, *, limit: int | None = None) -> list[Parse]:
        """What the rules yield on each caption. Raises RuleError where they take more steps than ``limit`` on all together."""
        effort = bounded(len(self.documents), limit)
        return [Parse(d.text, rules.apply(d, effort), d, self.signature) for d in self.enhanced(rules.steps)]

    def part(self, start: int, end: int | None = None) -> Corpus:
        """The captions from one position to another as a corpus of their own."""
        return Corpus(self.pack, self.documents[start:end], self.signature)

    def plus(self, documents: Iterable[Document]) -> Corpus:
        """The captions with more of them behind."""
        return Corpus(self.pack, (*self.documents, *documents), self.signature)


def bounded(captions: int, limit: int | None = None) -> Effort:
    """The effort that may be spent on so many captions together, unless ``limit`` says how many steps."""
    return Effort(limit or max(STEP_LIMIT, STEPS_EACH * captions), f"these {captions} captions")


def effects(before: Iterable[Parse], after: Iterable[Parse]) -> Iterator[Effect]:
    """The captions that two rule sets read differently; tuples are compared as with gold graphs."""
    for position, (old, new) in enumerate(zip(before, after, strict=True)):
        was, is_ = (closed(p.words for p in parse.propositions) for parse in (old, new))
        if was != is_:
            yield Effect(position, new.caption, ordered(is_ - was), ordered(was - is_))


def stripped(parses: Iterable[Parse]) -> list[Parse]:
    """The parses without their documents: what is kept of an earlier rule set."""
    return [replace(parse, document=None) for parse in parses]
