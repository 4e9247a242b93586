"""The parser ``spice-2016``: stored trees of the spaCy pipeline that its network was trained in."""

from __future__ import annotations

import gzip

import pytest

from spice_core.lang import language
from spice_core.lang.en.transition_parser import TransitionParser, spice_2016, tree_starts
from spice_core.syntax import conllu
from tests.conftest import DATA


@pytest.fixture(scope="module")
def parser() -> TransitionParser:
    return spice_2016()


def test_it_is_the_parser_of_the_language(parser):
    assert language("en").parser("spice-2016").signature == parser.signature == "spice-2016-1.2.0"


def test_trees_are_those_of_the_spacy_pipeline(parser):
    stored = gzip.decompress((DATA / "spice_2016_trees.conllu.gz").read_bytes()).decode()
    captions = [document.text for document in conllu.read(stored.splitlines(keepends=True))]
    assert len(captions) == 300 and "".join(map(conllu.write, parser.parse(captions))) == stored


def test_a_caption_is_parsed_alike_alone_and_among_others(parser):
    captions = ["A dog runs. The cat sleeps!", "x", "two dogs on a sofa", "?!", "a " * 300 + "dog"]
    assert list(parser.parse(captions)) == [document for caption in captions for document in parser.parse([caption])]


def test_a_relation_can_outweigh_the_tagger(parser):
    (document,) = parser.parse(["A man riding a horse."])
    assert [token.tag for token in document.sentences[0].tokens] == ["DT", "NN", "VBG", "DT", "NN", "."]


def test_trees_begin_at_their_leftmost_word():
    assert tree_starts([1, -1, 1, 4, -1, 4]) == {0, 3} and tree_starts([]) == set()
