"""Proposals of rules for words that should form a tuple, from the arcs between the words and from the nearest rules.

Each candidate runs on parsed captions, and their gold graphs judge the tuples that it adds. The best candidates are refined by conditions
that exclude wrong tuples.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf
from time import thread_time

from spice_core.errors import RuleError
from spice_core.rules.pattern import Pattern
from spice_core.rules.rule_file import read_template, read_tree, write_tree
from spice_core.rules.rule_text import write_rule
from spice_core.rules.ruleset import Example, Rule, RuleSet
from spice_core.scene.propositions import TupleWords, sort_tuples
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.workbench.conventions import TupleConventions
from spice_core.workbench.exclusions import ClauseTest, find_exclusions
from spice_core.workbench.judged_captions import CaptionSentence, IndexedCaptions, JudgedCaptions, RuleFiring, RuleVerdict
from spice_core.workbench.nearest_rule import EditedRule, nearest_rules, sketch_variants
from spice_core.workbench.rule_induction import PatternVocabulary, TargetWords, induce_sketches
from spice_core.workbench.sketch import Sketch, SketchArc, SketchClause, clauses_of
from spice_core.workbench.why import relates_words

MAX_NEAREST_RULES = 4
MAX_REFINED_CANDIDATES, MAX_ADDED_CONDITIONS = 5, 3  # maximum number of candidates refined, and of conditions added to each
SEARCH_TIMEOUT_S = 4.0  # processor time, so that the result is independent of the machine's load
NAME_BY_LABEL = {  # names of labels in rule names
    "nsubj": "subject",
    "nsubj:pass": "passive-subject",
    "obj": "object",
    "iobj": "indirect-object",
    "obl": "oblique",
    "nmod": "noun",
    "nmod:poss": "possessor",
    "amod": "adjective",
    "nummod": "number",
    "acl": "participle",
    "nsubj:acl": "participle-subject",
    "advcl": "adverbial-clause",
    "xcomp": "complement",
    "ccomp": "clause",
    "advmod": "adverb",
    "appos": "apposition",
    "cop": "be",
    "aux": "auxiliary",
    "case": "preposition",
    "compound": "compound",
    "compound:prt": "particle",
    "conj": "conjunct",
    "det": "determiner",
}
EMPTY_EXAMPLE = Example("", DependencyGraph((), ()))


@dataclass(frozen=True)
class RuleProposal:
    """A proposed rule, its tuples for the words, the verdict on its other tuples, and gold F1 without and with it.

    ``nearest`` is the nearest rule of the set, and ``disabled_rule`` the name of the rule if it is a disabled rule of the set.
    """

    rule: Rule
    tuples: tuple[TupleWords, ...]
    sketch: Sketch | None
    verdict: RuleVerdict
    f1_before: float
    f1: float
    nearest: EditedRule | None = None
    disabled_rule: str = ""


@dataclass(frozen=True)
class SketchCandidate:
    """A sketch with its rule, the rule's tuples for the words, its firings and their verdict."""

    sketch: Sketch
    rule: Rule
    tuples: tuple[TupleWords, ...]
    firings: list[RuleFiring]
    verdict: RuleVerdict
    base: EditedRule | None = None

    @cached_property
    def effect(self) -> frozenset[tuple[int, TupleWords]]:
        """The tuples that the rule yields, each with the position of its caption."""
        return frozenset((f.place.position, words) for f in self.firings for words in f.tuples)


class RuleProposer:
    """Search for rules that relate words of a sentence, judged on captions."""

    def __init__(
        self,
        judged: JudgedCaptions,
        rules: RuleSet,
        target: TargetWords,
        word_class: Callable[[str], str],
        *,
        disabled_rules: Iterable[Rule] = (),
    ):
        """Store the captions, the active ``rules``, the target words, the function from tags to UPOS, and the disabled rules."""
        self.judged, self.rules, self.target, self.disabled_rules = judged, rules, target, tuple(disabled_rules)
        self._conventions = TupleConventions(target.graph, word_class, joins_prepositions=_join_prepositions(rules))
        self._deadline = inf
        self._vocabulary, self._clause_test = PatternVocabulary(rules.rules), ClauseTest()
        self._usual_conditions = {clause.text for clause, _ in clauses_of(rules.rules)}

    def proposals(self, max_count: int = 12) -> list[RuleProposal]:
        """Return disabled rules that relate the words, then up to ``max_count`` new rules, best first by ``RuleVerdict.rank``.

        New rules that lower gold F1, or whose tuple for the words breaks the conventions, are omitted. If no rule relates the words in the
        given order, the reverse order is tried.
        """
        self._deadline = thread_time() + SEARCH_TIMEOUT_S
        disabled_proposals = [self._propose_disabled_rule(rule) for rule in self.disabled_rules if self.tuples_of_words(rule)]
        rule_by_effect = {
            frozenset((f.place.position, w) for f in firings for w in f.tuples): p.rule.name for p, firings in disabled_proposals
        }
        candidates: dict[frozenset[tuple[int, TupleWords]], SketchCandidate] = {}
        for words in (self.target.words, self.target.words[::-1]):
            target = replace(self.target, words=words)
            edited_rules = nearest_rules(self.rules.rules, target, self._vocabulary)
            for candidate in self._candidates(target, edited_rules):
                _add_if_simplest(candidates, candidate)
            if candidates:
                break
        for candidate in _sort_candidates(candidates.values())[:MAX_REFINED_CANDIDATES]:
            for candidate_ in self._refine_candidate(candidate):
                _add_if_simplest(candidates, candidate_)
        sorted_candidates = _distinct_candidates(_sort_candidates(c for effect, c in candidates.items() if effect not in rule_by_effect))
        return [
            *(proposal for proposal, _ in disabled_proposals),
            *self._helpful_proposals(sorted_candidates, edited_rules[0] if edited_rules else None, max_count),
        ]

    def _helpful_proposals(self, candidates: Iterable[SketchCandidate], nearest: EditedRule | None, max_count: int) -> list[RuleProposal]:
        """Return proposals for the first candidates that do not lower gold F1.

        The nearest rule of a proposal is the rule that it edits or, for other proposals, ``nearest``.
        """
        current_f1 = self.judged.f1()
        used_names = {rule.name for rule in (*self.rules.rules, *self.disabled_rules)}
        scored_candidates = ((c, self.judged.f1(c.verdict)) for c in candidates)
        helpful_candidates = [(c, f1) for c, f1 in scored_candidates if f1 >= current_f1]
        return [
            RuleProposal(
                replace(c.rule, name=name_rule(c.sketch, used_names)), c.tuples, c.sketch, c.verdict, current_f1, f1, c.base or nearest
            )
            for c, f1 in helpful_candidates[:max_count]
        ]

    def tuples_of_words(self, rule: Rule, *, checks_conventions: bool = False) -> tuple[TupleWords, ...]:
        """Return a rule's tuples of all the words, or () if ``checks_conventions`` is set and one breaks the conventions."""
        firings = [
            (bindings, proposition.words)
            for bindings, proposition in rule.firings(self.target.graph)
            if relates_words(proposition, self.target.words)
        ]
        if checks_conventions and not all(self._conventions.are_followed(rule, bindings) for bindings, _ in firings):
            return ()
        return sort_tuples({words for _, words in firings})

    def _propose_disabled_rule(self, rule: Rule) -> tuple[RuleProposal, list[RuleFiring]]:
        firings = self.judged.captions.find_firings(rule)
        verdict = self.judged.verdict(firings)
        return RuleProposal(
            rule, self.tuples_of_words(rule), None, verdict, self.judged.f1(), self.judged.f1(verdict), disabled_rule=rule.name
        ), firings

    def _candidates(self, target: TargetWords, edited_rules: Sequence[EditedRule]) -> Iterator[SketchCandidate]:
        """Yield rules that relate the words: edited nearest rules, then rules built from the arcs between the words."""
        for edited_rule in edited_rules[:MAX_NEAREST_RULES]:
            for sketch in sketch_variants(edited_rule, self._vocabulary):
                if candidate := self._try_sketch(sketch, edited_rule):
                    yield candidate
        for group in induce_sketches(target, self._vocabulary):
            is_attribute = bool(group) and group[0].yields.count(",") == 1
            candidates = [c for sketch in group if (c := self._try_sketch(sketch, checks_conventions=not is_attribute))]
            yield from (c for c in candidates if not is_attribute or self.tuples_of_words(c.rule, checks_conventions=True))
            if candidates and is_attribute:
                for word in self._frequent_relations(candidates[-1]):  # between the two parts of the template
                    sketches = (replace(c.sketch, yields=c.sketch.yields.replace(", ", f', "{word}", ')) for c in candidates)
                    yield from filter(None, map(self._try_sketch, sketches))

    def _frequent_relations(self, candidate: SketchCandidate) -> list[str]:
        """Return the gold graphs' most frequent relation between a candidate's words, as a list of at most one."""
        gold = self.judged.captions.gold
        firings = ((gold[f.place.position].tuples, f.tuples) for f in candidate.firings if f.place.position < len(gold))
        pairs = ((tuples, words) for tuples, words_of_tuple in firings for words in words_of_tuple if len(words) == 2)
        counts = Counter(t[1] for tuples, words in pairs for t in tuples if len(t) == 3 and (t[0], t[2]) == words)
        return [word for word, _ in counts.most_common(1) if '"' not in word]

    def _try_sketch(self, sketch: Sketch, base: EditedRule | None = None, *, checks_conventions: bool = True) -> SketchCandidate | None:
        """Return the candidate for a sketch.

        Return None if the sketch does not relate the words (by the conventions) or is not a valid pattern, or after the deadline.
        """
        if thread_time() > self._deadline:
            return None
        try:
            rule = make_rule(sketch, self.rules)
            if not (tuples := self.tuples_of_words(rule, checks_conventions=checks_conventions)):
                return None
            firings = self.judged.captions.find_firings(rule)
        except RuleError:
            return None
        return SketchCandidate(sketch, rule, tuples, firings, self.judged.verdict(firings), base)

    def _refine_candidate(self, candidate: SketchCandidate) -> Iterator[SketchCandidate]:
        """Yield the candidate with one more condition, and another, while each condition brings the required gain."""
        for _ in range(MAX_ADDED_CONDITIONS):
            judged_firings = [f for f in candidate.firings if f.place.position < len(self.judged.captions.gold)]
            for exclusion in find_exclusions(
                self.judged, judged_firings, self.rules.rules, clause_test=self._clause_test, deadline=self._deadline
            ):
                if exclusion.gain < self._required_gain(exclusion.clause):
                    continue
                sketch = candidate.sketch.with_clause(exclusion.clause)
                if new_candidate := self._try_sketch(sketch, candidate.base):
                    candidate = new_candidate
                    yield new_candidate
                    break
            else:
                return

    def _required_gain(self, clause: SketchClause) -> float:
        """Return the gain that a new condition must bring.

        The gain is 1 for conditions that occur in the rule set, infinite for other conditions on lemmas, and 2 otherwise.
        """
        if clause.text in self._usual_conditions:
            return 1
        return inf if clause.text.startswith("lemma") else 2


def _join_prepositions(rules: RuleSet) -> bool:
    """Return whether the relations of a rule set include the preposition after the verb."""
    return any(len(part) > 1 and any(name in rule.pattern.captures for name, _ in part) for rule in rules.rules for part in rule.template)


def make_rule(sketch: Sketch, rules: RuleSet) -> Rule:
    """Return a rule from a sketch, with a unique name and the rule set's settings for the form of words. Raises RuleError."""
    pattern = Pattern(sketch.source)
    name, template = name_rule(sketch, {rule.name for rule in rules.rules}), read_template(sketch.yields, pattern)
    rule = Rule(name, "", pattern, template, sketch.yields, EMPTY_EXAMPLE, EMPTY_EXAMPLE)
    form_rule = next(iter(rules.rules), rule)
    return replace(rule, phrase=form_rule.phrase, separator=form_rule.separator, lower_case=form_rule.lower_case)


def name_rule(sketch: Sketch, used_names: Collection[str]) -> str:
    """Return an unused name from the labels of the arcs, such as subject-object."""
    name = "-".join(dict.fromkeys(filter(None, (_label_words(arc.label) for arc in sketch.arcs)))) or "new"
    return next(n for n in (name, *(f"{name}-{i}" for i in range(2, len(used_names) + 3))) if n not in used_names)


def _label_words(label: str) -> str:
    """Return a label as part of a name.

    Only the text before the first bar or special character is used. A label without such text becomes ``preposition`` if it has a group,
    and "" otherwise.
    """
    plain_label = re.split(r"[(|\\.[]", label.strip("/"))[0].strip(":")
    base, _, link = plain_label.partition(":")
    if not base:
        return "preposition" if "(" in label.replace("(?", "") else ""
    word = NAME_BY_LABEL.get(plain_label) or "-".join(filter(None, (NAME_BY_LABEL.get(base, base), link)))
    return re.sub(r"\W+", "-", word).strip("-")


def _add_if_simplest(candidates: dict[frozenset[tuple[int, TupleWords]], SketchCandidate], candidate: SketchCandidate) -> None:
    """Add the candidate unless an equally simple or simpler one has the same effect."""
    other = candidates.get(candidate.effect)
    if other is None or candidate.sketch.size < other.sketch.size:
        candidates[candidate.effect] = candidate


def _sort_candidates(candidates: Iterable[SketchCandidate]) -> list[SketchCandidate]:
    return sorted(candidates, key=lambda c: c.verdict.rank, reverse=True)


def _distinct_candidates(sorted_candidates: Iterable[SketchCandidate]) -> list[SketchCandidate]:
    """Return the candidates without those that repeat the labels and judged tuples of a better one."""
    candidate_by_effect: dict[object, SketchCandidate] = {}
    for candidate in sorted_candidates:
        candidate_by_effect.setdefault((candidate.verdict.right_tuples, candidate.verdict.wrong_tuples, candidate.sketch.labels), candidate)
    return list(candidate_by_effect.values())


MAX_NEAR_CAPTIONS = 20


def complete_rule(rule: Rule, sketch: Sketch, rules: RuleSet, captions: IndexedCaptions, *, caption: str, graph: DependencyGraph) -> Rule:
    """Return the rule with this caption as its example, and with a near miss."""
    example = make_example(rule, caption, graph)
    return replace(rule, example=example, near_miss=find_near_miss(rule, sketch, rules, captions))


def find_near_miss(rule: Rule, sketch: Sketch, rules: RuleSet, captions: IndexedCaptions) -> Example:
    """Return the shortest sentence on which only one condition of the rule fails.

    If there is none, return a near miss or an example of the rule set on which the rule does not fire, or else an empty example.
    """
    examples = (example for example in _near_misses(rule, sketch, rules, captions) if not example.tuples)
    return next(examples, Example("", DependencyGraph((), ())))


def write_rule_text(rule: Rule) -> str:
    """Return the rule as the text of a rule file."""
    example, near_miss = ({"caption": e.caption, "tree": write_tree(e.graph)} for e in (rule.example, rule.near_miss))
    fields = {"name": rule.name, "reason": rule.reason, "pattern": rule.pattern.source, "yields": rule.yields}
    return write_rule({**fields, "example": {**example, "tuples": list(map(list, rule.example.tuples))}, "near_miss": near_miss})


def _near_misses(rule: Rule, sketch: Sketch, rules: RuleSet, captions: IndexedCaptions) -> Iterator[Example]:
    """Yield sentences that fail only one condition of the rule, shortest first, then near misses and examples of the rule set."""
    firing_places = {(f.place.position, f.place.number) for f in captions.find_firings(rule)}
    place_by_pair: dict[tuple[int, int], CaptionSentence] = {}
    parts: list[SketchArc | SketchClause] = [*sketch.clauses, *sketch.arcs]
    for part in parts:
        try:
            firings = captions.find_firings(make_rule(sketch.without_constraint(part), rules))
        except RuleError:
            continue
        place_by_pair |= {(f.place.position, f.place.number): f.place for f in firings}
    places = sorted((place for key, place in place_by_pair.items() if key not in firing_places), key=lambda place: len(place.graph.tokens))
    for place in places[:MAX_NEAR_CAPTIONS]:
        document = captions.documents[place.position]
        yield make_example(rule, document.sentence_texts[place.number] if len(document.sentences) > 1 else document.text, place.graph)
    yield from (make_example(rule, e.caption, e.graph) for other in rules.rules for e in (other.near_miss, other.example))


def make_example(rule: Rule, caption: str, graph: DependencyGraph) -> Example:
    """Return the caption as an example, with its tree and the rule's tuples."""
    tree = read_tree(write_tree(graph))
    return Example(caption, tree, sort_tuples({p.words for p in rule.apply(tree)}))
