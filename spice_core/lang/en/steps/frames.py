"""Steps for statements about the picture itself rather than its content: frames, comments, guesses and requests."""

from __future__ import annotations

from spice_core.lang.en.grammar import is_noun, is_request, is_subject
from spice_core.lang.en.steps.negation import NEGATION_WORDS
from spice_core.lang.en.word_lists import COMMENT_NOUNS, FRAME_NOUNS
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Dependency

_SHOW_VERBS = frozenset(
    "show depict capture feature present display portray showcase illustrate reveal include contain highlight document".split()
)
_SEEN_WORDS = frozenset("see show depict picture visible feature capture display portray present observe view notice hear".split())
_SEE_VERBS = frozenset("see notice observe spot make view".split())
_VIEWER_PRONOUNS = frozenset("we you one i viewer".split())
_SETTING_VERBS = frozenset("set take place unfold occur happen".split())
_ADDITION_VERBS = frozenset("add create contribute give lend provide bring evoke convey enhance complete exude emphasize emphasise".split())
_SUGGESTION_VERBS = frozenset("suggest indicate imply hint mean signal".split())
_EFFECT_VERBS = _ADDITION_VERBS | _SUGGESTION_VERBS
_FRAME_WORDS = FRAME_NOUNS | _SEEN_WORDS | _SEE_VERBS
_SCENE_NOUNS = frozenset("scene moment view snapshot glimpse".split())
_POINTING_WORDS = frozenset("this it that here".split())
_PHRASE_PREFIXES = ("nmod:", "obl:")
_SUBJECT_RELATIONS = ("nsubj", "nsubj:pass")
_CLAUSE_BOUND_RELATIONS = (
    "punct",
    "advcl",
    "conj",
    "parataxis",
    "frame",
)  # relations of the dependents of a verb that the depicted content takes over


def remove_picture_frames(graph: DependencyGraph) -> DependencyGraph:
    """Replace a clause that introduces the content of the picture by that content: "the image shows a dog", "a dog can be seen"."""
    if not any(token.lemma in _FRAME_WORDS for token in graph.tokens):
        return graph
    graph = _mark_picture_phrases(graph)
    for change in (_replace_verb_by_content, _replace_seeing_verb, _promote_seen_action, _mark_description_as_frame):
        for edge in graph.edges:
            if edge.head and is_subject(edge):
                graph = change(graph, edge)
    return graph


def remove_comments(graph: DependencyGraph) -> DependencyGraph:
    """Remove clauses about the effect of the picture, and guesses about what the picture does not show."""
    if not any(token.lemma in _EFFECT_VERBS for token in graph.tokens):
        return graph
    for edge in graph.edges:
        if edge.relation == "frame" or graph.tag(edge.dependent)[:1] != "V":
            continue
        verb = graph.lemma(edge.dependent)
        is_guess = verb in _SUGGESTION_VERBS and graph.has_child(edge.dependent, "ccomp", "obj", "obl:at", "advcl")
        if is_guess or (verb in _ADDITION_VERBS and not is_request(graph, edge.dependent) and _has_effect(graph, edge.dependent)):
            graph = _mark_subtree_as_frame(_separate_clauses(_reattach_participles(graph, edge.dependent), edge.dependent), edge.dependent)
    return graph


def _separate_clauses(graph: DependencyGraph, verb: int) -> DependencyGraph:
    """Detach clauses that have a subject from a removed verb: "this suggests spring, and the trees are green"."""
    clauses = {e for e in graph.children(verb, "conj") if e.dependent > verb and _is_clause(graph, e.dependent)}
    clauses |= {e for e in graph.children(verb, "ccomp") if e.dependent < verb and _is_clause(graph, e.dependent)}
    return graph.map_edges(lambda e: Dependency(0, e.dependent, "root") if e in clauses else e) if clauses else graph


def _is_clause(graph: DependencyGraph, verb: int) -> bool:
    """Return whether a predicate has a subject and is not a comment."""
    return graph.has_child(verb, *_SUBJECT_RELATIONS) and graph.lemma(verb) not in _EFFECT_VERBS


def _reattach_participles(graph: DependencyGraph, verb: int) -> DependencyGraph:
    """Attach the participles of a removed verb to the noun that is its subject: "standing in a field, the man exudes joy"."""
    subject = graph.child(verb, *_SUBJECT_RELATIONS)
    participles = {
        e.dependent
        for e in graph.children(verb, "advcl")
        if graph.tag(e.dependent) in ("VBG", "VBN")
        and graph.lemma(e.dependent) not in _EFFECT_VERBS
        and not graph.has_child(e.dependent, "mark")
    }
    if not subject or not is_noun(graph, subject):
        return graph
    return graph.map_edges(lambda e: Dependency(subject, e.dependent, "acl") if e.head == verb and e.dependent in participles else e)


def _has_effect(graph: DependencyGraph, verb: int) -> bool:
    """Return whether a verb has a noun for an effect or the picture among its complements: "adds charm to the scene"."""
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
    """Return the words and all words below them."""
    words = set[int]()
    while level:
        words.update(level)
        level = [e.dependent for word in level for e in graph.children(word) if e.dependent not in words]
    return words


def _is_frame(graph: DependencyGraph, index: int) -> bool:
    """Return whether a word names the captioned picture: "the image", "this photo"."""
    if graph.lemma(index) not in FRAME_NOUNS or not is_noun(graph, index):
        return False
    return graph.lemma(graph.child(index, "det")) in ("the", "this") and not graph.has_child(index, "compound", "nmod:poss")


def _mark_picture_phrases(graph: DependencyGraph) -> DependencyGraph:
    """Label phrases that name the picture as ``frame``: "of the image", "throughout the scene"."""

    def relabel(edge: Dependency) -> Dependency:
        is_phrase = edge.relation.startswith(_PHRASE_PREFIXES) and edge.relation != "nmod:poss"
        return edge._replace(relation="frame") if is_phrase and _is_frame(graph, edge.dependent) else edge

    return graph.map_edges(relabel)


def _replace_verb_by_content(graph: DependencyGraph, edge: Dependency) -> DependencyGraph:
    """Replace "the image shows" or "we can see" by the object, which takes over the phrases of the verb.

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
    if lemma in _SHOW_VERBS:
        objects = _content_candidates(graph, edge)
        return _replace_scene_by_content(_replace_verb(graph, verb, edge.dependent, objects[0]), objects[0]) if objects else graph
    is_clause = graph.tag(verb)[:1] in ("V", "J", "N") and lemma not in FRAME_NOUNS
    return _mark_clause_as_frame(graph, edge) if is_clause and not _is_thing_of_picture(graph, edge) else graph


def _is_thing_of_picture(graph: DependencyGraph, subject: Dependency) -> bool:
    """Return whether a clause is about a thing in the picture: "the image of a dog is large", "the frame divides the wall"."""
    if graph.lemma(subject.dependent) == "frame":
        return subject.relation == "nsubj" and graph.has_child(subject.head, "obj")
    return graph.has_child(subject.dependent, "nmod:of")


def _content_candidates(graph: DependencyGraph, subject: Dependency) -> list[int]:
    return [o.dependent for o in graph.children(subject.head, "obj", "ccomp", "nsubj:pass") if o != subject]


def _replace_scene_by_content(graph: DependencyGraph, scene: int) -> DependencyGraph:
    """Replace "a lively scene of children" and the like by the content of the scene, the noun after "of", "in" or "with"."""
    if graph.lemma(scene) not in _SCENE_NOUNS:
        return graph
    content = _find_content_of_scene(graph, scene)
    if not content:
        return _mark_subtree_as_frame(graph, scene)

    def attach(edge: Dependency) -> Dependency:
        if edge.dependent == scene and edge.head != content:
            return edge._replace(dependent=content)
        if edge.head != scene:
            return edge
        if edge.dependent == content:
            return Dependency(content, scene, "frame")
        belongs_to_noun = edge.relation.startswith(("nmod:", "acl", "conj")) or edge.dependent > content
        return edge._replace(head=content) if belongs_to_noun else edge._replace(relation="frame")

    return graph.with_unique_edges(map(attach, graph.edges))


def _find_content_of_scene(graph: DependencyGraph, scene: int) -> int:
    """Return the verb after "the moment when", or the noun after "a scene of" (0 if there is neither)."""
    for edge in graph.children_like(scene, "acl", "advcl"):
        if any(graph.tag(o.dependent) == "WRB" for o in graph.children(edge.dependent)):
            return edge.dependent
    return graph.child(scene, "nmod:of", "nmod:in", "nmod:at", "nmod:on", "nmod:with")


def _promote_seen_action(graph: DependencyGraph, edge: Dependency) -> DependencyGraph:
    """Make the participle of "can be seen standing" the main verb of its subject."""
    verb, children = edge.head, graph.children(edge.head)
    action = _find_seen_action(graph, verb) if edge.relation in _SUBJECT_RELATIONS else 0
    if not action:
        return graph
    subject = Dependency(action, edge.dependent, "nsubj:pass" if graph.tag(action) == "VBN" else "nsubj")
    moved_edges = [
        o._replace(head=action) for o in children if o.relation.startswith(_PHRASE_PREFIXES) or o.relation in ("punct", "advcl", "conj")
    ]
    parent_edges = [o._replace(dependent=action) for o in graph.parents(verb)]
    handled_words = {action, edge.dependent, *(o.dependent for o in moved_edges)}
    frame_edges = [Dependency(action, i, "frame") for i in (verb, *(o.dependent for o in children if o.dependent not in handled_words))]
    other_edges = [o for o in graph.edges if verb not in (o.head, o.dependent)]
    return graph.with_edges((*parent_edges, subject, *moved_edges, *other_edges, *frame_edges))


def _find_seen_action(graph: DependencyGraph, verb: int) -> int:
    """Return the participle after "can be seen" ("can be seen standing"), or 0 if there is none."""
    if graph.lemma(verb) not in ("see", "observe", "spot", "hear"):
        return 0
    if not any(graph.tag(e.dependent) == "MD" for e in graph.children(verb, "aux")):
        return 0
    return next((e.dependent for e in graph.children(verb, "xcomp") if graph.tag(e.dependent) in ("VBG", "VBN")), 0)


def _mark_clause_as_frame(graph: DependencyGraph, subject: Dependency) -> DependencyGraph:
    """Label a clause about the picture as ``frame``: "the scene is peaceful", "the image conveys a sense of calm"."""
    verb = subject.head
    is_concrete = graph.tag(verb)[:1] == "V" and graph.has_child(verb, "obl:agent")
    if is_concrete and not graph.has_child(verb, "obj", "ccomp", "xcomp", "obl:of"):
        return graph
    return _mark_subtree_as_frame(_mark_subtree_as_frame(graph, verb), subject.dependent)


def _replace_verb(graph: DependencyGraph, verb: int, subject: int, content: int) -> DependencyGraph:
    """Replace a verb by the depicted content, label verb and subject as ``frame``, and attach other phrases to the content."""
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
    if graph.tag(content)[:1] == "N":
        if edge.relation.startswith("obl:"):
            return Dependency(content, edge.dependent, edge.relation.replace("obl:", "nmod:"))
        if edge.relation == "advcl" and graph.tag(edge.dependent) in ("VBG", "VBN"):
            return Dependency(content, edge.dependent, "acl")
    is_negation = edge.relation == "advmod" and graph.word(edge.dependent) in NEGATION_WORDS
    return edge._replace(head=content) if is_negation or edge.relation in _CLAUSE_BOUND_RELATIONS else edge._replace(relation="frame")


def _replace_seeing_verb(graph: DependencyGraph, edge: Dependency) -> DependencyGraph:
    """Replace "can be seen" or "is visible" by its subject, unless it is negated or has a complement, a conjunct or (for "seen") a place."""
    if edge.relation not in _SUBJECT_RELATIONS or not is_noun(graph, edge.dependent) or not _is_seeing_predicate(graph, edge):
        return graph
    if graph.has_child(edge.head, "xcomp", "ccomp", "obj", "conj"):
        return graph
    if any(graph.lemma(o.dependent) in ("not", "n't", "never") for o in graph.children(edge.head, "advmod")):
        return graph
    if any(o.relation not in ("root", "conj", "parataxis", "ccomp") for o in graph.parents(edge.head)):
        return graph
    if graph.find_dependent_word(graph.children(edge.dependent), words=("no", "neither")):
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


def _mark_description_as_frame(graph: DependencyGraph, edge: Dependency) -> DependencyGraph:
    """Label "it is a peaceful scene" as ``frame``, but not "this is a photo of a dog"."""
    if edge.relation != "nsubj" or graph.word(edge.dependent) not in _POINTING_WORDS:
        return graph
    is_frame = graph.lemma(edge.head) in FRAME_NOUNS and is_noun(graph, edge.head)
    return _mark_subtree_as_frame(graph, edge.head) if is_frame and not graph.has_child_like(edge.head, "nmod:", "acl") else graph
