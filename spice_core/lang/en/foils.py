"""Foils: copies of a caption that differ from it in one fact, made from its parse."""

from __future__ import annotations

import re
from collections.abc import Iterator

from spice_core.inference.rules import InferenceRules, inference_rules
from spice_core.lang import language
from spice_core.lang.en.inflection import ing_form, plural_form, with_article
from spice_core.lang.pack import Foil
from spice_core.scene.propositions import Parse, Proposition
from spice_core.syntax.document import Token

_OTHER_PARTICIPANTS = dict(
    pair.split(":")
    for pair in """man:woman woman:man boy:girl girl:boy guy:woman lady:man gentleman:lady person:dog people:dog child:dog kid:dog baby:dog dog:cat puppy:kitten cat:dog
    kitten:puppy horse:cow cow:horse sheep:cow bird:cat zebra:giraffe giraffe:zebra elephant:bear bear:elephant""".split()
)
_OTHER_RELATIONS = dict(
    pair.split(":")
    for pair in "on:under in:outside inside:outside outside:inside under:on below:above above:below over:under behind:before with:without".split()
)
_IRREGULAR_PLURALS = {"man": "men", "woman": "women", "sheep": "sheep"}
_DOUBLING_VERBS = frozenset({"run", "sit", "swim"})
_POSTURES = ("sit", "stand", "lie", "run", "walk", "swim", "climb")
_AUXILIARIES = re.compile(r"\b(?:is|are|was|were)\b(?! not\b)")


def make_foils(parse: Parse) -> list[Foil]:
    """Return copies of a caption with a changed participant, colour, number, place, relation or action, with swapped
    participants, or negated.

    >>> from spice_core import Spice
    >>> (caption,) = Spice().parse(["Two dogs are running on a beach."])
    >>> [foil.caption for foil in make_foils(caption)][:2]
    ['Two cats are running on a beach.', 'Three dogs are running on a beach.']
    """
    text = parse.document.text if parse.document else ""
    rules = inference_rules(language("en").inference_rules)
    foils = [Foil(kind, _replace(text, edits)) for kind, edits in _find_edits(parse, rules)] if text else []
    if auxiliary := _AUXILIARIES.search(text):
        foils.append(Foil("negation", f"{text[: auxiliary.end()]} not{text[auxiliary.end() :]}"))
    return sorted(dict.fromkeys(foil for foil in foils if foil.caption != text), key=lambda foil: _KINDS.index(foil.kind))


_KINDS = ("participant", "number", "colour", "action", "place", "relation", "exchange", "negation")
_Edit = tuple[Token, str]  # a token and the word that replaces it


def _find_edits(parse: Parse, rules: InferenceRules) -> Iterator[tuple[str, list[_Edit]]]:
    """Yield the kind of each foil with its edits."""
    for proposition in parse.propositions:
        if proposition.negated or len(proposition.tokens) != len(proposition.words) or not all(proposition.tokens):
            continue
        last = proposition.tokens[-1][-1]
        if len(proposition.tokens) == 1:
            yield from (("participant", [(last, other)]) for lemma, other in _OTHER_PARTICIPANTS.items() if lemma == last.lemma)
            continue
        verb = proposition.tokens[1][0]
        if verb.lemma in _POSTURES and verb.tag.startswith("V"):
            yield "action", [(verb, "sit" if verb.lemma != "sit" else "run")]
        if len(proposition.tokens) == 2:
            yield from _find_attribute_edits(last, rules)
        if len(proposition.tokens) == 3:
            yield from _find_relation_edits(proposition, rules)


def _find_attribute_edits(token: Token, rules: InferenceRules) -> Iterator[tuple[str, list[_Edit]]]:
    """Yield the edits of a number or a colour."""
    for kind in ("number", "colour"):
        words = rules.words_of_class(kind)
        others = [word for word in ("three", "two", *sorted(words)) if token.lemma in words and rules.excludes(token.lemma, word)]
        if others:
            yield kind, [(token, others[0])]


def _find_relation_edits(proposition: Proposition, rules: InferenceRules) -> Iterator[tuple[str, list[_Edit]]]:
    """Yield the edits of a relation: another place, another preposition, or subject and object swapped."""
    subject, label, object_ = proposition.tokens
    preposition, place = label[-1], object_[-1]
    if preposition.lemma in rules.words_of_class("within_place"):
        for name, other in (("outdoor_place", "kitchen"), ("indoor_place", "forest")):
            if place.lemma in rules.words_of_class(name) and place.lemma != other:
                yield "place", [(preposition, "in"), (place, other)]
    if (
        place.lemma not in rules.words_of_class("clothing")
        and preposition.lemma in _OTHER_RELATIONS
        and proposition.words[1].endswith(preposition.lemma)
    ):
        yield "relation", [(preposition, _OTHER_RELATIONS[preposition.lemma])]
    if len(label) == 1 and label[0].tag.startswith("V") and subject[-1].tag == place.tag and subject[-1].lemma != place.lemma:
        yield "exchange", [(subject[-1], place.lemma), (place, subject[-1].lemma)]


def _replace(text: str, edits: list[_Edit]) -> str:
    """Return the text with tokens replaced, each by a word in the form of the token and with a suitable article."""
    for token, word in sorted(edits, key=lambda edit: -edit[0].start):
        form = plural_form(word, _IRREGULAR_PLURALS) if token.tag in ("NNS", "NNPS") else word
        if token.tag.startswith("V"):
            form = {"VBG": ing_form(word, _DOUBLING_VERBS), "VBZ": f"{word}s"}.get(token.tag, word)
        before, after = text[: token.start], text[token.end :]
        if article := re.search(r"\b([Aa])n? $", before):
            before, form = before[: article.start()], with_article(form)
            form = form.capitalize() if article[1] == "A" else form
        text = before + (form[:1].upper() + form[1:] if token.text[:1].isupper() else form) + after
    return text
