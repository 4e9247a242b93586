"""Steps for statements about the picture itself rather than its content: frames, comments, guesses and requests."""

from __future__ import annotations

from spice_core.lang.en.grammar import is_noun, is_request, is_subject
from spice_core.lang.en.openers import SHOW_VERBS, count_opener_words
from spice_core.lang.en.steps.negation import NEGATION_WORDS
from spice_core.lang.en.word_lists import COMMENT_NOUNS, FRAME_NOUNS
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Dependency

_SEEN_WORDS = frozenset("see show depict picture visible feature capture display portray present observe view notice hear".split())
_SEE_VERBS = frozenset("see notice observe spot make view".split())
_VIEWER_PRONOUNS = frozenset("we you one i viewer".split())
_SETTING_VERBS = frozenset("set take place unfold occur happen".split())
_ADDITION_VERBS = frozenset("add create contribute give lend provide bring evoke convey enhance complete exude emphasize emphasise".split())
_SUGGESTION_VERBS = frozenset("suggest imply hint mean".split())  # verbs of suggestion ("arrows indicate cells" is no guess)
_EFFECT_VERBS = _ADDITION_VERBS | _SUGGESTION_VERBS
_FRAME_WORDS = FRAME_NOUNS | _SEEN_WORDS | _SEE_VERBS
_PHRASE_PREFIXES = ("nmod:", "obl:")
_SUBJECT_RELATIONS = ("nsubj", "nsubj:pass")
_CLAUSE_BOUND_RELATIONS = (
    "punct",
    "advcl",
    "conj",
    "parataxis",
    "frame",
)  # relations of a verb's dependents that move to the depicted content


def remove_openers(graph: DependencyGraph) -> DependencyGraph:
    """Attach the content of the picture to the root, without an opener such as "the image shows"."""
    count = count_opener_words([token.text for token in graph.tokens])
    content_edges = [e for e in graph.edges if e.head <= count < e.dependent and e.relation != "punct"]
    if not count or not content_edges:
        return graph
    content = content_edges[0].dependent

    def attach(edge: Dependency) -> Dependency:
        if edge.dependent <= count:
            return Dependency(content, edge.dependent, "frame")
        return Dependency(0, content, "root") if edge.dependent == content else edge._replace(head=content) if edge.head <= count else edge

    return graph.map_edges(attach)


def remove_picture_frames(graph: DependencyGraph) -> DependencyGraph:
    """Replace a clause about the picture by its content: "the image shows a dog", "a dog can be seen"."""
    if not any(token.lemma in _FRAME_WORDS for token in graph.tokens):
        return graph
    graph = _mark_picture_phrases(graph)
    for change in (_replace_verb_by_content, _replace_seeing_verb):
        for edge in graph.edges:
            if edge.head and is_subject(edge):
                graph = change(graph, edge)
    return graph


def remove_comments(graph: DependencyGraph) -> DependencyGraph:
    """Remove clauses about the picture's effect, and guesses about what it does not show."""
    if not any(token.lemma in _EFFECT_VERBS for token in graph.tokens):
        return graph
    for edge in graph.edges:
        if edge.relation == "frame" or graph.tag(edge.dependent)[:1] != "V":
            continue
        verb = graph.lemma(edge.dependent)
        is_guess = verb in _SUGGESTION_VERBS and graph.has_child(edge.dependent, "ccomp", "obj", "obl:at", "advcl")
        if is_guess or (verb in _ADDITION_VERBS and not is_request(graph, edge.dependent) and _has_effect(graph, edge.dependent)):
            graph = _mark_subtree_as_frame(_separate_clauses(graph, edge.dependent), edge.dependent)
    return graph


def _separate_clauses(graph: DependencyGraph, verb: int) -> DependencyGraph:
    """Detach clauses with a subject ("this suggests spring, and the trees are green") and participles ("standing in a field,
    the man exudes joy")."""
    subject = graph.child(verb, *_SUBJECT_RELATIONS)

    def attach(edge: Dependency) -> Dependency:
        if edge.head != verb or graph.lemma(edge.dependent) in _EFFECT_VERBS:
            return edge
        is_participle = (
            edge.relation == "advcl" and graph.tag(edge.dependent) in ("VBG", "VBN") and not graph.has_child(edge.dependent, "mark")
        )
        if is_participle and subject and is_noun(graph, subject):
            return Dependency(subject, edge.dependent, "acl")
        is_clause = edge.relation == ("conj" if edge.dependent > verb else "ccomp") and graph.has_child(edge.dependent, *_SUBJECT_RELATIONS)
        is_thing = (  # "providing a contrast to the dark water"
            edge.relation == "obl:to"
            and graph.lemma(verb) in _ADDITION_VERBS
            and graph.lemma(edge.dependent) not in COMMENT_NOUNS | FRAME_NOUNS
        )
        return Dependency(0, edge.dependent, "root") if is_clause or is_thing else edge

    return graph.map_edges(attach)


def _has_effect(graph: DependencyGraph, verb: int) -> bool:
    """Return whether a verb states an effect on the picture: "adds charm to the scene"."""
    effects = graph.children(verb, "obj", "obl:to", "obl:with", "xcomp", "frame")
    return any(graph.lemma(e.dependent) in COMMENT_NOUNS | FRAME_NOUNS for e in effects)


def _mark_subtree_as_frame(graph: DependencyGraph, head: int) -> DependencyGraph:
    """Label a word and the words below it as ``frame``.

    Its subjects get the label ``dep`` instead, and the labels of the words below the subjects do not change.
    """
    frame_words = _words_below(graph, [e.dependent for e in graph.children(head) if not is_subject(e)])
    subjects = {e.dependent for e in graph.children(head, *_SUBJECT_RELATIONS)} - frame_words

    def relabel(edge: Dependency) -> Dependency:
        if edge.dependent in frame_words and edge.dependent not in subjects:
            return edge._replace(relation="frame")
        if edge.head == head and edge.relation in _SUBJECT_RELATIONS:
            return edge._replace(relation="dep")
        return edge._replace(relation="frame") if edge.dependent == head else edge

    return graph.with_unique_edges(map(relabel, graph.edges))


def _words_below(graph: DependencyGraph, level: list[int]) -> set[int]:
    words = set[int]()
    while level:
        words.update(level)
        level = [e.dependent for word in level for e in graph.children(word) if e.dependent not in words]
    return words


def _is_frame(graph: DependencyGraph, index: int) -> bool:
    """Return whether a word denotes the captioned picture: "the image", "this photo"."""
    if graph.lemma(index) not in FRAME_NOUNS or not is_noun(graph, index):
        return False
    is_described = graph.has_child(index, "compound", "nmod:poss") or any(
        e.relation.startswith(("nmod:", "acl")) for e in graph.children_after(index, index)
    )
    return graph.lemma(graph.child(index, "det")) in ("the", "this") and not is_described


def _mark_picture_phrases(graph: DependencyGraph) -> DependencyGraph:
    """Label phrases about the picture as ``frame``: "of the image", "throughout the scene"."""

    def relabel(edge: Dependency) -> Dependency:
        is_phrase = edge.relation.startswith(_PHRASE_PREFIXES) and edge.relation != "nmod:poss"
        return edge._replace(relation="frame") if is_phrase and _is_frame(graph, edge.dependent) else edge

    return graph.map_edges(relabel)


def _replace_verb_by_content(graph: DependencyGraph, edge: Dependency) -> DependencyGraph:
    """Replace "the image shows" or "we can see" with the object, which inherits the phrases of the verb.

    In "the scene is set in a park", the place takes over. Any other clause about the picture gets the label ``frame``.
    """
    verb, lemma = edge.head, graph.lemma(edge.head)
    if not _is_frame(graph, edge.dependent):
        is_viewer = lemma in _SEE_VERBS and graph.word(edge.dependent) in _VIEWER_PRONOUNS
        objects = _content_candidates(graph, edge) if is_viewer else []
        return _replace_verb(graph, verb, edge.dependent, objects[0]) if objects else graph
    if (lemma in _SETTING_VERBS and edge.relation == "nsubj:pass") or lemma in ("take", "unfold"):
        place = next((o.dependent for o in graph.children_like(verb, "obl:") if o.dependent > verb), 0)
        return _replace_verb(graph, verb, edge.dependent, place) if place else graph
    if lemma in SHOW_VERBS:
        objects = _content_candidates(graph, edge)
        graph = _replace_verb(graph, verb, edge.dependent, objects[0]) if objects else graph
        return _mark_subtree_as_frame(graph, edge.dependent) if objects and graph.has_child(edge.dependent, "amod") else graph
    is_clause = graph.tag(verb)[:1] in ("V", "J", "N") and lemma not in FRAME_NOUNS
    is_thing = graph.lemma(edge.dependent) == "frame" and edge.relation == "nsubj" and graph.has_child(verb, "obj")  # "divides the wall"
    return _mark_subtree_as_frame(_mark_subtree_as_frame(graph, verb), edge.dependent) if is_clause and not is_thing else graph


def _content_candidates(graph: DependencyGraph, subject: Dependency) -> list[int]:
    return [o.dependent for o in graph.children(subject.head, "obj", "ccomp", "nsubj:pass") if o != subject]


def _replace_verb(graph: DependencyGraph, verb: int, subject: int, content: int) -> DependencyGraph:
    """Replace a verb with the depicted content, label verb and subject as ``frame``, and attach other phrases to the content."""
    out: list[Dependency] = []
    for edge in graph.edges:
        if edge.dependent == verb:
            out += [edge._replace(dependent=content), Dependency(content, verb, "frame")]
        elif edge.head != verb:
            out.append(edge)
        elif edge.dependent == subject:
            out.append(Dependency(content, subject, "frame"))
        elif edge.dependent != content:
            out.append(_move_edge_to_content(graph, edge, content))
    return graph.with_unique_edges(out)


def _move_edge_to_content(graph: DependencyGraph, edge: Dependency, content: int) -> Dependency:
    """Return the edge with the depicted content as its head in place of the verb, and with a label that fits the content."""
    if graph.tag(content)[:1] == "V" and edge.relation.startswith(("obl:", "nsubj")):
        return Dependency(content, edge.dependent, edge.relation if graph.tag(content) == "VBN" else edge.relation.removesuffix(":pass"))
    if graph.tag(content)[:1] == "N":
        if edge.relation.startswith("obl:"):
            return Dependency(content, edge.dependent, edge.relation.replace("obl:", "nmod:"))
        if edge.relation == "advcl" and graph.tag(edge.dependent) in ("VBG", "VBN"):
            return Dependency(content, edge.dependent, "acl")
    is_negation = edge.relation == "advmod" and graph.word(edge.dependent) in NEGATION_WORDS
    return edge._replace(head=content) if is_negation or edge.relation in _CLAUSE_BOUND_RELATIONS else edge._replace(relation="frame")


def _replace_seeing_verb(graph: DependencyGraph, edge: Dependency) -> DependencyGraph:
    """Replace "can be seen" or "is visible" with its subject, unless it is negated or has a complement, a conjunct or (for "seen") a place."""
    if graph.lemma(edge.head) in ("see", "observe", "spot", "hear") and any(
        graph.tag(o.dependent) == "MD" for o in graph.children(edge.head)
    ):
        action = graph.child(edge.head, "xcomp")
        if graph.tag(action) in ("VBG", "VBN"):
            return _replace_verb(graph, edge.head, 0, action)
    if edge.relation not in _SUBJECT_RELATIONS or not is_noun(graph, edge.dependent) or not _is_seeing_predicate(graph, edge):
        return graph
    if graph.has_child(edge.head, "xcomp", "ccomp", "obj", "conj"):
        return graph
    if any(graph.lemma(o.dependent) in ("not", "n't", "never") for o in graph.children(edge.head, "advmod")):
        return graph
    return _replace_verb(graph, edge.head, 0, edge.dependent)


def _is_seeing_predicate(graph: DependencyGraph, edge: Dependency) -> bool:
    """Return whether a predicate only states that its subject is seen."""
    lemma = graph.lemma(edge.head)
    if lemma == "visible":
        return True
    if lemma not in _SEEN_WORDS or graph.tag(edge.head) not in ("VBN", "VBD") or graph.has_child_like(edge.head, *_PHRASE_PREFIXES):
        return False
    return edge.relation == "nsubj:pass" or graph.has_child(edge.head, "aux:pass")
