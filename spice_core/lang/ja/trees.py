"""Tests and edits of GiNZA's trees that several steps share."""

from __future__ import annotations

from collections.abc import Callable

from spice_core.lang.ja import word_lists
from spice_core.syntax.dependency_graph import EditableTree, WordQueries
from spice_core.syntax.document import Token

_VERBAL_TAGS = ("動詞", "形容詞", "形状詞")
_NOMINAL_TAGS = ("名詞", "代名詞", "副詞", "接尾辞-名詞的", "記号", "未知語", "接頭辞")
FUNCTION_RELATIONS = frozenset(("case", "aux", "cop", "mark", "fixed", "punct", "cc"))
PLACE_RELATIONS = ("obl:で", "obl:に")


def is_verbal(token: Token) -> bool:
    return token.tag.startswith(_VERBAL_TAGS)


def is_verb(token: Token) -> bool:
    return token.tag.startswith("動詞")


def is_nominal(token: Token) -> bool:
    return token.tag.startswith(_NOMINAL_TAGS)


def phrase_of(graph: WordQueries, index: int) -> str:
    """Return the text of a word with its compound parts."""
    parts = sorted(e.dependent for e in graph.children(index) if e.relation == "compound" and e.dependent < index)
    return "".join([graph.token(i).text for i in (*parts, index)])


def is_animate(graph: WordQueries, noun: int) -> bool:
    """Return whether a noun with its compound parts denotes people or animals."""
    return word_lists.is_animate(phrase_of(graph, noun))


def particles_of(graph: WordQueries, index: int) -> list[str]:
    """Return the particles after a word, in order. A multiword particle ("によって") counts as one particle."""
    out = []
    for edge in sorted(graph.children(index)):
        text = graph.token(edge.dependent).text
        if edge.dependent > index and (edge.relation == "case" or (edge.relation in ("cop", "mark") and text in ("で", "に"))):
            verbs = [graph.lemma(f.dependent) for f in graph.children(edge.dependent) if f.relation == "fixed"]
            out.append(text + "".join(v for v in verbs if v not in ("て", "た")))
    return out


def has_comma(graph: WordQueries, noun: int) -> bool:
    """Return whether a comma follows a noun."""
    return any(e.dependent > noun and graph.text(e.dependent) in ("、", "，") for e in graph.children(noun, "punct"))


def is_passive(graph: WordQueries, verb: int) -> bool:
    return any(graph.lemma(e.dependent) in ("れる", "られる") for e in graph.children(verb, "aux"))


def first_word_of_phrase(graph: WordQueries, index: int) -> int:
    """Return the first word of a phrase."""
    first_index, words = index, [index]
    while words:
        word = words.pop()
        first_index = min(first_index, word)
        words += [e.dependent for e in graph.children_before(word, word)]
    return first_index


def last_word_of_noun(graph: WordQueries, index: int) -> int:
    """Return the last function word of a noun, or the noun itself if it has none."""
    return max([index, *(e.dependent for e in graph.children(index, *FUNCTION_RELATIONS))])


def last_function_word(graph: WordQueries, index: int, *relations: str) -> int:
    """Return the last of the function words that directly follow a word and have these relations to it, or the word itself."""
    last_index = index
    for edge in sorted(graph.children(index, *relations)):
        if edge.dependent == last_index + 1:
            last_index = edge.dependent
    return last_index


def follow_rightwards(tree: EditableTree, index: int, *relations: str) -> int:
    """Follow edges with these relations from a word to its head while the head stands to the right, and return the last word."""
    while tree[index].relation in relations and tree[index].head > index:
        index = tree[index].head
    return index


def nearest_above(tree: EditableTree, index: int, test: Callable[[Token], bool]) -> int:
    """Return the nearest word above that passes a test, or 0."""
    return next((word for word in tree.ancestors(index) if test(tree.token(word))), 0)
