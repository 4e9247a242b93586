"""Predicate nouns: in "the case is a box", whatever a graph says about the box also holds for the case."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from functools import cached_property

from spice_core.inference.lexicon import Lexicon
from spice_core.inference.prover import Proof, Prover, find_predicate_nouns
from spice_core.scene.graph import Element, SceneTuple

PREDICATE_RULE = "predicate noun"


class PredicateNounSearch:
    """Search for proofs of tuples about predicate nouns of one graph.

    ``matched_ids`` holds the ids of the graph's matched tuples, and ``proofs`` the proofs of its unmatched tuples, by id.
    """

    def __init__(
        self, own_tuples: Sequence[SceneTuple], matched_ids: Container[str], proofs: Mapping[str, Proof], prover: Prover, lexicon: Lexicon
    ):
        self._own_tuples, self._matched, self._proofs, self._prover, self._lexicon = own_tuples, matched_ids, proofs, prover, lexicon

    def prove(self, tuple_: SceneTuple) -> Proof | None:
        """Return a proof of a tuple about a predicate noun, or None.

        A tuple that only names the noun follows from the attribute that connects the noun to its subject. Any other tuple follows from
        the same tuple about the subject.
        """
        noun = tuple_.elements[0]
        for given_tuple in self._attributes_by_noun.get(noun, ()):
            if given_tuple.id not in self._matched and given_tuple.id not in self._proofs:
                continue
            if self._lexicon.is_a(noun.concept.words, "animate"):  # "a dog house" does not mean that the house is a dog
                continue
            if len(tuple_.concepts) == 1:
                proof = self._proofs.get(given_tuple.id) or self._prover.prove(given_tuple)
            else:
                subject = given_tuple.elements[0]
                proof = self._prover.prove(SceneTuple((subject, *tuple_.elements[1:]), (subject.concept, *tuple_.concepts[1:])))
            if proof:
                return Proof(tuple_.words, PREDICATE_RULE, premises=(proof,), cost=proof.cost + 1)
        return None

    @cached_property
    def _attributes_by_noun(self) -> Mapping[Element, list[SceneTuple]]:
        """The attributes that connect a predicate noun to its subjects, by noun."""
        attributes = [tuple_ for tuple_ in self._own_tuples if tuple_.kind == "attribute"]
        objects = [tuple_.elements[0] for tuple_ in self._own_tuples if tuple_.kind == "object"]
        return {
            noun: [
                attribute
                for attribute in attributes
                if attribute.elements[0] in subjects and not attribute.concepts[1].words.isdisjoint(noun.concept.words)
            ]
            for noun, subjects in find_predicate_nouns(objects, attributes).items()
        }
