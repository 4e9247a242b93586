"""The rule that comes nearest to relating some words, and the smallest edit of it that would do."""

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
from spice_core.workbench.induce import PLAIN_VALUE, PatternVocabulary, Wanted, label_pattern
from spice_core.workbench.sketch import Arc, Clause, Sketch, clause, sketch_of

MAX_EDITS = 2
MAX_OBSERVED = 3  # edges tried in place of one


class Edit(NamedTuple):
    """One condition of a rule and what takes its place; empty if it is removed."""

    before: str
    after: str


@dataclass(frozen=True)
class EditedRule:
    """A rule with the edits that let it relate the words, and the sketch that they give."""

    rule: Rule
    edits: tuple[Edit, ...]
    sketch: Sketch


def nearest_rules(rules: tuple[Rule, ...], wanted: Wanted, vocabulary: PatternVocabulary) -> list[EditedRule]:
    """The rules that relate the words after the fewest edits, in their order."""
    budget, near = SearchBudget.on(wanted.graph), []
    with suppress(RuleError):  # past the budget the rules found so far do
        for rule in rules:
            if edited := _edited(rule, wanted, vocabulary, budget):
                near.append(edited)
    least = min((len(e.edits) for e in near), default=0)
    return [edited for edited in near if len(edited.edits) == least]


def _edited(rule: Rule, wanted: Wanted, vocabulary: PatternVocabulary, budget: SearchBudget) -> EditedRule | None:
    """The rule with the fewest edits that relate the words; None if a few do not."""
    sketch, names = sketch_of(rule), [next((n for n, _ in part if n in rule.pattern.nodes), "") for part in rule.template]
    named = dict(zip(_ends(names, len(wanted.words)), wanted.words))
    if not sketch or len(named) != len(wanted.words) or "" in named:
        return None
    border: list[EditedRule] = [EditedRule(rule, (), sketch)]
    for _ in range(MAX_EDITS):
        longer = []
        for one in border:
            failure = Pattern(one.sketch.source).failure(wanted.graph, dict(named), budget)
            if failure is None:
                return one if one.edits else None
            longer += [_after(one, edit, sketch) for edit, sketch in _repairs(one.sketch, failure, vocabulary)]
        border = longer
    return next((one for one in border if Pattern(one.sketch.source).failure(wanted.graph, dict(named), budget) is None), None)


def _ends(names: list[str], number: int) -> list[str]:
    """The names of the parts that this number of words fills: two words are the first and the last of three parts."""
    return names if len(names) == number else [names[0], names[-1]] if (len(names), number) == (3, 2) else []


def _after(one: EditedRule, edit: Edit, sketch: Sketch) -> EditedRule:
    return EditedRule(one.rule, (*one.edits, edit), sketch)


def _repairs(sketch: Sketch, failure: Failure, vocabulary: PatternVocabulary) -> Iterator[tuple[Edit, Sketch]]:
    """The sketch with the failed condition changed so that it holds for what was found."""
    failed, observed = failure.condition, failure.observed
    if isinstance(failed, EdgeTest):
        arc = Arc(failed.head, failed.dependent, failed.label.source, failed.link or "")
        if isinstance(observed, OtherEdges) and not observed.anywhere:
            for edge in dict.fromkeys(e.relation for e in observed.edges[:MAX_OBSERVED]):
                for label in vocabulary.label(edge, True)[-1:] if arc.link else [label_pattern(edge)]:
                    yield Edit(f">{arc.label}", f">{label}"), sketch.relabelled(arc, label)
        return
    was = clause(failed, dict.fromkeys(sketch.nodes))
    if was is None:
        return
    left = sketch.minus(was)
    if isinstance(failed, TokenTest) and isinstance(observed, OtherValue) and not failed.refused and PLAIN_VALUE.fullmatch(observed.value):
        kinds = vocabulary.fits("tag", observed.value) if observed.attribute == "tag" else iter(())
        now = Clause(was.node, f"{observed.attribute}:{next(kinds, observed.value)}")
        yield Edit(was.text, now.text), left.plus(now)
    else:
        yield Edit(was.text, ""), left


def variants(edited: EditedRule, vocabulary: PatternVocabulary) -> list[Sketch]:
    """The edited rule, then with each edited label loosened."""
    changed = {edit.after.removeprefix(">") for edit in edited.edits if edit.after.startswith(">")}
    out = [edited.sketch]
    for arc in edited.sketch.arcs:
        if arc.label in changed:
            relation = arc.label.strip("/")
            out += [edited.sketch.relabelled(arc, label) for label in vocabulary.label(relation, bool(arc.link))[1:] if not arc.link]
    return [replace(sketch, yields=edited.rule.yields) for sketch in out if readable_pattern(sketch)]


def readable_pattern(sketch: Sketch) -> bool:
    """Whether the text of a sketch is a pattern."""
    try:
        Pattern(sketch.source)
    except RuleError:
        return False
    return True
