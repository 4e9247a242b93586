"""Negation: what a sentence denies is not there."""

from __future__ import annotations

from spice_core.syntax.document import Dependency
from spice_core.syntax.enhancement import Edges, Tokens

_NOT = frozenset("not n't nt never".split())
_NOBODY = frozenset("nobody nothing none no-one".split())
_NEITHER = frozenset("neither none nor".split())
_MODIFIERS = ("amod", "compound", "flat", "nummod")
_SUBJECTS = ("nsubj", "csubj")


def negation(tokens: Tokens, edges: Edges) -> Edges:
    """Remove the relations of denied nouns and verbs; a denied verb takes its direct object along.

    Denied are the nouns of "no", "without" and "not a", and the verbs of "not", "never", "neither" and of denied subjects.
    Denied nouns and their modifiers get the label ``denied``; other nouns in their phrases stay.
    """
    nouns, verbs = _denied(tokens, edges)
    if not nouns and not verbs:
        return edges
    out = []
    for e in edges:
        if e.head in nouns and e.relation in _MODIFIERS:
            out.append(e._replace(relation="denied"))
        elif (e.dependent in nouns and e.relation in _MODIFIERS) or not _removed(e, nouns, verbs):
            out.append(e)
    return (*out, *(Dependency(_neighbour(edges, noun), noun, "denied") for noun in sorted(nouns)))


def _neighbour(edges: Edges, noun: int) -> int:
    """The governor of a noun, or its first dependent."""
    above = [e.head for e in edges if e.dependent == noun and e.head]
    return next(iter(above or [e.dependent for e in edges if e.head == noun]), 0)


def _removed(e: Dependency, nouns: set[int], verbs: set[int]) -> bool:
    if e.head in nouns:
        return e.relation not in ("det", "case", "punct", "conj", "cc", "fixed", "parataxis")
    if e.dependent in nouns:
        return True
    return e.head in verbs and e.relation.startswith((*_SUBJECTS, "obj", "iobj", "obl:agent", "case"))


def _denied(tokens: Tokens, edges: Edges) -> tuple[set[int], set[int]]:
    """The denied nouns and the denied verbs (with predicates), closed under what follows from each."""
    nouns, verbs = set[int](), set[int]()
    for e in edges:
        word, tag = tokens[e.dependent - 1].text.lower(), tokens[e.head - 1].tag if e.head else ""
        if e.relation == "det" and word == "no" and not _is_sign(tokens, edges, e.head):
            nouns.add(e.head)
        elif e.relation.startswith(("nmod:without", "obl:without")) or (word in _NOBODY and not _governs(edges, e.dependent, "nmod:of")):
            nouns.add(e.dependent)
        elif (e.relation == "advmod" and word in _NOT) or (e.relation == "mark" and word == "without"):
            only = any(o.dependent == e.dependent + 1 and tokens[e.dependent].lemma == "only" for o in edges)
            if not only:
                (nouns if tag.startswith("NN") and not _governs(edges, e.head, "case") else verbs).add(e.head)
        elif word == "neither" and e.relation in ("expl", "advmod", "cc:preconj") and (noun := _first_of_nor(tokens, edges, e.dependent)):
            nouns.add(noun)
        elif word == "neither" and e.relation == "advmod" and _nor_subject(tokens, edges, e):
            verbs.add(e.head)
        elif e.relation.startswith("nsubj") and _is_neither(tokens, edges, e.dependent):
            later = [o.head for o in edges if o.dependent == e.dependent and o.relation.startswith("nsubj") and o.head > e.dependent]
            verbs.add(min(later, default=e.head))
    while True:
        more = _more_nouns(tokens, edges, nouns, verbs), _more_verbs(tokens, edges, nouns, verbs)
        if more[0] <= nouns and more[1] <= verbs:
            return nouns, verbs
        nouns |= more[0]
        verbs |= more[1]


def _first_of_nor(tokens: Tokens, edges: Edges, neither: int) -> int | None:
    """The noun behind "neither" that is there, or is had, together with another behind "nor"."""
    first = min(
        (e.head for e in edges if e.relation.startswith("conj") and e.head > neither and _joined(tokens, edges, e.dependent)), default=0
    )
    there = any(e.dependent == first and (e.relation == "obj" or _governs(edges, e.head, "expl")) for e in edges)
    return first if there and tokens[first - 1].tag.startswith("NN") else None


def _nor_subject(tokens: Tokens, edges: Edges, neither: Dependency) -> bool:
    """Whether what stands behind "neither" and "nor" are the subjects of the verb: "neither the man nor the woman sits"."""
    subjects = {e.dependent for e in edges if e.head == neither.head and e.relation.startswith("nsubj") and e.dependent > neither.dependent}
    return any(e.head in subjects and e.relation.startswith("conj") and _joined(tokens, edges, e.dependent) for e in edges)


def _is_sign(tokens: Tokens, edges: Edges, noun: int) -> bool:
    """Whether "no" belongs to the text of a sign: "a no parking sign", "reads no parking"."""
    if any(e.dependent == noun and e.relation == "obj" and e.head and tokens[e.head - 1].lemma in ("say", "read", "spell") for e in edges):
        return True
    modifier = any(e.dependent == noun and e.relation == "compound" for e in edges)
    return modifier or (tokens[noun - 1].lemma == "sign" and any(e.head == noun and e.relation in ("compound", "amod") for e in edges))


def _is_neither(tokens: Tokens, edges: Edges, subject: int) -> bool:
    """Whether the subject is "neither of them", "neither boy" or "neither a boy nor a girl"."""
    below = [e.dependent for e in edges if e.head == subject and e.relation in ("det", "cc:preconj", "det:none")]
    return any(tokens[i - 1].text.lower() in _NEITHER for i in (subject, *below))


def _more_nouns(tokens: Tokens, edges: Edges, nouns: set[int], verbs: set[int]) -> set[int]:
    """Objects of denied verbs, what is not there, and what "or" adds to a denied noun."""
    out = set[int]()
    for e in edges:
        noun = tokens[e.dependent - 1].tag.startswith("NN")
        exists = e.relation == "nsubj" and _governs(edges, e.head, "expl")
        if noun and e.head in verbs and (e.relation in ("obj", "iobj") or exists):
            out.add(e.dependent)
        if (
            noun
            and e.head in nouns
            and e.relation == "conj"
            and (_joined(tokens, edges, e.dependent) or not _governs(edges, e.dependent, "det"))
        ):
            out.add(e.dependent)
    return out


def _more_verbs(tokens: Tokens, edges: Edges, nouns: set[int], verbs: set[int]) -> set[int]:
    """Verbs of denied subjects or objects, complements of denied verbs, and what "or" adds to a denied verb."""
    out = set[int]()
    for e in edges:
        if e.relation.startswith("nsubj") and e.dependent in nouns and not _governs(edges, e.head, "expl"):
            subjects = {s.dependent for s in edges if s.head == e.head and s.relation.startswith("nsubj")}
            out |= {e.head} if subjects <= nouns else set()
        if e.relation == "obj" and e.dependent in nouns and not any(o.relation == "iobj" and o.head == e.head for o in edges):
            objects = {o.dependent for o in edges if o.head == e.head and o.relation == "obj"}
            out |= {e.head} if objects <= nouns else set()  # who "has no sails" has nothing
        if e.head in verbs and (e.relation in ("xcomp", "ccomp") or (e.relation == "conj" and _joined(tokens, edges, e.dependent))):
            out.add(e.dependent)
    return {i for i in out if not tokens[i - 1].tag.startswith("NN") or _governs(edges, i, "case", "cop")}


def _joined(tokens: Tokens, edges: Edges, conjunct: int) -> bool:
    """Whether "or" or "nor" stands before a conjunct."""
    return any(e.head == conjunct and e.relation == "cc" and tokens[e.dependent - 1].text.lower() in ("or", "nor") for e in edges)


def _governs(edges: Edges, head: int, *relations: str) -> bool:
    return any(e.head == head and e.relation in relations for e in edges)
