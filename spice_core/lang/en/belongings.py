"""Who has what a "with" phrase names: "a man rides a horse with a saddle", "a man rides a horse with a hat"."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from spice_core.lang.en.word_lists import ACTORS, FEMALE, MALE, PEOPLE
from spice_core.syntax.document import Dependency
from spice_core.syntax.enhancement import Edges, Tokens

PERSON, ANIMAL = "person", "animal"
FILE = Path(__file__).parent / "belongings.json"
_HUMANS = PEOPLE | MALE | FEMALE
_TOOLS = frozenset(
    "fork spoon knife chopstick hand bat racket racquet brush key scissors hammer stick finger foot paw rope shovel broom hose tool pen "
    "pencil saw axe needle crayon toothbrush comb towel rag sponge mop fishing-rod net tongs ladle spatula magnet camera phone".split()
)
_MARKS = frozenset(  # on anything
    "stripe dot spot pattern design logo print marking writing lettering label graffiti text letter word number picture trim hole crack".split()
)
_USED = frozenset(
    "hit cut eat open close stir paint clean wash brush comb feed write draw dig tie wipe sweep mop swat kick touch catch chop slice carve "
    "dry scrub water spray fix repair mix scoop poke pull push lift move play photograph film sew light decorate".split()
)


def owner_class(lemma: str) -> str:
    """``person`` for all people, ``animal`` for other actors, or the noun itself."""
    return PERSON if lemma in _HUMANS else ANIMAL if lemma in ACTORS else lemma


@cache
def _shares() -> dict[str, dict[str, float]]:
    """How often an owner has each thing, as a share of all things that it has."""
    counts: dict[str, dict[str, int]] = json.loads(FILE.read_bytes())
    return {owner: {thing: n / sum(things.values()) for thing, n in things.items()} for owner, things in counts.items()}


def share(owner: str, thing: str) -> float:
    """How often an owner (a lemma) has a thing, as a share of all things that such owners have; 0 for never."""
    own = _shares().get(owner, {}).get(thing, 0.0)
    return max(own, _shares().get(owner_class(owner), {}).get(thing, 0.0))


def belongings(tokens: Tokens, edges: Edges) -> Edges:
    """Attach "with" phrases to the noun that has such things, tools to the verb that they are used for."""
    return tuple(_attached(tokens, edges, e) if e.relation in ("obl:with", "nmod:with") and e.head else e for e in edges)


def _attached(tokens: Tokens, edges: Edges, e: Dependency) -> Dependency:
    thing = tokens[e.dependent - 1].lemma
    named = any(o.head == e.dependent and o.relation == "nmod:poss" for o in edges)  # "with his hand"
    if e.relation == "nmod:with":
        verb = next((o.head for o in edges if o.dependent == e.head and o.relation == "obj"), 0)
        used = verb and thing in _TOOLS and tokens[verb - 1].lemma in _USED
        return Dependency(verb, e.dependent, "obl:with") if used and not share(tokens[e.head - 1].lemma, thing) else e
    if tokens[e.head - 1].tag[:1] != "V" or named or (thing in _TOOLS and tokens[e.head - 1].lemma in _USED):
        return e
    before = [o.dependent for o in edges if o.head == e.head and e.head < o.dependent < e.dependent and _is_phrase(tokens, o)]
    if not before:
        return e
    owner = max(before)
    known, subject = share(tokens[owner - 1].lemma, thing), _subject(tokens, edges, e.head)
    same = subject and owner_class(subject) == owner_class(tokens[owner - 1].lemma)
    better = known and (same or known > (share(subject, thing) if subject else 0.0))
    return Dependency(owner, e.dependent, "nmod:with") if better or thing in _MARKS else e


def _is_phrase(tokens: Tokens, e: Dependency) -> bool:
    return e.relation.startswith(("obj", "obl:")) and tokens[e.dependent - 1].tag.startswith("NN")


def _subject(tokens: Tokens, edges: Edges, verb: int) -> str:
    """The lemma of what does it: the subject, or the noun that a participle modifies."""
    subject = next((e.dependent for e in edges if e.head == verb and e.relation.startswith("nsubj")), 0)
    noun = subject or next((e.head for e in edges if e.dependent == verb and e.relation.startswith("acl") and e.head), 0)
    return tokens[noun - 1].lemma if noun else ""
