"""Resolution of pronouns, and of words such as "one" and "the other", in the second and later sentences of a caption.

The steps are code, because the edits of rule files see one sentence.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from spice_core.lang.en.discourse.mentions import (
    HE_PRONOUNS,
    IT_PRONOUNS,
    SHE_PRONOUNS,
    THEY_PRONOUNS,
    GenderByNoun,
    Mention,
    NounPosition,
    find_mentions,
    names_picture,
)
from spice_core.lang.en.grammar import base_relation
from spice_core.lang.en.word_lists import GROUP_NOUNS
from spice_core.lang.enhancement import Sentences
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Antecedent, Token

_MEMBER_WORDS = frozenset("one ones another other others both some each all neither none several most many half".split())
_SUBJECT_ONLY_MEMBERS = frozenset("some all both each several most many half none neither".split())
_MEMBER_ROLES = ("nsubj", "obj", "obl", "nmod", "conj", "root")
_MAX_SENTENCES_BACK = {"he": 8, "she": 8, "it": 2, "they": 3}
_PRONOUN_SORTS = {
    word: sort
    for sort, words in (("he", HE_PRONOUNS), ("she", SHE_PRONOUNS), ("it", IT_PRONOUNS), ("they", THEY_PRONOUNS))
    for word in words
}
_WINDOW_SENTENCES = max(_MAX_SENTENCES_BACK.values())
_MEMBER_SENTENCES_BACK = 3
_PHRASE_RELATIONS = ("nmod", "amod", "compound", "case", "det", "nummod", "conj", "appos", "flat")
_ACTION_VERBS = frozenset(
    "wear hold look smile walk talk laugh run ride watch play carry eat drink chat pose dance sing stare gaze".split()
)
_SEEM_WORDS = ("seem", "appear", "look", "clear", "possible", "likely")
_WEATHER_WORDS = frozenset(
    "rain snow drizzle hail thunder pour sunny cloudy rainy snowy windy foggy overcast "
    "day night morning noon afternoon evening dusk dawn daytime nighttime sunset sunrise spring summer autumn winter weather".split()
)


class _Context(NamedTuple):
    """A sentence with the mentions that may be antecedents of its words."""

    graph: DependencyGraph
    antecedents: tuple[Antecedent, ...]  # of words of this sentence
    mentions: list[list[Mention]]  # by sentence, up to this sentence
    genders: GenderByNoun


def resolve_pronouns_across_sentences(sentences: Sentences) -> Sentences:
    """Resolve the pronouns of the second and later sentences by number, gender, role and recency.

    Only a possessive, a reflexive or a pronoun in the object of "have" can refer to the subject of its own clause.
    """
    return _resolve_tokens(sentences, _find_pronoun_antecedent, lambda token: token.tag.startswith("PRP"))


def resolve_members_across_sentences(sentences: Sentences) -> Sentences:
    """Resolve "one", "the other", "some" and the like to a group in an earlier sentence."""
    return _resolve_tokens(sentences, _find_group, lambda token: token.tag == "CD" or token.text.lower() in _MEMBER_WORDS)


def _resolve_tokens(
    sentences: Sentences, resolver: Callable[[_Context, Token], Mention | None], is_candidate: Callable[[Token], bool]
) -> Sentences:
    """Return the sentences with the antecedents that the resolver finds for the candidate words of all but the first sentence."""
    if not any(is_candidate(token) for sentence in sentences[1:] for token in sentence.tokens):
        return sentences
    earlier_mentions: list[list[Mention]] = []
    genders: GenderByNoun = {}
    out = []
    for sentence_index, sentence in enumerate(sentences):
        sentence_mentions = list(find_mentions(sentence, sentence_index, genders))
        graph = DependencyGraph(sentence.tokens, sentence.basic)
        for token in filter(is_candidate, sentence.tokens if sentence_index else ()):
            if any(a.index == token.index for a in sentence.antecedents):
                continue
            if mention := resolver(_Context(graph, sentence.antecedents, [*earlier_mentions, sentence_mentions], genders), token):
                antecedent = Antecedent(token.index, mention.sentence, mention.heads)
                sentence = replace(sentence, antecedents=(*sentence.antecedents, antecedent))
                sentence_mentions = list(find_mentions(sentence, sentence_index, genders))
        out.append(sentence)
        earlier_mentions = [*earlier_mentions[1 - _WINDOW_SENTENCES :], sentence_mentions]
    return tuple(out)


# --- pronouns --------------------------------------------------------------------------------------------------------


def _find_pronoun_antecedent(context: _Context, token: Token) -> Mention | None:
    """Return the antecedent of a pronoun, or None.

    The antecedent is the subject of the pronoun's clause, an earlier noun of the sentence, or a noun of the nearest earlier
    sentence with an agreeing noun.
    """
    graph, word = context.graph, token.text.lower()
    pronoun_sort = _PRONOUN_SORTS.get(word, "")
    if not pronoun_sort or not token.tag.startswith("PRP") or (pronoun_sort == "it" and _is_expletive(graph, token.index)):
        return None
    is_reflexive = word.endswith(("self", "selves"))
    subjects = _nearest_clause_subjects(graph, token.index)
    if token.tag == "PRP$" or is_reflexive or _is_in_object_of_have(graph, token.index):
        subject = _find_agreeing_subject(context, subjects, pronoun_sort)
        if subject or is_reflexive:
            return _record_gender(subject, pronoun_sort, context.genders)
    excluded_indices = _governing_nouns(graph, token.index) | (set() if token.tag == "PRP$" else subjects)
    return _find_earlier_noun(context, token.index, pronoun_sort, excluded_indices)


def _find_agreeing_subject(context: _Context, subjects: set[int], pronoun_sort: str) -> Mention | None:
    """Return the first of these subjects to which a pronoun may refer."""
    subject_mentions = (m for m in context.mentions[-1] if m.index in subjects)
    return next(
        (m for m in subject_mentions if _agrees_with_pronoun(m, pronoun_sort) or (pronoun_sort == "they" and _may_be_singular_they(m))),
        None,
    )


def _find_earlier_noun(context: _Context, pronoun: int, pronoun_sort: str, excluded_indices: set[int]) -> Mention | None:
    """Return the most salient mention that agrees, before the pronoun or in the nearest earlier sentence that has such a mention.

    Return None if several mentions are equally likely.
    """
    here = context.mentions[-1]
    excluded_keys = {m.key for m in here if m.index in excluded_indices}
    is_actor = pronoun_sort == "they" and _is_subject_of_action(context.graph, pronoun)
    preceding_mentions = [m for m in here if m.index < pronoun]
    for sentence_mentions in [preceding_mentions, *context.mentions[-2 : -2 - _MAX_SENTENCES_BACK[pronoun_sort] : -1]]:
        if agreeing := _agreeing_mentions([m for m in sentence_mentions if m.key not in excluded_keys], pronoun_sort, is_acting=is_actor):
            return None if _is_ambiguous(agreeing, pronoun_sort) else _record_gender(agreeing[0], pronoun_sort, context.genders)
    return None


def _agreeing_mentions(sentence_mentions: list[Mention], pronoun_sort: str, *, is_acting: bool) -> list[Mention]:
    """Return the mentions that agree with a pronoun, the most salient first.

    If no mention agrees with "they", return the first person of unknown gender that is as salient as a subject.
    """
    agreeing = [m for m in sentence_mentions if _agrees_with_pronoun(m, pronoun_sort) and not (is_acting and m.kind == "thing")]
    if agreeing or pronoun_sort != "they":
        return sorted(agreeing, key=lambda m: (m.rank, m.index))
    return [m for m in sentence_mentions if m.rank < 1 and _may_be_singular_they(m)][:1]


def _record_gender(mention: Mention | None, pronoun_sort: str, genders: dict[NounPosition, str]) -> Mention | None:
    """Record the gender that a pronoun implies for its antecedent, a mention of a single noun. Return the mention."""
    if mention and len(mention.heads) == 1 and (pronoun_sort in ("he", "she") or (pronoun_sort == "it" and mention.kind == "person")):
        genders[mention.key] = "animal" if pronoun_sort == "it" else pronoun_sort
    return mention


def _agrees_with_pronoun(mention: Mention, pronoun_sort: str) -> bool:
    if pronoun_sort == "they":
        return mention.is_plural
    if pronoun_sort == "it":
        return mention.is_single and (mention.kind in ("thing", "animal") or mention.heads[0].lemma in ("child", "baby"))
    return mention.is_single and mention.heads[0].lemma not in GROUP_NOUNS and mention.kind in (pronoun_sort, "person")


def _may_be_singular_they(mention: Mention) -> bool:
    """Return whether a mention is a single person of unknown gender, to whom "they" may refer."""
    return mention.is_single and mention.kind == "person"


def _is_ambiguous(candidates: list[Mention], pronoun_sort: str) -> bool:
    """Return whether "he" or "she" could refer to either of the first two candidates, which have the same kind and similar salience."""
    if pronoun_sort not in ("he", "she") or len(candidates) < 2:
        return False
    first, second = candidates[:2]
    return first.kind == second.kind and abs(first.rank - second.rank) < 0.05 and first.key != second.key


def _is_subject_of_action(graph: DependencyGraph, pronoun: int) -> bool:
    """Return whether a pronoun is the subject of an action that only people and animals perform."""
    verb = graph.head(pronoun, "nsubj")
    return graph.lemma(verb) in _ACTION_VERBS and not graph.has_child(verb, "xcomp")  # not "they look heavy"


def _is_in_object_of_have(graph: DependencyGraph, pronoun: int) -> bool:
    """Return whether a pronoun is within the object of "have" and so may refer to the subject, as in "has a hat on it"."""
    if not graph.has_child(pronoun, "case"):
        return False
    while (
        (e := graph.incoming(pronoun))
        and base_relation(e) in ("nmod", "obl", "obj")
        and graph.lemma(graph.last_child(pronoun, "case")) != "with"
    ):
        pronoun = e.head
    return graph.lemma(pronoun) == "have"


def _is_expletive(graph: DependencyGraph, pronoun: int) -> bool:
    """Return whether "it" has no antecedent: "it is raining", "it is night", "it is a scene", "it seems that"."""
    edge = next(iter(graph.parents(pronoun)), None)
    if edge is None or not edge.head or base_relation(edge) != "nsubj":
        return False
    lemma = graph.lemma(edge.head)
    is_clause_of_seem = lemma in _SEEM_WORDS and graph.has_child(edge.head, "ccomp", "csubj")
    return is_clause_of_seem or lemma in _WEATHER_WORDS or names_picture(graph, edge.head)


def _nearest_clause_subjects(graph: DependencyGraph, pronoun: int) -> set[int]:
    """Return the subjects of the nearest clause around a pronoun that has a subject other than the pronoun.

    A noun counts as the subject of its participle. Return an empty set if the only subject contains the pronoun.
    """
    index, seen = pronoun, set[int]()
    while index not in seen and (edge := graph.incoming(index)):
        seen.add(index)
        subjects = {s.dependent for word in (pronoun, edge.head) for s in graph.children(word) if base_relation(s) == "nsubj"} - {pronoun}
        if edge.relation.startswith("nsubj") and index in subjects:
            subjects.discard(index)  # The pronoun is within the subject.
            if not subjects and index != pronoun:
                return set()
        if subjects:
            return subjects
        if base_relation(edge) == "acl" and edge.relation != "acl:relcl":
            return {edge.head}
        index = edge.head
    return set()


def _governing_nouns(graph: DependencyGraph, pronoun: int) -> set[int]:
    out, index = set[int](), pronoun
    while (e := graph.incoming(index)) and base_relation(e) in _PHRASE_RELATIONS and e.head not in out:
        index = e.head
        out.add(index)
    return out


# --- members ---------------------------------------------------------------------------------------------------------


def _find_group(context: _Context, token: Token) -> Mention | None:
    """Return the group that contains the referent of "one", "the other", "some" or a bare number, or None.

    If an earlier word of the sentence belongs to a group, the group is the same. Otherwise, the group is the most salient plural
    noun of the nearest earlier sentence that has one, unless a plural noun precedes the word in its own sentence.
    """
    if not _may_name_member(context.graph, token) or _needs_no_antecedent(context.graph, token.index):
        return None
    sentence_mentions = context.mentions[-1]
    resolved_indices = {a.index for a in context.antecedents if context.graph.word(a.index) in _MEMBER_WORDS}
    if resolved_mention := next((m for m in sentence_mentions if m.index in resolved_indices), None):
        return resolved_mention
    if any(m.index < token.index for m in _groups(sentence_mentions)):
        return None  # The step "members" resolves such words.
    earlier_groups = map(_groups, context.mentions[-2 : -2 - _MEMBER_SENTENCES_BACK : -1])
    nearest = next(filter(None, earlier_groups), [])
    return min(nearest, key=lambda m: (m.rank, m.index), default=None)


def _groups(sentence_mentions: list[Mention]) -> list[Mention]:
    """Return the mentions that consist of a single noun that is plural or collective."""
    return [m for m in sentence_mentions if m.is_plural and len(m.heads) == 1]


def _may_name_member(graph: DependencyGraph, token: Token) -> bool:
    """Return whether a word can refer to members of a group, given its syntactic role."""
    word, e = token.text.lower(), next(iter(graph.parents(token.index)), None)
    role = base_relation(e)
    if role not in _MEMBER_ROLES or (e is not None and e.relation == "nmod:poss"):
        return False
    if word not in _MEMBER_WORDS:
        return token.tag == "CD" and role == "nsubj"
    if word in ("other", "others"):
        return (word == "others" and role == "nsubj") or any(graph.lemma(d.dependent) == "the" for d in graph.children(token.index))
    return role == "nsubj" or word not in _SUBJECT_ONLY_MEMBERS


def _needs_no_antecedent(graph: DependencyGraph, index: int) -> bool:
    """Return whether a word needs no antecedent because it has an "of" phrase, a copula, a subject or a fixed second word."""
    if index < len(graph.tokens) and graph.word(index + 1) == "of":
        return True
    return graph.has_child(index, "cop", "fixed", "nsubj")
