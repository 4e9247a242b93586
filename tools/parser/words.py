"""Trees as words that point to their heads, converted from and to documents."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from spice_core.syntax.document import Dependency, Document, Sentence, Token

_WORD_PATTERN = re.compile(r"[A-Za-z]+(-[A-Za-z]+)*|'s|[0-9]+|[.,]")
_PLAIN_RELATIONS = frozenset(
    "root det nummod amod compound nmod nmod:poss case acl obj obl advmod compound:prt conj cc xcomp mark fixed punct advcl det:predet "
    "obl:npmod obl:tmod nsubj nsubj:pass aux aux:pass cop".split()
)


@dataclass(eq=False, slots=True)
class Word:
    """A word of a tree, with its head (None for the root). ``follows_directly`` means no preceding space."""

    text: str
    lemma: str
    tag: str
    relation: str = "root"
    head: Word | None = None
    follows_directly: bool = False


def read_words(document: Document) -> list[Word] | None:
    if len(document.sentences) != 1:
        return None
    words = _plain_words(document)
    if words and words[-1].text == ".":
        words = _without_stop(words)
    if not words or not _is_plain_caption(words):
        return None
    words[0].text = words[0].text.lower()
    return words


def _plain_words(document: Document) -> list[Word] | None:
    """Return all words of the first sentence, or None if a word or relation is not plain."""
    sentence, edges = document.sentences[0], {e.dependent: e for e in document.sentences[0].basic}
    words, end = [], -1
    for token in sentence.tokens:
        text = document.text[token.start : token.end]
        if not _WORD_PATTERN.fullmatch(text) or edges[token.index].relation not in _PLAIN_RELATIONS or (text.isupper() and len(text) > 1):
            return None
        words.append(Word(text, token.lemma, token.tag, edges[token.index].relation, None, token.start == end))
        end = token.end
    for word, token in zip(words, sentence.tokens):
        head = edges[token.index].head
        word.head = words[head - 1] if head else None
    return words


def _without_stop(words: list[Word]) -> list[Word] | None:
    """Return the words without the final full stop, or None if a word depends on it."""
    *words_before, stop = words
    return None if any(w.head is stop for w in words_before) else words_before


def _is_plain_caption(words: Sequence[Word]) -> bool:
    """Return whether the words have one root, no full stop, and no common noun tagged as a name."""
    if sum(w.head is None for w in words) != 1 or any(w.text == "." for w in words):
        return False
    return not any(w.tag.startswith("NNP") and (w is words[0] or w.text.islower()) for w in words)


def make_document(words: Sequence[Word], stop: str = ".") -> Document:
    """Return the document of these words, with an initial capital and a final mark unless ``stop`` is ""."""
    words = list(words)
    root = find_top(words)
    if stop:
        words.append(Word(stop, stop, ".", "punct", root, follows_directly=True))
    number_by_word = {id(word): n for n, word in enumerate(words, 1)}
    text, tokens, edges = "", [], []
    for n, word in enumerate(words, 1):
        form = word.text[0].upper() + word.text[1:] if n == 1 and stop else word.text
        text += "" if not text or word.follows_directly else " "
        tokens.append(Token(n, form, word.lemma, word.tag, len(text), len(text) + len(form)))
        text += form
        head = 0 if word is root else number_by_word[id(word.head)]
        edges.append(Dependency(head, n, word.relation if head else "root"))
    return Document(text, (Sentence(tuple(tokens), tuple(edges)),))


def copy_words(words: Sequence[Word]) -> list[Word]:
    """Return copies of the words. Heads outside the words become None."""
    copy_by_word = {id(w): Word(w.text, w.lemma, w.tag, w.relation, None, w.follows_directly) for w in words}
    for word in words:
        copy_by_word[id(word)].head = copy_by_word.get(id(word.head))
    return [copy_by_word[id(w)] for w in words]


def find_top(words: Iterable[Word]) -> Word:
    """Return the only word with its head outside the words. Raises ValueError if there is not exactly one."""
    words = list(words)
    inner_ids = {id(w) for w in words}
    top_words = [w for w in words if w.head is None or id(w.head) not in inner_ids]
    if len(top_words) != 1:
        raise ValueError(f"{len(top_words)} heads in {' '.join(w.text for w in words)!r}, expected one")
    return top_words[0]


def subtree(words: Iterable[Word], head: Word) -> list[Word]:
    """Return the head and its descendants, in order."""
    words, inner_ids = list(words), {id(head)}
    while True:
        descendants = {id(w) for w in words if w.head is not None and id(w.head) in inner_ids} | inner_ids
        if descendants == inner_ids:
            return [w for w in words if id(w) in inner_ids]
        inner_ids = descendants


def attach(words: Sequence[Word], head: Word | None, relation: str) -> list[Word]:
    """Attach a phrase to a head by the relation, and return the phrase."""
    top_word = find_top(words)
    top_word.head, top_word.relation = head, relation
    return list(words)
