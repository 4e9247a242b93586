"""Arc-eager transitions that can revise earlier arcs, as in spaCy's parser (Nivre 2004; Honnibal and Johnson 2015)."""

from __future__ import annotations

from collections import defaultdict

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
        self._unshiftable_words: set[int] = set()  # words that were put back and must not be shifted again
        self.heads, self.labels = [NO_WORD] * word_count, [NO_WORD] * word_count  # per word; a label is the number of an action
        self._left_children: defaultdict[int, list[int]] = defaultdict(list)  # dependents to the left of each word, the most recent last
        self._right_children: defaultdict[int, list[int]] = defaultdict(list)

    def is_final(self) -> bool:
        """Return whether all words of the text are processed."""
        return self.first < 0 and not self.stack

    def features(self) -> tuple[int, ...]:
        """Return the words on which the scores of transitions depend: words of the buffer and the stack, and their dependents.

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
        current_word = self._next_word - len(returned_words) + 1  # the second word of the buffer unless that word was put back
        second_word = returned_words[-2] if len(returned_words) > 1 else current_word if current_word < self._word_count else NO_WORD
        self.first, self.second = self.second, second_word

    def _attach(self, head: int, word: int, label: int) -> None:
        old_head = self.heads[word]
        if old_head >= 0:
            (self._left_children if old_head > word else self._right_children)[old_head].remove(word)
        (self._left_children if head > word else self._right_children)[head].append(word)
        self.heads[word], self.labels[word] = head, label
