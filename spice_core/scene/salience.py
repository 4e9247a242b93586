"""Salience: the weight of each tuple under the scheme ``entailed``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from spice_core.scene.graph import Mention, SceneTuple

DETAIL_WEIGHT = 0.5  # of weights between .35 and 1, a compromise between the ratings of CapEval1k and of Flickr8k-Expert
WeightsByTuple = Mapping[str, Mapping[int, float]]  # by tuple id, then by position of the caption


def weigh_tuples(tuples: Sequence[SceneTuple], word_class: Callable[[str], str]) -> WeightsByTuple:
    """Return the weight of each tuple in each caption that mentions it: 1, or ``DETAIL_WEIGHT`` for details.

    The main participant of a sentence is the object that it mentions first. Details are attributes and relations of other objects, relations
    without a verb, and attributes that only relations imply. Given propositions have no details. ``word_class`` returns the UPOS of a tag.
    """
    first_starts: dict[tuple[int, int], int] = {}  # of the main participant, by caption and sentence
    for mention in (mention for tuple_ in tuples if tuple_.kind == "object" for mention in tuple_.mentions):
        place, start = _sentence_and_start(mention, mention.part)
        first_starts[place] = min(start, first_starts.get(place, start))

    def is_detail(mention: Mention, length: int) -> bool:
        proposition, (place, start) = mention.proposition, _sentence_and_start(mention, 0)
        if length == 1 or not proposition.tokens:
            return False
        is_implied = len(proposition.words) != length
        has_verb = any(word_class(token.tag) == "VERB" for part in proposition.tokens[1:2] for token in part)
        return is_implied or (length == 3 and not has_verb) or start != first_starts.get(place)

    weights: dict[str, dict[int, float]] = {}
    for tuple_ in tuples:
        by_caption = weights[tuple_.id] = {}
        for mention in tuple_.mentions:
            weight = DETAIL_WEIGHT if is_detail(mention, len(tuple_.concepts)) else 1.0
            by_caption[mention.caption] = max(weight, by_caption.get(mention.caption, 0.0))
    return weights


def _sentence_and_start(mention: Mention, part: int) -> tuple[tuple[int, int], int]:
    """Return the caption and sentence of a mention, and where a part of its proposition begins (0 without tokens)."""
    tokens = (token for tokens in mention.proposition.tokens[part : part + 1] for token in tokens)
    return (mention.caption, mention.proposition.sentence), min((token.start for token in tokens), default=0)
