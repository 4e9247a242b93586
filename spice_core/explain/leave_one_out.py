"""Effect of each reference: the score without it. Captions without some of their words."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from spice_core.errors import InputError, Message
from spice_core.explain.unused_words import edges_by_token
from spice_core.metrics.result import SpiceResult
from spice_core.metrics.spice import Spice
from spice_core.syntax.document import Sentence, Token

# Function words with these relations are removed together with the word after them ("on the" in "on the street").
_PRECEDING_RELATIONS = frozenset(("det", "case", "cc"))
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
