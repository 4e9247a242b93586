"""Lines across lines, lines under labels, and the bends that keep them apart."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spice_core.draw.crossings import Crossings, under
from spice_core.draw.routes import routes

BOX = (-10.0, -5.0, 10.0, 5.0)


@pytest.mark.parametrize(
    ("start", "end", "hit"),
    [
        ((-50, 0), (50, 0), True),
        ((-50, 4), (50, 4), True),
        ((-50, 6), (50, 6), False),
        ((0, -50), (0, 50), True),
        ((11, -50), (11, 50), False),
        ((-50, -50), (50, 50), True),
        ((-50, 0), (-11, 0), False),
        ((-50, 0), (-9, 0), True),
        ((0, 0), (1, 1), True),
        ((-30, 0), (0, 30), False),
    ],
)
def test_a_line_under_a_box(start, end, hit):
    assert bool(under(np.array([start], float), np.array([end], float), np.array([BOX]))[0, 0]) is hit
    assert bool(under(np.array([end], float), np.array([start], float), np.array([BOX]))[0, 0]) is hit


@given(st.lists(st.tuples(st.integers(-60, 60), st.integers(-60, 60)), min_size=2, max_size=2, unique=True))
def test_a_line_is_under_a_box_if_one_of_its_points_is(ends):
    start, end = (np.array(point, float) for point in ends)
    steps = start + np.linspace(0, 1, 4001)[:, None] * (end - start)
    inside = ((steps[:, 0] > -10) & (steps[:, 0] < 10) & (steps[:, 1] > -5) & (steps[:, 1] < 5)).any()
    found = bool(under(start[None], end[None], np.array([BOX]))[0, 0])
    assert found or not inside  # a line may touch a corner between two of the points


def test_crossings_and_labels_are_counted_but_not_at_shared_ends():
    labels = [(name, BOX) for name in "abcd"]
    points = {"a": (0, 0), "b": (100, 100), "c": (0, 100), "d": (100, 0)}
    assert Crossings([("a", "b"), ("c", "d")], labels).cost(points) == (1, 200.0)
    assert Crossings([("a", "b"), ("a", "d")], labels).cost(points)[0] == 0
    assert Crossings([("a", "b")], [*labels, ("a", (20, 10, 40, 40))]).hidden(points) == {"a"}


def test_a_line_leaves_its_end_sideways_where_a_label_of_that_end_is_in_the_way():
    class Block:
        def __init__(self, left, right):
            self.left, self.right = left, right

    labels = [("a", True, (-10, -5, 10, 5)), ("a", False, (-30, 10, 30, 30)), ("b", True, (90, 95, 110, 105))]
    blocks = {"a": Block(-30, 30), "b": Block(90, 110)}
    assert routes({("a", "b"): [(0, 0), (100, 200)]}, blocks, labels) == {("a", "b"): ((34, 0),)}
    assert routes({("a", "b"): [(0, 0), (100, 5)]}, blocks, labels) == {}
    for line in routes({("a", "b"): [(0, 0), (100, 200)]}, blocks, labels).values():
        for start, end in itertools.pairwise([(0, 0), *line, (100, 200)]):
            assert not under(np.array([start], float), np.array([end], float), np.array([labels[1][2]], float)).any()
