"""A pattern searched over many captions: the hits, grouped by a word or a relation, and as a table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from spice_core.rules.pattern import Pattern
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Document
from spice_core.workbench.corpus import bounded

BY = ("lemma", "word", "tag", "relation")
MOST = 5_000  # hits


@dataclass(frozen=True)
class Hit:
    """One match: the caption's position, the sentence within it, its graph, the token index or text of each name of the pattern."""

    position: int
    caption: str
    sentence: int
    graph: DependencyGraph
    bindings: dict[str, int | str]

    def word(self, name: str) -> str:
        """The word bound to a name, the text of a link, nothing where the name is not bound."""
        value = self.bindings.get(name, "")
        return self.graph.token(value).text if isinstance(value, int) else value

    def value(self, name: str, by: str = "lemma") -> str:
        """Lemma, word, tag or relation (to the first head) of the word bound to a name; the text of a link."""
        value = self.bindings.get(name, "")
        if not isinstance(value, int):
            return value
        if by == "relation":
            return next((edge.relation for edge in self.graph.parents(value)), "")
        token = self.graph.token(value)
        return {"lemma": token.lemma, "word": token.text, "tag": token.tag}[by]


def search(pattern: Pattern, documents: Iterable[Document], *, enhanced: bool = True) -> list[Hit]:
    """All hits in the captions, at most MOST. Raises RuleError where the search takes too many steps.

    ``enhanced`` searches the graphs that the rules read, else the basic trees.
    """
    documents = list(documents)
    effort = bounded(len(documents))
    hits = []
    for position, document in enumerate(documents):
        for number, sentence in enumerate(document.sentences):
            graph = DependencyGraph.of(sentence) if enhanced else DependencyGraph(sentence.tokens, sentence.basic)
            hits += (Hit(position, document.text, number, graph, named(pattern, bound)) for bound in pattern.search(graph, effort))
            if len(hits) >= MOST:
                return hits[:MOST]
    return hits


def grouped(hits: Iterable[Hit], name: str, by: str = "lemma") -> dict[str, list[Hit]]:
    """The hits by what is bound to a name, the largest group first, equal ones by their text."""
    groups: dict[str, list[Hit]] = {}
    for hit in hits:
        groups.setdefault(hit.value(name, by), []).append(hit)
    return dict(sorted(groups.items(), key=lambda group: (-len(group[1]), group[0])))


def named(pattern: Pattern, bound: dict[str, int | str]) -> dict[str, int | str]:
    """The bindings of the names that the pattern gives itself, or all where it gives none."""
    return {name: value for name, value in bound.items() if name in pattern.named} or dict(bound)
