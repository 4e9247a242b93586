"""Lexical entailment: broader words, near-synonyms, misspellings, and membership in word classes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from functools import cached_property, lru_cache, reduce
from operator import or_
from typing import NamedTuple

from spice_core.inference.rules import InferenceRules
from spice_core.scene.graph import Concept, Element, SceneTuple
from spice_core.scene.synonyms import Synonyms, hypernym_path, hypernyms_of, sense_rank_of, senses_of

_MAX_HYPERNYM_STEPS = 5
_NARROW_RANK = 1  # only the narrower word's first sense: rarer ones give meaningless paths
_BROAD_RANK = 2
_MIN_STEM_LETTERS = 3  # minimum number of letters before the ending of a participle
_MIN_MISSPELT_LETTERS = 5  # shorter words have too many neighbours


class LexicalStep(NamedTuple):
    """Step from a word to a word that it entails.

    Attributes:
        kind: ``narrower`` (to a hypernym), ``near`` (to a near-synonym in the rule file) or ``spelling``.
        path: The words from the given word to the entailed word. For ``narrower``, each is the first lemma of a sense.
    """

    kind: str
    path: tuple[str, ...]


class Lexicon:
    """Lexical entailment in one language, based on its synonym source and its inference rules."""

    def __init__(
        self,
        synonyms: Synonyms,
        rules: InferenceRules,
        share: Callable[[str, str], float],
        word_class: Callable[[str], str],
        plural_tags: Collection[str],
    ):
        """Create the lexicon.

        ``share(owner, thing)`` returns the share of such things among all things that such owners have. ``word_class`` returns the UPOS
        for a tag.
        """
        self.word_class, self.plural_tags = word_class, plural_tags
        self._synonyms, self._rules, self._ownership_share = synonyms, rules, share
        self.concept = lru_cache(maxsize=1 << 14)(lambda word, pos: Concept(frozenset((word,)), *senses_of(synonyms, word, pos)))
        self.entails = lru_cache(maxsize=1 << 16)(self._find_entailment)
        self.are_variants = lru_cache(maxsize=1 << 16)(self._are_variants)
        self.step = lru_cache(maxsize=1 << 16)(self._lexical_step)
        self.possession_share = lru_cache(maxsize=1 << 14)(self._find_possession_share)
        self._class_bits = {name: 1 << number for number, name in enumerate(rules.classes)}
        self._bits_by_word, self._bits_by_sense, self._bits_of_unknown = self._index_classes()
        self._excluded_bits: dict[str, int] = {}
        for name, listed_class in rules.classes.items():
            for word in listed_class.exceptions:
                self._excluded_bits[word] = self._excluded_bits.get(word, 0) | self._class_bits[name]
        self.are_things_related = lru_cache(maxsize=1 << 16)(self._are_things_related)
        self.are_labels_related = lru_cache(maxsize=1 << 16)(self._are_labels_related)
        self.verb_step = lru_cache(maxsize=1 << 14)(self._find_verb_step)
        self._bits_of_classes = lru_cache(maxsize=1 << 12)(self._find_bits_of_classes)
        self._stated_bits = lru_cache(maxsize=1 << 14)(self._find_stated_bits)
        self._inherited_bits = lru_cache(maxsize=1 << 14)(self._find_inherited_bits)
        self._first_senses = lru_cache(maxsize=1 << 14)(self._most_frequent_senses)
        self._names_above = lru_cache(maxsize=1 << 14)(self._find_names_above)
        self._name = lru_cache(maxsize=1 << 14)(lambda id: synonyms.synset(id).name)

    def is_plural(self, element: Element) -> bool:
        """Return whether any caption mentions an object in the plural. A pair such as shorts is one thing."""
        if self.is_a(element.concept.words, "bipartite"):
            return False
        places = (proposition.tokens[part] for _, proposition, part, *_ in element.mentions if part < len(proposition.tokens))
        return any(token.tag in self.plural_tags for tokens in places for token in tokens)

    def is_action(self, tuple_: SceneTuple) -> bool:
        """Return whether a caption expresses an attribute or a relation by a verb."""
        places = (mention.proposition.tokens[1:2] for mention in tuple_.mentions)
        return any(self.word_class(token.tag) == "VERB" for place in places for tokens in place for token in tokens)

    def is_a(self, words: frozenset[str], *classes: str) -> bool:
        """Return whether any of the words belongs to any of these classes."""
        class_bits = self._bits_of_classes(classes)
        return bool(
            self._stated_bits(words) & class_bits or (class_bits & self._bits_under_senses and self._inherited_bits(words) & class_bits)
        )

    def may_be_same(self, a: Concept, b: Concept) -> bool:
        """Return whether two names may denote the same thing, because they are similar or one entails the other."""
        return a.is_similar(b) or bool(self.entails(a.words, b.words) or self.entails(b.words, a.words))

    def _are_things_related(self, words: frozenset[str], others: frozenset[str]) -> bool:
        """Return whether one thing's name entails the other's, or both things are of one kind."""
        if self.entails(words, others) or self.entails(others, words):
            return True
        is_in_group = any(not group.isdisjoint(words) and not group.isdisjoint(others) for group in self._rules.related_things)
        return is_in_group or any(self.is_a(words, kind) and self.is_a(others, kind) for kind in self._rules.related_kinds)

    def _are_labels_related(self, labels: frozenset[str], others: frozenset[str]) -> bool:
        """Return whether two attributes or relations have the same rest, and one entails the other or their verbs are related."""
        for label in labels:
            for other in others:
                if self.verb_step(label, other) or self.verb_step(other, label):
                    return True
                verbs = label.partition(" ")[0], other.partition(" ")[0]
                if any(group.issuperset(verbs) for group in self._rules.related_verbs):
                    return True
        return False

    def _are_variants(self, word: str, others: frozenset[str]) -> bool:
        """Return whether a word is a variant of one of ``others``: verb and participle ("swirl", "swirling"), or a misspelling."""
        endings = self._rules.participle_endings
        return any(
            is_participle(word, other, endings) or is_participle(other, word, endings) or is_misspelt(word, other, self._is_known)
            for other in others
        )

    def _is_known(self, word: str) -> bool:
        return bool(self._synonyms.ids(word))

    def _index_classes(self) -> tuple[dict[str, int], dict[str, int], int]:
        """Return bit sets of classes by listed word and by listed sense, and of the classes that admit unknown words."""
        by_word, by_sense, unknown = dict[str, int](), dict[str, int](), 0
        for name, word_class in self._rules.classes.items():
            bit = self._class_bits[name]
            for bits, keys in ((by_word, word_class.words), (by_sense, word_class.superclasses)):
                for key in keys:
                    bits[key] = bits.get(key, 0) | bit
            unknown |= bit if word_class.has_unknown_words and word_class.superclasses else 0
        return by_word, by_sense, unknown

    @cached_property
    def _bits_under_senses(self) -> int:
        return reduce(or_, self._bits_by_sense.values(), 0)

    def _find_bits_of_classes(self, classes: tuple[str, ...]) -> int:
        return reduce(or_, (self._class_bits.get(name, 0) for name in classes), 0)

    def _find_stated_bits(self, words: frozenset[str]) -> int:
        """Return, as a bit set, the classes that list one of the words."""
        return reduce(or_, (self._bits_by_word.get(word, 0) for word in words), 0)

    def _find_inherited_bits(self, words: frozenset[str]) -> int:
        """Return, as a bit set, the classes that list the first noun sense of a word or one of its hypernyms.

        A word without noun senses belongs to the classes that admit unknown words.
        """
        bits = 0
        for word in words:
            names = self._names_above(word)
            word_bits = reduce(or_, (self._bits_by_sense.get(name, 0) for name in names), 0) if names else self._bits_of_unknown
            bits |= word_bits & ~self._excluded_bits.get(word, 0)
        return bits

    def _find_entailment(self, word: frozenset[str], target: frozenset[str]) -> LexicalStep | None:
        """Return the step by which a word entails a target word, or None."""
        return next((step for a in sorted(word) for b in sorted(target) if (step := self.step(a, b))), None)

    def _lexical_step(self, word: str, target: str) -> LexicalStep | None:
        if target in self._rules.near_words.get(word, ()):
            return LexicalStep("near", (word, target))
        if is_misspelt(word, target, self._is_known):
            return LexicalStep("spelling", (word, target))
        kinds = self._rules.kinds_by_name.get(target, ())
        if kinds and self.is_a(frozenset((word,)), *kinds):
            return LexicalStep("narrower", (word, target))
        is_exception = any(word in self._rules.classes[kind].exceptions for kind in kinds)
        if is_exception or self.is_a(frozenset((target,)), "broad") or self._rules.excludes(word, target):
            return None
        path = hypernym_path(
            self._synonyms, self._first_senses(word, _NARROW_RANK), self._first_senses(target, _BROAD_RANK), _MAX_HYPERNYM_STEPS
        )
        return LexicalStep("narrower", tuple(self._synonyms.synset(id).lemmas[0] for id in path)) if path else None

    def _find_verb_step(self, label: str, target: str) -> LexicalStep | None:
        """Return the step by which an action or relation entails another with the same rest: "jog in" entails "run in"."""
        for length in (1, 2):
            words, target_words = label.split(" "), target.split(" ")
            for target_length in (1, 2):
                verb, target_verb = " ".join(words[:length]), " ".join(target_words[:target_length])
                if words[length:] == target_words[target_length:] and verb in self._rules.entailing_verbs.get(target_verb, ()):
                    return LexicalStep("narrower", (verb, target_verb))
        return None

    def _most_frequent_senses(self, word: str, rank: int) -> frozenset[int]:
        """Return the ids of a noun's senses up to this frequency rank."""
        ids = senses_of(self._synonyms, word, "n").ids
        return frozenset(id for id in ids if id >= 0 and (sense_rank_of(self._synonyms, word, id) or 1) <= rank)

    def _find_possession_share(self, owners: frozenset[str], thing_words: frozenset[str]) -> float:
        return max((self._ownership_share(owner, thing) for owner in owners for thing in thing_words), default=0.0)

    def _find_names_above(self, word: str) -> frozenset[str]:
        """Return the names of a word's most frequent noun sense and of all its hypernyms."""
        edge, seen = set(self._first_senses(word, _NARROW_RANK)), set[int]()
        while edge:
            seen |= edge
            edge = {hypernym for id in edge for hypernym in hypernyms_of(self._synonyms, id)} - seen
        return frozenset(map(self._name, seen))


def is_participle(word: str, verb: str, endings: Iterable[str]) -> bool:
    """Return whether a word is a participle of a verb, such as "swirling" of "swirl"."""
    stems = (word.removesuffix(ending) for ending in endings if word.endswith(ending) and len(word) >= len(ending) + _MIN_STEM_LETTERS)
    return any(verb in (stem, f"{stem}e", f"{stem[:-1]}y") or verb + verb[-1:] == stem for stem in stems)


def is_misspelt(word: str, other: str, is_known: Callable[[str], bool]) -> bool:
    """Return whether one of two words is a misspelling of the other.

    Exactly one of them must be in the dictionary, and they must differ in one letter or in the order of two neighbouring letters. In
    compounds, this must hold for exactly one part. Words that differ only in hyphens also count.
    """
    if min(len(word), len(other)) < _MIN_MISSPELT_LETTERS or abs(len(word) - len(other)) > 1 or word == other:
        return False
    parts, other_parts = word.split("-"), other.split("-")
    if len(parts) != len(other_parts):
        return word.replace("-", "") == other.replace("-", "")
    different = [(a, b) for a, b in zip(parts, other_parts) if a != b]
    if len(different) != 1:
        return False
    (a, b) = different[0]
    letters = (a + b).isascii() and (a + b).isalpha() and min(len(a), len(b)) >= _MIN_MISSPELT_LETTERS - 1
    return letters and _differ_by_one_letter(a, b) and is_known(a) is not is_known(b)


def _differ_by_one_letter(a: str, b: str) -> bool:
    """Return whether two words differ by one missing, replaced or displaced letter."""
    shortened = [{word, *(word[:place] + word[place + 1 :] for place in range(len(word)))} for word in (a, b)]
    return not shortened[0].isdisjoint(shortened[1])
