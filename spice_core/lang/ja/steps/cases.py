"""Steps that add case particles to relations and attach arguments, topics and initial places to their predicates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property

from spice_core.lang.ja import word_lists
from spice_core.lang.ja.trees import PLACE_RELATIONS, first_word_of_phrase, is_nominal, is_verb, is_verbal, particles_of, phrase_of
from spice_core.syntax.dependency_graph import DependencyGraph, EditableTree
from spice_core.syntax.document import Dependency, Token

_CASE_PARTICLES = frozenset("が を に へ と から より で まで の にて や とか か および 及び".split())
_JOINING_PARTICLES = frozenset("と や とか か および 及び".split())
_UNIVERSAL_QUANTIFIERS = ("どれ", "どちら", "みんな", "みな", "皆")  # with も, these words mean "all of" another noun
_ARGUMENT_RELATIONS = frozenset(
    ("nsubj", "obj", "iobj", "obl", "nmod", "advmod", "advcl", "dislocated", "dep", "nsubj:pass", "parataxis", "ccomp")
)


def set_case_relations(graph: DependencyGraph) -> DependencyGraph:
    """Set the relation of each noun by its particle. A topic becomes the subject in the absence of a noun with が.

    The より of a comparison becomes a part of the adjective.
    """
    subjects = {e.head for e in graph.edges if is_nominal(graph.token(e.dependent)) and _is_subject(graph, e.dependent)}

    def relabel(edge: Dependency) -> Dependency:
        token = graph.token(edge.dependent)
        if not edge.head or edge.relation not in _ARGUMENT_RELATIONS or not (is_nominal(token) or _is_adjective_stem(token, edge.relation)):
            return edge
        noun = _Noun(graph, edge, edge.head in subjects)
        return edge._replace(relation=next(filter(None, (find_relation(noun) for find_relation in _CASE_RULES)), edge.relation))

    def compare(edge: Dependency) -> Dependency:
        noun = graph.incoming(edge.head) if graph.text(edge.dependent) == "より" else None
        is_compared = noun is not None and graph.tag(noun.head).startswith(
            ("形容詞", "形状詞")
        )  # 象より|でかい犬 ("dog bigger than an elephant")
        return Dependency(noun.head, edge.dependent, "compound") if noun and is_compared else edge

    return graph.map_edges(relabel).map_edges(compare, "case")


def _is_subject(graph: DependencyGraph, index: int) -> bool:
    return "が" in particles_of(graph, index)[:1]


def _is_adjective_stem(token: Token, relation: str) -> bool:
    """Return whether an adjective stem is used as a noun: たくさんの ("many"), 大きめの ("rather big")."""
    is_stem = token.tag.startswith("形状詞") or token.text in ("だらけ", "まみれ")
    return is_stem and relation in ("nmod", "nsubj", "obj", "obl")


@dataclass(frozen=True)
class _Noun:
    """A noun, whose particles determine its relation."""

    graph: DependencyGraph
    edge: Dependency
    is_beside_subject: bool  # whether the governor has a subject with が

    @cached_property
    def token(self) -> Token:
        """The noun itself."""
        return self.graph.token(self.edge.dependent)

    @cached_property
    def governor(self) -> Token:
        """The word that the noun depends on."""
        return self.graph.token(self.edge.head)

    @cached_property
    def text(self) -> str:
        """The noun with its compound parts."""
        return phrase_of(self.graph, self.edge.dependent)

    @cached_property
    def particles(self) -> list[str]:
        """The particles of the noun, without the か of an indefinite pronoun such as 何か ("something")."""
        particles = particles_of(self.graph, self.edge.dependent)
        return particles[1:] if particles[:1] == ["か"] and self.text in word_lists.INTERROGATIVE_PRONOUNS else particles

    @cached_property
    def case(self) -> str:
        """The case particle of the noun, or an empty string if it has none."""
        return next((p for p in self.particles if p in _CASE_PARTICLES), "")

    @cached_property
    def is_quantity(self) -> bool:
        """Whether the noun says how many or how much."""
        return word_lists.is_quantity(self.text)


def _relation_of_clause(noun: _Noun) -> str:
    """Return the relation of a noun that is the predicate of a clause.

    赤い屋根が|特徴で、 ("the red roof is its feature, and"), 人で|いっぱいの電車 ("train full of people").
    """
    index = noun.edge.dependent
    if noun.edge.relation == "advcl" and noun.graph.has_child(index, "cop") and noun.graph.has_child(index, "nsubj"):
        return "advcl"
    return "acl" if noun.case == "の" and noun.token.tag.startswith("形状詞") and _has_argument(noun.graph, index) else ""


def _relation_of_owner(noun: _Noun) -> str:
    """Return the relation of a noun with の: modifier of a noun, or subject of a clause before a noun."""
    if noun.case != "の":
        return ""
    is_description = word_lists.is_attribute(noun.text) or noun.is_quantity
    return "nsubj" if is_verbal(noun.governor) and (not is_description or _is_part_before_clause(noun.graph, noun.edge)) else "nmod:の"


def _relation_of_time(noun: _Noun) -> str:
    return "obl:時間" if noun.case in ("", "に", "で") and word_lists.is_time(noun.text) else ""


def _relation_of_quantity(noun: _Noun) -> str:
    """Return the relation of a quantity, which modifies an argument near it.

    本が|二冊とペンが一本 ("two books and one pen"), 果物は|どれも|新鮮だ ("all the fruit is fresh").
    """
    is_universal = noun.particles[:1] == ["も"] and (
        noun.text in _UNIVERSAL_QUANTIFIERS or (noun.text in ("何", "誰") and noun.is_beside_subject)
    )
    is_adverbial = noun.is_quantity and noun.case in ("", "で") and is_verbal(noun.governor)
    is_list_item = noun.is_quantity and noun.case in _JOINING_PARTICLES and _is_floated_quantity(noun.graph, noun.edge.dependent)
    return "nummod:floated" if is_universal or is_adverbial or is_list_item else ""


def _relation_of_conjunct(noun: _Noun) -> str:
    if not is_nominal(noun.governor):
        return ""
    are_focused = noun.particles[:1] == ["も"] == particles_of(noun.graph, noun.edge.head)[:1]  # 靴も|帽子も ("both shoes and hat")
    return "conj:も" if are_focused else f"conj:{noun.case}" if noun.case in _JOINING_PARTICLES else ""


def _relation_of_argument(noun: _Noun) -> str:
    """Return the relation that a case particle marks, unless the noun is an adverb."""
    if noun.case in ("が", "を"):
        return "nsubj" if noun.case == "が" else "obj"
    if noun.text in word_lists.ADVERBIAL_WORDS or (noun.case == "と" and noun.token.tag.startswith("副詞")):
        return "advmod"
    if noun.case:
        return "obl:" + {"にて": "で"}.get(noun.case, noun.case)
    return f"obl:{noun.particles[0]}" if noun.particles and len(noun.particles[0]) > 2 else ""


def _relation_of_topic(noun: _Noun) -> str:
    """Return the relation of a noun with は, も or だけ: quantity, object, or topic in place of the subject."""
    if noun.is_quantity:
        return "nummod:floated"
    if not noun.particles:
        return ""
    return "obl:は" if noun.is_beside_subject else "nsubj"


def _relation_of_bare_noun(noun: _Noun) -> str:
    """Return the relation of a noun without a particle: conjunct, first part of a compound, place or adverb."""
    graph, edge = noun.graph, noun.edge
    if is_nominal(noun.governor) and graph.text(edge.dependent + 1) in ("、", "，", "・", "と"):
        return "conj:、"
    if edge.relation == "nmod" and is_nominal(noun.governor) and _index_before_compound(graph, edge.head) == edge.dependent:
        return "compound"
    if noun.text in word_lists.PLACE_NOUNS and graph.has_child(edge.dependent, "nmod", "nmod:の"):
        return "obl:に"
    return "advmod" if edge.relation in ("obl", "advcl", "advmod") else ""


# the first applicable rule decides
_CASE_RULES = (
    _relation_of_clause,
    _relation_of_owner,
    _relation_of_time,
    _relation_of_quantity,
    _relation_of_conjunct,
    _relation_of_argument,
    _relation_of_topic,
    _relation_of_bare_noun,
)


def _has_argument(graph: DependencyGraph, index: int) -> bool:
    preceding_edges = graph.children_before(index, index)
    return any(particles_of(graph, e.dependent)[:1] in (["で"], ["に"]) for e in preceding_edges)


def _is_part_before_clause(graph: DependencyGraph, edge: Dependency) -> bool:
    """Return whether a part directly precedes the clause about it.

    髪の|長い女性 ("woman with long hair"), 窓の|ない部屋 ("room without windows"), but not 階段の|赤い手すり ("red handrail of the
    stairs").
    """
    lemma = graph.lemma(edge.head)
    parts = word_lists.PART_NOUNS if lemma in ("ない", "無い") else word_lists.BODY_PART_NOUNS if lemma in word_lists.SIZE_WORDS else ()
    return edge.head == edge.dependent + 2 and graph.text(edge.dependent) in parts


def _is_floated_quantity(graph: DependencyGraph, quantity: int) -> bool:
    """Return whether a quantity directly follows the counted noun and its particle."""
    particle_index = _index_before_compound(graph, quantity)
    return particle_index > 0 and graph.text(particle_index) in ("が", "を")


def _index_before_compound(graph: DependencyGraph, index: int) -> int:
    """Return the index of the word before a word and its compound parts."""
    parts = {e.dependent for e in graph.children(index, "compound")}
    index -= 1
    while index in parts:
        index -= 1
    return index


def return_arguments_to_verbs(graph: DependencyGraph) -> DependencyGraph:
    """Move arguments that GiNZA attached to a noun to the verb of its relative clause, if they precede that verb.

    絵本を|読み聞かせる|母親 ("mother who reads a picture book to somebody"), 雨の中、|走る|男性 ("man who runs in the rain").
    """
    tree = graph.tree()
    clause_by_noun = {e.head: e.dependent for e in reversed(graph.edges_of("acl")) if is_verb(graph.token(e.dependent))}
    for edge in graph.edges:
        clause = clause_by_noun.get(edge.head, 0)
        if not edge.dependent < clause <= edge.head or edge.relation not in ("obj", "obl", "nmod", "nsubj", "advmod"):
            continue
        if particles_of(graph, edge.head) and is_verbal(graph.token(tree[edge.head].head)):
            continue  # the verb above may take the argument too
        if _may_be_argument(graph, edge.dependent):
            tree[edge.dependent] = Dependency(clause, edge.dependent, "obl" if edge.relation == "nmod" else edge.relation)
    return graph.with_edges(tree.values())


def _may_be_argument(graph: DependencyGraph, noun: int) -> bool:
    """Return whether a noun has a case particle, or is a time or a place without one."""
    if particles := particles_of(graph, noun):
        return particles[0] in ("を", "に", "へ", "から", "で")
    text = graph.text(noun)
    return word_lists.is_time(text) or (text in word_lists.PLACE_NOUNS and graph.has_child(noun, "nmod"))


def attach_stray_arguments(graph: DependencyGraph) -> DependencyGraph:
    """Move an argument from an adverb, an adjective or a noun with a particle to the predicate above.

    馬が|牧草地で草を|食む ("a horse grazes in a meadow"), 黒色に|白い文字が|書かれた ("white letters are written on black").
    """
    tree = graph.tree()
    has_particle = cache(lambda index: bool(particles_of(graph, index)))
    for edge in graph.edges:
        if not edge.head or not (edge.relation in ("nsubj", "obj") or edge.relation.startswith("obl:")):
            continue
        head = _skip_upwards(tree, edge.head, lambda word: graph.tag(word).startswith("副詞") and tree[word].relation == "advmod")
        head = _skip_upwards(
            tree, head, lambda word: tree[word].relation != "advcl" and is_nominal(graph.token(word)) and has_particle(word)
        )
        if edge.relation in ("obl:に", "obl:で", "obj") and graph.tag(head).startswith("形容詞") and tree[head].relation == "acl":
            head = _skip_upwards(tree, head, lambda word: not is_verb(graph.token(word)))  # 黒色に|白い文字が|書かれた
        if head != edge.head and is_verbal(graph.token(head)):
            tree[edge.dependent] = edge._replace(head=head)
    return graph.with_edges(tree.values())


def _skip_upwards(tree: EditableTree, word: int, is_skipped: Callable[[int], bool]) -> int:
    """Return the first word, going upwards from this one, that ``is_skipped`` rejects, or the topmost word.

    海が|とても|青い ("the sea is very blue"): とても is skipped.
    """
    for ancestor in tree.ancestors(word):
        if not is_skipped(word):
            break
        word = ancestor
    return word


def attach_initial_places(graph: DependencyGraph) -> DependencyGraph:
    """Attach a place at the start of the caption to the main verb.

    道路で|ヘルメットを被り|スケートボードに乗る ("on the road, wear a helmet and ride a skateboard").
    """
    tree = graph.tree()
    for edge in graph.edges_of(*PLACE_RELATIONS):
        if edge.head and first_word_of_phrase(graph, edge.dependent) == 1:
            verb = edge.head
            while main_verb := _find_place_taker(graph, tree, verb, edge):
                verb = main_verb
            tree.attach(edge.dependent, verb, edge.relation)
    return graph.with_edges(tree.values())


def _find_place_taker(graph: DependencyGraph, tree: EditableTree, verb: int, place_edge: Dependency) -> int:
    """Return the verb above to which the place belongs, or 0 if it belongs to this verb."""
    head, clause_relation, is_location = tree[verb].head, tree[verb].relation, place_edge.relation == "obl:で"
    has_subject = graph.has_child(verb, "nsubj")
    if clause_relation == "advcl" and is_location and head and is_verb(graph.token(head)):
        return 0 if has_subject and graph.has_child(head, "nsubj") else head
    if clause_relation != "acl" or not head or has_subject or (not is_location and _takes_goal(graph, verb, place_edge.dependent)):
        return 0
    outer_verb = _verb_of_subject(tree, head)
    return 0 if is_location and graph.lemma(outer_verb) in ("いる", "ある", "居る") else outer_verb


def _verb_of_subject(tree: EditableTree, noun: int) -> int:
    """Return the verb whose subject is the noun or a list that begins with it, or 0 if there is none."""
    role = tree[noun]
    while role.relation.startswith("conj:"):
        role = tree[role.head]
    return role.head if role.head and role.relation == "nsubj" and is_verb(tree.token(role.head)) else 0


def _takes_goal(graph: DependencyGraph, verb: int, place: int) -> bool:
    """Return whether に marks the goal of a verb or of its object, or the part of the body that the verb's object is on."""
    if not graph.has_child(verb, "obj") or graph.lemma(verb) in word_lists.PLACEMENT_VERBS:
        return True
    return graph.lemma(verb) in word_lists.HOLDING_VERBS and graph.text(place) in word_lists.PART_NOUNS
