"""Pattern search over many captions, with hits grouped by word or relation."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from spice_core.rules.pattern import Pattern
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Document
from spice_core.workbench.corpus import search_budget

GROUPING_ATTRIBUTES = ("lemma", "word", "tag", "relation")
MAX_HITS = 5_000


@dataclass(frozen=True)
class QueryHit:
    """A match: the position and text of the caption, the sentence number, the graph, and the token index or text bound to each name."""

    position: int
    caption: str
    sentence: int
    graph: DependencyGraph
    bindings: dict[str, int | str]

    def word(self, name: str) -> str:
        """Return the word bound to a name, the text of a link, or "" if the name is not bound."""
        value = self.bindings.get(name, "")
        return self.graph.token(value).text if isinstance(value, int) else value

    def value(self, name: str, by: str = "lemma") -> str:
        """Return an attribute of the word bound to a name, or the text of a link.

        ``by`` is ``lemma``, ``word``, ``tag`` or ``relation`` (the relation to the word's first head).
        """
        value = self.bindings.get(name, "")
        if not isinstance(value, int):
            return value
        if by == "relation":
            return next((edge.relation for edge in self.graph.parents(value)), "")
        token = self.graph.token(value)
        return {"lemma": token.lemma, "word": token.text, "tag": token.tag}[by]


def search_captions(pattern: Pattern, documents: Iterable[Document], *, enhanced: bool = True) -> list[QueryHit]:
    """Return the matches of a pattern in captions, at most ``MAX_HITS``. Raises RuleError if the search takes too many steps.

    If ``enhanced``, the search uses the graphs that the rules read instead of the basic trees.
    """
    documents = list(documents)
    budget = search_budget(len(documents))
    hits: list[QueryHit] = []
    for position, document in enumerate(documents):
        for sentence_index, sentence in enumerate(document.sentences):
            graph = DependencyGraph.from_sentence(sentence) if enhanced else DependencyGraph(sentence.tokens, sentence.basic)
            hits += (
                QueryHit(position, document.text, sentence_index, graph, named_bindings(pattern, bindings))
                for bindings in pattern.search(graph, budget)
            )
            if len(hits) >= MAX_HITS:
                return hits[:MAX_HITS]
    return hits


def group_hits(hits: Iterable[QueryHit], name: str, by: str = "lemma") -> dict[str, list[QueryHit]]:
    """Group the hits by the value of a name, the largest group first. Groups of equal size are sorted by value."""
    groups: dict[str, list[QueryHit]] = {}
    for hit in hits:
        groups.setdefault(hit.value(name, by), []).append(hit)
    return dict(sorted(groups.items(), key=lambda group: (-len(group[1]), group[0])))


def named_bindings(pattern: Pattern, bindings: dict[str, int | str]) -> dict[str, int | str]:
    """Return the bindings of the names that the pattern contains explicitly, or all bindings if it contains no names."""
    return {name: value for name, value in bindings.items() if name in pattern.explicit_names} or dict(bindings)
