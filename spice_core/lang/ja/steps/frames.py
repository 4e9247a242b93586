"""What a caption says of itself: 画像には … 写っています shows what is there, and 画像 is no thing in it."""

from __future__ import annotations

from spice_core.lang.ja.trees import EdgesBelow, edges_below, has_relation, is_nominal, is_verb, particles_of, tree_of
from spice_core.syntax.document import Dependency
from spice_core.syntax.enhancement import Edges, Tokens, edge_step

_FRAME_NOUNS = frozenset("画像 写真 映像 イラスト シーン 場面".split())
_MOMENTS = frozenset(("瞬間",))
_SHOWN_VERBS = frozenset("写る 映る 写す 映す 見える 描く 捉える とらえる 収める いる ある".split())
_SHOWING_VERBS = frozenset("示す 写す 映す 描く 捉える とらえる".split())
_POINTING_WORDS = frozenset("これ ここ こちら それ あれ".split())
_DETERMINER_TAGS = ("連体詞", "接頭辞")
_CONTENT_RELATIONS = ("nsubj", "obj")


@edge_step
def remove_frames(tokens: Tokens, edges: Edges) -> Edges:
    """Take a frame out of its clause; what it shows is there, without a verb if the verb says nothing else."""
    edges = _without_final_frame(tokens, edges)
    below = edges_below(edges)
    first_stop = next((t.index for t in tokens if t.text == "。"), len(tokens) + 1)
    pointing = {
        e for e in edges if e.relation == "nsubj" and 0 < e.dependent < first_stop and e.head and _points_at_picture(tokens, below, e)
    }
    edges = tuple(e._replace(relation="det") if e in pointing else e for e in edges)
    for e in edges:
        if not (e.head and is_verb(tokens[e.head - 1]) and _is_frame(tokens, below, e.dependent)):
            continue
        verb = tokens[e.head - 1].lemma
        particles = set(particles_of(tokens, below, e.dependent))
        if not ((e.relation.startswith("obl") and particles & {"に", "で"}) or (e.relation == "nsubj" and verb in _SHOWING_VERBS)):
            continue
        edges = tuple(e._replace(relation="det") if other == e else other for other in edges)
        if verb in _SHOWN_VERBS | _SHOWING_VERBS:
            edges = _without_verb(edges, e.head)
    return edges


def _without_final_frame(tokens: Tokens, edges: Edges) -> Edges:
    """Put the clause before a final 画像 or 瞬間 in its place: ろくろを回している|画像, 子供が写っている|写真です."""
    below = edges_below(edges)
    for root in [e for e in edges if e.relation == "root" and tokens[e.dependent - 1].text in _FRAME_NOUNS | _MOMENTS]:
        inside = [e for e in below.get(root.dependent, ()) if e.relation in ("acl", "nmod:の", "amod", "compound")]
        clause = inside[0].dependent if len(inside) == 1 and inside[0].relation == "acl" else 0
        if clause and is_verb(tokens[clause - 1]) and _has_subject(below, clause):
            tree = tree_of(edges)
            tree.take_over(root.dependent, clause, "det")
            edges = tuple(tree.values())
            if tokens[clause - 1].lemma in _SHOWN_VERBS:
                edges = _without_verb(edges, clause)
    return edges


def _has_subject(below: EdgesBelow, clause: int) -> bool:
    """Return whether a clause, or one before it, has a subject."""
    before = [e.dependent for e in below.get(clause, ()) if e.relation == "advcl"]
    return any(has_relation(below, each, "nsubj") for each in (clause, *before))


def _points_at_picture(tokens: Tokens, below: EdgesBelow, edge: Dependency) -> bool:
    """Return whether a topic only points at the picture: これは|公園です, この写真は|公園の写真です."""
    named = is_nominal(tokens[edge.head - 1]) and "は" in particles_of(tokens, below, edge.dependent)
    return named and (tokens[edge.dependent - 1].text in _POINTING_WORDS or _is_frame(tokens, below, edge.dependent))


def _is_frame(tokens: Tokens, below: EdgesBelow, index: int) -> bool:
    """Return whether a noun names the picture itself: nothing but この or その describes it, as in 壁に掛けた写真."""
    inside = [e for e in below.get(index, ()) if e.relation not in ("case", "fixed", "punct", "mark")]
    return tokens[index - 1].text in _FRAME_NOUNS and all(tokens[e.dependent - 1].tag.startswith(_DETERMINER_TAGS) for e in inside)


def _without_verb(edges: Edges, verb: int) -> Edges:
    """The content of a verb of showing in its place, unless the verb has other arguments."""
    arguments = [e for e in edges if e.head == verb and e.relation.startswith((*_CONTENT_RELATIONS, "obl", "nmod"))]
    if len(arguments) != 1 or not arguments[0].relation.startswith(_CONTENT_RELATIONS):
        return edges
    content = arguments[0].dependent
    if any(e.dependent == verb and e.relation == "root" for e in edges):
        kept = (e for e in edges if e != arguments[0] and e.dependent != verb)
        return (*kept, Dependency(0, content, "root"), Dependency(content, verb, "aux"))
    return tuple(e._replace(relation="dep") if e == arguments[0] else e for e in edges)
