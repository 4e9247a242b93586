"""Results of a rule set on the bundled captions, stored in the session so that only changed rules run again."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import NamedTuple

import streamlit as st

from pages.parts.rules import workspace
from pages.parts.rules.workspace import STATE_KEY, RuleDraft, Workspace
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
    """The rules before and after: the default rules or the rules before the last edit, and the active rules."""

    before: RuleSet
    after: RuleSet


def parses_of_kind(work: Workspace, kind: str, rules: RuleSet) -> list[Parse]:
    """Return the parses of the captions of a kind under these rules. Raises RuleError if the rules take too many steps."""
    cache = st.session_state.setdefault(RESULTS_KEY, {})
    cache_key = (work.lang, work.parser, kind, *_rules_key(rules))
    if cache_key not in cache:
        corpus = (
            workspace.more_corpus(work.lang, work.parser) if kind == MORE_KIND else workspace.parsed_corpus(work.lang, work.parser, kind)
        )
        if corpus is None:
            return []
        start = perf_counter()
        cache[cache_key] = without_documents(corpus.parses(rules))
        st.session_state[SECONDS_KEY] = {**st.session_state.get(SECONDS_KEY, {}), kind: perf_counter() - start}
        _drop_oldest(cache)
    return cache[cache_key]


def last_run_seconds(*kinds: str) -> float:
    """Return the time in seconds that the last run of the rules took on the captions of these kinds."""
    return sum(st.session_state.get(SECONDS_KEY, {}).get(kind, 0.0) for kind in kinds)


def gold_report(work: Workspace, rules: RuleSet) -> GoldReport:
    """Evaluate the rules on the bundled gold graphs."""
    cache = st.session_state.setdefault(REPORTS_KEY, {})
    cache_key = (work.lang, work.parser, *_rules_key(rules))
    if cache_key not in cache:
        cache[cache_key] = compare_gold(workspace.gold_graphs(work.lang), parses_of_kind(work, "gold", rules))
        _drop_oldest(cache)
    return cache[cache_key]


def rated_captions(work: Workspace, kind: str) -> Sequence[RatedCaption]:
    """Return the rated captions of a kind: the first ones (``rated``), or all (``more``)."""
    return workspace.rated_captions(work.lang)[: workspace.MAX_RATED_CAPTIONS if kind == RATED_KIND else None]


def effect_on_ratings(work: Workspace, kind: str, sides: RuleSides) -> RatingEffect:
    """Return the effect on the scores of rated captions; only items whose propositions changed are scored again."""
    before = _cached_scores(work, kind, sides.before, None)
    after = _cached_scores(work, kind, sides.after, sides.before)
    return rating_effect(rated_captions(work, kind), before, after)


def rated_kind(work: Workspace) -> str:
    """Return the kind of the rated captions: ``more`` once all are parsed, ``rated`` before; "" if the language has none."""
    if not workspace.rated_captions(work.lang):
        return ""
    return RATED_KIND if workspace.more_corpus(work.lang, work.parser) is None else MORE_KIND


def run_rules(work: Workspace, rules: RuleSet) -> None:
    """Run the rules on everything that the page shows. Raises RuleError if they take too many steps."""
    for kind in (*workspace.caption_kinds(work.lang), rated_kind(work)):
        if kind:
            parses_of_kind(work, kind, rules)
    rules.apply(work.pack.enhance(work.document, rules.steps))


def compared_rules(work: Workspace, earlier: RuleDraft | None) -> RuleSides:
    """Return the rules before and after: an earlier draft or the default rules, and the active rules."""
    return RuleSides(work.bundled if earlier is None or not has_changed(work, earlier) else earlier.rules, work.rules)


def has_changed(work: Workspace, draft: RuleDraft) -> bool:
    """Return whether a draft has other rules than the default ones."""
    return draft.off != frozenset() or draft.text != work.default_draft.text


def _cached_scores(work: Workspace, kind: str, rules: RuleSet, earlier: RuleSet | None) -> list[float]:
    cache = st.session_state.setdefault(SCORES_KEY, {})
    cache_key = (work.lang, work.parser, kind, rules.scheme, rules.synonyms, *_rules_key(rules))
    if cache_key not in cache:
        earlier_results = None
        if earlier is not None and (earlier.scheme, earlier.synonyms, earlier.steps) == (rules.scheme, rules.synonyms, rules.steps):
            earlier_results = _cached_scores(work, kind, earlier, None), _parses_by_caption(work, kind, earlier)
        scores, before = earlier_results or ([], None)
        spice = Spice(work.lang, parser=work.parser, rules=rules)
        cache[cache_key] = item_scores(
            rated_captions(work, kind), _parses_by_caption(work, kind, rules), spice, earlier=before, scores=scores
        )
        _drop_oldest(cache)
    return cache[cache_key]


def _drop_oldest(cache: dict) -> None:
    """Drop the oldest results."""
    while len(cache) > MAX_CACHED_RESULTS:
        cache.pop(next(iter(cache)))


def _parses_by_caption(work: Workspace, kind: str, rules: RuleSet) -> dict[str, Parse]:
    return {parse.caption: parse for parse in parses_of_kind(work, kind, rules)}


def _rules_key(rules: RuleSet) -> tuple[object, ...]:
    """Return a key that identifies a rule set: name, digest, names of the rules."""
    return rules.name, rules.digest, tuple(rule.name for rule in rules.rules)
