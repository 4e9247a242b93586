"""Transitions: what each does, and that every way of allowed ones ends in trees of sentences."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from spice_core.lang.en.arc_eager import FEATURES, LEFT, REDUCE, RIGHT, SHIFT, State

MOVES = {"S": SHIFT, "D": REDUCE, "L": LEFT, "R": RIGHT}


def run(state: State, letters: str) -> State:
    for label, letter in enumerate(letters):
        assert state.allowed() >> MOVES[letter] & 1, f"move {label + 1}, {letter}"
        state.do(MOVES[letter], label)
    return state


def test_a_red_dog_sleeps():
    state = run(State(4, frozenset({0})), "SSLLSLSD")  # a → dog, red → dog, dog → sleeps
    assert state.done() and state.heads == [2, 2, 3, -1] and state.labels == [3, 2, 5, -1]


def test_features_are_buffer_stack_and_what_hangs_from_them():
    state = run(State(6, frozenset({0})), "SLSRR")  # 1 → 0; 1 → 2; 2 → 3
    assert state.features() == (4, 5, 3, 2, 1, -1, -1, -1, -1, -1, -1, 3, -1)
    assert len(state.features()) == FEATURES


def test_a_word_without_a_head_goes_back_to_the_buffer_once():
    state = run(State(3, frozenset({0})), "SSD")
    assert (state.stack, state.first, state.second) == ([0], 1, 2) and not state.allowed() >> SHIFT & 1


def test_an_arc_can_be_replaced():
    state = run(State(3, frozenset({0})), "SRL")  # 0 → 1, then 2 → 1
    assert state.heads == [-1, 2, -1] and state.features()[6] == -1


def test_before_the_next_sentence_the_stack_is_emptied():
    state = run(State(3, frozenset({0, 2})), "SR")
    assert state.allowed() == 1 << REDUCE


@given(st.integers(1, 12), st.sets(st.integers(1, 11)), st.data())
def test_every_way_ends_in_trees_of_sentences(words, starts, data):
    state, moves = State(words, frozenset({0, *starts})), 0
    while not state.done():
        allowed = [move for move in range(4) if state.allowed() >> move & 1]
        state.do(data.draw(st.sampled_from(allowed)), moves)
        moves += 1
        assert moves <= 6 * words
    sentence = [sum(start <= i for start in starts) for i in range(words)]
    for word in range(words):
        above, steps = word, 0
        while state.heads[above] >= 0:
            assert sentence[state.heads[above]] == sentence[word]
            above, steps = state.heads[above], steps + 1
            assert steps <= words, "a circle"
