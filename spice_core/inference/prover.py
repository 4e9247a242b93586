"""Proofs that a scene graph entails a tuple, by a few inference rules applied to the tuples of the graph."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, product

from spice_core.inference.bindings import (
    Term,
    TermByVariable,
    failed_conditions,
    is_variable,
    iterate_matches,
    match_pattern,
    term_names,
)
from spice_core.inference.lexicon import Lexicon
from spice_core.inference.premises import PremiseIndex
from spice_core.inference.rules import Derivation, InferenceRule, InferenceRules, Pattern
from spice_core.scene.graph import Concept, Element, SceneTuple
from spice_core.scene.propositions import Proposition

MAX_PROOF_STEPS = 2
_MAX_PROOFS_PER_PATTERN = 50  # limit in a search for near misses
Goal = tuple[Term] | tuple[Term, str] | tuple[Term, str, Term]


@dataclass(frozen=True)
class NearMiss:
    """Rule that almost derives a tuple, with the premise or condition that fails.

    Attributes:
        rule: The rule.
        proved_premises: Proofs of the premises that hold, in the order of the rule.
        missing_premise: The first premise that does not hold, with "…" for unknown parts. It is empty if all premises hold.
        word: The value that violates a condition on word classes. If it and ``missing_premise`` are empty, another condition fails, such as
            the condition that one thing owns another or that one sentence states all premises.
        classes: The word classes of the violated condition.
        is_excluded_class: Whether the value must belong to none of these classes, rather than to one of them.
    """

    rule: InferenceRule
    proved_premises: tuple[Proof, ...] = ()
    missing_premise: tuple[str, ...] = ()
    word: str = ""
    classes: tuple[str, ...] = ()
    is_excluded_class: bool = False


@dataclass(frozen=True)
class Proof:
    """Proof of a tuple: the graph contains it, or a rule derives it from the tuples of other proofs.

    Attributes:
        words: The words of the tuple.
        rule: The name of the last rule applied, or ``narrower``, ``near`` or ``spelling`` for a step between words. It is empty for a
            tuple of the graph.
        source_tuple: The tuple of the graph, if the graph contains it.
        premises: The proofs to which the last rule is applied. For a step between words, the second premise holds the words of the step.
        cost: The total cost of the rules in the proof.
    """

    words: tuple[str, ...]
    rule: str = ""
    source_tuple: SceneTuple | None = None
    premises: tuple[Proof, ...] = ()
    cost: int = 0

    @cached_property
    def tuples(self) -> tuple[SceneTuple, ...]:
        """The graph's distinct tuples underlying the proof."""
        given_tuples = (self.source_tuple,) if self.source_tuple else ()
        return tuple(dict.fromkeys((*given_tuples, *(tuple_ for premise in self.premises for tuple_ in premise.tuples))))

    @cached_property
    def rule_names(self) -> tuple[str, ...]:
        """The distinct names of the applied rules, in order of application."""
        last_rule = (self.rule,) if self.rule else ()
        return tuple(dict.fromkeys((*(name for premise in self.premises for name in premise.rule_names), *last_rule)))

    def as_json(self) -> dict[str, object]:
        """Return the proof as plain data: words, rule, and premises in the same form."""
        fields: dict[str, object] = {"words": list(self.words)}
        return fields | ({"rule": self.rule, "from": [premise.as_json() for premise in self.premises]} if self.rule else {})


class TupleIndex:
    """Tuples of one graph, indexed by the objects that they describe."""

    def __init__(self, tuples: Sequence[SceneTuple]):
        self.tuples = tuples
        self.objects: dict[Element, SceneTuple | None] = {}  # each with its tuple, if any
        self.attributes: dict[Element, list[SceneTuple]] = {}
        self.relations: list[SceneTuple] = []
        self.relations_by_subject: dict[Element, list[SceneTuple]] = {}
        self.relations_by_object: dict[Element, list[SceneTuple]] = {}
        self.relations_by_ends: dict[tuple[Element, Element], list[SceneTuple]] = {}
        for tuple_ in tuples:
            if tuple_.negated:  # only the negation follows from a negated tuple
                continue
            subject, object_ = tuple_.elements[0], tuple_.elements[-1]
            if tuple_.kind == "object":
                self.objects[subject] = tuple_
            elif tuple_.kind == "attribute":
                self.objects.setdefault(subject, None)
                self.attributes.setdefault(subject, []).append(tuple_)
            else:
                self.objects.setdefault(subject, None)
                self.objects.setdefault(object_, None)
                self.relations.append(tuple_)
                self.relations_by_subject.setdefault(subject, []).append(tuple_)
                self.relations_by_object.setdefault(object_, []).append(tuple_)
                self.relations_by_ends.setdefault((subject, object_), []).append(tuple_)

    def about(self, element: Element) -> list[SceneTuple]:
        """Return the attributes of a thing and the relations of which it is the subject."""
        return [*self.attributes.get(element, ()), *self.relations_by_subject.get(element, ())]

    @cached_property
    def predicate_nouns(self) -> Mapping[Element, tuple[Element, ...]]:
        """Return the subjects of each predicate noun, such as the car for the sedan in "the car is a sedan".

        A predicate noun is a token from which both an object and an attribute come.
        """
        by_token: dict[tuple[int, int, int, int], Element] = {}
        for element in self.objects:
            for caption, proposition, part, *_ in element.mentions:
                if len(proposition.words) == 1 and proposition.tokens:
                    by_token[_key_of_token(caption, proposition, part)] = element
        found: dict[Element, tuple[Element, ...]] = {}
        for each in (attribute for group in self.attributes.values() for attribute in group):
            for caption, proposition, part, *_ in each.mentions:
                if len(proposition.words) == 2 and len(proposition.tokens) == 2:
                    noun = by_token.get(_key_of_token(caption, proposition, part))
                    if noun and noun is not each.elements[0]:
                        found[noun] = tuple(dict.fromkeys((*found.get(noun, ()), each.elements[0])))
        return found


class Prover:
    """Prover of tuples from one scene graph.

    The search runs backwards from the tuple to the graph and tries short proofs first. The outcome does not depend on the order
    of the graph's tuples.
    """

    def __init__(self, index: TupleIndex, rules: InferenceRules, lexicon: Lexicon, premises: PremiseIndex):
        self._index, self._rules, self._lexicon, self._premises = index, rules, lexicon, premises
        self._derivation_cache: dict[tuple[int, str, int], list[Derivation]] = {}
        self._proof_cache: dict[tuple[Goal, int], Proof | None] = {}
        self._known_owners: dict[Element, frozenset[Element]] = {}
        self._term_cache: dict[Concept, list[tuple[Term, tuple[tuple[str, str], ...]]]] = {}

    @cached_property
    def _applicable_rules(self) -> frozenset[str]:
        return self._premises.applicable_rules(self._index.tuples)

    def prove(self, tuple_: SceneTuple) -> Proof | None:
        """Return a shortest proof of a tuple of another graph, or None if there is no proof of at most ``MAX_PROOF_STEPS`` steps."""
        concepts = tuple_.concepts
        terms = [self._find_terms(concept) for concept in concepts[::2]]
        for budget in range(MAX_PROOF_STEPS + 1):
            for subject, subject_steps in terms[0]:
                for object_, object_steps in terms[-1] if len(terms) > 1 else [(None, ())]:
                    lexical_steps = (*subject_steps, *object_steps)
                    if len(lexical_steps) > budget:
                        continue
                    proof = self._prove_with_terms(concepts, subject, object_, budget - len(lexical_steps))
                    if proof:
                        return _with_lexical_steps(proof, tuple_.words, lexical_steps)
        return None

    def prove_relation(self, subject: Concept, label: str, object_: Concept) -> Proof | None:
        """Return a shortest proof of a relation between objects with these names, or None."""
        terms = [[term for term, steps in self._find_terms(concept) if not steps] for concept in (subject, object_)]
        goals: list[Goal] = [(first, label, second) for first, second in product(*terms)]
        return next((proof for budget in range(MAX_PROOF_STEPS + 1) for goal in goals if (proof := self._prove(goal, budget))), None)

    def near_misses(self, tuple_: SceneTuple) -> list[NearMiss]:
        """Return the rules that almost derive a tuple, starting with those with the most proved premises."""
        nearest: dict[str, NearMiss] = {}
        for goal in self._goals_of_tuple(tuple_):
            for derivation in self._rules.derivations(len(goal), str(goal[1]) if len(goal) > 1 else ""):
                rule = derivation.rule
                for bindings in self._unify(derivation, goal):
                    miss = self._find_obstacle(rule, rule.premises, bindings, MAX_PROOF_STEPS - rule.cost, ())
                    if rule.name not in nearest or len(miss.proved_premises) > len(nearest[rule.name].proved_premises):
                        nearest[rule.name] = miss
        return sorted(nearest.values(), key=lambda miss: -len(miss.proved_premises))

    def _goals_of_tuple(self, tuple_: SceneTuple) -> Iterator[Goal]:
        """Yield the goals that prove a tuple, for all its labels and all referents of its words."""
        terms_by_object = [[term for term, _ in self._find_terms(concept)] for concept in tuple_.concepts[::2]]
        labels = sorted(tuple_.concepts[1].words) if len(tuple_.concepts) > 1 else []
        for terms in product(*terms_by_object):
            if not labels:
                yield (terms[0],)
            yield from ((terms[0], label, *terms[1:]) for label in labels)  # type: ignore[misc]

    def _find_obstacle(
        self, rule: InferenceRule, patterns: tuple[Pattern, ...], bindings: TermByVariable, budget: int, proved_patterns: tuple[Proof, ...]
    ) -> NearMiss:
        """Return the premise or condition that fails after the largest number of proved premises."""
        for name, classes, belongs in failed_conditions(rule, bindings, self._lexicon):
            return NearMiss(
                rule, proved_patterns, word=_words_of_goal((bindings[name],))[0], classes=classes, is_excluded_class=not belongs
            )
        if not patterns:
            return NearMiss(rule, proved_patterns)
        ways = islice(self._iterate_proofs(patterns[0], bindings, budget), _MAX_PROOFS_PER_PATTERN)
        obstacles = [
            self._find_obstacle(rule, patterns[1:], new_bindings, budget - proof.cost, (*proved_patterns, proof))
            for proof, new_bindings in ways
        ]
        obstacle = NearMiss(rule, proved_patterns, missing_premise=_pattern_words(patterns[0], bindings))
        return max(obstacles, key=lambda miss: len(miss.proved_premises), default=obstacle)

    def _prove_with_terms(self, concepts: tuple[Concept, ...], subject: Term, object_: Term | None, budget: int) -> Proof | None:
        if len(concepts) == 1:
            return self._prove((subject,), budget)
        for label in sorted(concepts[1].words):
            goal: Goal = (subject, label) if object_ is None else (subject, label, object_)
            if proof := self._prove(goal, budget):
                return proof
        return None

    def _find_terms(self, concept: Concept) -> list[tuple[Term, tuple[tuple[str, str], ...]]]:
        """Return the terms for a concept, each with its lexical steps.

        A term is an object of the graph, or a word of the concept if rules may derive an object with this name.
        """
        if concept in self._term_cache:
            return self._term_cache[concept]
        terms: list[tuple[Term, tuple[tuple[str, str], ...]]] = []
        same_things = [element for element in self._index.objects if element.concept.is_similar(concept)]
        sentences = sentences_of(*same_things)  # a sentence with both "person" and "people" mentions two things
        for element in self._index.objects:
            if element in same_things:
                terms.append((element, ()))
            elif (
                not element.concept.is_kept_apart_from(concept)
                and sentences.isdisjoint(sentences_of(element))
                and (step := self._lexicon.entails(element.concept.words, concept.words))
            ):
                terms.append((element, ((step.kind, " › ".join(step.path)),)))
        terms.sort(
            key=lambda term_and_bindings: (
                len(term_and_bindings[1]),
                str(term_and_bindings[0].concept) if isinstance(term_and_bindings[0], Element) else "",
            )
        )
        terms += [(word, ()) for word in sorted(concept.words) if self._is_provable(word)]
        self._term_cache[concept] = terms
        return terms

    def _is_provable(self, word: str) -> bool:
        """Return whether rules may derive an object with this name, because a rule or an attribute of the graph contains it."""
        return word in self._rules.named_objects or any(word in words for words in self._attribute_words)

    @cached_property
    def _attribute_words(self) -> frozenset[str]:
        return frozenset(word for group in self._index.attributes.values() for attribute in group for word in attribute.concepts[1].words)

    def _prove(self, goal: Goal, budget: int) -> Proof | None:
        """Return a proof of a goal in at most ``budget`` steps, or None."""
        key = goal, budget
        if key not in self._proof_cache:
            self._proof_cache[key] = None  # a goal must not prove itself
            self._proof_cache[key] = self._find_stated_proof(goal, budget) or (self._derive(goal, budget) if budget else None)
        return self._proof_cache[key]

    def _find_stated_proof(self, goal: Goal, budget: int) -> Proof | None:
        """Return the proof of a goal stated by the graph, or by an entailing verb in the graph, or None."""
        if isinstance(goal[0], str) or (isinstance(goal[-1], str) and len(goal) == 3):
            return None
        if len(goal) == 1:
            object_tuple = self._index.objects.get(goal[0])
            return Proof(object_tuple.words, source_tuple=object_tuple) if object_tuple else None
        pos = "nvar" if len(goal) == 2 else "var"
        goal_concept = self._lexicon.concept(goal[1], pos)
        group = self._index.attributes.get(goal[0], ()) if len(goal) == 2 else self._index.relations_by_ends.get((goal[0], goal[2]), ())  # type: ignore[arg-type]
        attribute_tuple = next((attribute for attribute in group if attribute.concepts[1].is_similar(goal_concept)), None)
        if not attribute_tuple and len(goal) == 2:
            attribute_tuple = next(
                (attribute for attribute in group if self._lexicon.are_variants(goal[1], attribute.concepts[1].words)), None
            )
        if attribute_tuple:
            return Proof(attribute_tuple.words, source_tuple=attribute_tuple)
        for attribute_tuple in group if budget else ():
            for word in sorted(attribute_tuple.concepts[1].words):
                if step := self._lexicon.verb_step(word, goal[1]):
                    given = Proof(attribute_tuple.words, source_tuple=attribute_tuple)
                    return _with_lexical_steps(given, _words_of_goal(goal), [(step.kind, " › ".join(step.path))])
        return None

    def _derive(self, goal: Goal, budget: int) -> Proof | None:
        if len(goal) == 3 and goal[0] is goal[2]:
            return None
        for derivation in self._possible_derivations(len(goal), str(goal[1]) if len(goal) > 1 else "", budget):
            rule = derivation.rule
            if rule.cost == budget and not self._has_related_tuples(derivation, goal[::2]):
                continue
            for bindings in self._unify(derivation, goal):
                premises = self._prove_premises(rule, rule.premises, bindings, budget - rule.cost)
                if premises is not None and not (rule.in_one_sentence and not _share_sentence(premises)):
                    return Proof(
                        _words_of_goal(goal), rule.name, premises=premises, cost=rule.cost + sum(premise.cost for premise in premises)
                    )
        return None

    def _possible_derivations(self, part_count: int, text: str, budget: int) -> list[Derivation]:
        """Return the ways to derive a tuple in at most ``budget`` steps.

        If a rule needs the full budget, the graph must state its premises, so rules that are not applicable to the graph are left out.
        """
        key = part_count, text, budget
        if key not in self._derivation_cache:
            self._derivation_cache[key] = [
                derivation
                for derivation in self._premises.derivations(part_count, text)
                if derivation.rule.cost < budget or (derivation.rule.cost == budget and derivation.rule.name in self._applicable_rules)
            ]
        return self._derivation_cache[key]

    def _has_related_tuples(self, derivation: Derivation, terms: Sequence[Term]) -> bool:
        """Return whether the graph has the relations and attributes that the premises need for these objects."""
        are_related = all((terms[a], terms[b]) in self._index.relations_by_ends for a, b in derivation.related_positions)
        return are_related and all(terms[a] in self._index.attributes for a in derivation.described_positions)

    def _unify(self, derivation: Derivation, goal: Goal) -> Iterator[TermByVariable]:
        """Yield the variable bindings that make the derived pattern equal to the goal.

        If a label contains the name of an object, the name stands for each object with that name.
        """
        bindings = match_pattern(derivation.pattern, goal[::2], derivation.reading, {})
        if bindings is None:
            return
        object_name = next((name for name in derivation.reading if name in derivation.rule.objects and isinstance(bindings[name], str)), "")
        if not object_name:
            yield bindings
        for element in self._index.objects if object_name else ():
            if bindings[object_name] in element.concept.words:
                yield bindings | {object_name: element}

    def _prove_premises(
        self, rule: InferenceRule, patterns: tuple[Pattern, ...], bindings: TermByVariable, budget: int
    ) -> tuple[Proof, ...] | None:
        """Return proofs of all patterns under bindings that meet the rule's conditions, or None."""
        if next(failed_conditions(rule, bindings, self._lexicon), None):
            return None
        if not patterns:
            return () if self._meets_term_condition(rule, bindings) else None
        for proof, new_bindings in self._iterate_proofs(patterns[0], bindings, budget):
            other_proofs = self._prove_premises(rule, patterns[1:], new_bindings, budget - proof.cost)
            if other_proofs is not None:
                return (proof, *other_proofs)
        return None

    def _iterate_proofs(self, pattern: Pattern, bindings: TermByVariable, budget: int) -> Iterator[tuple[Proof, TermByVariable]]:
        """Yield the proofs of a pattern with their bindings.

        The graph contains the tuple, or, if all parts of the pattern are known, other rules derive it.
        """
        for candidate in self._candidate_tuples(pattern, bindings):
            for new_bindings in iterate_matches(pattern, candidate, bindings, self._rules):
                yield Proof(candidate.words, source_tuple=candidate), new_bindings
        if budget:
            for goal in self._goals_of_pattern(pattern, bindings):
                if proof := self._prove(goal, budget):
                    yield proof, bindings

    def _candidate_tuples(self, pattern: Pattern, bindings: TermByVariable) -> Sequence[SceneTuple]:
        """Return the tuples of the graph that may match the pattern, given the bound variables."""
        first, last = (self._value_of(name, bindings) for name in (pattern.objects[0], pattern.objects[-1]))
        if isinstance(first, str) or isinstance(last, str):
            return ()
        if pattern.part_count == 1:
            group = [self._index.objects.get(first)] if first else list(self._index.objects.values())
            return [attribute for attribute in group if attribute]
        if pattern.part_count == 2:
            return (
                self._index.attributes.get(first, ())
                if first
                else [attribute for group in self._index.attributes.values() for attribute in group]
            )
        return self._relations_between(first, last)

    def _relations_between(self, subject: Element | None, object_: Element | None) -> Sequence[SceneTuple]:
        """Return the relations with this subject and object, where None matches any object."""
        if subject and object_:
            return self._index.relations_by_ends.get((subject, object_), ())
        if subject:
            return self._index.relations_by_subject.get(subject, ())
        return self._index.relations_by_object.get(object_, ()) if object_ else self._index.relations

    def _value_of(self, name: str, bindings: TermByVariable) -> Term | None:
        """Return the value of a variable, or the object that a rule's word denotes."""
        if is_variable(name):
            return bindings.get(name)
        return next((element for element in self._index.objects if name in element.concept.words), None)

    def _goals_of_pattern(self, pattern: Pattern, bindings: TermByVariable) -> list[Goal]:
        """Return a goal for each fully known label of a pattern, or none if one of its objects is unknown."""
        terms = [bindings.get(name, name) for name in pattern.objects]
        if any(isinstance(term, str) and is_variable(term) for term in terms):
            return []
        if not pattern.labels:
            return [(terms[0],)]
        values = {name: _words_of_goal((bindings[name],))[0] for name in pattern.variables if name in bindings}
        return [(terms[0], text, *terms[1:]) for label in pattern.labels if (text := label.fill(values))]  # type: ignore[misc]

    def _meets_term_condition(self, rule: InferenceRule, bindings: TermByVariable) -> bool:
        """Return whether the terms meet a rule's condition on an owner, a predicate noun or a plural, if any."""
        if rule.owner:
            owner, element = (bindings[name] for name in rule.owner.split())
            return self._lexicon.possession_share(term_names(owner), term_names(element)) > 0
        if rule.likely_owner:
            owner, element = (bindings[name] for name in rule.likely_owner.split())
            return isinstance(owner, Element) and isinstance(element, Element) and owner in self._likely_owners(element)
        if rule.predicate:
            subject, noun = (bindings[name] for name in rule.predicate.split())
            return isinstance(noun, Element) and subject in self._index.predicate_nouns.get(noun, ())
        if rule.plural:
            element = bindings[rule.plural]
            return isinstance(element, Element) and self._lexicon.is_plural(element)
        return True

    def _likely_owners(self, element: Element) -> frozenset[Element]:
        """Return the likely owners of a thing, or an empty set if the graph states an owner.

        The likely owner is the only object that is known to have such things. If there are several such objects, it is the one that a
        caption mentions last before the thing.
        """
        if element not in self._known_owners:
            self._known_owners[element] = frozenset(self._find_owners(element))
        return self._known_owners[element]

    def _find_owners(self, element: Element) -> Iterable[Element]:
        names = element.concept.words
        if any(self._lexicon.is_a(relation.concepts[1].words, "owning") for relation in self._index.relations_by_object.get(element, ())):
            return ()
        owners = [
            object_
            for object_ in self._index.objects
            if object_ is not element and self._lexicon.possession_share(object_.concept.words, names) > 0
        ]
        return (
            owners
            if len(owners) < 2
            else filter(None, (_last_thing_before(owners, *place) for place in _first_place_by_caption(element).items()))
        )


def _key_of_token(caption: int, proposition: Proposition, part_index: int) -> tuple[int, int, int, int]:
    """Return the caption and the sentence of a proposition, and the index and start of a part's last token."""
    token = proposition.tokens[part_index][-1]
    return caption, proposition.sentence, token.index, token.start


def _first_place_by_caption(element: Element) -> dict[int, tuple[int, int]]:
    """Return the sentence and the token of an object's first mention in each caption."""
    places: dict[int, tuple[int, int]] = {}
    for caption, place in places_of(element):
        places[caption] = min(places.get(caption, place), place)
    return places


def places_of(element: Element, named: bool = False) -> Iterator[tuple[int, tuple[int, int]]]:
    """Yield caption, sentence and last token index of each mention of an object, if ``named`` only of mentions by its name."""
    for caption, proposition, part, *_ in element.mentions:
        tokens = proposition.tokens[part] if part < len(proposition.tokens) else ()
        if tokens and not (named and tokens[-1].lemma not in element.concept.words):
            yield caption, (proposition.sentence, proposition.tokens[part][-1].index)


def _last_thing_before(things: Iterable[Element], caption: int, place: tuple[int, int]) -> Element | None:
    """Return the thing mentioned last before a place in a caption, or None."""
    earlier_mentions = [
        (position, element.id, element)
        for element in things
        for mention_caption, position in places_of(element)
        if mention_caption == caption and position < place
    ]
    return max(earlier_mentions, key=lambda mention: mention[:2])[2] if earlier_mentions else None


def _share_sentence(proofs: Sequence[Proof]) -> bool:
    """Return whether the tuples that these proofs are based on come from one sentence."""
    places = [sentences_of(tuple_) for proof in proofs for tuple_ in proof.tuples]
    return not places or bool(set.intersection(*places))


def sentences_of(*items: Element | SceneTuple) -> set[tuple[int, int]]:
    """Return the caption and the sentence of each mention."""
    return {(m.caption, m.proposition.sentence) for item in items for m in item.mentions}


def _words_of_goal(goal: Goal) -> tuple[str, ...]:
    return tuple(str(part.concept) if isinstance(part, Element) else part for part in goal)


def _pattern_words(pattern: Pattern, bindings: TermByVariable) -> tuple[str, ...]:
    """Return the words of a pattern, with "…" for unknown variables."""
    values = {name: _words_of_goal((term,))[0] for name, term in bindings.items()}
    objects = [values.get(name, "…") if is_variable(name) else name for name in pattern.objects]
    label = next((text for label in pattern.labels if (text := label.fill(values))), "…" if pattern.labels else "")
    return (objects[0], *([label] if label else []), *objects[1:])


def _with_lexical_steps(proof: Proof, words: tuple[str, ...], steps: Sequence[tuple[str, str]]) -> Proof:
    """Return the proof with the lexical steps to these words appended."""
    for kind, path in steps:
        proof = Proof(words, kind, premises=(proof, Proof((path,))), cost=proof.cost + 1)
    return proof
