"""Repairs of contradictions between tags and edges, which the network predicts independently for each word.

Each repair preserves the tree: it has one root, and one edge for each word, in the order of the words.
"""

from __future__ import annotations

from spice_core.lang.en.grammar import attach_all, edge_of, is_noun
from spice_core.lang.en.lemmas import regular_lemma
from spice_core.lang.en.parsers.attachment_repair import ATTACHMENT_REPAIRS, is_above
from spice_core.lang.en.parsers.word_class_repair import WORD_CLASS_REPAIRS
from spice_core.lang.en.word_lists import SOUND_WORDS
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Dependency

GERUND_VERBS = frozenset("enjoy practice practise love like hate start begin keep stop try finish continue prefer".split())
_SAY_FORMS = frozenset("says say said saying reads read reading".split())
_PRESENT_TAGS = ("VBZ", "VBP")
_VERB_TAG_BY_NOUN_TAG = {"NN": "VBP", "NNS": "VBZ"}  # corrected tags of words that are verbs in the tree, by the tagger's tag
_NOUN_TAG_BY_OTHER_TAG = {"JJ": "NN"}  # corrected tags of words after a preposition: "in blue", "on the left"
_CLAUSE_RELATIONS = ("root", "conj", "advcl", "parataxis", "ccomp")
_GERUND_EXCLUDING_RELATIONS = (
    "cop",
    "det",
    "case",
    "amod",
    "nummod",
    "compound",
    "nmod:poss",
)  # relations that mark a word in -ing as a noun
_NOUN_DEPENDENT_RELATIONS = (*_GERUND_EXCLUDING_RELATIONS, "nmod")
_COPULAR_RELATIONS = {"nsubj:pass": "nsubj", "aux:pass": "cop"}


def repair_tree(graph: DependencyGraph) -> DependencyGraph:
    """Return the tree with repaired edges, and with tags that agree with the edges: a word with a subject becomes a verb."""
    for repair in REPAIRS:
        graph = repair(graph)
    verbs, nouns, gerunds = _verbs_with_subjects(graph) | _listed_verbs(graph), _words_after_prepositions(graph), _gerund_objects(graph)
    signs, determined_nouns = _verbs_on_signs(graph), {e.head for e in graph.edges_of("det", "amod")}

    def correct_tag(index: int, tag: str) -> str:
        if index in gerunds or index in signs:
            return "VBG" if index in gerunds else "UH"
        if tag == "MD" and index in determined_nouns:
            return "NN"
        return _VERB_TAG_BY_NOUN_TAG.get(tag, tag) if index in verbs else _NOUN_TAG_BY_OTHER_TAG.get(tag, tag) if index in nouns else tag

    retagged_tokens = verbs | nouns | gerunds | signs | determined_nouns
    return graph.revise(tags={index: correct_tag(index, graph.tag(index)) for index in retagged_tokens})


def _verbs_with_subjects(graph: DependencyGraph) -> set[int]:
    """Return the words with a subject that must be verbs, because they have neither a copula nor a dependent that marks a noun."""
    return {e.head for e in graph.edges_of("nsubj") if not graph.has_child(e.head, *_NOUN_DEPENDENT_RELATIONS)}


def _listed_verbs(graph: DependencyGraph) -> set[int]:
    """Return the words that must be verbs: conjuncts of a finite verb without an object or complement before them ("smiles and waves")."""
    bare_edges = (
        e
        for e in graph.edges_of("conj")
        if graph.tag(e.head) in _PRESENT_TAGS and not graph.has_child(e.dependent, *_NOUN_DEPENDENT_RELATIONS)
    )
    return {e.dependent for e in bare_edges if not 0 < graph.child(e.head, "obj", "obl", "xcomp") < e.dependent}


def _words_after_prepositions(graph: DependencyGraph) -> set[int]:
    """Return the words that are the object of a preposition."""
    return {e.dependent for e in graph.edges_of("nmod", "obl") if graph.has_child(e.dependent, "case")}


def _verbs_on_signs(graph: DependencyGraph) -> set[int]:
    """Return the verbs without dependents that are the text of a sign: "the sign says STOP"."""
    sign_verbs = {
        e.dependent
        for e in graph.edges_of("xcomp", "ccomp")
        if graph.word(e.head) in _SAY_FORMS and graph.tag(e.dependent).startswith("VB")
    }
    return {word for word in sign_verbs if all(e.relation == "punct" for e in graph.children(word))}


def _gerund_objects(graph: DependencyGraph) -> set[int]:
    """Return the objects in -ing of "enjoy", "practise", "start" and the like that no dependent marks as nouns."""
    objects = (e for e in graph.edges_of("obj") if graph.word(e.dependent).endswith("ing") and graph.tag(e.head)[:1] == "V")
    gerunds = {e.dependent for e in objects if _gerund_verb_lemma(graph.word(e.head)) in GERUND_VERBS}
    return {word for word in gerunds if not graph.has_child(word, *_GERUND_EXCLUDING_RELATIONS)}


def _gerund_verb_lemma(word: str) -> str:
    """Return the lemma of a finite form of one of ``GERUND_VERBS``, and any other word unchanged. The word is in lower case."""
    word_forms = (word, word.removesuffix("s"), word.removesuffix("es"), word.removesuffix("d"), word.removesuffix("ed"), word[:-3] + "y")
    return next((form for form in word_forms if form in GERUND_VERBS), word)


def _promote_final_verb(graph: DependencyGraph) -> DependencyGraph:
    """Make a verb the root if the network took it for the head of the phrase before it.

    Examples are "a man dressed as a clown juggles" and "a bird in a tree sings".
    """
    for edge in graph.edges_of("compound", "nsubj"):
        noun, verb = edge.dependent, edge.head
        if (
            verb != noun + 1
            or graph.tag(noun) not in ("NN", "NNP")
            or edge_of(graph, verb).relation not in ("obl", "nmod", "conj", "xcomp")
        ):
            continue
        preceding_edges = [o for word in (noun, verb) for o in graph.children_before(word, noun)]
        is_finite = graph.tag(verb) in _PRESENT_TAGS or (graph.tag(verb) == "NNS" and any(_is_article(graph, o) for o in preceding_edges))
        if is_finite and any(o.relation in ("case", "cop") for o in preceding_edges):
            return _make_root(graph, noun, verb, preceding_edges)
    return graph


def _root_of(graph: DependencyGraph) -> int:
    """Return the root word."""
    return graph.children(0)[0].dependent


def _is_article(graph: DependencyGraph, edge: Dependency) -> bool:
    return edge.relation == "det" and graph.word(edge.dependent) in ("a", "an")


def _verb_tag(graph: DependencyGraph, word: int) -> str:
    """Return the tag that a word has as a verb."""
    return _VERB_TAG_BY_NOUN_TAG.get(graph.tag(word), graph.tag(word))


def _make_root(graph: DependencyGraph, noun: int, verb: int, preceding_edges: list[Dependency]) -> DependencyGraph:
    """Make the verb the root, and put the noun with the words before it in the verb's place.

    The subject of the verb is the old root, or the subject of the old root. If neither can be, return the graph unchanged.
    """
    root = _root_of(graph)
    new_edges = [*attach_all(preceding_edges, noun), edge_of(graph, verb)._replace(dependent=noun), Dependency(0, verb, "root")]
    tags = {verb: _verb_tag(graph, verb)}
    subject = graph.child(root, "nsubj")
    if subject and graph.tag(root) in ("VBN", "VBD"):
        return graph.revise([*new_edges, Dependency(verb, subject, "nsubj"), Dependency(subject, root, "acl")], {**tags, root: "VBN"})
    if graph.tag(verb) == "NNS" or not is_noun(graph, root):
        return graph
    return graph.revise([*new_edges, Dependency(verb, root, "nsubj")], tags)


def _promote_verb_after_list(graph: DependencyGraph) -> DependencyGraph:
    """Make a final word after coordinated nouns their verb, unless "and" or punctuation precedes it: "a car and a man wait"."""
    root, verb = _root_of(graph), max((e.dependent for e in graph.edges if e.relation != "punct"), default=0)
    verb_edge = edge_of(graph, verb)
    if verb_edge.head != root or verb_edge.relation not in ("conj", "dep", "appos") or graph.tag(root)[:1] != "N":
        return graph
    has_conjunct = any(e.dependent != verb for e in graph.children(root, "conj"))
    if not has_conjunct or graph.edges_of("nsubj", "cop") or graph.children(verb) or graph.has_parent(verb - 1, "cc", "punct"):
        return graph
    return graph.revise([Dependency(0, verb, "root"), Dependency(verb, root, "nsubj")], {verb: _verb_tag(graph, verb)})


def _read_plural_as_verb(graph: DependencyGraph) -> DependencyGraph:
    """Make a word tagged as a plural after "one" the verb of "one": "two dogs run one barks"."""
    new_edges, tags = list[Dependency](), dict[int, str]()
    for edge in graph.edges_of("nummod"):
        if edge.head == edge.dependent + 1 and graph.tag(edge.head) == "NNS" and graph.word(edge.dependent) == "one":
            head_edge, tags[edge.head] = edge_of(graph, edge.head), "VBZ"
            new_edges += [edge._replace(relation="nsubj"), head_edge._replace(relation="parataxis") if head_edge.head else head_edge]
    return graph.revise(new_edges, tags)


def _coordinate_phrase(graph: DependencyGraph) -> DependencyGraph:
    """Coordinate a phrase after "and" with the phrase before it: "a man in boots and with a beard smiles"."""

    def attach(edge: Dependency) -> Dependency:
        conjunction = graph.child(edge.dependent, "cc")
        if (
            not 0 < conjunction < edge.dependent < edge.head
            or edge.relation not in ("obl", "nmod")
            or not graph.has_child(edge.dependent, "case")
        ):
            return edge
        phrases = (o.dependent for o in graph.edges_of("nmod") if o.dependent < conjunction and graph.has_child(o.dependent, "case"))
        phrase = max(phrases, default=0)
        return Dependency(phrase, edge.dependent, "conj") if phrase and not is_above(graph, edge.dependent, phrase) else edge

    return graph.map_edges(attach)


def _make_name_subject(graph: DependencyGraph) -> DependencyGraph:
    """Turn a compound part right before a finite verb into the subject of the verb: "a player dunks", "water drips and a door creaks"."""
    subject_by_verb = {
        e.head: e.dependent for e in graph.edges_of("compound") if e.dependent == e.head - 1 and _is_finite_clause(graph, e.head)
    }

    def change(edge: Dependency) -> Dependency:
        if subject_by_verb.get(edge.head) == edge.dependent:
            return edge._replace(relation="nsubj")
        if edge.head in subject_by_verb and edge.relation in ("det", "amod", "nummod", "nmod:poss"):
            return edge._replace(head=subject_by_verb[edge.head])
        return edge._replace(relation="advcl") if edge.dependent in subject_by_verb and edge.relation in ("nmod", "obl", "dep") else edge

    return graph.map_edges(change) if subject_by_verb else graph


def _is_finite_clause(graph: DependencyGraph, verb: int) -> bool:
    """Return whether a word is the finite verb of the main clause or of another clause, such as a clause with "as" or "while"."""
    if graph.tag(verb) not in _PRESENT_TAGS:
        return False
    return graph.has_parent(verb, *_CLAUSE_RELATIONS) or any(e.relation == "mark" for e in graph.children_before(verb, verb))


def _demote_participle_root(graph: DependencyGraph) -> DependencyGraph:
    """Attach a participle that is the root to the noun right before it: "a man loading boxes into a truck painted blue"."""
    root = _root_of(graph)
    if root < 2 or graph.tag(root) != "VBN" or graph.has_child(root, "aux", "aux:pass", "cop"):
        return graph
    subject, noun_edge = graph.last_child(root, "nsubj"), edge_of(graph, root - 1)
    if not subject or noun_edge.relation not in ("obl", "obj") or graph.tag(graph.last_child(root, "xcomp")) != "JJ":
        return graph
    if graph.tag(noun_edge.head) != "VBG" or edge_of(graph, noun_edge.head) != Dependency(subject, noun_edge.head, "acl"):
        return graph
    return graph.revise([Dependency(root - 1, root, "acl"), Dependency(0, subject, "root")])


def _read_left_as_side(graph: DependencyGraph) -> DependencyGraph:
    """Read "left" before "of" as a side, not as a form of "leave": "the door is left of the sign", "a dog left of a cat"."""
    root = _root_of(graph)
    precedes_of = root < len(graph.tokens) and graph.word(root + 1) == "of"
    if not precedes_of or graph.word(root) != "left" or not graph.tag(root).startswith("V"):
        return graph
    new_edges: list[Dependency] = []
    if graph.has_child(root, "aux:pass"):
        new_edges = [e._replace(relation=_COPULAR_RELATIONS[e.relation]) for e in graph.children(root, *_COPULAR_RELATIONS)]
    elif subject := graph.last_child(root, "nsubj"):
        new_edges = [Dependency(0, subject, "root"), Dependency(subject, root, "advmod")]
    return graph.revise(new_edges, {root: "JJ"})


def _read_sound_as_verb(graph: DependencyGraph) -> DependencyGraph:
    """Read a word for a sound as the verb of the noun before it: "frog croaking", "metal clanks"."""
    root = _root_of(graph)
    word, noun = graph.word(root), root - 1
    if not graph.has_parent(noun, "compound") or graph.head(noun, "compound") != root or graph.has_child(root, "obj", "case"):
        return graph
    if not (word.endswith("ing") or graph.tag(root) == "NNS") or regular_lemma(word, "V") not in SOUND_WORDS:
        return graph
    if word.endswith("ing"):
        modifiers = attach_all(graph.children(root, "det", "amod", "nummod", "compound"), noun)
        return graph.revise([*modifiers, Dependency(0, noun, "root"), Dependency(noun, root, "acl")], {root: "VBG"})
    subject = graph.child(root, "nsubj")  # "the motor of a cleaner whines"
    return graph.revise([Dependency(subject, noun, "nmod") if subject else Dependency(root, noun, "nsubj")], {root: "VBZ"})


def _split_first_clause(graph: DependencyGraph) -> DependencyGraph:
    """Split what looks like coordinated subjects of the last verb into two clauses: "a bell rings and footsteps echo"."""
    root = _root_of(graph)
    verb = max((e.dependent for e in graph.children(root, "nsubj") if e.dependent < root), default=0)
    noun = verb - 1
    if noun < 1 or graph.tag(root) not in _PRESENT_TAGS or not _is_verb_of_previous_noun(graph, verb):
        return graph
    conjuncts = [e.dependent for word in (noun, verb) for e in graph.children(word, "conj") if e.dependent > verb]
    if len(conjuncts) != 1:
        return graph
    first_clause = [*attach_all(graph.children_before(verb, noun), noun), Dependency(verb, noun, "nsubj"), Dependency(0, verb, "root")]
    conjunction_edges = attach_all((e for e in graph.edges_of("cc") if noun < e.dependent < conjuncts[0]), root)
    second_clause = [*conjunction_edges, Dependency(root, conjuncts[0], "nsubj"), Dependency(verb, root, "conj")]
    return graph.revise([*first_clause, *second_clause], {verb: "VBP" if graph.tag(verb) == "NN" else "VBZ"})


def _is_verb_of_previous_noun(graph: DependencyGraph, verb: int) -> bool:
    """Return whether a word is the verb of the noun before it: a plural after "a", or a word for a sound."""
    noun_edge, is_sound = edge_of(graph, verb - 1), regular_lemma(graph.word(verb), "NNS") in SOUND_WORDS
    if noun_edge.head == edge_of(graph, verb).head and noun_edge.relation == "nsubj":
        return is_sound and graph.tag(verb) in ("NN", "NNS")
    if graph.tag(verb) != "NNS" or noun_edge != Dependency(verb, verb - 1, "compound") or graph.tag(verb - 1) not in ("NN", "NNP"):
        return False
    return is_sound or any(_is_article(graph, e) for word in (verb - 1, verb) for e in graph.children_before(word, verb - 1))


def _read_noun_as_perceived_action(graph: DependencyGraph) -> DependencyGraph:
    """Read a noun right after the object of "watch", "let" and the like as the action of that object: "watches his dog swim"."""
    noun_edges = (
        e
        for e in graph.edges_of("ccomp")
        if graph.tag(e.dependent) == "NN" and not graph.has_child(e.dependent, *_GERUND_EXCLUDING_RELATIONS)
    )
    action_edges = [e for e in noun_edges if graph.head(e.dependent - 1, "obj") == e.head]
    return graph.revise((e._replace(relation="xcomp") for e in action_edges), {e.dependent: "VB" for e in action_edges})


def _make_singular_subject(graph: DependencyGraph) -> DependencyGraph:
    """Make the noun after "a" the head, and the plural at the end of its phrase the object of a participle: "a robot watering flowers"."""
    for article in graph.edges_of("det"):
        plural = article.head
        if _is_article(graph, article) and graph.tag(plural) == "NNS" and plural > article.dependent + 2 and _has_actor(graph, plural):
            actor, verb = plural - 2, plural - 1
            phrase_edges = [*attach_all(graph.children_before(plural, actor), actor), edge_of(graph, plural)._replace(dependent=actor)]
            graph = graph.revise([*phrase_edges, Dependency(actor, verb, "acl"), Dependency(verb, plural, "obj")], {verb: "VBG"})
    return graph


def _has_actor(graph: DependencyGraph, plural: int) -> bool:
    """Return whether a singular noun and then a word in -ing modify a plural right after them."""
    actor, verb = plural - 2, plural - 1
    if graph.tag(actor) not in ("NN", "NNP") or graph.head(actor, "compound") != plural:
        return False
    return graph.word(verb).endswith("ing") and graph.head(verb, "amod", "compound") == plural


def _read_verb_as_plural_subject(graph: DependencyGraph) -> DependencyGraph:
    """Read the first of two adjacent conjuncts of a verb as the plural subject of the second: "an owl hoots and branches creak"."""
    for edge in graph.edges_of("conj"):
        noun, verb = edge.dependent, edge.dependent + 1
        if graph.head(verb, "conj") == edge.head and _may_be_clause(graph, edge):
            noun_edges = attach_all(graph.children(noun), verb)
            graph = graph.revise([Dependency(verb, noun, "nsubj"), *noun_edges], {noun: "NNS", verb: "VBP"})
    return graph


def _may_be_clause(graph: DependencyGraph, edge: Dependency) -> bool:
    """Return whether a conjunct and the next word may be a plural noun and its verb, by their tags and the conjunct's dependents."""
    has_fitting_tags = (
        graph.tag(edge.head) in _PRESENT_TAGS
        and graph.tag(edge.dependent) in ("VBZ", "NNS")
        and graph.tag(edge.dependent + 1) in ("VBP", "NN")
    )
    return has_fitting_tags and all(o.relation == "cc" for o in graph.children(edge.dependent))


REPAIRS = (
    _promote_final_verb,
    _promote_verb_after_list,
    _read_plural_as_verb,
    _make_name_subject,
    _coordinate_phrase,
    _demote_participle_root,
    _read_left_as_side,
    _read_sound_as_verb,
    _split_first_clause,
    _read_noun_as_perceived_action,
    _make_singular_subject,
    _read_verb_as_plural_subject,
    *WORD_CLASS_REPAIRS,
    *ATTACHMENT_REPAIRS,
)
