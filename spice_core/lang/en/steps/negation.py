"""Step for negation, so that things and actions that a sentence negates yield no tuples."""

from __future__ import annotations

from spice_core.lang.en.grammar import is_noun, is_subject, subjects_of
from spice_core.lang.en.word_lists import PERSON_NOUNS
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Dependency

NEGATION_WORDS = frozenset("not n't nt never".split())
_NEGATIVE_PRONOUNS = frozenset("nobody nothing none no-one".split())
_NEITHER_WORDS = frozenset("neither none nor".split())
_LACKS = {("lack", "obj"), ("free", "obl:of"), ("devoid", "obl:of")}
_LACK_FORMS = frozenset("lack lacks lacked lacking free devoid".split())
NEGATING_WORDS = NEGATION_WORDS | _NEGATIVE_PRONOUNS | _NEITHER_WORDS | {"no", "without", "rather", "instead"} | _LACK_FORMS
_EVIDENCE_NOUNS = frozenset("evidence sign indication trace hint suggestion".split())  # "no evidence of a fracture" denies the fracture
_WITHOUT_RELATIONS = tuple(f"{base}:{name}" for base in ("nmod", "obl") for name in ("without", "instead_of", "rather_than"))
_DISJUNCTIONS = ("or", "nor")
_MODIFIER_RELATIONS = ("amod", "compound", "flat", "nummod")
_ARGUMENT_RELATIONS = ("nsubj", "csubj", "obj", "iobj", "obl:agent", "case")
_OUTER_RELATIONS = (
    "det",
    "case",
    "punct",
    "conj",
    "cc",
    "fixed",
    "parataxis",
    "frame",
)  # relations of dependents that a noun's negation does not include
NegatedWords = tuple[set[int], set[int]]  # negated nouns, and negated verbs and other predicates


def remove_negated_words(graph: DependencyGraph) -> DependencyGraph:
    """Remove the relations of negated nouns and verbs.

    "No", "without" and "not a" negate a noun. "Not", "never", "neither" and a negated subject negate a verb with its
    direct object. Negated nouns and their modifiers get the label ``denied``. Other nouns in their phrases do not get this label.
    """
    if graph.words.isdisjoint(NEGATING_WORDS) and not any(relation.startswith(_WITHOUT_RELATIONS) for relation in graph.relations):
        return graph
    nouns, verbs = _find_negated_words(graph)
    if not nouns and not verbs:
        return graph
    out = []
    for edge in graph.edges:
        is_modifier = edge.relation in _MODIFIER_RELATIONS
        if is_modifier and edge.head in nouns:
            out.append(edge._replace(relation="denied"))
        elif (is_modifier and edge.dependent in nouns) or not _is_removed(edge, nouns, verbs):
            out.append(edge)
    return graph.with_edges((*out, *(Dependency(_governor_or_first_dependent(graph, noun), noun, "denied") for noun in sorted(nouns))))


def _governor_or_first_dependent(graph: DependencyGraph, noun: int) -> int:
    """Return the governor of a noun, or its first dependent, or 0."""
    governors = [e.head for e in graph.parents(noun) if e.head]
    return next(iter(governors or [e.dependent for e in graph.children(noun)]), 0)


def _is_removed(edge: Dependency, nouns: set[int], verbs: set[int]) -> bool:
    if edge.head in nouns:
        return edge.relation not in _OUTER_RELATIONS
    is_argument = edge.head in verbs and edge.relation.startswith(_ARGUMENT_RELATIONS)
    return edge.dependent in nouns or is_argument or edge.relation.startswith(_WITHOUT_RELATIONS)


def _find_negated_words(graph: DependencyGraph) -> NegatedWords:
    """Return the nouns and verbs that are negated, directly or through other words."""
    nouns, verbs = set[int](), set[int]()
    for edge in graph.edges:
        noun, verb = _negated_by_word(graph, edge)
        nouns |= {noun} - {0}
        verbs |= {verb} - {0}
    while nouns or verbs:
        found_words = _find_further_nouns(graph, nouns, verbs), _find_further_verbs(graph, nouns, verbs)
        if found_words[0] <= nouns and found_words[1] <= verbs:
            break
        nouns |= found_words[0]
        verbs |= found_words[1]
    return nouns, verbs


def _negated_by_word(graph: DependencyGraph, edge: Dependency) -> tuple[int, int]:
    """Return the noun and the verb negated by the dependent of an edge (0 for none)."""
    word = graph.word(edge.dependent)
    if word == "no":
        return (edge.head, 0) if edge.relation in ("det", "det:group") and not _is_sign(graph, edge.head) else (0, 0)
    if edge.relation.startswith(_WITHOUT_RELATIONS) or (word in _NEGATIVE_PRONOUNS and not graph.has_child(edge.dependent, "nmod:of")):
        return (0 if _is_other_participant(graph, edge.dependent) else edge.dependent), 0
    is_no_longer = word == "longer" and graph.word(edge.dependent - 1) == "no"
    if (edge.relation == "advmod" and (word in NEGATION_WORDS or is_no_longer)) or (edge.relation == "mark" and word == "without"):
        # "not a dog" negates the noun, "is not on a bed" the predicate
        return (edge.head, 0) if is_noun(graph, edge.head) and not graph.has_child(edge.head, "case") else (0, edge.head)
    if (graph.lemma(edge.head), edge.relation) in _LACKS:
        return edge.dependent, 0
    return 0, _negated_by_subject(graph, edge) if is_subject(edge) else 0


def _negated_by_subject(graph: DependencyGraph, edge: Dependency) -> int:
    """Return the first verb after a subject such as "neither of them", or 0 for any other subject."""
    if not _is_neither(graph, edge.dependent):
        return 0
    later_predicates = [o.head for o in graph.parents_like(edge.dependent, "nsubj") if o.head > edge.dependent]
    return min(later_predicates, default=edge.head)


def _is_sign(graph: DependencyGraph, noun: int) -> bool:
    """Return whether the noun after "no" is the text of a sign: "a no parking sign"."""
    return graph.has_parent(noun, "compound") or (graph.lemma(noun) == "sign" and graph.has_child(noun, "compound", "amod"))


def _is_neither(graph: DependencyGraph, subject: int) -> bool:
    """Return whether the subject is "neither of them", "neither boy" or "neither a boy nor a girl"."""
    determiners = graph.children(subject, "det", "cc:preconj", "det:none")
    return graph.word(subject) in _NEITHER_WORDS or any(graph.word(e.dependent) in _NEITHER_WORDS for e in determiners)


def _find_further_nouns(graph: DependencyGraph, nouns: set[int], verbs: set[int]) -> set[int]:
    """Return the nouns that are negated indirectly: objects of negated verbs, subjects of "there is not", conjuncts of negated nouns."""
    edges = [e for verb in verbs for e in graph.children(verb)]
    out = {e.dependent for e in edges if e.relation in ("obj", "iobj") or (e.relation == "nsubj" and graph.has_child(e.head, "expl"))}
    out.update(e.dependent for noun in nouns if graph.lemma(noun) in _EVIDENCE_NOUNS for e in graph.children(noun, "nmod:of", "nmod:for"))
    conjuncts = (e.dependent for noun in nouns for e in graph.children(noun, "conj") if not _is_other_participant(graph, e.dependent))
    conjuncts = (
        word for word in conjuncts if not graph.find_dependent_word(graph.children(word, "cc"), words=("but",))
    )  # "no clouds but smoke"
    out.update(word for word in conjuncts if _follows_disjunction(graph, word) or not graph.has_child(word, "det"))
    return {word for word in out if is_noun(graph, word)}


def _find_further_verbs(graph: DependencyGraph, nouns: set[int], verbs: set[int]) -> set[int]:
    """Return the verbs that are negated indirectly: by their subject or object, by their matrix verb, or by "or" after a negated verb."""
    out = {e.head for noun in nouns for e in graph.parents(noun) if _has_only_negated_arguments(graph, e, nouns)}
    for verb in verbs:
        out.update(e.dependent for e in graph.children(verb, "xcomp", "ccomp"))
        out.update(e.dependent for e in graph.children(verb, "conj") if _follows_disjunction(graph, e.dependent))
    return {i for i in out if not is_noun(graph, i) or graph.has_child(i, "case", "cop")}


def _has_only_negated_arguments(graph: DependencyGraph, edge: Dependency, nouns: set[int]) -> bool:
    """Return whether all subjects, or all objects, of the verb above a negated noun are negated."""
    if is_subject(edge):
        return not graph.has_child(edge.head, "expl") and nouns.issuperset(subjects_of(graph, edge.head))
    if edge.relation != "obj" or graph.has_child(edge.head, "iobj"):
        return False
    return nouns.issuperset(
        o.dependent for o in graph.children(edge.head, "obj")
    )  # "has no sails" does not assert that the ship has anything


def _is_other_participant(graph: DependencyGraph, noun: int) -> bool:
    """Return whether a noun is a person after "and" and a thing, as in "a girl without a top and a woman"."""
    if graph.lemma(noun) not in PERSON_NOUNS or _follows_disjunction(graph, noun):
        return False
    return any(graph.lemma(e.head) not in PERSON_NOUNS for e in graph.parents_like(noun, "conj"))


def _follows_disjunction(graph: DependencyGraph, conjunct: int) -> bool:
    return any(graph.word(e.dependent) in _DISJUNCTIONS for e in graph.children(conjunct, "cc"))
