"""Rules that find fluency errors: captions that break off, repeat themselves, or lack a conjunction or a verb.

The kinds of error are those of Zhou et al. (ICASSP 2022). Rules over words, tags and trees detect them here, instead of
the classifier of that paper.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from spice_core.lang.en.grammar import has_subject, is_subject
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Document, Token

_NON_FINAL_WORDS = frozenset("a an the its their my our your and or of from with to as while whose into onto".split())
_REPEATABLE_WORDS = frozenset(
    "again over on more up down round around by through very really so had that".split()
)  # words with correct repetitions: "again and again", "very, very"
_LINKING_WORDS = frozenset("then while as before after until when followed".split())
_REPORTING_VERBS = frozenset(
    "say tell hear think know see watch let make sound seem".split()
)  # verbs that take a clause without a conjunction
_FINITE_VERB_TAGS = ("VBZ", "VBP", "VBD")
_JOINING_TAGS = ("CC", "WDT", "WP", "WRB", "TO")
_CONTENT_TAG_PREFIXES = ("NN", "VB", "JJ", "RB", "CD", "PRP", "RP")


def find_errors(document: Document) -> list[tuple[str, str]]:
    """Return a caption's fluency errors, each with its name and words."""
    graphs = [DependencyGraph(sentence.tokens, sentence.basic) for sentence in document.sentences if sentence.tokens]
    return [(name, words) for graph in graphs for name, find in FLUENCY_RULES for words in find(graph)]


def _find_unfinished_captions(graph: DependencyGraph) -> Iterator[str]:
    """Yield the last word if it cannot end a caption: an article, a conjunction, a form of "be", or a preposition without an object."""
    words = _words_of(graph)
    if not words:
        return
    last_token = words[-1]
    is_preposition = last_token.tag == "IN" and not _relation(graph, last_token).startswith(("compound:prt", "advmod"))
    if last_token.text.lower() in _NON_FINAL_WORDS or last_token.lemma == "be" or last_token.tag in ("CC", "TO") or is_preposition:
        yield last_token.text


def _find_repeated_words(graph: DependencyGraph) -> Iterator[str]:
    """Yield each repetition: a word repeated directly or across a conjunction, or an adverb in -ly repeated with the same head."""
    words = _words_of(graph)
    for first, second in pairwise(words):
        if _are_equal_words(first, second) and first.text.isalpha() and first.lemma not in _REPEATABLE_WORDS:
            yield f"{first.text} {second.text}"
    for first, link, second in zip(words, words[1:], words[2:]):
        is_repeatable = first.text.lower() in _REPEATABLE_WORDS or first.tag in ("RBR", "JJR")  # "louder and louder"
        if link.tag == "CC" and _are_equal_words(first, second) and not is_repeatable:
            yield f"{first.text} {link.text} {second.text}"
    yield from _find_repeated_adverbs(graph)


def _find_repeated_adverbs(graph: DependencyGraph) -> Iterator[str]:
    adverbs: dict[tuple[int, str], Token] = {}
    for edge in graph.edges_of("advmod"):
        token = graph.token(edge.dependent)
        if token.text.endswith("ly"):
            first_token = adverbs.setdefault((edge.head, token.lemma), token)
            if abs(first_token.index - token.index) > 1:
                yield f"{first_token.text} … {token.text}"


def _find_repeated_events(graph: DependencyGraph) -> Iterator[str]:
    """Yield each part between conjunctions or punctuation with the same content words (at least two) as an earlier part."""
    seen: set[frozenset[str]] = set()
    for part in _split_at_conjunctions(graph):
        content_lemmas = frozenset(t.lemma for t in part if t.tag.startswith(_CONTENT_TAG_PREFIXES) and t.lemma not in ("be", "have"))
        if len(content_lemmas) > 1 and content_lemmas in seen:
            yield " ".join(t.text for t in part)
        seen.add(content_lemmas)


def _find_missing_conjunctions(graph: DependencyGraph) -> Iterator[str]:
    """Yield the verbs of two finite clauses that no conjunction and no punctuation joins."""
    for first, second in pairwise(t for t in graph.tokens if _is_finite(graph, t)):
        subject = graph.child_like(second.index, "nsubj")
        if subject <= first.index or first.lemma in _REPORTING_VERBS or _relation(graph, second).startswith("acl"):
            continue
        tokens_between = graph.tokens[first.index : subject - 1]
        if not any(_joins_clauses(graph, t) or t.tag in _JOINING_TAGS for t in tokens_between):
            yield f"{first.text} … {second.text}"


def _find_missing_verbs(graph: DependencyGraph) -> Iterator[str]:
    """Yield a final "be" followed by at most adverbs, a noun with an adverb but no verb, or two subjects of one verb."""
    subjects = sorted((e for e in graph.edges if is_subject(e)), key=lambda e: (e.head, e.dependent))
    for first_edge, second_edge in pairwise(subjects):
        tokens_between = graph.tokens[first_edge.dependent : second_edge.dependent - 1]
        if first_edge.head == second_edge.head and not any(t.tag == "CC" for t in tokens_between):
            yield f"{graph.token(first_edge.dependent).text} … {graph.token(second_edge.dependent).text}"
    for part in _split_at_conjunctions(graph):
        if _ends_in_be(part):
            yield " ".join(t.text for t in part[-2:])
        if _is_adverb(part[-1]) and any(t.tag.startswith("NN") for t in part) and not any(_is_predicate(graph, t) for t in part):
            yield " ".join(t.text for t in part)


FLUENCY_RULES = (
    ("unfinished", _find_unfinished_captions),
    ("repeated_word", _find_repeated_words),
    ("repeated_event", _find_repeated_events),
    ("missing_conjunction", _find_missing_conjunctions),
    ("missing_verb", _find_missing_verbs),
)


def _words_of(graph: DependencyGraph) -> list[Token]:
    return [t for t in graph.tokens if not _is_punctuation(t)]


def _is_punctuation(token: Token) -> bool:
    return not any(c.isalnum() for c in token.text)


def _are_equal_words(first: Token, second: Token) -> bool:
    return first.text.lower() == second.text.lower()


def _relation(graph: DependencyGraph, token: Token) -> str:
    edge = graph.incoming(token.index)
    return edge.relation if edge else ""


def _is_finite(graph: DependencyGraph, token: Token) -> bool:
    """Return whether a token is the predicate of a finite clause, or a finite verb coordinated with another word."""
    if has_subject(graph, token.index) and (token.tag in _FINITE_VERB_TAGS or graph.has_child_like(token.index, "aux", "cop")):
        return True
    return token.tag in _FINITE_VERB_TAGS and _relation(graph, token) == "conj"


def _is_adverb(token: Token) -> bool:
    return token.tag == "RB" and token.text.endswith("ly")


def _is_predicate(graph: DependencyGraph, token: Token) -> bool:
    """Return whether a token is a verb, or an adjective or adverb that is the main predicate of its clause."""
    return token.tag.startswith(("VB", "MD")) or (token.tag in ("JJ", "RB") and _relation(graph, token) in ("root", "conj"))


def _ends_in_be(tokens: Sequence[Token]) -> bool:
    """Return whether tokens end in a form of "be" other than "being", with at most adverbs after it."""
    last_token = next((t for t in reversed(tokens) if not _is_adverb(t)), None)
    return last_token is not None and last_token.lemma == "be" and last_token.tag != "VBG"


def _joins_clauses(graph: DependencyGraph, token: Token) -> bool:
    """Return whether a token joins clauses: a word such as "while", a subordinator, or punctuation."""
    return token.text.lower() in _LINKING_WORDS or _relation(graph, token) == "mark" or _is_punctuation(token)


def _split_at_conjunctions(graph: DependencyGraph) -> Iterator[Sequence[Token]]:
    """Yield the parts of the sentence between conjunctions, subordinators and punctuation."""
    groups = groupby(graph.tokens, key=lambda token: token.tag == "CC" or _joins_clauses(graph, token))
    yield from (list(part) for separator, part in groups if not separator)
