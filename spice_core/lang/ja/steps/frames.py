"""Steps for frames: in 画像には … 写っています ("the picture shows …"), 画像 is not a thing in the picture."""

from __future__ import annotations

from spice_core.lang.ja.trees import is_nominal, is_verb, particles_of
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Dependency

_FRAME_NOUNS = frozenset("画像 写真 映像 イラスト シーン 場面".split())
_MOMENT_NOUNS = frozenset(("瞬間",))
_SHOWN_VERBS = frozenset("写る 映る 写す 映す 見える 描く 捉える とらえる 収める いる ある".split())
_SHOWING_VERBS = frozenset("示す 写す 映す 描く 捉える とらえる".split())
_POINTING_WORDS = frozenset("これ ここ こちら それ あれ".split())
_DETERMINER_TAGS = ("連体詞", "接頭辞")
_CONTENT_RELATIONS = ("nsubj", "obj")


def remove_frames(graph: DependencyGraph) -> DependencyGraph:
    """Remove a frame and a verb that only means "is shown", keeping the depicted things."""
    graph = _remove_final_frame(graph)
    first_stop = next((t.index for t in graph.tokens if t.text == "。"), len(graph.tokens) + 1)
    pointing_edges = {e for e in graph.edges_of("nsubj") if e.dependent < first_stop and e.head and _refers_to_picture(graph, e)}
    original_graph = graph = graph.relabel(pointing_edges, "det")
    for edge in original_graph.edges:
        if _leads_to_frame(original_graph, edge):
            graph = graph.relabel([edge], "det")
            if original_graph.lemma(edge.head) in _SHOWN_VERBS | _SHOWING_VERBS:
                graph = _replace_verb_by_content(graph, edge.head)
    return graph


def _leads_to_frame(graph: DependencyGraph, edge: Dependency) -> bool:
    """Return whether an edge leads to a frame that is the place of a verb or the subject of a verb of showing.

    画像に写っている ("is shown in the picture"), 写真は公園を写す ("the photo shows a park").
    """
    if not edge.head or not is_verb(graph.token(edge.head)) or not _is_frame(graph, edge.dependent):
        return False
    if edge.relation == "nsubj":
        return graph.lemma(edge.head) in _SHOWING_VERBS
    return edge.relation.startswith("obl") and not {"に", "で"}.isdisjoint(particles_of(graph, edge.dependent))


def _remove_final_frame(graph: DependencyGraph) -> DependencyGraph:
    """Replace a final word for the picture or the moment by the clause before it, if the clause has a subject.

    男性がろくろを回している|画像 ("picture of a man turning a potter's wheel"), 子供が写っている|写真です ("it is a photo that shows a
    child").
    """
    original_graph = graph
    for root in [e for e in graph.edges_of("root") if graph.text(e.dependent) in _FRAME_NOUNS | _MOMENT_NOUNS]:
        modifiers = original_graph.children(root.dependent, "acl", "nmod:の", "amod", "compound")
        clause = modifiers[0].dependent if len(modifiers) == 1 and modifiers[0].relation == "acl" else 0
        if clause and is_verb(graph.token(clause)) and _has_subject(original_graph, clause):
            tree = graph.tree()
            tree.take_over(root.dependent, clause, "det")
            graph = graph.with_edges(tree.values())
            if graph.lemma(clause) in _SHOWN_VERBS:
                graph = _replace_verb_by_content(graph, clause)
    return graph


def _has_subject(graph: DependencyGraph, clause: int) -> bool:
    """Return whether a clause, or an adverbial clause that depends on it, has a subject."""
    adverbial_clauses = [e.dependent for e in graph.children(clause, "advcl")]
    return any(graph.has_child(verb, "nsubj") for verb in (clause, *adverbial_clauses))


def _refers_to_picture(graph: DependencyGraph, edge: Dependency) -> bool:
    """Return whether a topic refers to the picture: "this is".

    これは|公園です ("this is a park"), この写真は|公園の写真です ("this photo is a photo of a park").
    """
    is_noun_topic = is_nominal(graph.token(edge.head)) and "は" in particles_of(graph, edge.dependent)
    return is_noun_topic and (graph.text(edge.dependent) in _POINTING_WORDS or _is_frame(graph, edge.dependent))


def _is_frame(graph: DependencyGraph, index: int) -> bool:
    """Return whether a noun denotes the picture itself, with at most a determiner such as この.

    This excludes 壁に掛けた写真 ("photo hung on the wall").
    """
    modifiers = [e for e in graph.children(index) if e.relation not in ("case", "fixed", "punct", "mark")]
    return graph.text(index) in _FRAME_NOUNS and all(graph.tag(e.dependent).startswith(_DETERMINER_TAGS) for e in modifiers)


def _replace_verb_by_content(graph: DependencyGraph, verb: int) -> DependencyGraph:
    """Replace a verb of showing by its content, unless the verb has other arguments."""
    arguments = graph.children_like(verb, *_CONTENT_RELATIONS, "obl", "nmod")
    if len(arguments) != 1 or not arguments[0].relation.startswith(_CONTENT_RELATIONS):
        return graph
    content = arguments[0].dependent
    if graph.has_parent(verb, "root"):
        other_edges = (e for e in graph.edges if e != arguments[0] and e.dependent != verb)
        return graph.with_edges((*other_edges, Dependency(0, content, "root"), Dependency(content, verb, "aux")))
    return graph.relabel(arguments, "dep")
