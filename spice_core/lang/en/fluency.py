"""Rules for faults of fluency: captions that break off, repeat themselves, or lack a conjunction or a verb.

The kinds of fault are those of Zhou et al. (ICASSP 2022); they are found by words, tags and trees, not by a classifier.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from spice_core.syntax.document import Document, Sentence, Token

_NEVER_LAST = frozenset("a an the its their my our your and or of from with to as while whose into onto".split())
_TWICE = frozenset("again over on more up down round around by through very really so had that".split())  # "again and again", "very, very"
_LINKS = frozenset("then while as before after until when followed".split())
_REPORTS = frozenset("say tell hear think know see watch let make sound seem".split())  # verbs that take a clause without a conjunction
_FINITE = ("VBZ", "VBP", "VBD")
_CONTENT = ("NN", "VB", "JJ", "RB", "CD", "PRP", "RP")


def faults(document: Document) -> list[tuple[str, str]]:
    """Return the faults of a caption, each as name and words; empty for a fluent caption."""
    return [fault for sentence in document.sentences if sentence.tokens for rule in RULES for fault in rule(sentence)]


def unfinished(sentence: Sentence) -> Iterator[tuple[str, str]]:
    """Find a caption that ends in an article, conjunction, auxiliary or in a preposition without its noun."""
    words = _words(sentence)
    if not words:
        return
    last, relation = words[-1], _relations(sentence)[words[-1].index]
    particle = relation.startswith(("compound:prt", "advmod"))
    if last.text.lower() in _NEVER_LAST or last.lemma == "be" or last.tag in ("CC", "TO") or (last.tag == "IN" and not particle):
        yield "unfinished", last.text


def repeated_word(sentence: Sentence) -> Iterator[tuple[str, str]]:
    """Find a word twice in a row, a word joined with itself by a conjunction, or an adverb used twice with one verb."""
    words = _words(sentence)
    for first, second in pairwise(words):
        if first.text.lower() == second.text.lower() and first.text.isalpha() and first.lemma not in _TWICE:
            yield "repeated_word", f"{first.text} {second.text}"
    for first, link, second in zip(words, words[1:], words[2:]):
        again = first.text.lower() in _TWICE or first.tag in ("RBR", "JJR")  # "louder and louder"
        if link.tag == "CC" and first.text.lower() == second.text.lower() and not again:
            yield "repeated_word", f"{first.text} {link.text} {second.text}"
    adverbs: dict[tuple[int, str], Token] = {}
    for edge in sentence.basic:
        token = sentence.tokens[edge.dependent - 1]
        if edge.relation == "advmod" and token.text.endswith("ly"):
            first = adverbs.setdefault((edge.head, token.lemma), token)
            if abs(first.index - token.index) > 1:
                yield "repeated_word", f"{first.text} … {token.text}"


def repeated_event(sentence: Sentence) -> Iterator[tuple[str, str]]:
    """Find two parts with the same content words, separated by conjunctions or commas."""
    seen: set[frozenset[str]] = set()
    for part in _parts(sentence):
        content = frozenset(t.lemma for t in part if t.tag.startswith(_CONTENT) and t.lemma not in ("be", "have"))
        if len(content) > 1 and content in seen:
            yield "repeated_event", " ".join(t.text for t in part)
        seen.add(content)


def missing_conjunction(sentence: Sentence) -> Iterator[tuple[str, str]]:
    """Find two finite clauses, each with its subject, that nothing joins."""
    relations = _relations(sentence)
    subjects = {e.head: e.dependent for e in reversed(sentence.basic) if e.relation.startswith("nsubj")}
    helped = {e.head for e in sentence.basic if e.relation.startswith(("aux", "cop"))}
    finite = [
        t
        for t in sentence.tokens
        if (t.index in subjects and (t.index in helped or t.tag in _FINITE)) or (relations[t.index] == "conj" and t.tag in _FINITE)
    ]
    for first, second in pairwise(finite):
        if second.index not in subjects:
            continue
        between = sentence.tokens[first.index : subjects[second.index] - 1]
        joined = any(_links(t, relations) or t.tag in ("CC", "WDT", "WP", "WRB", "TO") for t in between)
        after = subjects[second.index] > first.index and not relations[second.index].startswith("acl")
        if after and not joined and first.lemma not in _REPORTS:
            yield "missing_conjunction", f"{first.text} … {second.text}"


def missing_verb(sentence: Sentence) -> Iterator[tuple[str, str]]:
    """Find a "be" followed only by adverbs, a subject and its adverb without a verb, or a verb with two subjects."""
    relations = _relations(sentence)
    subjects = [e for e in sentence.basic if e.relation.startswith("nsubj")]
    for one, other in pairwise(sorted(subjects, key=lambda e: (e.head, e.dependent))):
        between = sentence.tokens[one.dependent : other.dependent - 1]
        if one.head == other.head and not any(t.tag == "CC" for t in between):
            yield "missing_verb", f"{sentence.tokens[one.dependent - 1].text} … {sentence.tokens[other.dependent - 1].text}"
    for part in _parts(sentence):
        adverbs = [t for t in part if t.text.endswith("ly") and t.tag == "RB"]
        others = [t for t in part if t not in adverbs]
        if others and others[-1].lemma == "be" and others[-1].tag != "VBG":
            yield "missing_verb", " ".join(t.text for t in part[-2:])
        predicate = any(t.tag.startswith(("VB", "MD")) or (t.tag in ("JJ", "RB") and relations[t.index] in ("root", "conj")) for t in part)
        if not predicate and part[-1] in adverbs and any(t.tag.startswith("NN") for t in part):
            yield "missing_verb", " ".join(t.text for t in part)


RULES = (unfinished, repeated_word, repeated_event, missing_conjunction, missing_verb)


def _words(sentence: Sentence) -> list[Token]:
    """Return the tokens without punctuation."""
    return [t for t in sentence.tokens if any(c.isalnum() for c in t.text)]


def _relations(sentence: Sentence) -> dict[int, str]:
    """Return the incoming basic relation of each token."""
    return {t.index: "" for t in sentence.tokens} | {e.dependent: e.relation for e in sentence.basic}


def _links(token: Token, relations: dict[int, str]) -> bool:
    """Return whether a token joins clauses: a word such as "while", a subordinator, or punctuation."""
    return token.text.lower() in _LINKS or relations[token.index] == "mark" or not any(c.isalnum() for c in token.text)


def _parts(sentence: Sentence) -> Iterator[Sequence[Token]]:
    """Return the sentence split at conjunctions and punctuation."""
    relations, part = _relations(sentence), list[Token]()
    for token in sentence.tokens:
        if token.tag == "CC" or _links(token, relations):
            if part:
                yield part
            part = []
        else:
            part.append(token)
    if part:
        yield part
