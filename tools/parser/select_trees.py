"""Selection of training trees for ``caption``: parses that several parsers share or that explain a gold scene graph.

Two CoreNLP 4.5 parsers and, in a second round, the pipeline of the first round parse the same captions. If FACTUAL has a
gold graph, a phrase is reattached if the rules then find more of the graph.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from spice_core.lang.en.enhancement import enhance
from spice_core.lang.en.lemmas import regular_lemma
from spice_core.lang.en.word_lists import ACTOR_NOUNS
from spice_core.rules import RuleSet
from spice_core.scene.propositions import Proposition
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Dependency, Document, Sentence
from tools.parser.respell import is_tree

RelatedPairs = frozenset[frozenset[str]]
_NOUN_ROLES = ("root", "amod", "compound", "nmod", "obj", "dep", "nsubj", "obl")  # relations of a noun that may be a participle
_OBJECT_CANDIDATE_RELATIONS = ("dep", "nsubj", "obj", "nmod", "obl", "appos")
_MOVABLE_RELATIONS = ("nmod", "obl", "acl", "advcl", "dep")
_MIN_RELIABLE_F1 = 0.5  # minimum F1 against the gold graph for a tree that no two parsers share


def heads_by_sentence(document: Document) -> list[dict[int, int]]:
    """Return the heads of all tokens, by sentence."""
    return [{e.dependent: e.head for e in sentence.basic} for sentence in document.sentences]


def words_by_sentence(document: Document) -> list[list[str]]:
    """Return the tokens, by sentence."""
    return [[token.text for token in sentence.tokens] for sentence in document.sentences]


def have_same_trees(one: Document, other: Document) -> bool:
    """Whether two parses of a caption have the same tokens and heads."""
    return words_by_sentence(one) == words_by_sentence(other) and heads_by_sentence(one) == heads_by_sentence(other)


def choose_tree(parses: Sequence[Document], gold: RelatedPairs | None, rules: RuleSet) -> Document | None:
    """Return the tree to train on among one caption's parses (most reliable first); None if none is reliable.

    With a gold graph, the one that explains it best, repaired; otherwise the first that another parser shares.
    """
    shared = next((one for i, one in enumerate(parses) if any(have_same_trees(one, other) for other in parses[i + 1 :])), None)
    if gold is None:
        return reanalyse_participles(shared) if shared else None
    explained = [(pair_f1(one, gold, rules), one is shared, one) for one in parses]
    figure, _, best = max(explained, key=lambda e: e[:2])
    mended, figure = improve_tree(best, figure, lambda one: pair_f1(one, gold, rules))
    return mended if shared is not None or figure >= _MIN_RELIABLE_F1 else None


# --- gold graphs ---------------------------------------------------------------------------------------------------


def related_pairs(propositions: Iterable[Proposition], lemma: Callable[[str], str]) -> RelatedPairs:
    """Return related pairs: the first and last part of each attribute and relation, as the lemma of its last word."""
    parts = ((p.words[0], p.words[-1]) for p in propositions if len(p.words) > 1)
    return frozenset(frozenset(lemma(part.split()[-1]) for part in pair) for pair in parts)


def pair_f1(document: Document, gold: RelatedPairs, rules: RuleSet) -> float:
    """F1 (0–1) of the pairs that the rules find in the tree, against the gold graph."""
    found = related_pairs(rules.apply(enhance(document, rules.steps)), lambda word: word)
    return 2 * len(found & gold) / (len(found) + len(gold)) if found or gold else 1.0


def improve_tree(document: Document, figure: float, judge: Callable[[Document], float]) -> tuple[Document, float]:
    """Reattach phrases as long as ``judge`` prefers the outcome; returns the document and its value."""
    while figure < 1:
        better = max(((judge(one), n, one) for n, one in enumerate(_iterate_reattachments(document))), default=(0.0, 0, document))
        if better[0] <= figure:
            break
        figure, document = better[0], better[2]
    return document, figure


def _iterate_reattachments(document: Document) -> Iterator[Document]:
    """Yield variants with one phrase (except "of") or clause attached to another preceding noun or verb, or one participle recognised."""
    for number, sentence in enumerate(document.sentences):
        of = {e.head for e in sentence.basic if e.relation == "case" and sentence.tokens[e.dependent - 1].text.lower() == "of"}
        for read in filter(None, (reanalyse_participle(sentence, token.index) for token in sentence.tokens)):
            yield _replace_sentence(document, number, read)
        for edge in sentence.basic:
            if edge.relation in _MOVABLE_RELATIONS and edge.head and edge.dependent not in of:
                for token in sentence.tokens[: edge.dependent - 1]:
                    moved = _reattach(sentence, edge, token.index) if token.tag[:1] in "NV" and token.index != edge.head else None
                    if moved:
                        yield _replace_sentence(document, number, moved)


def _replace_sentence(document: Document, number: int, sentence: Sentence) -> Document:
    return replace(document, sentences=(*document.sentences[:number], sentence, *document.sentences[number + 1 :]))


def reanalyse_participles(document: Document) -> Document:
    """Reanalyse "a boy swinging a bat" as a participle where a parser saw a compound or an adjective."""
    for number, sentence in enumerate(document.sentences):
        for before, token in zip(sentence.tokens, sentence.tokens[1:]):
            read = reanalyse_participle(document.sentences[number], token.index) if before.lemma in ACTOR_NOUNS else None
            document = _replace_sentence(document, number, read) if read else document
    return document


def reanalyse_participle(sentence: Sentence, verb: int) -> Sentence | None:
    """Return the sentence with an "-ing" word after a noun as that noun's participle; None if it is one or cannot be.

    "boy –compound→ swinging –dep→ bat" and "boy –compound→ kites, flying –amod→ kites" become noun –acl→ verb –obj→ noun.
    """
    noun, token = verb - 1, sentence.tokens[verb - 1]
    above = {e.dependent: e for e in sentence.basic}
    if noun < 1 or not token.text.endswith("ing") or token.tag not in ("NN", "VBG", "JJ"):
        return None
    if not sentence.tokens[noun - 1].tag.startswith("NN") or above[verb].head == noun or above[verb].relation not in _NOUN_ROLES:
        return None
    behind = above[verb].head if above[verb].head > verb and above[verb].relation in ("amod", "compound") else 0
    inside = {noun, verb, behind} - {0}
    if above[noun].head not in inside and not (behind and above[behind].head == noun):
        return None
    top = next(above[i] for i in sorted(inside, reverse=True) if above[i].head not in inside)
    basic = _attach_participle_clause(sentence, verb, behind, top)
    if not basic or not (is_tree(basic) and is_projective(basic)):
        return None
    word = token._replace(tag="VBG", lemma=regular_lemma(token.text.lower(), "V"))
    return Sentence((*sentence.tokens[:noun], word, *sentence.tokens[verb:]), basic)


def _attach_participle_clause(sentence: Sentence, verb: int, behind: int, top: Dependency) -> tuple[Dependency, ...]:
    """Return the edges with a participle and the words ``behind`` it attached to the preceding noun, which replaces ``top``.

    Empty if a preposition makes the participle or the word behind it a phrase of its own.
    """
    noun, graph = verb - 1, DependencyGraph(sentence.tokens, sentence.basic)
    if graph.has_child(behind, "case") or (graph.has_child(verb, "case") and top.relation == "root"):
        return ()
    phrase = [e._replace(head=noun) for word in (verb, behind) for e in graph.children_before(word, noun)]
    objects = [
        e._replace(relation="obl" if graph.has_child(e.dependent, "case") else "obj")
        for e in graph.children_behind(verb, verb)
        if e.relation in _OBJECT_CANDIDATE_RELATIONS
    ]
    clause = [Dependency(top.head, noun, top.relation), Dependency(noun, verb, "acl"), Dependency(verb, behind, "obj")]
    return graph.revise([*phrase, *objects, *clause]).edges


def _reattach(sentence: Sentence, edge: Dependency, head: int) -> Sentence | None:
    """Return the sentence with the edge's dependent attached to another head; None if the result is not a projective tree."""
    noun, phrase = sentence.tokens[head - 1].tag.startswith("NN"), edge.relation in ("nmod", "obl")
    relation = ("nmod" if noun else "obl") if phrase else ("acl" if noun else "advcl")
    basic = tuple(Dependency(head, e.dependent, relation) if e is edge else e for e in sentence.basic)
    return replace(sentence, basic=basic) if is_tree(basic) and is_projective(basic) else None


def is_projective(edges: Sequence[Dependency]) -> bool:
    """Whether the edges are a tree in which no two arcs cross."""
    above = {e.dependent: e.head for e in edges}
    for e in edges:
        low, high = sorted((e.head, e.dependent))
        for between in range(low + 1, high):
            word, steps = between, 0
            while word and word != e.head and steps <= len(above):
                word, steps = above[word], steps + 1
            if word != e.head:
                return False
    return True
