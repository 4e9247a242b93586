"""Words of a caption that are in no tuple, and the reason why."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from spice_core.lang.pack import LanguagePack
from spice_core.rules import RuleSet
from spice_core.rules.conditions import Condition, EdgeTest, Negation, Optional
from spice_core.scene.propositions import Parse
from spice_core.syntax.document import Dependency, Sentence, Token

FUNCTION_RELATIONS = frozenset("det aux case cc mark cop expl clf punct".split())  # UD relations of function words, without subtypes
_ENDING_RELATIONS = ("aux", "mark", "fixed")  # UD relations of endings
_RELINKED_RELATIONS = ("case", "fixed")  # enhanced relations of the words of a preposition such as "next to" or "on top of"
_REASON_BY_RELATION = {"frame": "frame", "denied": "negated"}  # reasons by the enhanced relation of a word


class UnusedWord(NamedTuple):
    """A word that is in no tuple.

    Attributes:
        token: The token, with its offsets in the caption.
        sentence: The index of the sentence.
        relation: The dependency relation of the word.
        reason: ``function`` for a determiner, auxiliary, case marker, conjunction or the like, or a verb such as "get" in
            "get ready"; ``pronoun``; ``frame`` for a remark on the picture or a guess; ``negated`` if the caption denies the
            word; ``unread`` if no rule reads relations of this kind; or ``content`` for any other word. For ``content``, the
            parse may be wrong, or some other condition of the rules fails.
        text: The token with the endings that follow it: 座って for the token 座っ.
    """

    token: Token
    sentence: int
    relation: str
    reason: str
    text: str


def find_unused_words(parse: Parse, pack: LanguagePack, rules: RuleSet | None = None) -> tuple[UnusedWord, ...]:
    """Return the words of a caption that are in no proposition, in order and without punctuation.

    Return an empty tuple for given propositions. Without ``rules``, no word is ``unread``.
    """
    used_tokens = {(parse.tree(p), token.index) for p in parse.propositions for part in p.tokens for token in part}
    sentences = parse.document.sentences if parse.document else ()
    is_read = _relation_predicate(rules) if rules else None
    return tuple(
        UnusedWord(
            token,
            sentence_index,
            relation,
            _unused_reason(sentence, token, relation, pack, is_read),
            extend_by_endings(sentence, token).text,
        )
        for sentence_index, sentence in enumerate(sentences)
        for token, relation in words_with_relations(sentence)
        if (sentence_index, token.index) not in used_tokens
    )


def words_with_relations(sentence: Sentence) -> Iterator[tuple[Token, str]]:
    """Yield the tokens except punctuation, with their relations from ``edges_by_token`` (``expl`` for the verb of "there is")."""
    edge_by_token = edges_by_token(sentence)
    existential_heads = {edge.head for edge in sentence.basic if edge.relation == "expl"}
    for token in sentence.tokens:
        relation = (
            "expl" if token.index in existential_heads else edge_by_token[token.index].relation if token.index in edge_by_token else ""
        )
        if any(map(str.isalnum, token.text)) and relation != "punct":
            yield token, relation


def edges_by_token(sentence: Sentence) -> dict[int, Dependency]:
    """Return the incoming basic edge of each token. The parts of a fixed expression share the edge of the expression.

    Multiword prepositions made by enhancement (next to, on top of) count as fixed expressions.
    """
    edge_by_token = {edge.dependent: edge for edge in sentence.basic}
    edge_by_token |= {edge.dependent: edge for edge in sentence.enhanced or () if edge.relation in _RELINKED_RELATIONS}
    out = {}
    for index, edge in edge_by_token.items():
        for _ in edge_by_token:  # bounded, in case the parts of an expression form a cycle
            if edge.relation == "fixed" and edge.head in edge_by_token:
                edge = edge_by_token[edge.head]
        out[index] = edge
    return out


def is_function_relation(relation: str) -> bool:
    """Return whether a word with this relation is a function word."""
    return relation.partition(":")[0] in FUNCTION_RELATIONS


def extend_by_endings(sentence: Sentence, token: Token) -> Token:
    """Return a token with the auxiliaries and conjunctive particles attached to it: 座って for 座っ."""
    endings = {
        edge.dependent for edge in sentence.basic if edge.head == token.index and edge.relation.partition(":")[0] in _ENDING_RELATIONS
    }
    for next_token in sentence.tokens[token.index :]:
        if not next_token.start == token.end >= 0 or next_token.index not in endings:
            break
        token = token._replace(text=token.text + next_token.text, end=next_token.end)
    return token


def _unused_reason(sentence: Sentence, token: Token, relation: str, pack: LanguagePack, is_read: Callable[[str], bool] | None) -> str:
    if is_function_relation(relation):
        return "function"
    if pack.word_class(token.tag) == "PRON":
        return "pronoun"
    edges = [edge for edge in sentence.edges if edge.dependent == token.index]
    for edge in edges:
        if is_function_relation(edge.relation) or edge.relation in _REASON_BY_RELATION:
            return _REASON_BY_RELATION.get(edge.relation, "function")
    if any(edge.head == token.index and edge.relation == "xcomp" for edge in sentence.edges):
        return "function"  # "gets ready", "seems to sleep"
    links = [edge.relation for edge in edges if edge.head]
    return "unread" if is_read and links and not any(map(is_read, links)) else "content"


def _relation_predicate(rules: RuleSet) -> Callable[[str], bool]:
    """Return a predicate that tells whether a rule needs an edge with a relation, or includes its dependent in a proposition."""
    conditions = [c for rule in rules.rules for condition in rule.pattern.conditions for c in _flatten_condition(condition)]
    labels = [c.label for c in conditions if isinstance(c, EdgeTest)]
    predicates = {name for rule in rules.rules for part in rule.template for _, name in part} | {r.phrase for r in rules.rules}
    return lambda relation: relation in predicates - {""} or any(label.match_text(relation) is not None for label in labels)


def _flatten_condition(condition: Condition) -> tuple[Condition, ...]:
    if isinstance(condition, Negation):
        return ()
    return condition.conditions if isinstance(condition, Optional) else (condition,)
