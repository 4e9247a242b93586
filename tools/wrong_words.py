"""Replace a word of a caption by a word that its references do not support."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from spice_core import Spice
from spice_core.scene.propositions import KIND_BY_LENGTH, Parse
from spice_core.scene.synonyms import common_senses, hypernym_path, lowest_common_hypernym
from spice_core.syntax.document import Token

WEIGHT_BY_KIND = {"object": 5, "attribute": 3, "relation": 2}  # relative frequency of replacements by kind
_MIN_USES, _MAX_TRIES = 3, 60


class CaptionWithReferences(NamedTuple):
    """A caption with references for the same image, whose id is ``image``."""

    image: str
    caption: str
    references: tuple[str, ...]


class Replacement(NamedTuple):
    """A caption, its copy with ``word`` at ``start``, and the kind of tuple of that word."""

    right_caption: CaptionWithReferences
    wrong_text: str
    start: int
    word: str
    kind: str


def single_word_parts(parse: Parse) -> dict[int, tuple[str, Token]]:
    """Return the words that are an element of a tuple by themselves, by position in the caption.

    Each word comes with its kind: object, attribute or relation.
    """
    parts: dict[int, tuple[str, Token]] = {}
    for proposition in parse.propositions:
        for part, tokens in enumerate(proposition.tokens):
            if len(tokens) == 1 and tokens[0].start >= 0:
                parts.setdefault(tokens[0].start, (KIND_BY_LENGTH[len(proposition.words)] if part == 1 else "object", tokens[0]))
    return parts


class WordReplacer:
    """Replaces words in captions by others of the same kind and tag that occur at least three times."""

    def __init__(self, captions: Sequence[CaptionWithReferences], spice: Spice, *, seed: int = 0):
        self._spice, self._draw = spice, random.Random(seed)
        self._parses = dict(self._parse_captions(captions))
        self._pools: dict[tuple[str, str], Counter[Token]] = defaultdict(Counter)
        for caption_row in captions:
            for kind, token in single_word_parts(self._parses[caption_row.caption]).values():
                self._pools[kind, token.tag][token._replace(index=0, text=token.text.lower(), start=-1, end=-1)] += 1

    def _parse_captions(self, captions: Sequence[CaptionWithReferences]) -> Iterator[tuple[str, Parse]]:
        texts = list(dict.fromkeys(text for caption_row in captions for text in (caption_row.caption, *caption_row.references)))
        return zip(texts, self._spice.parse(texts))

    def replace_word(self, right_caption: CaptionWithReferences) -> Replacement | None:
        """Return the caption with one word replaced, or None if there is no suitable word.

        Half of the new words are drawn by their frequency in the captions. The other half are drawn uniformly, for objects from
        words with a common hypernym. No new word occurs in the caption or the references, or is a synonym, hypernym or hyponym of
        a word there.
        """
        kinds: dict[str, list[Token]] = defaultdict(list)
        for kind, token in single_word_parts(self._parses[right_caption.caption]).values():
            kinds[kind].append(token)
        if not kinds:
            return None
        kind = self._draw.choices(sorted(kinds), [WEIGHT_BY_KIND[kind_] for kind_ in sorted(kinds)])[0]
        old_word, is_near = self._draw.choice(kinds[kind]), self._draw.random() < 0.5
        pool = [(token, count) for token, count in self._pools[kind, old_word.tag].items() if count >= _MIN_USES]
        mentioned_lemmas = {
            token.lemma for text in (right_caption.caption, *right_caption.references) for token in _tokens(self._parses[text])
        }
        for _ in range(_MAX_TRIES if pool else 0):
            new_word = self._draw.choices(pool, [1 if is_near else count for _, count in pool])[0][0]
            is_unrelated = is_near and kind == "object" and not self._has_common_hypernym(new_word.lemma, old_word.lemma)
            if not is_unrelated and not any(self._is_related(new_word.lemma, lemma) for lemma in mentioned_lemmas):
                return Replacement(
                    right_caption,
                    right_caption.caption[: old_word.start] + new_word.text + right_caption.caption[old_word.end :],
                    old_word.start,
                    new_word.text,
                    kind,
                )
        return None

    def _has_common_hypernym(self, a: str, b: str) -> bool:
        synonyms = self._spice.synonyms
        return lowest_common_hypernym(synonyms, common_senses(synonyms, (a,)), common_senses(synonyms, (b,))) is not None

    def _is_related(self, a: str, b: str) -> bool:
        """Return whether two words are synonyms, or one is a hypernym of the other."""
        synonyms = self._spice.synonyms
        first_senses, second_senses = common_senses(synonyms, (a,)), common_senses(synonyms, (b,))
        if a == b or not set(synonyms.ids(a)).isdisjoint(synonyms.ids(b)):
            return True
        return bool(hypernym_path(synonyms, first_senses, second_senses) or hypernym_path(synonyms, second_senses, first_senses))


def _tokens(parse: Parse) -> list[Token]:
    return [token for sentence in parse.document.sentences for token in sentence.tokens] if parse.document else []
