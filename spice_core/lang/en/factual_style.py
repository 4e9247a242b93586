"""Conversion of parses to FACTUAL's conventions (Li et al., Findings of ACL 2023), for comparison with FACTUAL's graphs.

Objects keep plurals and compounds ("tennis courts"), and numbers are digits. A whole "has" its parts, and people "wear"
clothes. A place noun joins the preposition ("on side of"). Intransitive actions keep their form ("smiling").
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from spice_core.lang.en.factual_nouns import NounPosition, noun_parts, noun_position, substitute_nouns
from spice_core.lang.en.factual_paragraphs import visible_propositions
from spice_core.lang.en.wordnet.database import wordnet_without_collisions
from spice_core.scene.propositions import Parse, Proposition
from spice_core.syntax.document import Sentence

_DIGIT_BY_WORD = {w: str(n) for n, w in enumerate("one two three four five six seven eight nine ten eleven twelve".split(), 1)}
_MATERIAL_WORDS = frozenset(
    "metal brick glass stone plastic wooden wood concrete dirt leather steel stainless paper cement marble tile tiled gravel rubber "
    "wicker iron silver gold baby adult male female plaid pine leather denim cotton lace straw chrome".split()
)
_CLASSIFYING_ADJECTIVES = frozenset("hot polar remote high teddy left right".split())
_SIDE_WORDS = frozenset("left right hind front back".split())
_PLACE_NOUNS = frozenset("top side sides front back middle edge bottom end left right corner center centre rear inside outside".split())
_PIECE_NOUNS = frozenset("piece pieces slice slices part parts patch patches portion".split())
_CONTAINER_NOUNS = frozenset("glass bowl bottle box row line cup jar rows lines basket bag can vase".split())
_CLOTHING_NOUNS = frozenset(
    "shirt t-shirt uniform suit pants shorts hat jeans outfit cap helmet glasses clothing clothes veil tie "
    "sunglasses skirt sneakers boots gloves hoodie robe scarf gear".split()
)
_UNSTATED_QUANTIFIERS = frozenset("several many few various other".split())
_PREDICATE_SPELLINGS = {
    "atop": "on top of",
    "in between": "between",
    "beneath": "under",
    "underneath": "under",
    "inside of": "inside",
    "outside of": "outside",
}


def adapt_to_factual(parse: Parse) -> Parse:
    """Return the parse with its propositions in FACTUAL's conventions.

    A caption of one sentence yields bare objects only if it has no attribute and no relation. Negated propositions are omitted.
    """
    sentences = parse.document.sentences if parse.document else ()
    propositions = [_resolve_pronoun_names(p, sentences) for p in parse.propositions if p.tokens]
    if len(sentences) > 1:
        propositions = substitute_nouns(propositions)
    noun_names = NounNames(propositions, listed_only=len(sentences) > 1)
    stated_propositions = (
        p for p in propositions if noun_names.is_stated(p) and (len(sentences) > 1 or not _is_pronoun_possession(p, parse))
    )
    out = [noun_names.reword(p) for p in stated_propositions]
    if len(sentences) > 1:
        out = list(visible_propositions(out, _CLOTHING_NOUNS))
    lone_objects = () if out else (replace(p, words=(noun_names.names[noun_position(p, 0)],)) for p in propositions if len(p.words) == 1)
    return replace(parse, propositions=tuple(dict.fromkeys([*out, *lone_objects])), negated=())


class NounNames:
    """FACTUAL's names for a caption's objects, and the attributes and relations with these names."""

    def __init__(self, propositions: Sequence[Proposition], *, listed_only: bool):
        self._joined_words = {
            (noun_position(p, 0), noun_position(p, 1)) for p in propositions if _is_part_of_name(p, listed_only=listed_only)
        }
        self.names = _noun_names(propositions, self._joined_words)
        self._of_phrases = {noun_position(p, 0): p for p in propositions if len(p.words) == 3 and p.words[1] == "of"}
        self._places = {place for place, p in self._of_phrases.items() if p.words[0] in _PLACE_NOUNS}
        self._whole_by_part = {place: noun_position(p, 2) for place, p in self._of_phrases.items() if p.words[0] in _PIECE_NOUNS}

    def is_stated(self, proposition: Proposition) -> bool:
        """Return whether FACTUAL has an attribute or relation for this proposition."""
        if len(proposition.words) == 1 or proposition.words[1] in _UNSTATED_QUANTIFIERS:
            return False
        return (noun_position(proposition, 0), noun_position(proposition, 1)) not in self._joined_words and noun_position(
            proposition, 0
        ) not in self._places

    def reword(self, proposition: Proposition) -> Proposition:
        """Return an attribute or relation in FACTUAL's words."""
        if len(proposition.words) == 2:
            return replace(proposition, words=(self._name(proposition, 0), _attribute_text(proposition)))
        if proposition is self._of_phrases.get(noun_position(proposition, 0)):
            return _reword_of_relation(proposition, self.names)
        if noun_position(proposition, 2) in self._places:
            of_phrase = self._of_phrases[noun_position(proposition, 2)]
            words = self._name(proposition, 0), f"{proposition.words[1]} {proposition.words[2]} of", self.names[noun_position(of_phrase, 2)]
            return replace(proposition, words=words, tokens=(*proposition.tokens[:2], of_phrase.tokens[2]))
        return replace(proposition, words=(self._name(proposition, 0), _relation_text(proposition), self._name(proposition, 2)))

    def _name(self, proposition: Proposition, part_index: int) -> str:
        """Return the name of a noun, or for a piece ("slice of pizza") the name of its whole."""
        return self.names[self._whole_by_part.get(noun_position(proposition, part_index), noun_position(proposition, part_index))]


def _resolve_pronoun_names(proposition: Proposition, sentences: Sequence[Sentence]) -> Proposition:
    """Return the proposition with each resolved pronoun replaced by the word of its antecedent."""
    antecedents = sentences[proposition.sentence].antecedents if sentences else ()
    text_by_word = {(a.index, h.lemma): h.text for a in antecedents for h in a.heads}
    if not text_by_word:
        return proposition
    return replace(
        proposition,
        tokens=tuple(tuple(t._replace(text=text_by_word.get((t.index, t.lemma), t.text)) for t in part) for part in proposition.tokens),
    )


def _is_pronoun_possession(proposition: Proposition, parse: Parse) -> bool:
    """Return whether a possession comes from a possessive pronoun ("his"). FACTUAL rarely annotates such possessions."""
    if proposition.rule != "possessive" or parse.document is None:
        return False
    tokens, owner = parse.document.sentences[proposition.sentence].tokens, proposition.tokens[0][-1].index
    return owner == len(tokens) or tokens[owner].tag != "POS"


def _is_part_of_name(proposition: Proposition, *, listed_only: bool) -> bool:
    """Return whether an attribute right before a noun is part of the noun's name.

    The attribute must be a noun, a word in -ing or a classifying adjective, but not a material, and WordNet must list the
    compound. Unless ``listed_only`` is true, WordNet may lack a compound of two nouns.
    """
    if len(proposition.words) != 2 or proposition.rule not in ("compound", "adjective") or proposition.words[1] in _MATERIAL_WORDS:
        return False
    if proposition.tokens[1][-1].index != proposition.tokens[0][0].index - 1:
        return False
    is_in_wordnet = f"{proposition.words[1]} {proposition.words[0]}" in wordnet_without_collisions()
    may_classify = proposition.rule == "compound" or proposition.words[1].endswith("ing") or proposition.words[1] in _CLASSIFYING_ADJECTIVES
    if listed_only:
        return may_classify and is_in_wordnet and proposition.words[1] not in _SIDE_WORDS
    return may_classify and (is_in_wordnet or proposition.rule == "compound")


def _noun_names(propositions: Iterable[Proposition], name_pairs: set[tuple[NounPosition, NounPosition]]) -> dict[NounPosition, str]:
    """Return the name of each noun: the words that are part of its name, in caption order, then its surface form."""
    names: dict[NounPosition, str] = {}
    modifiers_by_noun: dict[NounPosition, dict[NounPosition, str]] = {}
    for proposition in propositions:
        for part in noun_parts(proposition):
            names[noun_position(proposition, part)] = " ".join(t.text.lower() for t in proposition.tokens[part])
        if (noun_position(proposition, 0), noun_position(proposition, 1) if len(proposition.words) > 1 else None) in name_pairs:
            modifiers_by_noun.setdefault(noun_position(proposition, 0), {})[noun_position(proposition, 1)] = proposition.tokens[1][
                -1
            ].text.lower()
    return {
        place: " ".join([*(text for _, text in sorted(modifiers_by_noun.get(place, {}).items())), name]) for place, name in names.items()
    }


def _attribute_text(proposition: Proposition) -> str:
    """Return the attribute, with digits for numbers and the surface form of verbs."""
    if proposition.rule.endswith("-verb"):
        return proposition.tokens[1][0].text.lower()
    return _DIGIT_BY_WORD.get(proposition.words[1], proposition.words[1])


def _relation_text(proposition: Proposition) -> str:
    """Return the relation in FACTUAL's spelling, with "wear" for "in" before clothes, and without "be" and "down"."""
    if proposition.words[1] == "in" and proposition.tokens[2][-1].text.lower() in _CLOTHING_NOUNS:
        return "wear"
    words = proposition.words[1].removeprefix("be ").replace(" down ", " ").split()
    return _PREDICATE_SPELLINGS.get(" ".join(words), " ".join("lay" if word == "lie" else word for word in words))


def _reword_of_relation(proposition: Proposition, names: dict[NounPosition, str]) -> Proposition:
    """Return FACTUAL's proposition for an "of" relation.

    For "slice of pizza", the pizza has the attribute "slice". For "glass of soda" and "row of trees", the soda and the trees
    are "in" the glass and the row. Any other whole "has" its part.
    """
    part, whole = names[noun_position(proposition, 0)], names[noun_position(proposition, 2)]
    if proposition.words[0] in _PIECE_NOUNS:
        return replace(proposition, words=(whole, proposition.words[0]), tokens=(proposition.tokens[2], proposition.tokens[0]))
    relation = "on" if proposition.words[0] == "plate" else "in" if proposition.words[0] in _CONTAINER_NOUNS else "have"
    return replace(proposition, words=(whole, relation, part), tokens=proposition.tokens[::-1])
