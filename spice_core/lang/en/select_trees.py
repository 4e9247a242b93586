"""Training trees for ``caption``: which parses of a caption are believed, and in which spellings they are learnt.

Two CoreNLP 4.5 parsers read the same captions; a tree on which they agree head by head is mostly right. Hyphenated words,
which both split, are made whole, as the analysers' tokenizer leaves them.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import replace

from spice_core.document import Dependency, Document, Sentence, Token


def heads(document: Document) -> list[dict[int, int]]:
    """The head of every token, sentence by sentence."""
    return [{e.dependent: e.head for e in sentence.basic} for sentence in document.sentences]


def words(document: Document) -> list[list[str]]:
    """The tokens, sentence by sentence."""
    return [[token.text for token in sentence.tokens] for sentence in document.sentences]


def agree(one: Document, other: Document) -> bool:
    """Whether two analyses of a caption have the same tokens with the same heads."""
    return words(one) == words(other) and heads(one) == heads(other)


# --- hyphens -------------------------------------------------------------------------------------------------------


def whole_hyphens(document: Document) -> Document:
    """Each hyphenated word as one token ("t - shirt" written together is "t-shirt") in the place of its governing part."""
    return replace(document, sentences=tuple(map(_joined, document.sentences)))


def _joined(sentence: Sentence) -> Sentence:
    tokens, group = sentence.tokens, {}
    for before, hyphen, after in zip(tokens, tokens[1:], tokens[2:]):
        touching = before.end == hyphen.start and hyphen.end == after.start and hyphen.start >= 0
        if hyphen.text == "-" and touching and before.text[-1:].isalnum() and after.text[:1].isalnum():
            group[hyphen.index] = group[after.index] = group.get(before.index, before.index)
    if not group:
        return sentence
    parts: dict[int, list[Token]] = {}
    for token in tokens:
        parts.setdefault(group.get(token.index, token.index), []).append(token)
    edge = {e.dependent: e for e in sentence.basic}
    place = {token.index: number for number, part in enumerate(parts.values(), 1) for token in part}
    out, edges = [], []
    for number, part in enumerate(parts.values(), 1):
        inside = {t.index for t in part}
        top = next((t for t in reversed(part) if edge[t.index].head not in inside), part[-1])
        head = edge[top.index].head
        edges.append(Dependency(place.get(head, 0), number, edge[top.index].relation))
        text, lemma = ("".join(t[field] for t in part) for field in (1, 2))
        tag = "JJ" if len(part) > 1 and edge[top.index].relation == "amod" else top.tag
        out.append(Token(number, text, lemma, tag, part[0].start, part[-1].end))
    return Sentence(tuple(out), tuple(edges)) if _is_tree(edges) else sentence


def _is_tree(edges: list[Dependency]) -> bool:
    """Whether every token leads up to the root."""
    above = {e.dependent: e.head for e in edges}
    for index in above:
        seen = set()
        while index and index not in seen:
            seen.add(index)
            index = above[index]
        if index:
            return False
    return True


# --- spellings -----------------------------------------------------------------------------------------------------


def respelt(document: Document, rng: random.Random) -> Document:
    """The same trees in another common way to write a caption: lower case, a capital, with or without a full stop."""
    sentences = list(document.sentences)
    if not sentences:
        return document
    sentences[-1] = _stopped(sentences[-1], rng.random() < 0.5)
    case = str.lower if rng.random() < 0.5 else lambda text: text
    tokens = [[t._replace(text=case(document.text[t.start : t.end] if 0 <= t.start < len(document.text) else t.text)) for t in s.tokens] for s in sentences]
    if case is not str.lower:
        first = tokens[0][0]
        tokens[0][0] = first._replace(text=first.text[0].upper() + first.text[1:])
    text, position, placed = "", 0, []
    for sentence in tokens:
        row = []
        for t in sentence:
            gap = " " if text and (t.start < 0 or t.start > position) else ""
            position = t.end
            row.append(t._replace(start=len(text) + len(gap), end=len(text) + len(gap) + len(t.text)))
            text += gap + t.text
        placed.append(row)
    return Document(text, tuple(replace(s, tokens=tuple(row)) for s, row in zip(sentences, placed)))


def _stopped(sentence: Sentence, stop: bool) -> Sentence:
    """The sentence with a full stop at its end, or without one."""
    last, root = sentence.tokens[-1], next(e.dependent for e in sentence.basic if not e.head)
    has = last.text == "."
    if has and not stop and last.index != root and all(e.head != last.index for e in sentence.basic):
        return Sentence(sentence.tokens[:-1], tuple(e for e in sentence.basic if e.dependent != last.index))
    if stop and not has and last.tag not in (".", "''", ":"):
        token = Token(last.index + 1, ".", ".", ".", last.end, last.end + 1)
        return Sentence((*sentence.tokens, token), (*sentence.basic, Dependency(root, token.index, "punct")))
    return sentence


def spellings(documents: Iterable[Document], seed: int = 2016) -> Iterator[Document]:
    """Every document as it is and once respelt."""
    rng = random.Random(seed)
    for document in documents:
        yield document
        yield respelt(document, rng)
