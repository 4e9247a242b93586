"""What a caption says about the picture rather than of what it shows: frames, comments and guesses."""

from __future__ import annotations

from spice_core.lang.en.word_lists import COMMENTS, FRAMES
from spice_core.syntax.document import Dependency
from spice_core.syntax.enhancement import Edges, Tokens

_SHOW = frozenset(
    "show depict capture feature present display portray showcase illustrate reveal include contain highlight document".split()
)
_SEEN = frozenset("see show depict picture visible feature capture display portray present observe view notice".split())
_SEE = frozenset("see notice observe spot make view".split())
_VIEWERS = frozenset("we you one i viewer".split())
_SET = frozenset("set take place unfold occur happen".split())
_ADD = frozenset("add create contribute give lend provide bring evoke convey enhance complete exude emphasize emphasise".split())
_GUESS = frozenset("suggest indicate imply hint mean signal".split())
_EFFECTS = _ADD | _GUESS
_SIGNS = FRAMES | _SEEN | _SEE
_SCENES = frozenset("scene moment view snapshot glimpse".split())
_POINTERS = frozenset("this it that here".split())
_PHRASE = ("nmod:", "obl:")
_KEPT = ("punct", "cc", "mark", "discourse")
_SUBJECTS = ("nsubj", "nsubj:pass")


def picture_frames(tokens: Tokens, edges: Edges) -> Edges:
    """What a picture shows, and what can be seen, takes the place of the frame: "the image shows a dog", "a dog can be seen"."""
    if not any(token.lemma in _SIGNS for token in tokens):
        return edges
    for change in (_parts_of_the_picture, _shown, _seen, _seen_doing, _described):
        edges = change(tokens, edges)
    return edges


def comments(tokens: Tokens, edges: Edges) -> Edges:
    """Clauses about the effect of the picture, and guesses about what it does not show, give nothing."""
    if not any(token.lemma in _EFFECTS for token in tokens):
        return edges
    for e in edges:
        if e.relation == "frame" or tokens[e.dependent - 1].tag[:1] != "V":
            continue
        verb = tokens[e.dependent - 1].lemma
        below = [o for o in edges if o.head == e.dependent]
        guess = verb in _GUESS and any(o.relation in ("ccomp", "obj", "obl:at", "advcl") for o in below)
        if guess or (verb in _ADD and _is_effect(tokens, below)):
            edges = _silenced(tokens, edges, e.dependent)
    return edges


def hedges(tokens: Tokens, edges: Edges) -> Edges:
    """The places of "appears to be" and "seems to" belong to what seems so."""
    seeming = {e.head: e.dependent for e in edges if e.relation == "xcomp" and e.head and tokens[e.head - 1].lemma in ("appear", "seem")}
    return tuple(e._replace(head=seeming[e.head]) if e.head in seeming and e.relation.startswith("obl:") else e for e in edges)


def _is_effect(tokens: Tokens, below: list[Dependency]) -> bool:
    """Whether a verb adds something that nobody can see, or adds to the picture."""
    effects = [o.dependent for o in below if o.relation in ("obj", "obl:to", "obl:with", "xcomp", "frame")]
    return any(tokens[i - 1].lemma in COMMENTS | FRAMES for i in effects)


def _silenced(tokens: Tokens, edges: Edges, head: int) -> Edges:
    """The edges without what hangs below a word but its subject; its nouns are labelled ``frame``."""
    level = [e.dependent for e in edges if e.head == head and not e.relation.startswith("nsubj")]
    inside = set[int]()
    while level:
        inside.update(level)
        level = [e.dependent for e in edges if e.head in level and e.dependent not in inside]
    subjects = {e.dependent for e in edges if e.head == head and e.relation in _SUBJECTS} - inside
    out = []
    for e in edges:
        if e.dependent in inside and e.dependent not in subjects:
            out.append(e._replace(relation="frame"))
        elif e.head == head and e.relation in _SUBJECTS:
            out.append(e._replace(relation="dep"))
        elif e.dependent == head:
            out.append(e._replace(relation="frame"))
        else:
            out.append(e)
    return tuple(dict.fromkeys(out))


def _is_frame(tokens: Tokens, edges: Edges, word: int) -> bool:
    """Whether a word names this picture: "the image", "this photo", or what a pronoun takes for it."""
    token = tokens[word - 1]
    if token.lemma not in FRAMES or not token.tag.startswith("NN"):
        return False
    determiner = next((tokens[e.dependent - 1].lemma for e in edges if e.head == word and e.relation == "det"), "")
    return determiner in ("the", "this") and not any(e.head == word and e.relation in ("compound", "nmod:poss") for e in edges)


def _parts_of_the_picture(tokens: Tokens, edges: Edges) -> Edges:
    """A phrase with the picture gives nothing: "the left side of the image", "throughout the scene"."""
    return tuple(
        e._replace(relation="frame")
        if e.relation.startswith(_PHRASE) and e.relation != "nmod:poss" and _is_frame(tokens, edges, e.dependent)
        else e
        for e in edges
    )


def _shown(tokens: Tokens, edges: Edges) -> Edges:
    """The object of "the image shows", "we can see" takes the place of its verb, with its phrases."""
    for e in edges:
        if not e.relation.startswith("nsubj") or not e.head:
            continue
        verb, frame = tokens[e.head - 1], _is_frame(tokens, edges, e.dependent)
        viewer = tokens[e.dependent - 1].text.lower() in _VIEWERS and verb.lemma in _SEE
        if (frame and verb.lemma in _SET and e.relation == "nsubj:pass") or (frame and verb.lemma in ("take", "unfold")):
            place = next((o.dependent for o in edges if o.head == e.head and o.relation.startswith("obl:") and o.dependent > e.head), 0)
            edges = _replaced(tokens, edges, e.head, e.dependent, [place]) if place else edges
        elif (frame and verb.lemma in _SHOW) or viewer:
            objects = [o.dependent for o in edges if o.head == e.head and o.relation in ("obj", "ccomp", "nsubj:pass") and o != e]
            edges = _replaced(tokens, edges, e.head, e.dependent, objects[:1]) if objects else edges
            edges = _scene_of(tokens, edges, objects[0]) if objects and frame else edges
        elif frame and verb.tag[:1] in "VJN" and verb.lemma not in FRAMES:
            edges = _silenced_clause(tokens, edges, e)
    return edges


def _scene_of(tokens: Tokens, edges: Edges, shown: int) -> Edges:
    """What "a lively scene of", "in" or "with" names, in the place of the scene that a picture captures."""
    if tokens[shown - 1].lemma not in _SCENES:
        return edges
    below = [e for e in edges if e.head == shown]
    asked = {e.head for e in edges if tokens[e.dependent - 1].tag == "WRB"}
    names = [e.dependent for e in below if e.relation.startswith(("acl", "advcl")) and e.dependent in asked]  # "the moment when he jumps"
    names = names or [e.dependent for e in below if e.relation in ("nmod:of", "nmod:in", "nmod:at", "nmod:on", "nmod:with")]
    if not names:
        return _silenced(tokens, edges, shown)
    first = names[0]
    out = []
    for e in edges:
        if e.dependent == shown and e.head != first:
            out.append(e._replace(dependent=first))
        elif e.head == shown and e.dependent == first:
            out.append(Dependency(first, shown, "frame"))
        elif e.head == shown:
            moved = e.relation.startswith(("nmod:", "acl", "conj")) or e.dependent > first
            out.append(e._replace(head=first) if moved else e._replace(relation="frame"))
        else:
            out.append(e)
    return tuple(dict.fromkeys(out))


def _seen_doing(tokens: Tokens, edges: Edges) -> Edges:
    """Who "can be seen standing" stands."""
    for e in edges:
        if e.relation not in _SUBJECTS or not e.head or tokens[e.head - 1].lemma not in ("see", "observe", "spot"):
            continue
        below = [o for o in edges if o.head == e.head]
        doing = next((o.dependent for o in below if o.relation == "xcomp" and tokens[o.dependent - 1].tag in ("VBG", "VBN")), 0)
        if not doing or not any(o.relation == "aux" and tokens[o.dependent - 1].tag == "MD" for o in below):
            continue
        subject = Dependency(doing, e.dependent, "nsubj:pass" if tokens[doing - 1].tag == "VBN" else "nsubj")
        others = tuple(o._replace(head=doing) for o in below if o.relation.startswith(_PHRASE) or o.relation in ("punct", "advcl", "conj"))
        above = tuple(o._replace(dependent=doing) for o in edges if o.dependent == e.head)
        known = {doing, e.dependent, *(o.dependent for o in others)}
        frame = tuple(Dependency(doing, i, "frame") for i in (e.head, *(o.dependent for o in below if o.dependent not in known)))
        rest = tuple(o for o in edges if e.head not in (o.head, o.dependent))
        edges = (*above, subject, *others, *rest, *frame)
    return edges


def _silenced_clause(tokens: Tokens, edges: Edges, subject: Dependency) -> Edges:
    """A main clause about the picture gives nothing: "the scene is peaceful", "the image conveys a sense of calm"."""
    below = [o for o in edges if o.head == subject.head]
    concrete = any(o.relation == "obl:agent" for o in below)
    if tokens[subject.head - 1].tag[:1] == "V" and not any(o.relation in ("obj", "ccomp", "xcomp", "obl:of") for o in below) and concrete:
        return edges
    for word in (subject.head, subject.dependent):
        edges = _silenced(tokens, edges, word)
    return edges


def _replaced(tokens: Tokens, edges: Edges, verb: int, subject: int, shown: list[int]) -> Edges:
    """The edges with what is shown in the place of the verb; the subject becomes a frame, other phrases belong to what is shown."""
    first = shown[0]
    clause = tokens[first - 1].tag[:1] != "N"
    out = []
    for e in edges:
        if e.dependent == verb:
            out += [e._replace(dependent=first), Dependency(first, verb, "frame")]
        elif e.dependent == subject and e.head == verb:
            out.append(Dependency(first, subject, "frame"))
        elif e.head == verb and e.dependent == first:
            continue
        elif e.head == verb and e.relation.startswith("obl:") and not clause:
            out.append(Dependency(first, e.dependent, e.relation.replace("obl:", "nmod:")))
        elif e.head == verb and e.relation == "advcl" and not clause and tokens[e.dependent - 1].tag in ("VBG", "VBN"):
            out.append(Dependency(first, e.dependent, "acl"))
        elif e.head == verb:
            out.append(
                e._replace(head=first) if e.relation in ("punct", "advcl", "conj", "parataxis", "frame") else e._replace(relation="frame")
            )
        else:
            out.append(e)
    return tuple(dict.fromkeys(out))


def _seen(tokens: Tokens, edges: Edges) -> Edges:
    """What "can be seen" or "is visible" is there; what is visible somewhere is there, and what can be seen there is seen there."""
    for e in edges:
        if e.relation not in _SUBJECTS or not e.head or not tokens[e.dependent - 1].tag.startswith("NN"):
            continue
        word, below = tokens[e.head - 1], [o for o in edges if o.head == e.head]
        passive = e.relation == "nsubj:pass" or any(o.relation == "aux:pass" for o in below)
        if word.lemma not in _SEEN or not (word.lemma == "visible" or (word.tag in ("VBN", "VBD") and passive)):
            continue
        placed = word.lemma != "visible" and any(o.relation.startswith(_PHRASE) for o in below)
        if placed or any(o.relation in ("xcomp", "ccomp", "obj", "conj") for o in below):
            continue
        if any(o.relation == "advmod" and tokens[o.dependent - 1].lemma in ("not", "n't", "never") for o in below):
            continue
        if any(o.dependent == e.head and o.relation not in ("root", "conj", "parataxis", "ccomp") for o in edges):
            continue
        denied = any(o.head == e.dependent and tokens[o.dependent - 1].text.lower() in ("no", "neither") for o in edges)
        edges = edges if denied else _replaced(tokens, edges, e.head, 0, [e.dependent])
    return edges


def _described(tokens: Tokens, edges: Edges) -> Edges:
    """What "it is a peaceful scene" says is nothing; "this is a photo of a dog" names a photo."""
    for e in edges:
        if e.relation != "nsubj" or not e.head or tokens[e.dependent - 1].text.lower() not in _POINTERS:
            continue
        noun = tokens[e.head - 1]
        bare = not any(o.head == e.head and o.relation.startswith(("nmod:", "acl")) for o in edges)
        if noun.lemma in FRAMES and noun.tag.startswith("NN") and bare:
            edges = _silenced(tokens, edges, e.head)
    return edges
