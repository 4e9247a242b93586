"""Conversion of the nouns of long captions to those of FACTUAL's annotators: "a body of water" becomes "water"."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from spice_core.lang.en.word_lists import COLOUR_WORDS
from spice_core.scene.propositions import Proposition
from spice_core.syntax.document import Token

_COLLECTIVE_NOUNS = frozenset(  # "a mosaic of white buildings" means white buildings
    "body expanse mix mixture blend mosaic blanket array collection combination cluster carpet sea swath stretch canopy splash pop burst "
    "assortment series bouquet handful multitude canvas bed patch pile variety range crowd hint touch tapestry riot hive sliver glimpse "
    "scattering smattering".split()
)
_SHADE_NOUNS = frozenset("hue shade color colour tone tint palette".split())
HUE_WORDS = COLOUR_WORDS - {"light"} | frozenset("silver gold golden tan teal turquoise navy crimson scarlet lavender".split())
_TONE_ADJECTIVES = frozenset("light dark deep pale navy golden".split())
NounPosition = tuple[int, int]  # sentence, and index of the last word of the noun
NounMeaning = tuple[str, tuple[Token, ...]]


def noun_position(proposition: Proposition, part_index: int) -> NounPosition:
    """Return a noun's sentence and the index of its last word there (0 if it is implicit)."""
    return proposition.sentence, proposition.tokens[part_index][-1].index if proposition.tokens[part_index] else 0


def noun_parts(proposition: Proposition) -> tuple[int, ...]:
    """Return the indices of the parts of a proposition that are nouns: the subject, and the object of a relation."""
    return (0, 2) if len(proposition.words) == 3 else (0,)


def last_lemma(proposition: Proposition, part_index: int) -> str:
    """Return the lemma of the last word of a part, or the part's text if it is implicit."""
    return proposition.tokens[part_index][-1].lemma if proposition.tokens[part_index] else proposition.words[part_index]


def substitute_nouns(propositions: Iterable[Proposition]) -> list[Proposition]:
    """Replace each noun that only introduces or counts a thing by that thing's noun.

    Also give the colours of shades to the thing that has them, and join shades such as "light blue".
    """
    propositions = _assign_hues(_join_shades(list(propositions)))
    meaning_by_noun: dict[NounPosition, NounMeaning] = {}
    link_indices = set[int]()
    for index, proposition in enumerate(propositions):
        part = _part_to_substitute(proposition)
        if part is not None and noun_position(proposition, part) not in meaning_by_noun:
            meaning_by_noun[noun_position(proposition, part)] = proposition.words[-1 - part], proposition.tokens[-1 - part]
            if len(proposition.words) == 3:
                link_indices.add(index)
    return [
        _with_intended_nouns(proposition, meaning_by_noun) for index, proposition in enumerate(propositions) if index not in link_indices
    ]


def _part_to_substitute(proposition: Proposition) -> int | None:
    """Return the index of the part that replaces the noun of another part, or None.

    Examples are "body" in "body of water", and "blue" in "the sky is a clear blue".
    """
    if proposition.rule in ("predicate-noun", "predicate-adjective"):
        return 1 if last_lemma(proposition, 1) in HUE_WORDS | _COLLECTIVE_NOUNS else None
    if len(proposition.words) < 3:
        return None
    return 0 if proposition.words[1] == "of" and last_lemma(proposition, 0) in _COLLECTIVE_NOUNS else None


def _with_intended_nouns(proposition: Proposition, intended_nouns: Mapping[NounPosition, NounMeaning]) -> Proposition:
    """Return the proposition with each noun replaced by its intended noun."""
    words, tokens = list(proposition.words), list(proposition.tokens)
    for part in noun_parts(proposition):
        for _ in intended_nouns:
            position = proposition.sentence, tokens[part][-1].index if tokens[part] else 0
            if position not in intended_nouns:
                break
            words[part], tokens[part] = intended_nouns[position]
    return replace(proposition, words=tuple(words), tokens=tuple(tokens))


def _assign_hues(propositions: list[Proposition]) -> list[Proposition]:
    """Assign the colours of shades to the thing that has them: "painted in shades of pink", "with its black and silver colors"."""
    owner_by_noun: dict[NounPosition, NounMeaning] = {}
    for proposition in propositions:
        if len(proposition.words) == 3:
            is_of_relation = proposition.words[1] == "of" and last_lemma(proposition, 0) in _SHADE_NOUNS
            if is_of_relation and last_lemma(proposition, 2) not in HUE_WORDS:
                owner_by_noun[noun_position(proposition, 0)] = proposition.words[2], proposition.tokens[2]
            elif not is_of_relation and last_lemma(proposition, 2) in _SHADE_NOUNS:
                owner_by_noun.setdefault(noun_position(proposition, 2), (proposition.words[0], proposition.tokens[0]))
    return [_reassign_colour(p, owner_by_noun.get(noun_position(p, 0))) for p in propositions]


def _reassign_colour(proposition: Proposition, owner: NounMeaning | None) -> Proposition:
    """Assign a colour of "shades" to the owner of the shades, and "pink" to a thing "painted in pink". Return other
    propositions unchanged."""
    has_colour = len(proposition.words) > 1 and last_lemma(proposition, len(proposition.words) - 1) in HUE_WORDS
    if not has_colour or (owner is None and len(proposition.words) == 2):
        return proposition
    word, tokens = owner or (proposition.words[0], proposition.tokens[0])
    return replace(proposition, words=(word, proposition.words[-1]), tokens=(tokens, proposition.tokens[-1]))


def _join_shades(propositions: list[Proposition]) -> list[Proposition]:
    """Join a tone and the colour directly after it: "a light blue sky" is light blue."""
    index_by_colour = {
        (noun_position(p, 0), noun_position(p, 1)[1]): n
        for n, p in enumerate(propositions)
        if len(p.words) == 2 and p.words[1] in COLOUR_WORDS
    }
    out: dict[int, Proposition] = dict(enumerate(propositions))
    for n, p in enumerate(propositions):
        if len(p.words) == 2 and p.words[1] in _TONE_ADJECTIVES and p.tokens[1]:
            m = index_by_colour.get((noun_position(p, 0), p.tokens[1][-1].index + 1))
            if m is not None and m in out and m != n:
                out[m] = replace(
                    out[m], words=(p.words[0], f"{p.words[1]} {out[m].words[1]}"), tokens=(p.tokens[0], (*p.tokens[1], *out[m].tokens[1]))
                )
                del out[n]
    return list(out.values())
