"""Helpers for tests of steps: the edges that a step adds to or removes from a tree, and how many lines of code a call runs."""

import sys
from collections.abc import Callable
from types import FrameType

from spice_core.rules.rule_file import read_tree


def added_edges(step, tree: str) -> set[str]:
    """Return the edges that a step adds to a tree, as texts of head, relation and dependent."""
    return _changed_graph(step, tree)[0]


def removed_edges(step, tree: str) -> set[str]:
    """Return the edges that a step removes from a tree, as texts of head, relation and dependent."""
    return _changed_graph(step, tree)[1]


def _changed_graph(step, tree: str) -> tuple[set[str], ...]:
    graph = read_tree(tree)
    edges_before, edges_after = set(graph.edges), set(step(graph).edges)
    name = lambda i: graph.token(i).text if i else "root"
    return tuple(
        {f"{name(e.head)} {e.relation} {name(e.dependent)}" for e in edges}
        for edges in (edges_after - edges_before, edges_before - edges_after)
    )


def count_lines_run(function: Callable[..., object], *args: object) -> int:
    """Return the number of lines of Python that a call runs, counting each iteration of a comprehension."""
    lines = 0

    def trace(frame: FrameType, event: str, _: object) -> object:
        nonlocal lines
        lines += event == "line"
        return trace

    trace_before = sys.gettrace()
    sys.settrace(trace)
    try:
        function(*args)
    finally:
        sys.settrace(trace_before)
    return lines
