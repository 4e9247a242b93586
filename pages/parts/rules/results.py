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
KEPT = 8


def parses(work: Work, kind: str, rules: RuleSet) -> list[Parse]:
    """Parses of the captions of a kind under these rules. Raises RuleError if the rules take too many steps."""
    kept = st.session_state.setdefault(RESULTS, {})
    made_of = (work.lang, work.parser, kind, rules.name, rules.digest, tuple(rule.name for rule in rules.rules))
    if made_of not in kept:
        kept[made_of] = stripped(workspace.corpus(work.lang, work.parser, kind).parses(rules))
        while len(kept) > KEPT:
            kept.pop(next(iter(kept)))
    return kept[made_of]


def report(work: Work, rules: RuleSet) -> GoldReport:
    """Evaluation of the rules on the bundled gold graphs."""
    return compare(workspace.gold(work.lang), parses(work, "gold", rules))


def tried(work: Work, rules: RuleSet) -> None:
    """Run the rules on everything that the page shows. Raises RuleError if they take too many steps."""
    for kind in ("gold", "sample"):
        parses(work, kind, rules)
    rules.apply(work.pack.enhance(work.document, rules.steps))
