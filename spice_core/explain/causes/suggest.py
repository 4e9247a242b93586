"""Probable causes of unmatched tuples, suggested with evidence so that people can decide."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from spice_core.explain.nearest_tuples import RelatedTuple
from spice_core.inference.verdicts import Contradiction
from spice_core.lang import language
from spice_core.lang.pack import LanguagePack
from spice_core.metrics.result import SpiceResult
from spice_core.scene.graph import Concept, SceneTuple

CAPTION_CAUSE_NAMES = ("parser", "rule", "synonym", "caption", "reference")  # causes of a wrong score of a caption
ANSWER_CAUSE_NAMES = ("true of the picture", "false of the picture")  # causes that follow from answers about the picture
UNCLEAR_CAUSE = "not clear"  # the cause of a tuple without evidence
_RELATED_KINDS = frozenset("word synset broader narrower spelling phrase apart rare".split())
_MIN_CLOSENESS = 0.7  # minimum closeness of words that count as near
_MIN_REFERENCES_TO_JUDGE = 3  # minimum number of references for judging that only one has a tuple
_MIN_SEVERAL_REFERENCES = 2  # minimum number of references with a tuple; a single one may describe something else


class Cause(StrEnum):
    """Why a tuple is unmatched. Contradictions occur only under the scheme ``entailed``."""

    CONTRADICTS_COLOUR = "contradicts colour"  # the other side gives the same thing another colour
    CONTRADICTS_COUNT = "contradicts count"  # the other side gives another number
    CONTRADICTS_SIZE = "contradicts size"
    CONTRADICTS_VALUE = "contradicts value"  # the other side contradicts the value of any other property
    CONTRADICTS_RELATION = "contradicts relation"  # the other side has a relation that excludes this one, such as "left of" for "right of"
    CONTRADICTS_ROLES = "contradicts roles"  # the other side has the same relation with subject and object swapped
    NEAR_WORD = "near word"  # the other side has a related word, such as a broader, narrower or similarly spelt one
    OTHER_VALUE = "other value"  # the other side has another value in the same place
    ATTACHMENT = "attachment"  # the other side has the same words, but links them differently
    FEW_REFERENCES = "few references"  # only one of several references has the tuple
    LEFT_OUT = "left out"  # several references have the tuple, and the candidate does not
    UNSUPPORTED = "unsupported"  # no reference has a similar tuple


_CAUSE_BY_CONTRADICTED_CATEGORY = {
    "Color": Cause.CONTRADICTS_COLOUR,
    "Cardinality": Cause.CONTRADICTS_COUNT,
    "Size": Cause.CONTRADICTS_SIZE,
}


class Suggestion(NamedTuple):
    """A probable cause of an unmatched tuple.

    Attributes:
        nearest: The tuple of the other side that shows the cause, or None.
        reference_count: The number of references with the unmatched tuple, which is 0 for a tuple of the candidate.
    """

    cause: Cause
    nearest: RelatedTuple | None
    reference_count: int


def suggest_cause(
    result: SpiceResult, tuple_: SceneTuple, neighbours: Iterable[RelatedTuple], categories: Mapping[str, frozenset[str]]
) -> Suggestion | None:
    """Return the probable cause of an unmatched tuple, or None without evidence.

    Args:
        result: The result with the tuple.
        tuple_: The unmatched tuple.
        neighbours: The related tuples of the other side, the nearest first.
        categories: The words of each attribute category. Values in one category are of the same kind (red, yellow).
    """
    case = _UnmatchedCase(result, tuple_, categories, any(t is tuple_ for t in result.candidate_tuples))
    reference_count, related_tuples = 0 if case.is_extra else _count_captions(tuple_), tuple(neighbours)
    if conflict := result.contradiction_of(tuple_):
        conflicting = next((neighbour for neighbour in related_tuples if neighbour.other is conflict.conflicting_tuple), None)
        return Suggestion(_contradiction_cause(tuple_, conflict, categories), conflicting, reference_count)
    same_kind = tuple(neighbour for neighbour in related_tuples if len(neighbour.other.concepts) == len(tuple_.concepts))
    for cause, is_cause, candidates in (
        (Cause.NEAR_WORD, case.has_near_words, same_kind),
        (Cause.OTHER_VALUE, case.has_other_value, same_kind),
        (Cause.ATTACHMENT, case.has_attribute_elsewhere, related_tuples),
    ):
        if nearest := next(filter(is_cause, candidates), None):
            return Suggestion(cause, nearest, reference_count)
    if case.has_both_ends():
        return Suggestion(Cause.ATTACHMENT, same_kind[0] if same_kind else None, reference_count)
    if case.is_extra:
        return Suggestion(Cause.UNSUPPORTED, None, 0)
    if reference_count > 1:
        return Suggestion(Cause.LEFT_OUT, None, reference_count)
    return Suggestion(Cause.FEW_REFERENCES, None, reference_count) if len(result.references) >= _MIN_REFERENCES_TO_JUDGE else None


@dataclass(frozen=True)
class _UnmatchedCase:
    """An unmatched tuple: extra if ``is_extra`` is set, otherwise missing."""

    result: SpiceResult
    tuple_: SceneTuple
    categories: Mapping[str, frozenset[str]]
    is_extra: bool

    def has_near_words(self, related_tuple: RelatedTuple) -> bool:
        """Return whether the tuples differ only in near words, each replacing a word missing on the other side.

        The objects of relations must agree, because a near word in this place usually names another thing, such as counter
        and table. A general word (container) in only one of several references is not enough evidence for a
        specific word (pan).
        """
        if not related_tuple.differences or (len(related_tuple.parts) == 3 and not related_tuple.parts[2].agrees):
            return False
        lacks_words = not any(
            self._has_concept(concept) for concept, part in zip(self.tuple_.concepts, related_tuple.parts) if not part.agrees
        )
        close = all(part.relation in _RELATED_KINDS and part.closeness >= _MIN_CLOSENESS for part in related_tuple.differences)
        return (
            lacks_words and close and (related_tuple.differences[0].relation != "broader" or self._is_well_supported(related_tuple.other))
        )

    def has_other_value(self, related_tuple: RelatedTuple) -> bool:
        """Return whether the other tuple has a different value: of any part of a relation, or of an attribute of the same kind.

        Relations with the same subject and verb may differ in everything else: (cat, sit on, chair), (cat, sit by,
        door). An action that only the candidate has differs from any other action of the subject. An action that only
        the references have may simply be missing. An action on both sides is no alternative.
        """
        same_subject, is_single_difference = related_tuple.parts[0].agrees, len(related_tuple.differences) == 1
        pack = language(self.result.signature.lang)
        acts, other_lemmas = _verb_lemmas(self.tuple_, pack), set() if related_tuple.is_matched else _verb_lemmas(related_tuple.other, pack)
        if len(related_tuple.parts) == 3:
            return is_single_difference or (same_subject and (bool(acts & other_lemmas) or self._has_new_relation()))
        return (
            len(related_tuple.parts) == 2
            and is_single_difference
            and ((same_subject and self._are_of_one_kind(related_tuple)) or (self.is_extra and bool(acts and other_lemmas)))
        )

    def has_attribute_elsewhere(self, related_tuple: RelatedTuple) -> bool:
        """Return whether the other side has the object as an attribute: (coffee), (mug, coffee)."""
        absent_flags = [part.relation == "absent" for part in related_tuple.parts]
        return len(self.tuple_.concepts) == 1 and absent_flags == [True, False] and self._is_well_supported(related_tuple.other)

    def has_both_ends(self) -> bool:
        """Return whether the other side has subject and object, or object and attribute, of the tuple in some tuples."""
        ends = self.tuple_.concepts[0], self.tuple_.concepts[-1]
        return not ends[0].is_similar(ends[1]) and all(map(self._has_concept, ends))

    def _has_new_relation(self) -> bool:
        """Return whether the references have subject and object of a candidate relation, but not the relation."""
        return self.is_extra and self.has_both_ends() and not self._has_concept(self.tuple_.concepts[1])

    def _has_concept(self, concept: Concept) -> bool:
        other_tuples = self.result.reference_tuples if self.is_extra else self.result.candidate_tuples
        return any(concept.is_similar(other_concept) for other in other_tuples for other_concept in other.concepts)

    def _is_well_supported(self, other_tuple: SceneTuple) -> bool:
        """Return whether a reference tuple is in the only reference or in at least two. A candidate tuple always counts."""
        return not self.is_extra or _count_captions(other_tuple) >= min(_MIN_SEVERAL_REFERENCES, len(self.result.references))

    def _are_of_one_kind(self, related_tuple: RelatedTuple) -> bool:
        value, other = self.tuple_.concepts[-1].words, related_tuple.other.concepts[-1].words
        return any(words & value and words & other for words in self.categories.values())


def _contradiction_cause(tuple_: SceneTuple, conflict: Contradiction, categories: Mapping[str, frozenset[str]]) -> Cause:
    """Return the cause of a contradiction: swapped subject and object, another relation, or the attribute's category."""
    if conflict.kind == "exchanged":
        return Cause.CONTRADICTS_ROLES
    if tuple_.kind != "attribute":
        return Cause.CONTRADICTS_RELATION
    value = tuple_.concepts[-1].words
    return next(
        (cause for name, cause in _CAUSE_BY_CONTRADICTED_CATEGORY.items() if value & categories.get(name, frozenset())),
        Cause.CONTRADICTS_VALUE,
    )


def _count_captions(tuple_: SceneTuple) -> int:
    return len({mention.caption for mention in tuple_.mentions})


def _verb_lemmas(tuple_: SceneTuple, pack: LanguagePack) -> set[str]:
    part_tokens = [m.proposition.tokens[m.part] for m in tuple_.mentions if m.proposition.tokens]
    return {token.lemma for tokens in part_tokens for token in tokens if pack.word_class(token.tag) == "VERB"}
