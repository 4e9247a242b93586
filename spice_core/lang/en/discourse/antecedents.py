"""Antecedents of pronouns, "one", "the other" and bare numbers within a sentence."""

from __future__ import annotations

from functools import partial
from itertools import pairwise

from spice_core.lang.en.discourse.mentions import is_weather_subject, kind_of_noun
from spice_core.lang.en.grammar import base_relation, has_subject, is_noun, is_subject, subjects_of
from spice_core.lang.en.word_lists import FEMALE_NOUNS, GROUP_NOUNS, MALE_NOUNS, PERSON_NOUNS
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Dependency, Token

_PERSON_PRONOUNS = frozenset("he him his she her himself herself hers".split())
_THING_PRONOUNS = frozenset("it its itself it's".split())
_PLURAL_PRONOUNS = frozenset("they them their themselves".split())
_PRONOUNS = _PERSON_PRONOUNS | _THING_PRONOUNS | _PLURAL_PRONOUNS
_MASCULINE_PRONOUNS, _FEMININE_PRONOUNS = frozenset("he him his himself".split()), frozenset("she her herself hers".split())
_PERSON_NOUNS = PERSON_NOUNS | MALE_NOUNS | FEMALE_NOUNS
_MODIFIER_RELATIONS = ("compound", "fixed", "amod", "nmod:poss", "flat", "denied", "member", "det:qmod", "det:group", "det:none")
_NOUN_ROLES = ("nsubj", "obj", "iobj", "obl", "nmod", "conj", "appos", "parataxis", "list", "dep")
_CLAUSE_RELATIONS = ("acl", "acl:relcl", "advcl", "ccomp", "parataxis")
_PARTITIVE_WORDS = frozenset("both some each all another neither none several".split())
_MEMBER_RELATIONS = ("det", "case", "punct", "cc", "cop", "nummod")  # relations of dependents of a member that do not apply to its group
_RECIPROCAL_WORDS = {"each": ("other", "others"), "one": ("another",)}
_COUNT_RELATIONS = ("nummod", "det:qmod", "det:group")
_ATTACHED_PLACE_RELATIONS = tuple(f"nmod:{preposition}" for preposition in "on in inside around over through".split())
_OTHER_WORDS = ("other", "another")
_INDEFINITE_QUANTIFIERS = ("some", "several", "few", "many", "most")
_PLURAL_TAGS = ("NNS", "NNPS")


def resolve_members(graph: DependencyGraph) -> DependencyGraph:
    """Replace "one", "the other", "another", "some" and bare numbers by the noun of the preceding group.

    "Each other" and "one another" are pronouns, not members: their second word becomes a ``fixed`` dependent of the first.
    """
    graph = _join_reciprocals(graph)
    for token in graph.tokens[1:]:
        if _is_member(graph, token):
            group = _find_group(graph, token)
            if group and not _acts_on_each_other(graph, token.index, group):
                graph = _merge_member_into_group(graph, token.index, group)
    return graph


def _acts_on_each_other(graph: DependencyGraph, member: int, group: int) -> bool:
    """Return whether a plural group acts on its member, so that the actor is unclear: "dogs biting the other"."""
    roles = graph.parents(member)
    if graph.tag(group) != "NNS" or any(map(is_subject, roles)):
        return False
    return any(group in subjects_of(graph, e.head) or group in (a.head for a in graph.parents(e.head, "acl")) for e in roles)


def _join_reciprocals(graph: DependencyGraph) -> DependencyGraph:
    """Make the second word of "each other" and "one another" a dependent of the first."""
    for first, second in pairwise(graph.tokens):
        if second.text.lower() not in _RECIPROCAL_WORDS.get(first.text.lower(), ()):
            continue
        if graph.has_parent(second.index, "amod", "det"):
            continue  # no reciprocal: "each other dog"
        heads = graph.heads(first.index), graph.heads(second.index)
        are_conjuncts = second.index in heads[0] or first.index in heads[1]
        if not are_conjuncts and len(heads[0] | heads[1]) > 1:
            continue  # words of different phrases: "gives one another ball"
        new_edges = graph.substitute({second.index: first.index}).edges
        other_edges = (e for e in new_edges if e.head != e.dependent)
        graph = graph.with_edges((*other_edges, Dependency(first.index, second.index, "fixed")))
    return graph


def _is_member(graph: DependencyGraph, token: Token) -> bool:
    """Return whether a word refers to members of a group without a noun: "one of the dogs", "the other"."""
    word = token.text.lower()
    if not _may_name_member(graph, token, word) or token.lemma not in (word, word.removesuffix("s")):
        return False  # already resolved by a step, which changed the lemma
    if graph.has_child(token.index, "nmod:of", "fixed", "cop", "nsubj"):
        return False
    return any(e.relation.startswith(_NOUN_ROLES) and e.relation != "nmod:poss" for e in graph.parents(token.index))


def _may_name_member(graph: DependencyGraph, token: Token, word: str) -> bool:
    """Return whether a word can refer to a member: "one", "another", "the other", or "some" or a number as a subject."""
    if word == "others" and graph.has_parent_like(token.index, "nsubj"):
        return True
    if word in ("other", "others"):
        return [graph.word(e.dependent) for e in graph.children(token.index, "det")][-1:] == ["the"]
    if word in ("one", "ones", "another"):
        return graph.word(token.index - 1) != "no"
    is_number = token.tag == "CD" or (token.tag == "DT" and word in _PARTITIVE_WORDS)
    return is_number and graph.has_parent_like(token.index, "nsubj")


def _find_group(graph: DependencyGraph, token: Token) -> int:
    """Return the noun of the group to which a word belongs (0 if there is none)."""
    nouns = [t.index for t in graph.tokens[: token.index - 1] if _can_be_group(graph, t)]
    if token.text.lower() == "others" and not graph.has_child(token.index, "det"):  # "some men sit, others stand"
        return next((n for n in reversed(nouns) if graph.find_dependent_word(graph.children(n), words=_INDEFINITE_QUANTIFIERS)), 0)
    conjunct_edge = next((e for e in graph.parents(token.index, "conj", "appos") if e.head in nouns), None)
    if conjunct_edge and (conjunct_edge.relation == "conj" or graph.tag(conjunct_edge.head) in _PLURAL_TAGS):
        return conjunct_edge.head
    governors = graph.heads(token.index)
    return _choose_group(graph, token, [n for n in nouns if n not in governors])


def _can_be_group(graph: DependencyGraph, noun: Token) -> bool:
    return noun.tag.startswith("NN") and noun.lemma not in ("one", "other") and not graph.has_parent(noun.index, *_MODIFIER_RELATIONS)


def _choose_group(graph: DependencyGraph, token: Token, nouns: list[int]) -> int:
    """Return the noun of a word's group, chosen from the nouns before the word, or 0 if none fits.

    "Other" and "another" take the last noun counted by "one". If there is none, or for other words, take the last counted plural
    or collective noun, or else the last such noun. If there is none, "other", "another" and words with modifiers take the last noun.
    """
    is_other = token.lemma in _OTHER_WORDS
    if is_other and (singular_nouns := [n for n in nouns if "one" in {graph.lemma(e.dependent) for e in graph.children(n, "nummod")}]):
        return singular_nouns[-1]
    if plural := [n for n in nouns if graph.tag(n) in _PLURAL_TAGS or graph.lemma(n) in GROUP_NOUNS]:
        numbered_nouns = [n for n in plural if graph.has_child(n, "nummod", "det:qmod")]
        return (numbered_nouns or plural)[-1]
    has_modifier = is_other or graph.has_child_like(token.index, "amod", "nmod", "acl")
    return nouns[-1] if nouns and has_modifier else 0


def _merge_member_into_group(graph: DependencyGraph, member: int, group: int) -> DependencyGraph:
    """Replace the member with the noun of the group."""
    out = []
    for edge in graph.edges:
        if edge.head == member:
            out += [edge._replace(head=group)] if base_relation(edge) not in _MEMBER_RELATIONS and edge.dependent != group else []
        elif edge.dependent == member:
            out += [edge._replace(dependent=group)] if edge.head != group else []
        else:
            out.append(edge)
    return graph.with_edges((*dict.fromkeys(out), Dependency(group, member, "member")))


def resolve_clear_pronouns(graph: DependencyGraph) -> DependencyGraph:
    """Replace each pronoun by its antecedent, if there is one.

    A plural pronoun, or "it", also stands for the conjuncts of its antecedent. "Each other" and "one another" refer to the
    subject of their clause.
    """
    for token in graph.tokens:
        word = token.text.lower()
        if word in _RECIPROCAL_WORDS and (noun := _find_reciprocal_subject(graph, token.index)):
            pair = graph.children(token.index, "fixed")
            graph = _replace_pronoun(graph, token.index, [noun]).add(*pair)
        if token.tag not in ("PRP", "PRP$") or word not in _PRONOUNS or is_weather_subject(graph, token.index):
            continue
        if noun := _find_antecedent(graph, token.index, word):
            conjuncts = [e.dependent for e in graph.children(noun, "conj") if e.dependent < token.index]
            conjuncts = conjuncts or _find_other_person(graph, token.index, word, noun)
            gaps = {
                Dependency(verb, noun, "obj") for verb in graph.heads_by(token.index, "nsubj")
            }  # "a surfer at the moment she rises": no object of "rises"
            graph = _replace_pronoun(graph, token.index, [noun, *(conjuncts if word in _PLURAL_PRONOUNS | _THING_PRONOUNS else ())])
            graph = graph.with_edges(e for e in graph.edges if e not in gaps)
    return graph


def _find_other_person(graph: DependencyGraph, pronoun: int, word: str, antecedent: int) -> list[int]:
    """Return the second antecedent of "they" if exactly two people or animals precede it as subjects or objects.

    In "a girl holds her brother as they wait", with the antecedent "girl", the result is "brother".
    """
    if word not in ("they", "them") or graph.tag(antecedent) in _PLURAL_TAGS or graph.lemma(antecedent) in GROUP_NOUNS:
        return []
    roles = ("nsubj", "nsubj:pass", "obj", "iobj")
    candidates = (e.dependent for e in graph.edges if e.relation in roles and e.dependent < pronoun and is_noun(graph, e.dependent))
    people = [i for i in dict.fromkeys(candidates) if kind_of_noun(graph.lemma(i)) != "thing"]
    return [i for i in people if i != antecedent] if len(people) == 2 and antecedent in people else []


def _find_reciprocal_subject(graph: DependencyGraph, index: int) -> int:
    """Return the subject to which "each other" or "one another" refers: the only subject of its clause, if it is plural or counted."""
    if not graph.find_dependent_word(graph.children(index, "fixed"), words=_RECIPROCAL_WORDS[graph.word(index)]):
        return 0
    subjects = subjects_of(graph, index) or _clause_subjects(graph, index)
    if len(subjects) != 1:
        return 0  # In "a man and a woman kiss each other", the replacement would make the man kiss himself.
    is_group = graph.has_child(subjects[0], *_COUNT_RELATIONS) or _agrees(graph.token(subjects[0]), "them", is_plural=False)
    return subjects[0] if is_group else 0


def _replace_pronoun(graph: DependencyGraph, pronoun: int, nouns: list[int]) -> DependencyGraph:
    """Replace a pronoun with nouns. If the pronoun is a predicate ("is next to him"), relate its subjects to the nouns."""
    subjects, case = subjects_of(graph, pronoun), graph.child(pronoun, "case")
    out = []
    for edge in graph.edges:
        if edge.dependent == pronoun:
            out += [edge._replace(dependent=noun) for noun in nouns if noun != edge.head and not subjects]
        elif edge.head != pronoun:
            out.append(edge)
    if case:
        label = f"nmod:{graph.phrase(case)}"
        out += [Dependency(subject, noun, label) for subject in subjects for noun in nouns if subject != noun]
    return graph.with_unique_edges(out)


def _find_antecedent(graph: DependencyGraph, pronoun: int, word: str) -> int:
    """Return the antecedent of a pronoun (0 if there is none).

    A reflexive refers to the subject of its clause, and so does a possessive if it agrees with that subject. "It" refers to
    the noun whose "with" phrase contains it, if they agree. In all other cases, a pronoun refers to the first preceding noun
    that agrees, breadth first from the root, but not to the subject of its clause.
    """
    subjects = [i for i in _clause_subjects(graph, pronoun) if graph.head(i, "conj") not in graph.heads_by(pronoun, "nmod:poss")]
    fits = partial(_agrees_in_graph, graph, word)
    if word.endswith(("self", "selves")):
        follows_by = graph.has_parent(pronoun, "obl:by", "nmod:by")  # "by herself" means "alone"
        return 0 if follows_by else next(filter(fits, subjects), 0)
    if word in _THING_PRONOUNS and (whole := _find_owner_of_with_phrase(graph, pronoun)) and fits(whole):
        return whole
    governors = set(subjects_of(graph, pronoun)) or graph.heads(pronoun)
    owners = [i for i in subjects if i not in governors and not _is_subject_of_absolute(graph, i)]
    if graph.tag(pronoun) == "PRP$" and (owner := _find_owner(graph, word, owners)):
        return owner
    excluded_nouns = governors | _excluded_arguments(graph, pronoun, subjects)
    return _find_preceding_noun(graph, pronoun, word, excluded_nouns, subjects)


def _is_subject_of_absolute(graph: DependencyGraph, noun: int) -> bool:
    """Return whether a thing acts in an absolute clause, whose pronouns refer to the main noun: ", smoke rising from its chimney"."""
    verbs = graph.heads_by(noun, "nsubj")
    is_clause = any(
        graph.tag(verb) == "VBG" and graph.has_parent(verb, "advcl", "acl") and not graph.has_child(verb, "aux", "mark") for verb in verbs
    )
    return (is_clause or graph.has_parent(noun, "list")) and kind_of_noun(graph.lemma(noun)) == "thing"


def _find_owner(graph: DependencyGraph, word: str, subjects: list[int]) -> int:
    """Return the first of these subjects to which a possessive may refer. "Their" may be singular: "a rider adjusts their helmet"."""
    return next(
        (
            i
            for i in subjects
            if _agrees_in_graph(graph, word, i) or (word in _PLURAL_PRONOUNS and kind_of_noun(graph.lemma(i)) == "person")
        ),
        0,
    )


def _excluded_arguments(graph: DependencyGraph, pronoun: int, subjects: list[int]) -> set[int]:
    """Return the words to which a pronoun cannot refer: the subjects of its clause and, if it is a subject, the obliques of its verb.

    Return an empty set for possessives and for pronouns in the phrase of a noun.
    """
    if graph.tag(pronoun) == "PRP$" or graph.has_parent_like(pronoun, "nmod"):
        return set()
    subjects = [
        i for i in subjects if not (graph.word(pronoun) in _PLURAL_PRONOUNS and graph.has_child(i, "member"))
    ]  # A member may act on the rest of its group: "one films them".
    return {*subjects, *(o.dependent for e in graph.parents_like(pronoun, "nsubj") for o in graph.children_like(e.head, "obl"))}


def _find_owner_of_with_phrase(graph: DependencyGraph, pronoun: int) -> int:
    """Return the noun whose "with" phrase contains a pronoun (0 if there is none).

    Examples are the cake in "a cake with candles on it" and the train in "a train with smoke rising from its funnel".
    """
    place = graph.head(pronoun, "nmod:poss") or pronoun
    part = graph.head(place, *_ATTACHED_PLACE_RELATIONS)
    if verb := next((e.head for e in graph.parents_like(place, "obl:")), 0):
        part = graph.head(verb, "acl")
    whole = graph.head(part, "nmod:with") if part else 0
    return 0 if graph.has_child(whole, "cop") else whole  # "The fish is silver with spots on its back."


def _find_preceding_noun(graph: DependencyGraph, pronoun: int, word: str, excluded_nouns: set[int], subjects: list[int]) -> int:
    """Return the first preceding noun or owner that agrees with a pronoun, or else the first noun that may be the antecedent."""
    fits = partial(_agrees_in_graph, graph, word)
    nouns = [i for i in graph.breadth_first(_MODIFIER_RELATIONS) if i < pronoun and i not in excluded_nouns and is_noun(graph, i)]
    owners = _owners_before(graph, pronoun, excluded_nouns.difference(subjects)) if word in _PERSON_PRONOUNS else []
    if noun := next(filter(fits, (*nouns, *owners)), 0):
        return noun
    if denied_subject := next(filter(fits, _unattached_nouns_before(graph, pronoun)), 0):
        return denied_subject  # "my grandfather does not like soup, so he eats bread"
    return next((i for i in nouns if word not in _PERSON_PRONOUNS or _may_be_person(graph.token(i))), 0)


def _owners_before(graph: DependencyGraph, pronoun: int, excluded_nouns: set[int]) -> list[int]:
    """Return the owners before a pronoun, except owners of the excluded nouns."""
    return [e.dependent for e in graph.edges_of("nmod:poss") if e.dependent < pronoun and e.head not in excluded_nouns]


def _unattached_nouns_before(graph: DependencyGraph, pronoun: int) -> list[int]:
    """Return the nouns before a pronoun that depend on no word, such as subjects of negated verbs."""
    return [t.index for t in graph.tokens[: pronoun - 1] if is_noun(graph, t.index) and not graph.parents(t.index)]


def _may_be_person(noun: Token) -> bool:
    return noun.tag == "NNP" or kind_of_noun(noun.lemma) != "thing"


def _agrees_in_graph(graph: DependencyGraph, word: str, index: int) -> bool:
    is_thing_in_picture = not graph.has_parent(index, "frame")
    return is_thing_in_picture and _agrees(graph.token(index), word, is_plural=graph.has_child(index, "conj"))


def _agrees(noun: Token, word: str, *, is_plural: bool) -> bool:
    """Return whether a noun agrees with a pronoun in number, person and gender."""
    if word in _PERSON_PRONOUNS:
        is_person = noun.lemma in _PERSON_NOUNS or kind_of_noun(noun.lemma) in ("he", "she", "person")
        return is_person and noun.lemma not in (FEMALE_NOUNS if word in _MASCULINE_PRONOUNS else MALE_NOUNS)
    if word in _THING_PRONOUNS:
        return noun.lemma not in _PERSON_NOUNS and noun.tag in ("NN", "NNP")
    return noun.tag in _PLURAL_TAGS or is_plural or noun.lemma in GROUP_NOUNS


def _clause_subjects(graph: DependencyGraph, index: int) -> list[int]:
    seen, level = {index}, [index]
    if has_subject(graph, index):
        return _select_nouns(graph, subjects_of(graph, index))
    while level:
        governors = [e.head for i in level for e in graph.parents(i) if e.head and e.relation not in _CLAUSE_RELATIONS]
        for head in governors:
            if has_subject(graph, head):
                return _select_nouns(graph, subjects_of(graph, head))
        level = [i for i in dict.fromkeys(governors) if i not in seen]
        seen.update(level)
    return []


def _select_nouns(graph: DependencyGraph, words: list[int]) -> list[int]:
    return [i for i in words if is_noun(graph, i)]
