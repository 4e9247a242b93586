"""The description of a metric, and the batches of captions that metrics score."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Any, NamedTuple, SupportsIndex, TypeVar

from spice_core.errors import MissingResourceError, SpiceError
from spice_core.lang import language
from spice_core.lang.pack import LanguagePack, resolve
from spice_core.metrics.result import SpiceResult
from spice_core.metrics.spice import Spice
from spice_core.scene.graph import SceneTuple
from spice_core.scene.propositions import Parse

_T = TypeVar("_T")
CaptionItems = Sequence[tuple[str, Sequence[str]]]  # candidates with their references


class Needs(StrEnum):
    """The representation of captions that a metric needs."""

    GRAPH = "scene graphs"
    TEXT = "words"
    CORPUS = "words of many images"


class Pairing(NamedTuple):
    """A tuple and the tuples of the other side that explain its credit, with the path between them, as texts."""

    candidate: str
    reference: str
    credit: float
    path: str = ""

    @classmethod
    def of_tuples(cls, candidates: Iterable[SceneTuple], references: Iterable[SceneTuple], credit: float, path: str = "") -> Pairing:
        """Return the pairing of the tuples of both sides."""
        candidate, reference = ("; ".join(" – ".join(tuple_.words) for tuple_ in side) for side in (candidates, references))
        return cls(candidate, reference, credit, path)


@dataclass(eq=False)
class Batch:
    """Candidates with their references. Data that several metrics share is computed once, at first use.

    All batches of a run share ``tools``. ``precomputed_results`` are the SPICE results of the items, if they are known already.
    ``objects`` names the objects in the image of each item, which CHAIR does not count as hallucinated.
    """

    items: CaptionItems
    spice: Spice
    precomputed_results: Sequence[SpiceResult] = ()
    tools: dict[object, Any] = field(default_factory=dict, repr=False)
    objects: Sequence[Collection[str]] = ()
    _values: dict[object, Any] = field(default_factory=dict, repr=False)

    @property
    def pack(self) -> LanguagePack:
        """The language pack."""
        return language(self.spice.lang)

    @cached_property
    def parses(self) -> dict[str, Parse]:
        """The parse of each distinct caption."""
        if self.precomputed_results:
            return {parse.caption: parse for result in self.precomputed_results for parse in (result.candidate, *result.references)}
        captions = list(dict.fromkeys(c for candidate, references in self.items for c in (candidate, *references)))
        return dict(zip(captions, self.spice.parse(captions)))

    @cached_property
    def results(self) -> list[SpiceResult]:
        """The SPICE result of each item."""
        parses = self.parses
        return list(self.precomputed_results) or [
            self.spice.compare(parses[c], [parses[r] for r in references]) for c, references in self.items
        ]

    def compute_once(self, make: Callable[[Batch], _T]) -> _T:
        """Return ``make(self)``, computed once."""
        if make not in self._values:
            self._values[make] = make(self)
        value: _T = self._values[make]
        return value

    def get_tool(self, make: Callable[[Spice], _T]) -> _T:
        """Return ``make(self.spice)``, computed once for all batches of a run."""
        if make not in self.tools:
            self.tools[make] = make(self.spice)
        tool: _T = self.tools[make]
        return tool

    def split(self, batch_size: int) -> Iterator[Batch]:
        """Yield the items in batches of this size."""
        for start in range(0, len(self.items), batch_size):
            part = slice(start, start + batch_size)
            yield Batch(self.items[part], self.spice, self.precomputed_results[part], self.tools, self.objects[part])


@dataclass(frozen=True, kw_only=True)
class Metric:
    """Description of a metric, with the functions that compute and explain its scores.

    Attributes:
        name: The name of the metric.
        summary: What the metric measures, in a few words.
        needs: The representation of captions that the metric needs.
        segment: Returns the score of each item of a batch. Undefined scores are nan.
        signature: Returns the signature of the scores.
        corpus: Returns the score of a data set, if it is not the mean of the scores of the items.
        explain: Returns the pairs of tuples that explain the score of a batch's first item.
        find_missing_part: Returns the name of the required part that a language pack lacks, or "".
        install_command: The command that installs the packages that the metric needs.
        max_score: The highest score; the lowest is 0.
    """

    name: str
    summary: str
    needs: Needs
    segment: Callable[[Batch], list[float]]
    signature: Callable[[Spice], str]
    corpus: Callable[[Batch], float] | None = None
    explain: Callable[[Batch], list[Pairing]] | None = None
    find_missing_part: Callable[[LanguagePack], str] = lambda pack: ""
    install_command: str = ""
    max_score: float = 1.0

    def __reduce_ex__(self, protocol: SupportsIndex) -> Any:
        """Pickle a registered metric by its name, because its functions may be lambdas."""
        by_name = resolve("spice_core.metrics.registry:metric_by_name")
        try:
            is_registered = by_name(self.name) is self
        except SpiceError:
            is_registered = False
        return (by_name, (self.name,)) if is_registered else super().__reduce_ex__(protocol)

    def describe_missing_part(self, pack: LanguagePack) -> str:
        """Return a line about the missing part of the language pack, or "" if it is complete."""
        kind = self.find_missing_part(pack)
        return pack.missing_part_message(self.name, kind) if kind else ""

    def scores(self, batch: Batch) -> list[float]:
        """Return the score of each item. Raises MissingResourceError if a package or a part of the language pack is missing."""
        if line := self.describe_missing_part(batch.pack):
            raise MissingResourceError(line)
        return self.segment(batch)
