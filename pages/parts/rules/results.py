"""Results of a rule set on the bundled captions, stored in the session, so only changed rules run again."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import NamedTuple

import streamlit as st

from pages.parts.rules import rule_workspace
from pages.parts.rules.rule_workspace import STATE_KEY, RuleDraft, Workspace
from spice_core import Spice
from spice_core.data.ratings import RatedCaption
from spice_core.evaluation.gold import GoldReport, compare_gold
from spice_core.rules import RuleSet
from spice_core.scene.propositions import Parse
from spice_core.workbench.corpus import without_documents
from spice_core.workbench.rating_effect import RatingEffect, item_scores, rating_effect

RESULTS_KEY, REPORTS_KEY, SCORES_KEY, SECONDS_KEY = (f"{STATE_KEY}.{name}" for name in ("results", "reports", "scores", "seconds"))
MAX_CACHED_RESULTS = 12
RATED_KIND, MORE_KIND = "rated", "more"


class RuleSides(NamedTuple):
    """The rules before (the default rules, or the rules before the last edit) and after (the active rules)."""

    before: RuleSet
    after: RuleSet


def parses_of_kind(workspace: Workspace, kind: str, rules: RuleSet) -> list[Parse]:
    """Return the parses of all captions of a kind under these rules. Raises RuleError if the rules take too many steps."""
    cache = st.session_state.setdefault(RESULTS_KEY, {})
    cache_key = (workspace.lang, workspace.parser, kind, *_rules_key(rules))
    if cache_key not in cache:
        corpus = (
            rule_workspace.on_demand_corpus(workspace.lang, workspace.parser)
            if kind == MORE_KIND
            else rule_workspace.parsed_corpus(workspace.lang, workspace.parser, kind)
        )
        if corpus is None:
            return []
        start = perf_counter()
        cache[cache_key] = without_documents(corpus.parses(rules))
        st.session_state[SECONDS_KEY] = {**st.session_state.get(SECONDS_KEY, {}), kind: perf_counter() - start}
        _drop_oldest(cache)
    return cache[cache_key]


def last_run_seconds(*kinds: str) -> float:
    """Return how many seconds the last run of the rules took on captions of these kinds."""
    return sum(st.session_state.get(SECONDS_KEY, {}).get(kind, 0.0) for kind in kinds)


def gold_report(workspace: Workspace, rules: RuleSet) -> GoldReport:
    """Evaluate the rules on the bundled gold graphs."""
    cache = st.session_state.setdefault(REPORTS_KEY, {})
    cache_key = (workspace.lang, workspace.parser, *_rules_key(rules))
    if cache_key not in cache:
        cache[cache_key] = compare_gold(rule_workspace.gold_graphs(workspace.lang), parses_of_kind(workspace, "gold", rules))
        _drop_oldest(cache)
    return cache[cache_key]


def rated_captions(workspace: Workspace, kind: str) -> Sequence[RatedCaption]:
    """Return the first rated captions (kind ``rated``) or all of them (``more``)."""
    return rule_workspace.rated_captions(workspace.lang)[: rule_workspace.MAX_RATED_CAPTIONS if kind == RATED_KIND else None]


def effect_on_ratings(workspace: Workspace, kind: str, rule_sides: RuleSides) -> RatingEffect:
    """Return the effect on the scores of rated captions. Only items whose propositions changed are scored again."""
    rows_before = _cached_scores(workspace, kind, rule_sides.before, None)
    rows_after = _cached_scores(workspace, kind, rule_sides.after, rule_sides.before)
    return rating_effect(rated_captions(workspace, kind), rows_before, rows_after)


def rated_kind(workspace: Workspace) -> str:
    """Return ``more`` if all rated captions are parsed, ``rated`` before that, or "" if the language has none."""
    if not rule_workspace.rated_captions(workspace.lang):
        return ""
    return RATED_KIND if rule_workspace.on_demand_corpus(workspace.lang, workspace.parser) is None else MORE_KIND


def run_rules(workspace: Workspace, rules: RuleSet) -> None:
    """Run the rules on all captions that the page shows. Raises RuleError if they take too many steps."""
    for kind in (*rule_workspace.caption_kinds(workspace.lang), rated_kind(workspace)):
        if kind:
            parses_of_kind(workspace, kind, rules)
    rules.apply(workspace.pack.enhance(workspace.document, rules.steps))


def compared_rules(workspace: Workspace, earlier_draft: RuleDraft | None) -> RuleSides:
    """Return the rules before and after: an earlier draft or the default rules, and the active rules."""
    return RuleSides(
        workspace.bundled_rules if earlier_draft is None or not has_changed(workspace, earlier_draft) else earlier_draft.rules,
        workspace.rules,
    )


def has_changed(workspace: Workspace, draft: RuleDraft) -> bool:
    """Return whether the rules of a draft differ from the default rules."""
    return draft.disabled_names != frozenset() or draft.text != workspace.default_draft.text


def _cached_scores(workspace: Workspace, kind: str, rules: RuleSet, earlier_rules: RuleSet | None) -> list[float]:
    cache = st.session_state.setdefault(SCORES_KEY, {})
    cache_key = (workspace.lang, workspace.parser, kind, rules.scheme, rules.synonyms, *_rules_key(rules))
    if cache_key not in cache:
        earlier_results = None
        if earlier_rules is not None and (earlier_rules.scheme, earlier_rules.synonyms, earlier_rules.steps) == (
            rules.scheme,
            rules.synonyms,
            rules.steps,
        ):
            earlier_results = _cached_scores(workspace, kind, earlier_rules, None), _parses_by_caption(workspace, kind, earlier_rules)
        rows_before, parses_before = earlier_results or ([], None)
        spice = Spice(workspace.lang, parser=workspace.parser, rules=rules)
        cache[cache_key] = item_scores(
            rated_captions(workspace, kind),
            _parses_by_caption(workspace, kind, rules),
            spice,
            earlier_parses=parses_before,
            scores=rows_before,
        )
        _drop_oldest(cache)
    return cache[cache_key]


def _drop_oldest(cache: dict) -> None:
    """Drop the oldest results."""
    while len(cache) > MAX_CACHED_RESULTS:
        cache.pop(next(iter(cache)))


def _parses_by_caption(workspace: Workspace, kind: str, rules: RuleSet) -> dict[str, Parse]:
    return {parse.caption: parse for parse in parses_of_kind(workspace, kind, rules)}


def _rules_key(rules: RuleSet) -> tuple[object, ...]:
    """Return a key that identifies a rule set: name, digest, names of the rules."""
    return rules.name, rules.digest, tuple(rule.name for rule in rules.rules)
