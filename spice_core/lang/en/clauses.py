"""Implicit subjects of clauses: participles, relative clauses, purpose clauses and complements.

Each step adds subjects under labels of its own: ``nsubj:acl`` (the noun before a participle), ``nsubj:relcl``
(the noun of a relative clause) and ``nsubj:control`` (the subject of the matrix clause). Labels of passives end in
``:pass``.
"""

from __future__ import annotations

from spice_core.lang.en.word_lists import ACTORS, PLACES
from spice_core.syntax.document import Dependency, Token
from spice_core.syntax.enhancement import Edges, Tokens

_CLAUSES = ("acl", "xcomp", "advcl", "dep", "parataxis")
_SEEN = frozenset("watch see film photograph hear show".split())  # "watches a batter try to hit" is also watching the batter
_OF_OBJECTS = frozenset("have see spot notice show depict picture photograph".split())  # a place behind their object is the object's
_SUBJECT_CONTROL = frozenset("use get take make have".split())  # "uses a knife to cut": the user cuts
_PLACED = frozenset("park seat perch locate place position situate gather dock moor stack pile set pose lean line sit stand lay".split())

# what places can do to things: "a house surrounded by trees", "a car hit by a tree"
_STATIC = frozenset(
    "surround cover hit block shade flank border frame enclose line separate divide hide obscure support shadow overshadow dwarf fill "
    "decorate light illuminate crush damage strike top back follow protect crowd overgrow dominate cause form create power".split()
)

_BODILY = frozenset(
    "hold ride wear play eat watch swing throw catch read smile talk walk ski surf skate hug pet feed kick graze sleep chew drink look pose "
    "brush jump carry balance sit stand run cut cook prepare try use do take make perform enjoy text snowboard skateboard swim".split()
)


def participle_agents(tokens: Tokens, edges: Edges) -> Edges:
    """Make the by-phrase of a participle ("surrounded by lemons") its agent, unless the verb places something."""
    clauses = {e.dependent for e in edges if e.relation.partition(":")[0] in (*_CLAUSES, "root", "conj", "amod")}
    objects = {e.head for e in edges if e.relation == "obj"}

    def labelled(e: Dependency) -> Dependency:
        if e.relation not in ("obl:by", "obl:agent") or not e.head:
            return e
        verb = tokens[e.head - 1]
        acted = (verb.tag in ("VBN", "VBD") and e.head in clauses and e.head not in objects) or e.relation == "obl:agent"
        placed = verb.lemma in _PLACED or (tokens[e.dependent - 1].lemma in PLACES and verb.lemma not in _STATIC)
        reflexive = tokens[e.dependent - 1].lemma.endswith(("self", "selves"))
        return e._replace(relation="obl:agent" if acted and not placed and not reflexive else "obl:by")

    out = tuple(map(labelled, edges))
    agents = {e.head for e in out if e.relation == "obl:agent"}

    def passive(e: Dependency) -> bool:
        if e.relation != "nsubj" or e.head in objects or any(a.head == e.head and a.relation in ("aux", "cop") for a in edges):
            return False
        return e.head in agents or tokens[e.head - 1].tag == "VBN"

    return tuple(e._replace(relation="nsubj:pass") if passive(e) else e for e in out)


def relative_clauses(tokens: Tokens, edges: Edges) -> Edges:
    """Put the noun in the place of "that", "which", "who" in its relative clause, or in the gap of a reduced one."""
    out = list(edges)
    for noun, verb, relation in edges:
        if relation != "acl:relcl" or not noun:
            continue
        below = [e for e in out if e.head == verb]
        pronoun = next((e for e in below if _relative(tokens[e.dependent - 1])), None)
        inside = {e.dependent for e in below}
        whose = next((e for e in out if e.relation == "nmod:poss" and tokens[e.dependent - 1].tag == "WP$" and e.head in inside), None)
        behind = _left_behind(tokens, below, verb)
        if pronoun and not pronoun.relation.startswith("mark"):
            out.remove(pronoun)
        if whose:
            out[out.index(whose)] = whose._replace(dependent=noun)
        elif pronoun and pronoun.relation.startswith(("nsubj", "obl")):
            out.append(Dependency(verb, noun, pronoun.relation.replace("nsubj", "nsubj:relcl")))
        elif any(e.relation.startswith("nsubj") for e in below):
            if behind:
                out[out.index(behind)] = Dependency(verb, noun, f"obl:{tokens[behind.dependent - 1].text.lower()}")
            elif not _is_full(tokens, below):
                out.append(Dependency(verb, noun, "obj"))
        elif not any(tokens[e.dependent - 1].tag == "WRB" for e in below):
            out.append(Dependency(verb, noun, "nsubj:relcl:pass" if _passive(tokens, out, verb) else "nsubj:relcl"))
    return tuple(dict.fromkeys(out))


def _relative(token: Token) -> bool:
    return token.tag in ("WDT", "WP") or (token.lemma == "that" and token.tag in ("IN", "DT"))


def _left_behind(tokens: Tokens, below: list[Dependency], verb: int) -> Dependency | None:
    """The stranded preposition after the verb: "the table the jar sits on"."""
    left = [e for e in below if e.dependent > verb and tokens[e.dependent - 1].tag in ("IN", "RP", "TO")]
    return left[-1] if left and not any(e.dependent > left[-1].dependent and e.relation != "punct" for e in below) else None


def _is_full(tokens: Tokens, below: list[Dependency]) -> bool:
    """Whether a clause has no gap that its noun could fill."""
    return any(
        (e.relation in ("obj", "ccomp", "xcomp", "cop") and not _relative(tokens[e.dependent - 1])) or tokens[e.dependent - 1].tag == "WRB"
        for e in below
    )


def actors(tokens: Tokens, edges: Edges) -> Edges:
    """Reattach a participle that needs a person or animal from a place or thing to the actor above it.

    In "a man in a defensive stance holding a racquet" and "walks down a street carrying a bag" the man acts.
    """
    above = {e.dependent: e for e in reversed(edges) if e.relation != "conj"}
    out = list(edges)
    for i, e in enumerate(edges):
        if e.relation != "acl" or not e.head or tokens[e.dependent - 1].lemma not in _BODILY or tokens[e.dependent - 1].tag != "VBG":
            continue
        noun, steps = e.head, 0
        while noun and tokens[noun - 1].lemma not in ACTORS and steps < len(tokens):
            noun, steps = _above(tokens, edges, above, noun), steps + 1
        if noun and noun != e.head:
            out[i] = e._replace(head=noun)
    return tuple(out)


def _above(tokens: Tokens, edges: Edges, above: dict[int, Dependency], noun: int) -> int:
    """The noun that this one's phrase modifies, or the actor of its verb; 0 for none."""
    e = above.get(noun)
    if not e or not e.head or not e.relation.startswith(("nmod:", "obl:")) or e.relation == "nmod:poss":
        return 0
    if tokens[e.head - 1].tag.startswith("NN"):
        return e.head
    clause = above.get(e.head)
    subject = next((s.dependent for s in edges if s.head == e.head and s.relation.startswith("nsubj")), 0)
    return subject or (clause.head if clause and clause.relation.startswith("acl") else 0)


def controlled_subjects(tokens: Tokens, edges: Edges) -> Edges:
    """Add subjects of participles, purpose clauses, "while" clauses and open complements, from the root down."""
    out = list(edges)
    for clause in _top_down(edges):
        if not clause.head or clause.relation.partition(":")[0] not in _CLAUSES or clause.relation == "acl:relcl":
            continue
        verb, passive = clause.dependent, _passive(tokens, out, clause.dependent)
        named = clause.relation == "xcomp" and any(e.head == verb and e.relation == "cop" for e in edges)  # "wants to be a player"
        own = [e for e in out if e.head == verb and e.relation.startswith(("nsubj", "csubj", "expl"))]
        shared = clause.relation == "acl" and all(e.relation.startswith("nsubj:acl") for e in own)  # "men and women walking"
        if not (tokens[verb - 1].tag[:1] in "VJ" or named) or (own and not shared):
            continue
        kind, subjects = _subjects(tokens, out, clause)
        out += [Dependency(verb, s, f"nsubj:{kind}:pass" if passive else f"nsubj:{kind}") for s in subjects if s != verb]
    return tuple(dict.fromkeys(out))


def _subjects(tokens: Tokens, edges: list[Dependency], clause: Dependency) -> tuple[str, list[int]]:
    """The label and the words of the clause's subject."""
    head, verb = clause.head, clause.dependent
    tag = tokens[head - 1].tag
    if tag.startswith("NN") and not any(e.head == head and e.relation == "cop" for e in edges):
        purpose = any(e.head == verb and e.relation == "mark" and tokens[e.dependent - 1].tag == "TO" for e in edges)
        return "acl", [] if purpose and clause.relation == "acl" and tokens[head - 1].lemma not in ACTORS else [head]
    if clause.relation == "xcomp" and (tokens[head - 1].lemma not in _SUBJECT_CONTROL or tokens[verb - 1].tag == "VBN"):
        objects = [e.dependent for e in edges if e.head == head and e.relation == "obj" and tokens[e.dependent - 1].tag.startswith("NN")]
        if objects:
            return "control", objects
    subjects = [e.dependent for e in edges if e.head == head and e.relation.startswith("nsubj")]
    if not subjects and tag.startswith("J"):
        subjects = [e.head for e in edges if e.dependent == head and e.relation == "amod"]
    return "control", subjects


def seen_subjects(tokens: Tokens, edges: Edges) -> Edges:
    """Add the object of perception: to watch a batter try to hit a ball is to watch the batter."""
    actors = {e.head: e.dependent for e in edges if e.relation == "nsubj"}
    seen = [
        Dependency(e.head, actors[e.dependent], "obj")
        for e in edges
        if e.relation == "ccomp" and e.head and tokens[e.head - 1].lemma in _SEEN and e.dependent in actors
    ]
    return tuple(dict.fromkeys((*edges, *seen)))


def with_clauses(tokens: Tokens, edges: Edges) -> Edges:
    """Make the subject of a "with" clause a phrase of its governor: "with the sun rising" says that the sun is there."""
    out = list(edges)
    for clause in edges:
        mark = next((tokens[e.dependent - 1].text.lower() for e in edges if e.head == clause.dependent and e.relation == "mark"), "")
        if mark not in ("with", "without") or not clause.head or clause.relation.partition(":")[0] not in ("advcl", "acl"):
            continue
        head = clause.head
        if tokens[head - 1].lemma == "have":
            head = next((e.dependent for e in edges if e.head == head and e.relation == "nsubj"), head)
        base = "obl" if tokens[head - 1].tag[:1] in "VJR" else "nmod"
        out += [
            Dependency(head, e.dependent, f"{base}:{mark}") for e in edges if e.head == clause.dependent and e.relation.startswith("nsubj")
        ]
    return tuple(out)


def places_after_have(tokens: Tokens, edges: Edges) -> Edges:
    """Attach the place phrase after the object of "have" or "see" to that object: what something has "on it" is on it."""
    objects = {e.head: e.dependent for e in edges if e.relation == "obj" and e.head and tokens[e.head - 1].lemma in _OF_OBJECTS}

    def moved(e: Dependency) -> Dependency:
        owned = objects.get(e.head, 0)
        if not owned or not e.relation.startswith("obl:") or e.dependent < owned:
            return e
        return Dependency(owned, e.dependent, f"nmod:{e.relation.partition(':')[2]}")

    return tuple(map(moved, edges))


def _passive(tokens: Tokens, edges: list[Dependency], verb: int) -> bool:
    """Whether a past participle is passive: no object, and no form of "have"."""
    below = [e for e in edges if e.head == verb]
    if any(e.relation == "aux:pass" for e in below):
        return True
    active = any(e.relation == "obj" or (e.relation == "aux" and tokens[e.dependent - 1].lemma == "have") for e in below)
    return tokens[verb - 1].tag in ("VBN", "VBD") and not active


def _top_down(edges: Edges) -> list[Dependency]:
    """The edges in breadth-first order from the root, without duplicates."""
    below: dict[int, list[Dependency]] = {}
    for e in sorted(edges):
        below.setdefault(e.head, []).append(e)
    out, seen, level = [], {0}, [0]
    while level:
        reached = [e for head in level for e in below.get(head, ())]
        out += reached
        level = list(dict.fromkeys(e.dependent for e in reached if e.dependent not in seen))
        seen.update(level)
    return list(dict.fromkeys(out))
