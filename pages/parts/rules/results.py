"""Results of rule sets on the bundled captions, cached in the session."""

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
RATED_SET, MORE_SET = "rated", "more"


class RuleSides(NamedTuple):
    """The rules to compare: the default rules or the rules before the last edit, and the active rules."""

    before: RuleSet
    after: RuleSet


def parses_of_set(workspace: Workspace, caption_set: str, rules: RuleSet) -> list[Parse]:
    """Return the parses of the captions of a set under these rules, or [] for the set ``more`` before it is parsed.

    Raises RuleError if the rules take too many steps.
    """
    cache = st.session_state.setdefault(RESULTS_KEY, {})
    cache_key = (workspace.lang, workspace.parser, caption_set, *_rules_key(rules))
    if cache_key not in cache:
        corpus = (
            rule_workspace.on_demand_corpus(workspace.lang, workspace.parser)
            if caption_set == MORE_SET
            else rule_workspace.parsed_corpus(workspace.lang, workspace.parser, caption_set)
        )
        if corpus is None:
            return []
        start = perf_counter()
        cache[cache_key] = without_documents(corpus.parses(rules))
        st.session_state[SECONDS_KEY] = {**st.session_state.get(SECONDS_KEY, {}), caption_set: perf_counter() - start}
        _drop_oldest(cache)
    return cache[cache_key]


def last_run_seconds(*caption_sets: str) -> float:
    """Return the seconds that the last runs of rules on these sets of captions took in total."""
    return sum(st.session_state.get(SECONDS_KEY, {}).get(caption_set, 0.0) for caption_set in caption_sets)


def gold_report(workspace: Workspace, rules: RuleSet) -> GoldReport:
    """Return the evaluation of the rules on the bundled gold graphs."""
    cache = st.session_state.setdefault(REPORTS_KEY, {})
    cache_key = (workspace.lang, workspace.parser, *_rules_key(rules))
    if cache_key not in cache:
        cache[cache_key] = compare_gold(rule_workspace.gold_graphs(workspace.lang), parses_of_set(workspace, "gold", rules))
        _drop_oldest(cache)
    return cache[cache_key]


def rated_captions(workspace: Workspace, caption_set: str) -> Sequence[RatedCaption]:
    """Return the first rated captions (set ``rated``) or all rated captions (set ``more``)."""
    return rule_workspace.rated_captions(workspace.lang)[: rule_workspace.MAX_RATED_CAPTIONS if caption_set == RATED_SET else None]


def effect_on_ratings(workspace: Workspace, caption_set: str, rule_sides: RuleSides) -> RatingEffect:
    """Return how the rules change the scores of the rated captions, and the correlation of these scores with the ratings.

    If both sides have the same scheme, synonyms and steps, only items whose propositions differ are scored again.
    """
    scores_before = _cached_scores(workspace, caption_set, rule_sides.before, None)
    scores_after = _cached_scores(workspace, caption_set, rule_sides.after, rule_sides.before)
    return rating_effect(rated_captions(workspace, caption_set), scores_before, scores_after)


def rated_set(workspace: Workspace) -> str:
    """Return ``more`` once the on-demand captions are parsed, ``rated`` before that, or "" if the language has no rated captions."""
    if not rule_workspace.rated_captions(workspace.lang):
        return ""
    return RATED_SET if rule_workspace.on_demand_corpus(workspace.lang, workspace.parser) is None else MORE_SET


def run_rules(workspace: Workspace, rules: RuleSet) -> None:
    """Run the rules on the caption and on the caption sets of the page. Raises RuleError if the rules take too many steps."""
    for caption_set in (*rule_workspace.bundled_caption_sets(workspace.lang), rated_set(workspace)):
        if caption_set:
            parses_of_set(workspace, caption_set, rules)
    rules.apply(workspace.pack.enhance(workspace.document, rules.steps))


def compared_rules(workspace: Workspace, earlier_draft: RuleDraft | None) -> RuleSides:
    """Return the rules to compare: an earlier draft or the default rules, and the active rules."""
    return RuleSides(
        workspace.bundled_rules if earlier_draft is None or not has_changed(workspace, earlier_draft) else earlier_draft.rules,
        workspace.rules,
    )


def has_changed(workspace: Workspace, draft: RuleDraft) -> bool:
    """Return whether the rules of a draft differ from the default rules."""
    return draft.disabled_names != frozenset() or draft.text != workspace.default_draft.text


def _cached_scores(workspace: Workspace, caption_set: str, rules: RuleSet, earlier_rules: RuleSet | None) -> list[float]:
    cache = st.session_state.setdefault(SCORES_KEY, {})
    cache_key = (workspace.lang, workspace.parser, caption_set, rules.scheme, rules.synonyms, *_rules_key(rules))
    if cache_key not in cache:
        earlier_results = None
        if earlier_rules is not None and (earlier_rules.scheme, earlier_rules.synonyms, earlier_rules.steps) == (
            rules.scheme,
            rules.synonyms,
            rules.steps,
        ):
            earlier_results = (
                _cached_scores(workspace, caption_set, earlier_rules, None),
                _parses_by_caption(workspace, caption_set, earlier_rules),
            )
        scores_before, parses_before = earlier_results or ([], None)
        spice = Spice(workspace.lang, parser=workspace.parser, rules=rules)
        cache[cache_key] = item_scores(
            rated_captions(workspace, caption_set),
            _parses_by_caption(workspace, caption_set, rules),
            spice,
            earlier_parses=parses_before,
            scores=scores_before,
        )
        _drop_oldest(cache)
    return cache[cache_key]


def _drop_oldest(cache: dict) -> None:
    """Remove the oldest results beyond ``MAX_CACHED_RESULTS``."""
    while len(cache) > MAX_CACHED_RESULTS:
        cache.pop(next(iter(cache)))


def _parses_by_caption(workspace: Workspace, caption_set: str, rules: RuleSet) -> dict[str, Parse]:
    return {parse.caption: parse for parse in parses_of_set(workspace, caption_set, rules)}


def _rules_key(rules: RuleSet) -> tuple[object, ...]:
    """Return a key that identifies a rule set: name, digest, names of the rules."""
    return rules.name, rules.digest, tuple(rule.name for rule in rules.rules)
