"""From a basic tree to the enhanced graph that the rules read: steps with names, each a function of the edges.

Source: spec section 2 (the collapsed, conjunction-processed graph, here in UD v2 terms) and section 3 (quantifiers,
pronouns).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from spice_core.document import Dependency, Document, Sentence, Token
from spice_core.lang.steps import Edges, Step, Tokens, enhanced, selected, traced


def enhance(document: Document, steps: Sequence[str] | None = None) -> Document:
    """The document with enhanced graphs: made from the basic trees, or from the enhanced columns it came with.

    ``steps`` names the steps to take from the basic trees, in order.
    """
    chosen = None if steps is None else selected(STEPS, steps)
    return replace(document, sentences=tuple(_enhance(sentence, chosen) for sentence in document.sentences))


def trace(sentence: Sentence) -> list[tuple[Step, Edges]]:
    """The steps that apply to the sentence, in order, each with the edges after it."""
    steps, edges = _start(sentence)
    return traced(steps, sentence.tokens, edges)


def _enhance(sentence: Sentence, chosen: Sequence[Step] | None) -> Sentence:
    steps, edges = _start(sentence) if chosen is None else (chosen, sentence.basic)
    return enhanced(sentence, steps, edges)


def _start(sentence: Sentence) -> tuple[Sequence[Step], Edges]:
    """The steps for a sentence and the edges they begin with: its enhanced graph where it came with one."""
    return (STEPS, sentence.basic) if sentence.enhanced is None else (ADAPTING, sentence.enhanced)


# --- prepositions ------------------------------------------------------------------------------------------------


def _phrases(text: str) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(phrase.split()) for phrase in text.split(", "))


_THREE_WORDS = _phrases("in front of, on top of, in place of, in spite of, in addition to, in case of, by means of, on behalf of")
# the first word governs the noun (next –nmod→ wall) or hangs on it
_GOVERNING = _phrases("next to, close to, outside of, across from, away from, aside from, far from, near to, ahead of, apart from")
_HANGING = _phrases(
    "out of, off of, inside of, alongside of, because of, instead of, such as, except for, due to, according to, as of, compared to"
)
_KEPT = frozenset(("root", "acl", "acl:relcl", "advcl", "ccomp", "conj", "parataxis", "obl"))


def multiword_prepositions(tokens: Tokens, edges: Edges) -> Edges:
    """Make "next to" and "in front of" one preposition: its first word case, the others fixed on it."""
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
    """in –case→ front –nmod→ wall, of –case→ wall: the wall takes the place of the front."""
    middle, last = first + 1, first + 2
    noun = tree[last].head
    if tree[first].head == middle and noun > last and tree[noun].head == middle and tree[noun].relation in ("nmod", "obl"):
        _replace(tree, middle, noun, first)
        tree[middle] = Dependency(first, middle, "fixed")
        tree[last] = Dependency(first, last, "fixed")


def _join_two(tree: dict[int, Dependency], first: int, *, governing: bool) -> None:
    """next –nmod→ wall, to –case→ wall: the wall takes the place of next. out –advmod→ wall: out becomes its case."""
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
    """Put the noun in the place of the word, with its dependents; ``case`` becomes the noun's preposition."""
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


# --- coordination ------------------------------------------------------------------------------------------------


def conjuncts(tokens: Tokens, edges: Edges) -> Edges:
    """Give each conjunct the first one's relation to its governor, and its subject where it is a verb or adjective without."""
    if not any(e.relation == "conj" for e in edges):
        return edges
    above = {e.dependent: e for e in edges}
    conjunction = {e.head: tokens[e.dependent - 1].text.lower() for e in edges if e.relation == "cc"}
    subjects = [e for e in edges if e.relation in ("nsubj", "nsubj:pass")]
    have_subject = {e.head for e in subjects}
    out = []
    for e in edges:
        if e.relation != "conj":
            out.append(e)
            continue
        out.append(e._replace(relation=f"conj:{conjunction.get(e.dependent, 'and')}"))
        governor = above.get(e.head)
        if governor and governor.head and governor.relation != "conj":
            out.append(governor._replace(dependent=e.dependent))
        if tokens[e.dependent - 1].tag[:1] in "VJ" and e.dependent not in have_subject:
            out += [s._replace(head=e.dependent) for s in subjects if s.head == e.head]
    return tuple(dict.fromkeys(out))


# --- quantifiers -------------------------------------------------------------------------------------------------

_QUANTITIES = frozenset(
    "lot assortment number couple bunch handful litany sheaf slew dozen series variety multitude wad clutch wave mountain array "
    "spate string ton range plethora heap sort form kind type version bit pair triple total".split()
)
_PLURAL_QUANTITIES = frozenset(
    "lots many several plenty tons dozens multitudes mountains loads pairs tens hundreds thousands millions billions trillions".split()
)
_PARTITIVES = frozenset(
    "some all both neither everyone nobody one two three four five six seven eight nine ten hundred thousand million billion trillion".split()
)


def quantifiers(tokens: Tokens, edges: Edges) -> Edges:
    """Make the noun after "of" the head of "a couple of men", "lots of men", "two of the men".

    The words before it become one quantifier: the first hangs on the noun as det:qmod, the others fixed on the first.
    """
    places = [i for i in range(2, len(tokens) + 1) if tokens[i - 1].text.lower() == "of"]
    for shape in (_article_quantity, _plural_quantity, _partitive) if places else ():
        for of in places:
            quantity = tokens[of - 2]
            inside = [e for e in edges if e.head == quantity.index]
            noun = next((e.dependent for e in inside if e.dependent > of and e.relation in ("nmod:of", "obl:of")), None)
            left = noun and shape(tokens, edges, quantity, tokens[noun - 1], [e for e in inside if e.dependent < of - 1])
            if left is None:
                continue
            if not any(e.dependent == quantity.index for e in edges):
                break
            edges = _fold(edges, [*left, quantity.index, of], noun)
    return edges


def _article_quantity(tokens: Tokens, edges: Edges, quantity: Token, noun: Token, left: list[Dependency]) -> list[int] | None:
    """a/an, adjectives, quantity noun, of, noun or pronoun."""
    if quantity.lemma not in _QUANTITIES or not noun.tag.startswith(("NN", "PRP")):
        return None
    words = sorted(e.dependent for e in left if e.relation in ("det", "amod"))
    return words if words and tokens[words[0] - 1].lemma in ("a", "an") else None


def _plural_quantity(tokens: Tokens, edges: Edges, quantity: Token, noun: Token, left: list[Dependency]) -> list[int] | None:
    """lots, dozens, several …, of, noun or pronoun; a preposition or number before belongs to the quantifier."""
    if quantity.text.lower() not in _PLURAL_QUANTITIES or not noun.tag.startswith(("NN", "PRP")):
        return None
    return sorted(e.dependent for e in left if e.relation in ("case", "nummod", "amod"))


def _partitive(tokens: Tokens, edges: Edges, quantity: Token, noun: Token, left: list[Dependency]) -> list[int] | None:
    """one, some, all …, of, determiner and noun, or a pronoun."""
    if quantity.text.lower() not in _PARTITIVES and not quantity.text.isdecimal():
        return None
    determined = noun.tag.startswith("NN") and any(e.head == noun.index and e.relation == "det" for e in edges)
    if not (determined or noun.tag.startswith("PRP")):
        return None
    return sorted(e.dependent for e in left if e.relation == "case")


def _fold(edges: Edges, words: list[int], noun: int) -> Edges:
    """Hang the words (quantity and "of" last) on the noun, which takes over the quantity's first relation to a governor."""
    *left, quantity, of = words
    incoming = min(e for e in edges if e.dependent == quantity)
    kept = [
        e for e in edges if e.dependent not in (quantity, of) and not (e.head == quantity and (e.dependent == noun or e.dependent in left))
    ]
    first, *rest = words
    folded = [Dependency(noun, first, "det:qmod"), *(Dependency(first, w, "fixed") for w in rest)]
    return tuple(dict.fromkeys([*kept, incoming._replace(dependent=noun), *folded]))


# --- pronouns ----------------------------------------------------------------------------------------------------

_SINGULAR_PRONOUNS = frozenset("he him his she her it its one".split())
_SINGULAR_NOUNS = ("NN", "NNP")
_NOUNS = ("NN", "NNP", "NNS", "NNPS")


def pronouns(tokens: Tokens, edges: Edges) -> Edges:
    """Put the antecedent in the place of each pronoun that has one before it; the first word is left alone."""
    for token in tokens[1:]:
        antecedent = _antecedent(tokens, edges, token) if token.tag in ("PRP", "PRP$") else None
        if antecedent:
            swap = {token.index: antecedent}
            edges = tuple(dict.fromkeys(Dependency(swap.get(h, h), swap.get(d, d), r) for h, d, r in edges))
    return edges


def _antecedent(tokens: Tokens, edges: Edges, pronoun: Token) -> int | None:
    """The first noun found breadth first from the root, singular for a singular pronoun, if it stands before the pronoun."""
    tags = _SINGULAR_NOUNS if pronoun.text.lower() in _SINGULAR_PRONOUNS else _NOUNS
    below: dict[int, list[int]] = {}
    for e in sorted(edges):
        below.setdefault(e.head, []).append(e.dependent)
    seen, level = {0}, [0]
    while level:
        level = list(dict.fromkeys(d for i in level for d in below.get(i, ()) if d not in seen))
        seen.update(level)
        found = next((i for i in level if tokens[i - 1].tag in tags), None)
        if found:
            return found if found < pronoun.index else None
    return None


ADAPTING = (
    Step("quantifiers", 'The noun after "a couple of" is what the caption speaks of.', quantifiers),
    Step("pronouns", "A pronoun stands for the first noun before it.", pronouns),
)
STEPS = (
    Step("multiword prepositions", '"in front of" relates two things as one word would.', multiword_prepositions),
    Step("prepositions in labels", "The relation between two nouns is their preposition.", prepositions_in_labels),
    Step("conjuncts", "What is said of the first conjunct is said of all.", conjuncts),
    *ADAPTING,
)
