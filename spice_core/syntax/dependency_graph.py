"""A dependency graph indexed for rules: edges by head, by dependent and by relation."""

from __future__ import annotations

from collections.abc import Iterable

from spice_core.syntax.document import Dependency, Sentence, Token


class DependencyGraph:
    """Tokens of one sentence with typed edges; tokens may have several heads, and cycles are allowed.

    ``copies`` says how many there are of a token that stands for several: three men have an edge ``copies:3``.
    """

    __slots__ = ("_grouped", "above", "below", "copies", "edges", "relations", "tokens")

    def __init__(self, tokens: tuple[Token, ...], edges: Iterable[Dependency]):
        self.tokens = tokens
        self.edges = tuple(edges)
        self.below: dict[int, list[Dependency]] = {}
        self.above: dict[int, list[Dependency]] = {}
        for edge in self.edges:
            self.below.setdefault(edge.head, []).append(edge)
            self.above.setdefault(edge.dependent, []).append(edge)
        self._grouped: dict[int, dict[str, list[tuple[int, Dependency]]]] = {}
        self.relations = {edge.relation for edge in self.edges}
        counts = [edge for edge in self.edges if edge.relation.startswith("copies:")]
        self.copies = {e.head: int(n) for e in counts if (n := e.relation.partition(":")[2]).isdecimal() and len(n) < 3}

    @classmethod
    def of(cls, sentence: Sentence) -> DependencyGraph:
        """The graph that the rules read: the enhanced one if available, else the basic tree."""
        return cls(sentence.resolved, sentence.edges)

    def token(self, index: int) -> Token:
        """The token with this index (from 1)."""
        return self.tokens[index - 1]

    def children(self, index: int) -> list[Dependency]:
        """Edges from this token (0: from the root), in edge-list order."""
        return self.below.get(index, [])

    def children_by_relation(self, index: int) -> dict[str, list[tuple[int, Dependency]]]:
        """Edges from this token by relation, each with its position among ``children``."""
        if index not in self._grouped:
            groups: dict[str, list[tuple[int, Dependency]]] = {}
            for position, edge in enumerate(self.children(index)):
                groups.setdefault(edge.relation, []).append((position, edge))
            self._grouped[index] = groups
        return self._grouped[index]

    def parents(self, index: int) -> list[Dependency]:
        """Edges into this token."""
        return self.above.get(index, [])
