"""Enhancement of basic trees to the graph that the rules read: named steps, each a function of the edges.

Source: spec section 2 (the collapsed, conjunction-processed graph, here in UD v2 terms) and section 3 (quantifiers,
pronouns).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from spice_core.lang.en import antecedents, clauses, negation, phrases, reanalysis
from spice_core.lang.en.belongings import belongings
from spice_core.lang.en.discourse import members_named_before, pronouns_across_sentences
from spice_core.lang.en.frames import comments, hedges, picture_frames
from spice_core.lang.en.plurals import copies
from spice_core.lang.en.prepositions import multiword_prepositions, prepositions_in_labels
from spice_core.lang.en.quantities import quantities as quantities_of
from spice_core.syntax.document import Dependency, Document, Sentence, Token
from spice_core.syntax.enhancement import DiscourseStep, Edges, Step, Tokens, discoursed, divided, enhanced, traced


def enhance(document: Document, steps: Sequence[str] | None = None) -> Document:
    """The document with enhanced graphs, made from the basic trees or from its own enhanced columns.

    ``steps`` names the steps to take from the basic trees, in order; without them those of the original SPICE.
    """
    early, chosen = ([], None) if steps is None else divided(ALL, DISCOURSE, steps)
    document = discoursed(document, early)
    return replace(document, sentences=tuple(_enhance(sentence, chosen) for sentence in document.sentences))


def discourse(document: Document, steps: Sequence[str] | None = None) -> list[tuple[DiscourseStep, Document]]:
    """The discourse steps among those named, in order, each with the document after it."""
    out = []
    for step in divided(ALL, DISCOURSE, steps or ())[0]:
        document = discoursed(document, (step,))
        out.append((step, document))
    return out


def trace(sentence: Sentence, steps: Sequence[str] | None = None) -> list[tuple[Step, Edges]]:
    """The steps for the sentence (or those named), in order, each with the edges after it; discourse steps come before."""
    chosen, edges = _start(sentence) if steps is None else (divided(ALL, DISCOURSE, steps)[1], sentence.basic)
    return traced(chosen, sentence.resolved, edges)


def _enhance(sentence: Sentence, chosen: Sequence[Step] | None) -> Sentence:
    steps, edges = _start(sentence) if chosen is None else (chosen, sentence.basic)
    return enhanced(sentence, steps, edges)


def _start(sentence: Sentence) -> tuple[Sequence[Step], Edges]:
    """The steps for a sentence and their initial edges: its own enhanced graph if it has one."""
    return (STEPS, sentence.basic) if sentence.enhanced is None else (ADAPTING, sentence.enhanced)


# --- coordination ------------------------------------------------------------------------------------------------


def conjuncts(tokens: Tokens, edges: Edges) -> Edges:
    """Give each conjunct the first one's incoming relation and, if it is a verb or adjective without subject, its subject."""
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

    The words before it become one quantifier: the first depends on the noun as det:qmod, the others fixed on the first.
    """
    places = [i for i in range(2, len(tokens) + 1) if tokens[i - 1].text.lower() == "of"]
    for shape in (_article_quantity, _plural_quantity, _partitive) if places else ():
        for of in places:
            quantity = tokens[of - 2]
            inside = [e for e in edges if e.head == quantity.index]
            noun = next((e.dependent for e in inside if e.dependent > of and e.relation in ("nmod:of", "obl:of")), None)
            if noun is None:
                continue
            left = shape(tokens, edges, quantity, tokens[noun - 1], [e for e in inside if e.dependent < of - 1])
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
    """Attach the words (quantity and "of" last) to the noun, which takes over the quantity's first relation to a governor."""
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
    """Replace each pronoun by its antecedent if that precedes it; the first word is left unchanged."""
    for token in tokens[1:]:
        antecedent = _antecedent(tokens, edges, token) if token.tag in ("PRP", "PRP$") else None
        if antecedent:
            swap = {token.index: antecedent}
            edges = tuple(dict.fromkeys(Dependency(swap.get(h, h), swap.get(d, d), r) for h, d, r in edges))
    return edges


def _antecedent(tokens: Tokens, edges: Edges, pronoun: Token) -> int | None:
    """The first noun in breadth-first order from the root, singular for a singular pronoun, if it precedes the pronoun."""
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
    Step("quantifiers", 'The noun after "a couple of" is the head.', quantifiers),
    Step("pronouns", "A pronoun refers to the first noun before it.", pronouns),
)
STEPS = (
    Step("multiword prepositions", '"in front of" works as one preposition.', multiword_prepositions),
    Step("prepositions in labels", "The relation between two nouns is their preposition.", prepositions_in_labels),
    Step("conjuncts", "All conjuncts share the relations of the first.", conjuncts),
    *ADAPTING,
)
# further steps, used by the rule set ``caption``, and ``stanford-2015`` (plurals as copies)
ALL = (
    *STEPS,
    Step("plurals as copies", "Three men are three objects, each with its own relations.", copies),
    Step("whole prepositions", '"next to", "in front of" and "out of" work as one preposition.', phrases.whole_prepositions),
    Step("close-ups", '"Close up" is one noun.', phrases.close_ups),
    Step("parts of a whole", 'What stands before "of" is the head of the noun behind it.', phrases.parts_of_a_whole),
    Step("reanalysis", 'Inversion, a list without "and" and words on signs get the tree that they mean.', reanalysis.reanalysis),
    Step("names", "The last word of a name is its head.", phrases.names),
    Step("lone adjectives", 'In "a black and a white dog", both adjectives modify the dog.', phrases.lone_adjectives),
    Step("flat compounds", "Every modifier within a compound modifies its head.", phrases.flat_compounds),
    Step("belongings", 'What follows "with" belongs to the noun that has such things, a tool to its verb.', belongings),
    Step("places of the whole", "A place modifies the first noun of a chain.", phrases.places_of_the_whole),
    Step("depicted", "Places and participles of a picture belong to what it shows.", phrases.depicted),
    Step("frames", 'The picture in "in the picture" is not in the picture.', phrases.frames),
    Step("picture frames", '"The image shows a dog", "a dog can be seen": there is a dog.', picture_frames),
    Step("comments", "What the picture adds, and what it only suggests, is not in it.", comments),
    Step("hedges", "Where something seems to be so, it is so there.", hedges),
    Step("shapes act", "In a row of carts sitting in a yard, the row sits.", phrases.shapes_act),
    Step("with clauses", 'The subject of a "with" clause is there.', clauses.with_clauses),
    Step("participle agents", 'The noun after "by" is the agent of a participle, unless it is a place.', clauses.participle_agents),
    Step("coordination", "All conjuncts share their relations and modifiers.", phrases.coordination),
    Step("quantities", 'The noun after "a group of" is the head.', quantities_of),
    Step("members", '"One", "the other" and numbers alone are members of a group named before.', antecedents.members),
    Step("relative clauses", "The noun fills the gap of its relative clause.", clauses.relative_clauses),
    Step("actors", "Actions of people and animals need a person or animal as subject.", clauses.actors),
    Step("controlled subjects", "A participle or purpose clause has the subject of its matrix clause.", clauses.controlled_subjects),
    Step("seen subjects", "To watch a batter hit a ball is to watch the batter.", clauses.seen_subjects),
    Step("places after have", "What something has on it is on it.", clauses.places_after_have),
    Step("negation", "What a sentence denies is not there.", negation.negation),
    Step("clear pronouns", "A pronoun refers to the highest preceding noun that agrees with it.", antecedents.clear_pronouns),
)
# before the enhancement of each sentence, used by the rule set ``caption``
DISCOURSE = (
    DiscourseStep(
        "pronouns across sentences",
        "A pronoun refers to a noun of an earlier sentence that agrees with it: the nearest, subjects first.",
        pronouns_across_sentences,
    ),
    DiscourseStep("members across sentences", '"One", "the other" and "some" are members of a group named earlier.', members_named_before),
)
