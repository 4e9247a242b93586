"""Conversion of parses to FACTUAL's conventions (Li et al., Findings of ACL 2023), for comparison.

Nodes keep plurals and compounds ("tennis courts"), numbers are digits, a whole has its parts, a place word is part of the
preposition ("on side of"), clothes are worn, and intransitive actions keep their form ("is smiling").
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from spice_core.lang.en.factual_nouns import Key, key, noun_parts, substitute_nouns
from spice_core.lang.en.factual_paragraphs import visible
from spice_core.lang.en.wordnet.database import without_collisions
from spice_core.scene.propositions import Parse, Proposition
from spice_core.syntax.document import Sentence

_DIGITS = {w: str(n) for n, w in enumerate("one two three four five six seven eight nine ten eleven twelve".split(), 1)}
_MATERIALS = frozenset(
    "metal brick glass stone plastic wooden wood concrete dirt leather steel stainless paper cement marble tile tiled gravel rubber "
    "wicker iron silver gold baby adult male female plaid pine leather denim cotton lace straw chrome".split()
)
_KINDS = frozenset("hot polar remote high teddy left right".split())
_SIDES = frozenset("left right hind front back".split())
_PLACES = frozenset("top side sides front back middle edge bottom end left right corner center centre rear inside outside".split())
_PIECES = frozenset("piece pieces slice slices part parts patch patches portion".split())
_CONTAINERS = frozenset("glass bowl bottle box row line cup jar rows lines basket bag can vase".split())
_CLOTHES = frozenset(
    "shirt t-shirt uniform suit pants shorts hat jeans outfit cap helmet glasses clothing clothes veil tie "
    "sunglasses skirt sneakers boots gloves hoodie robe scarf gear".split()
)
_UNSAID = frozenset("several many few various other".split())
_PREDICATES = {
    "atop": "on top of",
    "in between": "between",
    "beneath": "under",
    "underneath": "under",
    "inside of": "inside",
    "outside of": "outside",
}


def adapted(parse: Parse) -> Parse:
    """Return the parse with its propositions in FACTUAL's conventions; short captions have bare objects only if there is nothing else."""
    sentences = parse.document.sentences if parse.document else ()
    propositions = [_named(p, sentences) for p in parse.propositions if p.tokens]
    if len(sentences) > 1:
        propositions = substitute_nouns(propositions)
    nodes = _Nodes(propositions, listed_only=len(sentences) > 1)
    stated = (p for p in propositions if nodes.is_stated(p) and (len(sentences) > 1 or not _is_his(p, parse)))
    out = [nodes.reword(p) for p in stated]
    if len(sentences) > 1:
        out = list(visible(out, _CLOTHES))
    alone = () if out else (replace(p, words=(nodes.names[key(p, 0)],)) for p in propositions if len(p.words) == 1)
    return replace(parse, propositions=tuple(dict.fromkeys([*out, *alone])))


class _Nodes:
    """The nodes of a caption: their names, the words joined to nouns, and what "of" says about each noun."""

    def __init__(self, propositions: Sequence[Proposition], *, listed_only: bool):
        self._joined = {(key(p, 0), key(p, 1)) for p in propositions if _is_joined(p, listed_only=listed_only)}
        self.names = _names(propositions, self._joined)
        self._of = {key(p, 0): p for p in propositions if len(p.words) == 3 and p.words[1] == "of"}
        self._places = {place for place, p in self._of.items() if p.words[0] in _PLACES}
        self._wholes = {place: key(p, 2) for place, p in self._of.items() if p.words[0] in _PIECES}

    def is_stated(self, p: Proposition) -> bool:
        """Return whether FACTUAL has an attribute or relation for this proposition."""
        if len(p.words) == 1 or p.words[1] in _UNSAID:
            return False
        return (key(p, 0), key(p, 1)) not in self._joined and key(p, 0) not in self._places

    def reword(self, p: Proposition) -> Proposition:
        """Return an attribute or relation in FACTUAL's words."""
        if len(p.words) == 2:
            return replace(p, words=(self._name(p, 0), _attribute(p)))
        if p is self._of.get(key(p, 0)):
            return _of(p, self.names)
        if key(p, 2) in self._places:
            whole = self._of[key(p, 2)]
            words = self._name(p, 0), f"{p.words[1]} {p.words[2]} of", self.names[key(whole, 2)]
            return replace(p, words=words, tokens=(*p.tokens[:2], whole.tokens[2]))
        return replace(p, words=(self._name(p, 0), _relation(p), self._name(p, 2)))

    def _name(self, p: Proposition, part: int) -> str:
        """Return the name of a noun; a slice of pizza is called a pizza."""
        return self.names[self._wholes.get(key(p, part), key(p, part))]


def _named(p: Proposition, sentences: Sequence[Sentence]) -> Proposition:
    """Return the proposition with pronouns replaced by the words of their antecedents."""
    antecedents = sentences[p.sentence].antecedents if sentences else ()
    words = {(a.index, h.lemma): h.text for a in antecedents for h in a.heads}
    if not words:
        return p
    return replace(p, tokens=tuple(tuple(t._replace(text=words.get((t.index, t.lemma), t.text)) for t in part) for part in p.tokens))


def _is_his(p: Proposition, parse: Parse) -> bool:
    """Return whether a possession comes from a pronoun ("his"), which FACTUAL rarely annotates."""
    if p.rule != "possessive" or parse.document is None:
        return False
    tokens, owner = parse.document.sentences[p.sentence].tokens, p.tokens[0][-1].index
    return owner == len(tokens) or tokens[owner].tag != "POS"


def _is_joined(p: Proposition, *, listed_only: bool) -> bool:
    """Return whether an attribute is part of the noun's name: a non-material noun directly before it, or a compound in WordNet."""
    if len(p.words) != 2 or p.rule not in ("compound", "adjective") or p.words[1] in _MATERIALS:
        return False
    if p.tokens[1][-1].index != p.tokens[0][0].index - 1:
        return False
    listed = f"{p.words[1]} {p.words[0]}" in without_collisions()
    kind = p.rule == "compound" or p.words[1].endswith("ing") or p.words[1] in _KINDS
    if listed_only:
        return kind and listed and p.words[1] not in _SIDES
    return kind and (listed or p.rule == "compound")


def _names(propositions: Iterable[Proposition], joined: set[tuple[Key, Key]]) -> dict[Key, str]:
    """Return the name of each noun: its surface form, preceded by the words joined to it, in caption order."""
    names: dict[Key, str] = {}
    before: dict[Key, dict[Key, str]] = {}
    for p in propositions:
        for part in noun_parts(p):
            names[key(p, part)] = " ".join(t.text.lower() for t in p.tokens[part])
        if (key(p, 0), key(p, 1) if len(p.words) > 1 else None) in joined:
            before.setdefault(key(p, 0), {})[key(p, 1)] = p.tokens[1][-1].text.lower()
    return {place: " ".join([*(text for _, text in sorted(before.get(place, {}).items())), name]) for place, name in names.items()}


def _attribute(p: Proposition) -> str:
    """Return the attribute, with digits for numbers and the surface form of verbs."""
    if p.rule.endswith("-verb"):
        return p.tokens[1][0].text.lower()
    return _DIGITS.get(p.words[1], p.words[1])


def _relation(p: Proposition) -> str:
    """Return the relation, with "wear" for clothes and without the particle "down"."""
    if p.words[1] == "in" and p.tokens[2][-1].text.lower() in _CLOTHES:
        return "wear"
    words = p.words[1].removeprefix("be ").replace(" down ", " ").split()
    return _PREDICATES.get(" ".join(words), " ".join("lay" if word == "lie" else word for word in words))


def _of(p: Proposition, names: dict[Key, str]) -> Proposition:
    """Return what "of" says: a slice describes the pizza, soda is in its glass, trees are in a row; otherwise the whole has the part."""
    part, whole = names[key(p, 0)], names[key(p, 2)]
    if p.words[0] in _PIECES:
        return replace(p, words=(whole, p.words[0]), tokens=(p.tokens[2], p.tokens[0]))
    relation = "on" if p.words[0] == "plate" else "in" if p.words[0] in _CONTAINERS else "have"
    return replace(p, words=(whole, relation, part), tokens=p.tokens[::-1])
