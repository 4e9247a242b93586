"""Reanalysis of basic trees where parsers and treebanks disagree, or where a construction has its words in another order."""

from __future__ import annotations

from spice_core.syntax.document import Dependency, Token
from spice_core.syntax.enhancement import Edges, Tokens

_FINITE = ("VBZ", "VBP", "VBD")
_SAY = frozenset("say read spell state".split())


def reanalysis(tokens: Tokens, edges: Edges) -> Edges:
    """The tree with these turned round: inversion, clauses of "which", seen actions, words on signs, lists, appositions, stranded "on"."""
    for change in (_stranded, _which_clauses, _inversion, _complements, _conjuncts, _appositions, _existential, _how_many):
        edges = change(tokens, edges)
    return edges


def _stranded(tokens: Tokens, edges: Edges) -> Edges:
    """A preposition behind its noun is an adverb: "a man with a cap on"."""
    behind = [e for e in edges if e.relation == "case" and e.dependent > e.head and tokens[e.dependent - 1].tag != "POS"]
    before = {e.head for e in edges if e.relation == "case" and e.dependent < e.head}
    return tuple(e._replace(relation="advmod") if e in behind and e.head in before else e for e in edges)


def _which_clauses(tokens: Tokens, edges: Edges) -> Edges:
    """A clause whose subject is "which", "that" or "who" belongs to the noun right before that word."""

    def changed(e: Dependency) -> Dependency:
        pronoun = next((s.dependent for s in edges if s.head == e.dependent and s.relation.startswith("nsubj")), 0)
        if e.relation not in ("advcl", "conj", "parataxis") or pronoun < 2 or tokens[pronoun - 1].tag not in ("WDT", "WP"):
            return e
        noun = pronoun - 1
        return Dependency(noun, e.dependent, "acl:relcl") if tokens[noun - 1].tag.startswith("NN") and noun != e.dependent else e

    return tuple(map(changed, edges))


def _inversion(tokens: Tokens, edges: Edges) -> Edges:
    """What stands behind a finite verb without a subject, a place before it, is the subject: "On the table lie three apples"."""

    def changed(e: Dependency) -> Dependency:
        if e.relation != "obj" or not e.head or tokens[e.head - 1].tag not in _FINITE or e.dependent < e.head:
            return e
        below = [o for o in edges if o.head == e.head]
        place = any(o.relation in ("obl", "advmod") and o.dependent < e.head and tokens[o.dependent - 1].tag[:1] in "NRE" for o in below)
        subject = any(o.relation.startswith(("nsubj", "csubj", "expl", "aux")) for o in below)
        return e._replace(relation="nsubj") if place and not subject else e

    return tuple(map(changed, edges))


def _complements(tokens: Tokens, edges: Edges) -> Edges:
    """A verb with a subject is a clause ("sees girls swim"), a noun after "says" an object (words on a sign)."""
    acting = {e.head for e in edges if e.relation == "nsubj"}

    def changed(e: Dependency) -> Dependency:
        word = tokens[e.dependent - 1]
        if e.relation == "obj" and word.tag[:1] == "V" and e.dependent in acting:
            return e._replace(relation="ccomp")
        if e.relation in ("ccomp", "xcomp") and e.head and tokens[e.head - 1].lemma in _SAY and e.dependent not in acting:
            return e._replace(relation="obj") if word.tag[:1] in "NJCF" else e
        return e

    return tuple(map(changed, edges))


def _conjuncts(tokens: Tokens, edges: Edges) -> Edges:
    """A list without "and" is coordinated; a conjunct with a preposition of its own beside a phrase is a phrase, too."""
    cases = {e.head for e in edges if e.relation == "case" and tokens[e.dependent - 1].tag != "POS"}
    determined = {e.head for e in edges if e.relation in ("det", "nummod")}

    def is_noun(token: Token) -> bool:
        return token.tag.startswith("NN")

    def changed(e: Dependency) -> Dependency:
        if not e.head or not is_noun(tokens[e.dependent - 1]) or e.dependent < e.head:
            return e
        if e.relation == "dep" and is_noun(tokens[e.head - 1]) and e.dependent in determined and e.dependent not in cases:
            return e._replace(relation="conj")
        beside = any(o.head == e.head and o.relation in ("nmod", "obl") and o.dependent < e.dependent for o in edges)
        if e.relation == "conj" and e.dependent in cases and e.head not in cases and beside:
            return e._replace(relation="nmod" if is_noun(tokens[e.head - 1]) else "obl")
        return e

    return tuple(map(changed, edges))


def _appositions(tokens: Tokens, edges: Edges) -> Edges:
    """A noun between two commas, without "and", is in apposition: "My dog, Rex, sleeps"."""
    coordinated = {e.dependent for e in edges if e.relation == "conj"}
    joined = {e.head for e in edges if e.relation == "cc"}
    commas = {e.dependent for e in edges if tokens[e.dependent - 1].text == ","}

    def changed(e: Dependency) -> Dependency:
        nouns = e.head and all(tokens[i - 1].tag.startswith("NN") for i in (e.head, e.dependent)) and e.head < e.dependent
        cased = any(o.head == e.dependent and o.relation == "case" for o in edges)
        if not nouns or cased or e.relation not in ("conj", "nmod") or e.dependent + 1 not in commas:
            return e
        before = any(e.head < comma < e.dependent for comma in commas)
        others = {o.dependent for o in edges if o.head == e.head and o.dependent in coordinated} - {e.dependent}
        return e._replace(relation="appos") if before and not others and not joined & {e.head, e.dependent} else e

    return tuple(map(changed, edges))


def _existential(tokens: Tokens, edges: Edges) -> Edges:
    """What "there is" somewhere is there: "on the roof there is a cat" is a cat on the roof."""
    there = {e.head for e in edges if e.relation == "expl"}
    subjects = {e.head: e.dependent for e in edges if e.relation == "nsubj" and e.head in there and tokens[e.head - 1].lemma == "be"}

    def changed(e: Dependency) -> Dependency:
        return Dependency(subjects[e.head], e.dependent, "nmod") if e.relation == "obl" and e.head in subjects else e

    return tuple(map(changed, edges))


def _how_many(tokens: Tokens, edges: Edges) -> Edges:
    """The "many" of "how many" describes nothing."""
    asked = {e.head for e in edges if tokens[e.dependent - 1].text.lower() == "how" and e.relation == "advmod"}
    return tuple(e._replace(relation="det") if e.dependent in asked and e.relation == "amod" else e for e in edges)
