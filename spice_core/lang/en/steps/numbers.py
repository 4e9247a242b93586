"""Corrections of numbers, dates, times, directions and ranges in basic trees."""

from __future__ import annotations

from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Dependency

_MONTH_ABBREVIATIONS = frozenset("jan feb mar apr may jun jul aug sep oct nov dec".split())
_COMPASS_WORDS = frozenset("north south east west northeast northwest southeast southwest".split())
_TIME_NOUNS = frozenset("morning afternoon evening night day week month year hour minute weekend summer winter spring autumn".split())
_TIME_DETERMINERS = ("every", "each", "this", "last", "next", "all")


def split_ranges(graph: DependencyGraph) -> DependencyGraph:
    """Attach both ends of a range to its noun: in "rain from January to June", both months belong to the rain."""
    case_by_noun = {e.head: e.dependent for e in graph.edges_of("case")}

    def attach(edge: Dependency) -> Dependency:
        head_edge = graph.incoming(edge.head) if graph.word(case_by_noun.get(edge.dependent, 0)) == "to" else None
        return (
            head_edge._replace(dependent=edge.dependent)
            if head_edge and head_edge.head and graph.word(case_by_noun.get(edge.head, 0)) == "from"
            else edge
        )

    return graph.map_edges(attach, "nmod") if len(case_by_noun) > 1 else graph


def join_dates(graph: DependencyGraph) -> DependencyGraph:
    """Make a month right before a number the head of the date: "on Sept. 3"."""
    month_by_number = {e.head: e.dependent for e in graph.edges if _is_date(graph, e)}
    if not month_by_number:
        return graph

    def attach(edge: Dependency) -> Dependency:
        if edge.dependent in month_by_number:
            return edge._replace(dependent=month_by_number[edge.dependent])
        if month_by_number.get(edge.head) == edge.dependent:
            return Dependency(edge.dependent, edge.head, "nummod")
        return edge._replace(head=month_by_number.get(edge.head, edge.head))

    return graph.map_edges(attach)


def _is_date(graph: DependencyGraph, edge: Dependency) -> bool:
    """Return whether an edge leads from a number to the month right before it."""
    return (
        edge.head == edge.dependent + 1
        and graph.tag(edge.head) == "CD"
        and graph.word(edge.dependent).rstrip(".")[:3] in _MONTH_ABBREVIATIONS
    )


def join_directions(graph: DependencyGraph) -> DependencyGraph:
    """Read "south of" after a noun as a preposition: "a highway south of the city"."""
    for edge in graph.edges_of("nmod"):
        side, noun = edge.head, edge.head - 1
        side_edge, case = graph.incoming(side), graph.child(edge.dependent, "case")
        is_direction = graph.word(side) in _COMPASS_WORDS and graph.word(case) == "of" and graph.has_child(side, "compound")
        if side_edge is None or not is_direction or graph.incoming(noun) != Dependency(side, noun, "compound"):
            continue
        edge_by_dependent = {e.dependent: e._replace(head=noun) for e in graph.children(side)}
        new_edges = {
            noun: side_edge._replace(dependent=noun),
            side: Dependency(edge.dependent, side, "case"),
            case: Dependency(side, case, "fixed"),
        }
        graph = graph.revise([*(edge_by_dependent | new_edges).values()])
    return graph


def join_numbers(graph: DependencyGraph) -> DependencyGraph:
    """Join adjacent numbers into one number: "twenty five men"."""
    head_by_number = {e.dependent: e.head for e in graph.edges_of("nummod") if graph.tag(e.dependent) == "CD"}

    def attach(edge: Dependency) -> Dependency:
        last = edge.dependent
        while head_by_number.get(last + 1) == edge.head:
            last += 1
        return Dependency(last, edge.dependent, "fixed") if edge.dependent in head_by_number and last > edge.dependent else edge

    return graph.map_edges(attach) if len(head_by_number) > 1 else graph


def relabel_bare_times(graph: DependencyGraph) -> DependencyGraph:
    """Relabel "next door" and times without a preposition, so that they yield no objects: "feeds the cats every morning"."""
    if graph.words.isdisjoint(_TIME_DETERMINERS):
        return graph

    def relabel(edge: Dependency) -> Dependency:
        noun = edge.dependent
        if graph.word(noun) == "door" and graph.word(noun - 1) == "next" and not graph.has_child(noun, "det", "case"):
            return edge._replace(relation="advmod") if edge.relation in ("nmod", "obl", "obl:npmod", "nmod:npmod") else edge
        if graph.word(noun) == "next" and graph.word(edge.head) == "door" and not graph.has_child(edge.head, "det", "case"):
            return edge._replace(relation="fixed")
        is_time = graph.lemma(noun) in _TIME_NOUNS and graph.find_dependent_word(
            graph.children(noun, "det", "amod"), words=_TIME_DETERMINERS
        )
        return edge._replace(relation="advmod") if is_time and not graph.has_child(noun, "case") else edge

    return graph.map_edges(relabel, "obl", "obl:npmod", "obl:tmod", "nmod", "nmod:npmod", "nmod:tmod", "dep", "amod")


def drop_how_many(graph: DependencyGraph) -> DependencyGraph:
    """Relabel "many" in "how many" as a determiner, so that it yields no attribute."""
    counted_nouns = {e.head for e in graph.edges_of("advmod") if graph.word(e.dependent) == "how"}
    if not counted_nouns:
        return graph
    return graph.map_edges(lambda e: e._replace(relation="det") if e.dependent in counted_nouns and e.relation == "amod" else e)
