"""Test captions generated with trees from a grammar: valid trees, agreement with the tokenizer, and errors in rules."""

import json

import pytest

from spice_core.lang.en.parsers.encoder_parser import CAPTION_MODEL_FOLDER
from tools.parser.inflection import Inflection
from tools.parser.respell import is_tree
from tools.parser.tree_grammar import TreeGrammar, load_caption_grammar

WORD_LISTS = {"animal": "dog, wolf", "sound": "bark, drive by"}
RULES = {
    "TEXT": ["nsubj=ONE sound:VBZ punct=./."],
    "ONE": ["det=a/DT animal:NN"],
    "TWO": ["animal:NN conj=AND"],
    "AND": ["cc=and/CC animal:NN"],
}


def edges(document) -> list[tuple[str, str, int, str]]:
    sentence = document.sentences[0]
    return [(t.text, t.tag, e.head, e.relation) for t, e in zip(sentence.tokens, sentence.basic)]


def form(lemma: str, tag: str) -> str:
    return lemma + "s"


def test_constituents_hang_on_the_head_of_their_rule_and_particles_on_their_verb():
    trees_by_text = {d.text: edges(d) for d in TreeGrammar(RULES, WORD_LISTS, form, 1).documents("TEXT", 40, 10)}
    assert trees_by_text["a dog barks."] == [
        ("a", "DT", 2, "det"),
        ("dog", "NN", 3, "nsubj"),
        ("barks", "VBZ", 0, "root"),
        (".", ".", 3, "punct"),
    ]
    assert trees_by_text["a wolf drives by."][3] == ("by", "RP", 3, "compound:prt")
    (pair,) = TreeGrammar(RULES, WORD_LISTS, form, 1).documents("TWO", 1, 10)
    assert [e[2:] for e in edges(pair)] == [(0, "root"), (3, "cc"), (1, "conj")]


def test_a_text_without_a_known_form_or_with_too_many_words_is_drawn_again():
    texts = {
        d.text for d in TreeGrammar(RULES, WORD_LISTS, lambda lemma, tag: "barks" if lemma == "bark" else None, 1).documents("TEXT", 30, 4)
    }
    assert texts == {"a dog barks.", "a wolf barks."}
    assert not list(TreeGrammar(RULES, WORD_LISTS, form, 1).documents("TEXT", 3, 3))


@pytest.mark.parametrize(
    ("rule", "message"), [("det=a/DT", "one head"), ("cat:NN", "cat:NN is no"), ("a/DT TEXT", "one head"), ("nsubj=", "nsubj= is no")]
)
def test_invalid_rules_are_reported(rule, message):
    with pytest.raises(ValueError, match=message):
        TreeGrammar({"TEXT": [rule]}, WORD_LISTS, form, 1)


def test_texts_of_all_kinds_are_trees_with_the_labels_of_the_parser_and_depend_only_on_the_seed():
    inflection = Inflection([])
    drawn_documents = list(load_caption_grammar(inflection.form, 5).documents("TEXT", 300, 40))
    assert len(drawn_documents) > 290 and [d.text for d in load_caption_grammar(inflection.form, 5).documents("TEXT", 9, 40)] == [
        d.text for d in drawn_documents[:9]
    ]
    labels = json.loads((CAPTION_MODEL_FOLDER / "labels.json").read_bytes())
    for document in drawn_documents:
        (sentence,) = document.sentences
        assert is_tree(sentence.basic) and sum(not e.head for e in sentence.basic) == 1
        assert {t.tag for t in sentence.tokens} <= set(labels["tags"]) and {e.relation for e in sentence.basic} <= set(labels["relations"])
