"""Probable causes of unmatched tuples, each with its evidence; people decide."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import NamedTuple

from spice_core.explain.nearest import Near
from spice_core.metrics.result import SpiceResult
from spice_core.scene.graph import SceneTuple
from spice_core.syntax.document import Token

UNCLEAR = "not clear"  # the cause of a tuple for which nothing speaks
_RELATED = frozenset("word synset broader narrower spelling phrase apart rare".split())
_CLOSE = 0.7  # closeness of words that may stand for each other
_VERBS = ("V", "動詞")  # tags
_FEW = 3  # references of which one alone says little about an image


class Cause(StrEnum):
    """Why a tuple has no counterpart on the other side."""

    NEAR_WORD = "near word"  # the other side says it with a broader, narrower or similarly spelt word
    OTHER_VALUE = "other value"  # the other side has another value in one part
    ATTACHMENT = "attachment"  # the other side has all words, but links them otherwise
    FEW_REFERENCES = "few references"  # one of several references says it
    LEFT_OUT = "left out"  # several references say it, the candidate does not
    UNSUPPORTED = "unsupported"  # no reference says anything of the kind


class Suggestion(NamedTuple):
    """A probable cause, the tuple of the other side that shows it, and the number of references that say the tuple."""

    cause: Cause
    near: Near | None
    said_by: int


def suggest(
    result: SpiceResult, tuple_: SceneTuple, nearest: Iterable[Near], categories: Mapping[str, frozenset[str]]
) -> Suggestion | None:
    """The probable cause of an unmatched tuple; None without evidence, as for the only reference's tuples.

    ``nearest``: the nearest tuples of the other side. ``categories``: the words of each attribute category, which tell values of one
    kind (red, yellow).
    """
    found = [near for near in nearest if len(near.other.concepts) == len(tuple_.concepts)]
    extra = any(t is tuple_ for t in result.candidate_tuples)
    said_by = 0 if extra else len({mention.caption for mention in tuple_.mentions})
    if near := next(filter(_says_the_same, found), None):
        return Suggestion(Cause.NEAR_WORD, near, said_by)
    if near := next((near for near in found if _same_slot(tuple_, near, categories)), None):
        return Suggestion(Cause.OTHER_VALUE, near, said_by)
    if len(tuple_.concepts) > 1 and not tuple_.concepts[0].similar(tuple_.concepts[-1]) and _all_words(result, tuple_, extra):
        return Suggestion(Cause.ATTACHMENT, found[0] if found else None, said_by)
    if extra:
        return Suggestion(Cause.UNSUPPORTED, None, 0)
    if said_by > 1:
        return Suggestion(Cause.LEFT_OUT, None, said_by)
    return Suggestion(Cause.FEW_REFERENCES, None, said_by) if len(result.references) >= _FEW else None


def _says_the_same(near: Near) -> bool:
    """Whether the parts that differ are broader, narrower or similarly spelt words, and not far from each other."""
    return bool(near.differing) and all(part.how in _RELATED and part.closeness >= _CLOSE for part in near.differing)


def _same_slot(tuple_: SceneTuple, near: Near, categories: Mapping[str, frozenset[str]]) -> bool:
    """Whether one part of two differs: of relations any, of attributes the value, by a value of the same kind."""
    if len(near.parts) == 1 or len(near.differing) != 1:
        return False
    if len(near.parts) == 3:
        return True
    value, other = tuple_.concepts[-1], near.other.concepts[-1]
    kinds = [{name for name, words in categories.items() if words & concept.words} for concept in (value, other)]
    acts = all(any(token.tag.startswith(_VERBS) for token in _value_tokens(t)) for t in (tuple_, near.other))
    return near.parts[0].agrees and (bool(kinds[0] & kinds[1]) or acts or near.parts[1].how == "sibling")


def _value_tokens(attribute: SceneTuple) -> list[Token]:
    return [token for m in attribute.mentions if m.proposition.tokens for token in m.proposition.tokens[-1]]


def _all_words(result: SpiceResult, tuple_: SceneTuple, extra: bool) -> bool:
    """Whether the other side has both ends of the tuple in some tuples: subject and object, or object and attribute."""
    others = result.reference_tuples if extra else result.candidate_tuples
    concepts = [concept for other in others for concept in other.concepts]
    return all(any(concept.similar(each) for each in concepts) for concept in (tuple_.concepts[0], tuple_.concepts[-1]))
