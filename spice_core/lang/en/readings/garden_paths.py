"""Alternative readings of garden-path sentences: another main verb, another end of a noun phrase, another subject."""

from __future__ import annotations

from collections.abc import Iterator

from spice_core.lang.en.readings.reread import below, edge_of, ends, is_noun, read
from spice_core.syntax.conllu import circle
from spice_core.syntax.document import Dependency, Sentence, Token

_FINITE = ("VBZ", "VBP", "VBD")
_OF_VERB, _OF_NOUN = {"nmod": "obl", "acl": "advcl"}, {"obl": "nmod", "advcl": "acl"}


def garden_paths(sentence: Sentence) -> Iterator[Sentence]:
    """Yield variants of the sentence with one word or clause read differently, without cycles and with one root."""
    for token in sentence.tokens:
        for step in (_noun, _verb_behind_phrase, _participle_behind_noun, _participle_in_compound, _reduced_relative, _reduced_main_verb):
            yield from (other for other in step(sentence, token) if _is_tree(other))
        for step in (_subject, _receiver, _other_relation, _possessive):
            yield from (other for other in step(sentence, token) if _is_tree(other))


def _is_tree(sentence: Sentence) -> bool:
    return [e.head for e in sentence.basic].count(0) == 1 and not circle(sentence.basic)


def _noun(sentence: Sentence, token: Token) -> Iterator[Sentence]:
    """Read a plural verb of a singular subject as the noun that the preceding noun describes: "a view of a hotdog stand"."""
    verb, before = token.index, token.index - 1
    subject = _child(sentence, verb, "nsubj")
    if token.tag not in ("VBP", "VB") or not 0 < subject <= before or not is_noun(sentence, before):
        return
    if sentence.tokens[subject - 1].tag != "NN" or _child(sentence, subject, "conj"):
        return
    place, above = edge_of(sentence, verb), edge_of(sentence, before)
    phrase = [e._replace(head=verb) for e in below(sentence, before)]
    right = [e._replace(relation=_OF_NOUN.get(e.relation, e.relation)) for e in below(sentence, verb) if e.dependent > verb]
    own = [] if before == subject else [above._replace(dependent=verb), place._replace(dependent=subject)]
    yield read(sentence, {verb: "NN"}, [*phrase, *right, *own, Dependency(verb, before, "compound")])


def _verb_behind_phrase(sentence: Sentence, token: Token) -> Iterator[Sentence]:
    """Read the noun at the end of a phrase as the main verb, and the word before it as the noun: "a goalie in white runs for a ball"."""
    verb, noun = token.index, token.index - 1
    edge, left = edge_of(sentence, verb), [e for e in below(sentence, verb) if e.dependent < verb]
    bare = any(e.relation == "case" for e in left) and any(e.dependent == noun and e.relation in ("amod", "compound") for e in left)
    if token.tag not in ("NN", "NNS") or not edge.head or not bare:
        return
    clause = 0 if is_noun(sentence, edge.head) else edge.head
    if not clause and (is_noun(sentence, noun) or sentence.tokens[noun - 2].lemma != "in"):
        return
    subject = _child(sentence, clause, "nsubj") or _top(sentence, edge_of(sentence, clause).head if clause else edge.head)
    if not subject or subject > noun or (sentence.tokens[subject - 1].tag == "NNS") == (token.tag == "NNS"):
        return
    above = edge_of(sentence, subject)
    taken = edge_of(sentence, clause) if clause and above.head == clause else above
    changed = [e._replace(head=noun) for e in left if e.dependent != noun]
    changed += [_moved(e, verb) for word in {subject, clause, verb} - {0} for e in below(sentence, word) if e.dependent > verb]
    changed += [edge._replace(dependent=noun), taken._replace(dependent=verb), Dependency(verb, subject, "nsubj")]
    changed += [Dependency(subject, clause, "acl")] if taken is not above else []
    tags = {verb: "VBZ" if token.tag == "NNS" else "VBP"}
    yield read(sentence, tags if is_noun(sentence, noun) else {**tags, noun: "NN"}, changed)


def _participle_behind_noun(sentence: Sentence, token: Token) -> Iterator[Sentence]:
    """Read a final word in -ing of a noun phrase as the action of its noun, or of the noun above: "in a red shirt cooking"."""
    verb, noun = token.index, token.index - 1
    edge, left = edge_of(sentence, verb), [e for e in below(sentence, verb) if e.dependent < verb]
    named = any(e.dependent == noun and e.relation in ("compound", "nmod", "amod") for e in left) and is_noun(sentence, noun)
    if not is_noun(sentence, verb) or not ends(token, "ing") or not named:
        return
    changed = [e._replace(head=noun) for e in left if e.dependent != noun] + [edge._replace(dependent=noun)]
    for head in dict.fromkeys((edge.head, noun)):
        if head:
            relation = "acl" if is_noun(sentence, head) else "advcl"
            yield read(sentence, {verb: "VBG"}, [*changed, Dependency(head, verb, relation)])


def _participle_in_compound(sentence: Sentence, token: Token) -> Iterator[Sentence]:
    """Read a participle and its object as a noun that noun and participle describe: "on a people lined street"."""
    edge, noun, first = edge_of(sentence, token.index), token.index + 1, token.index - 1
    if token.tag not in ("VBN", "VBG") or edge.relation != "acl" or not is_noun(sentence, first):
        return
    above = edge_of(sentence, first)
    if edge.head in (first, above.head) and Dependency(token.index, noun, "obj") in below(sentence, token.index):
        moved = [e._replace(head=noun) for e in below(sentence, first) if e is not edge]
        moved += [above._replace(dependent=noun), Dependency(token.index, first, "compound")]
        yield read(sentence, {}, [*moved, Dependency(noun, token.index, "amod")])


def _reduced_relative(sentence: Sentence, token: Token) -> Iterator[Sentence]:
    """Read a past form as the participle of its subject, and a later verb as the main verb: "the kids dressed as pirates bury treasure"."""
    subject = _child(sentence, token.index, "nsubj")
    clauses = ("conj", "advcl", "ccomp", "xcomp", "parataxis")
    if token.tag not in ("VBN", "VBD") or not 0 < subject < token.index:
        return
    for e in below(sentence, token.index):
        verb = e.dependent
        if e.relation in clauses and verb > token.index and sentence.tokens[verb - 1].tag in _FINITE:
            changed = [edge_of(sentence, token.index)._replace(dependent=verb), Dependency(verb, subject, "nsubj")]
            moved, tags = _own_subject(sentence, token, verb)
            yield read(sentence, {token.index: "VBN", **tags}, [*changed, Dependency(subject, token.index, "acl"), *moved])


def _reduced_main_verb(sentence: Sentence, token: Token) -> Iterator[Sentence]:
    """Read a main verb behind its subject's phrase as the participle of the last noun: "a table by a wall covered with ivy"."""
    subject, verb = _child(sentence, token.index, "nsubj") or _child(sentence, token.index, "nsubj:pass"), token.index
    if token.tag not in ("VBN", "VBD") or not 0 < subject < verb - 1 or any(e.relation.startswith("aux") for e in below(sentence, verb)):
        return
    inner = verb - 1
    if not is_noun(sentence, inner) or subject not in _above(sentence, inner):
        return
    left = [e._replace(head=subject) for e in below(sentence, verb) if e.dependent < subject]
    changed = [*left, edge_of(sentence, verb)._replace(dependent=subject)]
    yield read(sentence, {verb: "VBN"}, [*changed, Dependency(inner, verb, "acl")])


def _own_subject(sentence: Sentence, token: Token, verb: int) -> tuple[list[Dependency], dict[int, str]]:
    """What becomes of the subject that the main verb had: part of a list, of a phrase, or the object of the verb before it."""
    subject = _child(sentence, verb, "nsubj")
    link = next((e for e in below(sentence, verb) if e.relation in ("cc", "mark") and e.dependent < subject), None)
    if not subject:
        return [], {}
    nouns = [e.dependent for e in below(sentence, token.index) if e.relation in ("obj", "obl") and e.dependent < subject]
    if link and link.relation == "cc" and nouns:
        return [Dependency(nouns[-1], subject, "conj"), link._replace(head=subject)], {}
    if link:
        return [Dependency(token.index, subject, "obl"), Dependency(subject, link.dependent, "case")], {}
    verbs = [t for t in sentence.tokens[token.index : subject - 1] if t.tag.startswith("VB") or ends(t, "ing")]
    taker = verbs[-1] if verbs else token
    return [Dependency(taker.index, subject, "obj")], {taker.index: "VBG"} if is_noun(sentence, taker.index) else {}


def _subject(sentence: Sentence, token: Token) -> Iterator[Sentence]:
    """Read the noun before a verb without a subject as its subject: "as one person confronts the camera", "watches a friend slide"."""
    edge = edge_of(sentence, token.index)
    relations = {"advcl": ("obl",), "ccomp": ("obj", "obl")}.get(edge.relation, ())
    if not token.tag.startswith("VB") or any(e.relation.startswith(("nsubj", "expl")) for e in below(sentence, token.index)):
        return
    for e in reversed(below(sentence, edge.head)):
        if e.relation in relations and edge.head < e.dependent < token.index and not _child(sentence, e.dependent, "case"):
            yield read(sentence, {}, [Dependency(token.index, e.dependent, "nsubj")])


def _receiver(sentence: Sentence, token: Token) -> Iterator[Sentence]:
    """Read a plural before an object as the recipient: "feeding ducks bread"."""
    edge, above = edge_of(sentence, token.index), edge_of(sentence, max(1, edge_of(sentence, token.index).head))
    if token.tag == "NNS" and (edge.head, edge.relation, above.relation) == (token.index + 1, "compound", "obj"):
        left = [e._replace(head=token.index) for e in below(sentence, edge.head) if e.dependent < token.index]
        yield read(sentence, {}, [*left, Dependency(above.head, token.index, "iobj")])


def _other_relation(sentence: Sentence, token: Token) -> Iterator[Sentence]:
    """Give a word another relation: read a place or an aside as a state or an object, or the reverse."""
    edge = edge_of(sentence, token.index)
    other = {("JJ", "advmod"): "xcomp", ("JJ", "xcomp"): "advcl", ("NN", "dep"): "obj"}.get((token.tag[:2], edge.relation))
    if other:
        yield read(sentence, {}, [edge._replace(relation=other)])
    if is_noun(sentence, token.index) and edge.relation == "obl" and not _child(sentence, token.index, "case"):
        verb = next((t.index for t in reversed(sentence.tokens[: token.index - 1]) if t.tag.startswith("VB")), edge.head)
        yield read(sentence, {}, [Dependency(verb, token.index, "obj")])
    if edge.relation == "obj" and token.tag == "VBZ":
        yield read(sentence, {token.index: "NNS"}, [])
    if edge.relation == "parataxis" and (subject := _child(sentence, token.index, "nsubj")):
        nouns = [t.index for t in sentence.tokens[: subject - 1] if is_noun(sentence, t.index)]
        yield from (read(sentence, {}, [Dependency(noun, token.index, "acl:relcl")]) for noun in nouns[-1:])


def _possessive(sentence: Sentence, token: Token) -> Iterator[Sentence]:
    """Read a verb written "'s" as a possessive mark: "out of it's center"."""
    if token.index > 1 and token.tag == "VBZ" and token.text in ("'s", "’s") and edge_of(sentence, token.index).relation == "cop":
        owner, owned = token.index - 1, edge_of(sentence, token.index).head
        moved = [e._replace(head=owned) for e in below(sentence, owner) if e.relation == "case"]
        changed = [*moved, Dependency(owned, owner, "nmod:poss"), Dependency(owner, token.index, "case")]
        yield read(sentence, {token.index: "POS"}, changed)


def _moved(edge: Dependency, verb: int) -> Dependency:
    """Return the edge with the verb as its head."""
    return edge._replace(head=verb, relation=_OF_VERB.get(edge.relation, edge.relation))


def _child(sentence: Sentence, index: int, relation: str) -> int:
    """Return the last dependent with this relation; 0 if none."""
    return next((e.dependent for e in reversed(sentence.basic) if index and (e.head, e.relation) == (index, relation)), 0)


def _above(sentence: Sentence, index: int) -> list[int]:
    """Return the words above this one, up to the root."""
    out = []
    while index := edge_of(sentence, index).head:
        out.append(index)
    return out


def _top(sentence: Sentence, index: int) -> int:
    """Return the noun at the top of nested phrases; 0 for the root."""
    while index and edge_of(sentence, index).relation == "nmod":
        index = edge_of(sentence, index).head
    return index
