"""Conversion of captions of several sentences to FACTUAL's conventions.

FACTUAL states only visible things. People "wear" clothes, owners "have" parts, and a place is related by its preposition
alone: "in", not "located in".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache

from spice_core.lang.en.factual_nouns import last_lemma, noun_parts
from spice_core.lang.en.word_lists import ACTOR_NOUNS, COLOUR_WORDS, COMMENT_NOUNS, FRAME_NOUNS
from spice_core.lang.en.wordnet.database import ranked_wordnet
from spice_core.scene.propositions import Proposition

_MATTER_SENSES = frozenset("physical_entity.n.01 group.n.01".split())
_VISIBLE_NOUNS = frozenset(  # visible things that are abstract in WordNet
    "shadow reflection light stripe pattern letter text message sign shape number logo design sun word dot spot line row game match meal "
    "food dish lettering inscription print graffiti mural smile expression background kite racket wave path lot baseball arrow ring tag case "
    "yard meter poster belt doughnut lettuce label mug bleachers step cable saucer dome trim rose roll beam menu stage drink symbol drain "
    "pillar signal square foam buoy circle stem marking soil disk bubble triangle crown peak attire accent market figure memorabilia ripple "
    "icon webpage frame item present goal pedal camera tip".split()
)
_INVISIBLE_NOUNS = (
    FRAME_NOUNS
    | COMMENT_NOUNS
    | frozenset(
        "nature life world heart distance camera viewer day time moment element object presence backdrop environment surroundings area space "
        "position location focus centerpiece structure attention journey gaze gateway charm air left right foreground center centre middle side "
        "midst part rest hue color colour shade tone action activity motion point spirit attire stance angle corner vantage "
        "landmark sight lens arrangement layout individual one other majority variety example testament symbol reminder visitor onlooker quality "
        "craftsmanship sentinel breeze place everything something anything nothing symphony guardian witness protagonist companion "
        "destination feast dance shelter habitat direction boundary architecture beholder glimpse display show process view home "
        "narrative tapestry canvas".split()
    )
)
_WEARING_VERBS = frozenset("dress clothe clad don drape cloak attire garb outfit bundle".split())
_STATED_RELATIONS = frozenset(  # verbs and prepositions of at least 30 relations in FACTUAL's training graphs
    "above across against along alongside around at attach behind beside between beyond by carry catch close come connect contain cover "
    "cross cut display drive eat face fall feed fill float fly from go graze grow hang have hit hold in inside jump lay lead lean line "
    "look make mount near next on outside over overlook paint park place play pull reflect rest ride run scatter sell separate serve show "
    "sit ski sleep stack stand stick stop support surf surround swing take talk throw tie touch travel under use wait walk watch wear with "
    "work wrap write adorn among beneath".split()
)
_AIM_PREPOSITIONS = frozenset("as like to for into against toward towards".split())  # "stand as a symbol", "add to the scene"
_GARMENT_NOUNS = frozenset(
    "jersey glove helmet shoe sneaker sneakers boot sandal wetsuit sunglasses heel vest beanie cap backpack headscarf".split()
)
_SIDE_PATTERN = re.compile(r"(?:.* )?(?:to|on|at) (?:the )?(left|right)(?: side)? of")
_SIDE_PREDICATES = {"left": "at the left of", "right": "on the right side of"}
_POSSESSION_VERBS = frozenset("feature boast bear sport include contain possess comprise equip".split())
_SHOW_VERBS = _POSSESSION_VERBS | frozenset("have show reveal display".split())
_WEAR_PREDICATES = frozenset("don sport have with in".split())
_AMBIGUOUS_WEAR_PREDICATES = _WEAR_PREDICATES | _POSSESSION_VERBS | _WEARING_VERBS | {"adorn"}
_REVERSED_PREDICATES = {
    "adorn": "adorn",
    "decorate": "adorn",
    "cover": "cover",
    "line": "line",
    "blanket": "cover",
    "fill": "in",
    "dot": "in",
    "speckle": "in",
}
_PLACEMENT_VERBS = frozenset("see locate situate position place find visible present nestle set spot capture depict observe".split())
_SIDE_WORDS = ("left", "right")
_LIMB_NOUNS = frozenset("hand arm foot leg paw wing eye ear side shoulder knee".split())
_PREPOSITION_SPELLINGS = {
    "amidst": "among",
    "amid": "among",
    "amongst": "among",
    "upon": "on",
    "onto": "on",
    "within": "in",
    "alongside": "next to",
}
_UNSTATED_ATTRIBUTES = frozenset(  # attributes that annotators omit
    "one of|other|another|visible|several|various|numerous|own|main|overall|entire|certain|specific|seen|ready|discernible|unseen|"
    "located|positioned|separated|single|multiple|different|distinctive|unique|alive|simple|natural|intricate|surrounding|urban|silent|"
    "true|serene|expansive".split("|")
)


def visible_propositions(propositions: Iterable[Proposition], clothes: frozenset[str]) -> Iterator[Proposition]:
    """Yield the propositions about visible things, with the predicates of FACTUAL's annotators.

    For all other propositions, yield only their visible things.
    """
    for proposition in propositions:
        if len(proposition.words) == 3 and all(_is_visible(last_lemma(proposition, part)) for part in noun_parts(proposition)):
            proposition = _reword_relation(proposition, clothes)
        if _is_stated(proposition):
            yield proposition
        else:
            yield from _visible_things(proposition)


def _is_stated(proposition: Proposition) -> bool:
    """Return whether FACTUAL's annotators would annotate a proposition."""
    if not _is_visible(last_lemma(proposition, 0)):
        return False
    if len(proposition.words) == 2:
        return _is_stated_attribute(proposition)
    return len(proposition.words) < 3 or (_is_stated_relation(proposition.words[1].split()) and _is_visible(last_lemma(proposition, 2)))


def _is_stated_attribute(proposition: Proposition) -> bool:
    """Return whether annotators annotate an attribute. They omit actions and judgements, and use left and right only for limbs."""
    if proposition.words[1] in _SIDE_WORDS:
        return last_lemma(proposition, 0) in _LIMB_NOUNS
    is_action = proposition.rule.endswith("-verb") or proposition.rule == "predicate-noun"
    is_noun = proposition.tokens[1][-1].tag.startswith("NN")
    return (
        not is_action
        and proposition.words[1] not in _UNSTATED_ATTRIBUTES
        and not (is_noun and last_lemma(proposition, 1) in _INVISIBLE_NOUNS)
    )


def _is_stated_relation(words: list[str]) -> bool:
    """Return whether annotators annotate a relation. They omit purposes, comparisons and rare relations."""
    return words[0] in _STATED_RELATIONS and words[-1] not in _AIM_PREPOSITIONS


def _visible_things(proposition: Proposition) -> Iterator[Proposition]:
    """Yield an object for each visible thing of a proposition, except the purpose of an action and the standard of a comparison."""
    is_purpose = proposition.rule.startswith("controlled") or proposition.words[-2].split()[-1] in _AIM_PREPOSITIONS
    for part in (0,) if is_purpose else noun_parts(proposition):
        if _is_visible(last_lemma(proposition, part)):
            yield replace(proposition, words=(proposition.words[part],), tokens=(proposition.tokens[part],))


def _reword_relation(proposition: Proposition, clothes: frozenset[str]) -> Proposition:
    """Return the relation in the words of FACTUAL's annotators."""
    subject, relation, object_ = proposition.words
    verb, _, preposition = relation.partition(" ")
    if last_lemma(proposition, 2) == "background":
        return replace(proposition, words=(subject, "in", object_))
    if (predicate := _reversed_predicate(proposition, verb, preposition)) is not None:
        return replace(proposition, words=(object_, predicate, subject), tokens=proposition.tokens[::-1])
    if (verb in _WEARING_VERBS and preposition in ("in", "with")) or _means_wearing(proposition, verb, clothes):
        return replace(proposition, words=(subject, "wear", object_))
    if (side := _SIDE_PATTERN.fullmatch(relation)) is not None:
        return replace(proposition, words=(subject, _SIDE_PREDICATES[side[1]], object_))
    if relation == "with" or (verb in _POSSESSION_VERBS and preposition in ("", "with")):
        return replace(proposition, words=(subject, "have", object_))
    if verb in _PLACEMENT_VERBS and preposition:
        relation = preposition
    return replace(proposition, words=(subject, _PREPOSITION_SPELLINGS.get(relation, relation), object_))


def _reversed_predicate(proposition: Proposition, verb: str, preposition: str) -> str | None:
    """Return the relation from object to subject if annotators reverse a relation, or None: "adorn" for "walls adorned with tiles"."""
    if last_lemma(proposition, 0) == "background" and (verb in _SHOW_VERBS or proposition.words[1] == "with"):
        return "in"
    return _REVERSED_PREDICATES.get(verb) if preposition in ("with", "in", "by") and not _joins_wearer_and_garment(proposition) else None


def _means_wearing(proposition: Proposition, verb: str, clothes: frozenset[str]) -> bool:
    """Return whether a relation to clothes means wearing them."""
    if verb in _WEAR_PREDICATES and proposition.words[2].split()[-1] in clothes:
        return True
    return verb in _AMBIGUOUS_WEAR_PREDICATES and _joins_wearer_and_garment(proposition)


def _joins_wearer_and_garment(proposition: Proposition) -> bool:
    """Return whether the subject of a relation can wear clothes and the object is a garment."""
    return _is_garment(last_lemma(proposition, 2)) and _is_wearer(last_lemma(proposition, 0))


@cache
def _is_garment(lemma: str) -> bool:
    """Return whether a noun names clothes, shoes, spectacles or something else to wear."""
    return lemma in _GARMENT_NOUNS or bool(ranked_wordnet().noun_kinds(lemma, ("clothing.n.01", "footwear.n.01", "spectacles.n.01")))


@cache
def _is_wearer(lemma: str) -> bool:
    """Return whether a noun names a person, or an actor such as "dog" or "mannequin"."""
    return lemma in ACTOR_NOUNS or bool(ranked_wordnet().noun_kinds(lemma, ("person.n.01",)))


@cache
def _is_visible(lemma: str) -> bool:
    """Return whether a noun names something visible.

    Some nouns are listed as visible or invisible, and colours are invisible. Any other noun names something visible if WordNet
    lacks it or its most frequent sense is a physical entity or a group.
    """
    if lemma in _INVISIBLE_NOUNS or lemma in COLOUR_WORDS:
        return False
    names = ranked_wordnet().noun_kinds(lemma, ("entity.n.01", *_MATTER_SENSES))
    return lemma in _VISIBLE_NOUNS or not names or bool(names & _MATTER_SENSES)
