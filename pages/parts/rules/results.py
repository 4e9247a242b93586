"""Results of a rule set on the bundled captions, kept in the session so that only changed rules run again."""

from __future__ import annotations

from time import perf_counter
from typing import NamedTuple

import streamlit as st

from pages.parts.rules import workspace
from pages.parts.rules.workspace import KEY, Draft, Work
from spice_core import Spice
from spice_core.evaluation.gold import GoldReport, compare
from spice_core.rules import RuleSet
from spice_core.scene.propositions import Parse
from spice_core.workbench.corpus import stripped
from spice_core.workbench.rating_effect import RatingEffect, item_scores, rating_effect

RESULTS, SCORES, SECONDS = f"{KEY}.results", f"{KEY}.scores", f"{KEY}.seconds"
MOST_CACHED = 12
MORE = "more"


class Sides(NamedTuple):
    """The rules before and after: the default ones or those before the last edit, and the active ones."""

    before: RuleSet
    after: RuleSet


def parses(work: Work, kind: str, rules: RuleSet) -> list[Parse]:
    """Parses of the captions of a kind under these rules. Raises RuleError if the rules take too many steps."""
    cache = st.session_state.setdefault(RESULTS, {})
    cache_key = (work.lang, work.parser, kind, *_named(rules))
    if cache_key not in cache:
        corpus = workspace.more_corpus(work.lang, work.parser) if kind == MORE else workspace.corpus(work.lang, work.parser, kind)
        if corpus is None:
            return []
        begun = perf_counter()
        cache[cache_key] = stripped(corpus.parses(rules))
        st.session_state[SECONDS] = {**st.session_state.get(SECONDS, {}), kind: perf_counter() - begun}
        while len(cache) > MOST_CACHED:
            cache.pop(next(iter(cache)))
    return cache[cache_key]


def seconds(*kinds: str) -> float:
    """How long the last run of rules on the captions of these kinds took."""
    return sum(st.session_state.get(SECONDS, {}).get(kind, 0.0) for kind in kinds)


def report(work: Work, rules: RuleSet) -> GoldReport:
    """Evaluation of the rules on the bundled gold graphs."""
    return compare(workspace.gold(work.lang), parses(work, "gold", rules))


def ratings(work: Work, sides: Sides) -> RatingEffect:
    """The effect on the scores of the rated captions; an item is scored again only if the propositions of its captions changed."""
    before = _scores(work, sides.before, None)
    after = _scores(work, sides.after, sides.before)
    return rating_effect(workspace.rated(work.lang), before, after)


def tried(work: Work, rules: RuleSet) -> None:
    """Run the rules on everything that the page shows. Raises RuleError if they take too many steps."""
    for kind in ("gold", "sample", MORE):
        parses(work, kind, rules)
    rules.apply(work.pack.enhance(work.document, rules.steps))


def sides(work: Work, earlier: Draft | None) -> Sides:
    """The rules before and after: against an earlier draft, or against the default rules."""
    return Sides(work.bundled if earlier is None or not changed(work, earlier) else earlier.rules, work.rules)


def changed(work: Work, draft: Draft) -> bool:
    """Whether a draft has other rules than the default ones."""
    return draft.off != frozenset() or draft.text != work.unchanged.text


def _scores(work: Work, rules: RuleSet, earlier: RuleSet | None) -> list[float]:
    cache = st.session_state.setdefault(SCORES, {})
    cache_key = (work.lang, work.parser, rules.scheme, rules.synonyms, *_named(rules))
    if cache_key not in cache:
        known = None
        if earlier is not None and (earlier.scheme, earlier.synonyms, earlier.steps) == (rules.scheme, rules.synonyms, rules.steps):
            known = _scores(work, earlier, None), _by_caption(work, earlier)
        scores, before = known or ([], None)
        spice = Spice(work.lang, parser=work.parser, rules=rules)
        rated = workspace.rated(work.lang)
        cache[cache_key] = item_scores(rated, _by_caption(work, rules), spice, earlier=before, scores=scores)
        while len(cache) > MOST_CACHED:
            cache.pop(next(iter(cache)))
    return cache[cache_key]


def _by_caption(work: Work, rules: RuleSet) -> dict[str, Parse]:
    return {parse.caption: parse for parse in parses(work, MORE, rules)}


def _named(rules: RuleSet) -> tuple[object, ...]:
    """What tells rule sets apart: name, digest, names of the rules."""
    return rules.name, rules.digest, tuple(rule.name for rule in rules.rules)
