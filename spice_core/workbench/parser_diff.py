"""Comparison of two parsers on the same captions, by their trees and tuples and by gold graphs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from spice_core.data.gold import GoldGraph
from spice_core.scene.propositions import Parse, add_implied_objects
from spice_core.syntax.document import Document, Token

WordArc = tuple[str, str, str]  # head, relation, dependent, as words


@dataclass(frozen=True)
class ParseDiff:
    """Differences between two parses of a caption.

    Attributes:
        position: The position of the caption.
        caption: The text of the caption.
        tags: Words with different tags, each with its first and its second tag.
        edges: The edges that only the first tree has, and those that only the second has.
        tuples: The tuples that only the first parse has, and those that only the second has.
        wrong_counts: For each parser, the number of tuples that differ from the gold graph, or None if there is no gold graph.
    """

    position: int
    caption: str
    tags: tuple[tuple[str, str, str], ...]
    edges: tuple[tuple[WordArc, ...], tuple[WordArc, ...]]
    tuples: tuple[tuple[tuple[str, ...], ...], tuple[tuple[str, ...], ...]]
    wrong_counts: tuple[int, int] | None

    @property
    def has_same_trees(self) -> bool:
        return not any(self.edges) and not self.tags

    @property
    def has_same_tuples(self) -> bool:
        return not any(self.tuples)

    @property
    def better_parser(self) -> int | None:
        """The index (0 or 1) of the parser closer to the gold graph, or None for a tie or without a gold graph."""
        first_count, second_count = self.wrong_counts or (0, 0)
        return None if first_count == second_count else int(second_count < first_count)


def parse_diffs(
    first_parses: Sequence[Parse], second_parses: Sequence[Parse], gold: Sequence[GoldGraph | None] = ()
) -> Iterator[ParseDiff]:
    """Yield the differences between both parses of each caption.

    ``gold`` may contain the gold graphs of the first captions, or None for captions without a gold graph. Words are identified by their
    offsets.
    """
    graphs = [*gold, *[None] * (len(first_parses) - len(gold))]
    for position, (first_parse, second_parse, graph) in enumerate(zip(first_parses, second_parses, graphs, strict=True)):
        first_tuples, second_tuples = (add_implied_objects(p.words for p in parse.propositions) for parse in (first_parse, second_parse))
        wrong_counts = (len(first_tuples ^ graph.tuples), len(second_tuples ^ graph.tuples)) if graph else None
        tags = tuple(_differing_tags(first_parse.document, second_parse.document))
        a, b = _arcs_by_words(first_parse.document), _arcs_by_words(second_parse.document)
        arcs = tuple(arc for key, arc in a.items() if key not in b), tuple(arc for key, arc in b.items() if key not in a)
        tuples = tuple(sorted(first_tuples - second_tuples)), tuple(sorted(second_tuples - first_tuples))
        yield ParseDiff(position, first_parse.caption, tags, arcs, tuples, wrong_counts)


def _arcs_by_words(document: Document | None) -> dict[tuple[object, ...], WordArc]:
    """Return the edges of the basic trees as pairs of word positions."""
    out: dict[tuple[object, ...], WordArc] = {}
    for sentence_index, sentence in enumerate(document.sentences if document else ()):
        words = {0: ("", (sentence_index, -1)), **{t.index: (t.text, (t.start, t.end)) for t in sentence.tokens}}
        for edge in sentence.basic:
            head, dependent = words[edge.head], words[edge.dependent]
            out[head[1], dependent[1], edge.relation] = (head[0], edge.relation, dependent[0])
    return out


def _differing_tags(a: Document | None, b: Document | None) -> Iterator[tuple[str, str, str]]:
    tag_by_span = {(t.start, t.end): t.tag for t in _all_tokens(b)}
    yield from ((t.text, t.tag, tag_by_span[t.start, t.end]) for t in _all_tokens(a) if tag_by_span.get((t.start, t.end), t.tag) != t.tag)


def _all_tokens(document: Document | None) -> Iterable[Token]:
    return (token for sentence in (document.sentences if document else ()) for token in sentence.tokens)
