"""Text of a proposed rule for a rule file, with an example and with a near miss from the captions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from spice_core.errors import RuleError
from spice_core.rules.rule_file import read_tree, write_tree
from spice_core.rules.rule_text import write_rule
from spice_core.rules.ruleset import Example, Rule, RuleSet
from spice_core.scene.propositions import sort_tuples
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.workbench.judged import IndexedCaptions, SentencePlace
from spice_core.workbench.propose import make_rule
from spice_core.workbench.sketch import Sketch, SketchArc, SketchClause

MAX_NEAR_CAPTIONS = 20  # maximum number of captions tried as a near miss


def complete_rule(rule: Rule, sketch: Sketch, rules: RuleSet, captions: IndexedCaptions, *, caption: str, graph: DependencyGraph) -> Rule:
    """Return the rule with this caption as example and with a near miss."""
    example = make_example(rule, caption, graph)
    return replace(rule, example=example, near_miss=find_near_miss(rule, sketch, rules, captions))


def find_near_miss(rule: Rule, sketch: Sketch, rules: RuleSet, captions: IndexedCaptions) -> Example:
    """Return the shortest sentence of the captions on which only one condition of the rule fails.

    If there is none, return a near miss or an example of the rule set on which the rule does not fire, or else an empty example.
    """
    examples = (example for example in _near_misses(rule, sketch, rules, captions) if not example.tuples)
    return next(examples, Example("", DependencyGraph((), ())))


def write_rule_text(rule: Rule) -> str:
    """Return the rule as the text of a rule file."""
    example, near_miss = ({"caption": e.caption, "tree": write_tree(e.graph)} for e in (rule.example, rule.near_miss))
    fields = {"name": rule.name, "reason": rule.reason, "pattern": rule.pattern.source, "yields": rule.yields}
    return write_rule({**fields, "example": {**example, "tuples": list(map(list, rule.example.tuples))}, "near_miss": near_miss})


def _near_misses(rule: Rule, sketch: Sketch, rules: RuleSet, captions: IndexedCaptions) -> Iterator[Example]:
    """Yield sentences on which only one condition of the rule fails, the shortest first, then near misses and examples of the rule set."""
    firing_places = {(f.place.position, f.place.number) for f in captions.find_firings(rule)}
    place_by_pair: dict[tuple[int, int], SentencePlace] = {}
    parts: list[SketchArc | SketchClause] = [*sketch.clauses, *sketch.arcs]
    for part in parts:
        try:
            firings = captions.find_firings(make_rule(sketch.without_part(part), rules))
        except RuleError:
            continue
        place_by_pair |= {(f.place.position, f.place.number): f.place for f in firings}
    places = sorted((place for key, place in place_by_pair.items() if key not in firing_places), key=lambda place: len(place.graph.tokens))
    for place in places[:MAX_NEAR_CAPTIONS]:
        document = captions.documents[place.position]
        yield make_example(rule, document.sentence_texts[place.number] if len(document.sentences) > 1 else document.text, place.graph)
    yield from (make_example(rule, e.caption, e.graph) for other in rules.rules for e in (other.near_miss, other.example))


def make_example(rule: Rule, caption: str, graph: DependencyGraph) -> Example:
    """Return the caption as an example, with its tree as in a rule file and the tuples that the rule yields."""
    tree = read_tree(write_tree(graph))
    return Example(caption, tree, sort_tuples({p.words for p in rule.apply(tree)}))
