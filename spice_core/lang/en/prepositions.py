"""Prepositions: multiword prepositions joined, and prepositions folded into relations (spec section 2)."""

from __future__ import annotations

from spice_core.syntax.document import Dependency
from spice_core.syntax.enhancement import Edges, Tokens


def _phrases(text: str) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(phrase.split()) for phrase in text.split(", "))


_THREE_WORDS = _phrases("in front of, on top of, in place of, in spite of, in addition to, in case of, by means of, on behalf of")
# the first word governs the noun (next –nmod→ wall) or depends on it
_GOVERNING = _phrases("next to, close to, outside of, across from, away from, aside from, far from, near to, ahead of, apart from")
_HANGING = _phrases(
    "out of, off of, inside of, alongside of, because of, instead of, such as, except for, due to, according to, as of, compared to"
)
_KEPT = frozenset(("root", "acl", "acl:relcl", "advcl", "ccomp", "conj", "parataxis", "obl"))


def multiword_prepositions(tokens: Tokens, edges: Edges) -> Edges:
    """Make "next to" and "in front of" one preposition: the first word is case, the others are fixed to it."""
    words = tuple(t.text for t in tokens)
    tree = {e.dependent: e for e in edges}
    for i in range(1, len(words)):
        two = words[i - 1 : i + 1]
        if words[i - 1 : i + 2] in _THREE_WORDS:
            _join_three(tree, i)
        elif two in _GOVERNING or two in _HANGING:
            _join_two(tree, i, governing=two in _GOVERNING)
    return tuple(tree.values())


def _join_three(tree: dict[int, Dependency], first: int) -> None:
    """in –case→ front –nmod→ wall, of –case→ wall: the wall replaces the front."""
    middle, last = first + 1, first + 2
    noun = tree[last].head
    if tree[first].head == middle and noun > last and tree[noun].head == middle and tree[noun].relation in ("nmod", "obl"):
        _replace(tree, middle, noun, first)
        tree[middle] = Dependency(first, middle, "fixed")
        tree[last] = Dependency(first, last, "fixed")


def _join_two(tree: dict[int, Dependency], first: int, *, governing: bool) -> None:
    """next –nmod→ wall, to –case→ wall: the wall replaces next. out –advmod→ wall: out becomes its case."""
    second = first + 1
    noun = tree[second].head
    if noun <= second or tree[second].relation != "case":
        return
    if governing and tree[noun].head == first and tree[noun].relation in ("nmod", "obl"):
        _replace(tree, first, noun, first)
    elif tree[first].head == noun and tree[first].relation in ("case", "advmod"):
        tree[first] = Dependency(noun, first, "case")
    else:
        return
    tree[second] = Dependency(first, second, "fixed")


def _replace(tree: dict[int, Dependency], word: int, noun: int, case: int) -> None:
    """Replace the word by the noun, which inherits its dependents; ``case`` becomes the noun's preposition."""
    head, _, relation = tree[word]
    for e in list(tree.values()):
        if e.head == word:
            tree[e.dependent] = e._replace(head=noun)
    tree[noun] = Dependency(head, noun, relation if relation in _KEPT else "nmod")
    tree[case] = Dependency(noun, case, "case")


def prepositions_in_labels(tokens: Tokens, edges: Edges) -> Edges:
    """Fold the last preposition into its word's relation (obl:on, nmod:in_front_of); "by" under a passive is obl:agent."""
    case = {e.head: e.dependent for e in sorted(edges) if e.relation == "case"}
    fixed: dict[int, list[int]] = {}
    for e in sorted(edges):
        if e.relation == "fixed":
            fixed.setdefault(e.head, []).append(e.dependent)
    passive = {e.head for e in edges if e.relation in ("nsubj:pass", "aux:pass")}

    def labelled(e: Dependency) -> Dependency:
        if e.relation not in ("nmod", "obl", "acl", "advcl") or e.dependent not in case:
            return e
        first = case[e.dependent]
        name = "_".join(tokens[w - 1].text.lower() for w in (first, *fixed.get(first, ())))
        base = e.relation
        if base in ("nmod", "obl"):
            base = "obl" if e.head and tokens[e.head - 1].tag[:1] in "VJR" else "nmod"
            name = "agent" if name == "by" and e.head in passive else name
        return e._replace(relation=f"{base}:{name}")

    return tuple(map(labelled, edges))
