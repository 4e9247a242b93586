"""A parser of Esperanto, in which endings mark the parts of speech."""

import re
from collections.abc import Iterable, Iterator

from spice_core.syntax.document import Dependency, Document, Sentence, Token

TAGS = {"o": "NOUN", "a": "ADJ", "s": "VERB"}
PARTICLES = {"la": "DET", "kaj": "CCONJ"}
RELATIONS = {"ADJ": "amod", "DET": "det", "CCONJ": "cc", "ADP": "case"}


class Endings:
    """Parser that tags words by their endings: -o nouns, -a adjectives, -as verbs; a final -n marks the object, -j the plural."""

    signature = "endings-1.0"

    def parse(self, captions: Iterable[str]) -> Iterator[Document]:
        """Yield one document per caption, in order."""
        for caption in captions:
            tokens = tuple(token(i, match) for i, match in enumerate(re.finditer(r"\w+", caption), 1))
            yield Document(caption, (Sentence(tokens, tuple(edges(tokens))),) if tokens else ())


def token(index: int, match: re.Match[str]) -> Token:
    """Return the token of a word, with its lemma, part of speech and offsets."""
    word = match[0].lower()
    lemma = word if word in PARTICLES else re.sub(r"j?n?$", "", word)
    tag = PARTICLES.get(word) or TAGS.get(lemma[-1:], "ADP")
    return Token(index, match[0], lemma, tag, match.start(), match.end())


def edges(tokens: tuple[Token, ...]) -> Iterator[Dependency]:
    """Yield the edges of the basic tree: nouns depend on the verb, other words on the next noun."""
    nouns = [t for t in tokens if t.tag == "NOUN"]
    root = next((t for t in tokens if t.tag == "VERB"), (nouns or tokens)[0])
    for t in tokens:
        noun = next((n.index for n in nouns if n.index > t.index), root.index)
        if t is root:
            yield Dependency(0, t.index, "root")
        elif t.tag == "NOUN":
            relation = "obj" if t.text.endswith("n") else "nsubj" if t.index < root.index else "obl"
            yield Dependency(root.index, t.index, relation)
        else:
            yield Dependency(noun, t.index, RELATIONS.get(t.tag, "dep"))
