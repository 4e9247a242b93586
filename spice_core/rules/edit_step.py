"""Steps of rule files, which edit the edges of a graph before the rules read it.

The field ``edits`` of a step has one or more edits. Each is a pattern, an arrow, and what replaces an edge of the pattern:

    {lemma:be}=be >expl {} >nsubj {}=thing >obl {}=place => thing >nmod place

Here, an edge from ``thing`` with the label ``nmod`` replaces the pattern's edge to ``place``. In a label, ``{link}`` stands for the text of a
link. ``=> drop place`` removes the edge to ``place``. Edits apply in order, and each is repeated until it changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from spice_core.errors import Message, RuleError, shorten_value
from spice_core.rules.conditions import Bindings, EdgeTest
from spice_core.rules.pattern import Pattern
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Dependency

_EDIT = re.compile(r"(?P<pattern>.*?)=>[ \t]*(?P<edit>[^\n]*?)[ \t]*(?:\n|\Z)", re.DOTALL)
_REPLACEMENT = re.compile(r"drop\s+(?P<dropped>\w+)|(?P<head>\w+)\s*>(?P<label>(?:[\w:]|\{\w+\})+)\s+(?P<dependent>\w+)")


class Edit(NamedTuple):
    """An edit of the edge that ``edge`` matches: another head and label, or no edge if ``head`` is empty."""

    pattern: Pattern
    edge: EdgeTest
    head: str
    label: str

    def apply(self, graph: DependencyGraph) -> DependencyGraph:
        """Return the graph after the edit. Raises RuleError if the pattern takes too many steps."""
        for _ in graph.tokens if self.pattern.may_match(graph) else ():
            edges = {edge: self._new_edge(bindings) for bindings in self.pattern.search(graph) for edge in self._edges(graph, bindings)}
            if not edges:
                break
            previous_graph, graph = graph, graph.with_edges(e for edge in graph.edges if (e := edges.get(edge, edge)))
            if graph is previous_graph:
                break
        return graph

    def _edges(self, graph: DependencyGraph, bindings: Bindings) -> Iterator[Dependency]:
        for edge in graph.children(bindings[self.edge.head]):  # type: ignore[arg-type]
            link = self.edge.label.match_text(edge.relation) if edge.dependent == bindings[self.edge.dependent] else None
            if link is not None and (not self.edge.link or link.replace("_", " ") == bindings[self.edge.link]):
                yield edge

    def _new_edge(self, bindings: Bindings) -> Dependency | None:
        if not self.head:
            return None
        links = {name: value.replace(" ", "_") for name, value in bindings.items() if isinstance(value, str)}
        return Dependency(bindings[self.head], bindings[self.edge.dependent], self.label.format_map(links))  # type: ignore[arg-type]


class EditStep(NamedTuple):
    """A step of a rule file, with the text of its edits."""

    name: str
    reason: str
    edits: str

    def apply(self, graph: DependencyGraph) -> DependencyGraph:
        """Return the graph after all edits. Raises RuleError if a pattern takes too many steps."""
        for edit in read_edits(self.edits):
            graph = edit.apply(graph)
        return graph


RuleSetStep = str | EditStep  # a step of the language (by name) or of the rule file


@lru_cache(maxsize=256)
def read_edits(text: str) -> tuple[Edit, ...]:
    """Read the edits of a step, at least one. Raises RuleError with the position in the text."""
    edits, end = list[Edit](), 0
    while text[end:].strip():
        match = _EDIT.match(text, end)
        if not match:
            raise _syntax_error(text, end, Message("pattern.edit"))
        edits.append(_read_edit(match))
        end = match.end()
    if not edits:
        raise _syntax_error(text, 0, Message("pattern.edit"))
    return tuple(edits)


def _read_edit(match: re.Match[str]) -> Edit:
    try:
        pattern = Pattern(match["pattern"].rstrip())
    except RuleError as error:
        raise RuleError(error.message, part="edits", position=match.start("pattern") + (error.position or 0)) from None
    replacement = _REPLACEMENT.fullmatch(match["edit"])
    if not replacement:
        raise _syntax_error(match.string, match.start("edit"), Message("pattern.replacement"))
    head, dependent = replacement["head"] or "", replacement["dependent"] or replacement["dropped"]
    edges = [condition for condition in pattern.conditions if isinstance(condition, EdgeTest)]
    if head == dependent:
        raise _syntax_error(match.string, match.start("edit"), Message("pattern.different_names"))
    if head and head not in pattern.required_nodes:
        raise _syntax_error(match.string, match.start("edit"), Message("pattern.word_of_pattern", names=", ".join(pattern.required_nodes)))
    for link in re.findall(r"\{(\w+)\}", replacement["label"] or ""):
        if all(link != edge.link for edge in edges):
            raise _syntax_error(match.string, match.start("edit"), Message("pattern.link_of_pattern", names=", ".join(pattern.captures)))
    replaced_edges = [edge for edge in edges if edge.dependent == dependent]
    if len(replaced_edges) != 1:
        raise _syntax_error(match.string, match.start("edit"), Message("pattern.edited_edge", name=dependent))
    return Edit(pattern, replaced_edges[0], head, replacement["label"] or "")


def _syntax_error(text: str, position: int, expected: Message) -> RuleError:
    found = shorten_value(text[position : position + 40].strip()) if text[position:].strip() else Message("found.end")
    return RuleError(Message("rule.expected", part="edits", found=found, expected=expected), part="edits", position=position)
