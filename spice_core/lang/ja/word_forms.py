"""Corrections of dictionary forms by Sudachi or GiNZA (子供 for 子供たち, "children"), and forms of negated predicates (かぶらない, "not wear")."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from spice_core.lang.enhancement import Sentences
from spice_core.lang.ja import word_lists
from spice_core.lang.ja.trees import is_verb
from spice_core.syntax.document import Dependency, Sentence, Token

NEGATION_RELATION = "neg"  # relation of ない, ぬ, ず to the predicate that they negate
_IRREALIS_ENDINGS = dict(zip("うくぐすつぬぶむる", "わかがさたなばまら"))
_STEM_ENDINGS = {"っ": "つるう", "ん": "むぶぬ", "い": "くぐ"}  # before たり: the endings of the dictionary form
_LISTING_FORM = re.compile(r"(.*)(っ|ん|い|し)[ただ]り")
_OPENING_QUOTES, _CLOSING_QUOTES = frozenset('「『“"'), frozenset('」』”"')
_PLURAL_SUFFIXES = ("たち", "達", "ら")


def correct_dictionary_forms(sentences: Sentences) -> Sentences:
    """Return the sentences with corrected dictionary forms and tags."""
    return tuple(map(correct_sentence, sentences))


def join_word_pieces(sentences: Sentences) -> Sentences:
    """Return the sentences with full dictionary forms for nouns that Sudachi splits but JUMAN++ does not.

    取っ組み|合い ("scuffle"), 端|っこ ("edge").
    """
    return tuple(map(_join_words_of_sentence, sentences))


def _join_words_of_sentence(sentence: Sentence) -> Sentence:
    tokens = tuple(_join_word(sentence.tokens, token) for token in sentence.tokens)
    suffix_indices = {new.index - 1 for old, new in zip(sentence.tokens, tokens) if new != old}
    basic = (e._replace(relation="goeswith") if e.dependent in suffix_indices and e.head == e.dependent + 1 else e for e in sentence.basic)
    return replace(sentence, tokens=tokens, basic=tuple(basic))


def _join_word(tokens: tuple[Token, ...], token: Token) -> Token:
    previous_text = tokens[token.index - 2].text if token.index > 1 else ""
    has_suffix = previous_text and (
        token.text == "っこ" or (token.text == "合い" and tokens[token.index - 2].tag.startswith(("名詞", "動詞")))
    )
    return token._replace(lemma=previous_text + token.text) if has_suffix else token


def correct_sentence(sentence: Sentence) -> Sentence:
    """Return the sentence with corrected dictionary forms and tags."""
    tokens = tuple(_correct_token(sentence.tokens, token) for token in sentence.tokens)
    return sentence if tokens == sentence.tokens else replace(sentence, tokens=tokens)


def _correct_token(tokens: tuple[Token, ...], token: Token) -> Token:
    previous_text = tokens[token.index - 2].text if token.index > 1 else ""
    next_texts = [t.text for t in tokens[token.index : token.index + 2]]
    return next(
        (corrected_token for correction in _CORRECTIONS if (corrected_token := correction(token, previous_text, next_texts))), token
    )


def _correct_quoted_word(token: Token, previous_text: str, next_texts: list[str]) -> Token | None:
    """Return a quoted word as a noun (「止まれ」, "stop"), or None for any other word."""
    is_quoted = previous_text in _OPENING_QUOTES and "".join(next_texts[:1]) in _CLOSING_QUOTES
    return token._replace(lemma=token.text, tag="名詞-普通名詞-一般") if is_quoted else None


def _correct_listed_verb(token: Token, previous_text: str, next_texts: list[str]) -> Token | None:
    """Return a verb before たり with its dictionary form (読んだり is 読む, "read"), or None for any other word."""
    match = _LISTING_FORM.fullmatch(token.text) if previous_text and token.tag.startswith("副詞") else None
    return token._replace(lemma=_verb_before_tari(*match.groups()), tag="動詞-一般") if match else None


def _correct_homograph(token: Token, previous_text: str, next_texts: list[str]) -> Token | None:
    """Return the token with the correct lemma if its form also belongs to another verb, or else None.

    出そうと is a form of 出す ("put out"), not of 出る ("go out").
    """
    text, lemma = token.text, token.lemma
    if is_verb(token) and next_texts == ["そう", "と"] and text.endswith("出") and lemma == text + "る":
        return token._replace(lemma=text + "す")
    if (text, lemma, previous_text) == ("き", "くる", "を"):
        return token._replace(lemma="きる")
    if lemma.endswith("ずる") and text == lemma[:-2] + "じ":
        return token._replace(lemma=text + "る")
    return token._replace(lemma="通る") if lemma == "通う" and text.startswith("通") else None


def _correct_suffixed_noun(token: Token, previous_text: str, next_texts: list[str]) -> Token | None:
    """Return a noun with its suffix removed from the dictionary form, or None for any other word.

    子供たち ("children") is 子供, and 会場内 ("inside the venue") is 会場.
    """
    if not token.tag.startswith("名詞"):
        return None
    person = next((token.text.removesuffix(end) for end in _PLURAL_SUFFIXES if token.text.endswith(end)), "")
    if person in word_lists.ANIMATE_NOUNS:
        return token._replace(lemma=person)
    return token._replace(lemma=token.text[:-1]) if token.text.endswith("内") and len(token.text) > 2 else None


# the first correction that applies is used
_CORRECTIONS = (
    _correct_quoted_word,
    _correct_listed_verb,
    _correct_homograph,
    _correct_suffixed_noun,
)


def _verb_before_tari(stem: str, ending: str) -> str:
    """Return the dictionary form of a verb before たり, preferring listed verbs."""
    if ending == "し":
        return stem + ("す" if stem else "する")
    verb_forms = [stem + kana for kana in _STEM_ENDINGS[ending]]
    return next((form for form in verb_forms if form in word_lists.TRANSITIVE_VERBS | word_lists.LOCATIVE_VERBS), verb_forms[0])


def negate_predicates(sentence: Sentence, edges: Iterable[Dependency]) -> Sentence:
    """Return the sentence with negative dictionary forms for predicates negated by these edges."""
    denied_words = {e.head for e in edges if e.relation == NEGATION_RELATION}
    if not denied_words:
        return sentence
    return replace(sentence, tokens=tuple(t._replace(lemma=negative_form(t)) if t.index in denied_words else t for t in sentence.tokens))


def negative_form(token: Token) -> str:
    """Return the negative of a predicate's dictionary form, such as かぶらない ("not wear") for かぶる and ない for ある."""
    lemma = token.lemma
    if lemma in ("ある", "有る"):
        return "ない"
    if token.tag.startswith("形容詞") and lemma.endswith("い"):
        return lemma[:-1] + "くない"
    if not is_verb(token):
        return lemma + "でない"
    if lemma.endswith("する"):
        return lemma[:-2] + "しない"
    if lemma in ("くる", "来る"):
        return {"くる": "こない"}.get(lemma, "来ない")
    if lemma.endswith("る") and token.text == lemma[:-1]:  # 着|て, 食べ|ない
        return lemma[:-1] + "ない"
    return lemma[:-1] + _IRREALIS_ENDINGS.get(lemma[-1], lemma[-1]) + "ない"
