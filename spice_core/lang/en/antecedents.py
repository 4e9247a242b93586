"""Antecedents of pronouns, and of "one", "the other" and numbers alone."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from spice_core.lang.en.word_lists import FEMALE, GROUPS, MALE, PEOPLE
from spice_core.syntax.document import Dependency, Token
from spice_core.syntax.enhancement import Edges, Tokens

_OF_PEOPLE = frozenset("he him his she her himself herself hers".split())
_OF_THINGS = frozenset("it its itself it's".split())
_MANY = frozenset("they them their themselves".split())
_HE, _SHE = frozenset("he him his himself".split()), frozenset("she her herself hers".split())
_MODIFIERS = ("compound", "fixed", "amod", "nmod:poss", "flat", "denied", "member", "det:qmod", "det:group", "det:none")
_ROLES = ("nsubj", "obj", "iobj", "obl", "nmod", "conj", "appos", "parataxis", "list", "dep")
_CLAUSES = ("acl", "acl:relcl", "advcl", "ccomp", "parataxis")
_SOME = frozenset("both some each all another neither none several".split())
_LOCAL = ("det", "case", "punct", "cc", "cop", "nummod")  # of a member, not of its group
_RECIPROCALS = {"each": ("other", "others"), "one": ("another",)}
_COUNTED = ("nummod", "det:qmod", "det:group")


def members(tokens: Tokens, edges: Edges) -> Edges:
    """Replace "one", "the other", "another" and numbers alone by the noun of the group named before them.

    "Each other" and "one another" are pronouns and name no members: their second word becomes fixed on the first.
    """
    edges = _reciprocals(tokens, edges)
    for token in tokens[1:]:
        roles = [e for e in edges if e.dependent == token.index]
        if not _is_member(tokens, edges, token, roles):
            continue
        group = _group(tokens, edges, token, roles)
        governors = {e.head for e in roles}
        acts = {e.dependent for e in edges if e.head in governors and e.relation.startswith("nsubj")}
        acts |= {e.head for e in edges if e.dependent in governors and e.relation == "acl"}
        reciprocal = group in acts and tokens[(group or 1) - 1].tag == "NNS" and not any(e.relation.startswith("nsubj") for e in roles)
        if group and not reciprocal:
            edges = _merged(edges, token.index, group)
    return edges


def _reciprocals(tokens: Tokens, edges: Edges) -> Edges:
    """Attach the second word of "each other" and "one another" to the first, which takes over all other edges."""
    for first, second in pairwise(tokens):
        if second.text.lower() not in _RECIPROCALS.get(first.text.lower(), ()):
            continue
        pair = {first.index, second.index}
        joined = any({e.head, e.dependent} == pair for e in edges)
        if any(e.dependent == second.index and e.relation in ("amod", "det") for e in edges):
            continue  # "each other dog", "one another dog"
        if not joined and len({e.head for e in edges if e.dependent in pair}) > 1:
            continue  # words of different phrases: "gives one another ball"
        swap = {second.index: first.index}
        moved = (Dependency(swap.get(h, h), swap.get(d, d), r) for h, d, r in edges)
        kept = dict.fromkeys(e for e in moved if e.head != e.dependent)
        edges = (*kept, Dependency(first.index, second.index, "fixed"))
    return edges


def _is_member(tokens: Tokens, edges: Edges, token: Token, roles: list[Dependency]) -> bool:
    """Whether a word names members of a group without its noun."""
    word, subject = token.text.lower(), any(e.relation.startswith("nsubj") for e in roles)
    if not any(e.relation.startswith(_ROLES) and e.relation != "nmod:poss" for e in roles):
        return False
    below = {e.relation: tokens[e.dependent - 1].text.lower() for e in edges if e.head == token.index}
    if {"nmod:of", "fixed", "cop", "nsubj"} & below.keys() or token.lemma not in (word, word.removesuffix("s")):
        return False  # with another lemma it is resolved
    if word in ("other", "others"):
        return below.get("det") == "the"
    return word in ("one", "ones", "another") or (subject and (token.tag == "CD" or (token.tag == "DT" and word in _SOME)))


def _group(tokens: Tokens, edges: Edges, token: Token, roles: list[Dependency]) -> int | None:
    """The noun of the group: the noun that it is coordinated with, one counted by "one" or named in the plural, or the nearest."""
    governors = {e.head for e in roles}
    modifiers = {e.dependent for e in edges if e.relation in _MODIFIERS}
    nouns = [
        t.index
        for t in tokens[: token.index - 1]
        if t.tag.startswith("NN") and t.index not in modifiers and t.lemma not in ("one", "other")
    ]
    conjoined = [e.head for e in roles if e.relation in ("conj", "appos") and e.head in nouns]
    if conjoined:
        return conjoined[0]
    if any(e.relation == "obl:than" for e in roles):
        return next((e.dependent for e in edges if e.relation.startswith("nsubj") and e.dependent in nouns), None)
    nouns = [n for n in nouns if n not in governors]
    ones = [n for n in nouns if any(e.head == n and e.relation == "nummod" and tokens[e.dependent - 1].lemma == "one" for e in edges)]
    if ones and token.lemma in ("other", "another"):
        return ones[-1]
    plural = [n for n in nouns if tokens[n - 1].tag in ("NNS", "NNPS") or tokens[n - 1].lemma in GROUPS]
    counted = [n for n in plural if any(e.head == n and e.relation in ("nummod", "det:qmod") for e in edges)]
    modified = any(e.head == token.index and e.relation.startswith(("amod", "nmod", "acl")) for e in edges)
    single = nouns[-1] if nouns and (modified or token.lemma in ("other", "another")) else None
    return counted[-1] if counted else plural[-1] if plural else single


def _merged(edges: Edges, member: int, group: int) -> Edges:
    """The edges with the group's noun in the place of the member."""
    out = []
    for e in edges:
        if e.head == member:
            out += [e._replace(head=group)] if e.relation.partition(":")[0] not in _LOCAL and e.dependent != group else []
        elif e.dependent == member:
            out += [e._replace(dependent=group)] if e.head != group else []
        else:
            out.append(e)
    return (*dict.fromkeys(out), Dependency(group, member, "member"))


def clear_pronouns(tokens: Tokens, edges: Edges) -> Edges:
    """Replace each pronoun by the noun that it refers to, with that noun's conjuncts in the plural; otherwise it gets no node.

    "Each other" and "one another" refer to the subject of their clause.
    """
    for token in tokens:
        word = token.text.lower()
        if word in _RECIPROCALS:
            meant = _reciprocal_subject(tokens, edges, token.index)
            pair = [e for e in edges if e.head == token.index and e.relation == "fixed"]
            edges = (*_resolved(tokens, edges, token.index, [meant]), *pair) if meant else edges
        if token.tag not in ("PRP", "PRP$") or word not in _OF_PEOPLE | _OF_THINGS | _MANY:
            continue
        meant = _meant(tokens, edges, token.index, word)
        if meant:
            conjuncts = (e.dependent for e in edges if e.head == meant and e.relation == "conj" and e.dependent < token.index)
            edges = _resolved(tokens, edges, token.index, [meant, *(conjuncts if word in _MANY | _OF_THINGS else ())])
    return edges


def _reciprocal_subject(tokens: Tokens, edges: Edges, word: int) -> int | None:
    """The subject that "each other" or "one another" refers to: the only one of its clause, in the plural or counted."""
    below = [e for e in edges if e.head == word and e.relation == "fixed"]
    if not any(tokens[e.dependent - 1].text.lower() in _RECIPROCALS[tokens[word - 1].text.lower()] for e in below):
        return None
    subjects = [e.dependent for e in edges if e.head == word and e.relation.startswith("nsubj")] or _subjects(tokens, edges, word)
    if len(subjects) != 1:
        return None  # in "a man and a woman kiss each other", neither kisses himself
    counted = any(e.head == subjects[0] and e.relation in _COUNTED for e in edges)
    return subjects[0] if counted or _agree(tokens[subjects[0] - 1], "them", plural=False) else None


def _resolved(tokens: Tokens, edges: Edges, pronoun: int, nouns: list[int]) -> Edges:
    """The edges with the nouns in the place of the pronoun; the subject of "is next to him" is next to them."""
    case = next((e.dependent for e in edges if e.head == pronoun and e.relation == "case"), 0)
    subjects = [e.dependent for e in edges if e.head == pronoun and e.relation.startswith("nsubj")]
    out = []
    for e in edges:
        if e.dependent == pronoun:
            out += [e._replace(dependent=noun) for noun in nouns if noun != e.head and not subjects]
        elif e.head != pronoun:
            out.append(e)
    if case:
        words = [case, *sorted(e.dependent for e in edges if e.head == case and e.relation == "fixed")]
        label = "nmod:" + "_".join(tokens[w - 1].text.lower() for w in words)
        out += [Dependency(subject, noun, label) for subject in subjects for noun in nouns if subject != noun]
    return tuple(dict.fromkeys(out))


def _meant(tokens: Tokens, edges: Edges, pronoun: int, word: str) -> int | None:
    """The antecedent: for possessives and reflexives first the subject of their clause, which other pronouns never mean.

    Then the first noun that agrees, of those before the pronoun, breadth first from the root.
    """
    own = _subjects(tokens, edges, pronoun)
    predicated = {e.dependent for e in edges if e.head == pronoun and e.relation.startswith("nsubj")}
    excluded = predicated or {e.head for e in edges if e.dependent == pronoun}
    plural = {e.head for e in edges if e.relation == "conj"}

    def fits(i: int) -> bool:
        return _agree(tokens[i - 1], word, plural=i in plural)

    if word.endswith(("self", "selves")):
        by = any(e.dependent == pronoun and e.relation in ("obl:by", "nmod:by") for e in edges)  # "by herself" is alone
        return None if by else next(filter(fits, own), None)
    if tokens[pronoun - 1].tag == "PRP$":
        first = next((i for i in own if i not in excluded and fits(i)), None)
        if first:
            return first
    elif not any(e.dependent == pronoun and e.relation.startswith("nmod") for e in edges):
        excluded |= set(own)
    nouns = [i for i in _breadth_first(edges) if i < pronoun and i not in excluded and tokens[i - 1].tag.startswith("NN")]
    owners = [e.dependent for e in edges if e.relation == "nmod:poss" and e.dependent < pronoun and e.head not in excluded - set(own)]
    return next((i for i in [*nouns, *(owners if word in _OF_PEOPLE else ())] if fits(i)), None) or next(iter(nouns), None)


def _agree(noun: Token, word: str, *, plural: bool) -> bool:
    """Whether a noun agrees with a pronoun in number, person and gender."""
    if word in _OF_PEOPLE:
        return noun.lemma in PEOPLE | MALE | FEMALE and noun.lemma not in (FEMALE if word in _HE else MALE)
    if word in _OF_THINGS:
        return noun.lemma not in PEOPLE | MALE | FEMALE and noun.tag in ("NN", "NNP")
    return noun.tag in ("NNS", "NNPS") or plural or noun.lemma in GROUPS


def _subjects(tokens: Tokens, edges: Edges, word: int) -> list[int]:
    """The nouns that are subjects of the clause around a word."""
    seen, level = {word}, [word]
    while level:
        above = [e.head for i in level for e in edges if e.dependent == i and e.head and e.relation not in _CLAUSES]
        for head in (word, *above) if level == [word] else above:
            subjects = [e.dependent for e in edges if e.head == head and e.relation.startswith("nsubj")]
            if subjects:
                return [i for i in subjects if tokens[i - 1].tag.startswith("NN")]
        level = [i for i in dict.fromkeys(above) if i not in seen]
        seen.update(level)
    return []


def _breadth_first(edges: Iterable[Dependency]) -> list[int]:
    """The words from the root down, without modifiers."""
    below: dict[int, list[Dependency]] = {}
    for e in sorted(edges):
        below.setdefault(e.head, []).append(e)
    order, seen, level = [], {0}, [0]
    while level:
        reached = [e for h in level for e in below.get(h, ()) if e.relation not in _MODIFIERS]
        level = list(dict.fromkeys(e.dependent for e in reached if e.dependent not in seen))
        seen.update(level)
        order += level
    return order
