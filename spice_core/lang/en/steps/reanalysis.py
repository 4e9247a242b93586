"""Corrections of basic trees for constructions in which parsers and treebanks disagree or the word order is unusual."""

from __future__ import annotations

from spice_core.lang.en.grammar import is_noun
from spice_core.lang.en.parsers.tree_repair import GERUND_VERBS
from spice_core.lang.en.steps.numbers import drop_how_many, join_dates, join_directions, join_numbers, relabel_bare_times, split_ranges
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Dependency

_FINITE_VERB_TAGS = ("VBZ", "VBP", "VBD")
_SAY_VERBS = frozenset("say read spell state".split())
_DISTRIBUTIVE_WORDS = ("all", "each", "both")
_CAUSATIVE_VERBS = frozenset(("have", "get"))
_MEMBER_WORDS = frozenset("other another second third others rest".split())
_PICTURES_OF_PEOPLE = frozenset("selfie picture photo photograph pic portrait snapshot drawing painting shot video".split())
_PARTICIPLE_RELATIONS = ("ccomp", "conj", "acl", "advcl")  # relations of a participle that may describe the noun before it
_JOINING_RELATIONS = ("advcl", "conj", "parataxis", "obl", "nmod")


def reanalyse(graph: DependencyGraph) -> DependencyGraph:
    """Correct the tree of a sentence, for example one with inversion, a list without "and", an apposition or a stranded preposition."""
    for change in REANALYSES:
        graph = change(graph)
    return graph


def _read_stranded_prepositions(graph: DependencyGraph) -> DependencyGraph:
    """Read a preposition after its noun as an adverb: "a man with a cap on"."""
    cases = graph.edges_of("case")
    heads_after_case = {e.head for e in cases if e.dependent < e.head}
    stranded_cases = {e for e in cases if e.dependent > e.head and e.head in heads_after_case and graph.tag(e.dependent) != "POS"}
    return graph.relabel(stranded_cases, "advmod")


def _attach_which_clauses(graph: DependencyGraph) -> DependencyGraph:
    """Attach a clause with "which", "that", "who" or "whose" in its subject to the noun right before that pronoun."""

    def attach(edge: Dependency) -> Dependency:
        subject = graph.child_like(edge.dependent, "nsubj")
        pronoun = graph.child(subject, "nmod:poss") if graph.tag(graph.child(subject, "nmod:poss")) == "WP$" else subject
        noun = pronoun - (2 if pronoun > 2 and graph.word(pronoun - 1) == "," and pronoun != subject else 1)
        if noun < 1 or graph.tag(pronoun) not in ("WDT", "WP", "WP$") or not is_noun(graph, noun) or noun == edge.dependent:
            return edge
        return Dependency(noun, edge.dependent, "acl:relcl")

    return graph.map_edges(attach, *_JOINING_RELATIONS)


def _resolve_inversion(graph: DependencyGraph) -> DependencyGraph:
    """Read the object of a finite verb as its subject if only a place or "there" precedes the verb: "On the table lie apples"."""

    def relabel(edge: Dependency) -> Dependency:
        is_inverted = graph.tag(edge.head) in _FINITE_VERB_TAGS and edge.dependent > edge.head and _lacks_subject(graph, edge.head)
        return edge._replace(relation="nsubj") if is_inverted else edge

    return graph.map_edges(relabel, "obj")


def _resolve_inverted_predicates(graph: DependencyGraph) -> DependencyGraph:
    """Read the noun after "be" as the subject if a predicate precedes it: "visible along the wall are vases", "framing a hill is a fence"."""
    for e in graph.edges_of("cop"):
        if e.dependent < e.head and is_noun(graph, e.head) and not graph.has_child(e.head, "nsubj", "case", "expl"):
            graph = _put_predicate_first(graph, e)
    return graph


def _put_predicate_first(graph: DependencyGraph, be: Dependency) -> DependencyGraph:
    """Make a predicate before "be" the head of the noun after "be", or attach the phrases of a preceding modifier to the noun."""
    noun, above = be.head, graph.incoming(be.head)
    before = next((e for e in graph.children(noun, "advcl", "acl", "amod") if e.dependent < be.dependent), None)
    if above and above.relation == "obl" and graph.tag(above.head)[:1] == "J" and above.head < be.dependent:
        return graph.replace(above, above._replace(relation="nsubj")).replace(be, be._replace(head=above.head))
    if before is None or above is None:
        return graph
    if graph.tag(before.dependent) not in ("VBG", "VBN"):
        return graph.map_edges(lambda e: Dependency(noun, e.dependent, "nmod") if e.head == before.dependent and e.relation == "obl" else e)
    subtype = ":pass" if graph.tag(before.dependent) == "VBN" else ""
    changed_edges = {
        above: above._replace(dependent=before.dependent),
        before: Dependency(before.dependent, noun, f"nsubj{subtype}"),
        be: Dependency(before.dependent, be.dependent, f"aux{subtype}"),
    }
    return graph.map_edges(lambda e: changed_edges.get(e, e))


def _lacks_subject(graph: DependencyGraph, verb: int) -> bool:
    """Return whether "there" or a place, but no subject, stands before a verb."""
    if graph.has_child_like(verb, "nsubj", "csubj", "aux") or graph.has_parent(verb, "conj"):
        return False
    places = (e.dependent for e in graph.children(verb, "obl", "advmod") if e.dependent < verb)
    return graph.has_child(verb, "expl") or any(graph.tag(place)[:1] in "NRE" for place in places)


def _relabel_complements(graph: DependencyGraph) -> DependencyGraph:
    """Read an object that has a subject as a clause ("sees girls swim"), and a noun after "says" as an object ("says STOP")."""

    def relabel(edge: Dependency) -> Dependency:
        has_subject = graph.has_child(edge.dependent, "nsubj")
        if edge.relation == "obj":
            return edge._replace(relation="ccomp") if has_subject and graph.tag(edge.dependent)[:1] == "V" else edge
        is_said = graph.lemma(edge.head) in _SAY_VERBS and not has_subject
        return edge._replace(relation="obj") if is_said and graph.tag(edge.dependent)[:1] in "NJCF" else edge

    return graph.map_edges(relabel, "obj", "ccomp", "xcomp")


def _attach_participles(graph: DependencyGraph) -> DependencyGraph:
    """Read a participle right after a noun as its modifier: "inspect a map spread out", "waves rolling and a couple walking"."""
    replacements: dict[Dependency, Dependency] = {}
    for edge in graph.edges:
        noun = edge.dependent - 1
        noun_edge = graph.incoming(noun) if noun > 0 and edge.relation in _PARTICIPLE_RELATIONS and is_noun(graph, noun) else None
        if noun_edge is None or graph.has_child(edge.dependent, "aux", "aux:pass", "mark"):
            continue
        if role := _role_with_participle(graph, edge, noun_edge):
            replacements[edge] = Dependency(noun, edge.dependent, "acl")
            replacements[noun_edge] = Dependency(edge.head, noun, role)
    return graph.map_edges(lambda e: replacements.get(e, e)) if replacements else graph


def _role_with_participle(graph: DependencyGraph, edge: Dependency, noun_edge: Dependency) -> str:
    """Return the role of a noun ("obj" or "conj") if the participle right after it modifies it, or "" otherwise.

    ``edge`` leads to the participle.
    """
    noun, is_subject, is_present = (
        noun_edge.dependent,
        noun_edge.head == edge.dependent and noun_edge.relation == "nsubj",
        graph.tag(edge.dependent) == "VBG",
    )
    if is_subject and edge.relation == "ccomp" and graph.tag(edge.dependent) == "VBN":
        return "obj"
    if edge.relation == "advcl" and noun_edge == Dependency(edge.head, noun, "obj"):
        return "obj" if graph.tag(edge.dependent) == "VBN" and graph.lemma(edge.head) in _CAUSATIVE_VERBS else ""  # "has her hair braided"
    if is_subject and edge.relation == "acl" and graph.has_child(noun, "cc"):
        return "conj"  # "ships and porters unloading"
    if not is_present or (noun_edge.head, noun_edge.relation) != (edge.head, "conj"):
        return ""
    has_modifier = edge.relation == "conj" or any(
        o.dependent < noun for o in graph.children(edge.head, "acl")
    )  # "a man laughing and a door slamming"
    return "conj" if has_modifier and edge.relation in ("conj", "acl") else ""


def _correct_fixed_phrases(graph: DependencyGraph) -> DependencyGraph:
    """Correct the edges of "navy blue", "still life" and "upside down".

    Both words of "one is navy blue" become colours of the subject, "still" becomes an adjective, and "upside down" an adverb.
    """

    def attach(edge: Dependency) -> Dependency:
        if edge.relation == "compound" and graph.tag(edge.head).startswith("J") and (subject := graph.child_like(edge.head, "nsubj")):
            return Dependency(subject, edge.dependent, "amod")
        if (
            edge.relation == "advmod"
            and graph.word(edge.dependent) == "still"
            and graph.lemma(edge.head) == "life"
            and edge.head == edge.dependent + 1
        ):
            return edge._replace(relation="amod")
        follows_upside = edge.relation == "compound:prt" and edge.dependent > 1 and graph.word(edge.dependent - 1) == "upside"
        return Dependency(edge.dependent - 1, edge.dependent, "fixed") if follows_upside else edge

    return graph.map_edges(attach, "compound", "advmod", "compound:prt")


def _coordinate_lists(graph: DependencyGraph) -> DependencyGraph:
    """Coordinate the nouns of a list without "and", and read a conjunct with a preposition after another phrase as a phrase."""

    def relabel(edge: Dependency) -> Dependency:
        if not edge.head or edge.dependent < edge.head or not is_noun(graph, edge.dependent):
            return edge
        if edge.relation == "dep" and _continues_list(graph, edge):
            return edge._replace(relation="conj")
        if edge.relation == "conj" and _is_phrase(graph, edge):
            return edge._replace(relation="nmod" if is_noun(graph, edge.head) else "obl")
        return edge

    return graph.map_edges(relabel, "dep", "conj")


def _continues_list(graph: DependencyGraph, edge: Dependency) -> bool:
    """Return whether an edge leads from a noun to a noun with a determiner or number and without a preposition."""
    return is_noun(graph, edge.head) and graph.has_child(edge.dependent, "det", "nummod") and not _has_preposition(graph, edge.dependent)


def _is_phrase(graph: DependencyGraph, edge: Dependency) -> bool:
    """Return whether a conjunct has a preposition, its first conjunct has none, and another phrase precedes it."""
    if _has_preposition(graph, edge.head) or not _has_preposition(graph, edge.dependent):
        return False
    return any(o.dependent < edge.dependent for o in graph.children(edge.head, "nmod", "obl"))


def _has_preposition(graph: DependencyGraph, index: int) -> bool:
    return any(graph.tag(e.dependent) != "POS" for e in graph.children(index, "case"))


def _form_appositions(graph: DependencyGraph) -> DependencyGraph:
    """Read a noun between two commas, without "and", as an apposition: "My dog, Rex, sleeps"."""
    commas = {e.dependent for e in graph.edges if graph.token(e.dependent).text == ","}
    if len(commas) < 2:
        return graph

    def relabel(edge: Dependency) -> Dependency:
        if _last_word_of_phrase(graph, edge.dependent) + 1 not in commas or not any(edge.head < c < edge.dependent for c in commas):
            return edge
        return edge._replace(relation="appos") if _is_apposition(graph, edge) else edge

    return graph.map_edges(relabel, "conj", "nmod")


def _last_word_of_phrase(graph: DependencyGraph, index: int) -> int:
    """Return the last word of a noun phrase, including the parts of a name and the phrases after the noun."""
    last_index, words = index, [index]
    while words:
        word = words.pop()
        last_index = max(last_index, word)
        words += [e.dependent for e in graph.children_like(word, "flat", "nmod") if e.dependent > word]
    return last_index


def _is_apposition(graph: DependencyGraph, edge: Dependency) -> bool:
    """Return whether a noun depends on a noun, has no preposition, and is not part of a coordination."""
    if not (is_noun(graph, edge.head) and is_noun(graph, edge.dependent)) or graph.has_child(edge.dependent, "case"):
        return False
    if graph.has_child(edge.head, "cc") or graph.has_child(edge.dependent, "cc"):
        return False
    return not any(graph.has_parent(o.dependent, "conj") for o in graph.children(edge.head) if o.dependent != edge.dependent)


def _resolve_existentials(graph: DependencyGraph) -> DependencyGraph:
    """Attach the place of "there is" to the subject: in "on the roof there is a cat", the cat is on the roof."""
    existentials = {e.head for e in graph.edges_of("expl") if graph.lemma(e.head) == "be"}
    noun_by_verb = {e.head: e.dependent for e in graph.edges_of("nsubj") if e.head in existentials}
    if not noun_by_verb:
        return graph
    return graph.map_edges(
        lambda e: Dependency(noun_by_verb[e.head], e.dependent, "nmod") if e.relation == "obl" and e.head in noun_by_verb else e
    )


def _join_sibling_subjects(graph: DependencyGraph) -> DependencyGraph:
    """Join two adjacent subjects of a verb, such as the parts of a name, or a noun and its name: "Mount Fuji rises"."""
    siblings = [e for e in graph.edges_of("nsubj") if e.head in graph.heads_by(e.dependent + 1, "nsubj")[-1:]]
    noun_by_name = {e.dependent + 1: e.dependent for e in siblings if _is_followed_by_name(graph, e.dependent)}
    sibling_edges = set(siblings)

    def attach(edge: Dependency) -> Dependency:
        if edge.dependent in noun_by_name:
            edge = Dependency(noun_by_name[edge.dependent], edge.dependent, "appos")
        return _attach_to_sibling(graph, edge) if edge in sibling_edges else edge

    return graph.map_edges(attach) if siblings else graph


def _attach_to_sibling(graph: DependencyGraph, edge: Dependency) -> Dependency:
    """Attach a number or the first part of a name to the subject after it, unless another word precedes the subject."""
    second, token = edge.dependent + 1, graph.token(edge.dependent)
    if any(o.dependent < edge.dependent for o in graph.children(second)):
        return edge
    if token.tag == "CD":
        return Dependency(second, edge.dependent, "nummod")
    is_name = graph.tag(second).startswith("NNP") and token.tag.startswith("NN") and token.text[:1].isupper()
    return Dependency(second, edge.dependent, "compound") if is_name else edge


def _is_followed_by_name(graph: DependencyGraph, noun: int) -> bool:
    """Return whether a name follows this noun as a second subject: "my friend Peter reads"."""
    is_before_name = graph.tag(noun + 1) == "NNP" and graph.tag(noun) == "NN"
    return is_before_name and graph.has_child(noun, "nmod:poss", "det", "amod")


def _promote_gerunds(graph: DependencyGraph) -> DependencyGraph:
    """Read a gerund that is the object of "enjoy", "practise" and the like as a clause, which takes over the places after it.

    In "practice dancing on a stage", the dancing is on the stage.
    """
    verb_by_object = {e.dependent: e.head for e in graph.edges_of("obj") if graph.tag(e.dependent) == "VBG"}
    gerund_by_verb = {verb: gerund for gerund, verb in verb_by_object.items() if graph.lemma(verb) in GERUND_VERBS}
    if not gerund_by_verb:
        return graph
    gerunds = set(gerund_by_verb.values())

    def relabel(edge: Dependency) -> Dependency:
        if edge.dependent in gerunds and edge.relation == "obj":
            return edge._replace(relation="xcomp")
        if edge.head in gerunds and edge.relation == "nmod":
            return edge._replace(relation="obl")
        follows_verb = edge.relation == "obl" and edge.head in gerund_by_verb and edge.dependent > gerund_by_verb[edge.head]
        return edge._replace(head=gerund_by_verb[edge.head]) if follows_verb else edge

    return graph.map_edges(relabel)


def _separate_titled_clauses(graph: DependencyGraph) -> DependencyGraph:
    """Detach a clause after a colon from the title before it: "The Annunciation: the angel kneels", "Step 3: fold the paper"."""
    root = graph.child(0, "root")
    colons = [t.index for t in graph.tokens if t.text == ":" and t.index > root]
    if not colons or not is_noun(graph, root):
        return graph

    def separate(edge: Dependency) -> Dependency:
        is_clause = edge.head == root and edge.dependent > colons[0] and edge.relation in ("acl", "acl:relcl", "parataxis", "advcl")
        first_word = min((o.dependent for o in graph.children(edge.dependent) if o.relation != "punct"), default=edge.dependent)
        return (
            edge._replace(relation="list")
            if is_clause and graph.tag(edge.dependent)[:1] == "V" and min(first_word, edge.dependent) > colons[0]
            else edge
        )

    return graph.map_edges(separate)


def _attach_to_pictured_pronoun(graph: DependencyGraph) -> DependencyGraph:
    """Coordinate a noun with the pronoun after "of" rather than with the picture before it: "a selfie of me and my friend"."""
    if "conj" not in graph.relations:
        return graph
    pronoun_by_picture = {
        e.head: e.dependent
        for e in graph.edges_of("nmod")
        if graph.tag(e.dependent) == "PRP" and graph.lemma(e.head) in _PICTURES_OF_PEOPLE
    }

    def attach(edge: Dependency) -> Dependency:
        pronoun = pronoun_by_picture.get(edge.head, 0)
        is_conjunct = pronoun and graph.has_parent(pronoun + 1, "cc") and graph.head(pronoun + 1, "cc") == edge.dependent
        return edge._replace(head=pronoun) if is_conjunct else edge

    return graph.map_edges(attach, "conj") if pronoun_by_picture else graph


def _read_gapped_members(graph: DependencyGraph) -> DependencyGraph:
    """Detach the second subject if its verb is omitted: "the other" in "one holds a red ball and the other a blue one"."""
    if "conj" not in graph.relations:
        return graph
    gapped_conjuncts = {e.dependent for e in graph.edges_of("conj") if is_noun(graph, e.dependent) and graph.has_parent(e.head, "obj")}

    def relabel(edge: Dependency) -> Dependency:
        is_gapped = edge.head in gapped_conjuncts and edge.dependent < edge.head and graph.lemma(edge.dependent) in _MEMBER_WORDS
        return edge._replace(relation="dep") if is_gapped and not graph.has_child(edge.head, "cop") else edge

    return graph.map_edges(relabel, "nsubj") if gapped_conjuncts else graph


def _attach_to_each_of_them(graph: DependencyGraph) -> DependencyGraph:
    """Attach a participle after "all", "each" or "both" to the plural right before that word: "sunflowers all facing south"."""
    if graph.words.isdisjoint(_DISTRIBUTIVE_WORDS):
        return graph

    def attach(edge: Dependency) -> Dependency:
        noun = edge.dependent - 2
        is_distributive = noun > 0 and graph.word(noun + 1) in _DISTRIBUTIVE_WORDS and graph.tag(noun) in ("NNS", "NNPS")
        return edge._replace(head=noun) if is_distributive and graph.tag(edge.dependent) in ("VBG", "VBN") else edge

    return graph.map_edges(attach, "acl")


def _read_have_to_as_auxiliary(graph: DependencyGraph) -> DependencyGraph:
    """Make "has to" an auxiliary of the verb after it: "a player has to bend down"."""
    if "xcomp" not in graph.relations:
        return graph
    verb_by_have = {
        e.head: e.dependent for e in graph.edges_of("xcomp") if graph.lemma(e.head) == "have" and graph.word(e.head + 1) == "to"
    }
    verb_by_have = {
        have_word: verb
        for have_word, verb in verb_by_have.items()
        if graph.head(have_word + 1, "mark") == verb and not graph.has_child(have_word, "obj")
    }
    if not verb_by_have:
        return graph
    have_by_verb = {verb: have_word for have_word, verb in verb_by_have.items()}

    def attach(edge: Dependency) -> Dependency:
        if edge.dependent in have_by_verb:
            return Dependency(edge.dependent, have_by_verb[edge.dependent], "aux")
        return edge._replace(head=verb_by_have.get(edge.head, edge.head), dependent=verb_by_have.get(edge.dependent, edge.dependent))

    return graph.map_edges(attach)


def _read_objects_behind_prepositions_as_phrases(graph: DependencyGraph) -> DependencyGraph:
    """Read an object with a preposition as an oblique: "climbs up a tree"."""
    phrases = {e for e in graph.edges_of("obj") if e.head < graph.child(e.dependent, "case") < e.dependent}
    return graph.relabel(phrases, "obl") if phrases else graph


def _read_apposed_participles(graph: DependencyGraph) -> DependencyGraph:
    """Read a participle in apposition to a noun as a modifier of the noun: "King David, dressed in blue, plays"."""
    return graph.map_edges(
        lambda e: e._replace(relation="acl") if graph.tag(e.dependent) == "VBN" and is_noun(graph, e.head) else e, "appos"
    )


REANALYSES = (
    _read_apposed_participles,
    _read_have_to_as_auxiliary,
    _read_objects_behind_prepositions_as_phrases,
    _attach_to_each_of_them,
    relabel_bare_times,
    _attach_to_pictured_pronoun,
    _read_gapped_members,
    split_ranges,
    join_dates,
    _separate_titled_clauses,
    join_directions,
    _read_stranded_prepositions,
    _attach_which_clauses,
    _resolve_inversion,
    _resolve_inverted_predicates,
    _relabel_complements,
    _attach_participles,
    _correct_fixed_phrases,
    _coordinate_lists,
    _form_appositions,
    _resolve_existentials,
    drop_how_many,
    _join_sibling_subjects,
    _promote_gerunds,
    join_numbers,
)
