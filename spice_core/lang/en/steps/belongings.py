"""Step that finds the owner of the thing in a "with" phrase.

In "a man rides a horse with a saddle", the owner is the horse. In "a man rides a horse with a hat", the owner is the man.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from spice_core.lang.en.grammar import is_noun
from spice_core.lang.en.word_lists import ACTOR_NOUNS, FEMALE_NOUNS, MALE_NOUNS, PERSON_NOUNS
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Dependency

PERSON_CLASS, ANIMAL_CLASS = "person", "animal"
BELONGINGS_PATH = Path(__file__).parents[1] / "belongings.json"
_HUMAN_NOUNS = PERSON_NOUNS | MALE_NOUNS | FEMALE_NOUNS
_TOOL_NOUNS = frozenset(
    "fork spoon knife chopstick hand bat racket racquet brush key scissors hammer stick finger foot paw rope shovel broom hose tool pen "
    "pencil saw axe needle crayon toothbrush comb towel rag sponge mop fishing-rod net tongs ladle spatula magnet camera phone".split()
)
_SURFACE_MARK_NOUNS = frozenset(  # marks that anything can have on its surface
    "stripe dot spot pattern design logo print marking writing lettering label graffiti text letter word number picture trim hole crack".split()
)
_TOOL_VERBS = frozenset(
    "hit cut eat open close stir paint clean wash brush comb feed write draw dig tie wipe sweep mop swat kick touch catch chop slice carve "
    "dry scrub water spray fix repair mix scoop poke pull push lift move play photograph film sew light decorate".split()
)


def owner_class(lemma: str) -> str:
    """Return the class of owners counted together: ``person``, ``animal`` for other actors, or the noun itself."""
    return PERSON_CLASS if lemma in _HUMAN_NOUNS else ANIMAL_CLASS if lemma in ACTOR_NOUNS else lemma


@cache
def _load_shares() -> dict[str, dict[str, float]]:
    """Return the share of each thing among all belongings of an owner, by owner and thing."""
    counts: dict[str, dict[str, int]] = json.loads(BELONGINGS_PATH.read_bytes())
    return {owner: {thing: n / sum(things.values()) for thing, n in things.items()} for owner, things in counts.items()}


def ownership_share(owner: str, thing: str) -> float:
    """Return a thing's share of the belongings of an owner (a lemma) or of the owner's class, whichever is larger."""
    share = _load_shares().get(owner, {}).get(thing, 0.0)
    return max(share, _load_shares().get(owner_class(owner), {}).get(thing, 0.0))


def attach_belongings(graph: DependencyGraph) -> DependencyGraph:
    """Attach the noun of a "with" phrase to its usual owner, and a tool to its verb."""

    def attach(edge: Dependency) -> Dependency:
        if edge.relation == "nmod:with":
            return _attach_to_verb(graph, edge)
        return _attach_to_noun(graph, edge)

    return graph.map_edges(attach, "nmod:with", "obl:with")


def _attach_to_verb(graph: DependencyGraph, e: Dependency) -> Dependency:
    """Move a tool from the object to the verb if such objects rarely have it."""
    thing, verb = graph.lemma(e.dependent), graph.head(e.head, "obj")
    is_tool = thing in _TOOL_NOUNS and graph.lemma(verb) in _TOOL_VERBS
    return Dependency(verb, e.dependent, "obl:with") if is_tool and not ownership_share(graph.lemma(e.head), thing) else e


def _attach_to_noun(graph: DependencyGraph, edge: Dependency) -> Dependency:
    """Attach the noun of a "with" phrase to the noun before it if the counts make that noun a likelier owner than the subject."""
    thing, verb = graph.lemma(edge.dependent), edge.head
    is_owned = graph.has_child(edge.dependent, "nmod:poss")  # "with his hand"
    if graph.tag(verb)[:1] != "V" or is_owned or (thing in _TOOL_NOUNS and graph.lemma(verb) in _TOOL_VERBS):
        return edge
    owner = _find_preceding_owner(graph, edge)
    return Dependency(owner, edge.dependent, "nmod:with") if owner else edge


def _find_preceding_owner(graph: DependencyGraph, edge: Dependency) -> int:
    """Return the last noun between a verb and a thing if it owns the thing, or 0 otherwise.

    It owns the thing if it is the agent and the thing is not a tool, if the thing is a mark on a surface, or if such nouns
    have such things more often than the subject.
    """
    thing = graph.lemma(edge.dependent)
    phrases = [o for o in graph.children_like(edge.head, "obj", "obl:") if edge.head < o.dependent < edge.dependent]
    owner = max((o.dependent for o in phrases if is_noun(graph, o.dependent)), default=0)
    if not owner:
        return 0
    is_agent = any(o.dependent == owner and o.relation in ("obl:agent", "obl:by") for o in phrases)  # "held by a hand with painted nails"
    is_owner = (
        (is_agent and thing not in _TOOL_NOUNS)
        or thing in _SURFACE_MARK_NOUNS
        or _is_better_owner(graph.lemma(owner), _agent_lemma(graph, edge.head), thing)
    )
    return owner if is_owner else 0


def _is_better_owner(owner: str, subject: str, thing: str) -> bool:
    """Return whether ``owner`` has such a thing more often than the subject, according to the counts.

    If both belong to the same class, ``owner`` only needs to have such things at all.
    """
    share = ownership_share(owner, thing)
    is_same_class = bool(subject) and owner_class(subject) == owner_class(owner)
    return share > 0 and (is_same_class or share > (ownership_share(subject, thing) if subject else 0.0))


def _agent_lemma(graph: DependencyGraph, verb: int) -> str:
    """Return the lemma of the agent of a verb: its subject, or the noun that a participle modifies."""
    subject = graph.child_like(verb, "nsubj")
    return graph.lemma(subject or next((e.head for e in graph.parents_like(verb, "acl") if e.head), 0))
