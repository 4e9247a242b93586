"""Distinction of parser errors from rule errors, by a search for other trees of a caption on which the rules relate two words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain, islice
from typing import NamedTuple

from spice_core.errors import RuleError
from spice_core.lang.pack import LanguagePack
from spice_core.rules.ruleset import RuleSet
from spice_core.scene.propositions import Proposition
from spice_core.syntax.document import Dependency, Document, Sentence, Token, find_cycle
from spice_core.syntax.tree_edit import replace_sentence

MAX_OTHER_TREES = 200
_MAX_TOTAL_TOKENS = 6_000
_MAX_SINGLE_CHANGES = 20  # maximum number of changes tried one by one
_PHRASE_RELATIONS = ("nmod", "obl", "acl", "acl:relcl", "advcl", "conj")
_NOUN_RELATIONS = ("nsubj", "nsubj:pass", "obj", "iobj", "nmod", "nmod:poss", "obl", "obl:agent", "appos")
_NOUN_PART_RELATIONS = ("det", "case", "nummod", "amod", "compound", "nmod:poss")
_VERB_RELATIONS = ("obl", "advcl")  # relations of phrases under a verb
_FUNCTION_RELATIONS = ("case", "det", "mark", "punct", "aux", "aux:pass", "cc", "cop", "fixed", "nummod", "compound:prt", "expl")


class TreeSource(StrEnum):
    """The source of a tree: another parser, a runner-up of the same parser, or a likely change."""

    PARSER = "parser"
    RUNNER_UP = "runner_up"
    CHANGE = "change"


class WordChange(NamedTuple):
    """A word whose tag, head (0 for the root) or relation differs between two trees."""

    before: Token
    after: Token
    heads: tuple[int, int]
    relations: tuple[str, str]

    @property
    def field(self) -> str:
        """The first difference: ``tag``, ``head`` or ``relation``."""
        return "tag" if self.before.tag != self.after.tag else "head" if self.heads[0] != self.heads[1] else "relation"


@dataclass(frozen=True)
class OtherTree:
    """A tree on which the rules relate the words.

    Attributes:
        source: The source of the tree.
        parser: The name of the other parser, or "" for trees from other sources.
        changes: The words that differ from the original tree.
        propositions: The propositions that relate the words.
        document: The caption with this tree.
    """

    source: TreeSource
    parser: str
    changes: tuple[WordChange, ...]
    propositions: tuple[Proposition, ...]
    document: Document

    @property
    def main_change(self) -> WordChange | None:
        """The most informative change, or None if there are no changes.

        Changes to words of the propositions come first, and then changes of tags before those of heads and relations.
        """
        order, starts = ("tag", "head", "relation"), {token.start for p in self.propositions for part in p.tokens for token in part}
        return min(self.changes, key=lambda change: (change.after.start not in starts, order.index(change.field)), default=None)


def find_relating_trees(
    pack: LanguagePack,
    rules: RuleSet,
    document: Document,
    words: tuple[Token, Token],
    *,
    parsers: Mapping[str, Document] | None = None,
    runners_up: Sequence[Document] | None = None,
) -> tuple[OtherTree, ...]:
    """Return other trees on which the rules relate two words of a caption.

    The result is empty if the rules relate the words on the caption's own tree. The trees are not enhanced.

    The ``runners_up`` of the caption's parser come first, then the trees of other ``parsers``, then trees with one change. A change is
    another reading of a word or, if ``runners_up`` is None, another head of a phrase. In each group, trees with the fewest changes come
    first. Trees on which the rules take too many steps are skipped.
    """
    trees: list[OtherTree] = []
    if _relating_propositions(pack, rules, document, words):
        return ()
    token_count = sum(len(sentence.tokens) for sentence in document.sentences)
    max_trees = min(MAX_OTHER_TREES, _MAX_TOTAL_TOKENS // max(1, token_count))
    for source, parser, other in islice(_candidate_trees(pack, document, parsers or {}, runners_up), max_trees):
        if propositions := _relating_propositions(pack, rules, other, words):
            tree = OtherTree(source, parser, tree_changes(document, other), propositions, other)
            trees.append(_with_fewest_changes(pack, rules, document, words, tree))
    order = (TreeSource.RUNNER_UP, TreeSource.PARSER, TreeSource.CHANGE)
    return tuple(sorted(trees, key=lambda tree: (order.index(tree.source), len(tree.changes) or MAX_OTHER_TREES)))


def _with_fewest_changes(pack: LanguagePack, rules: RuleSet, document: Document, words: tuple[Token, Token], tree: OtherTree) -> OtherTree:
    """Return the tree with a single sufficient change if there is one, or else without the unnecessary changes."""
    if not 1 < len(tree.changes) <= _MAX_SINGLE_CHANGES:
        return tree
    for change in tree.changes:
        changed_document = _apply_change(document, change)
        if changed_document and (new_propositions := _relating_propositions(pack, rules, changed_document, words)):
            return replace(tree, changes=(change,), propositions=new_propositions, document=changed_document)
    for change in tree.changes:
        reduced_document = _apply_change(tree.document, WordChange(change.after, change.before, change.heads[::-1], change.relations[::-1]))
        if reduced_document and (new_propositions := _relating_propositions(pack, rules, reduced_document, words)):
            tree = replace(
                tree, changes=tuple(c for c in tree.changes if c is not change), propositions=new_propositions, document=reduced_document
            )
    return tree


def _apply_change(document: Document, change: WordChange) -> Document | None:
    """Return the document after only this change, or None if the result is not a tree."""
    sentence_index = next(n for n, sentence in enumerate(document.sentences) if change.before in sentence.tokens)
    sentence, index = document.sentences[sentence_index], change.after.index
    edge = Dependency(change.heads[1], index, change.relations[1])
    basic = tuple(edge if e.dependent == index else e for e in sentence.basic)
    tokens = tuple(change.after if t.index == index else t for t in sentence.tokens)
    if find_cycle(basic) or [e.head for e in basic].count(0) != 1:
        return None
    return replace_sentence(document, sentence_index, replace(sentence, tokens=tokens, basic=basic, enhanced=None))


def tree_changes(before: Document, after: Document) -> tuple[WordChange, ...]:
    """Return the words with a different tag, head or relation, or () for trees with different words."""
    out: list[WordChange] = []
    for old, new in zip(before.sentences, after.sentences):
        if [t.text for t in old.tokens] != [t.text for t in new.tokens]:
            return ()
        heads = [{e.dependent: e for e in sentence.basic} for sentence in (old, new)]
        for a, b in zip(old.tokens, new.tokens):
            old_edge, new_edge = (edge_by_token.get(a.index, Dependency(0, a.index, "root")) for edge_by_token in heads)
            if old_edge != new_edge or a.tag != b.tag:
                out.append(WordChange(a, b, (old_edge.head, new_edge.head), (old_edge.relation, new_edge.relation)))
    return tuple(out) if len(before.sentences) == len(after.sentences) else ()


def reattach_phrases(sentence: Sentence) -> Iterator[Sentence]:
    """Yield a copy of the sentence for each other attachment of a phrase or clause that avoids cycles and crossing edges.

    The phrase stays on the same side of its head and keeps its relation.
    """
    edges = {e.dependent: e for e in sentence.basic}
    for edge in sentence.basic:
        if edge.relation not in _PHRASE_RELATIONS:
            continue
        for head in edges:
            if head in (edge.head, edge.dependent) or edges[head].relation in _FUNCTION_RELATIONS:
                continue
            if (head < edge.dependent) != (edge.head < edge.dependent) or not _fits_head(edge, head, sentence):
                continue
            other = tuple(e._replace(head=head) if e is edge else e for e in sentence.basic)
            if not find_cycle(other) and not _crosses_edge(other, edge.dependent):
                yield replace(sentence, basic=other, enhanced=None)


def _fits_head(edge: Dependency, head: int, sentence: Sentence) -> bool:
    """Return whether the relation suits another head: nmod a noun, obl a verb."""
    is_noun = any(
        (e.dependent == head and e.relation in _NOUN_RELATIONS) or (e.head == head and e.relation in _NOUN_PART_RELATIONS)
        for e in sentence.basic
    )
    return edge.relation == "conj" or is_noun != (edge.relation in _VERB_RELATIONS)


def _crosses_edge(edges: Iterable[Dependency], dependent: int) -> bool:
    """Return whether the edge into this word crosses another edge."""
    spans = {e.dependent: tuple(sorted((e.head, e.dependent))) for e in edges if e.head}
    a, b = spans.get(dependent, (0, 0))
    return any(c < a < d < b or a < c < b < d for c, d in spans.values())


def _relating_propositions(pack: LanguagePack, rules: RuleSet, document: Document, words: tuple[Token, Token]) -> tuple[Proposition, ...]:
    """Return a document's propositions that relate the words, identified by offset."""
    try:
        propositions = rules.apply(pack.enhance(document, rules.steps))
    except RuleError:
        return ()
    starts = {word.start for word in words}
    return tuple(p for p in propositions if starts <= {token.start for part in p.tokens for token in part})


def _candidate_trees(
    pack: LanguagePack, document: Document, parsers: Mapping[str, Document], runners_up: Sequence[Document] | None
) -> Iterator[tuple[TreeSource, str, Document]]:
    yield from ((TreeSource.PARSER, name, other) for name, other in parsers.items())
    yield from ((TreeSource.RUNNER_UP, "", other) for other in runners_up or ())
    for sentence_index, sentence in enumerate(document.sentences):
        for other in chain(pack.other_readings(sentence), reattach_phrases(sentence) if runners_up is None else ()):
            yield TreeSource.CHANGE, "", replace_sentence(document, sentence_index, other)
