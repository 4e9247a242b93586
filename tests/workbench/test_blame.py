"""Parse or rule: captions that the parser gets wrong, and captions for which the rule set lacks a rule."""

from __future__ import annotations

import pytest

from spice_core.lang import language
from spice_core.rules.ruleset import RuleSet
from spice_core.syntax.document import Dependency, Document, Sentence, Token
from spice_core.workbench.blame import OtherTree, Source, blame, changes, reattached

# caption, the two words, and the word, with its field, that is to blame; empty where no other tree is found
WRONG_PARSES = [
    ("Two men wearing red hats are seen loading boxes onto the back of a truck.", "men boxes", "loading tag"),
    ("Several workers are shown painting walls in a hallway.", "workers walls", "painting tag"),
    ("Some men are seen building blocks of ice.", "men blocks", "building tag"),
    ("A man is seen hunting dogs with a rifle.", "man dogs", "hunting tag"),
    ("Workers are seen washing machines behind a store.", "Workers machines", "washing tag"),
    ("Two women are pictured cutting boards with saws.", "women boards", "cutting head"),
    ("People boarding passes at a gate.", "People passes", ""),
    ("A bird on a branch with colorful feathers.", "bird feathers", "feathers head"),
    ("A bus drives past people covered in advertisements.", "bus advertisements", "covered head"),
    ("A cat laying in a green bowl on a wooden table.", "bowl table", "table head"),
]
LACKING = [
    ("adjective", "A red umbrella on a beach.", "umbrella red"),
    ("participle-object", "A man in a park throwing a frisbee to his dog.", "man frisbee"),
    ("subject-object", "Two women in dresses hold umbrellas.", "women umbrellas"),
    ("preposition", "A cup of coffee on a wooden table.", "cup table"),
    ("possessive", "A woman's bag on a chair.", "woman bag"),
    ("compound", "A tennis racket and two balls.", "racket tennis"),
    ("controlled-subject-object", "A man is seen riding a wave.", "man wave"),
    ("subject-preposition", "A man sits on a bench.", "man bench"),
    ("agent", "A dog is held by a boy.", "dog boy"),
    ("predicate-adjective", "The sky is blue.", "sky blue"),
]


def blamed(caption: str, words: str, rules: RuleSet) -> tuple[OtherTree, ...]:
    """The trees that are blamed where these words are not related."""
    pack = language("en")
    own, other = (next(iter(pack.parser(name).parse([caption]))) for name in ("caption", "spice-2016"))
    tokens = {token.text: token for sentence in own.sentences for token in sentence.tokens}
    first, second = (tokens[word] for word in words.split())
    return blame(pack, rules, own, (first, second), parsers={"spice-2016": other}, runners_up=pack.parser("caption").runners_up(caption))


@pytest.mark.parser
def test_of_ten_wrong_parses_at_least_nine_are_blamed():
    found = {}
    for caption, words, _ in WRONG_PARSES:
        first = next((tree.first for tree in blamed(caption, words, language("en").rule_set())), None)
        found[caption] = f"{first.after.text} {first.field}" if first else ""
    assert found == {caption: to_blame for caption, _, to_blame in WRONG_PARSES}
    assert len([to_blame for to_blame in found.values() if to_blame]) >= 9


@pytest.mark.parser
@pytest.mark.parametrize(("rule", "caption", "words"), LACKING, ids=[rule for rule, _, _ in LACKING])
def test_a_right_parse_is_not_blamed_for_a_rule_that_is_lacking(rule, caption, words):
    rules = language("en").rule_set()
    assert blamed(caption, words, rules.without(rule)) == ()


@pytest.mark.parser
def test_a_tree_that_relates_the_words_needs_no_other():
    assert blamed("A man rides a horse.", "man horse", language("en").rule_set()) == ()


@pytest.mark.parser
def test_trees_that_a_parser_holds_for_likely_come_before_changes_that_are_tried():
    found = blamed("A man is seen hunting dogs with a rifle.", "man dogs", language("en").rule_set())
    assert [tree.source for tree in found] == [Source.PARSER, Source.CHANGE, Source.CHANGE]
    assert {p.words for tree in found for p in tree.made} == {("man", "hunt", "dog")}


def document(*rows: tuple[str, str, int, str]) -> Document:
    tokens = tuple(Token(n, word, word, tag, n, n) for n, (word, tag, _, _) in enumerate(rows, 1))
    return Document("", (Sentence(tokens, tuple(Dependency(head, n, relation) for n, (_, _, head, relation) in enumerate(rows, 1))),))


CUP = (
    ("a", "DT", 2, "det"),
    ("cup", "NN", 0, "root"),
    ("on", "IN", 4, "case"),
    ("table", "NN", 2, "nmod"),
    ("in", "IN", 6, "case"),
    ("room", "NN", 4, "nmod"),
)


def test_a_phrase_is_attached_elsewhere_without_a_circle():
    (sentence,) = document(*CUP).sentences
    assert [[(e.head, e.dependent, e.relation) for e in s.basic if e not in sentence.basic] for s in reattached(sentence)] == [
        [(2, 6, "nmod")]
    ]


CHANGED = [
    (("room", "NN", 2, "nmod"), "head"),
    (("room", "JJ", 4, "nmod"), "tag"),
    (("room", "NN", 4, "obl"), "relation"),
]


@pytest.mark.parametrize(("row", "field"), CHANGED)
def test_what_another_tree_changes(row, field):
    (change,) = changes(document(*CUP), document(*CUP[:-1], row))
    assert (change.after.text, change.field) == ("room", field)


def test_other_words_are_no_change_of_a_word():
    assert changes(document(*CUP), document(*CUP[:-1])) == ()
