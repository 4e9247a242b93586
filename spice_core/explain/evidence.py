"""The tuples of a result as rows, each with its partner, the evidence for the match, its words, rules and captions."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from spice_core.explain.unused_words import extend_by_endings
from spice_core.inference.prover import Proof
from spice_core.metrics.result import SpiceResult
from spice_core.scene.graph import Mention, SceneTuple, mark_negation
from spice_core.scene.matching import MatchState
from spice_core.scene.propositions import PLACEHOLDER, Parse, Proposition
from spice_core.scene.scores import SentenceScore, attributes_in_category
from spice_core.scene.synonyms import Synonyms, SynsetLike
from spice_core.syntax.document import Document, Token

IMPLICIT_SUBJECT = "(implicit subject)"  # display text of an implicit subject


def tuple_parts(tuple_: SceneTuple) -> tuple[str, ...]:
    """Return the parts of a tuple as text: the words of each, most frequent first, joined by slashes."""
    parts = tuple("/".join(element.words) for element in tuple_.elements)
    return mark_negation(parts) if tuple_.negated else parts


def display_words(words: Iterable[str], implicit_subject: str = IMPLICIT_SUBJECT) -> list[str]:
    """Return the words for display, replacing the placeholder of an implicit subject."""
    return [implicit_subject if word == PLACEHOLDER else word for word in words]


_STATE_ORDER = tuple(MatchState)
_KIND_ORDER = ("object", "attribute", "relation")
SpanMark = tuple[str, MatchState, str]  # kind, state and row of the tuple of a span


class Occurrence(NamedTuple):
    """One occurrence of a tuple: the caption's position on its side, the words, and the rule."""

    caption: int
    words: str
    rule: str


class MatchReason(NamedTuple):
    """Why one part of two tuples matches: a shared word or a shared synset. Both fields are empty if the parts differ."""

    candidate: str
    reference: str
    word: str = ""
    synset: SynsetLike | None = None


@dataclass(frozen=True)
class TupleRow:
    """One row of the tuple table: a matched pair, described by its candidate tuple, or a tuple without a partner.

    Attributes:
        id: The id of the tuple's node (``c:a4``, ``r:o2``).
        nodes: The nodes of the tuple and its partner.
        hosts: The nodes of the objects in the tuple.
        proof: Why the other side entails the tuple.
        contradicted_by: The tuple of the other side that excludes this tuple.
        related: The tuple of the other side that this tuple entails or that is of its kind.
        evidence_nodes: The nodes of the tuples of the other side on which the proof or the contradiction is based.
    """

    id: str
    nodes: tuple[str, ...]
    hosts: tuple[str, ...]
    parts: tuple[str, ...]
    kind: str
    state: MatchState
    categories: tuple[str, ...]
    partner: tuple[str, ...] = ()
    reasons: tuple[MatchReason, ...] = ()
    in_candidate: tuple[Occurrence, ...] = ()
    in_references: tuple[Occurrence, ...] = ()
    is_implied: bool = False
    weight: float = 1
    proof: Proof | None = None
    contradicted_by: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    evidence_nodes: tuple[str, ...] = ()

    @property
    def side(self) -> str:
        """``c`` for the candidate's tuples, with or without a partner, and ``r`` for tuples of the references only."""
        return self.id[0]


class Span(NamedTuple):
    """A span of a caption with its tuple's ``kind``, ``state`` and ``row``, or without a tuple."""

    text: str
    kind: str = ""
    state: MatchState | None = None
    row: str = ""


def tuple_rows(result: SpiceResult, synonyms: Synonyms, *, categories: Mapping[str, frozenset[str]] | None = None) -> list[TupleRow]:
    """Return all rows by state: matched pairs, then entailed, contradicted, extra and missing tuples."""
    categories_by_id = categories or {}
    out = [_make_row(result, t, "c", synonyms, categories_by_id) for t in result.candidate_tuples]
    out += [_make_row(result, t, "r", synonyms, categories_by_id) for t in result.reference_tuples if t.id not in result.match_by_tuple]
    return sorted(out, key=lambda row: (_STATE_ORDER.index(row.state), _KIND_ORDER.index(row.kind)))


def caption_spans(result: SpiceResult) -> list[list[Span]]:
    """Return each caption, the candidate first, divided into spans with and without a tuple."""
    rows_by_side = [([result.candidate], result.candidate_tuples, "c"), (result.references, result.reference_tuples, "r")]
    return [list(_caption_spans(parse, i, result, tuples, side)) for parses, tuples, side in rows_by_side for i, parse in enumerate(parses)]


def tuple_text(tuple_: Iterable[str], *, implicit_subject: str = IMPLICIT_SUBJECT) -> str:
    """Return a tuple as text: "girl", "girl: young", "girl – hold – racket"."""
    words = display_words(tuple_, implicit_subject)
    return ": ".join(words) if len(words) == 2 else " – ".join(words)


def occurrences_of(tuple_: SceneTuple, parses: Sequence[Parse] = ()) -> tuple[Occurrence, ...]:
    """Return a tuple's distinct occurrences. With ``parses``, words include their endings (座って for 座っ)."""
    return tuple(dict.fromkeys(_make_occurrence(tuple_, mention, parses) for mention in tuple_.mentions))


def _make_row(result: SpiceResult, tuple_: SceneTuple, side: str, synonyms: Synonyms, categories: Mapping[str, frozenset[str]]) -> TupleRow:
    match, proof, conflict = result.match_by_tuple.get(tuple_.id), result.proof_of(tuple_), result.contradiction_of(tuple_)
    relative = result.relative_of(tuple_)
    related_tuples = [conflict.conflicting_tuple] if conflict else [relative.related_tuple] if relative else []
    other_tuples = (*(proof.tuples if proof else ()), *related_tuples)
    occurrences = occurrences_of(tuple_, [result.candidate] if side == "c" else result.references)
    partner = occurrences_of(match.reference, result.references) if match else ()
    nodes = (tuple_.id, *([match.reference.id] if match else []))
    return TupleRow(
        id=nodes[0],
        nodes=nodes,
        hosts=tuple(element.id for element in tuple_.elements if element is not tuple_.element),
        parts=tuple_parts(tuple_),
        kind=tuple_.kind,
        state=result.state(tuple_),
        categories=tuple(name for name, words in categories.items() if attributes_in_category([tuple_], words)),
        partner=tuple_parts(match.reference) if match else (),
        reasons=tuple(_match_reasons(result, tuple_, synonyms)),
        in_candidate=occurrences if side == "c" else (),
        in_references=occurrences if side == "r" else partner,
        is_implied=tuple_.is_implied,
        weight=result.weight(tuple_),
        proof=proof,
        contradicted_by=tuple_parts(conflict.conflicting_tuple) if conflict else (),
        related=tuple_parts(relative.related_tuple) if relative else (),
        evidence_nodes=tuple(prompt.id for prompt in other_tuples),
    )


def _match_reasons(result: SpiceResult, tuple_: SceneTuple, synonyms: Synonyms) -> Iterator[MatchReason]:
    match = result.match_by_tuple.get(tuple_.id)
    if match is None:
        return
    for candidate, reference, evidence in zip(tuple_parts(match.candidate), tuple_parts(match.reference), match.evidence):
        if evidence.words:
            yield MatchReason(candidate, reference, word=evidence.words[0])
        elif evidence.synsets:
            senses = sorted(map(synonyms.synset, evidence.synsets), key=lambda s: s.collision)
            yield MatchReason(candidate, reference, synset=senses[0])
        else:
            yield MatchReason(candidate, reference)


def _make_occurrence(tuple_: SceneTuple, mention: Mention, parses: Sequence[Parse]) -> Occurrence:
    """Return the occurrence of a tuple at a mention: the words of the object, or of all parts of an attribute or relation."""
    proposition = mention.proposition
    groups, spoken_words = proposition.tokens, proposition.words
    if tuple_.kind == "object":
        groups, spoken_words = groups[mention.part : mention.part + 1], spoken_words[mention.part : mention.part + 1]
    tokens = sorted({t for group in groups for t in group}, key=lambda t: t.index)
    if parses and (document := parses[mention.caption].document):
        sentence = document.sentences[parses[mention.caption].tree(proposition)]
        tokens = [extend_by_endings(sentence, token) for token in tokens]
        tokens = [
            token for previous, token in zip([None, *tokens], tokens) if not previous or not previous.start <= token.start < previous.end
        ]
    words = [token.text for token in tokens] or list(spoken_words)
    gaps = list(itertools.starmap(_text_between, itertools.pairwise(tokens))) or [" – "] * (len(words) - 1)
    return Occurrence(mention.caption, "".join(w + g for w, g in zip(words, [*gaps, ""])), proposition.rule)


def _text_between(first: Token, second: Token) -> str:
    """Return the text between two words of a caption: nothing, a space, or an ellipsis."""
    return "" if first.end == second.start >= 0 else " … " if second.index - first.index != 1 else " "


def _caption_spans(parse: Parse, position: int, result: SpiceResult, tuples: Iterable[SceneTuple], side: str) -> Iterator[Span]:
    """Yield the spans of a caption. Spans of attributes and relations exclude their objects."""
    marks: dict[tuple[int, int], SpanMark] = {}
    for tuple_ in tuples:
        match = result.match_by_tuple.get(tuple_.id) if side == "r" else None
        row = match.candidate.id if match else tuple_.id
        mark = (tuple_.kind, result.state(tuple_), row)
        for mention in tuple_.mentions:
            if mention.caption == position and mention.proposition.tokens and not tuple_.is_implied:
                for token in mention.proposition.tokens[mention.part]:
                    if token.start >= 0:
                        marks.setdefault((token.start, token.end), mark)
    text = parse.document.text if parse.document else parse.caption
    at = 0
    for start, end, mark in _join_spans(marks):
        if start >= at:
            if start > at:
                yield Span(text[at:start])
            yield Span(text[start:end], *mark)
            at = end
    if at < len(text):
        yield Span(text[at:])


def _join_spans(marks: Mapping[tuple[int, int], SpanMark]) -> list[tuple[int, int, SpanMark]]:
    """Return the marked spans in order, merging adjacent spans of a tuple."""
    spans: list[tuple[int, int, SpanMark]] = []
    for (start, end), mark in sorted(marks.items()):
        if spans and spans[-1][1:] == (start, mark):
            start = spans.pop()[0]
        spans.append((start, end, mark))
    return spans


class WordPair(NamedTuple):
    """Two words of a sentence, by their indices."""

    sentence: int
    first: int
    second: int

    def __str__(self) -> str:
        return f"{self.sentence}.{self.first}-{self.second}"


def locate_tuple(result: SpiceResult, row: TupleRow) -> tuple[Parse, WordPair | None]:
    """Return the caption of a tuple, and the two words that it relates, or None if they are unknown.

    For a missing tuple, return the candidate if it has both words.
    """
    if row.side == "r" and (document := result.candidate.document):
        if pair := _find_ends(document, row.parts):
            return result.candidate, pair
    tuples = result.reference_tuples if row.side == "r" else result.candidate_tuples
    mention = next(tuple_ for tuple_ in tuples if tuple_.id == row.id).mentions[0]
    parse = result.references[mention.caption] if row.side == "r" else result.candidate
    return parse, _end_token_indices(parse, mention.proposition) if len(row.parts) > 1 else None


def _end_token_indices(parse: Parse, proposition: Proposition) -> WordPair | None:
    """Return the last words of a proposition's first and last part, or None if they are the same or unknown."""
    parts = proposition.tokens if len(proposition.tokens) == 2 else proposition.tokens[::2]
    tokens = [part[-1].index for part in parts if part]
    return WordPair(parse.tree(proposition), *tokens) if len(set(tokens)) == 2 else None


def _find_ends(document: Document, parts: tuple[str, ...]) -> WordPair | None:
    """Return two words of one sentence that are the first and the last part of a tuple, or None."""
    ends = [{word.rsplit(" ", 1)[-1] for word in part.split("/")} for part in (parts[0], parts[-1])]
    for sentence_index, sentence in enumerate(document.sentences):
        indices = [[token.index for token in sentence.tokens if {token.lemma, token.text.lower()} & words] for words in ends]
        if len(parts) > 1 and all(indices) and (other_indices := [index for index in indices[1] if index != indices[0][0]]):
            return WordPair(sentence_index, indices[0][0], other_indices[0])
    return None


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
    """Return the spans of each sentence, splitting spans across sentences."""
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
