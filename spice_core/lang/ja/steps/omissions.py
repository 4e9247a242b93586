"""Steps for omitted words: particles (犬いる, "dog there"; 眼鏡も, "also glasses") and a verb that a clause shares with a later clause."""

from __future__ import annotations

from spice_core.lang.ja import word_lists
from spice_core.lang.ja.trees import (
    PLACE_RELATIONS,
    follow_rightwards,
    has_comma,
    is_animate,
    is_nominal,
    is_passive,
    is_verb,
    is_verbal,
    particles_of,
    phrase_of,
)
from spice_core.syntax.dependency_graph import DependencyGraph, EditableTree, WordQueries
from spice_core.syntax.document import Dependency

GAPPED_SUBJECT_RELATION = "nsubj:gapped"  # relation of a subject that shares the verb of a later clause
GAPPED_ARGUMENT_RELATION = "gapped"  # relation of the other arguments to that subject
_NOUN_TAGS = ("名詞-普通名詞-一般", "名詞-普通名詞-サ変可能", "名詞-固有名詞", "名詞-転成", "代名詞", "接尾辞-名詞的-一般")
_LOOSE_RELATIONS = ("advmod", "obl", "nmod", "conj:、", "dep")
_BARE_NOUN_RELATIONS = ("advmod", "nsubj", "obj", "conj:、")
_INTERVENING_RELATIONS = ("advmod", "compound", "nummod", "nummod:floated", "case", "det")


def attach_bare_arguments(graph: DependencyGraph) -> DependencyGraph:
    """Make a noun without a particle the object, subject or goal of its verb.

    犬|いる ("dog there").
    """
    tree = graph.tree()
    for edge in graph.edges_of("compound"):
        if edge.head > edge.dependent and graph.tag(edge.head).startswith("形容詞") and is_nominal(graph.token(edge.dependent)):
            tree.relabel(edge.dependent, "nsubj")  # 犬|かわいい ("dog cute")
    for edge in sorted(tree.values(), key=lambda edge: -edge.dependent):
        if _is_first_part(tree, edge):
            # バースデー|ケーキ ("birthday cake")
            tree.attach(edge.dependent, follow_rightwards(tree, edge.dependent + 1, "compound"), "compound")
        elif (verb := _find_verb_of_bare_noun(tree, edge)) and (role := _role_of_bare_noun(tree, edge.dependent, verb)):
            tree.attach(edge.dependent, verb, role)
    return graph.with_edges(tree.values())


def _is_first_part(tree: EditableTree, edge: Dependency) -> bool:
    """Return whether a noun directly precedes another noun, as the first part of a compound."""
    noun = edge.dependent
    if edge.relation not in ("advmod", "obl") or edge.head <= noun + 1 or not tree.tag(noun).startswith("名詞-普通名詞-一般"):
        return False
    text = phrase_of(tree, noun)
    precedes_noun = tree.tag(noun + 1).startswith("名詞-普通名詞-一般") and not _is_adverb(tree.text(noun + 1))
    return precedes_noun and not (word_lists.is_animate(text) or _is_adverb(text))


def _find_verb_of_bare_noun(tree: EditableTree, edge: Dependency) -> int:
    """Return the predicate of which a noun without a particle may be an argument, or 0."""
    noun = edge.dependent
    is_loose = edge.relation in _LOOSE_RELATIONS and edge.head > noun and tree.tag(noun).startswith(_NOUN_TAGS)
    if not is_loose or particles_of(tree, noun) or _is_adverb(phrase_of(tree, noun)):
        return 0
    return edge.head if is_verbal(tree.token(edge.head)) else 0


def _is_adverb(text: str) -> bool:
    return (
        text in word_lists.RELATIONAL_NOUNS
        or word_lists.is_quantity(text)
        or word_lists.is_time(text)
        or text in word_lists.ADVERBIAL_WORDS
    )


def _role_of_bare_noun(tree: EditableTree, noun: int, verb: int) -> str:
    """Return the relation of a noun without a particle to its verb, or ""."""
    is_being, has_subject = is_animate(tree, noun), tree.has_child(verb, "nsubj")
    if not _stands_before(tree, noun, verb):
        return "nsubj" if is_being and not has_subject else ""
    # 空|飛ぶペンギン ("penguin flying through the sky")
    is_path = not is_being and tree[verb].relation == "acl" and is_verb(tree.token(verb)) and is_animate(tree, verb + 1)
    if is_path or (_lacks_object(tree, verb) and (has_subject or not is_being)):
        return "obj"
    return "" if has_subject else "nsubj"


def _stands_before(tree: EditableTree, noun: int, verb: int) -> bool:
    """Return whether at most a number or an adverb separates a noun and its verb."""
    words, stack = {noun, verb}, [noun, verb]
    while stack:
        dependents = {e.dependent for e in tree.children(stack.pop(), *_INTERVENING_RELATIONS)} - words
        words |= dependents
        stack += dependents
    return words.issuperset(range(noun, verb))


def _lacks_object(graph: WordQueries, verb: int) -> bool:
    """Return whether a verb is transitive and active but has no object."""
    if graph.lemma(verb) not in word_lists.TRANSITIVE_VERBS or graph.has_child(verb, "obj") or is_passive(graph, verb):
        return False
    return not any(graph.lemma(e.dependent) in ("ある", "有る") for e in graph.children(verb, "aux"))  # 掛けてある ("has been hung up")


def separate_gapped_clauses(graph: DependencyGraph) -> DependencyGraph:
    """Separate clauses that share the verb of the last clause.

    右には犬が、|左には猫が|いる ("on the right is a dog, on the left a cat"). The particle of the first subject may be missing:
    左に木、|右に家が|ある ("on the left a tree, on the right is a house").
    """
    replacements: dict[Dependency, list[Dependency]] = {}
    for verb in sorted({e.head for e in graph.edges_of("nsubj", "obj") if e.head}):
        arguments = sorted((e for e in graph.children_before(verb, verb) if _is_argument(e)), key=lambda e: e.dependent)
        replacements |= _replacements_of_things_without_particles(graph, verb)
        shared_arguments, groups = _group_arguments(graph, arguments)
        for group in groups:
            replacements |= _replacements_of_gapped_arguments(graph, group, shared_arguments)
    return graph.with_edges(new_edge for e in graph.edges for new_edge in replacements.get(e, (e,))) if replacements else graph


def _replacements_of_gapped_arguments(
    graph: DependencyGraph, group: list[Dependency], shared_arguments: list[Dependency]
) -> dict[Dependency, list[Dependency]]:
    """Return the edges that replace each argument of a clause without a verb: the subject stays with its verb and governs the
    other arguments."""
    subject = next(e for e in group if e.relation == "nsubj")
    owners = [subject.dependent, *(c.dependent for c in graph.children_like(subject.dependent, "conj:"))]
    owner_edges = {e: [Dependency(o, e.dependent, GAPPED_ARGUMENT_RELATION) for o in owners] for e in group if e != subject}
    object_edges = [Dependency(o, e.dependent, GAPPED_ARGUMENT_RELATION) for o in owners for e in shared_arguments]
    return {**owner_edges, subject: [subject._replace(relation=GAPPED_SUBJECT_RELATION), *object_edges]}


def _is_argument(edge: Dependency) -> bool:
    return edge.relation in ("nsubj", "obj") or (edge.relation.startswith("obl:") and edge.relation != "obl:時間")


def _group_arguments(graph: DependencyGraph, arguments: list[Dependency]) -> tuple[list[Dependency], list[list[Dependency]]]:
    """Return the arguments that all clauses share, and the arguments of each clause but the last.

    The arguments of each of these clauses have the same relations as those of the last clause.
    """
    ends = [i for i, e in enumerate(arguments[:-1], 1) if has_comma(graph, e.dependent)]
    group_size = len(arguments) - ends[-1] if ends else 0
    pattern = [e.relation for e in arguments[len(arguments) - group_size :]]
    if group_size < 2 or pattern.count("nsubj") != 1:
        return [], []
    groups, start = [], len(arguments) - group_size
    while start - group_size >= 0 and start in ends and [e.relation for e in arguments[start - group_size : start]] == pattern:
        groups.append(arguments[start - group_size : start])
        start -= group_size
    return (arguments[:start], groups) if groups else ([], [])


def _replacements_of_things_without_particles(graph: DependencyGraph, verb: int) -> dict[Dependency, list[Dependency]]:
    """Return the edges that replace those to a noun without a particle and to its place, before a clause with another place.

    左に木、|右に家が|ある ("on the left a tree, on the right is a house").
    """
    replacements: dict[Dependency, list[Dependency]] = {}
    for edge in _edges_to_things_without_particles(graph, verb):
        noun = edge.dependent
        noun_places = [p for p in graph.children(noun, *PLACE_RELATIONS) if p.dependent < noun]
        if noun_places and graph.has_child(verb, "obj") and not is_animate(graph, noun):
            # 右手に傘、|左手に鞄を|持つ ("hold an umbrella in the right hand and a bag in the left")
            replacements[edge] = [Dependency(verb, noun, "obj")]
            replacements |= {p: [p._replace(head=verb)] for p in noun_places}
        elif noun_places:
            things = [noun, *(c.dependent for c in graph.children_like(noun, "conj:"))]  # ナイフとフォーク ("knife and fork")
            replacements[edge] = [Dependency(verb, noun, GAPPED_SUBJECT_RELATION)]
            replacements |= {p: [Dependency(t, p.dependent, GAPPED_ARGUMENT_RELATION) for t in things] for p in noun_places}
    return replacements


def _edges_to_things_without_particles(graph: DependencyGraph, verb: int) -> list[Dependency]:
    """Return the edges to nouns with a comma and without a particle before the last place of a verb."""
    places = graph.children(verb, *PLACE_RELATIONS)
    last_place = max((e.dependent for e in places), default=0)
    list_items = [c for p in places for c in graph.children(p.dependent, "conj:、")]
    edges = (*graph.children(verb), *list_items)
    nouns = (e for e in edges if e.relation in _BARE_NOUN_RELATIONS and e.dependent <= last_place)
    return [e for e in nouns if has_comma(graph, e.dependent) and not particles_of(graph, e.dependent)]


def separate_verbless_places(graph: DependencyGraph) -> DependencyGraph:
    """Make the place of a noun without a verb a separate object: 手前に|花束、奥に|花嫁 ("a bouquet in front, a bride at the back")."""
    return graph.relabel({e for e in graph.edges_of(*PLACE_RELATIONS) if _has_no_verb(graph, e.head)}, "orphan")


def _has_no_verb(graph: DependencyGraph, noun: int) -> bool:
    if not graph.tag(noun).startswith("名詞-普通名詞-一般") or graph.has_child(noun, "cop", "aux", "nsubj"):
        return False
    return graph.has_child(noun, "nummod:floated") or not particles_of(graph, noun)  # 皿の上に|ケーキが|三つ ("three cakes on a plate")
