"""Sequences of words before a noun that form a unit: "train station clock", "flat screen TV", "strange looking bird"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spice_core.lang.en.noun_phrases import PHRASE_BOOK, Place, is_plain_adjective, sense_with_hypernyms
from spice_core.syntax.document import Token

_WORD_LISTS = PHRASE_BOOK.words
_MODIFIER_RELATIONS = ("compound", "amod")


def find_modifier(place: Place, index: int) -> str:
    """Return the compound modifier or name of two or three words that includes the word at ``index``, or "" if there is none."""
    return next((_text_of(words) for words in _modifier_sequences(place, index) if _forms_unit(words)), "")


def find_compound_adjective(place: Place, index: int) -> str:
    """Return the two-word adjective with the word at ``index``, with a hyphen unless it begins with an adverb, or "" if there is none."""
    for first, second in (words for words in _modifier_sequences(place, index) if len(words) == 2):
        if second.text.lower() in _WORD_LISTS["adjective_tails"] and first.tag.startswith(("JJ", "NN", "RB", "VB")):
            text = _text_of((first, second))
            return text if first.tag.startswith("RB") else text.replace(" ", "-")
    return ""


def _modifier_sequences(place: Place, index: int) -> Iterator[Sequence[Token]]:
    """Yield the sequences of two or three modifiers of a noun that contain the word at ``index``, the longer sequences first."""
    graph, noun = place.graph, place.token.index
    modifiers = {e.dependent for e in graph.children(noun, *_MODIFIER_RELATIONS)}
    modifiers |= {e.dependent for word in list(modifiers) for e in graph.children(word, "advmod", "compound") if e.dependent < noun}
    for length in (3, 2):
        for start in range(index - length + 1, index + 1):
            if start > 0 and all(word in modifiers for word in range(start, start + length)):
                yield graph.tokens[start - 1 : start - 1 + length]


def _forms_unit(words: Sequence[Token]) -> bool:
    """Return whether words form a name or an entry of WordNet or of the list ``modifiers``, or end in one of ``modifier_tails``."""
    if words[-1].text.lower() in _WORD_LISTS["modifier_tails"]:
        return len(words) == 2
    if all(word.text[:1].isupper() for word in words):
        return any(word.tag.startswith("NNP") for word in words)
    text = " ".join(word.text.lower() for word in words)
    is_plain = is_plain_adjective(words[0].text.lower()) or not words[-1].tag.startswith("NN")
    return text in _WORD_LISTS["modifiers"] or (not is_plain and bool(sense_with_hypernyms(text)))


def _text_of(words: Sequence[Token]) -> str:
    if all(word.text[:1].isupper() for word in words):
        return " ".join(word.text for word in words)
    return " ".join(
        word.text if word.tag.startswith("NNP") or word.text[1:].lower() != word.text[1:] else word.text.lower() for word in words
    )
