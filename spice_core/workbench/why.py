"""Explanation of why two words do not form a tuple, by failed rules, disabled rules, and the trees of other parsers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from spice_core.lang.pack import LanguagePack
from spice_core.rules.conditions import Failure, SearchBudget
from spice_core.rules.ruleset import Rule, RuleSet
from spice_core.scene.propositions import Proposition
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Document


@dataclass(frozen=True)
class StoppedRule:
    """A rule that does not relate the two words, with the furthest failure of its search."""

    rule: Rule
    failure: Failure

    @property
    def condition_count(self) -> int:
        return len(self.rule.pattern.conditions)


@dataclass(frozen=True)
class WordsExplanation:
    """Explanation of why two words of a caption do or do not form a tuple.

    Attributes:
        propositions: The propositions that relate the words.
        propositions_of_disabled_rules: The propositions of disabled rules that relate the words.
        stopped_rules: The rules that fail, those nearest to a match first.
        propositions_by_parser: The propositions on the trees of other parsers that relate the words, by parser.
    """

    propositions: tuple[Proposition, ...]
    propositions_of_disabled_rules: tuple[Proposition, ...]
    stopped_rules: tuple[StoppedRule, ...]
    propositions_by_parser: dict[str, tuple[Proposition, ...]]


def explain_words(
    pack: LanguagePack,
    rules: RuleSet,
    document: Document,
    words: tuple[int, int],
    *,
    sentence: int = 0,
    disabled_rules: Iterable[Rule] = (),
    other_documents: dict[str, Document] | None = None,
) -> WordsExplanation:
    """Explain why two tokens of a sentence, given by their indices from 1, do or do not form a tuple.

    ``other_documents`` are parses of the same caption by other parsers. This function enhances all documents with the steps of the rules.
    """
    graph = DependencyGraph.from_sentence(pack.enhance(document, rules.steps).sentences[sentence])
    budget = SearchBudget.for_graph(graph)
    relating_propositions = [p for rule in rules.rules for p in rule.apply(graph, sentence, budget) if _relates_words(p, words)]
    disabled_propositions = [p for rule in disabled_rules for p in rule.apply(graph, sentence, budget) if _relates_words(p, words)]
    stopped_rules = tuple(StoppedRule(rule, failure) for rule, failure in rules.find_failures(graph, *words))
    starts = tuple(graph.token(i).start for i in words)
    propositions_by_parser = {name: _propositions_at(pack, rules, other, starts) for name, other in (other_documents or {}).items()}
    return WordsExplanation(
        tuple(relating_propositions),
        tuple(disabled_propositions),
        stopped_rules,
        {name: propositions for name, propositions in propositions_by_parser.items() if propositions},
    )


def _relates_words(proposition: Proposition, words: tuple[int, int]) -> bool:
    return set(words) <= {token.index for part in proposition.tokens for token in part}


def _propositions_at(pack: LanguagePack, rules: RuleSet, document: Document, starts: tuple[int, ...]) -> tuple[Proposition, ...]:
    """Return the propositions of a document that relate the words at these character offsets."""
    propositions = rules.apply(pack.enhance(document, rules.steps))
    return tuple(p for p in propositions if set(starts) <= {token.start for part in p.tokens for token in part})
