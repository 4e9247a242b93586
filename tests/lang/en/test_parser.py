"""The parser ``spice-2016`` on real captions, and spaCy pipelines."""

import pytest

from spice_core.errors import MissingResourceError
from spice_core.lang import language, spacy_models
from spice_core.lang.en.parsers.spacy_parser import to_universal
from spice_core.lang.ja.parsers.ginza import ginza_parser
from spice_core.syntax.document import Dependency, Token
from tests.conftest import DATA, rows


def test_captions_and_their_sentences_yield_the_expected_propositions(spice):
    for caption, tuples in [
        ("A red umbrella", {("umbrella", "red"), ("umbrella",)}),
        ("Two dogs are sitting on a sofa.", {("dog", "sit on", "sofa"), ("dog", "two"), ("dog",), ("sofa",)}),
        ("A man is riding a horse.", {("man", "ride", "horse"), ("man",), ("horse",)}),
        ("A cat sits in front of a window.", {("cat", "sit in front of", "window"), ("cat",), ("window",), ("front",)}),
    ]:  # fmt: skip
        (parse,) = spice.parse([caption])
        assert {p.words for p in parse.propositions} == tuples
    (parse,) = spice.parse(["A dog runs. The cat sleeps."])
    assert [len(s.tokens) for s in parse.document.sentences] == [4, 4]
    assert {(p.words, p.sentence) for p in parse.propositions if len(p.words) == 1} == {(("dog",), 0), (("cat",), 1)}


def test_most_tuples_of_stored_captions_equal_those_of_the_reference_program(spice):
    stored_rows = rows(DATA / "propositions.jsonl")
    own_tuples = [{p.words for p in parse.propositions} for parse in spice.parse(r["caption"] for r in stored_rows)]
    original_tuples = [{tuple(p) for p in r["propositions"]} for r in stored_rows]
    shared_count = sum(len(a & b) for a, b in zip(own_tuples, original_tuples))
    sizes = sum(len(a) + len(b) for a, b in zip(own_tuples, original_tuples))
    assert 2 * shared_count / sizes >= 0.85


@pytest.mark.parametrize(("tree", "edges"), [
    ("dogs/dog/NNS/2/nsubj sit/sit/VBP/0/root on/on/IN/2/prep a/a/DT/5/det sofa/sofa/NN/3/pobj", ["2 nsubj 1", "0 root 2", "5 case 3", "5 det 4", "2 obl 5"]),
    ("cake/cake/NN/3/nsubjpass was/be/VBD/3/auxpass eaten/eat/VBN/0/root by/by/IN/3/agent us/we/PRP/4/pobj", ["3 nsubj:pass 1", "3 aux:pass 2", "0 root 3", "5 case 4", "3 obl 5"]),
    ("cats/cat/NNS/0/root and/and/CC/1/cc dogs/dog/NNS/1/conj", ["0 root 1", "3 cc 2", "1 conj 3"]),
    ("sky/sky/NN/2/nsubj is/be/VBZ/0/root blue/blue/JJ/2/acomp", ["3 nsubj 1", "3 cop 2", "0 root 3"]),
])  # fmt: skip
def test_clearnlp_labels_become_universal_dependencies(tree, edges):
    labelled_words = [word.split("/") for word in tree.split()]
    tokens = tuple(Token(i, *row[:3]) for i, row in enumerate(labelled_words, 1))
    basic = tuple(Dependency(int(row[3]), i, row[4]) for i, row in enumerate(labelled_words, 1))
    assert [f"{e.head} {e.relation} {e.dependent}" for e in to_universal(tokens, basic)] == edges


def test_an_installed_pipeline_is_used_and_a_missing_one_has_an_install_hint(tmp_path):
    """The installed pipeline is a rule-based stand-in with UD labels in a folder."""
    import spacy

    nlp = spacy.blank("en")
    nlp.add_pipe("attribute_ruler").add([[{"LOWER": "dog"}]], {"TAG": "NN", "LEMMA": "dog"})
    nlp.add_pipe("sentencizer")
    nlp.to_disk(tmp_path / "model")
    parser = language("en").parser(f"spacy:{tmp_path / 'model'}")
    (document,) = parser.parse(["dog"])
    assert document.sentences[0].tokens[0][:4] == (1, "dog", "dog", "NN")
    with pytest.raises(MissingResourceError, match="python -m spacy download en_core_web_xxl"):
        language("en").parser("spacy:en_core_web_xxl")


CAPTIONS = [
    "茶色い犬がソファーで寝ている", "駅のホームに電車が停まっている", "二人の子供が公園でサッカーをしている", "白い猫が窓から外を見る",
]  # fmt: skip


def test_a_pipeline_is_reloaded_before_its_vocabulary_grows(monkeypatch):
    parser, loads = ginza_parser(), []
    load = parser._load
    parser._load = lambda: loads.append(1) or load()
    assert [list(parser.parse(CAPTIONS)) for _ in range(3)] and loads == [1]
    # spaCy's table keeps a slot for each new word of each batch, so the pipeline is reloaded after a number of new words.
    expected_parses = list(ginza_parser().parse(CAPTIONS))
    monkeypatch.setattr(spacy_models, "_MAX_NEW_WORDS", 20)
    parser, loads = ginza_parser(), []
    load = parser._load
    parser._load = lambda: loads.append(1) or load()
    parses, max_length = [], 0
    for _ in range(2):
        for caption in CAPTIONS:
            parses += parser.parse([caption])
            max_length = max(max_length, len(parser._nlp.vocab))
    assert parses == expected_parses * 2 and len(loads) > 2 and max_length < 60
