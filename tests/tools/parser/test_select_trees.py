"""Test selection and normalisation of training trees for the parser ``caption``."""

import random

import pytest

from spice_core.lang import language
from spice_core.syntax.document import Document
from tests.tools.parser.conftest import document, edges
from tools.parser import respell, select_trees

RULES = language("en").rule_set("caption")


RIGHT_TREE = document("man/man/NN/0/root in/in/IN/3/case boats/boat/NNS/1/nmod with/with/IN/5/case dogs/dog/NNS/1/nmod")
WRONG_TREE = document("man/man/NN/0/root in/in/IN/3/case boats/boat/NNS/1/nmod with/with/IN/5/case dogs/dog/NNS/3/nmod")
GOLD = frozenset({frozenset({"man", "boat"}), frozenset({"man", "dog"})})


def test_a_tree_is_selected_only_if_two_parsers_share_it():
    assert select_trees.choose_tree([WRONG_TREE, RIGHT_TREE, RIGHT_TREE], None, RULES) is RIGHT_TREE
    assert select_trees.choose_tree([WRONG_TREE, RIGHT_TREE], None, RULES) is None


def test_a_gold_graph_selects_and_repairs_a_tree():
    assert select_trees.choose_tree([WRONG_TREE, RIGHT_TREE], GOLD, RULES) is RIGHT_TREE
    assert edges(select_trees.choose_tree([WRONG_TREE, WRONG_TREE], GOLD, RULES)) == edges(RIGHT_TREE)
    assert (
        select_trees.choose_tree([RIGHT_TREE, WRONG_TREE], frozenset({frozenset({"cat", "hat"})}), RULES) is None
    )  # neither tree explains the graph


@pytest.mark.parametrize(("tree", "expected_words"), [
    ("a/a/DT/2/det boy/boy/NN/3/compound swinging/swinging/NN/0/root bats/bat/NNS/3/dep", ["2 det 1", "0 root 2", "2 acl 3", "3 obj 4"]),
    ("man/man/NN/0/root flying/fly/VBG/3/amod kites/kite/NNS/1/dep", ["0 root 1", "1 acl 2", "2 obj 3"]),
    ("man/man/NN/0/root riding/ride/VBG/1/acl bikes/bike/NNS/2/obj", None),
    ("red/red/JJ/2/amod building/building/NN/0/root", None),
])  # fmt: skip
def test_an_ing_word_after_a_noun_can_be_its_participle(tree, expected_words):
    tree_before = document(tree)
    verb = next(t.index for t in tree_before.sentences[0].tokens if t.text.endswith("ing"))
    read_ = select_trees.reanalyse_participle(tree_before.sentences[0], verb)
    assert (read_ and edges(Document("", (read_,)))) == expected_words


def test_hyphenated_words_are_joined_and_lemmas_normalised():
    tree = "a/a/DT/5/det t/t/NN/5/compound -/-/HYPH/2/punct shirt/shirt/NN/2/dep store/store/NN/0/root"
    joined = respell.join_hyphenated_words(document(tree, "a t-shirt store"))
    assert [t.text for t in joined.sentences[0].tokens] == ["a", "t-shirt", "store"]
    assert edges(joined) == ["3 det 1", "3 compound 2", "0 root 3"]
    tree = "two/two/CD/3/nummod parked/park/VBN/3/amod people/person/NNS/0/root larger/large/JJR/3/amod"
    tokens = respell.normalise_caption_words(document(tree)).sentences[0].tokens
    assert [(t.lemma, t.tag) for t in tokens] == [("two", "CD"), ("parked", "JJ"), ("people", "NNS"), ("larger", "JJR")]
    tree = "a/a/DT/2/det close/close/JJ/0/root up/up/IN/2/advmod of/of/IN/5/case cats/cat/NNS/3/obl"
    assert edges(respell.reanalyse_close_ups(document(tree))) == ["2 det 1", "0 root 2", "2 compound:prt 3", "5 case 4", "2 nmod 5"]


def test_spellings_keep_the_tree_and_align():
    tree = "A/a/DT/2/det man/man/NN/4/nmod:poss 's/'s/POS/2/case dog/dog/NN/5/nsubj sits/sit/VBZ/0/root ./././5/punct"
    document_before, texts = document(tree, "A man's dog sits."), set()
    for seed in range(12):
        document_after = respell.respell(document_before, random.Random(seed))
        texts.add(document_after.text)
        assert edges(document_after)[:5] == edges(document_before)[:5]
        assert all(document_after.text[t.start : t.end] == t.text for t in document_after.sentences[0].tokens)
    assert texts == {"A man's dog sits.", "A man's dog sits", "a man's dog sits.", "a man's dog sits"}
