"""The best tree of a sentence from the scores of its arcs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np


_HEADS, _ARCS = 12, 600  # considered for each word and in a sentence; the search takes time that grows with their number
_NEVER = -1e6  # below any score
_RUNNERS_UP, _SHORT = 200, 40  # arcs that are tried; words of a sentence


def best_tree(arcs: np.ndarray) -> list[int]:
    """The head of each word (0 = root) in the tree with one root whose arcs have the highest sum of scores.

    ``arcs``: (words, 1 + words), a row for each dependent. Mostly the best heads of all words are a tree; where they are not,
    networkx looks for the best one (Chu-Liu/Edmonds) among the ``_HEADS`` best heads of each word, fewer in a sentence of more
    than 50 words, and the root of the tree.
    """
    heads = [int(head) for head in arcs.argmax(axis=1)]
    return heads if is_tree(heads) else _arborescence(arcs)


def runners_up(arcs: np.ndarray, *, margin: float) -> Iterator[tuple[float, list[int]]]:
    """Trees in which one word has another head, each with what its arcs score less than the best tree's, at most ``margin``.

    Where the other head makes a circle, the best tree with it is looked for, in sentences of ``_SHORT`` words at most.
    """
    best = best_tree(arcs)
    rows = range(len(best))
    total = arcs[rows, best].sum()
    gaps = arcs.max(axis=1, keepdims=True) - arcs
    others = sorted((float(gaps[word, head]), word, int(head)) for word in rows for head in (gaps[word] <= margin).nonzero()[0])
    for _, word, head in others[:_RUNNERS_UP]:
        if head in (best[word], word + 1):
            continue
        heads = [*best[:word], head, *best[word + 1 :]]
        if not is_tree(heads) and len(best) <= _SHORT:
            forced = arcs.copy()
            forced[word] = _NEVER
            forced[word, head] = 0
            heads = best_tree(forced)
        loss = float(total - arcs[rows, heads].sum())
        if heads[word] == head and loss <= margin and is_tree(heads):
            yield loss, heads


def is_tree(heads: list[int]) -> bool:
    """Whether exactly one word is the root and every word is connected to it."""
    if heads.count(0) != 1:
        return False
    connected = {0}
    for word in range(1, len(heads) + 1):
        path: list[int] = []
        while word not in connected and len(path) <= len(heads):
            path.append(word)
            word = heads[word - 1]
        if word not in connected:
            return False
        connected.update(path)
    return True


def _arborescence(arcs: np.ndarray) -> list[int]:
    """The best tree under the word that loses least as the root."""
    import networkx as nx

    scores = arcs - arcs.max(axis=1, keepdims=True)
    others = scores.copy()
    others[:, 0] = -float("inf")
    root = int((scores[:, 0] - others.max(axis=1)).argmax()) + 1
    graph, most = nx.DiGraph(), min(_HEADS, _ARCS // len(arcs))
    for dependent in range(1, len(arcs) + 1):
        if dependent != root:
            row = scores[dependent - 1]
            heads = {root, *(int(head) for head in row.argsort()[::-1][:most])} - {0, dependent}
            graph.add_weighted_edges_from((head, dependent, float(row[head])) for head in sorted(heads))
    tree = [0] * len(arcs)
    if len(arcs) > 1:
        for head, dependent in nx.maximum_spanning_arborescence(graph).edges:
            tree[dependent - 1] = head
    return tree
