"""Fixtures: captions with trees, for the tools that generate and select training data."""

from spice_core.rules.rule_file import read_tree
from spice_core.syntax.document import Document, Sentence, align_words


def document(tree: str, text: str = "") -> Document:
    """Return a one-sentence caption from a tree in the notation of rule files. ``text`` is needed if no spaces separate the tokens."""
    graph = read_tree(tree)
    text = text or " ".join(t.text for t in graph.tokens).replace(" .", ".")
    spans = align_words(text, [t.text for t in graph.tokens])
    return Document(text, (Sentence(tuple(t._replace(start=a, end=b) for t, (a, b) in zip(graph.tokens, spans)), graph.edges),))


def edges(document: Document) -> list[str]:
    return [f"{e.head} {e.relation} {e.dependent}" for s in document.sentences for e in s.basic]
