"""Counting schemes, concepts, and the scene graph, which merges propositions of one or more captions into objects, attributes and relations.

Source: Anderson et al. (ECCV 2016), section 3.
"""

from __future__ import annotations

import itertools
import string
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from spice_core.scene.propositions import KIND_BY_LENGTH, PLACEHOLDER, Parse, Proposition
from spice_core.scene.synonyms import Synonyms, all_hypernyms, is_existence, parts_of_speech, rephrase, senses_of
from spice_core.syntax.document import Token


@dataclass(frozen=True, slots=True)
class Scheme:
    """Scheme for merging words and counting tuples.

    Attributes:
        merge_similar: Whether similar words become one element, rather than only equal words.
        implicit_objects: Whether everything with an attribute or a relation is an object, rather than only stated objects.
        match_smaller_side: Whether matches are counted from the side with fewer tuples, rather than from the candidate.
        partial_credit: Whether a tuple counts by the share of its parts that agree, provided that its attribute word or the label of
            its relation agrees. Otherwise all parts must agree.
        action_attributes: Whether the verb of a relation is also an attribute of its subject.
        distinct_objects: Whether two words that are both objects of one caption remain different objects even if they are synonyms.
        lenient: Whether partial credit is the share of the shorter tuple's parts, so that (dog, run) fully agrees with (dog, run, road).
        entailed: Whether a tuple also counts if it follows from the other side by inference rules (``spice_core.inference``). Precision
            and recall then count each side separately. Partial credit is as in the scheme of the rules.
    """

    merge_similar: bool
    implicit_objects: bool
    match_smaller_side: bool
    partial_credit: bool = False
    action_attributes: bool = False
    distinct_objects: bool = False
    lenient: bool = False
    entailed: bool = False


SPICE_SCHEME = Scheme(merge_similar=True, implicit_objects=True, match_smaller_side=False)
# JaSPICE merges only equal words. The synonym source ``sudachi+representative`` first replaces each phrase by the representative spelling
# of its last word: 傘 ("umbrella") for 折りたたみ傘 ("folding umbrella"), and 差す for さす.
JASPICE_SCHEME = Scheme(merge_similar=False, implicit_objects=False, match_smaller_side=True)
PARTS_SCHEME = Scheme(merge_similar=True, implicit_objects=True, match_smaller_side=False, partial_credit=True)
ACTIONS_SCHEME = Scheme(merge_similar=True, implicit_objects=True, match_smaller_side=False, action_attributes=True)
DISTINCT_SCHEME = Scheme(merge_similar=True, implicit_objects=True, match_smaller_side=False, action_attributes=True, distinct_objects=True)
LENIENT_SCHEME = Scheme(
    merge_similar=True, implicit_objects=True, match_smaller_side=False, partial_credit=True, distinct_objects=True, lenient=True
)
ENTAILED_SCHEME = replace(DISTINCT_SCHEME, entailed=True)
SCHEMES = {
    "spice": SPICE_SCHEME,
    "jaspice": JASPICE_SCHEME,
    "parts": PARTS_SCHEME,
    "actions": ACTIONS_SCHEME,
    "distinct": DISTINCT_SCHEME,
    "lenient": LENIENT_SCHEME,
    "entailed": ENTAILED_SCHEME,
}


@dataclass(frozen=True, slots=True)
class Concept:
    """A set of words or phrases, with their senses.

    Attributes:
        words: Words with the same meaning.
        synsets: The ids of the synsets of all words.
        rare_synsets: The synsets that are rare senses of all words that have them.
        distinct_words: Synonyms that denote different objects because a caption has both words as objects.
        is_existence: Whether the words only state that something exists, such as "be" and "there".
        hypernyms: The synsets above those of all words, under schemes with partial credit for broader words.
    """

    words: frozenset[str]
    synsets: frozenset[int] = frozenset()
    rare_synsets: frozenset[int] = frozenset()
    distinct_words: frozenset[str] = frozenset()
    is_existence: bool = False
    hypernyms: frozenset[int] = frozenset()

    def is_broader_or_narrower(self, other: Concept) -> bool:
        """Return whether one concept is a hypernym of the other."""
        return not (self.hypernyms.isdisjoint(other.synsets) and other.hypernyms.isdisjoint(self.synsets))

    def is_similar(self, other: Concept) -> bool:
        """Return whether the concepts share a word, or a synset by which they match."""
        return not self.words.isdisjoint(other.words) or (not self.synsets.isdisjoint(other.synsets) and bool(self.shared_synsets(other)))

    def shared_synsets(self, other: Concept) -> frozenset[int]:
        """Return the shared synsets by which the concepts match.

        Synsets that are rare in both concepts do not count. Concepts that are different objects of a caption share no synsets.
        """
        synsets = self.synsets & other.synsets
        if not synsets or self.is_kept_apart_from(other):
            return frozenset()
        return synsets - (self.rare_synsets & other.rare_synsets) if self.rare_synsets else synsets

    def is_kept_apart_from(self, other: Concept) -> bool:
        """Return whether some caption has both concepts, so that they are different objects."""
        return not (self.distinct_words.isdisjoint(other.words) and other.distinct_words.isdisjoint(self.words))

    def similarity(self, other: Concept) -> float:
        """Return 1 for a shared word, otherwise the share of all synsets that match (0–1)."""
        if not self.words.isdisjoint(other.words):
            return 1.0
        shared_count = len(self.shared_synsets(other))
        return shared_count / len(self.synsets | other.synsets) if shared_count else 0.0

    def merge(self, other: Concept) -> Concept:
        """Return the union of both concepts."""
        ordinary_synsets = (self.synsets - self.rare_synsets) | (other.synsets - other.rare_synsets)
        rare = (self.rare_synsets | other.rare_synsets) - ordinary_synsets
        existence = self.is_existence and other.is_existence
        return Concept(
            self.words | other.words,
            self.synsets | other.synsets,
            rare,
            self.distinct_words | other.distinct_words,
            existence,
            self.hypernyms | other.hypernyms,
        )

    def __str__(self) -> str:
        return "/".join(sorted(self.words))


def mark_negation(parts: tuple[str, ...]) -> tuple[str, ...]:
    """Return the texts of a tuple's parts with "¬" before the part that is negated."""
    place = min(1, len(parts) - 1)
    return (*parts[:place], f"¬{parts[place]}", *parts[place + 1 :])


ConceptCache = dict[tuple[str, str], Concept]  # by word and parts of speech


class Mention(NamedTuple):
    """A proposition that mentions an element.

    Attributes:
        caption: The position of the caption.
        proposition: The proposition.
        part: The position of the part that mentions the element.
        concept: The concept of this part, without the leading "be" of a relation. For an action attribute, it is the concept of the
            verb.
        merge_reason: ``new`` if the mention created the element, ``equal`` if the element had the same word, or ``merged`` if the
            element had a similar concept.
    """

    caption: int
    proposition: Proposition
    part: int
    concept: Concept
    merge_reason: str

    @property
    def word(self) -> str:
        """The word by which the proposition mentions the element."""
        (word,) = self.concept.words
        return word


@dataclass(slots=True, eq=False)
class Element:
    """A concept with its mentions: an object (a node), an attribute of an object, or a relation between two objects.

    ``negated`` marks what the captions state not to hold. A negated element never merges with an affirmed one.
    """

    id: str
    concept: Concept
    mentions: list[Mention] = field(default_factory=list)
    negated: bool = False

    @property
    def words(self) -> list[str]:
        """The concept's words, most frequent first."""
        counts = Counter(m.word for m in self.mentions)
        return sorted(self.concept.words, key=lambda w: (-counts[w], w))

    @property
    def captions(self) -> list[int]:
        """Positions of the captions that mention the element."""
        return sorted({m.caption for m in self.mentions})


ElementPlace = Element | tuple[Element, Element] | None  # where an attribute, a relation or an object belongs


@dataclass(frozen=True, slots=True)
class SceneTuple:
    """A tuple of the graph: (object), (object, attribute) or (subject, relation, object)."""

    elements: tuple[Element, ...] = field(compare=False)
    concepts: tuple[Concept, ...]

    @property
    def kind(self) -> str:
        """``object``, ``attribute`` or ``relation``."""
        return KIND_BY_LENGTH[len(self.concepts)]

    @property
    def id(self) -> str:
        """The id of the tuple's element, such as ``c:o1`` in the candidate and ``r:o1`` in the references."""
        return self.element.id

    @property
    def element(self) -> Element:
        """The tuple's element: the object, the attribute or the relation."""
        return self.elements[1 if len(self.elements) > 1 else 0]

    @property
    def words(self) -> tuple[str, ...]:
        """The parts as texts. The words of a merged concept are sorted and joined by slashes. A negated part begins with "¬"."""
        words = tuple(map(str, self.concepts))
        return mark_negation(words) if self.negated else words

    @property
    def negated(self) -> bool:
        """Whether the captions deny the tuple."""
        return self.element.negated

    @property
    def mentions(self) -> list[Mention]:
        """The mentions of the element that the tuple represents."""
        return self.element.mentions

    @property
    def is_implied(self) -> bool:
        """Whether this is an action attribute implied only by relations (``Scheme.action_attributes``)."""
        return self.kind == "attribute" and all(len(m.proposition.words) == 3 for m in self.mentions)


class SceneGraph:
    """Scene graph of objects, attributes and relations, built proposition by proposition."""

    def __init__(
        self,
        synonyms: Synonyms,
        concepts: ConceptCache | None = None,
        scheme: Scheme = SPICE_SCHEME,
        side: str = "",
        action_lemma: Callable[[Iterable[Token]], str] = lambda tokens: "",
    ):
        """Create an empty graph.

        Args:
            synonyms: The source of synonyms.
            concepts: A cache that graphs with the same synonym source may share.
            scheme: How elements merge.
            side: The prefix of the ids of the elements, such as ``c:`` for the graph of a candidate.
            action_lemma: The function that returns the lemma of a relation's verb, or "" if no verb denotes an action.
        """
        self._action_lemma = action_lemma
        self._synonyms, self._scheme, self._side = synonyms, scheme, side
        self._concepts = {} if concepts is None else concepts
        self._captions: dict[str, int] = {}  # captions in which each word is an object, one bit per caption
        self._elements_by_place: list[tuple[ElementPlace, Element, Mention]] = []  # all mentions, in the order of addition
        self._count = 0
        self.objects: list[Element] = []
        self._objects: dict[tuple[frozenset[str], bool], Element] = {}  # objects with a single word, by word and negation
        self.attributes: dict[Element, list[Element]] = {}
        self.relations: dict[tuple[Element, Element], list[Element]] = {}

    @classmethod
    def merge_parses(
        cls,
        parses: Iterable[Parse],
        synonyms: Synonyms,
        concepts: ConceptCache | None = None,
        scheme: Scheme = SPICE_SCHEME,
        side: str = "",
        action_lemma: Callable[[Iterable[Token]], str] = lambda tokens: "",
    ) -> SceneGraph:
        """Return the merged graph of several captions.

        The order in which captions are added affects which words merge. Under a scheme with distinct objects, captions are added in the
        order of their propositions, so that the order of the references affects no score. Elements are numbered in the given order of
        captions.
        """
        graph = cls(synonyms, concepts, scheme, side, action_lemma)
        parses = [rephrase(synonyms, parse) for parse in parses]
        graph.keep_apart(parses)
        order = list(range(len(parses)))
        if scheme.distinct_objects:
            order.sort(key=lambda caption: ([p.words for p in parses[caption].propositions], parses[caption].caption))
        for caption in order:
            for proposition in (*parses[caption].propositions, *parses[caption].negated):
                graph.add(proposition, caption)
        if scheme.distinct_objects:
            graph._separate_synonyms()
        if order != sorted(order):
            graph._number_elements()
        graph._elements_by_place.clear()
        return graph

    def keep_apart(self, parses: Iterable[Parse]) -> None:
        """Keep the objects of each caption apart if the scheme requires it. Call before adding propositions."""
        for caption, parse in enumerate(parses if self._scheme.distinct_objects else ()):
            for word in {word for p in parse.propositions for word in p.words[::2]}:
                self._captions[word] = self._captions.get(word, 0) | 1 << caption

    def add(self, proposition: Proposition, caption: int = 0) -> None:
        """Merge one proposition of the caption at this position."""
        words = proposition.words
        if len(words) == 1:
            self._find_or_add_object(proposition, caption, 0)
        elif len(words) == 2:
            host = self._find_or_add_object(proposition, caption, 0)
            self._merge_part(host, words[1], self._parts_of_speech(proposition, "nvar"), proposition, caption)
        else:
            subject, object_ = self._find_or_add_object(proposition, caption, 0), self._find_or_add_object(proposition, caption, 2)
            self._merge_part(
                (subject, object_), words[1].removeprefix("be "), self._parts_of_speech(proposition, "var"), proposition, caption
            )
            has_action = self._scheme.action_attributes and not proposition.negated and proposition.tokens
            if has_action and (action := self._action_lemma(proposition.tokens[1])):
                self._merge_part(subject, action, "v", proposition, caption)

    def tuples(self) -> list[SceneTuple]:
        """Return all tuples, sorted by their words."""
        return sorted(self._iterate_tuples(), key=lambda t: t.words)

    def elements(self) -> Iterator[Element]:
        """Yield all objects, then all attributes, then all relations."""
        yield from self.objects
        for group in (*self.attributes.values(), *self.relations.values()):
            yield from group

    def _iterate_tuples(self) -> Iterator[SceneTuple]:
        for o in self.objects:
            if self._is_object_tuple(o):
                yield SceneTuple((o,), (o.concept,))
            for a in self.attributes.get(o, ()):
                yield SceneTuple((o, a), (o.concept, a.concept))
        for (s, o), group in self.relations.items():
            for r in group:
                yield SceneTuple((s, r, o), (s.concept, r.concept, o.concept))

    def _is_object_tuple(self, node: Element) -> bool:
        """Return whether a node yields an object tuple.

        A placeholder never does, nor does an object that only negated propositions mention. Without ``implicit_objects``, only objects
        that a proposition states do.
        """
        if PLACEHOLDER in node.concept.words or not (node.negated or any(not m.proposition.negated for m in node.mentions)):
            return False
        return self._scheme.implicit_objects or any(len(m.proposition.words) == 1 for m in node.mentions)

    def _find_or_add_object(self, proposition: Proposition, caption: int, part_index: int) -> Element:
        """Return the node with the same word, or else the most similar node, or else a new node."""
        concept, negated = self._make_concept(proposition.words[part_index], "n"), proposition.negated and len(proposition.words) == 1
        node, reason = self._objects.get((concept.words, negated)), "equal"
        if node is None:
            node, reason = self._most_similar_node(concept, negated=negated), "merged"
            if node is None:
                node, reason = self._add_element(self.objects, "o", concept, negated=negated), "new"
                self._objects[concept.words, negated] = node
            else:
                self._objects.pop((node.concept.words, negated), None)
                node.concept = node.concept.merge(concept)
        self._add_mention(None, node, Mention(caption, proposition, part_index, concept, reason))
        return node

    def _most_similar_node(self, concept: Concept, *, negated: bool) -> Element | None:
        """Return the most similar node (the first of equals), or None."""
        best_node, best_similarity = None, 0.0
        for node in self.objects if self._scheme.merge_similar else ():
            other = node.concept
            if (
                node.negated is negated
                and other.is_similar(concept)
                and (similarity := other.similarity(concept)) > best_similarity
                and not self._are_kept_apart(other, concept)
            ):
                best_node, best_similarity = node, similarity
        return best_node

    def _are_kept_apart(self, a: Concept, b: Concept) -> bool:
        """Return whether the concepts share no word and some caption mentions both as objects."""
        captions = self._captions
        return a.words.isdisjoint(b.words) and any(captions.get(x, 0) & captions.get(y, 0) for x in a.words for y in b.words)

    def _separate_synonyms(self) -> None:
        """Mark synonymous objects of one caption as distinct, so that neither matches the other's words in another graph."""
        for a, b in itertools.combinations(self.objects, 2):
            if not a.concept.synsets.isdisjoint(b.concept.synsets) and self._are_kept_apart(a.concept, b.concept):
                words = a.concept.words, b.concept.words
                a.concept = replace(a.concept, distinct_words=a.concept.distinct_words | words[1])
                b.concept = replace(b.concept, distinct_words=b.concept.distinct_words | words[0])

    def _number_elements(self) -> None:
        """Set the order and ids of elements, and the ``merge_reason`` of mentions, as if captions had been added in the given order."""
        placed_mentions = sorted(self._elements_by_place, key=lambda place: place[2].caption)
        self._count, self.objects, self.attributes, self.relations = 0, [], {}, {}
        words_by_element: dict[Element, set[str]] = {}
        for place, element, mention in placed_mentions:
            words = words_by_element.setdefault(element, set())
            if not words:
                element.mentions.clear()
                self._count += 1
                element.id = f"{element.id.rstrip(string.digits)}{self._count}"
                self._elements_at(place).append(element)
            reason = "new" if not words else "equal" if words == mention.concept.words else "merged"
            words |= mention.concept.words
            element.mentions.append(mention if mention.merge_reason == reason else mention._replace(merge_reason=reason))

    def _merge_part(self, place: Element | tuple[Element, Element], word: str, pos: str, proposition: Proposition, caption: int) -> None:
        """Add a mention to the element with the same word at this place, or else to the first similar one, or else to a new one."""
        concept, group = self._make_concept(word, pos), self._elements_at(place)
        comparable = [element for element in group if element.negated is proposition.negated]
        for element in comparable:
            if element.concept.words == concept.words:
                reason = "equal"
                break
        else:
            for element in comparable if self._scheme.merge_similar else ():
                if element.concept.is_similar(concept):
                    element.concept, reason = element.concept.merge(concept), "merged"
                    break
            else:
                element, reason = (
                    self._add_element(group, "r" if isinstance(place, tuple) else "a", concept, negated=proposition.negated),
                    "new",
                )
        self._add_mention(place, element, Mention(caption, proposition, 1, concept, reason))

    def _elements_at(self, place: ElementPlace) -> list[Element]:
        """Return the elements at a place: all objects, the attributes of an object, or the relations between two objects."""
        if place is None:
            return self.objects
        return self.relations.setdefault(place, []) if isinstance(place, tuple) else self.attributes.setdefault(place, [])

    def _add_mention(self, place: ElementPlace, element: Element, mention: Mention) -> None:
        element.mentions.append(mention)
        self._elements_by_place.append((place, element, mention))

    def _add_element(self, group: list[Element], prefix: str, concept: Concept, *, negated: bool) -> Element:
        self._count += 1
        element = Element(f"{self._side}{prefix}{self._count}", concept, negated=negated)
        group.append(element)
        return element

    def _make_concept(self, word: str, pos: str) -> Concept:
        concept = self._concepts.get((word, pos))
        if concept is None:
            ids, rare = senses_of(self._synonyms, word, pos)
            hypernyms = all_hypernyms(self._synonyms, word) if self._scheme.lenient and pos == "n" else frozenset()
            concept = Concept(frozenset((word,)), ids, rare, is_existence=is_existence(self._synonyms, word), hypernyms=hypernyms)
            self._concepts[word, pos] = concept
        return concept

    def _parts_of_speech(self, proposition: Proposition, possible_pos: str) -> str:
        """Return the parts of speech of an attribute or a relation by its tags, or ``possible_pos`` if the tags are uninformative."""
        tagged_pos = parts_of_speech(self._synonyms, proposition.tokens[1]) if proposition.tokens else ""
        return "".join(pos for pos in tagged_pos if pos in possible_pos) or possible_pos
