"""Discourse: pronouns, and members of groups, whose noun stands in an earlier sentence of the caption."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from spice_core.lang.en.word_lists import FEMALE, FRAMES, GROUPS, MALE, PEOPLE
from spice_core.syntax.document import Antecedent, Dependency, Sentence, Token
from spice_core.syntax.enhancement import Edges, Sentences, Tokens

_HE, _SHE = frozenset("he him his himself".split()), frozenset("she her herself hers".split())
_IT, _THEY = frozenset("it its itself".split()), frozenset("they them their themselves theirs".split())
_MEMBERS = frozenset("one ones another other others both some each all neither none several most many half".split())
_RANKS = {"root": 0, "nsubj": 0, "csubj": 0, "obj": 1, "iobj": 1, "ccomp": 1, "parataxis": 1, "obl": 2, "advcl": 2, "xcomp": 2}
_DEEPEST = 50  # words up to a role
_LOWEST = 3  # rank of modifiers
_WINDOW = {"he": 8, "she": 8, "it": 2, "they": 3}  # sentences to go back
_FURTHEST = max(_WINDOW.values())
_PHRASES = ("nmod", "amod", "compound", "case", "det", "nummod", "conj", "appos", "flat")
_INSIDE = ("compound", "flat", "fixed", "case", "amod", "advmod")
_QUANTITIES = frozenset(
    "group bunch lot number variety couple pair dozen few array series handful some all both several many most one".split()
)
_ANIMALS = frozenset("cub calf pup puppy kitten duckling lamb labrador poodle retriever husky terrier".split())  # other senses come first
_ACTIONS = frozenset("wear hold look smile walk talk laugh run ride watch play carry eat drink chat pose dance sing stare gaze".split())
_COLLECTIVES = frozenset("herd flock group crowd team row line pile stack bunch collection school pack".split())
_WEATHER = frozenset(
    "rain snow drizzle hail thunder pour sunny cloudy rainy snowy windy foggy overcast "
    "day night morning noon afternoon evening dusk dawn daytime nighttime sunset sunrise spring summer autumn winter weather".split()
)


class _Mention(NamedTuple):
    """A noun, or a word that is resolved to one: its heads, what they are, its rank in the sentence, its place."""

    heads: tuple[Token, ...]
    sentence: int  # of the heads
    index: int  # type: ignore[assignment]  # of the word in its own sentence
    rank: float
    kind: str  # he, she, person (he or she), thing, animal
    plural: bool
    single: bool

    @property
    def key(self) -> tuple[int, int]:
        return self.sentence, self.heads[0].index


def pronouns_across_sentences(sentences: Sentences) -> Sentences:
    """Resolve the pronouns of later sentences by number, gender, role and recency, never to the subject of their own clause."""
    return _resolve(sentences, _pronoun, lambda token: token.tag.startswith("PRP"))


def members_named_before(sentences: Sentences) -> Sentences:
    """Resolve "one", "the other", "some" and the like where their own sentence names no group."""
    return _resolve(sentences, _member, lambda token: token.tag == "CD" or token.text.lower() in _MEMBERS)


_Resolver = Callable[[Sentence, Token, "list[list[_Mention]]", "dict[tuple[int, int], str]"], "_Mention | None"]


def _resolve(sentences: Sentences, resolver: _Resolver, is_candidate: Callable[[Token], bool]) -> Sentences:
    """The sentences, from the second, with the antecedents that the resolver names."""
    if not any(is_candidate(token) for sentence in sentences[1:] for token in sentence.tokens):
        return sentences
    earlier: list[list[_Mention]] = []
    genders: dict[tuple[int, int], str] = {}
    out = []
    for number, sentence in enumerate(sentences):
        here = list(_mentions(sentence, number, genders))
        for token in filter(is_candidate, sentence.tokens if number else ()):
            if any(a.index == token.index for a in sentence.antecedents):
                continue
            if meant := resolver(sentence, token, [*earlier, here], genders):
                antecedent = Antecedent(token.index, meant.sentence, meant.heads)
                sentence = replace(sentence, antecedents=(*sentence.antecedents, antecedent))
                here = list(_mentions(sentence, number, genders))
        out.append(sentence)
        earlier = [*earlier[1 - _FURTHEST :], here]
    return tuple(out)


# --- mentions --------------------------------------------------------------------------------------------------------


def _mentions(sentence: Sentence, number: int, genders: dict[tuple[int, int], str]) -> Iterator[_Mention]:
    """The nouns of a sentence and what its pronouns refer to, with groups of conjuncts."""
    tokens, edges = sentence.resolved, sentence.basic
    above = {e.dependent: e for e in edges}
    resolved = {a.index: a for a in sentence.antecedents}
    denied = _denied(tokens, edges)
    for token in tokens:
        if not token.tag.startswith("NN") or _base(above.get(token.index)) in _INSIDE or token.index in denied:
            continue
        if _is_frame(token, tokens, edges) or _counts_another(token, tokens, edges):
            continue
        rank = _rank(token.index, tokens, above, edges)
        if antecedent := resolved.get(token.index):
            yield _mention(antecedent.heads, antecedent.sentence, token.index, rank, genders)
            continue
        yield _mention((token,), number, token.index, rank, genders)
        conjuncts = [
            e.dependent for e in edges if e.head == token.index and _base(e) == "conj" and tokens[e.dependent - 1].tag.startswith("NN")
        ]
        if conjuncts:
            heads = (token, *(tokens[i - 1] for i in conjuncts))
            yield _mention(heads, number, conjuncts[-1], rank - 0.1, genders)


def _mention(heads: tuple[Token, ...], number: int, index: int, rank: float, genders: dict[tuple[int, int], str]) -> _Mention:
    first = heads[0]
    kinds = {genders.get((number, h.index), "") or kind(h.lemma) for h in heads}
    one = kinds.pop() if len(kinds) == 1 else "person" if kinds <= {"he", "she", "person"} else "thing"
    group = len(heads) > 1 or first.tag in ("NNS", "NNPS") or first.lemma == "people"
    return _Mention(heads, number, index, rank, one, group or first.lemma in GROUPS, not group)


@cache
def kind(lemma: str) -> str:
    """What a noun names: ``he``, ``she``, ``person`` (either), ``animal`` or ``thing``."""
    if lemma in _ANIMALS:
        return "animal"
    if lemma in MALE or lemma in FEMALE:
        return "he" if lemma in MALE else "she"
    if lemma in PEOPLE or lemma in GROUPS or (lemma.endswith(("man", "woman")) and lemma not in ("human", "snowman")):
        ending = "she" if lemma.endswith("woman") else "he" if lemma.endswith("man") else "person"
        return ending if lemma not in PEOPLE | GROUPS else "person"
    from spice_core.lang.en.wordnet import ranked

    wordnet = ranked()
    senses = sorted((wordnet.sense_rank(lemma, i) or 99, i) for i in wordnet.ids(lemma) if wordnet.synset(i).pos == "n")
    level, names = [i for _, i in senses[:1]], set[str]()
    while level:
        names |= {wordnet.synset(i).name for i in level}
        level = [h for i in level for h in wordnet.hypernyms(i)]
    agent = not senses and lemma.endswith(("er", "or", "ist", "eer"))
    return "person" if agent or "person.n.01" in names else "animal" if "animal.n.01" in names else "thing"


def _base(e: Dependency | None) -> str:
    return e.relation.partition(":")[0] if e else ""


def _is_frame(token: Token, tokens: Tokens, edges: Edges) -> bool:
    """Whether a noun is this picture, not one on a wall."""
    if token.lemma not in FRAMES or token.tag != "NN":
        return False
    below = {e.relation: tokens[e.dependent - 1].lemma for e in edges if e.head == token.index}
    return below.get("det") in (None, "the", "this") or "cop" in below


def _counts_another(token: Token, tokens: Tokens, edges: Edges) -> bool:
    """Whether a noun only counts or shows the noun behind its "of"."""
    if token.lemma not in _QUANTITIES:
        return False
    return any(e.head == token.index and e.relation == "nmod" and _has_of(tokens, edges, e.dependent) for e in edges)


def _has_of(tokens: Tokens, edges: Edges, noun: int) -> bool:
    return any(e.head == noun and e.relation == "case" and tokens[e.dependent - 1].text.lower() == "of" for e in edges)


def _denied(tokens: Tokens, edges: Edges) -> set[int]:
    """Nouns with "no" or "without"."""
    return {e.head for e in edges if e.relation in ("det", "case") and tokens[e.dependent - 1].text.lower() in ("no", "without")}


def _rank(index: int, tokens: Tokens, above: dict[int, Dependency], edges: Edges, depth: int = 0) -> float:
    """How salient a noun's role is: 0 for subjects, up to 3 for modifiers; frames pass their rank on to what they show."""
    e = above.get(index)
    if e is None or not e.head or depth > _DEEPEST:
        return 0.0
    head, base = tokens[e.head - 1], _base(e)
    if base == "nmod" and e.relation == "nmod:poss":
        pronoun = tokens[index - 1].text.lower() in _HE | _SHE | _IT | _THEY
        owner = 0.2 if kind(head.lemma) != "thing" else -0.2
        return _rank(e.head, tokens, above, edges, depth + 1) + owner - 0.05 * pronoun
    if base in ("conj", "appos"):
        return _rank(e.head, tokens, above, edges, depth + 1) + (0.01 if base == "conj" else 0.5)
    if base == "nmod":
        if head.lemma in _COLLECTIVES and _has_of(tokens, edges, index):
            return _rank(e.head, tokens, above, edges, depth + 1) - 0.05
        if _is_frame(head, tokens, edges) or _counts_another(head, tokens, edges):
            return _rank(e.head, tokens, above, edges, depth + 1) if e.head in above else 0.0
        return max(float(_LOWEST), _rank(e.head, tokens, above, edges, depth + 1) + 1)
    if base == "obj" and any(s.head == e.head and _base(s) == "nsubj" and _is_frame(tokens[s.dependent - 1], tokens, edges) for s in edges):
        return 0.0
    clause = above.get(e.head)
    lower = 0.5 if clause and _base(clause) in ("acl", "advcl") and base == "nsubj" else 1.0 if clause and _base(clause) == "acl" else 0.0
    return _RANKS.get(base, _LOWEST) + lower


# --- pronouns --------------------------------------------------------------------------------------------------------


def _pronoun(sentence: Sentence, token: Token, mentions: list[list[_Mention]], genders: dict[tuple[int, int], str]) -> _Mention | None:
    """The antecedent of a pronoun: in its own sentence before it, or else in the nearest sentence with one that agrees."""
    word = token.text.lower()
    sort = next((name for name, words in (("he", _HE), ("she", _SHE), ("it", _IT), ("they", _THEY)) if word in words), "")
    if not sort or not token.tag.startswith("PRP") or (sort == "it" and _is_expletive(sentence, token.index)):
        return None
    possessive, reflexive = token.tag == "PRP$", word.endswith(("self", "selves"))
    subjects = _own_subjects(sentence, token.index)
    acting = sort == "they" and _acts(sentence, token.index)
    own = [m for m in mentions[-1] if m.index in subjects]
    if possessive or reflexive or _is_had(sentence, token.index):
        first = next((m for m in own if _agrees(m, sort) or (sort == "they" and _is_anybody(m))), None)
        if first:
            return _remembered(first, sort, genders)
        if reflexive:
            return None
    barred = _governors(sentence, token.index) | (set() if possessive else subjects)
    excluded = {m.key for m in mentions[-1] if m.index in barred}
    before = [m for m in mentions[-1] if m.index < token.index]
    for sentence_mentions in [before, *mentions[-2 : -2 - _WINDOW[sort] : -1]]:
        fitting = sorted(
            (m for m in sentence_mentions if m.key not in excluded and _agrees(m, sort) and not (acting and m.kind == "thing")),
            key=lambda m: (m.rank, m.index),
        )
        if not fitting and sort == "they":
            fitting = [m for m in sentence_mentions if m.key not in excluded and m.rank < 1 and _is_anybody(m)][:1]
        if fitting:
            return None if _is_open(fitting, sort) else _remembered(fitting[0], sort, genders)
    return None


def _remembered(mention: _Mention, sort: str, genders: dict[tuple[int, int], str]) -> _Mention:
    """The mention; from now on its noun has the pronoun's gender."""
    if len(mention.heads) == 1 and (sort in ("he", "she") or (sort == "it" and mention.kind == "person")):
        genders[mention.key] = "animal" if sort == "it" else sort
    return mention


def _agrees(mention: _Mention, sort: str) -> bool:
    if sort == "they":
        return mention.plural
    if sort == "it":
        return mention.single and (mention.kind in ("thing", "animal") or mention.heads[0].lemma in ("child", "baby"))
    return mention.single and mention.heads[0].lemma not in GROUPS and mention.kind in (sort, "person")


def _is_anybody(mention: _Mention) -> bool:
    """Whether a person is named whose gender is not, so that "they" may be one."""
    return mention.single and mention.kind == "person"


def _is_open(fitting: list[_Mention], sort: str) -> bool:
    """Whether two persons are equally likely: conjuncts of each other."""
    if sort not in ("he", "she") or len(fitting) < 2:
        return False
    first, second = fitting[:2]
    return first.kind == second.kind and abs(first.rank - second.rank) < 0.05 and first.key != second.key


def _acts(sentence: Sentence, pronoun: int) -> bool:
    """Whether a pronoun is the subject of what only people and animals do."""
    verb = next((e.head for e in sentence.basic if e.dependent == pronoun and e.relation == "nsubj"), 0)
    appears = any(e.head == verb and e.relation == "xcomp" for e in sentence.basic)  # "they look heavy"
    return verb > 0 and sentence.tokens[verb - 1].lemma in _ACTIONS and not appears


def _is_had(sentence: Sentence, pronoun: int) -> bool:
    """Whether something has a thing "on it", which is the subject itself."""
    above = {e.dependent: e for e in sentence.basic}
    cases = {e.head: sentence.tokens[e.dependent - 1].lemma for e in sentence.basic if e.relation == "case"}
    case = pronoun in cases
    while pronoun in above and _base(above[pronoun]) in ("nmod", "obl", "obj") and cases.get(pronoun) != "with":
        pronoun = above[pronoun].head
    return case and pronoun > 0 and sentence.tokens[pronoun - 1].lemma == "have"


def _is_expletive(sentence: Sentence, pronoun: int) -> bool:
    """Whether "it" refers to nothing: weather and time of day, "it is a scene", "it seems that"."""
    tokens, edges = sentence.tokens, sentence.basic
    e = next((e for e in edges if e.dependent == pronoun), None)
    if e is None or e.relation == "expl":
        return True
    if not e.head or _base(e) != "nsubj":
        return False
    verb = tokens[e.head - 1]
    clause = any(o.head == e.head and o.relation in ("ccomp", "csubj") for o in edges)
    return (
        verb.lemma in _WEATHER
        or _is_frame(verb, tokens, edges)
        or (clause and verb.lemma in ("seem", "appear", "look", "clear", "possible", "likely"))
    )


def _own_subjects(sentence: Sentence, pronoun: int) -> set[int]:
    """The subjects of the nearest clause around a pronoun that has any but the pronoun."""
    above = {e.dependent: e for e in sentence.basic}
    index, seen = pronoun, set[int]()
    while index in above and index not in seen:
        seen.add(index)
        e = above[index]
        subjects = {s.dependent for s in sentence.basic if s.head in (pronoun, e.head) and _base(s) == "nsubj"} - {pronoun}
        if e.relation.startswith("nsubj") and index in subjects:
            subjects.discard(index)  # a pronoun within the subject
            if not subjects and index != pronoun:
                return set()
        if subjects:
            return subjects
        if _base(e) == "acl" and e.relation != "acl:relcl":
            return {e.head}
        index = e.head
    return set()


def _governors(sentence: Sentence, pronoun: int) -> set[int]:
    """The nouns whose phrase the pronoun is part of."""
    above = {e.dependent: e for e in sentence.basic}
    out, index = set[int](), pronoun
    while index in above and _base(above[index]) in _PHRASES and above[index].head not in out:
        index = above[index].head
        out.add(index)
    return out


# --- members ---------------------------------------------------------------------------------------------------------


def _member(sentence: Sentence, token: Token, mentions: list[list[_Mention]], genders: dict[tuple[int, int], str]) -> _Mention | None:
    """The group of "one", "the other", "some", or a number alone: the nearest plural noun of an earlier sentence."""
    word, tokens, edges = token.text.lower(), sentence.tokens, sentence.basic
    e = next((e for e in edges if e.dependent == token.index), None)
    role = _base(e)
    if e is None or role not in ("nsubj", "obj", "obl", "nmod", "conj", "root") or e.relation == "nmod:poss":
        return None
    number = token.tag == "CD" and role == "nsubj" and word not in ("one",)
    if not (word in _MEMBERS or number) or _has_noun(sentence, token.index):
        return None
    if word in ("other", "others") and not any(d.head == token.index and tokens[d.dependent - 1].lemma == "the" for d in edges):
        return None
    if word in ("some", "all", "both", "each", "several", "most", "many", "half", "none", "neither") and role != "nsubj":
        return None
    resolved = {a.index for a in sentence.antecedents if tokens[a.index - 1].text.lower() in _MEMBERS}
    if same := next((m for m in mentions[-1] if m.index in resolved), None):
        return same
    if any(m.plural and m.index < token.index and len(m.heads) == 1 for m in mentions[-1]):
        return None  # the step "members" reads its own sentence
    for earlier in mentions[-2:-5:-1]:
        groups = sorted((m for m in earlier if m.plural and not m.heads[1:]), key=lambda m: (m.rank, m.index))
        if groups:
            return groups[0]
    return None


def _has_noun(sentence: Sentence, word: int) -> bool:
    """Whether a word is followed by "of" or has a copula, so that it is no member alone."""
    of = sentence.tokens[word].text.lower() == "of" if word < len(sentence.tokens) else False
    return of or any(e.head == word and e.relation in ("cop", "fixed", "nsubj") for e in sentence.basic)
