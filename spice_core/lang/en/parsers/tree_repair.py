"""Repairs of contradictions between tags and edges, which the network predicts word by word.

Each repair keeps a tree with one root.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from spice_core.lang.en.lemmas import regular
from spice_core.lang.en.word_lists import SOUNDS
from spice_core.syntax.document import Dependency

GERUND_VERBS = frozenset("enjoy practice practise love like hate start begin keep stop try finish continue prefer".split())
_SAYS = frozenset("says say said saying reads read reading".split())
_AS_VERB = {"NN": "VBP", "NNS": "VBZ"}  # tags of words that are verbs in the tree
_AS_NOUN = {"JJ": "NN"}  # "in blue", "on the left"
_OF_CLAUSES = ("root", "conj", "advcl", "parataxis", "ccomp")
_OF_NOUNS = {"cop", "det", "case", "amod", "nummod", "compound", "nmod:poss", "nmod"}
_COPULAR = {"nsubj:pass": "nsubj", "aux:pass": "cop"}


class TaggedTree(NamedTuple):
    """The words of a sentence, their tags, and one edge for each, in order."""

    words: Sequence[str]
    tags: Sequence[str]
    edges: Sequence[Dependency]


def repaired(tree: TaggedTree) -> TaggedTree:
    """Return the tree with tags that agree with its edges, including verbs mistaken for plural nouns."""
    for step in _STEPS:
        tree = step(tree)
    verbs, nouns, gerunds = _verbs(tree.edges) | _verbs_in_lists(tree), _nouns(tree.edges), _gerunds(tree)
    signs, described = _on_signs(tree), {e.head for e in tree.edges if e.relation in ("det", "amod")}

    def tag(number: int, tag: str) -> str:
        if number in gerunds or number in signs:
            return "VBG" if number in gerunds else "UH"
        if tag == "MD" and number in described:
            return "NN"
        return _AS_VERB.get(tag, tag) if number in verbs else _AS_NOUN.get(tag, tag) if number in nouns else tag

    return tree._replace(tags=[tag(number, each) for number, each in enumerate(tree.tags, 1)])


def _verbs(edges: Sequence[Dependency]) -> set[int]:
    """Return the words that have a subject, but neither a copula nor a dependent that only nouns have."""
    below: dict[int, set[str]] = {}
    for e in edges:
        below.setdefault(e.head, set()).add(e.relation)
    return {word for word, relations in below.items() if "nsubj" in relations and not relations & _OF_NOUNS}


def _verbs_in_lists(tree: TaggedTree) -> set[int]:
    """Return the bare words coordinated with a finite verb that has no object before them: "smiles, waves and leaves"."""
    marked = {e.head for e in tree.edges if e.relation in _OF_NOUNS}
    objects = {e.head: e.dependent for e in reversed(tree.edges) if e.relation in ("obj", "obl", "xcomp")}
    return {
        e.dependent
        for e in tree.edges
        if e.relation == "conj" and e.head and e.dependent not in marked and tree.tags[e.head - 1] in ("VBZ", "VBP")
        if objects.get(e.head, e.dependent) >= e.dependent
    }


def _nouns(edges: Sequence[Dependency]) -> set[int]:
    """Return the words after a preposition."""
    cased = {e.head for e in edges if e.relation == "case"}
    return {e.dependent for e in edges if e.relation in ("nmod", "obl") and e.dependent in cased}


def _on_signs(tree: TaggedTree) -> set[int]:
    """Return the lone verbs that a sign "says": "the sign says STOP"."""
    governors = {e.head for e in tree.edges if e.relation != "punct"}
    return {
        e.dependent
        for e in tree.edges
        if e.relation in ("xcomp", "ccomp") and e.head and e.dependent not in governors and tree.words[e.head - 1].lower() in _SAYS
        if tree.tags[e.dependent - 1].startswith("VB")
    }


def _gerunds(tree: TaggedTree) -> set[int]:
    """Return the words in -ing that somebody enjoys, practises or starts, and that nothing marks as nouns."""
    marked = {e.head for e in tree.edges if e.relation in _OF_NOUNS - {"nmod"}}
    return {
        e.dependent
        for e in tree.edges
        if e.relation == "obj" and e.head and e.dependent not in marked
        if tree.words[e.dependent - 1].lower().endswith("ing") and tree.tags[e.head - 1][:1] == "V"
        if _stem(tree.words[e.head - 1]) in GERUND_VERBS
    }


def _stem(word: str) -> str:
    """Return the lemma of a form of one of the gerund verbs."""
    lower = word.lower()
    forms = (lower, lower.removesuffix("s"), lower.removesuffix("es"), lower.removesuffix("d"), lower.removesuffix("ed"), lower[:-3] + "y")
    return next((form for form in forms if form in GERUND_VERBS), lower)


def _final_verb(tree: TaggedTree) -> TaggedTree:
    """Make a final verb the root if it was attached to the phrase before it: "a man dressed as a clown juggles", "a bird in a tree sings".

    Such a phrase has a preposition, and yet a word that acts, or a plural of "a clown".
    """
    for e in tree.edges:
        noun, verb = e.dependent, e.head
        if verb != noun + 1 or e.relation not in ("compound", "nsubj") or tree.tags[noun - 1] not in ("NN", "NNP"):
            continue
        above, before = tree.edges[verb - 1], [o for o in tree.edges if o.head in (noun, verb) and o.dependent < noun]
        finite = tree.tags[verb - 1] in ("VBZ", "VBP") or (tree.tags[verb - 1] == "NNS" and any(_is_article(tree, o) for o in before))
        if finite and above.relation in ("obl", "nmod", "conj", "xcomp") and any(o.relation in ("case", "cop") for o in before):
            return _as_root(tree, noun, verb, before)
    return tree


def _root(tree: TaggedTree) -> int:
    """Return the root word."""
    return next(e.dependent for e in tree.edges if not e.head)


def _is_article(tree: TaggedTree, e: Dependency) -> bool:
    return e.relation == "det" and tree.words[e.dependent - 1].lower() in ("a", "an")


def _as_root(tree: TaggedTree, noun: int, verb: int, before: Sequence[Dependency]) -> TaggedTree:
    """Make the verb the root and put the noun in its place; the verb's subject is the old root or the old root's subject."""
    root = _root(tree)
    subject = next((e.dependent for e in tree.edges if e.head == root and e.relation == "nsubj"), 0)
    participle = subject and tree.tags[root - 1] in ("VBN", "VBD")
    if not participle and (tree.tags[verb - 1] == "NNS" or not tree.tags[root - 1].startswith("NN")):
        return tree
    edges = {e.dependent: e._replace(head=noun) if e in before else e for e in tree.edges}
    edges[noun], edges[verb] = tree.edges[verb - 1]._replace(dependent=noun), Dependency(0, verb, "root")
    edges[subject if participle else root] = Dependency(verb, subject if participle else root, "nsubj")
    if participle:
        edges[root] = Dependency(subject, root, "acl")
    tags = [*tree.tags]
    tags[verb - 1] = _AS_VERB.get(tags[verb - 1], tags[verb - 1])
    tags[root - 1] = "VBN" if participle else tags[root - 1]
    return tree._replace(tags=tags, edges=[edges[i] for i in sorted(edges)])


def _last_verb(tree: TaggedTree) -> TaggedTree:
    """Make a bare final word after coordinated nouns, without "and" of its own, their verb: "a car and a man wait"."""
    root = _root(tree)
    last = max((e.dependent for e in tree.edges if e.relation != "punct"), default=0)
    e = tree.edges[last - 1]
    bare = not any(o.head == last for o in tree.edges) and not any(
        o.dependent == last - 1 and o.relation in ("cc", "punct") for o in tree.edges
    )
    listed = any(o.head == root and o.relation == "conj" and o.dependent != last for o in tree.edges)
    acts = any(o.relation in ("nsubj", "cop") for o in tree.edges)
    if not (bare and listed) or acts or e.head != root or e.relation not in ("conj", "dep", "appos") or tree.tags[root - 1][:1] != "N":
        return tree
    edges, tags = list(tree.edges), [*tree.tags]
    edges[last - 1], edges[root - 1] = Dependency(0, last, "root"), Dependency(last, root, "nsubj")
    tags[last - 1] = _AS_VERB.get(tags[last - 1], tags[last - 1])
    return tree._replace(tags=tags, edges=edges)


def _run_on(tree: TaggedTree) -> TaggedTree:
    """Make an apparent plural after "one" its verb: "two dogs run one barks"."""
    edges, tags = list(tree.edges), [*tree.tags]
    for e in tree.edges:
        verb = e.head
        if e.relation == "nummod" and verb == e.dependent + 1 and tags[verb - 1] == "NNS" and tree.words[e.dependent - 1].lower() == "one":
            above, tags[verb - 1] = edges[verb - 1], "VBZ"
            edges[e.dependent - 1] = e._replace(relation="nsubj")
            edges[verb - 1] = above._replace(relation="parataxis") if above.head else above
    return tree._replace(tags=tags, edges=edges)


def _coordinated(tree: TaggedTree) -> TaggedTree:
    """Coordinate a phrase after "and" with the phrase before it: "a man in boots and with a beard smiles"."""
    cased = {e.head for e in tree.edges if e.relation == "case"}

    def changed(e: Dependency) -> Dependency:
        joined = next((o.dependent for o in tree.edges if o.head == e.dependent and o.relation == "cc" and o.dependent < e.dependent), 0)
        if e.relation not in ("obl", "nmod") or e.head < e.dependent or not joined or e.dependent not in cased:
            return e
        phrase = max((o.dependent for o in tree.edges if o.dependent < joined and o.dependent in cased and o.relation == "nmod"), default=0)
        return Dependency(phrase, e.dependent, "conj") if phrase and not _is_above(tree, e.dependent, phrase) else e

    return tree._replace(edges=list(map(changed, tree.edges)))


def _is_above(tree: TaggedTree, word: int, other: int) -> bool:
    while other and other != word:
        other = tree.edges[other - 1].head
    return other == word


def _verb_of_name(tree: TaggedTree) -> TaggedTree:
    """Make the word right before a finite verb its subject instead of part of a name: "a player dunks", "water drips and a door creaks"."""

    def changed(e: Dependency) -> Dependency:
        acts = e.head and e.dependent == e.head - 1 and tree.tags[e.head - 1] in ("VBZ", "VBP")
        clause = acts and (tree.edges[e.head - 1].relation in _OF_CLAUSES or _is_marked(tree, e.head))
        return e._replace(relation="nsubj") if clause and e.relation == "compound" else e

    edges = list(map(changed, tree.edges))
    for e, old in zip(edges, tree.edges):
        above = edges[e.head - 1]
        if e != old and above.relation in ("nmod", "obl", "dep"):
            edges[e.head - 1] = above._replace(relation="advcl")
    subjects = {e.head: e.dependent for e, old in zip(edges, tree.edges) if e != old}
    own = {e.dependent: subjects[e.head] for e in edges if e.head in subjects and e.relation in ("det", "amod", "nummod", "nmod:poss")}
    return tree._replace(edges=[e._replace(head=own[e.dependent]) if e.dependent in own else e for e in edges])


def _is_marked(tree: TaggedTree, verb: int) -> bool:
    """Return whether "as", "while" or the like stands before a clause."""
    return any(e.head == verb and e.relation == "mark" and e.dependent < verb for e in tree.edges)


def _participle_root(tree: TaggedTree) -> TaggedTree:
    """Attach a participle that the tree makes the root to the noun right before it: "a man loading boxes into a truck painted blue"."""
    root = _root(tree)
    below = {e.relation: e.dependent for e in tree.edges if e.head == root}
    subject, result = below.get("nsubj", 0), below.get("xcomp", 0)
    if root < 2 or tree.tags[root - 1] != "VBN" or not subject or not result or below.keys() & {"aux", "aux:pass", "cop"}:
        return tree
    noun = tree.edges[root - 2]
    clause = tree.edges[noun.head - 1]
    if tree.tags[result - 1] != "JJ" or noun.relation not in ("obl", "obj"):
        return tree
    if (clause.head, clause.relation) != (subject, "acl") or tree.tags[noun.head - 1] != "VBG":
        return tree
    changed = {root: Dependency(root - 1, root, "acl"), subject: Dependency(0, subject, "root")}
    return tree._replace(edges=[changed.get(e.dependent, e) for e in tree.edges])


def _left_of(tree: TaggedTree) -> TaggedTree:
    """Make "left" before "of" a side, not a form of "leave": "the door is left of the sign", "a dog left of a cat"."""
    root = _root(tree)
    if [word.lower() for word in tree.words[root - 1 : root + 1]] != ["left", "of"] or not tree.tags[root - 1].startswith("V"):
        return tree
    below = {e.relation: e for e in tree.edges if e.head == root}
    changed: dict[int, Dependency] = {}
    if "aux:pass" in below:
        changed = {e.dependent: e._replace(relation=_COPULAR[e.relation]) for e in below.values() if e.relation in _COPULAR}
    elif "nsubj" in below:
        subject = below["nsubj"].dependent
        changed = {subject: Dependency(0, subject, "root"), root: Dependency(subject, root, "advmod")}
    tags = [*tree.tags[: root - 1], "JJ", *tree.tags[root:]]
    return TaggedTree(tree.words, tags, [changed.get(e.dependent, e) for e in tree.edges])


def _sounds(tree: TaggedTree) -> TaggedTree:
    """Make a noun for a sound the verb of the noun before it: "frog croaking", "metal clanks"."""
    root = _root(tree)
    noun, word = tree.edges[root - 2] if root > 1 else None, tree.words[root - 1].lower()
    if noun is None or noun.head != root or noun.relation != "compound" or not (word.endswith("ing") or tree.tags[root - 1] == "NNS"):
        return tree
    if regular(word, "V") not in SOUNDS or any(e.head == root and e.relation in ("obj", "case") for e in tree.edges):
        return tree
    edges, tags = list(tree.edges), [*tree.tags]
    if not word.endswith("ing"):
        subject = next((e.dependent for e in edges if e.head == root and e.relation == "nsubj"), 0)  # "the motor of a cleaner whines"
        edges[root - 2], tags[root - 1] = Dependency(subject, root - 1, "nmod") if subject else noun._replace(relation="nsubj"), "VBZ"
        return tree._replace(tags=tags, edges=edges)
    edges[root - 1], edges[root - 2], tags[root - 1] = Dependency(root - 1, root, "acl"), Dependency(0, root - 1, "root"), "VBG"
    own = {e.dependent for e in edges if e.head == root and e.relation in ("det", "amod", "nummod", "compound")}
    return tree._replace(tags=tags, edges=[e._replace(head=root - 1) if e.dependent in own else e for e in edges])


def _first_clause(tree: TaggedTree) -> TaggedTree:
    """Split what looks like coordinated subjects of the last verb: "a bell rings and footsteps echo"."""
    root = _root(tree)
    subject = max((e.dependent for e in tree.edges if e.head == root and e.relation == "nsubj" and e.dependent < root), default=0)
    heads = (subject, subject - 1)
    conjuncts = [e.dependent for e in tree.edges if e.head in heads and e.relation == "conj" and e.dependent > subject]
    if subject < 2 or tree.tags[root - 1] not in ("VBZ", "VBP") or len(conjuncts) != 1 or not _is_clause(tree, subject):
        return tree
    noun, second, edges, tags = subject - 1, conjuncts[0], list(tree.edges), [*tree.tags]
    for e in tree.edges:
        if e.head == subject and e.dependent < noun:
            edges[e.dependent - 1] = e._replace(head=noun)
        if e.relation == "cc" and noun < e.dependent < second:
            edges[e.dependent - 1] = e._replace(head=root)
    edges[noun - 1], edges[subject - 1] = Dependency(subject, noun, "nsubj"), Dependency(0, subject, "root")
    edges[second - 1], edges[root - 1] = Dependency(root, second, "nsubj"), Dependency(subject, root, "conj")
    tags[subject - 1] = "VBP" if tags[subject - 1] == "NN" else "VBZ"
    return tree._replace(tags=tags, edges=edges)


def _is_clause(tree: TaggedTree, verb: int) -> bool:
    """Return whether an apparent plural is the verb of the noun before it: after "a", or a word for a sound."""
    noun, word = tree.edges[verb - 2], tree.words[verb - 1].lower()
    if noun.head == tree.edges[verb - 1].head and noun.relation == "nsubj":
        return tree.tags[verb - 1] in ("NN", "NNS") and regular(word, "NNS") in SOUNDS
    if tree.tags[verb - 1] != "NNS" or noun.head != verb or noun.relation != "compound" or tree.tags[verb - 2] not in ("NN", "NNP"):
        return False
    before = [e for e in tree.edges if e.head in (verb, verb - 1) and e.dependent < verb - 1]
    return any(_is_article(tree, e) for e in before) or regular(word, "NNS") in SOUNDS


def _seen_actions(tree: TaggedTree) -> TaggedTree:
    """Make a bare noun behind the object of "watch" or "let" its action: "watches his dog swim"."""
    edges, tags = list(tree.edges), [*tree.tags]
    marked = {e.head for e in edges if e.relation in _OF_NOUNS - {"nmod"}}
    for e in tree.edges:
        if e.relation != "ccomp" or tags[e.dependent - 1] != "NN" or e.dependent in marked or e.dependent < 2:
            continue
        if edges[e.dependent - 2] == Dependency(e.head, e.dependent - 1, "obj"):
            edges[e.dependent - 1], tags[e.dependent - 1] = e._replace(relation="xcomp"), "VB"
    return tree._replace(tags=tags, edges=edges)


def _acting_singular(tree: TaggedTree) -> TaggedTree:
    """Make a noun after "a" act on the plural behind its participle: "a robot watering flowers"."""
    edges, tags = list(tree.edges), [*tree.tags]
    for article in [e for e in tree.edges if _is_article(tree, e) and tags[e.head - 1] == "NNS" and e.head > e.dependent + 2]:
        head = article.head
        verb, noun = edges[head - 2], edges[head - 3]
        below = tree.words[head - 2].lower().endswith("ing") and verb.head == head and verb.relation in ("amod", "compound")
        if not below or noun[::2] != (head, "compound") or tags[head - 3] not in ("NN", "NNP"):
            continue
        own = [e for e in edges if e.head == head and e.dependent < head - 2]
        for e in own:
            edges[e.dependent - 1] = e._replace(head=head - 2)
        edges[head - 3] = edges[head - 1]._replace(dependent=head - 2)
        edges[head - 2], edges[head - 1] = Dependency(head - 2, head - 1, "acl"), Dependency(head - 1, head, "obj")
        tags[head - 2] = "VBG"
    return tree._replace(tags=tags, edges=edges)


def _plural_subject(tree: TaggedTree) -> TaggedTree:
    """Make the first of two finite verbs side by side a plural noun, the subject of the second: "an owl hoots and branches creak"."""
    edges, tags = list(tree.edges), [*tree.tags]
    for e in tree.edges[:-1]:
        verb, following = e.dependent, tree.edges[e.dependent]
        joined = [o for o in tree.edges if o.head == verb]
        if (
            e.relation != "conj"
            or following[::2] != (e.head, "conj")
            or tags[verb - 1] not in ("VBZ", "NNS")
            or tags[verb] not in ("VBP", "NN")
        ):
            continue
        if tags[e.head - 1] in ("VBZ", "VBP") and all(o.relation == "cc" for o in joined):
            edges[verb - 1], tags[verb - 1], tags[verb] = Dependency(verb + 1, verb, "nsubj"), "NNS", "VBP"
            for o in joined:
                edges[o.dependent - 1] = o._replace(head=verb + 1)
    return tree._replace(tags=tags, edges=edges)


_STEPS = (
    _final_verb,
    _last_verb,
    _run_on,
    _verb_of_name,
    _coordinated,
    _participle_root,
    _left_of,
    _sounds,
    _first_clause,
    _seen_actions,
    _acting_singular,
    _plural_subject,
)
