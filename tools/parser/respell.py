"""Normalisation of training trees to the form of real captions: hyphenated words as single tokens, lemmas of captions, common spellings."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from spice_core.syntax.document import Dependency, Document, Sentence, Token

# --- hyphens -------------------------------------------------------------------------------------------------------


def join_hyphenated_words(document: Document) -> Document:
    """Join each hyphenated word into one token ("t - shirt" becomes "t-shirt") at the place of its head."""
    return replace(document, sentences=tuple(map(_join_hyphens, document.sentences)))


def _join_hyphens(sentence: Sentence) -> Sentence:
    parts = _hyphenated_parts(sentence.tokens)
    if len(parts) == len(sentence.tokens):
        return sentence
    edge = {e.dependent: e for e in sentence.basic}
    place = {token.index: part_number for part_number, part in enumerate(parts, 1) for token in part}
    tokens, edges = [], []
    for part_number, part in enumerate(parts, 1):
        top_edge = _head_of_part(part, edge)
        edges.append(Dependency(place.get(edge[top_edge.index].head, 0), part_number, edge[top_edge.index].relation))
        tokens.append(_join_part(part, part_number, top_edge.tag, edge[top_edge.index].relation))
    return Sentence(tuple(tokens), tuple(edges)) if is_tree(edges) else sentence


def _hyphenated_parts(tokens: Sequence[Token]) -> list[list[Token]]:
    """Return the tokens in order, in a list per word. Hyphenated words have several tokens."""
    group: dict[int, int] = {}
    for word_before, hyphen, word_after in zip(tokens, tokens[1:], tokens[2:]):
        is_joined = word_before.end == hyphen.start and hyphen.end == word_after.start and hyphen.start >= 0
        if hyphen.text == "-" and is_joined and word_before.text[-1:].isalnum() and word_after.text[:1].isalnum():
            group[hyphen.index] = group[word_after.index] = group.get(word_before.index, word_before.index)
    parts: dict[int, list[Token]] = {}
    for token in tokens:
        parts.setdefault(group.get(token.index, token.index), []).append(token)
    return list(parts.values())


def _head_of_part(part: Sequence[Token], edge: Mapping[int, Dependency]) -> Token:
    """Return the last token with its head outside the part, or the last token."""
    inner_indices = {token.index for token in part}
    return next((token for token in reversed(part) if edge[token.index].head not in inner_indices), part[-1])


def _join_part(part: Sequence[Token], part_number: int, tag: str, relation: str) -> Token:
    """Join the tokens of a part. A hyphenated modifier becomes an adjective."""
    text, lemma = "".join(t.text for t in part), "".join(t.lemma for t in part)
    return Token(part_number, text, lemma, "JJ" if len(part) > 1 and relation == "amod" else tag, part[0].start, part[-1].end)


def is_tree(edges: Iterable[Dependency]) -> bool:
    """Return whether every token is connected to the root."""
    head_by_dependent = {e.dependent: e.head for e in edges}
    for index in head_by_dependent:
        visited = set()
        while index and index not in visited:
            visited.add(index)
            index = head_by_dependent[index]
        if index:
            return False
    return True


# --- lemmas and tags -----------------------------------------------------------------------------------------------


def normalise_caption_words(document: Document) -> Document:
    """Tag participles before nouns as adjectives ("parked cars"), and plural names as common nouns.

    Adjectives, adverbs, "people" and Latin plurals become their own lemmas.
    """
    sentences = []
    for s in document.sentences:
        modifiers = {e.dependent for e in s.basic if e.relation == "amod" and e.dependent < e.head}
        sentences.append(replace(s, tokens=tuple(_normalise_word(t, t.index in modifiers) for t in s.tokens)))
    return replace(document, sentences=tuple(sentences))


def _normalise_word(token: Token, is_modifier: bool) -> Token:
    word = token.text.lower()
    if is_modifier and token.tag in ("VBN", "VBG", "VBD"):
        return token._replace(tag="JJ", lemma=word)
    if token.tag == "NNPS":
        return token._replace(tag="NNS")
    if token.tag[:2] in ("JJ", "RB") or word == "people" or (token.tag == "NNS" and word.endswith("i")):
        return token._replace(lemma=word)
    return token


def reanalyse_close_ups(document: Document) -> Document:
    """Reanalyse "a close up of a cat": "close" is the noun, with "up" as its particle and the cat as its dependent."""
    return replace(document, sentences=tuple(map(_reanalyse_close_up, document.sentences)))


def _reanalyse_close_up(sentence: Sentence) -> Sentence:
    lower_words = [t.text.lower() for t in sentence.tokens]
    for i in range(len(lower_words) - 2):
        if lower_words[i : i + 3] == ["close", "up", "of"]:
            close_token, up_token, of_token = sentence.tokens[i : i + 3]
            edge_by_dependent = {e.dependent: e for e in sentence.basic}
            noun, top_edge = (
                edge_by_dependent[of_token.index].head,
                edge_by_dependent[up_token.index if edge_by_dependent[close_token.index].head == up_token.index else close_token.index],
            )
            if noun < of_token.index or top_edge.head in (close_token.index, up_token.index) or top_edge.head == noun:
                continue
            for e in sentence.basic:
                if e.head == up_token.index:
                    edge_by_dependent[e.dependent] = e._replace(head=close_token.index)
            relation = top_edge.relation if top_edge.relation not in ("amod", "advmod", "acl") else "nmod"
            edge_by_dependent |= {
                close_token.index: Dependency(top_edge.head, close_token.index, relation),
                up_token.index: Dependency(close_token.index, up_token.index, "compound:prt"),
                noun: Dependency(close_token.index, noun, "nmod"),
                of_token.index: Dependency(noun, of_token.index, "case"),
            }
            edges = tuple(edge_by_dependent[t.index] for t in sentence.tokens)
            if is_tree(edges):
                tokens = (
                    *sentence.tokens[:i],
                    close_token._replace(tag="NN", lemma="close"),
                    up_token._replace(tag="RP"),
                    *sentence.tokens[i + 2 :],
                )
                return Sentence(tokens, edges)
    return sentence


# --- spellings -----------------------------------------------------------------------------------------------------


def respell(document: Document, rng: random.Random) -> Document:
    """Return the same trees in another common spelling: lower case or initial capital, with or without a full stop."""
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
        first_token = tokens[0][0]
        tokens[0][0] = first_token._replace(text=first_token.text[0].upper() + first_token.text[1:])
    text, position, positions = "", 0, []
    for sentence in tokens:
        row = []
        for t in sentence:
            gap = " " if text and (t.start < 0 or t.start > position) else ""
            position = t.end
            row.append(t._replace(start=len(text) + len(gap), end=len(text) + len(gap) + len(t.text)))
            text += gap + t.text
        positions.append(row)
    return Document(text, tuple(replace(s, tokens=tuple(row)) for s, row in zip(sentences, positions)))


def _set_final_stop(sentence: Sentence, needs_stop: bool) -> Sentence:
    """Return the sentence with or without a final full stop."""
    last_token, root = sentence.tokens[-1], next(e.dependent for e in sentence.basic if not e.head)
    has_stop = last_token.text == "."
    if has_stop and not needs_stop and last_token.index != root and all(e.head != last_token.index for e in sentence.basic):
        return Sentence(sentence.tokens[:-1], tuple(e for e in sentence.basic if e.dependent != last_token.index))
    if needs_stop and not has_stop and last_token.tag not in (".", "''", ":"):
        token = Token(last_token.index + 1, ".", ".", ".", last_token.end, last_token.end + 1)
        return Sentence((*sentence.tokens, token), (*sentence.basic, Dependency(root, token.index, "punct")))
    return sentence


def iterate_spellings(documents: Iterable[Document], seed: int = 2016) -> Iterator[Document]:
    rng, choice = random.Random(seed), random.Random(seed + 1)
    for document in documents:
        yield (document, respell(document, rng))[choice.randrange(2)]
