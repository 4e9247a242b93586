"""Steps for coordination, negation, clauses before nouns, descriptions and place words."""

from __future__ import annotations

from spice_core.lang.ja import word_lists
from spice_core.lang.ja.trees import is_nominal, is_passive, is_verb, is_verbal, phrase_of
from spice_core.lang.ja.word_forms import NEGATION_RELATION
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Dependency


def share_conjunct_roles(graph: DependencyGraph) -> DependencyGraph:
    """Give every conjunct the roles of the last one: タオルと|鏡が置いてある ("there are a towel and a mirror")."""
    next_by_conjunct = {e.dependent: e.head for e in graph.edges if e.relation.startswith("conj:")}
    if not next_by_conjunct:
        return graph
    out = list(graph.edges)
    for conjunct, head in next_by_conjunct.items():
        while head in next_by_conjunct:
            head = next_by_conjunct[head]
        out += [e._replace(dependent=conjunct) for e in graph.parents(head) if e.head and not e.relation.startswith("conj:")]
    return graph.with_unique_edges(out)


def attach_descriptions_of_places(graph: DependencyGraph) -> DependencyGraph:
    """Attach a clause or adnominal to the noun it modifies: A before "A の横" ("beside A"), B before "赤のB" ("red B").

    切り立った|崖の横 ("beside a steep cliff").
    """

    def attach(edge: Dependency) -> Dependency:
        if edge.relation in ("acl", "amod") and edge.head and _describes_background(phrase_of(graph, edge.head)):
            noun = next((m.dependent for m in graph.children(edge.head, "nmod:の") if m.dependent > edge.dependent), 0)
            return edge._replace(head=noun) if noun else edge
        head_edge = graph.incoming(edge.head)
        return (
            edge._replace(head=head_edge.head)
            if head_edge and head_edge.relation == "nmod:の" and _describes_noun_behind(graph, edge)
            else edge
        )

    return graph.map_edges(attach)


def _describes_noun_behind(graph: DependencyGraph, edge: Dependency) -> bool:
    """Return whether a word before "A の B" modifies B rather than A, because A only modifies B as well.

    A is, for example, a colour (赤, "red"), a pattern (縞模様, "stripes"), a time (夏, "summer") or a material (木, "wood").
    """
    text = phrase_of(graph, edge.head)
    if edge.relation == "nmod:の":
        return _is_pattern(text) and _is_description(phrase_of(graph, edge.dependent))
    is_clause = edge.relation == "acl" and is_verb(graph.token(edge.dependent))
    return (edge.relation in ("acl", "amod") and _is_description(text)) or (is_clause and _is_time_or_material(text))


def _describes_background(text: str) -> bool:
    """Return whether a clause before "A の B" modifies A, which is so if B, given as text, is a place word, or a picture or view."""
    return text in word_lists.RELATIONAL_NOUNS | word_lists.PICTURE_NOUNS or text.endswith(("姿", "景", "写真", "絵"))


def _is_pattern(text: str) -> bool:
    return text in word_lists.SHAPE_WORDS or text.endswith(("模様", "柄"))


def _is_description(text: str) -> bool:
    return text in word_lists.COLOUR_WORDS or word_lists.is_quantity(text) or word_lists.is_suffixed(text) or text.endswith("造り")


def _is_time_or_material(text: str) -> bool:
    """Return whether a text denotes a time or a material.

    A clause with a verb before such a noun describes the next noun: 寿司が並んだ|木の皿 ("wooden plate on which sushi is lined up").
    """
    return word_lists.is_time(text) or text in word_lists.MATERIAL_WORDS


def separate_negated_words(graph: DependencyGraph) -> DependencyGraph:
    """Relabel the edges from predicates to negations (ない, ず, ません) as advmod:ない, which distinguishes negated predicates."""
    candidates = graph.edges_of("aux", "mark", "fixed", "advcl")
    return graph.relabel({e for e in candidates if 0 < e.head < e.dependent and graph.lemma(e.dependent) in _NEGATION_WORDS}, "advmod:ない")


def relate_negations(graph: DependencyGraph) -> DependencyGraph:
    """Relate ない, ず and ません to the negated predicate, which takes its negative form as its dictionary form."""
    # 一つしかない ("there is only one") asserts that there is one
    limited_words = {e.head for e in graph.edges if graph.text(e.dependent + 1) == "しか"}

    def negate(edge: Dependency) -> Dependency:
        if edge.head in limited_words:
            return edge
        predicate = graph.head(edge.head, "cop", "aux")  # 医者|では|ない ("is not a doctor")
        is_stated = predicate and (graph.has_child(predicate, "nsubj") or is_verbal(graph.token(predicate)))
        return edge._replace(head=predicate if is_stated else edge.head, relation=NEGATION_RELATION)

    graph = separate_negated_words(graph)
    return graph.map_edges(negate, "advmod:ない")


_NEGATION_WORDS = frozenset(("ない", "ぬ", "ず", "ん", "無い"))


def fill_relative_clauses(graph: DependencyGraph) -> DependencyGraph:
    """Give the noun after a clause its role in it: subject, object, or 外の関係 ("outer relation") if the clause has a subject."""
    clause_edges = (e for e in graph.edges_of("acl", "advcl") if e.head)
    return graph.with_unique_edges((*graph.edges, *(new_edge for e in clause_edges for new_edge in _edges_to_described_noun(graph, e))))


def _edges_to_described_noun(graph: DependencyGraph, edge: Dependency) -> list[Dependency]:
    """Return the edges from a clause, or from an adjective before another adjective, to the noun that it modifies."""
    predicate = graph.token(edge.dependent)
    if edge.relation == "advcl":  # 四角い|白いお皿 ("square white plate")
        noun = graph.head(edge.head, "acl") if edge.head == edge.dependent + 1 else 0
        is_plain_adjective = predicate.tag.startswith("形容詞") and predicate.text == predicate.lemma
        return [Dependency(edge.dependent, noun, "nsubj")] if noun and is_plain_adjective else []
    if not is_nominal(graph.token(edge.head)) or not (is_verbal(predicate) or graph.has_child(edge.dependent, "cop")):
        return []
    role = _role_in_clause(graph, edge.dependent, edge.head)
    part_edges = (Dependency(clause, edge.head, "obl:外の関係") for clause in _clauses_about_parts(graph, edge.dependent))
    return [Dependency(edge.dependent, edge.head, role), *part_edges] if role else []


def _role_in_clause(graph: DependencyGraph, predicate: int, noun: int) -> str:
    """Return the role of a noun in the relative clause before it, or "" for a formal noun."""
    if graph.lemma(noun) in word_lists.FORMAL_NOUNS:
        return ""
    if graph.has_child(predicate, "nsubj"):
        return "obl:外の関係"
    verb = graph.lemma(predicate)
    lacks_object = verb in word_lists.TRANSITIVE_VERBS and not graph.has_child(predicate, "obj") and not is_passive(graph, predicate)
    return "obj" if lacks_object and not _is_animate_noun(graph, noun) else "nsubj"


def _clauses_about_parts(graph: DependencyGraph, predicate: int) -> list[int]:
    """Return the adjectives before a clause that modify a part of the same noun.

    毛が|長くて|耳の垂れた犬 ("dog with long hair and hanging ears").
    """
    edges_before = graph.children_before(predicate, predicate)
    first_index = min([predicate, *(e.dependent for e in edges_before)])
    preceding_clauses = {e.dependent for e in edges_before if e.relation == "advcl"}
    # 鼻が|長く|て|足の太い象 ("elephant with a long trunk and thick legs")
    preceding_clauses |= {first_index - 2} if first_index > 2 and graph.text(first_index - 1) == "て" else set()
    return [i for i in sorted(preceding_clauses) if graph.tag(i).startswith("形容詞") and graph.has_child(i, "nsubj")]


def _is_animate_noun(graph: DependencyGraph, noun: int) -> bool:
    return word_lists.is_animate(graph.text(noun)) or phrase_of(graph, noun) in word_lists.ANIMATE_NOUNS


_DETERMINER_WORDS = frozenset("この その あの どの ある 或る こんな そんな あんな どんな 各 同".split())


def relabel_descriptions(graph: DependencyGraph) -> DependencyGraph:
    """Relabel modifiers of a noun: オレンジ色の ("orange") as amod, 二頭の ("two") as nummod, この ("this") as det."""

    def relabel(edge: Dependency) -> Dependency:
        if edge.relation != "nmod:の":
            return edge._replace(relation="det") if graph.text(edge.dependent) in _DETERMINER_WORDS else edge
        if not edge.head:
            return edge
        text, noun = phrase_of(graph, edge.dependent), _find_described_noun(graph, edge)
        if word_lists.is_quantity(text):
            return Dependency(noun, edge.dependent, "nummod")
        is_empty = text == "空" and phrase_of(graph, noun) in word_lists.CONTAINER_NOUNS  # 空の|グラス ("empty glass")
        is_description = (
            is_empty or word_lists.is_attribute(text) or graph.tag(edge.dependent).startswith("副詞")
        )  # ふわふわの|毛 ("fluffy fur")
        is_thing = graph.has_child(edge.dependent, "acl", "amod", "nmod:の")  # a description has no modifiers
        is_located = graph.text(noun) in word_lists.RELATIONAL_NOUNS
        return Dependency(noun, edge.dependent, "amod") if is_description and not is_thing and not is_located else edge

    return graph.map_edges(relabel, "nmod:の", "amod", "det")


def _find_described_noun(graph: DependencyGraph, edge: Dependency) -> int:
    """Return the noun that a description with の modifies: its head, or the noun after the clause if the head is a predicate.

    二頭の|走る|犬 ("two running dogs").
    """
    return (graph.head(edge.head, "acl") if is_verbal(graph.token(edge.head)) else 0) or edge.head


def make_place_relations(graph: DependencyGraph) -> DependencyGraph:
    """Make a place word between two nouns the relation between them: 箱の|中の|缶 ("can in a box")."""
    return graph.relabel({e for e in graph.edges_of("nmod:の") if phrase_of(graph, e.dependent) in word_lists.PLACE_NOUNS}, "nmod:場所")
