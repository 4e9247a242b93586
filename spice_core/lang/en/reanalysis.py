"""Reanalysis of basic trees where parsers and treebanks disagree, or where a construction has its words in another order."""

from __future__ import annotations

from spice_core.lang.en.tree_repair import GERUND_VERBS
from spice_core.syntax.document import Dependency, Token
from spice_core.syntax.enhancement import Edges, Tokens

_FINITE = ("VBZ", "VBP", "VBD")
_SAY = frozenset("say read spell state".split())


def reanalysis(tokens: Tokens, edges: Edges) -> Edges:
    """The tree with these turned round: inversion, clauses of "which", seen actions, words on signs, lists, appositions, stranded "on"."""
    for change in (
        _stranded,
        _which_clauses,
        _inversion,
        _complements,
        _conjuncts,
        _appositions,
        _existential,
        _how_many,
        _siblings,
        _gerunds,
        _numbers,
    ):
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
        if e.relation not in ("advcl", "conj", "parataxis", "obl", "nmod") or pronoun < 2 or tokens[pronoun - 1].tag not in ("WDT", "WP"):
            return e
        noun = pronoun - 1
        return Dependency(noun, e.dependent, "acl:relcl") if tokens[noun - 1].tag.startswith("NN") and noun != e.dependent else e

    return tuple(map(changed, edges))


def _inversion(tokens: Tokens, edges: Edges) -> Edges:
    """What stands behind a finite verb without a subject, a place or "there" before it, is the subject: "On the table lie apples"."""

    def changed(e: Dependency) -> Dependency:
        if e.relation != "obj" or not e.head or tokens[e.head - 1].tag not in _FINITE or e.dependent < e.head:
            return e
        below = [o for o in edges if o.head == e.head]
        place = any(o.relation in ("obl", "advmod") and o.dependent < e.head and tokens[o.dependent - 1].tag[:1] in "NRE" for o in below)
        there = any(o.relation == "expl" for o in below)
        subject = any(o.relation.startswith(("nsubj", "csubj", "aux")) for o in below)
        return e._replace(relation="nsubj") if (place or there) and not subject else e

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


def _siblings(tokens: Tokens, edges: Edges) -> Edges:
    """Of two subjects side by side, the first is part of the second's name or counts it: "Mount Fuji rises"."""
    subjects = {e.dependent: e.head for e in edges if e.relation == "nsubj"}

    def changed(e: Dependency) -> Dependency:
        first, second = tokens[e.dependent - 1], e.dependent + 1
        if e.relation != "nsubj" or subjects.get(second) != e.head or any(o.head == second and o.dependent < first.index for o in edges):
            return e
        if first.tag == "CD":
            return Dependency(second, e.dependent, "nummod")
        name = tokens[second - 1].tag.startswith("NNP") and first.tag.startswith("NN") and first.text[:1].isupper()
        return Dependency(second, e.dependent, "compound") if name else e

    named = {e.dependent + 1: e.dependent for e in edges if e.relation == "nsubj" and _is_called(tokens, edges, e, subjects)}
    edges = tuple(Dependency(named[e.dependent], e.dependent, "appos") if e.dependent in named else e for e in edges)

    return tuple(map(changed, edges))


def _is_called(tokens: Tokens, edges: Edges, e: Dependency, subjects: dict[int, int]) -> bool:
    """Whether a name follows this noun as a second subject: "my friend Peter reads"."""
    second = e.dependent + 1
    named = subjects.get(second) == e.head and tokens[second - 1].tag == "NNP" and tokens[e.dependent - 1].tag == "NN"
    return named and any(o.head == e.dependent and o.relation in ("nmod:poss", "det", "amod") for o in edges)


def _gerunds(tokens: Tokens, edges: Edges) -> Edges:
    """What somebody enjoys or practises doing is done, and so are the places behind it: "practice dancing on a stage"."""
    done = {e.dependent: e.head for e in edges if e.relation == "obj" and tokens[e.dependent - 1].tag == "VBG"}
    verbs = {verb: gerund for gerund, verb in done.items() if verb and tokens[verb - 1].lemma in GERUND_VERBS}

    def changed(e: Dependency) -> Dependency:
        if e.dependent in verbs.values() and e.relation == "obj":
            return e._replace(relation="xcomp")
        if e.head in verbs.values() and e.relation == "nmod":
            return e._replace(relation="obl")
        behind = e.relation == "obl" and e.dependent > verbs.get(e.head, len(tokens))
        return e._replace(head=verbs[e.head]) if behind else e

    return tuple(map(changed, edges))


def _numbers(tokens: Tokens, edges: Edges) -> Edges:
    """Two numbers side by side are one: "twenty five men"."""
    counts = {e.dependent: e.head for e in edges if e.relation == "nummod" and tokens[e.dependent - 1].tag == "CD"}

    def changed(e: Dependency) -> Dependency:
        last = e.dependent
        while counts.get(last + 1) == e.head:
            last += 1
        return Dependency(last, e.dependent, "fixed") if e.dependent in counts and last > e.dependent else e

    return tuple(map(changed, edges))
