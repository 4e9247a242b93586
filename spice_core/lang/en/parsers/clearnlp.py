"""Conversion of ClearNLP-style trees (the labels of spaCy's en_core_web pipelines) to UD v2.

label                     UD v2
nsubjpass, csubjpass      nsubj:pass, csubj:pass
auxpass                   aux:pass
dobj, dative              obj, iobj (dative with its own object: obl)
prep + pobj, agent + pobj nmod/obl with the preposition as case (agent: obl)
attr, acomp under "be"    the word itself becomes the head, "be" its cop
attr, acomp elsewhere     xcomp
poss, prt, relcl          nmod:poss, compound:prt, acl:relcl
nn, npadvmod, neg         compound, obl:npmod, advmod
predet, preconj, quantmod det:predet, cc:preconj, advmod
oprd, pcomp               xcomp, advcl
intj, meta                discourse, dep
cc                        moved to the next conjunct
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from spice_core.syntax.document import Dependency, Token

if TYPE_CHECKING:
    from spacy.language import Language

_UNIVERSAL_LABELS = {
    "nsubjpass": "nsubj:pass", "csubjpass": "csubj:pass", "auxpass": "aux:pass", "dobj": "obj", "dative": "iobj",
    "poss": "nmod:poss", "prt": "compound:prt", "relcl": "acl:relcl", "nn": "compound", "npadvmod": "obl:npmod",
    "neg": "advmod", "predet": "det:predet", "preconj": "cc:preconj", "quantmod": "advmod", "oprd": "xcomp",
    "pcomp": "advcl", "intj": "discourse", "meta": "dep", "attr": "xcomp", "acomp": "xcomp",
}  # fmt: skip
_PREPOSITION_LABELS = ("prep", "agent", "dative")


def is_clear_style(nlp: Language) -> bool:
    """Return whether the pipeline's parser uses ClearNLP-style labels."""
    return "parser" in nlp.pipe_names and "pobj" in nlp.pipe_labels["parser"]


def to_universal(tokens: tuple[Token, ...], edges: tuple[Dependency, ...]) -> tuple[Dependency, ...]:
    """Return the tree with UD v2 labels and heads: prepositions and copulas depend on content words."""
    edge_by_word = {e.dependent: e for e in edges}
    _convert_conjunctions(edge_by_word)
    for edge in edges:
        if edge.relation == "pobj" and edge_by_word[edge.head].relation in _PREPOSITION_LABELS:
            governor = edge_by_word[edge.head].head
            base = "obl" if governor and tokens[governor - 1].tag[:1] in "VJR" else "nmod"
            edge_by_word[edge.dependent] = Dependency(governor, edge.dependent, base)
            edge_by_word[edge.head] = Dependency(edge.dependent, edge.head, "case")
    for edge in edges:
        if edge.relation in ("attr", "acomp") and tokens[edge.head - 1].lemma == "be":
            _convert_copula(edge_by_word, edge.head, edge.dependent)
    return tuple(e._replace(relation=_UNIVERSAL_LABELS.get(e.relation, e.relation)) for _, e in sorted(edge_by_word.items()))


def _convert_conjunctions(edge_by_word: dict[int, Dependency]) -> None:
    for edge in list(edge_by_word.values()):
        if edge.relation == "cc":
            later_conjuncts = [
                c.dependent for c in edge_by_word.values() if c.relation == "conj" and c.head == edge.head and c.dependent > edge.dependent
            ]
            edge_by_word[edge.dependent] = edge._replace(head=min(later_conjuncts, default=edge.head))


def _convert_copula(edge_by_word: dict[int, Dependency], verb: int, predicate: int) -> None:
    """Make the predicate the head in place of the verb, move the verb's dependents to the predicate, and make the verb its copula."""
    for edge in list(edge_by_word.values()):
        if edge.head == verb and edge.dependent != predicate:
            edge_by_word[edge.dependent] = edge._replace(head=predicate)
    edge_by_word[predicate] = edge_by_word[verb]._replace(dependent=predicate)
    edge_by_word[verb] = Dependency(predicate, verb, "cop")
