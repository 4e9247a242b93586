"""Search for the rules that relate given words after the fewest edits."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import NamedTuple

from spice_core.errors import RuleError
from spice_core.rules.conditions import EdgeTest, Failure, SearchBudget, TokenTest
from spice_core.rules.mismatches import OtherEdges, OtherValue
from spice_core.rules.pattern import Pattern
from spice_core.rules.ruleset import Rule
from spice_core.workbench.rule_induction import PLAIN_VALUE_PATTERN, PatternVocabulary, TargetWords, label_pattern
from spice_core.workbench.sketch import Sketch, SketchArc, SketchClause, make_clause, make_sketch

MAX_EDITS = 2
MAX_TRIED_RELATIONS = 3  # maximum number of relations tried instead of a missing one


class RuleEdit(NamedTuple):
    """A condition of a rule and its replacement ("" removes it)."""

    before: str
    after: str


@dataclass(frozen=True)
class EditedRule:
    """A rule with the edits that make it relate the words, and the resulting sketch."""

    rule: Rule
    edits: tuple[RuleEdit, ...]
    sketch: Sketch


def nearest_rules(rules: tuple[Rule, ...], target: TargetWords, vocabulary: PatternVocabulary) -> list[EditedRule]:
    """Return the rules that relate the words after the fewest edits, in the order of the rule set.

    If the search reaches its limit of steps, only the rules before that point count.
    """
    budget, edited_rules = SearchBudget.for_graph(target.graph), []
    with suppress(RuleError):  # after the budget is used up, return the rules found so far
        for rule in rules:
            if edited_rule := _edit_rule(rule, target, vocabulary, budget):
                edited_rules.append(edited_rule)
    min_edits = min((len(e.edits) for e in edited_rules), default=0)
    return [edited_rule for edited_rule in edited_rules if len(edited_rule.edits) == min_edits]


def _edit_rule(rule: Rule, target: TargetWords, vocabulary: PatternVocabulary, budget: SearchBudget) -> EditedRule | None:
    """Return the rule with the fewest edits that make it relate the words.

    Return None if the rule needs no edits or more than ``MAX_EDITS``, or if it has no sketch or does not have a part for each word.
    """
    sketch, names = make_sketch(rule), [next((n for n, _ in part if n in rule.pattern.nodes), "") for part in rule.template]
    word_by_node = dict(zip(_template_names(names, len(target.words)), target.words))
    if not sketch or len(word_by_node) != len(target.words) or "" in word_by_node:
        return None
    border: list[EditedRule] = [EditedRule(rule, (), sketch)]
    for _ in range(MAX_EDITS):
        next_border = []
        for edited_rule in border:
            failure = Pattern(edited_rule.sketch.source).failure(target.graph, dict(word_by_node), budget)
            if failure is None:
                return edited_rule if edited_rule.edits else None
            next_border += [
                EditedRule(rule, (*edited_rule.edits, edit), sketch)
                for edit, sketch in _repaired_sketches(edited_rule.sketch, failure, vocabulary)
            ]
        border = next_border
    return next((e for e in border if Pattern(e.sketch.source).failure(target.graph, dict(word_by_node), budget) is None), None)


def _template_names(names: list[str], word_count: int) -> list[str]:
    """Return the template parts for this number of words. Two words are the first and last of three parts."""
    return names if len(names) == word_count else [names[0], names[-1]] if (len(names), word_count) == (3, 2) else []


def _repaired_sketches(sketch: Sketch, failure: Failure, vocabulary: PatternVocabulary) -> Iterator[tuple[RuleEdit, Sketch]]:
    """Yield sketches with the failed condition removed, or widened to the observed value."""
    condition, mismatch = failure.condition, failure.mismatch
    if isinstance(condition, EdgeTest):
        arc = SketchArc(condition.head, condition.dependent, condition.label.source, condition.link or "")
        if isinstance(mismatch, OtherEdges) and not mismatch.is_unbound:
            for edge in dict.fromkeys(e.relation for e in mismatch.edges[:MAX_TRIED_RELATIONS]):
                for label in vocabulary.labels_for(edge, True)[-1:] if arc.link else [label_pattern(edge)]:
                    yield RuleEdit(f">{arc.label}", f">{label}"), sketch.with_label(arc, label)
        return
    old_clause = make_clause(condition, dict.fromkeys(sketch.nodes))
    if old_clause is None:
        return
    reduced_sketch = sketch.without_constraint(old_clause)
    if (
        isinstance(condition, TokenTest)
        and isinstance(mismatch, OtherValue)
        and not condition.is_negated
        and PLAIN_VALUE_PATTERN.fullmatch(mismatch.value)
    ):
        kinds = vocabulary.matching_values("tag", mismatch.value) if mismatch.attribute == "tag" else iter(())
        new_clause = SketchClause(old_clause.node, f"{mismatch.attribute}:{next(kinds, mismatch.value)}")
        yield RuleEdit(old_clause.text, new_clause.text), reduced_sketch.with_clause(new_clause)
    else:
        yield RuleEdit(old_clause.text, ""), reduced_sketch


def sketch_variants(edited_rule: EditedRule, vocabulary: PatternVocabulary) -> list[Sketch]:
    """Return the sketch of the edited rule, then sketches with one of its edited labels relaxed."""
    new_labels = {edit.after.removeprefix(">") for edit in edited_rule.edits if edit.after.startswith(">")}
    out = [edited_rule.sketch]
    for arc in edited_rule.sketch.arcs:
        if arc.label in new_labels:
            relation = arc.label.strip("/")
            out += [
                edited_rule.sketch.with_label(arc, label) for label in vocabulary.labels_for(relation, bool(arc.link))[1:] if not arc.link
            ]
    return [replace(sketch, yields=edited_rule.rule.yields) for sketch in out if is_readable_pattern(sketch)]


def is_readable_pattern(sketch: Sketch) -> bool:
    """Return whether the text of a sketch is a valid pattern."""
    try:
        Pattern(sketch.source)
    except RuleError:
        return False
    return True
