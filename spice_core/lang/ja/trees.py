"""Tests and edits of GiNZA's trees that several steps share."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from spice_core.syntax.dependency_graph import EditableTree
from spice_core.syntax.document import Dependency, Token
from spice_core.syntax.enhancement import Edges, Tokens

EdgesByHead = dict[int, list[Dependency]]  # the edges by head
_VERBAL_TAGS = ("動詞", "形容詞", "形状詞")
_NOMINAL_TAGS = ("名詞", "代名詞", "副詞", "接尾辞-名詞的", "記号", "未知語", "接頭辞")
FUNCTION_RELATIONS = frozenset(("case", "aux", "cop", "mark", "fixed", "punct", "cc"))


def is_verbal(token: Token) -> bool:
    return token.tag.startswith(_VERBAL_TAGS)


def is_verb(token: Token) -> bool:
    return token.tag.startswith("動詞")


def is_nominal(token: Token) -> bool:
    return token.tag.startswith(_NOMINAL_TAGS)


def tree_of(edges: Edges) -> EditableTree:
    """Return the last edge into each word as a tree that steps may edit."""
    return EditableTree({e.dependent: e for e in edges})


def edges_by_head(edges: Iterable[Dependency]) -> EdgesByHead:
    by_head: EdgesByHead = {}
    for edge in edges:
        by_head.setdefault(edge.head, []).append(edge)
    return by_head


def edges_by_dependent(edges: Iterable[Dependency]) -> dict[int, list[Dependency]]:
    by_dependent: dict[int, list[Dependency]] = {}
    for edge in edges:
        by_dependent.setdefault(edge.dependent, []).append(edge)
    return by_dependent


def phrase_of(tokens: Tokens, by_head: EdgesByHead, index: int) -> str:
    """Return the text of a word with its compound parts."""
    parts = sorted(e.dependent for e in by_head.get(index, ()) if e.relation == "compound" and e.dependent < index)
    return "".join(tokens[i - 1].text for i in (*parts, index))


def particles_of(tokens: Tokens, by_head: EdgesByHead, index: int) -> list[str]:
    """Return the particles after a word, in order; a multiword particle ("によって") counts as one."""
    out = []
    for edge in sorted(by_head.get(index, ())):
        token = tokens[edge.dependent - 1]
        if edge.dependent > index and (edge.relation == "case" or (edge.relation in ("cop", "mark") and token.text in ("で", "に"))):
            verbs = [tokens[f.dependent - 1].lemma for f in by_head.get(edge.dependent, ()) if f.relation == "fixed"]
            out.append(token.text + "".join(v for v in verbs if v not in ("て", "た")))
    return out


def has_relation(by_head: EdgesByHead, index: int, relation: str) -> bool:
    return any(e.relation == relation for e in by_head.get(index, ()))


def nearest_above(tokens: Tokens, tree: EditableTree, index: int, test: Callable[[Token], bool]) -> int:
    """Return the nearest word above a word that passes a test, or 0 if there is none."""
    head = tree[index].head
    while head and not test(tokens[head - 1]):
        head = tree[head].head
    return head
