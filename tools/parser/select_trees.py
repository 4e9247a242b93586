"""Selection of training trees for ``caption``: parses that several parsers share or that explain a gold scene graph.

Two CoreNLP 4.5 parsers and, in a second round, the pipeline of the first round parse the same captions. If FACTUAL has a gold graph of a
caption, phrases are attached elsewhere and words become participles where the rules then find more of the graph.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from spice_core.lang.en.enhancement import ENHANCEMENT
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
    return [{e.dependent: e.head for e in sentence.basic} for sentence in document.sentences]


def words_by_sentence(document: Document) -> list[list[str]]:
    return [[token.text for token in sentence.tokens] for sentence in document.sentences]


def have_same_trees(first_parse: Document, second_parse: Document) -> bool:
    return words_by_sentence(first_parse) == words_by_sentence(second_parse) and heads_by_sentence(first_parse) == heads_by_sentence(
        second_parse
    )


def choose_tree(parses: Sequence[Document], gold: RelatedPairs | None, rules: RuleSet) -> Document | None:
    """Return the most reliable tree among a caption's parses, or None.

    With a gold graph, this is the tree that explains the graph best, after repairs. Otherwise it is the first tree that another parser
    shares.
    """
    shared_parse = next(
        (parse for i, parse in enumerate(parses) if any(have_same_trees(parse, other_parse) for other_parse in parses[i + 1 :])), None
    )
    if gold is None:
        return reanalyse_participles(shared_parse) if shared_parse else None
    scored_parses = [(pair_f1(parse, gold, rules), parse is shared_parse, parse) for parse in parses]
    f1, _, best_parse = max(scored_parses, key=lambda e: e[:2])
    improved_tree, f1 = improve_tree(best_parse, f1, lambda parse: pair_f1(parse, gold, rules))
    return improved_tree if shared_parse is not None or f1 >= _MIN_RELIABLE_F1 else None


# --- gold graphs ---------------------------------------------------------------------------------------------------


def related_pairs(propositions: Iterable[Proposition], lemma: Callable[[str], str]) -> RelatedPairs:
    """Return the first and last element of each attribute and relation, represented by the lemma of their last word."""
    parts = ((p.words[0], p.words[-1]) for p in propositions if len(p.words) > 1)
    return frozenset(frozenset(lemma(part.split()[-1]) for part in pair) for pair in parts)


def pair_f1(document: Document, gold: RelatedPairs, rules: RuleSet) -> float:
    """Return the F1 (0–1) of the pairs that the rules find in the tree against the gold graph."""
    pairs_found = related_pairs(rules.apply(ENHANCEMENT.enhance(document, rules.steps)), lambda word: word)
    return 2 * len(pairs_found & gold) / (len(pairs_found) + len(gold)) if pairs_found or gold else 1.0


def improve_tree(document: Document, score: float, judge: Callable[[Document], float]) -> tuple[Document, float]:
    """Attach phrases elsewhere, or make words participles, as long as the value of ``judge`` increases.

    Return the document and its value.
    """
    while score < 1:
        best_change = max(
            ((judge(changed_tree), n, changed_tree) for n, changed_tree in enumerate(_iterate_changes(document))),
            default=(0.0, 0, document),
        )
        if best_change[0] <= score:
            break
        score, document = best_change[0], best_change[2]
    return document, score


def _iterate_changes(document: Document) -> Iterator[Document]:
    """Yield variants with a phrase (except "of") or clause at another preceding noun or verb, or with a word as participle."""
    for sentence_index, sentence in enumerate(document.sentences):
        of_heads = {e.head for e in sentence.basic if e.relation == "case" and sentence.tokens[e.dependent - 1].text.lower() == "of"}
        for reading in filter(None, (reanalyse_participle(sentence, token.index) for token in sentence.tokens)):
            yield _replace_sentence(document, sentence_index, reading)
        for edge in sentence.basic:
            if edge.relation in _MOVABLE_RELATIONS and edge.head and edge.dependent not in of_heads:
                for token in sentence.tokens[: edge.dependent - 1]:
                    moved_edges = _reattach(sentence, edge, token.index) if token.tag[:1] in "NV" and token.index != edge.head else None
                    if moved_edges:
                        yield _replace_sentence(document, sentence_index, moved_edges)


def _replace_sentence(document: Document, sentence_index: int, sentence: Sentence) -> Document:
    return replace(document, sentences=(*document.sentences[:sentence_index], sentence, *document.sentences[sentence_index + 1 :]))


def reanalyse_participles(document: Document) -> Document:
    """Reanalyse words such as "swinging" in "a boy swinging a bat" as participles, where a parser chose a compound or adjective."""
    for sentence_index, sentence in enumerate(document.sentences):
        for word_before, token in zip(sentence.tokens, sentence.tokens[1:]):
            reading = reanalyse_participle(document.sentences[sentence_index], token.index) if word_before.lemma in ACTOR_NOUNS else None
            document = _replace_sentence(document, sentence_index, reading) if reading else document
    return document


def reanalyse_participle(sentence: Sentence, verb: int) -> Sentence | None:
    """Reanalyse an "-ing" word after a noun as its participle. Return None if it is one already or cannot be one.

    "boy –compound→ swinging –dep→ bat" and "boy –compound→ kites, flying –amod→ kites" become noun –acl→ verb –obj→ noun.
    """
    noun, token = verb - 1, sentence.tokens[verb - 1]
    edge_by_dependent = {e.dependent: e for e in sentence.basic}
    if noun < 1 or not token.text.endswith("ing") or token.tag not in ("NN", "VBG", "JJ"):
        return None
    if (
        not sentence.tokens[noun - 1].tag.startswith("NN")
        or edge_by_dependent[verb].head == noun
        or edge_by_dependent[verb].relation not in _NOUN_ROLES
    ):
        return None
    noun_after = (
        edge_by_dependent[verb].head
        if edge_by_dependent[verb].head > verb and edge_by_dependent[verb].relation in ("amod", "compound")
        else 0
    )
    inner_indices = {noun, verb, noun_after} - {0}
    if edge_by_dependent[noun].head not in inner_indices and not (noun_after and edge_by_dependent[noun_after].head == noun):
        return None
    top_edge = next(edge_by_dependent[i] for i in sorted(inner_indices, reverse=True) if edge_by_dependent[i].head not in inner_indices)
    basic = _attach_participle_clause(sentence, verb, noun_after, top_edge)
    if not basic or not (is_tree(basic) and is_projective(basic)):
        return None
    word = token._replace(tag="VBG", lemma=regular_lemma(token.text.lower(), "V"))
    return Sentence((*sentence.tokens[:noun], word, *sentence.tokens[verb:]), basic)


def _attach_participle_clause(sentence: Sentence, verb: int, noun_after: int, top_edge: Dependency) -> tuple[Dependency, ...]:
    """Return the edges with the participle and ``noun_after`` below the preceding noun, which takes the place of ``top_edge``'s dependent.

    Return no edges if a preposition makes the participle or the word after it a separate phrase.
    """
    noun, graph = verb - 1, DependencyGraph(sentence.tokens, sentence.basic)
    if graph.has_child(noun_after, "case") or (graph.has_child(verb, "case") and top_edge.relation == "root"):
        return ()
    phrase = [e._replace(head=noun) for word in (verb, noun_after) for e in graph.children_before(word, noun)]
    objects = [
        e._replace(relation="obl" if graph.has_child(e.dependent, "case") else "obj")
        for e in graph.children_after(verb, verb)
        if e.relation in _OBJECT_CANDIDATE_RELATIONS
    ]
    clause = [Dependency(top_edge.head, noun, top_edge.relation), Dependency(noun, verb, "acl"), Dependency(verb, noun_after, "obj")]
    return graph.revise([*phrase, *objects, *clause]).edges


def _reattach(sentence: Sentence, edge: Dependency, head: int) -> Sentence | None:
    """Return the sentence with the edge's dependent attached to another head, or None if the result is not a projective tree."""
    noun, phrase = sentence.tokens[head - 1].tag.startswith("NN"), edge.relation in ("nmod", "obl")
    relation = ("nmod" if noun else "obl") if phrase else ("acl" if noun else "advcl")
    basic = tuple(Dependency(head, e.dependent, relation) if e is edge else e for e in sentence.basic)
    return replace(sentence, basic=basic) if is_tree(basic) and is_projective(basic) else None


def is_projective(edges: Sequence[Dependency]) -> bool:
    """Return whether the edges form a tree without crossing arcs."""
    head_by_dependent = {e.dependent: e.head for e in edges}
    for e in edges:
        lower_index, upper_index = sorted((e.head, e.dependent))
        for inner_index in range(lower_index + 1, upper_index):
            word, steps = inner_index, 0
            while word and word != e.head and steps <= len(head_by_dependent):
                word, steps = head_by_dependent[word], steps + 1
            if word != e.head:
                return False
    return True
