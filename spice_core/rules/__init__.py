"""The rule engine: patterns over dependency graphs, and rules that are read from files."""

from spice_core.rules.conditions import Failure
from spice_core.rules.pattern import Pattern
from spice_core.rules.ruleset import Example, Rule, RuleSet

__all__ = ["Example", "Failure", "Pattern", "Rule", "RuleSet"]
