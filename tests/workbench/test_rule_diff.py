"""What differs between two rule files: rules added, removed, changed and moved, and their lines."""

from __future__ import annotations

import pytest

from spice_core.lang import language
from spice_core.rules import text_positions
from spice_core.workbench.rule_diff import firings, rule_changes
from tests.rules.test_ruleset import RULE
from tests.workbench.test_trace import RULES, corpus

BASE = language("en").rules["caption"].read_text(encoding="utf-8")
FIRST, LAST = RULES.rules[0].name, RULES.rules[-1].name

CASES = [
    (BASE, []),
    (text_positions.added(BASE, RULE), [("apposition", "added")]),
    (text_positions.without(BASE, [0]), [(FIRST, "removed")]),
    (BASE.replace("(subject, verb, object)", '(subject, "do", object)', 1), [(FIRST, "changed")]),
    (text_positions.added(text_positions.without(BASE, [0]), text_positions.piece(BASE, 0)), [(FIRST, "moved")]),
    (BASE.replace('scheme = "distinct"', 'scheme = "spice"'), [("", "changed")]),
    (text_positions.stamped(BASE, "0.2.0"), []),
]


@pytest.mark.parametrize(("after", "expected"), CASES, ids=["none", "added", "removed", "changed", "moved", "settings", "version"])
def test_changes_between_rule_files(after, expected):
    assert [(c.name, c.kind) for c in rule_changes(BASE, after)] == expected


def test_the_lines_of_a_change():
    (change,) = rule_changes(BASE, BASE.replace("  >nsubj {tag:/NN.*/}=subject\n", "  >nsubj {}=subject\n", 1))
    assert [line for line in change.lines if line[0] in "+-"] == ["-  >nsubj {tag:/NN.*/}=subject", "+  >nsubj {}=subject"]
    assert len(change.lines) == 4


def test_how_often_rules_fire():
    assert firings(corpus().parses(RULES))["noun"] == 4
