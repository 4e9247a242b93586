"""The sentences of a result's captions, each with its words, its score, and the rows of the tuples that it mentions."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from spice_core.explain.evidence import Span
from spice_core.metrics.result import SpiceResult
from spice_core.scene.scores import SentenceScore


class Passage(NamedTuple):
    """One sentence of a caption.

    Attributes:
        id: The number of the caption (0 for the candidate) and of the sentence in the caption, such as ``0.1``.
        spans: The text of the sentence in spans.
        score: The score of the sentence.
        rows: The ids of the rows of the tuples that the sentence mentions.
    """

    id: str
    spans: tuple[Span, ...]
    score: SentenceScore
    rows: tuple[str, ...]


def caption_passages(result: SpiceResult, captions: Sequence[Sequence[Span]]) -> tuple[tuple[Passage, ...], ...]:
    """Return the sentences of each caption, the candidate first, given the spans of the captions.

    If no caption has several sentences, return an empty tuple for each caption.
    """
    if not result.sentences:
        return tuple(() for _ in captions)
    scores = itertools.groupby(result.sentences, key=lambda score: score.caption)
    out = []
    for parse, spans, (caption, group) in zip((result.candidate, *result.references), captions, scores):
        starts = parse.document.text_offsets(parse.sentences) if parse.document else ()
        passages = []
        for index, (part, score) in enumerate(zip(_split_spans(spans, starts[1:]), group)):
            tuples = result.tuples_by_sentence.get((caption, index), [])
            rows = (match.candidate.id if (match := result.match_by_tuple.get(t.id)) else t.id for t in tuples)
            passages.append(Passage(f"{caption}.{index}", tuple(part), score, tuple(rows)))
        out.append(tuple(passages))
    return tuple(out)


def _split_spans(spans: Iterable[Span], starts: Sequence[int]) -> Iterator[list[Span]]:
    """Return the spans of each sentence. Split a span that extends over several sentences."""
    parts: list[list[Span]] = [[] for _ in range(len(starts) + 1)]
    position, index = 0, 0
    for span in spans:
        text = span.text
        while index < len(starts) and position + len(text) > starts[index]:
            break_offset = max(starts[index] - position, 0)
            if break_offset:
                parts[index].append(span._replace(text=text[:break_offset]))
            position, text, index = position + break_offset, text[break_offset:], index + 1
        if text:
            parts[index].append(span._replace(text=text))
        position += len(text)
    return iter(parts)
