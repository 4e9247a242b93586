"""Explanation of why two words do or do not form a tuple, by the active rules, disabled rules and failed conditions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from spice_core.lang.pack import LanguagePack
from spice_core.rules.conditions import Failure, SearchBudget
from spice_core.rules.ruleset import Rule, RuleSet
from spice_core.scene.propositions import Proposition
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Document


class WordsExplanation(NamedTuple):
    """Why words of a caption form a tuple or do not.

    Attributes:
        propositions: The propositions that relate the words.
        propositions_of_disabled_rules: The propositions of disabled rules that relate the words.
        stopped_rules: The rules that fail, each with the furthest failure of its search, those nearest to a match first.
    """

    propositions: tuple[Proposition, ...] = ()
    propositions_of_disabled_rules: tuple[Proposition, ...] = ()
    stopped_rules: tuple[tuple[Rule, Failure], ...] = ()


def explain_words(
    pack: LanguagePack,
    rules: RuleSet,
    document: Document,
    words: tuple[int, int],
    *,
    sentence: int = 0,
    disabled_rules: Iterable[Rule] = (),
) -> WordsExplanation:
    """Explain why two tokens of a sentence, given by their indices from 1, do or do not form a tuple.

    This function enhances the document with the steps of the rules.
    """
    graph = DependencyGraph.from_sentence(pack.enhance(document, rules.steps).sentences[sentence])
    budget = SearchBudget.for_graph(graph)

    def relating_propositions(applied_rules: Iterable[Rule]) -> Iterator[Proposition]:
        return (p for rule in applied_rules for p in rule.apply(graph, sentence, budget) if relates_words(p, words))

    return WordsExplanation(
        tuple(relating_propositions(rules.rules)),
        tuple(relating_propositions(disabled_rules)),
        tuple(rules.find_failures(graph, *words)),
    )


def relates_words(proposition: Proposition, words: Iterable[int]) -> bool:
    """Return whether a proposition contains all of these words, given by their indices."""
    return set(words) <= {token.index for part in proposition.tokens for token in part}
