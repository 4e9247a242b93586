"""Dependency graph with the queries that steps and rules make, and the edits that steps make."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from spice_core.syntax.document import Dependency, Sentence, Token

_NO_EDGES: list[Dependency] = []
_T = TypeVar("_T")


class _CachedAttribute(Generic[_T]):
    """Attribute that is computed at first use.

    ``functools.cached_property`` is much slower in Python 3.11, because it takes a lock.
    """

    def __init__(self, compute: Callable[[Any], _T]):
        self._compute, self._name, self.__doc__ = compute, compute.__name__, compute.__doc__

    def __get__(self, graph: object, owner: type) -> _T:
        """Compute the value and store it on the graph."""
        value = graph.__dict__[self._name] = self._compute(graph)
        return value


class WordQueries:
    """Queries for words and their outgoing edges, shared by graphs and editable trees.

    Words are identified by their index from 1, and 0 is the root. Queries for a word return 0 if there is no such word.
    """

    tokens: tuple[Token, ...]

    def _all_edges(self) -> Iterable[Dependency]:
        raise NotImplementedError

    @_CachedAttribute
    def edges_by_head(self) -> dict[int, list[Dependency]]:
        """The edges by head, in order. When a tree changes, its changed edges come last."""
        by_head: dict[int, list[Dependency]] = {}
        for edge in self._all_edges():
            by_head.setdefault(edge.head, []).append(edge)
        return by_head

    def token(self, index: int) -> Token:
        """Return the token with this index (from 1)."""
        return self.tokens[index - 1]

    def lemma(self, index: int) -> str:
        """Return the lemma of a word, or "" for the root."""
        return self.tokens[index - 1].lemma if index else ""

    def text(self, index: int) -> str:
        """Return the text of a word, or "" for the root and for indices after the last word."""
        return self.tokens[index - 1].text if 0 < index <= len(self.tokens) else ""

    def texts_after(self, index: int, count: int) -> list[str]:
        """Return the texts of the ``count`` words after a word, or of fewer words at the end of the sentence."""
        return [token.text for token in self.tokens[index : index + count]]

    def word(self, index: int) -> str:
        """Return the text of a word in lower case, or "" for the root and for indices after the last word."""
        return self.tokens[index - 1].text.lower() if 0 < index <= len(self.tokens) else ""

    def tag(self, index: int) -> str:
        """Return the part of speech of a word, or "" for the root."""
        return self.tokens[index - 1].tag if index else ""

    def children(self, index: int, *relations: str) -> list[Dependency]:
        """Return the edges from a word or from the root (0), in order. If relations are given, return only edges with these relations."""
        edges = self.edges_by_head.get(index, _NO_EDGES)
        return [e for e in edges if e.relation in relations] if relations else edges

    def children_like(self, index: int, *prefixes: str) -> list[Dependency]:
        """Return the edges from a word whose relation begins with one of the prefixes."""
        return [e for e in self.edges_by_head.get(index, _NO_EDGES) if e.relation.startswith(prefixes)]

    def child(self, index: int, *relations: str) -> int:
        """Return the first dependent of a word with one of these relations."""
        for edge in self.edges_by_head.get(index, _NO_EDGES):
            if edge.relation in relations:
                return edge.dependent
        return 0

    def child_like(self, index: int, *prefixes: str) -> int:
        """Return the first dependent of a word whose relation begins with one of the prefixes."""
        for edge in self.edges_by_head.get(index, _NO_EDGES):
            if edge.relation.startswith(prefixes):
                return edge.dependent
        return 0

    def last_child(self, index: int, *relations: str) -> int:
        """Return the last dependent of a word with one of these relations."""
        edges = self.children(index, *relations)
        return edges[-1].dependent if edges else 0

    def children_before(self, index: int, word: int) -> list[Dependency]:
        """Return the edges from a word to dependents that precede another word, in order."""
        return [e for e in self.edges_by_head.get(index, _NO_EDGES) if e.dependent < word]

    def children_after(self, index: int, word: int) -> list[Dependency]:
        """Return the edges from a word to dependents that follow another word, in order."""
        return [e for e in self.edges_by_head.get(index, _NO_EDGES) if e.dependent > word]

    def has_child(self, index: int, *relations: str) -> bool:
        """Return whether a word has a dependent with one of these relations."""
        return any(e.relation in relations for e in self.edges_by_head.get(index, _NO_EDGES))

    def has_child_like(self, index: int, *prefixes: str) -> bool:
        """Return whether a word has a dependent whose relation begins with one of the prefixes."""
        return any(e.relation.startswith(prefixes) for e in self.edges_by_head.get(index, _NO_EDGES))


class DependencyGraph(WordQueries):
    """Tokens of one sentence with typed edges. Tokens may have several heads, and edges may form cycles.

    A graph is immutable: an edit returns another graph, or the same graph if the edit changes nothing.
    """

    def __init__(self, tokens: tuple[Token, ...], edges: Iterable[Dependency]):
        self.tokens = tokens
        self.edges = tuple(edges)
        self.cache: dict[object, Any] = {}  # results cached by other modules

    @classmethod
    def from_sentence(cls, sentence: Sentence) -> DependencyGraph:
        """Return the graph that the rules read: the enhanced graph, or the basic tree if there is none."""
        return cls(sentence.resolved_tokens, sentence.edges)

    def _all_edges(self) -> Iterable[Dependency]:
        return self.edges

    # --- indexes -----------------------------------------------------------------------------------------------------

    @_CachedAttribute
    def edges_by_dependent(self) -> dict[int, list[Dependency]]:
        """The edges by dependent, in the order of ``edges``."""
        by_dependent: dict[int, list[Dependency]] = {}
        for edge in self.edges:
            by_dependent.setdefault(edge.dependent, []).append(edge)
        return by_dependent

    @_CachedAttribute
    def words(self) -> frozenset[str]:
        """The words, in lower case."""
        return frozenset([token.text.lower() for token in self.tokens])

    @_CachedAttribute
    def relations(self) -> set[str]:
        """The relations of all edges."""
        return {edge.relation for edge in self.edges}

    @_CachedAttribute
    def copies_by_token(self) -> dict[int, int]:
        """The number of objects that each token represents: 3 for "three men", from an edge ``copies:3``."""
        counts = [edge for edge in self.edges if edge.relation.startswith("copies:")]
        return {e.head: int(n) for e in counts if (n := e.relation.partition(":")[2]).isdecimal() and len(n) < 3}

    # --- queries -----------------------------------------------------------------------------------------------------

    def parents(self, index: int, *relations: str) -> list[Dependency]:
        """Return the edges into a word, in order. If relations are given, return only edges with these relations."""
        edges = self.edges_by_dependent.get(index, _NO_EDGES)
        return [e for e in edges if e.relation in relations] if relations else edges

    def parents_like(self, index: int, *prefixes: str) -> list[Dependency]:
        """Return the edges into a word whose relation begins with one of the prefixes."""
        return [e for e in self.edges_by_dependent.get(index, _NO_EDGES) if e.relation.startswith(prefixes)]

    def incoming(self, index: int) -> Dependency | None:
        """Return the last edge into a word, which is the only such edge in a tree."""
        edges = self.edges_by_dependent.get(index)
        return edges[-1] if edges else None

    def head(self, index: int, *relations: str) -> int:
        """Return the first head of a word by one of these relations."""
        for edge in self.edges_by_dependent.get(index, _NO_EDGES):
            if edge.relation in relations:
                return edge.head
        return 0

    def has_parent(self, index: int, *relations: str) -> bool:
        """Return whether a word depends on another, or on the root, by one of these relations."""
        return any(e.relation in relations for e in self.edges_by_dependent.get(index, _NO_EDGES))

    def has_parent_like(self, index: int, *prefixes: str) -> bool:
        """Return whether a word has an incoming edge whose relation begins with one of the prefixes."""
        return any(e.relation.startswith(prefixes) for e in self.edges_by_dependent.get(index, _NO_EDGES))

    def heads(self, index: int) -> set[int]:
        """Return all heads of a word."""
        return {e.head for e in self.edges_by_dependent.get(index, _NO_EDGES)}

    def heads_by(self, index: int, *relations: str) -> list[int]:
        """Return the heads of a word by one of these relations, in order."""
        return [e.head for e in self.edges_by_dependent.get(index, _NO_EDGES) if e.relation in relations]

    def edges_of(self, *relations: str) -> list[Dependency]:
        """Return the edges with one of these relations, in order."""
        return [] if self.relations.isdisjoint(relations) else [e for e in self.edges if e.relation in relations]

    def find_dependent_word(self, edges: Iterable[Dependency], *, words: Sequence[str]) -> int:
        """Return the dependent of the first of these edges that leads to one of the words, given in lower case."""
        return next((e.dependent for e in edges if self.word(e.dependent) in words), 0)

    def phrase(self, index: int, relation: str = "fixed") -> str:
        """Return a word and its dependents by a relation in lower case, joined by underscores, such as in_front_of."""
        words = sorted(e.dependent for e in self.children(index, relation))
        return "_".join(map(self.word, (index, *words)))

    def breadth_first(self, skip: Sequence[str] = ()) -> list[int]:
        """Return the words reachable from the root, level by level, ignoring edges with relations in ``skip``."""
        order, seen, level = list[int](), {0}, [0]
        while level:
            level = [e.dependent for h in level for e in sorted(self.children(h)) if e.relation not in skip]
            level = [word for word in dict.fromkeys(level) if word not in seen]
            seen.update(level)
            order += level
        return order

    # --- edits -------------------------------------------------------------------------------------------------------

    def with_edges(self, edges: Iterable[Dependency]) -> DependencyGraph:
        """Return the graph with these edges."""
        new_edges = tuple(edges)
        return self if new_edges == self.edges else DependencyGraph(self.tokens, new_edges)

    def with_unique_edges(self, edges: Iterable[Dependency]) -> DependencyGraph:
        """Return the graph with these edges, without duplicates."""
        return self.with_edges(dict.fromkeys(edges))

    def map_edges(self, change: Callable[[Dependency], Dependency], *relations: str) -> DependencyGraph:
        """Return the graph with each edge changed by a function. If relations are given, only edges with these relations are changed."""
        if not relations:
            return self.with_edges(map(change, self.edges))
        if self.relations.isdisjoint(relations):
            return self
        return self.with_edges([change(e) if e.relation in relations else e for e in self.edges])

    def relabel(self, edges: Collection[Dependency], relation: str) -> DependencyGraph:
        """Return the graph with a new relation for these edges."""
        return self.map_edges(lambda e: e._replace(relation=relation) if e in edges else e) if edges else self

    def revise(self, edges: Iterable[Dependency] = (), tags: Mapping[int, str] = MappingProxyType({})) -> DependencyGraph:
        """Return the tree with new edges for their dependents and new parts of speech."""
        edge_by_dependent = {e.dependent: e for e in edges}
        graph = self.map_edges(lambda e: edge_by_dependent.get(e.dependent, e)) if edge_by_dependent else self
        if not tags:
            return graph
        tokens = tuple(t._replace(tag=tags[t.index]) if tags.get(t.index, t.tag) != t.tag else t for t in self.tokens)
        return graph if tokens == self.tokens else DependencyGraph(tokens, graph.edges)

    def add(self, *edges: Dependency) -> DependencyGraph:
        """Return the graph with edges added at the end."""
        return self.with_edges((*self.edges, *edges)) if edges else self

    def remove(self, edge: Dependency) -> DependencyGraph:
        """Return the graph without the first edge that equals this edge."""
        place = self.edges.index(edge)
        return self.with_edges((*self.edges[:place], *self.edges[place + 1 :]))

    def replace(self, edge: Dependency, new_edge: Dependency) -> DependencyGraph:
        """Return the graph with the first edge that equals ``edge`` replaced by ``new_edge``."""
        place = self.edges.index(edge)
        return self.with_edges((*self.edges[:place], new_edge, *self.edges[place + 1 :]))

    def substitute(self, words: Mapping[int, int]) -> DependencyGraph:
        """Return the graph with some words replaced by others in all edges, without duplicate edges."""
        return self.with_unique_edges(Dependency(words.get(h, h), words.get(d, d), r) for h, d, r in self.edges)

    def tree(self) -> EditableTree:
        """Return an editable tree of the last edge into each word."""
        return EditableTree(self.tokens, self.edges)


class EditableTree(WordQueries, dict[int, Dependency]):
    """Tree that maps each word to its incoming edge. Changes that would form a cycle are ignored."""

    def __init__(self, tokens: tuple[Token, ...], edges: Iterable[Dependency]):
        super().__init__({e.dependent: e for e in edges})
        self.tokens = tokens

    def _all_edges(self) -> Iterable[Dependency]:
        return self.values()

    def __setitem__(self, dependent: int, edge: Dependency) -> None:
        if self._is_below(edge.head, dependent):
            return
        if "edges_by_head" in vars(self):
            if dependent in self:
                self.edges_by_head[self[dependent].head].remove(self[dependent])
            self.edges_by_head.setdefault(edge.head, []).append(edge)
        super().__setitem__(dependent, edge)

    def _is_below(self, word: int, ancestor: int) -> bool:
        """Return whether ``word`` is ``ancestor`` or below it. Terminates even on cycles."""
        for _ in self:
            if word == ancestor or word not in self:
                break
            word = self[word].head
        return word == ancestor

    def ancestors(self, word: int) -> Iterator[int]:
        """Yield the words above a word, the nearest first. The search terminates even if the edges do not form a tree."""
        for _ in self:
            word = self[word].head
            if not word:
                break
            yield word

    def attach(self, word: int, head: int, relation: str | None = None) -> None:
        """Attach a word to another head, with a new relation or, by default, its current relation."""
        self[word] = Dependency(head, word, self[word].relation if relation is None else relation)

    def relabel(self, word: int, relation: str) -> None:
        """Change the relation of the edge into a word."""
        self[word] = self[word]._replace(relation=relation)

    def take_over(self, old_word: int, new_word: int, relation: str) -> None:
        """Replace an old word by a new one, on which the old word and its dependents then depend.

        ``relation`` is the relation between the new word and the old word.
        """
        old_edge, dependents = self[old_word], [e for e in self.children(old_word) if e.dependent != new_word]
        self[new_word] = old_edge._replace(dependent=new_word) if old_edge.head else Dependency(0, new_word, "root")
        for edge in dependents:
            self[edge.dependent] = edge._replace(head=new_word)
        self[old_word] = Dependency(new_word, old_word, relation)
