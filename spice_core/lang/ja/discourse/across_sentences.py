"""Steps for captions of several sentences: shared subjects, pronouns, and members of groups ("one … the other")."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from spice_core.lang.enhancement import Sentences
from spice_core.lang.ja import word_lists
from spice_core.lang.ja.steps.subjects import ZERO_SUBJECT_RELATION, SubjectSharer
from spice_core.lang.ja.trees import is_animate, is_nominal, is_verb, particles_of, phrase_of
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Dependency, Sentence, Token

_MASCULINE_PRONOUNS, _FEMININE_PRONOUNS = frozenset("彼 彼ら".split()), frozenset("彼女 彼女ら 彼女たち".split())
_THING_PRONOUNS = frozenset("それ それら これ これら".split())
_MEMBER_WORDS = frozenset("片方 一方 もう一方 他方 全員 両方 どちら 双方".split())
_ARGUMENT_RELATIONS = ("nsubj", "obj", "obl")


def join_sentences(sentences: Sentences) -> Sentences:
    """Join all sentences into one with several roots."""
    if len(sentences) < 2:
        return sentences
    tokens: list[Token] = []
    basic: list[Dependency] = []
    for sentence in sentences:
        offset = len(tokens)
        tokens += [t._replace(index=t.index + offset) for t in sentence.tokens]
        basic += [Dependency(e.head + offset if e.head else 0, e.dependent + offset, e.relation) for e in sentence.basic]
    return (Sentence(tuple(tokens), tuple(basic)),)


def resolve_members(graph: DependencyGraph) -> DependencyGraph:
    """Replace numbers and words that stand for members of a group by the noun of the group.

    女性が二人いて、|一人は|座る ("there are two women, and one of them sits").
    """
    for token in graph.tokens[1:]:
        role = next((e for e in graph.parents(token.index) if _is_member_role(e)), None)
        text = phrase_of(graph, token.index).removeprefix("うち") if role else ""
        if role and (word_lists.is_quantity(text) or text in _MEMBER_WORDS):
            graph = _replace_number(graph, token.index, role, is_one=text[0] in "1１一ひ")
    return graph


def _replace_number(graph: DependencyGraph, number: int, role: Dependency, *, is_one: bool) -> DependencyGraph:
    """Replace a number that refers to members of a group.

    The number one is replaced by its owner, a noun with の. Numbers without an owner are replaced by the noun of their group.
    """
    owners = (e.dependent for e in graph.children(number, "nmod:の"))
    if owner := next((index for index in owners if is_nominal(graph.token(index))), 0):
        return _replace_number_by_owner(graph, number, owner) if is_one else graph
    group = _find_group(graph, number) if _is_bare_subject(graph, number, role) else 0
    if not group:
        return graph
    member_edges = dict.fromkeys(_member_edge(e, number, group) for e in graph.edges)
    return graph.with_edges((*member_edges, Dependency(group, number, "nummod:floated")))


def _is_member_role(edge: Dependency) -> bool:
    return edge.relation in ("nsubj", "obj", "nummod:floated") or edge.relation.startswith("obl:")


def _replace_number_by_owner(graph: DependencyGraph, number: int, owner: int) -> DependencyGraph:
    """Replace a number with its owner. In グラスの|一つに ("in one of the glasses"), the owner is グラス."""
    other_edges = [e for e in graph.edges if e.dependent != number and not (e.head == number and e.dependent == owner)]
    owner_edges = [e._replace(dependent=owner) for e in graph.parents(number)]
    return graph.with_edges((*dict.fromkeys((*other_edges, *owner_edges)), Dependency(owner, number, "nummod:floated")))


def _is_bare_subject(graph: DependencyGraph, number: int, role: Dependency) -> bool:
    """Return whether a number marked by が, は or も is the only subject of a predicate."""
    if is_nominal(graph.token(role.head)) or any(e.dependent != number for e in graph.children(role.head, "nsubj")):
        return False
    return not {"が", "は", "も"}.isdisjoint(particles_of(graph, number))


def _member_edge(edge: Dependency, member: int, group: int) -> Dependency:
    if edge.dependent == member and edge.relation in ("nsubj", "nummod:floated"):
        return Dependency(edge.head, group, "nsubj")
    if edge.dependent == group and edge.relation == "nmod:の" and edge.head < member and edge.head > group:  # 男性の|うち ("among the men")
        return edge._replace(relation="dep")
    return edge


def _find_group(graph: DependencyGraph, member: int) -> int:
    """Return the noun of the group: the last counted person or animal, else the last counted noun, else the last person or animal, or 0."""
    nouns = list(dict.fromkeys(_argument_nouns(graph, member)))
    counted_nouns = [n for n in nouns if _is_counted(graph, n, member)]
    animate_nouns = [n for n in nouns if word_lists.is_animate(_compound_lemma(graph, n))]
    return next(reversed([n for n in counted_nouns if n in animate_nouns] or counted_nouns or animate_nouns), 0)


def _is_counted(graph: DependencyGraph, noun: int, end: int) -> bool:
    """Return whether a number quantifies a noun, as its modifier or as a floating quantifier before the word ``end``."""
    floating_edges = (e for word in (noun, *graph.heads_by(noun, "nsubj")) for e in graph.children(word, "nummod:floated"))
    return graph.has_child(noun, "nummod") or any(e.dependent < end for e in floating_edges)


def _argument_nouns(graph: DependencyGraph, word: int) -> Iterator[int]:
    for edge in sorted(graph.edges, key=lambda edge: edge.dependent):
        token = graph.token(edge.dependent)
        if edge.dependent >= word or not edge.relation.startswith((*_ARGUMENT_RELATIONS, "nmod:の", "root")) or not is_nominal(token):
            continue
        text = phrase_of(graph, edge.dependent)
        is_unspecific = token.tag.startswith("代名詞") or word_lists.is_quantity(text)
        if not is_unspecific and text not in word_lists.RELATIONAL_NOUNS and text != "うち":
            yield edge.dependent


def resolve_pronouns(graph: DependencyGraph) -> DependencyGraph:
    """Replace 彼 ("he"), 彼女 ("she") and それ ("it") by their antecedents, and give a place word after その its owner.

    その中 ("inside it") is related to the thing in an earlier sentence that その refers to.
    """
    for token in graph.tokens[1:]:
        if token.tag.startswith("代名詞") and token.text in _MASCULINE_PRONOUNS | _FEMININE_PRONOUNS | _THING_PRONOUNS:
            if antecedent := _find_antecedent(graph, token.index, token.text):
                edges = (e._replace(dependent=antecedent) if _is_argument_of(e, token.index) else e for e in graph.edges)
                graph = graph.with_unique_edges(edges).add(Dependency(antecedent, token.index, "fixed"))
        elif token.text == "その" and (antecedent := _find_owner(graph, token.index)):
            graph = graph.add(Dependency(graph.parents(token.index)[0].head, antecedent, "nmod:の"))
    return graph


def _is_argument_of(edge: Dependency, pronoun: int) -> bool:
    return edge.dependent == pronoun and edge.relation.startswith((*_ARGUMENT_RELATIONS, "nmod"))


def _compound_lemma(graph: DependencyGraph, index: int) -> str:
    """Return the dictionary form of a noun with its compound parts, such as 子供 ("child") for 子供たち ("children")."""
    token = graph.token(index)
    return phrase_of(graph, index).removesuffix(token.text) + token.lemma


def _find_antecedent(graph: DependencyGraph, pronoun: int, text: str) -> int:
    """Return the last noun that agrees with a pronoun, or 0. For 彼 and 彼女, people precede animals, and subjects precede other nouns."""
    owners = _owners_of_subject(graph, pronoun)
    nouns = [n for n in _argument_nouns(graph, pronoun) if n not in owners and _agrees(_compound_lemma(graph, n), text)]
    if text in _THING_PRONOUNS:
        return next(reversed(nouns), 0)
    people = [n for n in nouns if _compound_lemma(graph, n) in word_lists.PERSON_NOUNS] or nouns
    subjects = [n for n in people if graph.has_parent(n, "nsubj", ZERO_SUBJECT_RELATION)]
    return next(reversed(subjects or people), 0)


def _agrees(word: str, pronoun: str) -> bool:
    """Return whether a pronoun may refer to a word."""
    if pronoun in _THING_PRONOUNS:
        return not word_lists.is_animate(word)
    other_nouns = word_lists.FEMALE_NOUNS if pronoun in _MASCULINE_PRONOUNS else word_lists.MALE_NOUNS
    return word_lists.is_animate(word) and word not in other_nouns


def _owners_of_subject(graph: DependencyGraph, pronoun: int) -> set[int]:
    """Return the owners (nouns with の) in the subject of the pronoun's clause or of the clause above it.

    In 赤い服の|選手が|それを追う ("the player in red clothes chases it"), それ does not refer to the clothes.
    """
    clauses = graph.heads(pronoun)
    clauses |= {head for clause in clauses for head in graph.heads_by(clause, "advcl")}
    subjects = (e.dependent for clause in clauses for e in graph.children(clause, "nsubj"))
    return {e.dependent for subject in subjects for e in graph.children(subject, "nmod:の")}


def _find_owner(graph: DependencyGraph, determiner: int) -> int:
    """Return the thing in an earlier sentence to which その before a place word refers: the last subject or object, else the last
    thing, or 0."""
    noun = next((e.head for e in graph.parents(determiner)), 0)
    start = max((t.index for t in graph.tokens[: determiner - 1] if t.text == "。"), default=0)
    if not noun or not start or graph.text(noun) not in word_lists.RELATIONAL_NOUNS:
        return 0
    things = [n for n in _argument_nouns(graph, start) if not word_lists.is_animate(graph.text(n))]
    arguments = [n for n in things if graph.has_parent(n, "nsubj", "obj")]
    return next(reversed(arguments or things), 0)


def carry_subjects_over(graph: DependencyGraph) -> DependencyGraph:
    """Give a sentence without a subject the previous sentence's subject."""
    roots = sorted(e.dependent for e in graph.edges_of("root"))
    if len(roots) < 2:
        return graph
    sharer = SubjectSharer(graph)
    clauses = sharer.clauses  # the first time, share along all dependencies between clauses, as share_subjects does
    for previous_root, root in pairwise(roots):
        subjects = sharer.subjects.get(previous_root)
        is_doer = graph.lemma(root) not in word_lists.PERSONAL_VERBS or any(is_animate(graph, s) for s in subjects or ())
        if subjects and is_doer and root not in sharer.subjects and is_verb(graph.token(root)):
            sharer.give_subjects(root, subjects)
            sharer.share(clauses or sharer.connected_dependencies(root))
            clauses = []
    return graph.with_edges(sharer.edges)
