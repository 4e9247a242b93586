"""Search for the best trees of a sentence by the scores of its arcs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from spice_core.syntax.document import find_cycle_of_heads

if TYPE_CHECKING:
    import numpy as np


IMPOSSIBLE_SCORE = -1e6  # lower than any score
_MAX_RUNNER_UP_ARCS, _MAX_SHORT_SENTENCE_WORDS = 200, 40  # number of arcs to try; maximum number of words of a short sentence


def best_tree(arcs: np.ndarray) -> list[int]:
    """Return the head of each word (0 is the root) in the best tree with one root.

    ``arcs`` (words, 1 + words) has a row for each dependent. Usually the best heads of all words form a tree. If they do
    not, choose the root word that costs the least score, and search for the best tree below that word.
    """
    import numpy as np

    heads: list[int] = arcs.argmax(axis=1).tolist()
    if is_tree(heads):
        return heads
    head_arcs = arcs.copy()
    head_arcs[:, 0] = IMPOSSIBLE_SCORE
    root = int((arcs[:, 0] - head_arcs.max(axis=1)).argmax())
    head_arcs[root] = IMPOSSIBLE_SCORE
    head_arcs[root, 0] = 0
    weights = np.vstack([head_arcs[:1], head_arcs])  # a row for the root, which is never read
    np.fill_diagonal(weights, IMPOSSIBLE_SCORE)
    return _best_arborescence(weights)[1:]


def runner_up_trees(arcs: np.ndarray, *, margin: float) -> Iterator[tuple[float, list[int]]]:
    """Yield trees with one word attached to another head, each with its loss of score (at most ``margin``).

    If the other head breaks the tree, search for the best tree with that head, but only in a sentence of at most
    ``_MAX_SHORT_SENTENCE_WORDS`` words.
    """
    best_heads = best_tree(arcs)
    rows = range(len(best_heads))
    total = arcs[rows, best_heads].sum()
    gaps = arcs.max(axis=1, keepdims=True) - arcs
    replacements = sorted((float(gaps[word, head]), word, int(head)) for word in rows for head in (gaps[word] <= margin).nonzero()[0])
    for _, word, head in replacements[:_MAX_RUNNER_UP_ARCS]:
        if head in (best_heads[word], word + 1):
            continue
        heads = [*best_heads[:word], head, *best_heads[word + 1 :]]
        if not is_tree(heads) and len(best_heads) <= _MAX_SHORT_SENTENCE_WORDS:
            restricted_arcs = arcs.copy()
            restricted_arcs[word] = IMPOSSIBLE_SCORE
            restricted_arcs[word, head] = 0
            heads = best_tree(restricted_arcs)
        loss = float(total - arcs[rows, heads].sum())
        if heads[word] == head and loss <= margin and is_tree(heads):
            yield loss, heads


def is_tree(heads: list[int]) -> bool:
    """Return whether exactly one word depends on the root and the heads have no cycle."""
    return heads.count(0) == 1 and not find_cycle_of_heads(dict(enumerate(heads, 1)))


def _best_arborescence(weights: np.ndarray) -> list[int]:
    """Return the head of each node in the best tree below node 0 (Chu and Liu 1965, Edmonds 1967).

    ``weights`` has the shape (dependents, heads). networkx also has this search, but its version is hundreds of times
    slower for long sentences: it takes seconds for a caption of long nonsense sentences.
    """
    import numpy as np

    heads: list[int] = [0, *weights[1:].argmax(axis=1).tolist()]
    cycle = find_cycle_of_heads(dict(enumerate(heads[1:], 1)))[:-1]
    if not cycle:
        return heads
    # Contract the cycle to the last node: an arc into the cycle replaces the cycle arc that maximises the total score.
    other_nodes = [node for node in range(len(heads)) if node not in cycle]
    entry_weights = weights[np.ix_(cycle, other_nodes)] - weights[cycle, [heads[node] for node in cycle]][:, None]
    exit_weights = weights[np.ix_(other_nodes, cycle)]
    contracted_weights = np.full((len(other_nodes) + 1,) * 2, IMPOSSIBLE_SCORE, weights.dtype)
    contracted_weights[:-1, :-1] = weights[np.ix_(other_nodes, other_nodes)]
    contracted_weights[-1, :-1] = entry_weights.max(axis=0)
    contracted_weights[:-1, -1] = exit_weights.max(axis=1)
    *contracted_heads, entry = _best_arborescence(contracted_weights)
    for row, (node, head) in enumerate(zip(other_nodes, contracted_heads)):
        heads[node] = other_nodes[head] if head < len(other_nodes) else cycle[int(exit_weights[row].argmax())]
    heads[cycle[int(entry_weights[:, entry].argmax())]] = other_nodes[entry]
    return heads
