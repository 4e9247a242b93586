"""Comparison of two scene graphs by meaning, with proofs and conflicts for their unmatched tuples."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from spice_core.inference.conflicts import ConflictSearch
from spice_core.inference.lexicon import Lexicon
from spice_core.inference.premises import PremiseIndex
from spice_core.inference.prover import NearMiss, Proof, Prover, TupleIndex, places_of, sentences_of
from spice_core.inference.rules import InferenceRules
from spice_core.inference.slots import SlotSearch
from spice_core.inference.verdicts import Contradiction, Entailment, Relative, Verdicts
from spice_core.scene.graph import Element, SceneTuple
from spice_core.scene.matching import Match, MatchState

ACTION_RULE, NUMBER_RULE, PREDICATE_RULE = "action of a relation", "number of things", "predicate noun"


class Inference:
    """Comparison of two scene graphs by the inference rules of a language."""

    def __init__(self, rules: InferenceRules, lexicon: Lexicon):
        self._rules, self._lexicon = rules, lexicon
        self._premises = PremiseIndex(rules, lexicon)

    def near_misses(self, tuples: Iterable[SceneTuple], other_tuples: Sequence[SceneTuple]) -> dict[str, list[NearMiss]]:
        """Return, by tuple id, the rules that almost derive each tuple from the other side's tuples."""
        prover = Prover(TupleIndex(other_tuples), self._rules, self._lexicon, self._premises)
        return {tuple_.id: prover.near_misses(tuple_) for tuple_ in tuples}

    def verdicts(self, candidates: Sequence[SceneTuple], references: Sequence[SceneTuple], matches: Iterable[Match]) -> Verdicts:
        """Judge each unmatched tuple of either side against all tuples of the other side."""
        matched_ids = {tuple_.id for match in matches for tuple_ in (match.candidate, match.reference)}
        entailments: list[Entailment] = []
        contradictions: list[Contradiction] = []
        indices = TupleIndex(candidates), TupleIndex(references)
        negations = self._find_negations(*indices) | self._find_negations(*indices[::-1])
        for own_index, other_index in (indices, indices[::-1]):
            own_tuples = own_index.tuples
            unmatched_tuples = [tuple_ for tuple_ in own_tuples if tuple_.id not in matched_ids]
            if not unmatched_tuples:
                continue
            prover = Prover(other_index, self._rules, self._lexicon, self._premises)
            conflicts = ConflictSearch(own_index, other_index, self._rules, self._lexicon, prover)
            slots = SlotSearch(own_index, other_index, self._rules, self._lexicon)
            proofs = {tuple_.id: proof for tuple_ in unmatched_tuples if not tuple_.negated and (proof := prover.prove(tuple_))}
            for tuple_ in unmatched_tuples:
                if tuple_.id in negations:
                    contradictions.append(Contradiction(tuple_, negations[tuple_.id], "negated"))
                elif tuple_.negated:
                    continue
                elif (
                    proof := proofs.get(tuple_.id)
                    or _prove_action(tuple_, own_tuples, proofs)
                    or _prove_by_predicate_noun(tuple_, own_index, matched_ids, proofs, prover, self._lexicon)
                    or self._prove_number(tuple_, other_index)
                ):
                    entailments.append(Entailment(tuple_, proof))
                elif conflict := conflicts.find_contradiction(tuple_) or slots.find_contradiction(tuple_):
                    contradictions.append(conflict)
        judged_ids = matched_ids.union([each.tuple_.id for each in entailments], [each.tuple_.id for each in contradictions])
        narrower = {given.id: each.tuple_ for each in reversed(entailments) for given in each.proof.tuples}
        remaining = [[tuple_ for tuple_ in side if tuple_.id not in judged_ids] for side in (candidates, references)]
        relatives = (*self._find_relatives(remaining[0], references, narrower), *self._find_relatives(remaining[1], candidates, narrower))
        return Verdicts(tuple(entailments), tuple(contradictions), relatives, is_judged=True)

    def _find_relatives(
        self, tuples: Iterable[SceneTuple], other_tuples: Iterable[SceneTuple], narrower: Mapping[str, SceneTuple]
    ) -> Iterator[Relative]:
        """Yield the tuples that entail a tuple of the other side (by id in ``narrower``) or share its kind."""
        are_things_related, are_labels_related = self._lexicon.are_things_related, self._lexicon.are_labels_related
        others_by_shape: dict[tuple[int, bool], list[SceneTuple]] = {}
        for other in other_tuples:
            others_by_shape.setdefault((len(other.concepts), other.negated), []).append(other)
        with_related_subject: dict[tuple[Element, int, bool], list[SceneTuple]] = {}
        for tuple_ in tuples:
            key = tuple_.elements[0], len(tuple_.concepts), tuple_.negated
            words = tuple_.concepts[0].words
            if tuple_.id in narrower:
                yield Relative(tuple_, narrower[tuple_.id], MatchState.NARROWER)
                continue
            if key not in with_related_subject:
                others = others_by_shape.get(key[1:], ())
                with_related_subject[key] = [
                    other
                    for other in others
                    if tuple_.concepts[0].is_similar(other.concepts[0]) or are_things_related(words, other.concepts[0].words)
                ]
            for other in with_related_subject[key]:
                parts = zip(tuple_.concepts[1:], other.concepts[1:], (are_labels_related, are_things_related))
                if all(a.is_similar(b) or are_related(a.words, b.words) for a, b, are_related in parts):
                    yield Relative(tuple_, other, MatchState.SAME_KIND)
                    break

    def _find_negations(self, own_index: TupleIndex, other_index: TupleIndex) -> dict[str, SceneTuple]:
        """Return, by id, the negated tuples that the other side affirms and the affirming tuples, each with its opposite.

        The other side must name an affirmed participant alike and entail the rest that is said of it: another man may do what one does not.
        If a thing itself is denied, as in "there is no dog that runs and barks", the other side must affirm everything that is denied of it,
        and its own side nothing of the kind: "a man sings with no one watching" does not deny that there are persons.
        """
        negations: dict[str, SceneTuple] = {}
        negated_tuples = [tuple_ for tuple_ in own_index.tuples if tuple_.negated]
        if not negated_tuples:
            return negations
        prover = Prover(other_index, self._rules, self._lexicon, self._premises)
        proofs = {tuple_.id: prover.prove(tuple_) for tuple_ in negated_tuples}
        affirmed, entails = own_index.objects, self._lexicon.entails
        unclear = set[Element]()
        for tuple_ in negated_tuples:
            subject, name, proof = tuple_.elements[0], tuple_.concepts[0], proofs[tuple_.id]
            if subject not in affirmed:
                is_clear = bool(proof) and not any(entails(each.concept.words, name.words) for each in affirmed)
            else:
                is_named = proof and any(given.concepts[0].is_similar(name) for given in proof.tuples)
                is_clear = bool(is_named) and all(map(prover.prove, own_index.about(subject)))
            unclear |= set() if is_clear else {subject}
        for tuple_ in negated_tuples:
            if (proof := proofs[tuple_.id]) and tuple_.elements[0] not in unclear:
                affirming = [given for given in proof.tuples if len(given.concepts) >= len(tuple_.concepts)] or proof.tuples
                negations |= {tuple_.id: affirming[0], **{given.id: tuple_ for given in affirming}}
        return negations

    def _prove_number(self, tuple_: SceneTuple, index: TupleIndex) -> Proof | None:
        """Return a proof of a number, such as two persons where one sentence of the other side mentions a man and a woman, or None."""
        numbers = self._rules.words_of_class("number")
        if tuple_.kind != "attribute" or tuple_.concepts[1].words.isdisjoint(numbers):
            return None
        order = next((prop for word in sorted(tuple_.concepts[1].words & numbers) for prop, _ in self._rules.values_of.get(word, ())), ())
        concept, total, givens = tuple_.concepts[0], 0, list[SceneTuple]()
        for element, object_tuple in index.objects.items():
            if (
                object_tuple
                and element not in index.predicate_nouns
                and (concept.is_similar(element.concept) or self._lexicon.entails(element.concept.words, concept.words))
            ):
                stated = [each for each in index.attributes.get(element, ()) if self._rules.value(order, each.concepts[1].words)]
                if stated:
                    total += order.index(self._rules.value(order, stated[0].concepts[1].words)) + 1
                elif self._lexicon.is_plural(element):
                    return None
                else:
                    total += len(set(places_of(element, named=True)))
                givens += [object_tuple, *stated]
        if len(sentences_of(*(given.elements[0] for given in givens))) != 1 or tuple_.concepts[1].words.isdisjoint(
            order[total - 1] if 1 < total <= len(order) else ()
        ):
            return None
        return Proof(tuple_.words, NUMBER_RULE, premises=tuple(Proof(t.words, source_tuple=t) for t in givens), cost=1)


def _prove_action(tuple_: SceneTuple, own_tuples: Sequence[SceneTuple], proofs: Mapping[str, Proof]) -> Proof | None:
    """Derive an implied attribute from a proved relation: "someone holds" from "someone holds a ruler".

    Return None if the tuple is not an implied attribute or no proved relation has its verb.
    """
    if not tuple_.is_implied:
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
    return proof and Proof(tuple_.words, ACTION_RULE, premises=(proof,), cost=proof.cost + 1)


def _prove_by_predicate_noun(
    tuple_: SceneTuple, own_index: TupleIndex, matched_ids: Container[str], proofs: Mapping[str, Proof], prover: Prover, lexicon: Lexicon
) -> Proof | None:
    """Return a proof of a tuple about a predicate noun, or None.

    A tuple that only names the noun follows from the attribute that connects the noun to its subject. Any other tuple follows from
    the same tuple about the subject.
    """
    noun = tuple_.elements[0]
    subjects = own_index.predicate_nouns.get(noun, ())
    if lexicon.is_a(noun.concept.words, "animate"):  # "a dog house" does not mean that the house is a dog
        return None
    for given in (attribute for subject in subjects for attribute in own_index.attributes.get(subject, ())):
        if given.concepts[1].words.isdisjoint(noun.concept.words) or not (given.id in matched_ids or given.id in proofs):
            continue
        if len(tuple_.concepts) == 1:
            proof = proofs.get(given.id) or prover.prove(given)
        else:
            subject = given.elements[0]
            proof = prover.prove(SceneTuple((subject, *tuple_.elements[1:]), (subject.concept, *tuple_.concepts[1:])))
        if proof:
            return Proof(tuple_.words, PREDICATE_RULE, premises=(proof,), cost=proof.cost + 1)
    return None
