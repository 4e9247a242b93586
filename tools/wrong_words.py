"""Captions with one word exchanged for another that their references do not bear out."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from spice_core import Spice
from spice_core.scene.propositions import KINDS, Parse
from spice_core.scene.synonyms import common, hypernym_path, lowest_common_hypernym
from spice_core.syntax.document import Token

SHARES = {"object": 5, "attribute": 3, "relation": 2}  # how often each kind is exchanged
_RARE, _TRIES = 3, 60


class Captioned(NamedTuple):
    """A caption with its references, which describe the same image; ``image`` tells images apart."""

    image: str
    caption: str
    references: tuple[str, ...]


class Exchange(NamedTuple):
    """A caption, the same with the word from ``start`` exchanged for ``word``, and the kind of tuple to which that word belongs."""

    right: Captioned
    wrong: str
    start: int
    word: str
    kind: str


def own_words(parse: Parse) -> dict[int, tuple[str, Token]]:
    """The words that each make a tuple alone, with its kind, by their place in the caption."""
    found: dict[int, tuple[str, Token]] = {}
    for proposition in parse.propositions:
        for part, tokens in enumerate(proposition.tokens):
            if len(tokens) == 1 and tokens[0].start >= 0:
                found.setdefault(tokens[0].start, (KINDS[len(proposition.words)] if part == 1 else "object", tokens[0]))
    return found


class Exchanger:
    """Exchanges words of captions for others of the same kind, tag and inflection that these captions use at least three times."""

    def __init__(self, captions: Sequence[Captioned], spice: Spice, *, seed: int = 0):
        self._spice, self._draw = spice, random.Random(seed)
        self._parses = dict(self._parsed(captions))
        self._pools: dict[tuple[str, str], Counter[Token]] = defaultdict(Counter)
        for each in captions:
            for kind, token in own_words(self._parses[each.caption]).values():
                self._pools[kind, token.tag][token._replace(index=0, text=token.text.lower(), start=-1, end=-1)] += 1

    def _parsed(self, captions: Sequence[Captioned]) -> Iterator[tuple[str, Parse]]:
        texts = list(dict.fromkeys(text for each in captions for text in (each.caption, *each.references)))
        return zip(texts, self._spice.parse(texts))

    def exchange(self, right: Captioned) -> Exchange | None:
        """The caption with one word exchanged; None where no word serves.

        Half of the new words are as frequent as in the captions; the others are any, of objects those with the same hypernym. None
        is said by caption or references, nor a broader, narrower or other word for what they say.
        """
        kinds: dict[str, list[Token]] = defaultdict(list)
        for kind, token in own_words(self._parses[right.caption]).values():
            kinds[kind].append(token)
        if not kinds:
            return None
        kind = self._draw.choices(sorted(kinds), [SHARES[each] for each in sorted(kinds)])[0]
        old, near = self._draw.choice(kinds[kind]), self._draw.random() < 0.5
        pool = [(token, count) for token, count in self._pools[kind, old.tag].items() if count >= _RARE]
        said = {token.lemma for text in (right.caption, *right.references) for token in _tokens(self._parses[text])}
        for _ in range(_TRIES if pool else 0):
            new = self._draw.choices(pool, [1 if near else count for _, count in pool])[0][0]
            apart = near and kind == "object" and not self._alike(new.lemma, old.lemma)
            if not apart and not any(self._same(new.lemma, lemma) for lemma in said):
                return Exchange(right, right.caption[: old.start] + new.text + right.caption[old.end :], old.start, new.text, kind)
        return None

    def _alike(self, a: str, b: str) -> bool:
        synonyms = self._spice.synonyms
        return lowest_common_hypernym(synonyms, common(synonyms, (a,)), common(synonyms, (b,))) is not None

    def _same(self, a: str, b: str) -> bool:
        """Whether one word may stand for the other: synonyms, or one broader."""
        synonyms = self._spice.synonyms
        first, second = common(synonyms, (a,)), common(synonyms, (b,))
        if a == b or not set(synonyms.ids(a)).isdisjoint(synonyms.ids(b)):
            return True
        return bool(hypernym_path(synonyms, first, second) or hypernym_path(synonyms, second, first))


def _tokens(parse: Parse) -> list[Token]:
    return [token for sentence in parse.document.sentences for token in sentence.tokens] if parse.document else []
