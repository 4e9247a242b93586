"""The rule engine: patterns over dependency graphs, and rules that are data."""

from spice_core.rules.conditions import Failure
from spice_core.rules.pattern import Pattern
from spice_core.rules.ruleset import Example, Rule, RuleSet

__all__ = ["Example", "Failure", "Pattern", "Rule", "RuleSet"]
