"""Test the public metric: results, accepted arguments, signatures."""

import json
import pickle
from dataclasses import replace

import pytest

from spice_core import Signature, Spice
from spice_core.errors import InputError, RuleError, UnknownNameError
from spice_core.metrics import spice as metric
from spice_core.scene.matching import MatchState

CANDIDATE_TUPLES = [["dog"], ["dog", "brown"], ["dog", "lie on", "sofa"]]
REFERENCE_TUPLES = [["dog", "on", "couch"], ["dog", "brown"], ["lamp"]]


def test_a_result_explains_itself_with_states_and_in_the_reference_programs_json():
    spice = Spice()
    result = spice.compute(CANDIDATE_TUPLES, [REFERENCE_TUPLES])
    assert result.signature.parser == "" and "parser" not in vars(spice), "given propositions need no parser"
    assert [m.candidate.words for m in result.matches] == [("dog",), ("dog", "brown"), ("sofa",)]
    assert [m.state for m in result.matches] == ["exact", "exact", "synonym"]
    (sense,) = {Spice().synonyms.synset(i).name for i in result.matches[2].evidence[0].synsets}
    assert sense == "sofa.n.01"
    assert [t.words for t in result.extra] == [("dog", "lie on", "sofa")]
    assert [t.words for t in result.missed] == [("dog", "on", "couch"), ("lamp",)]
    assert "SPICE 0.6" in str(result)
    result = Spice().compute(CANDIDATE_TUPLES, [REFERENCE_TUPLES])
    candidate, references = ({t.words: result.state(t) for t in side} for side in (result.candidate_tuples, result.reference_tuples))
    assert candidate["dog", "brown"] is references["dog", "brown"] is MatchState.EXACT
    assert candidate["sofa",] is references["couch",] is MatchState.SYNONYM
    assert candidate["dog", "lie on", "sofa"] is MatchState.EXTRA and references["lamp",] is MatchState.MISSING
    copy = pickle.loads(pickle.dumps(result))
    assert copy.match_by_tuple.keys() == result.match_by_tuple.keys() and [t.words for t in copy.missed] == [t.words for t in result.missed]
    assert [copy.state(t) for t in copy.candidate_tuples] == [result.state(t) for t in result.candidate_tuples]
    result = Spice().compute(CANDIDATE_TUPLES, [REFERENCE_TUPLES])
    output = json.loads(json.dumps(result.as_spice_json("42", detailed=True)))
    assert list(output) == ["image_id", "scores", "test_tuples", "ref_tuples"]
    assert set(output["scores"]) == {"All", "Object", "Attribute", "Relation", "Color", "Cardinality", "Size"}
    assert {"tuple": ["lamp"], "truth_value": False} in output["ref_tuples"]
    assert {"tuple": ["sofa"], "truth_value": True} in output["test_tuples"]
    assert result.as_row()["All matched"] == 3


def test_sentences_have_precision_and_recall_and_pycocoevalcaps_call_is_supported(spice):
    references = ["A dog sleeps on a couch. There is a window.", "a dog"]
    result = Spice().compute("A dog lies on a red sofa. It is sleeping. A cat eats cake.", references)
    assert [(s.caption, s.text, s.matched, s.tuples) for s in result.sentences] == [
        (0, "A dog lies on a red sofa.", 2, 5),
        (0, "It is sleeping.", 2, 2),
        (0, "A cat eats cake.", 0, 4),
        (1, "A dog sleeps on a couch.", 3, 4),
        (1, "There is a window.", 0, 1),
        (2, "a dog", 1, 1),
    ]
    assert "P 0.000  0 of 4  A cat eats cake." in str(result)
    assert Spice().compute("a dog", ["a cat"]).sentences == ()
    gts = {2: ["a brown dog on a sofa", "a dog"], 1: ["a red bus"]}
    res = {1: ["a red bus"], 2: ["a dog"]}
    average, images = spice.compute_score(gts, res)
    # Scores are in the order of `gts`.
    assert images[1]["All"]["f"] == 1.0
    assert average == pytest.approx(sum(i["All"]["f"] for i in images) / 2)
    assert spice.method() == "SPICE"
    # Captions may be given as propositions.
    mean, images = spice.compute_score({1: [REFERENCE_TUPLES]}, {1: [CANDIDATE_TUPLES]})
    assert images[0]["All"]["tp"] == 3 and mean == images[0]["All"]["f"]


def test_a_collision_of_ids_is_reported_and_the_concept_cache_is_bounded(monkeypatch):
    result = Spice(synonyms="wn3.0+collisions").compute([["man", "able"]], [[["man", "breathe"]]])
    evidence = result.matches[1].evidence[1]
    assert [Spice(synonyms="wn3.0+collisions").synonyms.synset(i).collision for i in evidence.synsets] == [True]
    assert not Spice(synonyms="wn3.0").compute([["man", "able"]], [[["man", "breathe"]]]).matches[1:]
    items = [([["dog", word], [word]], [[["dog", word], ["cat", word, "sofa"]]]) for word in ("red", "large", "big", "couch", "two")]
    expected_f1 = [Spice().compute(candidate, references).scores for candidate, references in items]
    monkeypatch.setattr(metric, "_MAX_CACHED_CONCEPTS", 3)
    spice = Spice()
    assert [spice.compute(candidate, references).scores for candidate, references in items] == expected_f1
    assert len(spice._concepts) < 10


def test_tuples_refer_to_words_and_unusual_captions_are_scored(spice):
    result = spice.compute("A young girl stands on a tennis court.", ["A young girl on a tennis court"])
    (young_tuple,) = [t for t in result.candidate_tuples if t.words == ("girl", "young")]
    (mention,) = young_tuple.mentions
    caption, (girl,), (attribute,) = result.candidate.caption, *mention.proposition.tokens
    assert mention.proposition.rule == "adjective"
    assert (caption[girl.start : girl.end], caption[attribute.start : attribute.end]) == ("girl", "young")
    for caption in ["", " ", "…", "dog", "<script>alert(1)</script>", "犬がいる", "a " * 400]:
        result = spice.compute(caption, ["A brown dog."])
        assert 0 <= result.f1 <= 1


def test_bad_references_and_unknown_names_are_reported(tmp_path):
    for references, expected_text in [
        ("a dog", "'a dog'"),
        ([], "[]"),
        ([3], "references[0]: found 3"),
        ([[["dog", ""]]], "references[0][0]: found ['dog', '']"),
    ]:
        with pytest.raises(InputError) as error:
            Spice().compute(CANDIDATE_TUPLES, references)
        assert expected_text in str(error.value) and "expected" in str(error.value)
    with pytest.raises(UnknownNameError, match="unknown language 'xx'; known: en"):
        Spice("xx")
    with pytest.raises(UnknownNameError, match="known: none, wn3.0, wn3.0\\+collisions"):
        Spice(synonyms="wn9")
    with pytest.raises(UnknownNameError, match="known: caption, conllu:, corenlp:, spacy:, spice-2016"):
        _ = Spice(parser="nothing").parser
    (tmp_path / "bad.toml").write_text("[[rule]]\nname = x\n")
    with pytest.raises(RuleError, match=r"bad.toml: line 2, column 8: not a rule file"):
        Spice(rules=tmp_path / "bad.toml")
    with pytest.raises(InputError, match="expected a name that no other category has"):
        Spice(categories={"Color": ["teal"]})


def test_the_signature_changes_with_every_setting_and_custom_categories(spice):
    signature = spice.signature
    assert Signature.parse(str(signature)) == signature
    assert str(signature).startswith("spice|lang:en|parser:spice-2016-")
    other_signatures = [Spice(synonyms="none"), Spice(rules=spice.rules.without("noun")), Spice(replace(spice.config, scheme="parts"))]
    assert len({str(s.signature) for s in [spice, *other_signatures]}) == 4

    def signature_with(categories) -> str:
        return str(Spice(categories=categories).signature)

    plain_signature, wood = str(Spice().signature), signature_with({"Material": ["wood", "metal"]})
    assert signature_with(None) == signature_with({}) == plain_signature and "categories" not in plain_signature
    assert wood == signature_with({"Material": ["metal", "wood"]})
    assert len({plain_signature, wood, signature_with({"Material": ["wood"]}), signature_with({"Stuff": ["wood", "metal"]})}) == 4
    for text in (plain_signature, wood):
        assert str(Signature.parse(text)) == text
    assert wood.replace(f"|categories:{Signature.parse(wood).categories}", "") == plain_signature
