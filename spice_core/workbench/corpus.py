"""Captions that are parsed once, so that patterns and rules can be tried on all of them repeatedly."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from threading import Lock
from typing import NamedTuple

from spice_core.errors import Message
from spice_core.lang.pack import LanguagePack
from spice_core.rules.conditions import SearchBudget
from spice_core.rules.edit_step import RuleSetStep
from spice_core.rules.pattern import Pattern
from spice_core.rules.ruleset import Rule, RuleSet, apply_rule
from spice_core.scene.propositions import Parse, Proposition, add_implied_objects, sort_tuples
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Document

MIN_CORPUS_STEP_LIMIT = 150_000  # minimum step limit for all captions together
STEPS_PER_CAPTION = 300  # number of allowed steps per caption; the bundled rules take fewer than 50 on average
_MAX_CACHED_RULE_RUNS = 256


class CaptionEffect(NamedTuple):
    """A caption whose tuples change under another rule set, with its position and its gained and lost tuples."""

    position: int
    caption: str
    gained_tuples: tuple[tuple[str, ...], ...]
    lost_tuples: tuple[tuple[str, ...], ...]


class RuleRun(NamedTuple):
    """The run of a rule on all captions: propositions by caption and sentence, steps and seconds."""

    propositions: dict[tuple[int, int], list[Proposition]]
    steps: int
    seconds: float


class ParsedCorpus:
    """Parsed captions, with cached graphs by enhancement steps and cached propositions by rule."""

    def __init__(self, pack: LanguagePack, documents: Sequence[Document], signature: str):
        self.pack, self.documents, self.signature = pack, tuple(documents), signature
        self._steps: dict[tuple[RuleSetStep, ...] | None, tuple[Document, ...]] = {}
        self._graphs: dict[tuple[RuleSetStep, ...] | None, list[list[DependencyGraph]]] = {}
        self._runs: dict[tuple[object, ...], RuleRun] = {}
        self._lock = Lock()

    def enhanced_documents(self, steps: tuple[RuleSetStep, ...] | None = None) -> tuple[Document, ...]:
        """Return the documents with the graphs made by these steps."""
        if steps not in self._steps:
            enhanced_documents = tuple(self.pack.enhance(document, steps) for document in self.documents)
            self._steps = {**dict(list(self._steps.items())[-1:]), steps: enhanced_documents}
        return self._steps[steps]

    def parses(self, rules: RuleSet, *, limit: int | None = None) -> list[Parse]:
        """Return the parses under these rules. Rules that have already run on these graphs are not run again.

        Raises RuleError if the rules take more than ``limit`` steps in total, including the steps of cached runs.
        """
        budget, documents = search_budget(len(self.documents), limit), self.enhanced_documents(rules.steps)
        by_place: dict[tuple[int, int], list[Proposition]] = {}
        for rule in rules.rules:
            for place, propositions in self._run_rule(rule, rules.steps, budget).propositions.items():
                by_place.setdefault(place, []).extend(propositions)
        return [
            Parse(d.text, tuple(p for n in range(len(d.sentences)) for p in by_place.get((position, n), ())), d, self.signature)
            for position, d in enumerate(documents)
        ]

    def _run_rule(self, rule: Rule, steps: tuple[RuleSetStep, ...] | None, budget: SearchBudget) -> RuleRun:
        """Return the run of a rule on the graphs of these steps, cached for rule sets with the same rule.

        The steps and seconds of the run count towards the budget, even if the run was cached.
        """
        with self._lock:
            run = self._runs.pop((steps, rule.form), None)
        if run is None:
            run = self._execute_rule(rule, steps, budget)
        else:
            budget.count_steps(run.steps)
            budget.add_seconds(run.seconds)
        with self._lock:
            self._runs[steps, rule.form] = run
            while len(self._runs) > _MAX_CACHED_RULE_RUNS:
                self._runs.pop(next(iter(self._runs)))
        return run

    def _execute_rule(self, rule: Rule, steps: tuple[RuleSetStep, ...] | None, budget: SearchBudget) -> RuleRun:
        by_place, start_counts = {}, (budget.steps, budget.seconds)
        documents = self.enhanced_documents(steps)
        for position, (document, graphs) in enumerate(zip(documents, self._graphs_by_sentence(steps), strict=True)):
            for sentence_index, (sentence, graph) in enumerate(zip(document.sentences, graphs, strict=True)):
                if propositions := apply_rule(rule, sentence, graph, sentence_index, budget):
                    by_place[position, sentence_index] = propositions
        return RuleRun(by_place, budget.steps - start_counts[0], budget.seconds - start_counts[1])

    def _graphs_by_sentence(self, steps: tuple[RuleSetStep, ...] | None) -> list[list[DependencyGraph]]:
        """Return the graphs after these steps, by caption and sentence."""
        if (graphs := self._graphs.get(steps)) is None:
            graphs = [
                [DependencyGraph.from_sentence(sentence) for sentence in document.sentences] for document in self.enhanced_documents(steps)
            ]
            self._graphs = {**dict(list(self._graphs.items())[-1:]), steps: graphs}
        return graphs

    def part(self, start: int, end: int | None = None) -> ParsedCorpus:
        """Return a slice of the captions as a corpus."""
        return ParsedCorpus(self.pack, self.documents[start:end], self.signature)


def search_budget(caption_count: int, limit: int | None = None) -> SearchBudget:
    """Return a budget of ``limit`` steps. By default, the limit depends on the number of captions."""
    return SearchBudget(
        limit or max(MIN_CORPUS_STEP_LIMIT, STEPS_PER_CAPTION * caption_count), Message("pattern.these_captions", number=caption_count)
    )


def caption_effects(before: Iterable[Parse], after: Iterable[Parse]) -> Iterator[CaptionEffect]:
    """Yield the captions whose tuples, including implied objects, differ between two rule sets."""
    for position, (old, new) in enumerate(zip(before, after, strict=True)):
        if old.propositions == new.propositions:
            continue
        old_tuples, new_tuples = (add_implied_objects(p.words for p in parse.propositions) for parse in (old, new))
        if old_tuples != new_tuples:
            yield CaptionEffect(position, new.caption, sort_tuples(new_tuples - old_tuples), sort_tuples(old_tuples - new_tuples))


def without_documents(parses: Iterable[Parse]) -> list[Parse]:
    """Return the parses without their documents, to save memory."""
    return [replace(parse, document=None) for parse in parses]


GROUPING_ATTRIBUTES = ("lemma", "word", "tag", "relation")
MAX_HITS = 5_000


@dataclass(frozen=True)
class QueryHit:
    """A match: position and text of the caption, sentence number, graph, and the token or text bound to each name."""

    position: int
    caption: str
    sentence: int
    graph: DependencyGraph
    bindings: dict[str, int | str]

    def word(self, name: str) -> str:
        """Return the word bound to a name, the text of a link, or "" if the name is not bound."""
        value = self.bindings.get(name, "")
        return self.graph.token(value).text if isinstance(value, int) else value

    def value(self, name: str, by: str = "lemma") -> str:
        """Return an attribute of the word bound to a name, or the text of a link.

        ``by`` is ``lemma``, ``word``, ``tag`` or ``relation`` (the relation to the word's first head).
        """
        value = self.bindings.get(name, "")
        if not isinstance(value, int):
            return value
        if by == "relation":
            return next((edge.relation for edge in self.graph.parents(value)), "")
        token = self.graph.token(value)
        return {"lemma": token.lemma, "word": token.text, "tag": token.tag}[by]


def search_captions(pattern: Pattern, documents: Iterable[Document], *, enhanced: bool = True) -> list[QueryHit]:
    """Return the matches of a pattern in captions, at most ``MAX_HITS``. Raises RuleError if the search takes too many steps.

    If ``enhanced``, the search uses the graphs that the rules read instead of the basic trees.
    """
    documents = list(documents)
    budget = search_budget(len(documents))
    hits: list[QueryHit] = []
    for position, document in enumerate(documents):
        for sentence_index, sentence in enumerate(document.sentences):
            graph = DependencyGraph.from_sentence(sentence) if enhanced else DependencyGraph(sentence.tokens, sentence.basic)
            hits += (
                QueryHit(position, document.text, sentence_index, graph, named_bindings(pattern, bindings))
                for bindings in pattern.search(graph, budget)
            )
            if len(hits) >= MAX_HITS:
                return hits[:MAX_HITS]
    return hits


def group_hits(hits: Iterable[QueryHit], name: str, by: str = "lemma") -> dict[str, list[QueryHit]]:
    """Group the hits by the value of a name, the largest group first. Groups of equal size are sorted by value."""
    groups: dict[str, list[QueryHit]] = {}
    for hit in hits:
        groups.setdefault(hit.value(name, by), []).append(hit)
    return dict(sorted(groups.items(), key=lambda group: (-len(group[1]), group[0])))


def named_bindings(pattern: Pattern, bindings: dict[str, int | str]) -> dict[str, int | str]:
    """Return the bindings of the pattern's explicit names, or all bindings if it has none."""
    return {name: value for name, value in bindings.items() if name in pattern.explicit_names} or dict(bindings)
