"""Steps within noun phrases: multiword prepositions, compounds, pictures and shapes, coordination."""

from __future__ import annotations

from itertools import pairwise

from spice_core.lang.en.prepositions import multiword_prepositions
from spice_core.syntax.document import Dependency
from spice_core.syntax.enhancement import Edges, Tokens

_NOMINAL = ("nmod", "obl")
_NOUN_ROLES = ("root", "nsubj", "obj", "iobj", "obl", "nmod", "appos")
_OWN = ("det", "advmod", "cc")  # of an adjective
_PAIRS = frozenset("next to, close to, across from, away from, far from, ahead of, near to, out of, off of".split(", "))
_BESIDE = tuple(f"nmod:{p}" for p in "near next_to in_front_of beside behind between close_to across_from".split())
_SHAPES = frozenset(
    "row line herd flock stack pile side portion plate bowl jar box slice piece school pack set collection fleet basket tray vase".split()
)
_PICTURES = frozenset("close view picture photo photograph image shot painting drawing closeup close-up pic portrait scene".split())
_PLACES = frozenset(f"obl:{p}" for p in "on in along across through outside inside near beside under behind".split())
_STANDING = frozenset(f"nmod:{p}" for p in "on in at near under behind beside by next_to in_front_of".split())
_FRAMES = frozenset("picture photo photograph image shot".split())


# --- prepositions ----------------------------------------------------------------------------------------------------


def whole_prepositions(tokens: Tokens, edges: Edges) -> Edges:
    """Join "next to", "in front of", and every sequence of prepositions before a noun ("out of", "from behind")."""
    lower = tuple(t._replace(text=t.text.lower()) for t in tokens)
    tree = {e.dependent: e for e in multiword_prepositions(lower, edges)}
    for first, second in pairwise(tokens):
        one, two = tree.get(first.index), tree.get(second.index)
        if one and two and one.relation == two.relation == "case" and one.head == two.head > second.index:
            if second.tag == "POS":
                continue
            tree[second.index] = Dependency(first.index, second.index, "fixed")
        elif one and two and one.relation == "fixed" and two.relation == "case" and tree[one.head].head == two.head:
            tree[second.index] = Dependency(one.head, second.index, "fixed")
    for first, second in pairwise(tokens):
        one, two = tree.get(first.index), tree.get(second.index)
        pair = f"{first.text} {second.text}".lower()
        if one and two and pair in _PAIRS and two.relation == "case" and one.head == tree[two.head].head and one.relation != "fixed":
            tree[first.index] = Dependency(two.head, first.index, "case")
            tree[second.index] = Dependency(first.index, second.index, "fixed")
    return tuple(tree.values())


def parts_of_a_whole(tokens: Tokens, edges: Edges) -> Edges:
    """What "of" follows directly is what it is part of: the road depends on "side" in "trees on the side of the road"."""
    of = {e.head: e.dependent for e in edges if e.relation == "case" and tokens[e.dependent - 1].text.lower() == "of"}

    def moved(e: Dependency) -> Dependency:
        before = of.get(e.dependent, 1) - 1
        apart = before and e.relation in _NOMINAL and e.head != before and tokens[before - 1].tag.startswith("NN")
        return (
            Dependency(before, e.dependent, "nmod")
            if apart and not any(x.relation == "fixed" and x.dependent == before for x in edges)
            else e
        )

    return tuple(map(moved, edges))


def close_ups(tokens: Tokens, edges: Edges) -> Edges:
    """Treat "close up" as one noun: "up" becomes the particle of "close", and the cat of "a close up of a cat" its "of"."""
    tree = {e.dependent: e for e in edges}
    for close, up in pairwise(tokens):
        if (close.text.lower(), up.text.lower()) != ("close", "up") or not any(
            e.dependent < close.index and e.head == close.index for e in edges
        ):
            continue
        for e in edges:
            if e.head == up.index:
                tree[e.dependent] = e._replace(head=close.index)
        tree[up.index] = Dependency(close.index, up.index, "compound:prt")
    return tuple(tree.values())


def names(tokens: Tokens, edges: Edges) -> Edges:
    """Make the last word of a flat name its head: "Albert Einstein" is an Einstein."""
    parts: dict[int, list[int]] = {}
    for e in sorted(edges, key=lambda e: e.dependent):
        if e.relation.partition(":")[0] == "flat" and tokens[e.dependent - 1].tag.startswith("NN"):
            parts.setdefault(e.head, []).append(e.dependent)
    for first, (*others, last) in parts.items():
        if tokens[first - 1].tag.startswith("NN"):
            kept = [e for e in edges if e.dependent not in (*others, last)]
            swapped = [
                e._replace(head=last if e.head == first else e.head, dependent=last if e.dependent == first else e.dependent) for e in kept
            ]
            edges = (*swapped, *(Dependency(last, part, "compound") for part in (first, *others)))
    return edges


def lone_adjectives(tokens: Tokens, edges: Edges) -> Edges:
    """Attach an adjective with a coordinated noun to that noun: "a black and a white dog" is a dog, black and white."""
    for adjective in [t.index for t in tokens if t.tag.startswith("J")]:
        conjuncts = [e.dependent for e in edges if e.head == adjective and e.relation == "conj"]
        noun = next((c for c in conjuncts if tokens[c - 1].tag.startswith("NN")), 0)
        above = next((e for e in edges if e.dependent == adjective), None)
        predicate = any(e.head == adjective and e.relation.startswith(("cop", "nsubj")) for e in edges)
        if noun and above and above.relation == "amod" and above.head > noun and tokens[above.head - 1].tag in ("VBZ", "VBP", "VBD"):
            above = above._replace(relation="nsubj")  # "a big and a small dog play"
        if not noun or not above or predicate or above.relation.partition(":")[0] not in _NOUN_ROLES:
            continue
        out = [e for e in edges if not (e.head == adjective and e.relation == "conj") and e.dependent != adjective]
        out = [e._replace(head=noun) if e.head == adjective and e.relation not in _OWN else e for e in out]
        adjectives = [adjective, *(c for c in conjuncts if c < noun and tokens[c - 1].tag.startswith("J"))]
        further = [Dependency(noun, c, "conj") for c in conjuncts if c != noun and c not in adjectives]
        edges = (*out, above._replace(dependent=noun), *(Dependency(noun, a, "amod") for a in adjectives), *further)
    return edges


def flat_compounds(tokens: Tokens, edges: Edges) -> Edges:
    """Attach every modifier within a compound to its head: "a barbed wire fence" is a fence, barbed and wire."""
    above = {e.dependent: e.head for e in edges if e.relation == "compound"}

    def flat(e: Dependency) -> Dependency:
        head = e.head
        while e.relation in ("amod", "compound") and head in above and above[head] > head:
            head = above[head]
        return e._replace(head=head)

    return tuple(map(flat, edges))


def places_of_the_whole(tokens: Tokens, edges: Edges) -> Edges:
    """Attach places to the first noun of a chain: in "a vase with flowers near a window" the vase is near the window."""
    above = {e.dependent: e for e in edges if e.relation.startswith("nmod:")}

    def moved(e: Dependency) -> Dependency:
        head = e.head
        itself = tokens[e.dependent - 1].tag == "PRP"  # "with people next to it": "it" is the whole
        while not itself and e.relation in _BESIDE and head in above and above[head].relation not in ("nmod:of", "nmod:poss", *_BESIDE):
            head = above[head].head
        return e._replace(head=head)

    return tuple(map(moved, edges))


def depicted(tokens: Tokens, edges: Edges) -> Edges:
    """Move places and participles from the picture to what it shows, the cat in "a picture of a cat"."""
    of = {e.head: e.dependent for e in edges if e.relation == "nmod:of" and e.head and tokens[e.head - 1].lemma in _PICTURES}

    def moved(e: Dependency) -> Dependency:
        shown = of.get(e.head, 0)
        names_preposition = (e.relation.startswith("nmod:") and e.relation != "nmod:poss") or e.relation in ("acl", "acl:relcl", "advcl")
        return e._replace(head=shown) if shown and names_preposition and e.dependent > shown else e

    return tuple(map(moved, edges))


def frames(tokens: Tokens, edges: Edges) -> Edges:
    """The picture itself is not in the picture: "in the photograph" gives nothing."""
    modified = {e.head for e in edges if e.relation not in ("det", "case", "punct")}

    def changed(e: Dependency) -> Dependency:
        noun = tokens[e.dependent - 1]
        frame = e.relation in ("nmod:in", "obl:in") and noun.lemma in _FRAMES and noun.tag == "NN" and noun.index not in modified
        definite = frame and any(d.head == noun.index and tokens[d.dependent - 1].lemma in ("the", "this") for d in edges)
        return e._replace(relation="frame") if definite else e

    return tuple(map(changed, edges))


def shapes_act(tokens: Tokens, edges: Edges) -> Edges:
    """Attach a participle to the shape or container before it: in "a row of carts sitting in a yard" the row sits."""
    of = {e.dependent: e.head for e in edges if e.relation == "nmod:of" and e.head and tokens[e.head - 1].lemma in _SHAPES}
    return tuple(e._replace(head=of[e.head]) if e.relation == "acl" and e.head in of else e for e in edges)


# --- coordination ----------------------------------------------------------------------------------------------------


def coordination(tokens: Tokens, edges: Edges) -> Edges:
    """Share the first conjunct's governor and subject, and modifiers after the last conjunct, among all conjuncts."""
    if not any(e.relation == "conj" for e in edges):
        return edges
    above = {e.dependent: e for e in edges}
    groups: dict[int, list[int]] = {}
    for e in sorted(edges, key=lambda e: e.dependent):
        if e.relation == "conj":
            first = e.head
            while first in above and above[first].relation == "conj":
                first = above[first].head
            groups.setdefault(first, []).append(e.dependent)
    out = list(edges)
    for first, others in sorted(groups.items(), key=lambda g: _depth(above, g[0])):
        out += _taken_back(tokens, out, first, others)
        out += _raised(tokens, out, first, others)
        for other in others:
            out += [_governed(tokens, edges, e, other) for e in out if e.dependent == first and e.head not in (0, other)]
            out += _shared(tokens, out, first, other, others[-1])
    return tuple(dict.fromkeys(out))


def _taken_back(tokens: Tokens, edges: list[Dependency], first: int, others: list[int]) -> list[Dependency]:
    """The places behind the last verb, for a first verb that has nothing but "and": "kids run and jump on the beach"."""
    last = others[-1]
    bare = all(e.dependent <= others[0] or e.relation == "punct" for e in edges if e.head == first and e.dependent not in others)
    verbs = all(tokens[i - 1].tag[:1] == "V" for i in (first, *others))
    own = [e for e in edges if e.head == last]
    if not (bare and verbs) or any(e.relation.startswith(("nsubj", "obj", "compound:prt", "xcomp", "ccomp")) for e in own):
        return []
    return [e._replace(head=first) for e in own if e.relation in _PLACES and e.dependent > last]


def _raised(tokens: Tokens, edges: list[Dependency], first: int, others: list[int]) -> list[Dependency]:
    """The places behind the last of coordinated nouns, for a first one without any phrase: "a boy and a girl on a swing"."""
    nouns = all(tokens[i - 1].tag.startswith("NN") for i in (first, *others))
    above = next(e for e in edges if e.dependent == first).relation
    own = any(e.head in (first, *others[:-1]) and e.relation.startswith(("nmod", "acl")) for e in edges)
    if not nouns or own or above not in ("root", "nsubj", "nsubj:pass"):
        return []
    return [e._replace(head=first) for e in edges if e.head == others[-1] and e.relation in _STANDING and e.dependent > others[-1]]


def _depth(above: dict[int, Dependency], word: int) -> int:
    depth = 0
    while word and depth <= len(above):
        word, depth = above[word].head, depth + 1
    return depth


def _governed(tokens: Tokens, edges: Edges, e: Dependency, other: int) -> Dependency:
    """The first conjunct's incoming edge for another conjunct, with that one's own preposition if it has one."""
    base = e.relation.partition(":")[0]
    case = next((c.dependent for c in edges if c.head == other and c.relation == "case" and tokens[c.dependent - 1].tag != "POS"), 0)
    if base not in _NOMINAL or e.relation == "nmod:poss" or not case:
        return e._replace(dependent=other)
    words = [case, *sorted(f.dependent for f in edges if f.head == case and f.relation == "fixed")]
    return Dependency(e.head, other, f"{base}:{'_'.join(tokens[w - 1].text.lower() for w in words)}")


def _shared(tokens: Tokens, edges: list[Dependency], first: int, other: int, last: int) -> list[Dependency]:
    """Edges that another conjunct shares with the first: the subject of a predicate, and modifiers after the last conjunct."""
    outgoing = [e for e in edges if e.head == other]
    has_subject = any(e.relation.startswith("nsubj") for e in outgoing)
    copula = any(e.head == first and e.relation == "cop" for e in edges)
    out = []
    for e in edges:
        if e.head != first:
            continue
        noun = tokens[other - 1].tag.startswith("NN")
        subject = e.relation.startswith("nsubj") and (tokens[other - 1].tag[:1] in "VJ" or (noun and copula)) and not has_subject
        if e.relation == "cop" and noun and not has_subject:
            out.append(e._replace(head=other))
        behind = e.dependent > last and e.relation.startswith(("nmod", "obl", "acl", "obj")) and e.relation not in ("nmod:of", "nmod:poss")
        if subject or behind:
            passive = e.relation == "nsubj:pass" and tokens[other - 1].tag in ("VBG", "VBZ", "VBP")
            out.append(Dependency(other, e.dependent, "nsubj" if passive else e.relation))
    return out
