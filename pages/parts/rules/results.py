"""Results of a rule set on the bundled captions, kept in the session so that only changed rules run again."""

from __future__ import annotations

import streamlit as st

from pages.parts.rules import workspace
from pages.parts.rules.workspace import KEY, Work
from spice_core.evaluation.gold import GoldReport, compare
from spice_core.rules import RuleSet
from spice_core.scene.propositions import Parse
from spice_core.workbench.corpus import stripped

RESULTS = f"{KEY}.results"
MOST_CACHED = 8


def parses(work: Work, kind: str, rules: RuleSet) -> list[Parse]:
    """Parses of the captions of a kind under these rules. Raises RuleError if the rules take too many steps."""
    cache = st.session_state.setdefault(RESULTS, {})
    cache_key = (work.lang, work.parser, kind, rules.name, rules.digest, tuple(rule.name for rule in rules.rules))
    if cache_key not in cache:
        cache[cache_key] = stripped(workspace.corpus(work.lang, work.parser, kind).parses(rules))
        while len(cache) > MOST_CACHED:
            cache.pop(next(iter(cache)))
    return cache[cache_key]


def report(work: Work, rules: RuleSet) -> GoldReport:
    """Evaluation of the rules on the bundled gold graphs."""
    return compare(workspace.gold(work.lang), parses(work, "gold", rules))


def tried(work: Work, rules: RuleSet) -> None:
    """Run the rules on everything that the page shows. Raises RuleError if they take too many steps."""
    for kind in ("gold", "sample"):
        parses(work, kind, rules)
    rules.apply(work.pack.enhance(work.document, rules.steps))
