"""Manual corrections of the lemma, tag, head and relation of words in a tree."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import NamedTuple

from spice_core.errors import InputError, Message
from spice_core.syntax.document import Dependency, Document, Sentence, Token, find_cycle

MAX_WORD_CHARS = 100
# UD v2 relations with their usual subtypes
UNIVERSAL_RELATIONS = frozenset(
    """acl advcl advmod amod appos aux case cc ccomp clf compound conj cop csubj dep det discourse dislocated expl fixed flat goeswith
    iobj list mark nmod nsubj nummod obj obl orphan parataxis punct reparandum root vocative xcomp
    acl:relcl aux:pass cc:preconj compound:prt csubj:pass det:predet nmod:npmod nmod:poss nmod:tmod nsubj:pass obl:agent obl:npmod
    obl:tmod""".split()
)


class TreeRow(NamedTuple):
    """Editable fields of a word. Heads count from 1, and 0 is the root."""

    lemma: str
    tag: str
    head: int
    relation: str


class TreeLabels(NamedTuple):
    """The valid tags and relations of a tree. Empty ``tags`` allow any tag."""

    tags: frozenset[str]
    relations: frozenset[str]

    @classmethod
    def from_documents(cls, documents: Iterable[Document], tags: frozenset[str] = frozenset()) -> TreeLabels:
        """Return valid labels: the given tags or those in the documents, and the relations of UD v2 and of the documents."""
        sentences = [sentence for document in documents for sentence in document.sentences]
        return cls(
            tags or frozenset(token.tag for sentence in sentences for token in sentence.tokens),
            UNIVERSAL_RELATIONS.union(edge.relation for sentence in sentences for edge in sentence.basic),
        )


def tree_rows(sentence: Sentence) -> tuple[TreeRow, ...]:
    """Return the editable fields of each word of a sentence."""
    edges = {edge.dependent: edge for edge in sentence.basic}
    token_edges = ((token, edges.get(token.index, Dependency(0, token.index, "root"))) for token in sentence.tokens)
    return tuple(TreeRow(token.lemma, token.tag, edge.head, edge.relation) for token, edge in token_edges)


def apply_rows(sentence: Sentence, rows: Sequence[TreeRow], labels: TreeLabels) -> Sentence:
    """Return the sentence with these rows as its basic tree.

    Raises InputError, which names the word, if a field is invalid or the heads do not form a tree.
    """
    checked_rows = [_check_row(token, row, labels, len(sentence.tokens)) for token, row in zip(sentence.tokens, rows, strict=True)]
    edges = tuple(Dependency(row.head, index, row.relation) for index, row in enumerate(checked_rows, 1))
    _check_tree(sentence.tokens, edges)
    tokens = tuple(token._replace(lemma=row.lemma, tag=row.tag) for token, row in zip(sentence.tokens, checked_rows, strict=True))
    return replace(sentence, tokens=tokens, basic=edges, enhanced=None)


def replace_sentence(document: Document, sentence_index: int, sentence: Sentence) -> Document:
    """Return the document with the sentence at this index (from 0) replaced."""
    return replace(document, sentences=(*document.sentences[:sentence_index], sentence, *document.sentences[sentence_index + 1 :]))


def _check_row(token: Token, row: TreeRow, labels: TreeLabels, last_index: int) -> TreeRow:
    """Return the row with a lower-case lemma, single spaces, and the relation ``root`` if it has no head.

    Raises InputError for an invalid field.
    """
    lemma = " ".join(row.lemma.split())
    if not lemma or len(lemma) > MAX_WORD_CHARS or not lemma.isprintable():
        raise InputError(_word_place(token, Message("where.lemma")), lemma, Message("expected.lemma", number=MAX_WORD_CHARS))
    if labels.tags and row.tag not in labels.tags:
        raise InputError(_word_place(token, Message("where.tag")), row.tag, _nearest_labels(row.tag, labels.tags))
    if not 0 <= row.head <= last_index:
        raise InputError(_word_place(token, Message("where.head")), row.head, Message("expected.range", last=last_index))
    relation = row.relation if row.head else "root"
    if relation not in labels.relations:
        raise InputError(_word_place(token, Message("where.relation")), relation, _nearest_labels(relation, labels.relations))
    if row.head and relation == "root":
        raise InputError(_word_place(token, Message("where.relation")), relation, Message("expected.not_root"))
    return TreeRow(lemma.lower(), row.tag, row.head, relation)


def _check_tree(tokens: Sequence[Token], edges: Sequence[Dependency]) -> None:
    """Raise InputError unless there is exactly one root, to which all words lead."""
    roots = [tokens[edge.dependent - 1].text for edge in edges if not edge.head]
    if len(roots) != 1:
        found = Message("found.roots", words=", ".join(roots)) if roots else Message("found.no_root")
        raise InputError(Message("where.tree"), found, Message("expected.one_root"))
    if heads := find_cycle(edges):
        found = Message("found.circle", heads=" → ".join(tokens[head - 1].text for head in heads))
        raise InputError(_word_place(tokens[heads[0] - 1], Message("where.head")), found, Message("expected.heads_up"))


def _word_place(token: Token, name: Message) -> Message:
    return Message("where.word", number=token.index, word=token.text, name=name)


def _nearest_labels(value: str, known_labels: frozenset[str]) -> Message:
    """Return a message with the most similar known labels, or with all labels if none is similar."""
    close_labels = get_close_matches(value, sorted(known_labels), 3, 0.5) or get_close_matches(value.upper(), sorted(known_labels), 3, 0.5)
    return (
        Message("expected.nearest", names=", ".join(close_labels))
        if close_labels
        else Message("expected.one_of", names=", ".join(sorted(known_labels)))
    )
