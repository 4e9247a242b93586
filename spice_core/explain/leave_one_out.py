"""Effect of each reference and of each word of the candidate: the score without it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from spice_core.errors import InputError, Message
from spice_core.explain.unused_words import edges_by_token, is_function_relation, words_with_relations
from spice_core.metrics.result import SpiceResult
from spice_core.metrics.spice import Spice
from spice_core.scene.propositions import Parse
from spice_core.syntax.document import Document, Sentence, Token

# Function words with these relations are removed together with the word after them ("on the" in "on the street").
_PRECEDING_RELATIONS = frozenset(("det", "case"))
# Function words with these relations are removed together with the word before them (the particle が in 犬が).
_FOLLOWING_RELATIONS = frozenset(("case", "aux", "mark", "cop"))


class ReferenceEffect(NamedTuple):
    """The result without one reference, given by its position, and the change in each ratio."""

    reference: int
    result: SpiceResult
    f1_change: float
    precision_change: float
    recall_change: float


def result_without_references(spice: Spice, result: SpiceResult, omitted_indices: Collection[int]) -> SpiceResult | None:
    """Return the result without the references at these positions, or None if no reference remains.

    Nothing is parsed again. ``spice`` must have the rules and synonyms of the result. Raises InputError for a position
    that does not exist.
    """
    positions = range(len(result.references))
    if surplus := sorted(set(omitted_indices) - set(positions)):
        raise InputError("omitted_indices", surplus, Message("expected.positions", last=len(positions) - 1))
    references = [result.references[i] for i in positions if i not in omitted_indices]
    return spice.compare(result.candidate, references) if references else None


def leave_one_out(spice: Spice, result: SpiceResult) -> tuple[ReferenceEffect, ...]:
    """Return the effect of each reference, or an empty tuple if there is only one reference."""
    out = []
    for i in range(len(result.references)):
        if (reduced_result := result_without_references(spice, result, {i})) is not None:
            changes = (reduced_result.f1 - result.f1, reduced_result.precision - result.precision, reduced_result.recall - result.recall)
            out.append(ReferenceEffect(i, reduced_result, *changes))
    return tuple(out)


class Ablation(NamedTuple):
    """The effect of one content word: the caption without it, the result of that caption, and the change in F1.

    ``start`` and ``end`` are the offsets of the word.
    """

    start: int
    end: int
    word: str
    caption: str
    result: SpiceResult
    change: float

    @property
    def f1(self) -> float:
        """F1 without the word."""
        return self.result.f1


def ablate_words(spice: Spice, candidate: Parse, references: Sequence[Parse]) -> tuple[Ablation, ...]:
    """Score the candidate without each of its content words in turn. All variants are parsed in one batch.

    Function words that would dangle are removed too: determiners and prepositions right before the word, and particles and
    auxiliaries right after it. Return an empty tuple for a candidate that was not parsed from text.
    """
    if candidate.document is None:
        return ()
    ablations = list(_captions_without_words(candidate, candidate.document))
    full_score = spice.compare(candidate, references).f1
    results = [spice.compare(parse, references) for parse in spice.parse(caption for *_, caption in ablations)]
    text = candidate.document.text
    return tuple(
        Ablation(start, end, text[start:end], caption, r, r.f1 - full_score) for (start, end, caption), r in zip(ablations, results)
    )


def _captions_without_words(candidate: Parse, document: Document) -> Iterator[tuple[int, int, str]]:
    """Yield the offsets of each content word, and the caption without the word."""
    for sentence_index, sentence in enumerate(document.sentences):
        parts = [{t.index for t in part} for p in candidate.propositions if candidate.tree(p) == sentence_index for part in p.tokens]
        for unit in _content_units(sentence, parts):
            yield unit[0].start, unit[-1].end, remove_tokens(document.text, with_function_words(sentence, unit))


def _content_units(sentence: Sentence, parts: Sequence[set[int]]) -> list[list[Token]]:
    """Return the content words as units of tokens. Adjacent tokens of one part of a proposition ("sit down") form one unit."""
    units: list[list[Token]] = []
    for token, relation in words_with_relations(sentence):
        if token.start >= 0 and not is_function_relation(relation):
            last_index = units[-1][-1].index if units else 0
            if last_index == token.index - 1 and any({last_index, token.index} <= part for part in parts):
                units[-1].append(token)
            else:
                units.append([token])
    return units


def with_function_words(sentence: Sentence, unit: Sequence[Token]) -> list[Token]:
    """Return the unit with its adjacent function words."""
    edge_by_token, indices = edges_by_token(sentence), {token.index for token in unit}
    for index, step, relations in ((unit[0].index - 1, -1, _PRECEDING_RELATIONS), (unit[-1].index + 1, 1, _FOLLOWING_RELATIONS)):
        while index in edge_by_token and edge_by_token[index].head in indices and edge_by_token[index].relation in relations:
            indices.add(index)
            index += step
    return [t for t in sentence.tokens if t.index in indices and t.start >= 0]


def remove_tokens(text: str, tokens: Sequence[Token]) -> str:
    """Return the text without these tokens and without one of the spaces around them."""
    before, after = text[: min(t.start for t in tokens)], text[max(t.end for t in tokens) :]
    is_at_boundary = not after or after[0].isspace() or after[0] in ".,;:!?)"
    return ((before.rstrip() if is_at_boundary else before) + after).strip()
