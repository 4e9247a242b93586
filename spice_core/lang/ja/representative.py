"""Normalisation of words as in the original JaSPICE program (2023): representative spellings, and the last word of a compound argument.

The program merges the references of an image by their strings, before it considers synonyms. It spells a word in one way (差す for さす),
and it reduces an argument to its last word (傘, "umbrella", for 折りたたみ傘, "folding umbrella"). Source: Wada et al. (CoNLL 2023),
figure 3.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from spice_core.lang.ja.sudachi import Sudachi
from spice_core.scene.propositions import PLACEHOLDER, Parse, Proposition

# verbs in kana with their usual kanji; JUMAN++ chooses the kanji by context
_REPRESENTATIVE_SPELLINGS = dict(
    pair.split(":")
    for pair in (
        "さす:差す のる:乗る もつ:持つ きる:着る はく:履く かぶる:被る たつ:立つ すわる:座る みる:見る いく:行く くる:来る とる:取る とぶ:飛ぶ ねる:寝る "
        "おく:置く ならぶ:並ぶ とまる:止まる"
    ).split()
)
_NOUN_NO_NOUN = re.compile("(.+)の(.+)")
_PREDICATE_RULES = ("subject-alone", "shared-subject-alone")
_WHOLE_WORD_RULES = ("possessive", "place-", "quirk-place", "description")  # rules whose words are whole compounds
_SPLIT_LAST_WORDS = ("ボード", "ラケット", "ボール", "ハウス", "テーブル")  # last words of compounds that Sudachi lists as one word


class RepresentativeSpellings(Sudachi):
    """Sudachi's synonyms for representative spellings and last words."""

    option = "sudachi+representative"

    def rephrase(self, parse: Parse) -> Iterator[Proposition]:
        """Yield the propositions of a caption in the words of the 2023 program."""
        for proposition in parse.propositions:
            is_whole_word = proposition.rule.startswith(_WHOLE_WORD_RULES)
            predicate = len(proposition.words) == 3 or proposition.rule.startswith(_PREDICATE_RULES)
            words = [
                self._representative_spelling(w, is_whole_word=is_whole_word or (i == 1 and predicate))
                for i, w in enumerate(proposition.words)
            ]
            yield proposition.rephrase(*(parts[-1] for parts in words))
            for owner, thing in (parts for parts in words if len(parts) == 2 and len(proposition.words) > 1):
                yield from (proposition.rephrase(owner), proposition.rephrase(owner, "の", thing))

    def _representative_spelling(self, word: str, *, is_whole_word: bool) -> tuple[str, ...]:
        """Return the representative spelling of a word, or of its last word unless ``is_whole_word``, as a list of one item.

        If Sudachi splits the word into two nouns joined by の, such as 海の公園 ("sea park"), return both nouns.
        """
        if word == PLACEHOLDER:
            return (word,)
        if match := _NOUN_NO_NOUN.fullmatch(word):
            units = [m.surface() for m in self._split_into_morphemes(word, shortest_units=True)]
            return match.groups() if units == [match[1], "の", match[2]] else (word,)
        last_word = next((end for end in _SPLIT_LAST_WORDS if word.endswith(end) and word != end), "") or self._find_head(word) or word
        spelling = self._normalise(word if is_whole_word else last_word).removesuffix("為る")
        if len(word) > 2 and word.endswith("する"):
            spelling += "する"
        return (_REPRESENTATIVE_SPELLINGS.get(word) or spelling or word,)


class Spellings(RepresentativeSpellings):
    """Representative spellings and last words alone, without synonyms."""

    option = "representative"

    def _ids(self, phrase: str) -> frozenset[int]:
        return frozenset()
