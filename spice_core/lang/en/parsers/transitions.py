"""Greedy arc-eager parsing of several texts at a time, with tags adapted to the trees (Nivre 2004; Honnibal and Johnson 2015)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import accumulate
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple
from unicodedata import category

import numpy as np
from threadpoolctl import ThreadpoolController

from spice_core.lang.en.parsers.penn_tokenizer import Word
from spice_core.lang.en.parsers.window_network import WindowNetwork

SHIFT, REDUCE, LEFT, RIGHT = range(4)
NO_WORD = -1


class TransitionState:
    """State of the transitions for one text. Words are numbered from 0. ``starts`` contains the words that begin a sentence."""

    __slots__ = (
        "_left_children",
        "_next_word",
        "_returned_words",
        "_right_children",
        "_starts",
        "_unshiftable_words",
        "_word_count",
        "first",
        "heads",
        "labels",
        "second",
        "stack",
    )

    def __init__(self, word_count: int, starts: frozenset[int]):
        self._word_count, self._starts = word_count, starts
        self.stack: list[int] = []
        self._returned_words = list[
            int
        ]()  # words put back into the buffer, the next word last; the words from ``_next_word`` on follow them
        self._next_word = 0
        self.first, self.second = 0 if word_count else NO_WORD, 1 if word_count > 1 else NO_WORD  # first two words of the buffer
        self._unshiftable_words: set[int] = set()  # returned words, which must not be shifted again
        self.heads, self.labels = [NO_WORD] * word_count, [NO_WORD] * word_count  # per word; a label is the number of an action
        self._left_children: defaultdict[int, list[int]] = defaultdict(list)  # dependents to the left of each word, the most recent last
        self._right_children: defaultdict[int, list[int]] = defaultdict(list)

    def is_final(self) -> bool:
        """Return whether all words of the text are processed."""
        return self.first < 0 and not self.stack

    def features(self) -> tuple[int, ...]:
        """Return the words that determine the scores of transitions: from buffer and stack, with their dependents.

        -1 stands for a missing word.
        """
        stack, left, right = self.stack, self._left_children, self._right_children
        depth = len(stack)
        stack_top = stack[-1] if depth else NO_WORD
        second_word = stack[-2] if depth > 1 else NO_WORD
        left_children, right_children, first_left_children = left.get(stack_top), right.get(stack_top), left.get(self.first)
        second_left, second_right = left.get(second_word), right.get(second_word)
        return (
            self.first,
            self.second,
            stack_top,
            second_word,
            stack[-3] if depth > 2 else NO_WORD,
            left_children[-1] if left_children else NO_WORD,
            right_children[-1] if right_children else NO_WORD,
            first_left_children[-1] if first_left_children else NO_WORD,
            right_children[-2] if right_children and len(right_children) > 1 else NO_WORD,
            second_left[-1] if second_left else NO_WORD,
            second_left[-2] if second_left and len(second_left) > 1 else NO_WORD,
            second_right[-1] if second_right else NO_WORD,
            second_right[-2] if second_right and len(second_right) > 1 else NO_WORD,
        )

    def allowed_moves(self) -> int:
        """Return the allowed moves as a bit mask: bit ``n`` is set if move ``n`` is allowed."""
        depth, first_word = len(self.stack), self.first
        if not depth:
            return 1 << SHIFT
        if first_word < 0 or first_word in self._starts:
            return 1 << REDUCE
        bits = 1 << LEFT | 1 << RIGHT
        if depth > 1:
            bits |= 1 << REDUCE
        if self.second >= 0 and first_word not in self._unshiftable_words:
            bits |= 1 << SHIFT
        return bits

    def apply_move(self, move: int, label: int) -> None:
        """Apply an allowed move."""
        if move == SHIFT:
            self._push()
        elif move == REDUCE:
            stack_top = self.stack.pop()
            if self.heads[stack_top] < 0 and self.stack:
                self._unshiftable_words.add(stack_top)
                self._returned_words.append(stack_top)
                self.first, self.second = stack_top, self.first
        elif move == LEFT:
            self._attach(self.first, self.stack.pop(), label)
            self._unshiftable_words.discard(self.first)
        else:
            self._attach(self.stack[-1], self.first, label)
            self._push()

    def _push(self) -> None:
        """Push the first word of the buffer onto the stack."""
        self.stack.append(self.first)
        returned_words = self._returned_words
        if returned_words:
            returned_words.pop()
        else:
            self._next_word += 1
        current_word = self._next_word - len(returned_words) + 1  # the second word of the buffer, unless it was put back
        second_word = returned_words[-2] if len(returned_words) > 1 else current_word if current_word < self._word_count else NO_WORD
        self.first, self.second = self.second, second_word

    def _attach(self, head: int, word: int, label: int) -> None:
        old_head = self.heads[word]
        if old_head >= 0:
            (self._left_children if old_head > word else self._right_children)[old_head].remove(word)
        (self._left_children if head > word else self._right_children)[head].append(word)
        self.heads[word], self.labels[word] = head, label


_TEXTS_PER_BATCH = 64  # texts of similar length per batch
_END_MARKS = frozenset(".!?")
_EVIDENCE_WEIGHT = 0.5  # weight of the relations' evidence against the tagger's scores, tuned on held-out captions of training images
_ROOT_LABEL = "ROOT"
_MOVE_BY_LETTER = {"S": SHIFT, "D": REDUCE, "L": LEFT, "R": RIGHT}  # the letters of spaCy's action names
_SENTENCE_BREAK = 4  # The move B, which starts a sentence, is never allowed: ``sentence_starts`` determines the sentences.


class TaggedTextTree(NamedTuple):
    """The tag, the head and the relation of each word. A head of -1 marks a root."""

    tags: list[str]
    heads: list[int]
    relations: list[str]


class TreePredictor:
    """Parser that predicts the trees of texts, given by their words, with the network in ``path``.

    ``labels`` lists the tags and actions of the network, and the evidence that each relation gives for each tag.
    """

    def __init__(self, path: Path, labels: Mapping[str, Any]):
        self._network = WindowNetwork(path, labels["symbols"])
        self._tags: list[str] = labels["tags"]
        self._actions = [
            (_MOVE_BY_LETTER.get(move, _SENTENCE_BREAK), relation)
            for move, _, relation in (name.partition("-") for name in labels["actions"])
        ]
        self._evidence = {relation: np.array(values) for relation, values in labels["evidence"].items()}
        self._no_evidence = np.zeros(len(self._tags))
        moves = [move for move, _ in self._actions]
        self._forbidden_actions = np.array(
            [[0 if bits >> move & 1 else -np.inf for move in moves] for bits in range(1 << len(_MOVE_BY_LETTER))], np.float32
        )

    def predict(self, texts: Sequence[Sequence[Word]]) -> list[TaggedTextTree]:
        """Return the tree of each text, given by its words.

        BLAS uses one thread because the matrices are small: several threads wait for each other longer than they
        compute.
        """
        with _limit_blas_threads():
            return self._predict_batch(texts)

    def _predict_batch(self, texts: Sequence[Sequence[Word]]) -> list[TaggedTextTree]:
        vectors = self._network.encode_words([[(word.text, word.norm) for word in words] for words in texts])
        scores = self._network.score_tags(vectors)
        spans = [slice(end - len(words), end) for words, end in zip(texts, accumulate(map(len, texts)))]
        out: dict[int, TaggedTextTree] = {}
        order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
        for start in range(0, len(order), _TEXTS_PER_BATCH):
            group = order[start : start + _TEXTS_PER_BATCH]
            states = self._final_states([texts[i] for i in group], np.concatenate([vectors[spans[i]] for i in group]))
            for i, state in zip(group, states):
                relations = [self._actions[label][1] if label >= 0 else _ROOT_LABEL for label in state.labels]
                out[i] = TaggedTextTree(self._choose_tags(scores[spans[i]], relations), state.heads, relations)
        return [out[i] for i in range(len(texts))]

    def _final_states(self, texts: Sequence[Sequence[Word]], vectors: np.ndarray) -> list[TransitionState]:
        """Return the final state of each text. ``vectors`` has a row for each word of all texts."""
        contributions, lengths = self._network.state_contributions(vectors), [len(words) for words in texts]
        states = [TransitionState(length, sentence_starts([word.text for word in words])) for length, words in zip(lengths, texts)]
        active_states = [(state, offset) for state, offset in zip(states, accumulate(lengths, initial=0)) if not state.is_final()]
        while active_states:
            rows = np.array([state.features() for state, _ in active_states])
            rows += np.array([offset for _, offset in active_states])[:, None] * (
                rows != NO_WORD
            )  # The last row of ``contributions`` stands for a missing word.
            scores = self._network.score_transitions(contributions, rows)
            scores += self._forbidden_actions[[state.allowed_moves() for state, _ in active_states]]
            for (state, _), action in zip(active_states, scores.argmax(axis=1).tolist()):
                state.apply_move(self._actions[action][0], action)
            active_states = [state for state in active_states if not state[0].is_final()]
        return states

    def _choose_tags(self, scores: np.ndarray, relations: Sequence[str]) -> list[str]:
        """Return the best tag of each word, given the tagger's score and the word's relation."""
        evidence = np.array([self._evidence.get(relation, self._no_evidence) for relation in relations]).reshape(scores.shape)
        return [self._tags[i] for i in (scores + _EVIDENCE_WEIGHT * evidence).argmax(axis=1)]


class BlasLimit:
    """Number of threads that are parsing, and the BLAS limit that the first of them set."""

    lock = Lock()
    reader_count = 0
    limit: Any = None


@contextmanager
def _limit_blas_threads() -> Iterator[None]:
    """Limit BLAS to one thread. With concurrent parses, the last one lifts the limit."""
    with BlasLimit.lock:
        BlasLimit.reader_count += 1
        if BlasLimit.reader_count == 1:
            BlasLimit.limit = _blas_libraries().limit(limits=1)
    try:
        yield
    finally:
        with BlasLimit.lock:
            BlasLimit.reader_count -= 1
            if not BlasLimit.reader_count:
                BlasLimit.limit.restore_original_limits()


@cache
def _blas_libraries() -> ThreadpoolController:
    return ThreadpoolController().select(user_api="blas")


def sentence_starts(words: Sequence[str]) -> frozenset[int]:
    """Return where sentences start: at the first word, and at the first word after each end mark that is not punctuation."""
    starts, is_after_end = {0}, False
    for i, word in enumerate(words):
        if word in _END_MARKS:
            is_after_end = True
        elif is_after_end and not all(category(char).startswith("P") for char in word):
            starts.add(i)
            is_after_end = False
    return frozenset(starts)
