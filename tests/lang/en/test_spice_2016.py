"""The parser ``spice-2016``: its hashes equal spaCy's, its transitions end in trees, and its trees equal stored trees of spaCy."""

import gzip
import json
from contextlib import ExitStack

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from threadpoolctl import threadpool_info, threadpool_limits

from spice_core.lang import language
from spice_core.lang.en.parsers.penn_tokenizer import PennTokenizer
from spice_core.lang.en.parsers.transition_parser import SPICE_2016_FOLDER, spice_2016_parser, tree_starts
from spice_core.lang.en.parsers.transitions import (
    LEFT,
    REDUCE,
    RIGHT,
    SHIFT,
    TransitionState,
    TreePredictor,
    _blas_libraries,
    _limit_blas_threads,
    sentence_starts,
)
from spice_core.lang.en.parsers.window_network import WindowNetwork, character_shape, hash_number, hash_text, word_features
from spice_core.syntax import conllu
from tests.conftest import DATA


@pytest.mark.parametrize("seed", [7, 8, 11])
@given(numbers=st.lists(st.integers(0, (1 << 64) - 1), min_size=1, max_size=20))
def test_hashes_of_numbers_equal_those_of_thinc(seed, numbers):
    from thinc.api import NumpyOps

    assert NumpyOps().hash(np.array(numbers, "uint64"), seed).tolist() == [list(hash_number(number, seed)) for number in numbers]


@given(st.text(min_size=1, max_size=120))
def test_hashes_and_shapes_of_texts_equal_those_of_spacy(text):
    from spacy.lang.lex_attrs import word_shape
    from spacy.strings import hash_string

    assert hash_text(text) == hash_string(text)
    assert word_features("Skiers", "skiers") == ("skiers", "S", "ers", "Xxxxx")
    assert character_shape(text) == word_shape(text)


def test_word_vectors_do_not_depend_on_the_caption_and_few_are_cached(monkeypatch):
    network = WindowNetwork(SPICE_2016_FOLDER / "network.npz", json.loads((SPICE_2016_FOLDER / "labels.json").read_bytes())["symbols"])
    captions = ("A dog on a red sofa.", "two men", "Hi", "a man wearing a hat is riding on the back of a brown horse along the beach")
    words = [[(word.text, word.norm) for word in PennTokenizer.read().words(caption)] for caption in captions]
    batch_vectors = network.encode_words(words)
    single_vectors = np.concatenate([network.encode_words([single_word]) for single_word in words])
    assert batch_vectors.shape == single_vectors.shape == (sum(map(len, words)), 96)
    assert np.allclose(batch_vectors, single_vectors, atol=1e-4)
    monkeypatch.setattr("spice_core.lang.en.parsers.window_network._MAX_CACHED_VECTORS", 50)
    vector_before = network.encode_words([[("dog", "dog")]])
    for number in range(20):
        network.encode_words([[(f"word{number}.{i}", f"word{number}.{i}") for i in range(20)]])
    assert len(network._row_by_word) <= 70 and np.allclose(network.encode_words([[("dog", "dog")]]), vector_before, atol=1e-5)


def apply_moves(state: TransitionState, letters: str) -> TransitionState:
    for label, move in enumerate({"S": SHIFT, "D": REDUCE, "L": LEFT, "R": RIGHT}[letter] for letter in letters):
        assert state.allowed_moves() >> move & 1, f"move {label + 1} of {letters}"
        state.apply_move(move, label)
    return state


def test_moves_give_the_expected_heads_labels_and_features():
    state = apply_moves(TransitionState(4, frozenset({0})), "SSLLSLSD")  # arcs from head to dependent: dog → a, dog → red, sleeps → dog
    assert state.is_final() and state.heads == [2, 2, 3, -1] and state.labels == [3, 2, 5, -1]
    state = apply_moves(TransitionState(6, frozenset({0})), "SLSRR")  # 1 → 0; 1 → 2; 2 → 3
    assert state.features() == (4, 5, 3, 2, 1, -1, -1, -1, -1, -1, -1, 3, -1)
    state = apply_moves(TransitionState(3, frozenset({0})), "SSD")
    assert (state.stack, state.first, state.second) == ([0], 1, 2) and not state.allowed_moves() >> SHIFT & 1
    state = apply_moves(TransitionState(3, frozenset({0})), "SRL")  # 0 → 1, then 2 → 1
    assert state.heads == [-1, 2, -1] and state.features()[6] == -1
    state = apply_moves(TransitionState(3, frozenset({0, 2})), "SR")
    assert state.allowed_moves() == 1 << REDUCE


@settings(max_examples=40)
@given(st.integers(1, 12), st.sets(st.integers(1, 11)), st.data())
def test_every_transition_sequence_ends_in_trees(words, starts, data):
    state, moves = TransitionState(words, frozenset({0, *starts})), 0
    while not state.is_final():
        allowed_moves = [move for move in range(4) if state.allowed_moves() >> move & 1]
        state.apply_move(data.draw(st.sampled_from(allowed_moves)), moves)
        moves += 1
        assert moves <= 6 * words
    sentence = [sum(start <= i for start in starts) for i in range(words)]
    for word in range(words):
        head_above, steps = word, 0
        while state.heads[head_above] >= 0:
            assert sentence[state.heads[head_above]] == sentence[word]
            head_above, steps = state.heads[head_above], steps + 1
            assert steps <= words, "a circle"


def test_sentences_begin_after_end_marks_and_texts_of_any_length_are_batched():
    for words, starts in [
        ("A dog runs . The cat sleeps !", {0, 4}), ("Wait ... no . . yes", {0, 5}), ('he said stop . " Then', {0, 5}), ("? !", {0}),
    ]:  # fmt: skip
        assert sentence_starts(words.split()) == starts
    predictor = TreePredictor(SPICE_2016_FOLDER / "network.npz", json.loads((SPICE_2016_FOLDER / "labels.json").read_bytes()))
    words = [PennTokenizer.read().words(text) for text in ("", "dog", "A dog runs. A cat sleeps on a sofa.")]
    trees = predictor.predict(words)
    assert [len(tree.tags) for tree in trees] == [0, 1, 11] and trees[1] == (["NN"], [-1], ["ROOT"])
    assert [i for i, head in enumerate(trees[2].heads) if head < 0] == [2, 6]


def test_trees_equal_those_of_the_spacy_pipeline_alone_and_in_batches():
    parser = spice_2016_parser()
    stored_trees = gzip.decompress((DATA / "spice_2016_trees.conllu.gz").read_bytes()).decode()
    captions = [document.text for document in conllu.read(stored_trees.splitlines(keepends=True))]
    assert len(captions) == 300 and "".join(map(conllu.write, parser.parse(captions))) == stored_trees
    captions = ["A dog runs. The cat sleeps!", "x", "two dogs on a sofa", "?!", "a " * 300 + "dog"]
    assert list(parser.parse(captions)) == [document for caption in captions for document in parser.parse([caption])]
    assert language("en").parser("spice-2016").signature == parser.signature == "spice-2016-1.2.0"
    assert tree_starts([1, -1, 1, 4, -1, 4]) == {0, 3} and tree_starts([]) == set()
    (document,) = parser.parse(["A man riding a horse."])
    assert [token.tag for token in document.sentences[0].tokens] == ["DT", "NN", "VBG", "DT", "NN", "."]


def test_the_network_runs_in_one_thread_of_blas_and_the_setting_is_restored(monkeypatch):
    def threads() -> set[int]:
        return {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}

    seen_threads, tags = [], WindowNetwork.score_tags
    monkeypatch.setattr(WindowNetwork, "score_tags", lambda *values: (seen_threads.append(threads()), tags(*values))[1])
    # The cached list may lack BLAS libraries that were loaded after it was made.
    _blas_libraries.cache_clear()
    with threadpool_limits(2, user_api="blas"):
        threads_before = threads()
        list(spice_2016_parser().parse(["A dog runs."]))
        assert threads() == threads_before
        # Two overlapping contexts simulate two threads.
        with ExitStack() as first_limit, ExitStack() as second_limit:
            first_limit.enter_context(_limit_blas_threads())
            second_limit.enter_context(_limit_blas_threads())
            first_limit.close()
            assert threads() == {1}
        assert threads() == threads_before
    assert seen_threads == [{1}] and threads_before == {2}
