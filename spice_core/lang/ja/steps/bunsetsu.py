"""Steps that reduce each bunsetsu, which is a content word with its function words, to a verb, a noun or a number."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from spice_core.lang.ja import word_lists
from spice_core.lang.ja.trees import FUNCTION_RELATIONS, is_nominal, is_verb, is_verbal, last_function_word, nearest_above
from spice_core.syntax.dependency_graph import DependencyGraph, EditableTree, WordQueries
from spice_core.syntax.document import Dependency, Token


def fold_supporting_verbs(graph: DependencyGraph) -> DependencyGraph:
    """Fold an auxiliary verb into the preceding predicate: 食んで|いる ("is grazing"), 少なく|なる ("become few")."""
    return fold_verbs(graph, is_verb)


def fold_verbs(graph: DependencyGraph, is_auxiliary: Callable[[Token], bool]) -> DependencyGraph:
    """Fold the auxiliary verbs that pass ``is_auxiliary`` into the predicates before them."""
    tree = graph.tree()
    for verb in graph.tokens:
        if not is_verbal(verb) or tree[verb.index].relation in FUNCTION_RELATIONS or verb.index == 1 or not is_auxiliary(verb):
            continue
        previous = graph.token(verb.index - 1)
        words_before = (e.dependent for e in tree.children_before(verb.index, verb.index))
        content = max((i for i in words_before if is_verbal(graph.token(i))), default=0)
        if content and _is_supporting_verb(verb, previous, graph.token(content)):
            tree.take_over(verb.index, content, "aux")
    return graph.with_edges(tree.values())


def _is_supporting_verb(verb: Token, previous: Token, content: Token) -> bool:
    if previous.text in ("て", "で") and previous.tag.startswith("助詞-接続助詞"):
        return verb.lemma in word_lists.SUPPORTING_VERBS and previous.index - content.index < 4
    if verb.lemma in ("なる", "成る", "ある", "ない") and previous == content:
        return content.tag.startswith("形容詞") and content.text.endswith("く")
    return verb.lemma == "する" and previous.text == "と" and _is_volitional(content)


def _is_volitional(verb: Token) -> bool:
    """Return whether the verb has the volitional form, such as 食べよう ("let's eat")."""
    return is_verb(verb) and verb.text.endswith("う") and verb.text != verb.lemma


def demote_formal_nouns(graph: DependencyGraph) -> DependencyGraph:
    """Make the clause before a final formal noun the head: 食べている|ところです ("is eating right now")."""
    tree = graph.tree()
    for noun in graph.tokens:
        edge = tree[noun.index]
        if edge.relation == "root" and noun.lemma in word_lists.FORMAL_NOUNS:
            clause = max((e.dependent for e in tree.children(noun.index, "acl", "advcl", "ccomp")), default=0)
            if clause and is_verbal(graph.token(clause)):
                tree.take_over(noun.index, clause, "aux")
    return graph.with_edges(tree.values())


_DROPPED_SUFFIXES = frozenset("達 たち ら 等 など さん 内 上".split())
# kinship words, which denote a person only with さん
_KINSHIP_WORDS = frozenset("おじ おば おじい おばあ じい ばあ 爺 婆 にい ねえ 兄 姉 とう かあ 父 母 嬢".split())


def drop_suffixes(graph: DependencyGraph) -> DependencyGraph:
    """Drop plural, polite and place suffixes from a noun: 人|達 ("people"), 斜面|上 ("on the slope")."""
    tree = graph.tree()
    for noun, suffix in pairwise(graph.tokens):
        is_part_of_name = noun.text in _KINSHIP_WORDS and suffix.text == "さん"
        if _is_dropped(suffix) and not is_part_of_name and tree[suffix.index].relation not in FUNCTION_RELATIONS:
            if tree[noun.index].head == suffix.index and tree[noun.index].relation == "compound":
                tree.take_over(suffix.index, noun.index, "compound:suffix")
    return graph.with_edges(tree.values())


def _is_dropped(suffix: Token) -> bool:
    return suffix.text in _DROPPED_SUFFIXES and suffix.tag.startswith(("接尾辞", "名詞-普通名詞-副詞可能"))


def join_quantities(graph: DependencyGraph) -> DependencyGraph:
    """Join a number and its counter (二|頭, "two head"), and attach it to the preceding noun (男性|３人, "three men")."""
    tree = graph.tree()
    for edge in graph.edges_of("nummod"):
        if is_nominal(graph.token(edge.head)):
            after = edge.dependent + 1
            is_before_counter = edge.head > after and graph.text(after) in word_lists.COUNTERS
            head = after if is_before_counter else edge.head
            tree.attach(edge.dependent, head, "compound")
    for edge in list(tree.values()):
        if edge.relation == "compound" and _is_fused_counter(graph, edge):  # 熊が|二匹|水の中で ("two bears in the water")
            tree.relabel(edge.dependent, "nummod:floated")
            tree.attach(edge.dependent - 1, edge.dependent, "compound")
    for counter in graph.tokens:
        if tree[counter.index].relation not in FUNCTION_RELATIONS:
            _replace_counter_by_noun(graph, tree, counter)
    return graph.with_edges(tree.values())


def _is_fused_counter(graph: DependencyGraph, edge: Dependency) -> bool:
    """Return whether GiNZA attached the counter of a number to the next noun, which the number does not count.

    熊が|二匹|水の中で ("two bears in the water").
    """
    counter = graph.token(edge.dependent)
    if counter.text not in word_lists.COUNTERS or counter.index < 2 or not graph.tag(edge.head).startswith("名詞-普通名詞-一般"):
        return False
    return graph.tag(counter.index - 1).startswith("名詞-数詞")


def _replace_counter_by_noun(graph: DependencyGraph, tree: EditableTree, counter: Token) -> None:
    """Make a noun the head of a counter that GiNZA attached to it: 男性|３人 ("three men")."""
    parts = sorted(e.dependent for e in tree.children(counter.index, "compound"))
    numerals = [i for i in parts if graph.tag(i).startswith("名詞-数詞")]
    nouns = [i for i in parts if not numerals or i < numerals[0]]
    quantity = "".join(graph.text(i) for i in numerals) + counter.text
    if nouns and graph.word(nouns[-1]) in word_lists.PLACE_NOUNS:  # 下半分 ("lower half")
        return
    if nouns and word_lists.is_quantity(quantity) and quantity != "一面" and is_nominal(graph.token(nouns[-1])):
        tree.take_over(counter.index, nouns[-1], "nummod:floated")
        for i in numerals:
            tree.attach(i, counter.index, "compound")


def relate_verb_forms(graph: DependencyGraph) -> DependencyGraph:
    """Attach a conjunctive form to the next verb, and an adnominal form to its noun.

    被り、|スケートボードに乗る ("put on … and ride a skateboard"), 走る|犬 ("running dog").
    """
    tree = graph.tree()
    for edge in graph.edges:
        if _is_adnominal(graph, edge):
            tree.relabel(edge.dependent, "acl")
        elif edge.relation == "acl":
            _relate_clause_before_noun(graph, tree, edge)
    return graph.with_edges(tree.values())


def _is_adnominal(graph: DependencyGraph, edge: Dependency) -> bool:
    """Return whether a plain verb modifies a noun: 絵本を|読み聞かせる|母親 ("mother who reads a picture book to somebody")."""
    is_before_noun = edge.head > edge.dependent and is_nominal(graph.token(edge.head))
    return is_before_noun and edge.relation in ("compound", "advmod") and _is_plain_verb(graph, edge.dependent)


def _relate_clause_before_noun(graph: DependencyGraph, tree: EditableTree, edge: Dependency) -> None:
    """Detach a clause from the noun after it if it does not modify that noun: 被り、|ボードに乗る ("put on … and ride a board")."""
    if _is_copular_clause(graph, edge) or _is_condition(graph, edge):
        tree.relabel(edge.dependent, "advcl")
    elif is_conjunctive(graph, edge.dependent):
        verb = nearest_above(tree, edge.head, is_verb)
        if verb and verb != edge.dependent:
            tree.attach(edge.dependent, verb, "advcl")


def _is_plain_verb(graph: DependencyGraph, index: int) -> bool:
    return is_verb(graph.token(index)) and graph.word(index) == graph.lemma(index) and not graph.children(index, "mark", "case")


def _is_copular_clause(graph: DependencyGraph, edge: Dependency) -> bool:
    """Return whether a noun or adjective with a subject and で、 or く、 is a separate clause.

    葉がなく、|木は緑だ ("there are no leaves, and the tree is green").
    """
    if not graph.has_child(edge.dependent, "nsubj"):
        return False
    next_texts = graph.texts_after(edge.dependent, 2)
    if is_nominal(graph.token(edge.dependent)):
        return next_texts == ["で", "、"]
    return graph.word(edge.dependent).endswith("く") and next_texts[:1] == ["、"] and graph.has_child(edge.head, "nsubj")


def _is_condition(graph: DependencyGraph, edge: Dependency) -> bool:
    """Return whether a clause ends in たら or ば ("if"), so that it modifies no noun.

    飾ったら、|部屋が満室だ ("once it is decorated, the room is full").
    """
    return any(graph.word(a.dependent) in ("たら", "だら", "ば") for a in graph.children(edge.dependent, "aux", "mark"))


def is_conjunctive(graph: WordQueries, index: int) -> bool:
    """Return whether the predicate's last function word is a conjunctive form (連用形, て)."""
    last_index = last_function_word(graph, index, "aux", "mark", "fixed", "case")
    token = graph.token(last_index)
    if last_index != index and token.tag.startswith("助詞"):
        return token.text in ("て", "で", "つつ", "ながら", "たり")
    return (
        token.tag.startswith(("動詞", "助動詞"))
        and token.text != (token.lemma.removesuffix("する") or token.lemma)
        and token.text not in ("な", "の")
    )
