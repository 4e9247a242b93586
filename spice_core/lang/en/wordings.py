"""English questions: each tuple selects a phrasing from ``questions.toml`` by its features and fills the slots with its words."""

from __future__ import annotations

from collections.abc import Sequence

from spice_core.lang.en.noun_phrases import PHRASE_BOOK
from spice_core.lang.en.question_relations import RelationWords
from spice_core.lang.en.question_scene import QuestionScene
from spice_core.lang.en.question_words import AttributeWords, ObjectWords, TupleWording
from spice_core.lang.wording import Phrasing, Wording
from spice_core.scene.graph import SceneTuple
from spice_core.scene.propositions import Parse

_ATTRIBUTE_KINDS = ("color", "size", "material", "shape", "texture", "style")
_THING_PHRASINGS = ("existence", "visible region")
_TEXT_KIND = "other - text rendering"
_WORDS_CLASS_BY_KIND: dict[str, type[TupleWording]] = {"object": ObjectWords, "attribute": AttributeWords, "relation": RelationWords}


def word_tuples(tuples: Sequence[SceneTuple], parses: Sequence[Parse]) -> list[Wording]:
    """Return an English question for each tuple of the captions' graph, in order."""
    scene = QuestionScene(tuples, parses)
    return [_word_tuple(scene, tuple_) for tuple_ in tuples]


def _word_tuple(scene: QuestionScene, tuple_: SceneTuple) -> Wording:
    """Return the question about a tuple."""
    words = _WORDS_CLASS_BY_KIND[tuple_.kind](scene, tuple_)
    phrasing = PHRASE_BOOK.find_phrasing(tuple_.kind, words.features)
    kind, whole = _question_kind(phrasing, words), ""
    if words.quote and phrasing.kind == _TEXT_KIND:
        return Wording(phrasing.fill(words), kind, words.parts(kind, ""), phrasing.name, scene.find_bearer(tuple_))
    if tuple_.kind == "object" and phrasing.name in _THING_PHRASINGS:
        whole = scene.whole_by_part.get(tuple_.elements[0].id, "")
        kind = ("entity", "part") if whole else kind
    return Wording(phrasing.fill(words), kind, words.parts(kind, whole), phrasing.name, whole)


def _question_kind(phrasing: Phrasing, words: TupleWording) -> tuple[str, str]:
    """Return the kind of the phrasing (category and detail), or else the kind of the attribute according to the word lists."""
    if phrasing.kind:
        category, _, detail = phrasing.kind.partition(" - ")
        return category, detail
    return "attribute", next(iter(PHRASE_BOOK.lists_with_word(words.slot("word"), _ATTRIBUTE_KINDS)), "state")
