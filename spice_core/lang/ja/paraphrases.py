"""Paraphrases in captions: propositions that are rephrased before they are merged, and words that count as synonyms.

In addition to the synonyms of ``Sudachi``, words share an id if they are the same number with another counter (一頭 and 一匹, "one animal"),
the same word in the other kana (きりん and キリン, "giraffe"), a compound and its head (大型ジェット飛行機, "large jet plane", and 飛行機,
"plane"), or in the same group of `paraphrases.txt`. That file also lists narrower words, which entail broader words. A verb with a place
such as 寝る（上） ("sleep on") shares ids with the same verb in the same place, and those for 上 ("on") and 中 ("in") with the bare verb.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from spice_core.lang.ja import word_lists
from spice_core.lang.ja.sudachi import FIRST_THESAURUS_ID, THESAURUS_PATH, Sudachi, spelling_id
from spice_core.scene.propositions import PLACEHOLDER, Parse, Proposition
from spice_core.scene.synonyms import Sense, Senses
from spice_core.syntax.document import Token

PARAPHRASES_PATH = Path(__file__).with_name("paraphrases.txt")
_PREDICATE_WITH_PLACE = re.compile(r"(.+?)[（(](.+)[）)]")  # のる（上）
_VERB = re.compile(".*[うくぐすつぬぶむる]")
_PLACES_OF_BARE_VERBS = ("上", "中", "真ん中", "端")
_PLACES = (*_PLACES_OF_BARE_VERBS, *"下 屋外 前 後ろ 向こう そば 近く 周り 間 右 左".split())  # the first word of each group of place words
_OTHER_PHRASE = re.compile(r"(?:別|他|ほか|もう一(?:人|匹|頭|羽|台|つ|方))の(.+)")
_COUNTED_NUMBER = re.compile(
    f"(?:約|およそ)?([0-9]+)(?:{'|'.join(map(re.escape, sorted(word_lists.COUNTERS, key=len, reverse=True)))})(?:組)?"
)
_NATIVE_NUMERALS = {"ひとり": "1", "ふたり": "2", "ひとつ": "1", "ふたつ": "2", "みっつ": "3", "よっつ": "4"}
_KATAKANA_WORD = re.compile(r"[ァ-ヴー]{2,}")
_NEGATION = re.compile(r"(?:も|として)?(?:い|見え|あり)?(?:ない|なく|ません)")
_FLOATED_QUANTIFIER = re.compile(
    "(?:たち|達)?[がはをも]?、?((?:[0-9０-９一二三四五六七八九十百千数何両]+(?:"
    + "|".join(map(re.escape, sorted(word_lists.COUNTERS, key=len, reverse=True)))
    + ")|たくさん|沢山|大勢|多数|いっぱい|ひとり|ふたり))(?!の)"
)
_EXISTENCE_VERBS = frozenset("いる ある 見える 居る 有る おる".split())
_PERSON_BY_SEX = {"男": "男の人", "女": "女の人"}


class Paraphrases(Sudachi):
    """Sudachi's synonyms for captions, extended by paraphrases."""

    option = "sudachi+paraphrases"
    groups = (THESAURUS_PATH, PARAPHRASES_PATH)

    def rephrase(self, parse: Parse) -> Sequence[Proposition]:
        """Return the propositions of a caption in the words used for comparison."""
        out = [*parse.propositions, *_iterate_floated_quantities(parse)]
        for rephrase in (
            self._mark_negations,
            _rephrase_people,
            _rephrase_others,
            self._rephrase_activities,
            _rephrase_places,
            _drop_existence,
        ):
            out = list(rephrase(out))
        return out

    def senses(self, phrase: str, pos: str) -> Senses:
        """Return the senses of a phrase. A verb as an attribute matches the same verb in any place."""
        ids = self.ids(phrase)
        return Senses(ids | self._locate(ids, _PLACES) if "n" in pos and self._is_verb(phrase) else ids)

    def _ids(self, phrase: str) -> frozenset[int]:
        if match := _PREDICATE_WITH_PLACE.fullmatch(phrase):
            places = [members[0] for members in self._thesaurus_groups if match[2] in members]
            return self._locate(super()._ids(match[1]), places or [match[2]])
        ids = super()._ids(phrase)
        return ids | self._locate(ids, _PLACES_OF_BARE_VERBS) if self._is_verb(phrase) else ids

    def _is_verb(self, phrase: str) -> bool:
        is_verb_form = _VERB.fullmatch(phrase) is not None and not phrase.endswith("ない")
        return is_verb_form and self._split_into_morphemes(phrase)[-1].part_of_speech()[0] == "動詞"

    def _locate(self, ids: Iterable[int], places: Iterable[str]) -> frozenset[int]:
        """Return an id for each pair of a verb sense and a place."""
        spellings = [str(id) if id >= 0 else self.synset(id).name for id in ids]
        return frozenset(spelling_id(f"{spelling}（{place}）") for spelling in spellings for place in places)

    def synset(self, id: int) -> Sense:
        """Return the group or spelling of an id, or the sense of a verb in a place. Raises KeyError for an unknown id."""
        sense = super().synset(id)
        match = _PREDICATE_WITH_PLACE.fullmatch(sense.name) if id < 0 else None
        if match is None or not match[1].isdecimal():
            return sense
        lemmas = tuple(f"{lemma}（{match[2]}）" for lemma in super().synset(int(match[1])).lemmas)
        return Sense(id, lemmas[0], lemmas, "、".join(lemmas))

    def hypernyms(self, id: int) -> frozenset[int]:
        """Return the ids of the direct hypernyms of a group."""
        return self._hypernyms.get(id, frozenset())

    @cached_property
    def _hypernyms(self) -> dict[int, frozenset[int]]:
        ids: dict[str, int] = {}
        for id, members in enumerate(self._thesaurus_groups, FIRST_THESAURUS_ID):
            ids.setdefault(members[0], id)
        broader: dict[int, frozenset[int]] = {}
        for broad, _, narrow in (line.partition(" > ") for line in self._thesaurus_lines):
            broader |= {ids[word]: broader.get(ids[word], frozenset()) | {ids[broad]} for word in narrow.split()}
        return broader

    @cached_property
    def _narrower_words(self) -> frozenset[str]:
        return frozenset(word for line in self._thesaurus_lines for word in line.partition(" > ")[2].split())

    def is_existence(self, phrase: str) -> bool:
        """Return whether a word only asserts existence, such as いる ("be") and 見える（外） ("be seen outside")."""
        match = _PREDICATE_WITH_PLACE.fullmatch(phrase)
        return (match[1] if match else phrase) in _EXISTENCE_VERBS

    def _mark_negations(self, propositions: Sequence[Proposition]) -> Iterator[Proposition]:
        """Turn negated predicates into negated propositions of affirmed predicates.

        (女性, かぶらない, 帽子), "the woman wears no hat", becomes the negation of (女性, かぶる, 帽子) and (女性). (犬, いない), "there is no
        dog", becomes the negation of (犬) or, if the caption restricts it, as in 黒い犬 ("black dog"), of (犬, 黒い). 誰 ("anybody") becomes
        人 ("person").
        """
        predicates = [self._affirm(p.words[1]) if len(p.words) > 1 else "" for p in propositions]
        absent_nouns = {p.words[0] for p, predicate in zip(propositions, predicates) if predicate in _EXISTENCE_VERBS}
        restricted_nouns = {p.words[0] for p, predicate in zip(propositions, predicates) if len(p.words) > 1 and not predicate}
        for proposition, predicate in zip(propositions, predicates):
            subject, others = proposition.words[0], range(2, len(proposition.words))
            if predicate in _EXISTENCE_VERBS:
                yield from (replace(proposition.rephrase(part), original_words=()) for part in others)
                if subject not in restricted_nouns:
                    yield replace(proposition.rephrase(0, predicate, *others), negated=True)
            elif predicate:
                person = "人" if subject == "誰" else 0
                yield from (
                    replace(proposition.rephrase(person, predicate, *others), negated=True),
                    replace(proposition.rephrase(person), original_words=()),
                )
            elif subject not in absent_nouns:
                yield proposition
            elif len(proposition.words) > 1:
                yield replace(proposition, negated=True)

    def _affirm(self, predicate: str) -> str:
        """Return the affirmed form of a negated predicate, such as 広い for 広くない ("not wide"), or an empty string."""
        morphemes = self._split_into_morphemes(predicate) if predicate.endswith("ない") else []
        if not morphemes or morphemes[-1].surface() != "ない":
            return ""
        *first, last = morphemes[:-1] or [None]
        if last is None:
            return "ある"
        return "".join(m.surface() for m in first) + ("" if last.surface() == "で" else last.dictionary_form())

    def _rephrase_activities(self, propositions: Sequence[Proposition]) -> Iterator[Proposition]:
        """Turn activities that are objects of する ("do") into verbs.

        (子供, する, ジャンプ), "a child does a jump", becomes (子供, ジャンプする) and (ジャンプ). If the caption also has an
        object that is not an activity, as in (子供, する, 雪), "a child does snow", the verb takes that object: (子供, ジャンプする, 雪).
        """
        activities_by_subject: dict[str, list[str]] = {}
        for proposition in propositions:
            if len(proposition.words) == 3 and proposition.words[1] == "する" and self._is_activity(proposition.words[2]):
                activities_by_subject.setdefault(proposition.words[0], []).append(proposition.words[2])
        for proposition in propositions:
            activities = (
                activities_by_subject.get(proposition.words[0], [])
                if len(proposition.words) == 3 and proposition.words[1] == "する"
                else []
            )
            if not activities:
                yield proposition
            elif proposition.words[2] in activities:
                objects = (q.words[2] for q in propositions if len(q.words) == 3 and q.words[:2] == proposition.words[:2])
                if all(other in activities for other in objects):
                    yield proposition.rephrase(0, proposition.words[2] + "する")
                if not proposition.negated:
                    yield proposition.rephrase(2)
            else:
                yield from (proposition.rephrase(0, activity + "する", 2) for activity in activities)

    def _is_activity(self, noun: str) -> bool:
        """Return whether a noun is an activity that can combine with する: a verbal noun or a sport."""
        *_, morpheme = self._split_into_morphemes(noun) or [None]
        is_verbal_noun = morpheme is not None and morpheme.part_of_speech()[2] == "サ変可能"
        return is_verbal_noun or noun in word_lists.SPORT_NOUNS

    def _lookup_spellings(self, text: str) -> list[str]:
        """Return the spellings under which a word is looked up, including hiragana for katakana, and the number before a counter."""
        if match := _OTHER_PHRASE.fullmatch(text):
            return [text, *self._lookup_spellings(match[1])]
        spellings = super()._lookup_spellings(text)
        if _KATAKANA_WORD.fullmatch(text):
            hiragana = "".join(chr(ord(c) - 96) if "ァ" <= c <= "ヶ" else c for c in text)
            spellings += [hiragana, *self._word_index.readings.get(hiragana, ())]
        numbers = (_COUNTED_NUMBER.fullmatch(spelling) for spelling in spellings)
        if number := next((n[1] for n in numbers if n), None) or _NATIVE_NUMERALS.get(text):
            spellings.append(f"#{number}")
        return list(dict.fromkeys(spellings))

    def _find_head(self, text: str) -> str | None:
        """Return the longest dictionary noun that ends a compound of at least three parts, or the head according to ``Sudachi``.

        A listed narrower word has no head: 子犬 ("puppy") entails 犬 ("dog"), but is no synonym.
        """
        if text in self._narrower_words:
            return None
        parts = self._split_into_morphemes(text, shortest_units=True)
        for start in range(1, len(parts) - 1):
            head = "".join(m.surface() for m in parts[start:])
            if len(head) > 1 and any(m.part_of_speech()[1] == "普通名詞" and m.surface() == head for m in self._dictionary.lookup(head)):
                return head
        return super()._find_head(text)


def _rephrase_people(propositions: Sequence[Proposition]) -> Iterator[Proposition]:
    """Replace (男, の, 人) by 男の人 ("man"), and (女, の, 人) by 女の人 ("woman").

    If the caption has only one of the two words, that word also replaces every other 人 ("person").
    """
    noun_by_proposition = {
        id(p): _PERSON_BY_SEX[p.words[0]] for p in propositions if p.words[1:] == ("の", "人") and p.words[0] in _PERSON_BY_SEX
    }
    person_by_position = {_locate_part(p, 2): noun_by_proposition[id(p)] for p in propositions if id(p) in noun_by_proposition}
    person_nouns = set(noun_by_proposition.values())
    if not person_nouns or (len(person_nouns) > 1 and None in person_by_position):  # no person, or several possible ones
        yield from propositions
        return
    person_noun = person_nouns.pop() if len(person_nouns) == 1 else "人"

    def name(proposition: Proposition, part_index: int) -> str:
        return (
            person_by_position.get(_locate_part(proposition, part_index), person_noun)
            if part_index != 1 and proposition.words[part_index] == "人"
            else proposition.words[part_index]
        )

    for proposition in propositions:
        if id(proposition) in noun_by_proposition:
            yield proposition.rephrase(noun_by_proposition[id(proposition)])
        elif len(proposition.words) > 1 or _PERSON_BY_SEX.get(proposition.words[0]) not in person_by_position.values():
            yield proposition.rephrase(*(name(proposition, part) for part in range(len(proposition.words))))


def _locate_part(proposition: Proposition, part_index: int) -> tuple[int, int] | None:
    """Return the sentence and the last word of a part of a proposition, or None if they are unknown."""
    tokens = proposition.tokens[part_index] if part_index < len(proposition.tokens) else ()
    return (proposition.sentence, tokens[-1].index) if tokens else None


def _rephrase_others(propositions: Sequence[Proposition]) -> Iterator[Proposition]:
    """Rephrase (男性, 話す, 男性), "a man talks to a man", as (男性, 話す, 別の男性), "another man", if the caption also has (男性, 別)."""
    distinguished_nouns = {p.words[0] for p in propositions if p.words[1:] in (("別",), ("他",), ("ほか",))}
    for proposition in propositions:
        if len(proposition.words) == 3 and proposition.words[0] == proposition.words[2] and proposition.words[0] in distinguished_nouns:
            yield proposition.rephrase(0, 1, f"別の{proposition.words[2]}")
        else:
            yield proposition


def _rephrase_places(propositions: Sequence[Proposition]) -> Iterator[Proposition]:
    """Rephrase (料理, のる, 上), "food lies on top", as (料理, のる（上）, 皿) if the caption also has (皿, の, 上), "top of the plate".

    A place word that is the subject is also replaced by its owner. Possessives such as (皿, の, 上) in other sentences count only if
    the same sentence has none with this place word.
    """
    possessives = _possessives_by_place(propositions)
    for proposition in propositions:
        words = proposition.words
        first_place, last_place = (
            possessives.get((word, proposition.sentence)) or possessives.get((word, None), []) for word in (words[0], words[-1])
        )
        if len(words) == 3 and last_place:
            yield from (
                [proposition.rephrase(0)] if words[1] == "の" else [_relate_to_owner(proposition, possessive) for possessive in last_place]
            )
        elif first_place:
            yield from (_replace_subject(proposition, possessive) for possessive in first_place if len(words) > 1)
        else:
            yield proposition


def _relate_to_owner(proposition: Proposition, possessive: Proposition) -> Proposition:
    """Return (料理, のる（上）, 皿) from (料理, のる, 上) and the possessive (皿, の, 上)."""
    _, verb, place = proposition.words
    new_proposition = proposition.rephrase(0, f"{verb}（{place}）", possessive.words[0])
    if len(proposition.tokens) != 3:
        return new_proposition
    subject, verb_tokens, place_tokens = proposition.tokens
    return replace(new_proposition, tokens=(subject, verb_tokens + place_tokens, _owner_tokens(possessive, proposition.sentence)))


def _replace_subject(proposition: Proposition, possessive: Proposition) -> Proposition:
    """Return the proposition with the owner of the place word as its subject."""
    new_proposition = proposition.rephrase(possessive.words[0], *proposition.words[1:])
    if not proposition.tokens:
        return new_proposition
    return replace(new_proposition, tokens=(_owner_tokens(possessive, proposition.sentence), *proposition.tokens[1:]))


def _owner_tokens(possessive: Proposition, sentence: int) -> tuple[Token, ...]:
    """Return the tokens of the owner, or an empty tuple if the owner is in another sentence."""
    return possessive.tokens[0] if possessive.tokens and possessive.sentence == sentence else ()


def _possessives_by_place(propositions: Sequence[Proposition]) -> dict[tuple[str, int | None], list[Proposition]]:
    """Return the possessives such as (皿, の, 上) by place word and sentence. The key None stands for all sentences."""
    possessives: dict[tuple[str, int | None], list[Proposition]] = {}
    for proposition in propositions:
        if len(proposition.words) == 3 and proposition.words[1] == "の" and proposition.words[2] in word_lists.RELATIONAL_NOUNS:
            for sentence in (proposition.sentence, None):
                possessives.setdefault((proposition.words[2], sentence), []).append(proposition)
    return possessives


def _drop_existence(propositions: Sequence[Proposition]) -> Iterator[Proposition]:
    """Replace propositions of mere existence with their object: (人, いる), "there is a person", becomes (人)."""
    for proposition in propositions:
        yield proposition.rephrase(0) if len(proposition.words) == 2 and proposition.words[1] in _EXISTENCE_VERBS else proposition


def _iterate_floated_quantities(parse: Parse) -> Iterator[Proposition]:
    """Yield the quantities after their nouns: キリンが二頭いる ("there are two giraffes") gives (キリン, 二頭), like 二頭のキリン.

    Quantities before a negation count nothing: 雲一つない青空 ("blue sky without a single cloud").
    """
    quantities = [q for q in _FLOATED_QUANTIFIER.finditer(parse.caption) if not _NEGATION.match(parse.caption, q.end(1))]
    if not quantities:
        return
    nouns: dict[str, tuple[Proposition, int]] = {}
    for proposition in parse.propositions:
        for part in range(0, len(proposition.words), 2):
            nouns.setdefault(proposition.words[part], (proposition, part))
    for quantity in quantities:
        preceding_text = parse.caption[: quantity.start()]
        counted_noun = max((noun for noun in nouns if noun != PLACEHOLDER and preceding_text.endswith(noun)), key=len, default="")
        if counted_noun:
            proposition, part = nouns[counted_noun]
            tokens = (*proposition.tokens[part : part + 1], _span_tokens(parse, proposition, *quantity.span(1)))
            yield Proposition((counted_noun, quantity[1]), proposition.rule, proposition.sentence, tokens if all(tokens) else ())


def _span_tokens(parse: Parse, proposition: Proposition, start: int, end: int) -> tuple[Token, ...]:
    """Return the tokens of a span of the caption, in the sentence of a proposition, or an empty tuple if the parse has no document."""
    sentences = parse.document.sentences if parse.document else ()
    tokens = sentences[parse.tree(proposition)].tokens if sentences else ()
    return tuple(token for token in tokens if start <= token.start and token.end <= end)
