"""Japanese structure above the word level: bunsetsu, and predicates with their case-marked arguments."""

from __future__ import annotations

from spice_core.lang.ja.trees import FUNCTION_RELATIONS
from spice_core.lang.pack import Argument, Structure
from spice_core.syntax.document import Dependency, Sentence, Token

_LEADING_RELATIONS = frozenset(("compound", "nummod"))  # relations of words in one bunsetsu with the next noun
_PARTICLE_BY_RELATION = {"nsubj": "が", "obj": "を", "iobj": "に"}


def sentence_structure(sentence: Sentence) -> Structure:
    """Return the bunsetsu of a sentence and the arguments of its predicates."""
    return Structure(tuple(map(tuple, _split_into_bunsetsu(sentence))), tuple(_find_arguments(sentence)))


def _split_into_bunsetsu(sentence: Sentence) -> list[list[Token]]:
    """Split the tokens into bunsetsu: content words, each with the compound parts before it and the function words after it."""
    edge_by_dependent = {e.dependent: e for e in sentence.basic}
    groups: list[list[Token]] = []
    for token in sentence.tokens:
        relation, previous_edge = edge_by_dependent[token.index].relation, edge_by_dependent.get(token.index - 1)
        is_in_phrase = previous_edge is not None and previous_edge.relation in _LEADING_RELATIONS and previous_edge.head >= token.index
        if groups and (relation.partition(":")[0] in FUNCTION_RELATIONS or is_in_phrase):
            groups[-1].append(token)
        else:
            groups.append([token])
    return groups


def _find_arguments(sentence: Sentence) -> list[Argument]:
    """Return the arguments of each predicate with their cases, from the enhanced graph."""
    edges = sentence.edges
    basic_pairs = {(e.head, e.dependent) for e in sentence.basic}
    edges_and_cases = ((e, _case_of(e.relation)) for e in sorted(edges))
    return [
        Argument(
            _compound_text(sentence, edges, e.head, lemma=True),
            case,
            _compound_text(sentence, edges, e.dependent),
            (e.head, e.dependent) in basic_pairs,
        )
        for e, case in edges_and_cases
        if case and e.head
    ]


def _case_of(relation: str) -> str:
    """Return the case of a relation: a particle, the name of a deep case, or "" if the relation marks no argument."""
    kind, _, particle = relation.partition(":")
    return particle if kind == "obl" else _PARTICLE_BY_RELATION.get(kind, "")


def _compound_text(sentence: Sentence, edges: tuple[Dependency, ...], index: int, *, lemma: bool = False) -> str:
    """Return the text or lemma of a word, preceded by its compound parts."""
    parts = sorted(e.dependent for e in edges if e.head == index and e.relation == "compound" and e.dependent < index)
    word = sentence.tokens[index - 1]
    return "".join([*(sentence.tokens[i - 1].text for i in parts), word.lemma if lemma else word.text])
