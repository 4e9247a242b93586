"""FACTUAL's conventions for captions of several sentences: visible things only, clothes worn, parts owned, places without verbs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache

from spice_core.lang.en.word_lists import COLOURS, COMMENTS, FRAMES
from spice_core.lang.en.wordnet.database import ranked
from spice_core.scene.propositions import Proposition

_MATTER = frozenset("physical_entity.n.01 group.n.01".split())
_SIGHTS = frozenset(  # visible things that WordNet classes as abstract
    "shadow reflection light stripe pattern letter text message sign shape number logo design sun word dot spot line row game match meal "
    "food dish lettering inscription print graffiti mural smile expression background".split()
)
_UNSEEN = (
    FRAMES
    | COMMENTS
    | frozenset(
        "nature life world heart distance camera viewer day time moment element object presence backdrop environment surroundings area space "
        "position location focus centerpiece structure attention journey gaze gateway charm air left right foreground center centre middle side "
        "midst part rest hue color colour shade tone action activity motion point spirit attire stance angle corner vantage "
        "landmark sight lens arrangement layout individual one other majority variety example testament symbol reminder visitor onlooker quality "
        "craftsmanship beholder glimpse display show process view home narrative tapestry canvas".split()
    )
)
_WORN = frozenset("dress clothe clad don drape cloak attire garb outfit bundle".split())
_HAVE = frozenset("feature boast bear sport include contain possess comprise equip".split())
_WEAR = frozenset("don sport have with in".split())
_REVERSED = {
    "adorn": "adorn",
    "decorate": "adorn",
    "cover": "cover",
    "line": "line",
    "blanket": "cover",
    "fill": "in",
    "dot": "in",
    "speckle": "in",
}
_PLACED = frozenset("see locate situate position place find visible present nestle set spot capture depict observe".split())
_SHADES = frozenset("hue shade color colour tone tint".split())
_PREPOSITIONS = {"amidst": "among", "amid": "among", "amongst": "among", "upon": "on", "onto": "on", "within": "in", "alongside": "next to"}
_PLAIN = frozenset(
    "one of|other|another|visible|several|left|right|various|numerous|own|main|overall|entire|certain|specific|seen".split("|")
)


def visible(propositions: Iterable[Proposition], clothes: frozenset[str]) -> Iterator[Proposition]:
    """Return the propositions about visible things, with the predicates that FACTUAL's annotators choose."""
    propositions = list(propositions)
    shades = {
        (p.sentence, p.tokens[0][-1].index): p
        for p in propositions
        if len(p.words) == 3 and _last(p, 0) in _SHADES and _last(p, 2) in COLOURS
    }
    for p in propositions:
        if len(p.words) == 1:
            if _is_visible(_last(p, 0)):
                yield p
        elif len(p.words) == 2:
            if _is_visible(_last(p, 0)) and p.words[1] not in _PLAIN and _last(p, 1) not in _UNSEEN:
                yield p
        elif shade := shades.get((p.sentence, p.tokens[2][-1].index)):
            if _is_visible(_last(p, 0)):
                colour = 0 if shade.words[2] not in COLOURS else 2
                yield replace(p, words=(p.words[0], shade.words[colour]), tokens=(p.tokens[0], shade.tokens[colour]))
        elif _last(p, 2) in COLOURS and _is_visible(_last(p, 0)) and p.words[2] in COLOURS:
            yield replace(p, words=(p.words[0], p.words[2]), tokens=(p.tokens[0], p.tokens[2]))
        elif _is_visible(_last(p, 0)) and _is_visible(_last(p, 2)):
            yield _related(p, clothes)


def _related(p: Proposition, clothes: frozenset[str]) -> Proposition:
    """Return the relation in the words of FACTUAL's annotators."""
    subject, relation, object_ = p.words
    verb, _, preposition = relation.partition(" ")
    if (verb in _WORN and preposition in ("in", "with")) or (verb in _WEAR and object_.split()[-1] in clothes):
        return replace(p, words=(subject, "wear", object_))
    if verb in _REVERSED and preposition in ("with", "in", "by"):
        return replace(p, words=(object_, _REVERSED[verb], subject), tokens=p.tokens[::-1])
    if relation == "with" or (verb in _HAVE and preposition in ("", "with")):
        return replace(p, words=(subject, "have", object_))
    if verb in _PLACED and preposition:
        relation = preposition
    return replace(p, words=(subject, _PREPOSITIONS.get(relation, relation), object_))


def _last(p: Proposition, part: int) -> str:
    """Return the lemma of the last word of a part."""
    return p.tokens[part][-1].lemma if p.tokens[part] else p.words[part]


@cache
def _is_visible(lemma: str) -> bool:
    """Return whether a noun names something visible: matter, groups and places in its first sense."""
    if lemma in _UNSEEN or lemma in COLOURS:
        return False
    names = ranked().noun_kinds(lemma)
    return lemma in _SIGHTS or not names or bool(names & _MATTER)
