"""Location of a tuple in the captions: a caption and two words in it."""

from __future__ import annotations

from typing import NamedTuple

from spice_core.explain.evidence import TupleRow
from spice_core.metrics.result import SpiceResult
from spice_core.scene.propositions import Parse, Proposition
from spice_core.syntax.document import Document


class WordPair(NamedTuple):
    """Two words of a sentence, by their indices."""

    sentence: int
    first: int
    second: int

    def __str__(self) -> str:
        return f"{self.sentence}.{self.first}-{self.second}"


def locate_tuple(result: SpiceResult, row: TupleRow) -> tuple[Parse, WordPair | None]:
    """Return the caption to inspect for a tuple, and the two words that the tuple relates, or None if they are unknown.

    For a missing tuple, return the candidate if it has both words.
    """
    if row.side == "r" and (document := result.candidate.document):
        if pair := _find_ends(document, row.parts):
            return result.candidate, pair
    tuples = result.reference_tuples if row.side == "r" else result.candidate_tuples
    mention = next(tuple_ for tuple_ in tuples if tuple_.id == row.id).mentions[0]
    parse = result.references[mention.caption] if row.side == "r" else result.candidate
    return parse, _ends_of(parse, mention.proposition) if len(row.parts) > 1 else None


def _ends_of(parse: Parse, proposition: Proposition) -> WordPair | None:
    """Return the last words of the first and the last part of a proposition, or None if they are one word or unknown."""
    parts = proposition.tokens if len(proposition.tokens) == 2 else proposition.tokens[::2]
    tokens = [part[-1].index for part in parts if part]
    return WordPair(parse.tree(proposition), *tokens) if len(set(tokens)) == 2 else None


def _find_ends(document: Document, parts: tuple[str, ...]) -> WordPair | None:
    """Return two words of one sentence that are the first and the last part of a tuple, or None if there are none."""
    ends = [{word.rsplit(" ", 1)[-1] for word in part.split("/")} for part in (parts[0], parts[-1])]
    for sentence_index, sentence in enumerate(document.sentences):
        indices = [[token.index for token in sentence.tokens if {token.lemma, token.text.lower()} & words] for words in ends]
        if len(parts) > 1 and all(indices) and (other_indices := [index for index in indices[1] if index != indices[0][0]]):
            return WordPair(sentence_index, indices[0][0], other_indices[0])
    return None
