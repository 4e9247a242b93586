"""The best tree of a table of arc scores, compared with a search through all trees."""

from itertools import product

import networkx
import numpy as np
import pytest

from spice_core.lang.en.trees import best_tree, is_tree, runners_up


@pytest.mark.parametrize(
    ("heads", "tree"),
    [([0], True), ([1], False), ([2, 0], True), ([0, 0], False), ([2, 1], False), ([2, 3, 0], True), ([3, 0, 1], False), ([], False)],
)
def test_one_root_and_no_circle(heads, tree):
    assert is_tree(heads) is tree


@pytest.mark.parametrize("seed", range(40))
def test_the_tree_is_the_best_of_all_with_its_root(seed):
    rng = np.random.default_rng(seed)
    words = int(rng.integers(1, 6))
    arcs = rng.normal(size=(words, words + 1)).astype(np.float32)
    found = best_tree(arcs)
    assert is_tree(found)

    def total(heads) -> float:
        return sum(float(arcs[i, head]) for i, head in enumerate(heads))

    trees = [heads for heads in product(range(words + 1), repeat=words) if is_tree(list(heads)) and heads.index(0) == found.index(0)]
    assert total(found) == pytest.approx(max(map(total, trees)))


def test_the_best_heads_are_taken_where_they_are_a_tree():
    arcs = np.full((3, 4), -5, np.float32)
    arcs[0, 2] = arcs[1, 0] = arcs[2, 2] = 1
    assert best_tree(arcs) == [2, 0, 2]


def test_the_best_tree_may_need_a_head_that_is_far_from_the_best():
    """Fourteen words that prefer each other: the arc that connects them is the fourteenth best of its word."""
    arcs = np.full((16, 17), -30, np.float32)
    arcs[:14, 1:15] = 5
    arcs[:14, 15] = -10
    arcs[3, 16] = -2
    arcs[14, 0] = arcs[15, 15] = 5
    found = best_tree(arcs)
    assert is_tree(found) and found[3] == 16 and found[14:] == [0, 15]


@pytest.mark.parametrize("words", [8, 20, 40])
def test_the_tree_is_that_of_networkx(words):
    arcs = np.random.default_rng(words).normal(size=(words, words + 1)).astype(np.float32)
    found = best_tree(arcs)
    root = found.index(0) + 1
    graph = networkx.DiGraph()
    for dependent in {*range(1, words + 1)} - {root}:
        heads = {*range(1, words + 1)} - {dependent}
        graph.add_weighted_edges_from((head, dependent, float(arcs[dependent - 1, head])) for head in heads)
    assert {(head, dependent) for dependent, head in enumerate(found, 1) if head} == {*networkx.maximum_spanning_arborescence(graph).edges}


def test_a_long_sentence_has_a_tree():
    """A search through the heads of each of 200 words took seconds where a caption holds several such sentences."""
    assert is_tree(best_tree(np.random.default_rng(1).normal(size=(200, 201)).astype(np.float32)))


def test_another_head_that_is_nearly_as_likely_makes_another_tree():
    arcs = np.full((3, 4), -9, np.float32)
    arcs[0, 2] = arcs[1, 0] = arcs[2, 2] = 1
    arcs[2, 1] = -1
    assert list(runners_up(arcs, margin=4)) == [(2.0, [2, 0, 1])]
    assert list(runners_up(arcs, margin=1)) == []
