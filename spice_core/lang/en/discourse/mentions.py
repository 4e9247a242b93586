"""Mentions of a sentence: its nouns and coordinated nouns, with their kind (person, animal, thing), number and salience."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from spice_core.lang.en.grammar import base_relation, is_noun
from spice_core.lang.en.word_lists import FEMALE_NOUNS, FRAME_NOUNS, GROUP_NOUNS, MALE_NOUNS, PERSON_NOUNS
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Dependency, Sentence, Token

HE_PRONOUNS, SHE_PRONOUNS = frozenset("he him his himself".split()), frozenset("she her herself hers".split())
IT_PRONOUNS, THEY_PRONOUNS = frozenset("it its itself".split()), frozenset("they them their themselves theirs".split())
_PRONOUNS = HE_PRONOUNS | SHE_PRONOUNS | IT_PRONOUNS | THEY_PRONOUNS
_RANK_BY_RELATION = {"root": 0, "nsubj": 0, "csubj": 0, "obj": 1, "iobj": 1, "ccomp": 1, "parataxis": 1, "obl": 2, "advcl": 2, "xcomp": 2}
_MODIFIER_RANK = 3
_ANY_NOUN = "entity.n.01"
_MAX_RANK_DEPTH = 50  # maximum number of nouns between a noun and the noun whose role determines its rank
_NOUN_INTERNAL_RELATIONS = ("compound", "flat", "fixed", "case", "amod", "advmod")
_QUANTITY_NOUNS = frozenset(
    "group bunch lot number variety couple pair dozen few array series handful some all both several many most one".split()
)
_WEATHER_VERBS = frozenset("rain snow drizzle hail thunder pour sleet freeze storm".split())
_ANIMAL_NOUNS = frozenset(
    "cub calf pup puppy kitten duckling lamb labrador poodle retriever husky terrier".split()
)  # animals whose most frequent WordNet sense is not the animal
_COLLECTIVE_NOUNS = frozenset("herd flock group crowd team row line pile stack bunch collection school pack".split())
NounPosition = tuple[int, int]  # sentence number and index of the noun
GenderByNoun = dict[NounPosition, str]


class Mention(NamedTuple):
    """A noun, several coordinated nouns, or a word resolved to nouns: a possible antecedent."""

    heads: tuple[Token, ...]
    sentence: int  # number of the sentence of the heads
    index: int  # type: ignore[assignment]  # index of the mentioning word in its sentence
    rank: float
    kind: str  # he, she, person (he or she), thing or animal
    is_plural: bool  # several things, or a collective noun such as "crowd"
    is_single: bool  # one noun in the singular, which may be collective

    @property
    def key(self) -> NounPosition:
        """The position of the first noun."""
        return self.sentence, self.heads[0].index


def find_mentions(sentence: Sentence, sentence_index: int, genders: GenderByNoun) -> Iterator[Mention]:
    """Yield a mention for each noun, each coordination of nouns and each resolved word of a sentence."""
    graph = DependencyGraph(sentence.resolved_tokens, sentence.basic)
    antecedent_by_index = {a.index: a for a in sentence.antecedents}
    for token in graph.tokens:
        if not _is_mentioned(graph, token):
            continue
        rank = _salience_rank(graph, token.index)
        if antecedent := antecedent_by_index.get(token.index):
            yield _make_mention(antecedent.heads, antecedent.sentence, token.index, rank, genders)
            continue
        yield _make_mention((token,), sentence_index, token.index, rank, genders)
        conjuncts = [e.dependent for e in graph.children(token.index) if base_relation(e) == "conj" and is_noun(graph, e.dependent)]
        if conjuncts:
            heads = (token, *map(graph.token, conjuncts))
            yield _make_mention(heads, sentence_index, conjuncts[-1], rank - 0.1, genders)


def _is_mentioned(graph: DependencyGraph, token: Token) -> bool:
    """Return whether a word heads a noun phrase for something that the caption asserts to be present."""
    if not token.tag.startswith("NN") or base_relation(graph.incoming(token.index)) in _NOUN_INTERNAL_RELATIONS:
        return False
    is_denied = any(graph.word(e.dependent) in ("no", "without") for e in graph.children(token.index, "det", "case"))
    return not (is_denied or names_picture(graph, token.index) or _quantifies_noun(graph, token.index))


def _make_mention(heads: tuple[Token, ...], sentence_index: int, index: int, rank: float, genders: GenderByNoun) -> Mention:
    first_head = heads[0]
    kinds = {genders.get((sentence_index, h.index), "") or kind_of_noun(h.lemma) for h in heads}
    kind = kinds.pop() if len(kinds) == 1 else "person" if kinds <= {"he", "she", "person"} else "thing"
    is_group = len(heads) > 1 or first_head.tag in ("NNS", "NNPS") or first_head.lemma == "people"
    return Mention(heads, sentence_index, index, rank, kind, is_group or first_head.lemma in GROUP_NOUNS, not is_group)


def is_weather_subject(graph: DependencyGraph, pronoun: int) -> bool:
    """Return whether a pronoun is the expletive subject of a weather verb: "while it is raining"."""
    return graph.word(pronoun) == "it" and any(graph.lemma(verb) in _WEATHER_VERBS for verb in graph.heads_by(pronoun, "nsubj"))


@cache
def kind_of_noun(lemma: str) -> str:
    """Return the kind of a noun: ``he``, ``she``, ``person`` (either), ``animal`` or ``thing``."""
    if lemma in _ANIMAL_NOUNS:
        return "animal"
    if lemma in MALE_NOUNS or lemma in FEMALE_NOUNS:
        return "he" if lemma in MALE_NOUNS else "she"
    if lemma in PERSON_NOUNS or lemma in GROUP_NOUNS:
        return "person"
    if lemma.endswith(("man", "woman")) and lemma not in ("human", "snowman"):
        return "she" if lemma.endswith("woman") else "he"
    return _wordnet_kind(lemma)


def _wordnet_kind(lemma: str) -> str:
    """Return the kind of a noun by its most frequent sense, or by its ending if WordNet lacks it."""
    from spice_core.lang.en.wordnet.database import ranked_wordnet

    names = ranked_wordnet().noun_kinds(lemma, (_ANY_NOUN, "person.n.01", "animal.n.01"))
    is_agent = not names and lemma.endswith(("er", "or", "ist", "eer"))
    return "person" if is_agent or "person.n.01" in names else "animal" if "animal.n.01" in names else "thing"


def names_picture(graph: DependencyGraph, index: int) -> bool:
    """Return whether a noun refers to the captioned picture rather than to a picture shown in it."""
    if graph.lemma(index) not in FRAME_NOUNS or graph.tag(index) != "NN":
        return False
    determiners = graph.children(index, "det")
    return not determiners or graph.lemma(determiners[-1].dependent) in ("the", "this") or graph.has_child(index, "cop")


def _quantifies_noun(graph: DependencyGraph, index: int) -> bool:
    """Return whether a noun only quantifies the noun after its "of": "a group of people"."""
    is_quantity = graph.lemma(index) in _QUANTITY_NOUNS or graph.tag(index) == "CD"
    return is_quantity and any(_has_of_phrase(graph, e.dependent) for e in graph.children(index, "nmod"))


def _has_of_phrase(graph: DependencyGraph, noun: int) -> bool:
    return any(graph.word(e.dependent) == "of" for e in graph.children(noun, "case"))


def _salience_rank(graph: DependencyGraph, index: int, depth: int = 0) -> float:
    """Return the rank of a noun by its role, from about 0 for subjects (the most salient) to 3 for modifiers, or more in nested phrases.

    A noun after "the picture shows" ranks as a subject.
    """
    edge = graph.incoming(index)
    if edge is None or not edge.head or depth > _MAX_RANK_DEPTH:
        return 0.0
    role = base_relation(edge)
    if role in ("conj", "appos", "nmod"):
        return _salience_rank_in_phrase(graph, edge, role, depth + 1)
    if role == "obj" and any(names_picture(graph, s.dependent) for s in graph.children(edge.head) if base_relation(s) == "nsubj"):
        return 0.0
    clause = base_relation(graph.incoming(edge.head))
    if clause in ("acl", "advcl") and role == "nsubj":
        return _RANK_BY_RELATION[role] + 0.5
    return _RANK_BY_RELATION.get(role, _MODIFIER_RANK) + (1.0 if clause == "acl" else 0.0)


def _salience_rank_in_phrase(graph: DependencyGraph, edge: Dependency, role: str, depth: int) -> float:
    """Return the rank of a noun that depends on another noun."""
    head_rank = _salience_rank(graph, edge.head, depth)
    if role != "nmod":
        return head_rank + (0.01 if role == "conj" else 0.5)
    if edge.relation == "nmod:poss":
        owner_offset = 0.2 if kind_of_noun(graph.lemma(edge.head)) != "thing" else -0.2
        return head_rank + owner_offset - 0.05 * (graph.word(edge.dependent) in _PRONOUNS)
    if graph.lemma(edge.head) in _COLLECTIVE_NOUNS and _has_of_phrase(graph, edge.dependent):
        return head_rank - 0.05
    if names_picture(graph, edge.head) or _quantifies_noun(graph, edge.head):
        return head_rank
    return max(float(_MODIFIER_RANK), head_rank + 1)


_MEMBER_WORDS = frozenset("one other another others some first second third".split())
_MODIFIER_RELATIONS = ("nummod", "amod", "det")


def find_member_word(sentence: Sentence, words: Sequence[Token], predicate: Sequence[Token]) -> str:
    """Return the word that distinguishes a member of a group ("one", "other"), or "".

    ``words`` name the object. ``predicate`` is the predicate whose subject is the object, or empty if there is none.
    """
    indexes = {token.index for token in words}
    subjects = {e.dependent for e in sentence.basic if e.relation.startswith("nsubj") and e.head in {t.index for t in predicate}}
    # In "another is holding a ball", the words are the antecedent of "another", so only the subject identifies the member.
    heads = indexes if subjects <= indexes else subjects
    modifiers = {e.dependent for e in sentence.basic if e.head in heads and e.relation.startswith(_MODIFIER_RELATIONS)}
    names = (sentence.tokens[index - 1].text.lower() for index in (*sorted(heads), *sorted(modifiers)))
    return next((name for name in names if name in _MEMBER_WORDS), "")
