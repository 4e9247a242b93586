"""What a step of an enhancement adds to a frozen tree."""

from spice_core.rules.rule_file import read_tree


def applied(step, tree: str) -> set[str]:
    """The edges that a step adds to a tree, as head relation dependent in words."""
    graph = read_tree(tree)
    name = lambda i: graph.token(i).text if i else "root"
    return {f"{name(e.head)} {e.relation} {name(e.dependent)}" for e in set(step(graph.tokens, graph.edges)) - set(graph.edges)}
