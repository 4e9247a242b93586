"""Results of rule sets on the bundled captions, cached in the session."""

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import NamedTuple

from pages.parts.rules import rule_workspace
from pages.parts.rules.rule_workspace import Workspace
from pages.parts.rules.state import RuleDraft, rules_state
from spice_core import Spice
from spice_core.data.ratings import RatedCaption
from spice_core.evaluation.gold import GoldReport, compare_gold
from spice_core.rules import RuleSet
from spice_core.scene.propositions import Parse
from spice_core.workbench.corpus import without_documents
from spice_core.workbench.rating_effect import RatingEffect, item_scores, rating_effect

RATED_SET, MORE_SET = "rated", "more"


class RulePair(NamedTuple):
    """The rules to compare: the active rules, and the default rules or those before the last edit."""

    before: RuleSet
    after: RuleSet


def parses_of_set(workspace: Workspace, caption_set: str, rules: RuleSet) -> list[Parse]:
    """Return the parses of a caption set under these rules, or [] for the set ``more`` before it is parsed.

    Raises RuleError if the rules take too many steps.
    """
    corpus = (
        rule_workspace.on_demand_corpus(workspace.lang, workspace.parser)
        if caption_set == MORE_SET
        else rule_workspace.parsed_corpus(workspace.lang, workspace.parser, caption_set)
    )
    if corpus is None:
        return []

    def parse() -> list[Parse]:
        start = perf_counter()
        parses = without_documents(corpus.parses(rules))
        rules_state().run_seconds[caption_set] = perf_counter() - start
        return parses

    return rules_state().cached("parses", (workspace.lang, workspace.parser, caption_set, *_rules_key(rules)), parse)


def last_run_seconds(*caption_sets: str) -> float:
    """Return the total seconds of the last runs of rules on these caption sets."""
    return sum(rules_state().run_seconds.get(caption_set, 0.0) for caption_set in caption_sets)


def gold_report(workspace: Workspace, rules: RuleSet) -> GoldReport:
    """Return the evaluation of the rules on the bundled gold graphs."""
    compute = lambda: compare_gold(rule_workspace.gold_graphs(workspace.lang), parses_of_set(workspace, "gold", rules))
    return rules_state().cached("reports", (workspace.lang, workspace.parser, *_rules_key(rules)), compute)


def rated_captions(workspace: Workspace, caption_set: str) -> Sequence[RatedCaption]:
    """Return the first rated captions (set ``rated``) or all rated captions (set ``more``)."""
    return rule_workspace.rated_captions(workspace.lang)[: rule_workspace.MAX_RATED_CAPTIONS if caption_set == RATED_SET else None]


def effect_on_ratings(workspace: Workspace, caption_set: str, rule_pair: RulePair) -> RatingEffect:
    """Return how the rules change the scores of the rated captions and their correlation with the ratings.

    If both sides have the same scheme, synonyms and steps, only items whose propositions differ are scored again.
    """
    scores_before = _cached_scores(workspace, caption_set, rule_pair.before, None)
    scores_after = _cached_scores(workspace, caption_set, rule_pair.after, rule_pair.before)
    return rating_effect(rated_captions(workspace, caption_set), scores_before, scores_after)


def rated_set_name(workspace: Workspace) -> str:
    """Return ``more`` after the on-demand captions are parsed, ``rated`` before, or "" for a language without rated captions."""
    if not rule_workspace.rated_captions(workspace.lang):
        return ""
    return RATED_SET if rule_workspace.on_demand_corpus(workspace.lang, workspace.parser) is None else MORE_SET


def run_rules(workspace: Workspace, rules: RuleSet) -> None:
    """Run the rules on the caption and on the page's caption sets. Raises RuleError if they take too many steps."""
    for caption_set in (*rule_workspace.bundled_caption_sets(workspace.lang), rated_set_name(workspace)):
        if caption_set:
            parses_of_set(workspace, caption_set, rules)
    rules.apply(workspace.pack.enhance(workspace.document, rules.steps))


def compared_rules(workspace: Workspace, earlier_draft: RuleDraft | None) -> RulePair:
    """Return the rules to compare: the active rules, and those of an earlier draft or the default rules."""
    before = earlier_draft.rules if earlier_draft and workspace.has_edits(earlier_draft) else workspace.bundled_rules
    return RulePair(before, workspace.rules)


def _cached_scores(workspace: Workspace, caption_set: str, rules: RuleSet, earlier_rules: RuleSet | None) -> list[float]:
    settings_of: Callable[[RuleSet], object] = lambda rules: (rules.scheme, rules.synonyms, rules.steps)
    parses_by_caption = lambda rules: {parse.caption: parse for parse in parses_of_set(workspace, caption_set, rules)}

    def compute() -> list[float]:
        scores_before: list[float] = []
        parses_before: dict[str, Parse] | None = None
        if earlier_rules is not None and settings_of(earlier_rules) == settings_of(rules):
            scores_before = _cached_scores(workspace, caption_set, earlier_rules, None)
            parses_before = parses_by_caption(earlier_rules)
        metric = Spice(workspace.lang, parser=workspace.parser, rules=rules)
        items, parses = rated_captions(workspace, caption_set), parses_by_caption(rules)
        return item_scores(items, parses, metric, earlier_parses=parses_before, scores=scores_before)

    cache_key = (workspace.lang, workspace.parser, caption_set, rules.scheme, rules.synonyms, *_rules_key(rules))
    return rules_state().cached("scores", cache_key, compute)


def _rules_key(rules: RuleSet) -> tuple[object, ...]:
    return rules.name, rules.digest, tuple(rule.name for rule in rules.rules)
