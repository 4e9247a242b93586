"""A proposed rule as the text of a rule file: with its reason, its example, and a near miss found among the captions."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace

from spice_core.errors import RuleError
from spice_core.rules.rule_file import read_tree
from spice_core.rules.ruleset import Example, Rule, RuleSet
from spice_core.scene.propositions import ordered
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.workbench.judged import Captions, Place
from spice_core.workbench.propose import made
from spice_core.workbench.sketch import Arc, Clause, Sketch

MOST_NEAR = 20  # captions tried as a near miss


def completed(rule: Rule, sketch: Sketch, rules: RuleSet, captions: Captions, *, caption: str, graph: DependencyGraph) -> Rule:
    """The rule with the example of this caption and a near miss."""
    example = example_of(rule, caption, graph)
    return replace(rule, example=example, near_miss=near_miss(rule, sketch, rules, captions))


def near_miss(rule: Rule, sketch: Sketch, rules: RuleSet, captions: Captions) -> Example:
    """The shortest caption on which the rule is silent but would fire with one condition changed; else an example of another rule."""
    silent = (example for example in _near(rule, sketch, rules, captions) if not example.tuples)
    return next(silent, Example("", DependencyGraph((), ())))


def rule_text(rule: Rule) -> str:
    """The rule as the text of a rule file."""
    fields = {"name": _quoted(rule.name), "reason": _quoted(rule.reason), "pattern": f"'''{rule.pattern.source}'''"}
    fields["yields"] = _quoted(rule.yields) if "'" in rule.yields else f"'{rule.yields}'"
    fields |= {"example.caption": _quoted(rule.example.caption), "example.tree": _quoted(written_tree(rule.example.graph))}
    fields["example.tuples"] = _quoted([list(words) for words in rule.example.tuples])
    fields |= {"near_miss.caption": _quoted(rule.near_miss.caption), "near_miss.tree": _quoted(written_tree(rule.near_miss.graph))}
    return "[[rule]]\n" + "".join(f"{name} = {value}\n" for name, value in fields.items())


def written_tree(graph: DependencyGraph) -> str:
    """The tree of an example as text for ``read_tree``; a slash or a space inside a word becomes a line below."""
    items = []
    for token in graph.tokens:
        heads = [f"{edge.head}/{_plain(edge.relation)}" for edge in graph.parents(token.index)] or ["0/dep"]
        items.append("/".join([*map(_plain, token[1:4]), *heads]))
    return " ".join(items)


def _near(rule: Rule, sketch: Sketch, rules: RuleSet, captions: Captions) -> Iterator[Example]:
    """Captions that one condition keeps from the rule, short ones first, then the examples of the set."""
    fires = {(f.place.position, f.place.number) for f in captions.fired(rule)}
    near: dict[tuple[int, int], Place] = {}
    parts: list[Arc | Clause] = [*sketch.clauses, *sketch.arcs]
    for part in parts:
        try:
            found = captions.fired(made(sketch.minus(part), rules))
        except RuleError:
            continue
        near |= {(f.place.position, f.place.number): f.place for f in found}
    places = sorted((place for key, place in near.items() if key not in fires), key=lambda place: len(place.graph.tokens))
    for place in places[:MOST_NEAR]:
        document = captions.documents[place.position]
        yield example_of(rule, document.sentence_texts[place.number] if len(document.sentences) > 1 else document.text, place.graph)
    yield from (example_of(rule, e.caption, e.graph) for other in rules.rules for e in (other.near_miss, other.example))


def example_of(rule: Rule, caption: str, graph: DependencyGraph) -> Example:
    """The caption with its tree as a rule file has it, and what the rule yields there."""
    tree = read_tree(written_tree(graph))
    return Example(caption, tree, ordered({p.words for p in rule.apply(tree)}))


def _plain(text: str) -> str:
    return re.sub(r"[/\s]", "_", text) or "_"


def _quoted(value: object) -> str:
    """A text or a list of texts as TOML has it, which is JSON but for one character."""
    text = json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return text.encode("utf-8", "replace").decode("utf-8")
