"""The encoder parser: batches, blocks, loading, caching, and texts that are not captions."""

from collections import Counter
from itertools import chain
from pathlib import Path
from threading import active_count, current_thread, main_thread
from types import SimpleNamespace

import pytest

from spice_core.errors import InputError
from spice_core.lang.en.parsers.encoder_parser import caption_parser
from spice_core.lang.en.parsers.word_tokens import END_ID, START_ID, UNKNOWN_ID, WordPieces
from spice_core.syntax.clean_text import clean_text
from tests.conftest import GOLD

CAPTIONS = (GOLD.parent / "captions" / "coco_500.txt").read_text(encoding="utf-8").split("\n")[:20]


@pytest.fixture(scope="module")
def parser():
    return caption_parser()


def test_trees_are_the_same_alone_and_in_a_batch(parser):
    batch_documents = list(parser.parse([*CAPTIONS, "A dog. " * 40]))
    assert batch_documents[:-1] == [next(parser.parse([text])) for text in CAPTIONS]
    assert len(batch_documents[-1].sentences) == 40
    for text, edges in [
        ("A child naps beside two puppies on the couch.", {("naps", "nsubj", "child"), ("naps", "obl", "puppies"), ("naps", "obl", "couch")}),
        ("Two small dogs and a toddler sleep on a red sofa.", {("sleep", "nsubj", "dogs"), ("dogs", "conj", "toddler"), ("sleep", "obl", "sofa")}),
        ("a cat that is chased by dogs", {("cat", "acl:relcl", "chased"), ("chased", "nsubj:pass", "that"), ("chased", "obl", "dogs")}),
    ]:  # fmt: skip
        ((sentence,),) = (document.sentences for document in parser.parse([text]))
        words = {t.index: t.text for t in sentence.tokens}
        assert edges <= {(words.get(e.head, ""), e.relation, words[e.dependent]) for e in sentence.basic}


@pytest.mark.parametrize("threads", [True, False])
def test_blocks_computed_ahead_give_the_same_documents_and_raise_errors_in_order(parser, monkeypatch, threads):
    expected_documents = list(parser.parse(CAPTIONS))
    for limit_name in ("_CAPTIONS_PER_BLOCK", "_CAPTIONS_PER_BLOCK_AHEAD"):
        monkeypatch.setattr(f"spice_core.lang.en.parsers.encoder_parser.{limit_name}", 8)
    monkeypatch.setattr("spice_core.lang.en.parsers.encoder_parser._CAPTIONS_IN_FIRST_BLOCK_AHEAD", 2)
    monkeypatch.setattr("spice_core.lang.en.parsers.encoder_parser.has_free_core", lambda: threads)
    for block_size in (7, 8, 9, 16, 20):
        assert list(parser.parse(CAPTIONS[:block_size])) == expected_documents[:block_size]
    # The number of captions in the blocks before the block with the invalid caption.
    full_count = 2 + 4 + 8 if threads else 8 + 8
    count_before, rows = active_count(), parser.parse([*CAPTIONS[:full_count], "a dog\ud800"])
    assert [next(rows) for _ in range(full_count)] == expected_documents[:full_count]
    assert active_count() == count_before + 2 * threads
    with pytest.raises(InputError):
        next(rows)
    unfinished_blocks = parser.parse(CAPTIONS)
    assert next(unfinished_blocks) == expected_documents[0]
    unfinished_blocks.close()
    assert active_count() == count_before


@pytest.mark.parametrize("threads", [True, False])
def test_the_network_is_loaded_once_in_a_thread_if_a_core_is_free(parser, monkeypatch, threads):
    expected_documents, fresh_parser, loaded_networks = list(parser.parse(CAPTIONS[:1])), caption_parser(), []
    sessions = {"parser.onnx": parser._session, "relations.onnx": parser._relation_session}
    monkeypatch.setattr("spice_core.lang.en.parsers.encoder_parser.has_free_core", lambda: threads)
    monkeypatch.setattr(
        "spice_core.lang.en.parsers.encoder_parser.load_network",
        lambda path: loaded_networks.append((path.name, current_thread() is main_thread())) or sessions[path.name],
    )
    fresh_parser.load_ahead()
    assert list(fresh_parser.parse(CAPTIONS[:1])) == list(fresh_parser.parse(CAPTIONS[:1])) == expected_documents
    assert loaded_networks == [("parser.onnx", not threads), ("relations.onnx", True)]


@pytest.mark.parametrize("threads", [True, False])
def test_a_network_that_failed_to_load_is_loaded_by_the_next_call(parser, monkeypatch, threads):
    fresh_parser, results = caption_parser(), [MemoryError(), parser._session]

    def load(path: Path) -> object:
        result = parser._relation_session if path.name == "relations.onnx" else results.pop(0)
        if isinstance(result, MemoryError):
            raise result
        return result

    monkeypatch.setattr("spice_core.lang.en.parsers.encoder_parser.has_free_core", lambda: threads)
    monkeypatch.setattr("spice_core.lang.en.parsers.encoder_parser.load_network", load)
    with pytest.raises(MemoryError):
        list(fresh_parser.parse(CAPTIONS[:1]))
    assert list(fresh_parser.parse(CAPTIONS[:1])) == list(parser.parse(CAPTIONS[:1]))


def test_the_pieces_of_a_word_are_cached_unless_the_word_is_long(parser):
    tokenizer, read_words = parser._pieces._tokenizer, list[str]()

    def encode(word: str, *, add_special_tokens: bool) -> object:
        read_words.append(word)
        return tokenizer.encode(word, add_special_tokens=add_special_tokens)

    pieces, words = WordPieces(SimpleNamespace(encode=encode)), ["a", "surfboarder", "a", "\u200b", "x" * 40]
    split_once = pieces.split(words)
    assert pieces.split(words) == split_once and Counter(read_words) == {"a": 1, "surfboarder": 1, "\u200b": 1, "x" * 40: 2}
    expected_ids = [word_pieces.ids[:8] or [UNKNOWN_ID] for word_pieces in tokenizer.encode_batch(words, add_special_tokens=False)]
    assert split_once[0] == [START_ID, *chain(*expected_ids), END_ID]
    assert [split_once[0][start] for start in split_once[1]] == [ids[0] for ids in expected_ids]


@pytest.mark.parametrize("text", [
    "", "?", "'", "👍 👍", "犬", "x" * 3000, "dog " * 600, "a-" * 400, "\ufffd\u200b", '"""((()))"""', "the of and to",
    "floccinaucinihilipilification " * 100, "of , " * 300, "﷽" * 50,
], ids=lambda text: text[:10])  # fmt: skip
def test_every_text_gives_trees(parser, text):
    (document,) = parser.parse([text])
    assert document.text == " ".join(clean_text(text).split())
    for sentence in document.sentences:
        assert sum(not e.head for e in sentence.basic) == 1 and len(sentence.basic) == len(sentence.tokens)
        assert all(document.text[t.start : t.end] == t.text and t.lemma for t in sentence.tokens)


def test_invalid_captions_are_refused_and_long_sentences_have_no_runners_up(parser):
    for text in ["dog " * 2501, "a dog\ud800"]:
        with pytest.raises(InputError):
            list(parser.parse([text]))
    assert parser.runners_up("A man eats a pizza with a fork.") and parser.runners_up("a dog " * 200) == []


@pytest.fixture
def network_runs(monkeypatch):
    """Return a new parser and a list that receives the number of sentences of each run of its network."""
    monkeypatch.setattr("spice_core.lang.en.parsers.encoder_parser._MAX_HANDWRITTEN_SENTENCES", 8)
    fresh_parser, runs = caption_parser(), []
    run = fresh_parser._run_network
    monkeypatch.setattr(fresh_parser, "_run_network", lambda rows: runs.append(len(rows)) or run(rows))
    return fresh_parser, runs


def test_after_an_edit_only_new_sentences_are_parsed(parser, network_runs):
    fresh_parser, runs = network_runs
    rest_text = " A boy in a red hat runs to a tree. A dog. The dog barks at two cats on a wall."
    for first_sentence, expected_runs in [("A child naps.", [4]), ("A child sleeps.", [1]), ("A child naps.", []), ("A dog.", [])]:
        runs.clear()
        text = first_sentence + rest_text
        batch_parse = next(parser.parse([text, *CAPTIONS]))
        assert list(fresh_parser.parse([text])) == [batch_parse] and runs == expected_runs, text


def test_sentences_of_data_sets_are_not_cached(network_runs, monkeypatch):
    fresh_parser, _ = network_runs
    monkeypatch.setattr("spice_core.lang.en.parsers.encoder_parser._MAX_CACHED_SENTENCES", 3)
    texts = [f"A dog sees {n} cats. It runs." for n in range(6)]
    list(fresh_parser.parse(texts))
    assert len(fresh_parser._cached_sentences) == 0
    for text in texts:
        list(fresh_parser.parse([text]))
    list(fresh_parser.parse(["A cat sees a dog. " + "dog " * 61]))
    assert len(fresh_parser._cached_sentences) == 3
    assert all(len(cached_sentence.first_pieces) < 61 for cached_sentence in fresh_parser._cached_sentences)
