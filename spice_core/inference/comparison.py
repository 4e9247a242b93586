"""Comparison of two scene graphs by meaning, with proofs and conflicts for their unmatched tuples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from spice_core.inference.lexicon import Lexicon
from spice_core.inference.premises import PremiseIndex
from spice_core.inference.prover import NearMiss, Proof, Prover
from spice_core.inference.rules import InferenceRules, PropertyValues
from spice_core.inference.verdicts import Contradiction, Entailment, Verdicts
from spice_core.scene.graph import Concept, Element, SceneTuple
from spice_core.scene.matching import Match

ACTION_RULE = "action of a relation"


class Inference:
    """Comparison of two scene graphs by meaning, with the inference rules of a language."""

    def __init__(self, rules: InferenceRules, lexicon: Lexicon):
        self._rules, self._lexicon = rules, lexicon
        self._premises = PremiseIndex(rules, lexicon)

    def near_misses(self, tuples: Iterable[SceneTuple], other_tuples: Sequence[SceneTuple]) -> dict[str, list[NearMiss]]:
        """Return, by tuple id, the rules that almost derive a tuple from the other side's tuples, with the missing conditions."""
        prover = Prover(other_tuples, self._rules, self._lexicon, self._premises)
        return {tuple_.id: prover.near_misses(tuple_) for tuple_ in tuples}

    def verdicts(self, candidates: Sequence[SceneTuple], references: Sequence[SceneTuple], matches: Iterable[Match]) -> Verdicts:
        """Judge the unmatched tuples of either side, each against all tuples of the other side."""
        matched = {tuple_.id for match in matches for tuple_ in (match.candidate, match.reference)}
        entailed: list[Entailment] = []
        contradicted: list[Contradiction] = []
        for mine, theirs in ((candidates, references), (references, candidates)):
            prover = Prover(theirs, self._rules, self._lexicon, self._premises)
            conflicts = _ConflictSearch(mine, theirs, self._rules, prover)
            unmatched = [tuple_ for tuple_ in mine if tuple_.id not in matched]
            proofs = {tuple_.id: proof for tuple_ in unmatched if (proof := prover.prove(tuple_))}
            for tuple_ in unmatched:
                if proof := proofs.get(tuple_.id) or _prove_action(tuple_, mine, proofs):
                    entailed.append(Entailment(tuple_, proof))
                elif conflict := conflicts.find(tuple_):
                    contradicted.append(conflict)
        return Verdicts(tuple(entailed), tuple(contradicted), is_judged=True)


def _prove_action(tuple_: SceneTuple, own_tuples: Sequence[SceneTuple], proofs: Mapping[str, Proof]) -> Proof | None:
    """Return the proof of an action from the proof of a relation that implies it: if someone holds a ruler, someone holds."""
    if not tuple_.implied:
        return None
    relations = (
        relation
        for relation in own_tuples
        if relation.id in proofs and relation.kind == "relation" and relation.elements[0] is tuple_.elements[0]
    )
    actions = (
        relation for relation in relations if {word.partition(" ")[0] for word in relation.concepts[1].words} & tuple_.concepts[1].words
    )
    proof = next((proofs[action.id] for action in actions), None)
    return proof and Proof(tuple_.words, ACTION_RULE, premises=(proof,), steps=proof.steps + 1)


class _ConflictSearch:
    """Search for tuples in one graph that exclude a tuple of the other."""

    def __init__(self, own_tuples: Sequence[SceneTuple], other_tuples: Sequence[SceneTuple], rules: InferenceRules, prover: Prover):
        self._own_tuples, self._rules, self._prover = _attributes_by_host(own_tuples), rules, prover
        self._own_relations = [tuple_ for tuple_ in own_tuples if tuple_.kind == "relation"]
        self._attributes = _attributes_by_host(other_tuples)
        self._relations = [tuple_ for tuple_ in other_tuples if tuple_.kind == "relation"]

    def find(self, tuple_: SceneTuple) -> Contradiction | None:
        """Return the first tuple that excludes this one."""
        if tuple_.kind == "attribute":
            return self._find_conflicting_value(tuple_)
        return self._find_conflicting_relation(tuple_) if tuple_.kind == "relation" else None

    def _find_conflicting_value(self, tuple_: SceneTuple) -> Contradiction | None:
        """Return the contradiction with another value of the same property, if both sides give the host a single value and otherwise agree on it."""
        host, attribute = tuple_.concepts
        hosts, other_hosts = (
            [attributes for element, attributes in side.items() if element.concept.similar(host)]
            for side in (self._own_tuples, self._attributes)
        )
        if len(hosts) != 1 or len(other_hosts) != 1:  # which of several things is meant is unknown
            return None
        first_host, theirs = hosts[0], other_hosts[0]
        for prop, value in {pair: None for word in sorted(attribute.words) for pair in self._rules.values_of.get(word, ())}:
            values = self._values_of(theirs, prop)
            if not value.isdisjoint(self._rules.words("side")):  # "left" tells which hand is meant
                continue
            if self._values_of(first_host, prop) != {value} or len(values) != 1 or value in values:
                continue
            other = next(attribute for attribute in theirs if self._rules.value(prop, attribute.concepts[1].words) in values)
            # "two chocolate ones" may be two of six; some apples are red and others are green
            unclear = len(first_host) + len(theirs) > 2 if self._is_count(prop) else _is_plural(tuple_) or _is_plural(other)
            if not unclear:
                return Contradiction(tuple_, other, "exclusive")
        return None

    def _is_count(self, prop: PropertyValues) -> bool:
        return any(not value.isdisjoint(self._rules.words("count")) for value in prop)

    def _values_of(self, attributes: Iterable[SceneTuple], prop: PropertyValues) -> set[frozenset[str]]:
        """Return the values of a property that the attributes give."""
        return {value for attribute in attributes if (value := self._rules.value(prop, attribute.concepts[1].words))}

    def _find_conflicting_relation(self, tuple_: SceneTuple) -> Contradiction | None:
        subject, relation, object_ = tuple_.concepts
        if subject.similar(object_):  # one word may be broader than another and narrower than a third
            return None
        for other in self._relations:
            first, label, last = other.concepts
            if first.similar(subject) and last.similar(object_) and subject.words.isdisjoint(self._rules.words("mark")):
                if any(self._exclude_each_other(a, b) for a in relation.words for b in label.words):
                    return Contradiction(tuple_, other, "exclusive")
            exchanged = first.similar(object_) and last.similar(subject) and label.words & relation.words
            if exchanged and all(self._words_of_relation(word).isdisjoint(self._rules.words("mutual")) for word in relation.words):
                return Contradiction(tuple_, other, "exchanged")
        return self._find_other_side(tuple_)

    def _find_other_side(self, tuple_: SceneTuple) -> Contradiction | None:
        """Return a tuple by which the other side puts a thing on another side of the same thing: "left of" against "right of"."""
        for subject, side, object_ in self._side_relations(tuple_):
            for prop, value in self._rules.values_of.get(side, ()):
                for other in sorted(word for words in prop if words != value for word in words):
                    proof = self._prover.prove_relation(subject, other, object_)
                    if proof and self._is_about(proof, subject, object_):
                        return Contradiction(tuple_, proof.tuples[0], "exclusive")
        return None

    def _is_about(self, proof: Proof, *things: Concept) -> bool:
        """Return whether a proof starts from relations between these things and their sides alone."""
        side_words = self._rules.words("side")
        concepts = (element.concept for tuple_ in proof.tuples if tuple_.kind == "relation" for element in tuple_.elements[::2])
        return all(tuple_.kind != "object" for tuple_ in proof.tuples) and all(
            not concept.words.isdisjoint(side_words) or any(concept.similar(thing) for thing in things) for concept in concepts
        )

    def _side_relations(self, tuple_: SceneTuple) -> Iterator[tuple[Concept, str, Concept]]:
        """Yield the side relations that a relation states: (chair, to, left) and (left, of, door) together state (chair, left of, door)."""
        subject, object_ = tuple_.elements[0], tuple_.elements[-1]
        yield from ((subject.concept, word, object_.concept) for word in tuple_.concepts[1].words)
        for first, second in self._side_chains.get(tuple_.id, ()):
            yield from ((first.elements[0].concept, f"{side} of", second.elements[-1].concept) for side in first.elements[-1].concept.words)

    @cached_property
    def _side_chains(self) -> Mapping[str, list[tuple[SceneTuple, SceneTuple]]]:
        """The pairs of relations through a side, such as (chair, to, left) and (left, of, door), by the id of each of the two."""
        chains: dict[str, list[tuple[SceneTuple, SceneTuple]]] = {}
        for second in self._own_relations:
            side = second.elements[0]
            if "of" not in second.concepts[1].words or all(f"{word} of" not in self._rules.values_of for word in side.concept.words):
                continue
            for first in self._own_relations:
                if first.elements[-1] is side:
                    chains.setdefault(first.id, []).append((first, second))
                    chains.setdefault(second.id, []).append((first, second))
        return chains

    def _exclude_each_other(self, a: str, b: str) -> bool:
        """Return whether two relations have mutually exclusive prepositions and no different verbs."""
        properties = {
            prop for relation in (a, b) for part in self._words_of_relation(relation) for prop, _ in self._rules.values_of.get(part, ())
        }
        for prop in (prop_ for prop_ in self._rules.exclusive if prop_ in properties):
            values = [
                (part, value)
                for relation in (a, b)
                for part in self._words_of_relation(relation)
                if (value := self._rules.value(prop, frozenset((part,))))
            ]
            if len(values) == 2 and values[0][1] != values[1][1]:
                verbs = {verb for verb in (a.removesuffix(values[0][0]), b.removesuffix(values[1][0])) if verb}
                return len(verbs) < 2 and {verb.strip() for verb in verbs}.isdisjoint(self._rules.words("looking"))
        return False

    def _words_of_relation(self, relation: str) -> frozenset[str]:
        """Return a relation in full and without its verb; "left of" has none."""
        is_known = relation in self._rules.values_of
        return frozenset(part for part in (relation, "" if is_known else relation.partition(" ")[2]) if part)


def _attributes_by_host(tuples: Iterable[SceneTuple]) -> dict[Element, list[SceneTuple]]:
    attributes: dict[Element, list[SceneTuple]] = {}
    for tuple_ in tuples:
        if tuple_.kind == "attribute":
            attributes.setdefault(tuple_.elements[0], []).append(tuple_)
    return attributes


def _is_plural(attribute: SceneTuple) -> bool:
    """Return whether a caption uses the plural for the host of an attribute."""
    hosts = (mention.proposition.tokens[0] for mention in attribute.mentions if mention.proposition.tokens)
    return any(token.tag in ("NNS", "NNPS") for tokens in hosts for token in tokens)
