"""Search for the rule that relates given words after the smallest edit."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import NamedTuple

from spice_core.errors import RuleError
from spice_core.rules.conditions import EdgeTest, Failure, SearchBudget, TokenTest
from spice_core.rules.observations import OtherEdges, OtherValue
from spice_core.rules.pattern import Pattern
from spice_core.rules.ruleset import Rule
from spice_core.workbench.induce import PLAIN_VALUE_PATTERN, PatternVocabulary, WantedWords, label_pattern
from spice_core.workbench.sketch import Sketch, SketchArc, SketchClause, make_clause, make_sketch

MAX_EDITS = 2
MAX_OBSERVED_VALUES = 3  # maximum number of edges tried in place of a missing one


class RuleEdit(NamedTuple):
    """A condition of a rule and its replacement, which is empty if the condition is removed."""

    before: str
    after: str


@dataclass(frozen=True)
class EditedRule:
    """A rule with the edits that let it relate the words, and the resulting sketch."""

    rule: Rule
    edits: tuple[RuleEdit, ...]
    sketch: Sketch


def nearest_rules(rules: tuple[Rule, ...], target: WantedWords, vocabulary: PatternVocabulary) -> list[EditedRule]:
    """Return the rules that relate the words after the fewest edits, in the order of the rule set."""
    budget, edited_rules = SearchBudget.for_graph(target.graph), []
    with suppress(RuleError):  # when the budget is used up, return the rules found so far
        for rule in rules:
            if edited := _edit_rule(rule, target, vocabulary, budget):
                edited_rules.append(edited)
    least = min((len(e.edits) for e in edited_rules), default=0)
    return [edited for edited in edited_rules if len(edited.edits) == least]


def _edit_rule(rule: Rule, target: WantedWords, vocabulary: PatternVocabulary, budget: SearchBudget) -> EditedRule | None:
    """Return the rule with the fewest edits that make it relate the words; None if a few edits do not suffice."""
    sketch, names = make_sketch(rule), [next((n for n, _ in part if n in rule.pattern.nodes), "") for part in rule.template]
    word_by_node = dict(zip(_end_names(names, len(target.words)), target.words))
    if not sketch or len(word_by_node) != len(target.words) or "" in word_by_node:
        return None
    border: list[EditedRule] = [EditedRule(rule, (), sketch)]
    for _ in range(MAX_EDITS):
        longer = []
        for edited in border:
            failure = Pattern(edited.sketch.source).failure(target.graph, dict(word_by_node), budget)
            if failure is None:
                return edited if edited.edits else None
            longer += [_add_edit(edited, edit, sketch) for edit, sketch in _repaired_sketches(edited.sketch, failure, vocabulary)]
        border = longer
    return next(
        (edited for edited in border if Pattern(edited.sketch.source).failure(target.graph, dict(word_by_node), budget) is None), None
    )


def _end_names(names: list[str], number: int) -> list[str]:
    """Return the names of the parts that this number of words fills: two words fill the first and last of three parts."""
    return names if len(names) == number else [names[0], names[-1]] if (len(names), number) == (3, 2) else []


def _add_edit(edited: EditedRule, edit: RuleEdit, sketch: Sketch) -> EditedRule:
    return EditedRule(edited.rule, (*edited.edits, edit), sketch)


def _repaired_sketches(sketch: Sketch, failure: Failure, vocabulary: PatternVocabulary) -> Iterator[tuple[RuleEdit, Sketch]]:
    """Yield the sketch with the failed condition changed so that it accepts the observed value."""
    failed, observed = failure.condition, failure.observation
    if isinstance(failed, EdgeTest):
        arc = SketchArc(failed.head, failed.dependent, failed.label.source, failed.link or "")
        if isinstance(observed, OtherEdges) and not observed.is_anywhere:
            for edge in dict.fromkeys(e.relation for e in observed.edges[:MAX_OBSERVED_VALUES]):
                for label in vocabulary.label(edge, True)[-1:] if arc.link else [label_pattern(edge)]:
                    yield RuleEdit(f">{arc.label}", f">{label}"), sketch.with_label(arc, label)
        return
    was = make_clause(failed, dict.fromkeys(sketch.nodes))
    if was is None:
        return
    reduced = sketch.without_part(was)
    if (
        isinstance(failed, TokenTest)
        and isinstance(observed, OtherValue)
        and not failed.is_negated
        and PLAIN_VALUE_PATTERN.fullmatch(observed.value)
    ):
        kinds = vocabulary.fits("tag", observed.value) if observed.attribute == "tag" else iter(())
        now = SketchClause(was.node, f"{observed.attribute}:{next(kinds, observed.value)}")
        yield RuleEdit(was.text, now.text), reduced.plus(now)
    else:
        yield RuleEdit(was.text, ""), reduced


def sketch_variants(edited: EditedRule, vocabulary: PatternVocabulary) -> list[Sketch]:
    """Yield the edited rule, then the rule with each edited label relaxed."""
    new_labels = {edit.after.removeprefix(">") for edit in edited.edits if edit.after.startswith(">")}
    out = [edited.sketch]
    for arc in edited.sketch.arcs:
        if arc.label in new_labels:
            relation = arc.label.strip("/")
            out += [edited.sketch.with_label(arc, label) for label in vocabulary.label(relation, bool(arc.link))[1:] if not arc.link]
    return [replace(sketch, yields=edited.rule.yields) for sketch in out if is_readable_pattern(sketch)]


def is_readable_pattern(sketch: Sketch) -> bool:
    """Return whether the text of a sketch is a valid pattern."""
    try:
        Pattern(sketch.source)
    except RuleError:
        return False
    return True
