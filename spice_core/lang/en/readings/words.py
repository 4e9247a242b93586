"""Alternative readings of one word: tags that a tagger confuses, with the edges that fit the other tag."""

from __future__ import annotations

from collections.abc import Iterator

from spice_core.lang.en.readings.garden_paths import garden_paths
from spice_core.lang.en.readings.reread import below, edge_of, ends, is_noun, read
from spice_core.syntax.document import Dependency, Sentence, Token

_MODIFIERS = ("amod", "compound")
_BEFORE_NOUNS = ("det", "amod", "nummod", "compound", "nmod:poss", "case", "cc")
_NOUNS_ALONE = ("det", "nummod", "nmod:poss", "case", "cop")


def readings(sentence: Sentence) -> Iterator[Sentence]:
    """Yield variants of the sentence with one word read differently: a participle for a modifier, a finite verb for a noun, and the reverse."""
    for token in sentence.tokens:
        yield from _participle(sentence, token)
        yield from _finite_verb(sentence, token)
        yield from _modifier(sentence, token)
        yield from _past(sentence, token)
    yield from garden_paths(sentence)


def _participle(sentence: Sentence, token: Token) -> Iterator[Sentence]:
    """Read a modifier in -ing or -ed as the verb of the noun after it: "men are seen loading boxes", "a man riding waves"."""
    edge = edge_of(sentence, token.index)
    noun = edge.head
    tag = "VBG" if ends(token, "ing") else "VBD" if ends(token, "ed") else ""
    if not tag or edge.relation not in _MODIFIERS or noun <= token.index:
        return
    above, left = edge_of(sentence, noun), [e for e in below(sentence, noun) if e.dependent < token.index]
    subject = next((e.dependent for e in left if e.relation in (*_MODIFIERS, "nsubj") and is_noun(sentence, e.dependent)), 0)
    if subject:
        place, moved = above._replace(dependent=subject), {e.dependent: e._replace(head=subject) for e in left if e.dependent != subject}
        relations = ["acl"]
    elif any(e.relation in _NOUNS_ALONE for e in left):
        return
    else:
        place, moved, relations = None, {}, _clauses(sentence, above)
    for relation in relations:
        verb = Dependency(subject or above.head, token.index, relation)
        changed = {**moved, **({subject: place} if place else {}), token.index: verb, noun: Dependency(token.index, noun, "obj")}
        yield read(sentence, {token.index: tag}, changed.values())


def _clauses(sentence: Sentence, above: Dependency) -> list[str]:
    """Return the relations of a verb that takes the place of this edge's noun."""
    if not above.head:
        return ["root"]
    if above.relation in ("conj", "acl", "advcl", "xcomp", "ccomp", "parataxis"):
        return [above.relation]
    return ["acl"] if is_noun(sentence, above.head) else ["xcomp", "advcl"]


def _finite_verb(sentence: Sentence, token: Token) -> Iterator[Sentence]:
    """Read a noun as the verb of the noun before it if the two cannot form a name: "a boy jumps", "two dogs run"."""
    if token.tag not in ("NN", "NNS", "NNP", "NNPS") or token.index < 2:
        return
    verb, subject = token.index, token.index - 1
    edge = edge_of(sentence, subject)
    left = [e for e in below(sentence, verb) if e.dependent < subject and e.relation in _BEFORE_NOUNS]
    singular = any(e.relation == "det" and sentence.tokens[e.dependent - 1].lemma in ("a", "an", "one") for e in left)
    agrees = (token.tag == "NNS" and singular) or (token.tag in ("NN", "NNP") and sentence.tokens[subject - 1].tag == "NNS")
    if not agrees or (edge.head, edge.relation) != (verb, "compound") or any(e.relation == "case" for e in left):
        return
    right = [e for e in below(sentence, verb) if e.dependent > verb]
    moved = [e._replace(head=subject) for e in left] + [e._replace(relation="obl") for e in right if e.relation == "nmod"]
    yield read(sentence, {verb: "VBZ" if token.tag == "NNS" else "VBP"}, [*moved, Dependency(verb, subject, "nsubj")])


def _modifier(sentence: Sentence, token: Token) -> Iterator[Sentence]:
    """Read a participle after an article or preposition as the modifier of the noun after it: "with rolling luggage"."""
    edge, noun = edge_of(sentence, token.index), token.index + 1
    under = below(sentence, token.index)
    if token.tag not in ("VBG", "VBN", "VBD") or Dependency(token.index, noun, "obj") not in under:
        return
    if any(e.relation in ("det", "case", "mark", "nmod:poss", "amod") and e.dependent < token.index for e in under):
        relation = {"acl": "nmod", "advcl": "obl", "xcomp": "obl"}.get(edge.relation, edge.relation)
        moved = [e._replace(head=noun, relation="case" if e.relation == "mark" else e.relation) for e in under if e.dependent != noun]
        changed = [*moved, edge._replace(dependent=noun, relation=relation), Dependency(noun, token.index, "amod")]
        yield read(sentence, {token.index: "JJ"}, changed)


def _past(sentence: Sentence, token: Token) -> Iterator[Sentence]:
    """Read a finite past as the participle of the noun before it, or the reverse: "a man dressed as a clown"."""
    edge = edge_of(sentence, token.index)
    if not ends(token, "ed"):
        return
    if token.tag == "VBN" and edge.relation == "acl" and edge_of(sentence, edge.head).relation == "root":
        changed = [Dependency(0, token.index, "root"), Dependency(token.index, edge.head, "nsubj")]
        changed += [e._replace(head=token.index) for e in below(sentence, edge.head) if e.dependent > token.index]
        yield read(sentence, {token.index: "VBD"}, changed)
    elif token.tag == "VBD":
        subject = next((e for e in below(sentence, token.index) if e.relation == "nsubj" and e.dependent < token.index), None)
        if subject:
            changed = [edge._replace(dependent=subject.dependent), Dependency(subject.dependent, token.index, "acl")]
            yield read(sentence, {token.index: "VBN"}, changed)
