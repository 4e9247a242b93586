"""The word ledger: the F1 that each word of the candidate earns or costs, and the edit that would raise F1 most.

All scores are computed on tuples: propositions of the candidate are removed, replaced or added, and compared again without parsing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import NamedTuple

from spice_core.explain.evidence import Span, caption_spans
from spice_core.explain.leave_one_out import remove_tokens, with_function_words
from spice_core.explain.unused_words import extend_by_endings
from spice_core.metrics.result import SpiceResult
from spice_core.metrics.spice import Spice
from spice_core.scene.graph import Mention
from spice_core.scene.matching import MatchState
from spice_core.scene.propositions import Proposition
from spice_core.syntax.document import Document, Token

_MAX_TRIED_TUPLES = 8  # maximum number of reference tuples tried per word, the most frequent first
_MAX_ADDED_CHARS = 40
_MIN_RISE = 0.0005  # smaller gains are displayed as 0


class Edit(NamedTuple):
    """An edit of the candidate: ``delete`` a word, ``replace`` it with ``text``, or ``add`` the ``text`` beside it.

    ``caption`` is the edited caption, and ``f1`` the score on its expected tuples.
    """

    kind: str
    text: str
    caption: str
    f1: float


class LedgerRow(NamedTuple):
    """A word of the candidate with the id, kind and state of its tuple.

    ``exact`` is the F1 that the word's tuples earn by exact matching (or cost, if negative). ``by_meaning`` is the same for matching by
    meaning, or None without inference rules. ``edit`` is the edit that raises F1 most, or None if no edit does.
    """

    word: str
    row: str
    kind: str
    state: MatchState
    exact: float
    by_meaning: float | None
    edit: Edit | None


class _Draft(NamedTuple):
    kind: str
    text: str
    caption: str
    propositions: tuple[Proposition, ...]


def word_ledger(result: SpiceResult, exact: Spice, by_meaning: Spice | None) -> tuple[LedgerRow, ...]:
    """Return the ledger in the order of the words, or an empty tuple for a candidate that was not parsed from text.

    ``exact`` and ``by_meaning`` are the metric of the result with both ways of matching.

    >>> spice = Spice()
    >>> result = spice.compute("a dog on a sofa", ["a brown dog lies on a bed"])
    >>> [(row.word, round(row.exact, 2), row.edit.caption) for row in word_ledger(result, spice, None) if row.edit][-1]
    ('sofa', -0.08, 'a dog on a bed')
    """
    document = result.candidate.document
    return tuple(_Ledger(result, document, exact, by_meaning).rows()) if document else ()


class _Ledger:
    def __init__(self, result: SpiceResult, document: Document, exact: Spice, by_meaning: Spice | None):
        self._result, self._document = result, document
        self._ways = [(metric, metric.merge(result.references)) for metric in (exact, by_meaning) if metric]
        self._way = len(self._ways) - 1 if result.verdicts.is_judged else 0  # index of the way of matching used for the result
        unmatched = [tuple_ for tuple_ in result.reference_tuples if tuple_.id not in result.match_by_tuple]
        self._unmatched = sorted(unmatched, key=lambda tuple_: -len(tuple_.element.captions))
        self._known_f1: dict[tuple[tuple[Proposition, ...], int], float] = {}
        actions = [m for tuple_ in result.candidate_tuples if tuple_.kind == "attribute" for m in tuple_.mentions]
        self._action_by_relation = {m.proposition: m.word for m in actions if m.proposition.kind == "relation"}

    def rows(self) -> Iterator[LedgerRow]:
        """Yield the row of each word."""
        propositions = self._result.candidate.propositions
        full = [self._result.f1 if way == self._way else self._f1(propositions, way) for way in range(len(self._ways))]
        for span, ranges in self._words():
            tokens = [token for s in self._document.sentences for token in s.tokens if any(a <= token.start < b for a, b in ranges)]
            rest = tuple(self._remaining_propositions({token.start for token in tokens}))
            without = [self._f1(rest, way) for way in range(len(self._ways))]
            drafts = (
                self._iterate_additions(span, tokens)
                if span.state and span.state.matched
                else self._iterate_corrections(ranges, tokens, span, rest)
            )
            edit = self._best_edit([draft for draft in drafts if draft.caption], full[self._way])
            points = [a - b for a, b in zip(full, without)]
            text = " … ".join(dict.fromkeys(self._document.text[a : self._end_of_word(b)] for a, b in ranges))
            state = span.state or MatchState.EXTRA
            yield LedgerRow(text, span.row, span.kind, state, points[0], points[1] if len(points) > 1 else None, edit)

    def _remaining_propositions(self, offsets: set[int]) -> Iterator[Proposition]:
        """Yield what remains of the candidate without the tokens that start at ``offsets``. A relation without its object remains an action."""
        for proposition in self._result.candidate.propositions:
            lost = [any(token.start in offsets for token in part) for part in proposition.tokens]
            if not any(lost):
                yield proposition
            elif lost == [False, False, True] and (action := self._action_by_relation.get(proposition)):
                yield replace(proposition, words=(proposition.words[0], action), tokens=proposition.tokens[:2])

    def _words(self) -> Iterator[tuple[Span, list[tuple[int, int]]]]:
        """Yield the first span of each tuple, and the bounds of its spans, which only spaces separate."""
        words: dict[str, tuple[Span, list[tuple[int, int]]]] = {}
        position = 0
        for span in caption_spans(self._result)[0]:
            end = position + len(span.text)
            if span.row:
                ranges = words.setdefault(span.row, (span, []))[1]
                if ranges and not self._document.text[ranges[-1][1] : position].strip():
                    ranges[-1] = (ranges[-1][0], end)
                else:
                    ranges.append((position, end))
            position = end
        yield from words.values()

    def _end_of_word(self, end: int) -> int:
        """Return the end of the inflected word whose token ends at ``end`` (座って for 座っ)."""
        return next((extend_by_endings(s, token).end for s in self._document.sentences for token in s.tokens if token.end == end), end)

    def _f1(self, propositions: tuple[Proposition, ...], way: int) -> float:
        if (propositions, way) not in self._known_f1:
            metric, references = self._ways[way]
            self._known_f1[propositions, way] = metric.compare(replace(self._result.candidate, propositions=propositions), references).f1
        return self._known_f1[propositions, way]

    def _best_edit(self, drafts: Sequence[_Draft], full_f1: float) -> Edit | None:
        """Return the deletion or the draft with the highest exact score, whichever scores higher as the result was, if it raises F1."""
        best = max(drafts, key=lambda draft: self._f1(draft.propositions, 0), default=None)
        finalists = [draft for draft in drafts if draft is best or draft.kind == "delete"]
        f1, draft = max(((self._f1(draft.propositions, self._way), draft) for draft in finalists), key=itemgetter(0), default=(0.0, None))
        return Edit(*draft[:3], f1) if draft and f1 > full_f1 + _MIN_RISE else None

    def _iterate_corrections(
        self, ranges: Sequence[tuple[int, int]], tokens: Sequence[Token], span: Span, rest: tuple[Proposition, ...]
    ) -> Iterator[_Draft]:
        """Yield the candidate without a word, unless it joins two others, then with that word replaced by words of the references."""
        if span.kind != "relation":
            yield _Draft("delete", "", self._without(tokens), rest)
        offsets = {token.start for token in tokens}
        for tuple_ in [other for other in self._unmatched if other.kind == span.kind][:_MAX_TRIED_TUPLES]:
            mention = tuple_.mentions[0]
            if len(ranges) == 1 and (text := self._source_text(mention, mention.proposition.tokens[mention.part : mention.part + 1])):
                propositions = tuple(_replace_part(p, offsets, mention.word) for p in self._result.candidate.propositions)
                (start, end), caption = ranges[0], self._document.text
                yield _Draft("replace", text, caption[:start] + text + caption[end:], propositions)

    def _iterate_additions(self, span: Span, tokens: Sequence[Token]) -> Iterator[_Draft]:
        """Yield the candidate with an attribute or relation of a matched object added from the references."""
        match = self._result.match_by_tuple.get(span.row)
        if not match or span.kind != "object":
            return
        about = [other for other in self._unmatched if other.kind != "object" and other.elements[0] is match.reference.element]
        for tuple_ in about[:_MAX_TRIED_TUPLES]:
            mention, word = tuple_.mentions[0], next(iter(match.candidate.element.words))
            subject, *parts = mention.proposition.tokens or ((),)
            added = [token for part in parts for token in part]
            if not (subject and all(parts) and added) or len(mention.proposition.words) != len(tuple_.concepts):
                continue
            caption, is_before = self._document.text, max(t.start for t in added) < subject[0].start
            is_next = subject[0].start - max(t.end for t in added) < 2 if is_before else 0 <= parts[0][0].start - subject[-1].end < 5
            if not (is_next and (is_before or (added == sorted(added, key=lambda t: t.start) and len(parts) == 2))):
                continue
            if text := self._source_text(mention, parts, until=subject[0].start if is_before else None, since=subject[-1].end):
                at = tokens[0].start if is_before else tokens[-1].end
                new = Proposition((word, *mention.proposition.words[1:]))
                objects = (Proposition((new.words[-1],)),) if len(new.words) > 2 else ()
                propositions = (*self._result.candidate.propositions, new, *objects)
                yield _Draft("add", text.strip(), caption[:at] + text + caption[at:], propositions)

    def _source_text(
        self, mention: Mention, parts: Sequence[Sequence[Token]], *, until: int | None = None, since: int | None = None
    ) -> str:
        """Return the text of parts of a reference's proposition, or "" for long texts and texts with capitals.

        The text ends before ``until`` or, if that is None, begins after ``since``.
        """
        document, tokens = self._result.references[mention.caption].document, [token for part in parts for token in part]
        if not document or not tokens:
            return ""
        start, end = min(token.start for token in tokens), max(token.end for token in tokens)
        text = document.text[start:until] if until is not None else document.text[start if since is None else min(since, start) : end]
        return text if len(text) <= _MAX_ADDED_CHARS and text == text.lower() else ""

    def _without(self, tokens: Sequence[Token]) -> str:
        """Return the caption without some tokens and their dependent function words."""
        text = self._document.text
        for sentence in self._document.sentences:
            removed = [token for token in sentence.tokens if token in tokens]
            groups = [[token] for token in with_function_words(sentence, removed)] if removed else []
            for group in reversed(groups):
                text = remove_tokens(text, group)
        return text


def _replace_part(proposition: Proposition, offsets: set[int], word: str) -> Proposition:
    """Return a proposition with a word replaced in the parts whose tokens start at the characters ``offsets``."""
    parts = [bool(part) and {token.start for token in part} <= offsets for part in proposition.tokens]
    words = tuple(word if is_replaced else old for old, is_replaced in zip(proposition.words, [*parts, False, False, False]))
    return replace(proposition, words=words)
