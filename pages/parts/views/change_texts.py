"""Texts for tuples that answer a question about captions."""

from __future__ import annotations

from pages.parts.kit.texts import t
from spice_core.evaluation.outcomes import TuplePair
from spice_core.explain.evidence import tuple_text
from spice_core.scene.propositions import PLACEHOLDER, TupleWords


def change_text(tuple_pair: TuplePair) -> str:
    """Return a pair of tuples as one line: "umbrella: red → blue", or "umbrella: red" if only one side has a tuple."""
    candidate, reference = (_words_text(words) for words in tuple_pair)
    if not candidate or not reference:
        return candidate or reference
    return f"{candidate} → {tuple_pair.reference[-1] if len(tuple_pair.candidate) == 2 else reference}"


def _words_text(words: TupleWords) -> str:
    return tuple_text(words, implicit_subject=t("tuples.implicit_subject") if PLACEHOLDER in words else "")
