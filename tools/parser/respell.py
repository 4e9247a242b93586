"""Normalisation of training trees to real captions: whole hyphenated words, caption lemmas, common spellings."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from spice_core.syntax.document import Dependency, Document, Sentence, Token

# --- hyphens -------------------------------------------------------------------------------------------------------


def join_hyphenated_words(document: Document) -> Document:
    """Join each hyphenated word into one token ("t - shirt" becomes "t-shirt") in the place of its head."""
    return replace(document, sentences=tuple(map(_join_hyphens, document.sentences)))


def _join_hyphens(sentence: Sentence) -> Sentence:
    parts = _hyphenated_parts(sentence.tokens)
    if len(parts) == len(sentence.tokens):
        return sentence
    edge = {e.dependent: e for e in sentence.basic}
    place = {token.index: number for number, part in enumerate(parts, 1) for token in part}
    tokens, edges = [], []
    for number, part in enumerate(parts, 1):
        top = _head_of_part(part, edge)
        edges.append(Dependency(place.get(edge[top.index].head, 0), number, edge[top.index].relation))
        tokens.append(_join_part(part, number, top.tag, edge[top.index].relation))
    return Sentence(tuple(tokens), tuple(edges)) if is_tree(edges) else sentence


def _hyphenated_parts(tokens: Sequence[Token]) -> list[list[Token]]:
    """Return the tokens in order, those of a hyphenated word together."""
    group: dict[int, int] = {}
    for before, hyphen, after in zip(tokens, tokens[1:], tokens[2:]):
        touching = before.end == hyphen.start and hyphen.end == after.start and hyphen.start >= 0
        if hyphen.text == "-" and touching and before.text[-1:].isalnum() and after.text[:1].isalnum():
            group[hyphen.index] = group[after.index] = group.get(before.index, before.index)
    parts: dict[int, list[Token]] = {}
    for token in tokens:
        parts.setdefault(group.get(token.index, token.index), []).append(token)
    return list(parts.values())


def _head_of_part(part: Sequence[Token], edge: Mapping[int, Dependency]) -> Token:
    """Return the last token whose head is outside the part, or the last token."""
    inside = {token.index for token in part}
    return next((token for token in reversed(part) if edge[token.index].head not in inside), part[-1])


def _join_part(part: Sequence[Token], number: int, tag: str, relation: str) -> Token:
    """Return the tokens of a part as one token; a hyphenated modifier is an adjective."""
    text, lemma = "".join(t.text for t in part), "".join(t.lemma for t in part)
    return Token(number, text, lemma, "JJ" if len(part) > 1 and relation == "amod" else tag, part[0].start, part[-1].end)


def is_tree(edges: Iterable[Dependency]) -> bool:
    """Whether every token is connected to the root."""
    above = {e.dependent: e.head for e in edges}
    for index in above:
        seen = set()
        while index and index not in seen:
            seen.add(index)
            index = above[index]
        if index:
            return False
    return True


# --- lemmas and tags -----------------------------------------------------------------------------------------------


def normalise_caption_words(document: Document) -> Document:
    """Tag participles before nouns as adjectives ("parked cars"); keep the form of degrees, "people" and Latin plurals."""
    sentences = []
    for s in document.sentences:
        modifiers = {e.dependent for e in s.basic if e.relation == "amod" and e.dependent < e.head}
        sentences.append(replace(s, tokens=tuple(_normalise_word(t, t.index in modifiers) for t in s.tokens)))
    return replace(document, sentences=tuple(sentences))


def _normalise_word(token: Token, modifier: bool) -> Token:
    word = token.text.lower()
    if modifier and token.tag in ("VBN", "VBG", "VBD"):
        return token._replace(tag="JJ", lemma=word)
    if token.tag == "NNPS":
        return token._replace(tag="NNS")
    if token.tag[:2] in ("JJ", "RB") or word == "people" or (token.tag == "NNS" and word.endswith("i")):
        return token._replace(lemma=word)
    return token


def reanalyse_close_ups(document: Document) -> Document:
    """Reanalyse "a close up of a cat": "close" is the noun, "up" its particle, the cat its dependent."""
    return replace(document, sentences=tuple(map(_reanalyse_close_up, document.sentences)))


def _reanalyse_close_up(sentence: Sentence) -> Sentence:
    lower = [t.text.lower() for t in sentence.tokens]
    for i in range(len(lower) - 2):
        if lower[i : i + 3] == ["close", "up", "of"]:
            close, up, of = sentence.tokens[i : i + 3]
            above = {e.dependent: e for e in sentence.basic}
            noun, top = above[of.index].head, above[up.index if above[close.index].head == up.index else close.index]
            if noun < of.index or top.head in (close.index, up.index) or top.head == noun:
                continue
            for e in sentence.basic:
                if e.head == up.index:
                    above[e.dependent] = e._replace(head=close.index)
            relation = top.relation if top.relation not in ("amod", "advmod", "acl") else "nmod"
            above |= {
                close.index: Dependency(top.head, close.index, relation),
                up.index: Dependency(close.index, up.index, "compound:prt"),
                noun: Dependency(close.index, noun, "nmod"),
                of.index: Dependency(noun, of.index, "case"),
            }
            edges = tuple(above[t.index] for t in sentence.tokens)
            if is_tree(edges):
                tokens = (*sentence.tokens[:i], close._replace(tag="NN", lemma="close"), up._replace(tag="RP"), *sentence.tokens[i + 2 :])
                return Sentence(tokens, edges)
    return sentence


# --- spellings -----------------------------------------------------------------------------------------------------


def respell(document: Document, rng: random.Random) -> Document:
    """Return the same trees in another common spelling: lower case or initial capital, with or without full stop."""
    sentences = list(document.sentences)
    if not sentences:
        return document
    sentences[-1] = _set_final_stop(sentences[-1], rng.random() < 0.5)
    case = str.lower if rng.random() < 0.5 else lambda text: text
    tokens = [
        [t._replace(text=case(document.text[t.start : t.end] if 0 <= t.start < len(document.text) else t.text)) for t in s.tokens]
        for s in sentences
    ]
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


def _set_final_stop(sentence: Sentence, stop: bool) -> Sentence:
    """Return the sentence with or without a final full stop."""
    last, root = sentence.tokens[-1], next(e.dependent for e in sentence.basic if not e.head)
    has = last.text == "."
    if has and not stop and last.index != root and all(e.head != last.index for e in sentence.basic):
        return Sentence(sentence.tokens[:-1], tuple(e for e in sentence.basic if e.dependent != last.index))
    if stop and not has and last.tag not in (".", "''", ":"):
        token = Token(last.index + 1, ".", ".", ".", last.end, last.end + 1)
        return Sentence((*sentence.tokens, token), (*sentence.basic, Dependency(root, token.index, "punct")))
    return sentence


def iterate_spellings(documents: Iterable[Document], seed: int = 2016) -> Iterator[Document]:
    """Yield each document, either unchanged or respelt at random."""
    rng, choice = random.Random(seed), random.Random(seed + 1)
    for document in documents:
        yield (document, respell(document, rng))[choice.randrange(2)]
