"""The rule engine: patterns over a dependency graph, rules as named data, propositions with their origin."""

from spice_core.rules.conditions import Failure
from spice_core.rules.graph import DependencyGraph
from spice_core.rules.pattern import Pattern
from spice_core.rules.ruleset import Example, Rule, RuleSet

__all__ = ["DependencyGraph", "Example", "Failure", "Pattern", "Rule", "RuleSet"]
