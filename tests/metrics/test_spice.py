"""The public metric: what a result holds, what the calls accept, what the signature says."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace

import pytest

from spice_core import Signature, Spice
from spice_core.errors import InputError, RuleError, UnknownNameError
from spice_core.lang import language
from spice_core.metrics import spice as metric
from spice_core.scene.matching import MatchState

CANDIDATE = [["dog"], ["dog", "brown"], ["dog", "lie on", "sofa"]]
REFERENCE = [["dog", "on", "couch"], ["dog", "brown"], ["lamp"]]


def test_a_result_explains_itself():
    result = Spice().compute(CANDIDATE, [REFERENCE])
    assert [m.candidate.words for m in result.matches] == [("dog",), ("dog", "brown"), ("sofa",)]
    assert [m.state for m in result.matches] == ["exact", "exact", "synonym"]
    (sense,) = {Spice().synonyms.synset(i).name for i in result.matches[2].evidence[0].synsets}
    assert sense == "sofa.n.01"
    assert [t.words for t in result.extra] == [("dog", "lie on", "sofa")]
    assert [t.words for t in result.missed] == [("dog", "on", "couch"), ("lamp",)]
    assert "SPICE 0.6" in str(result)


@pytest.mark.parser
def test_precision_by_sentence_of_the_candidate_and_recall_by_sentence_of_a_reference():
    spice = Spice()
    result = spice.compute(
        "A dog lies on a red sofa. It is sleeping. A cat eats cake.", ["A dog sleeps on a couch. There is a window.", "a dog"]
    )
    assert [(s.caption, s.text, s.matched, s.tuples) for s in result.sentences] == [
        (0, "A dog lies on a red sofa.", 2, 5),
        (0, "It is sleeping.", 2, 2),
        (0, "A cat eats cake.", 0, 4),
        (1, "A dog sleeps on a couch.", 3, 4),
        (1, "There is a window.", 0, 1),
        (2, "a dog", 1, 1),
    ]
    assert "P 0.000  0 of 4  A cat eats cake." in str(result)
    assert spice.compute("a dog", ["a cat"]).sentences == ()


def test_a_pickled_result_knows_its_matches():
    result = Spice().compute(CANDIDATE, [REFERENCE])
    copy = pickle.loads(pickle.dumps((result, result.match_of)))[0]
    assert [t.words for t in copy.missed] == [t.words for t in result.missed]


def test_a_match_by_a_collision_of_ids_is_named_as_such():
    result = Spice(synonyms="wn3.0+collisions").compute([["man", "able"]], [[["man", "breathe"]]])
    evidence = result.matches[1].evidence[1]
    assert [Spice(synonyms="wn3.0+collisions").synonyms.synset(i).collision for i in evidence.synsets] == [True]
    assert not Spice(synonyms="wn3.0").compute([["man", "able"]], [[["man", "breathe"]]]).matches[1:]


@pytest.mark.parser
def test_a_caption_leads_back_to_its_words(spice):
    result = spice.compute("A young girl stands on a tennis court.", ["A young girl on a tennis court"])
    (young,) = [t for t in result.candidate_tuples if t.words == ("girl", "young")]
    (mention,) = young.mentions
    caption, (girl,), (adjective,) = result.candidate.caption, *mention.proposition.tokens
    assert mention.proposition.rule == "adjective"
    assert (caption[girl.start : girl.end], caption[adjective.start : adjective.end]) == ("girl", "young")


@pytest.mark.parser
@pytest.mark.parametrize("caption", ["", " ", "…", "dog", "<script>alert(1)</script>", "犬がいる", "a " * 400])
def test_odd_captions_are_scored(spice, caption):
    result = spice.compute(caption, ["A brown dog."])
    assert 0 <= result.f1 <= 1


@pytest.mark.parser
def test_pycocoevalcaps_call(spice):
    gts = {2: ["a brown dog on a sofa", "a dog"], 1: ["a red bus"]}
    res = {1: ["a red bus"], 2: ["a dog"]}
    average, images = spice.compute_score(gts, res)
    assert images[0]["All"]["f"] == 1.0  # in the order of sorted ids
    assert average == pytest.approx(sum(i["All"]["f"] for i in images) / 2)
    assert spice.method() == "SPICE"


@pytest.mark.parametrize(
    ("references", "found"),
    [("a dog", "'a dog'"), ([], "[]"), ([3], "references[0]: found 3"), ([[["dog", ""]]], "references[0][0]: found ['dog', '']")],
)
def test_bad_references_are_named(references, found):
    with pytest.raises(InputError) as error:
        Spice().compute(CANDIDATE, references)
    assert found in str(error.value) and "expected" in str(error.value)


def test_unknown_names_are_answered_with_the_known_ones(tmp_path):
    with pytest.raises(UnknownNameError, match="unknown language 'xx'; known: en"):
        Spice("xx")
    with pytest.raises(UnknownNameError, match="known: none, wn3.0, wn3.0\\+collisions"):
        Spice(synonyms="wn9")
    with pytest.raises(UnknownNameError, match="known: caption, conllu:, corenlp:, spacy:, spice-2016"):
        _ = Spice(parser="nothing").parser
    (tmp_path / "bad.toml").write_text("[[rule]]\nname = x\n")
    with pytest.raises(RuleError, match=r"bad.toml: line 2, column 8: not a rule file"):
        Spice(rules=tmp_path / "bad.toml")
    with pytest.raises(InputError, match="expected a name that is not taken"):
        Spice(categories={"Color": ["teal"]})


@pytest.mark.parser
def test_the_signature_changes_with_every_choice_and_parses_back(spice):
    signature = spice.signature
    assert Signature.parse(str(signature)) == signature
    assert str(signature).startswith("spice|lang:en|parser:spice-2016-")
    others = [Spice(synonyms="none"), Spice(rules=spice.rules.without("noun")), Spice(replace(spice.config, scheme="parts"))]
    assert len({str(s.signature) for s in [spice, *others]}) == 4


def test_own_categories_stand_in_the_signature():
    def signed(categories) -> str:
        return str(Spice(categories=categories).signature)

    plain, wood = str(Spice().signature), signed({"Material": ["wood", "metal"]})
    assert signed(None) == signed({}) == plain and "categories" not in plain
    assert wood == signed({"Material": ["metal", "wood"]})
    assert len({plain, wood, signed({"Material": ["wood"]}), signed({"Stuff": ["wood", "metal"]})}) == 4
    for text in (plain, wood):
        assert str(Signature.parse(text)) == text
    assert wood.replace(f"|categories:{Signature.parse(wood).categories}", "") == plain


def test_how_given_propositions_are_counted_stands_in_the_signature():
    """Where parts count, (girl, ride, horse) and (girl, ride, pony) have two of three in common."""
    sets = [
        language("en").rule_set("caption"),
        language("en").rule_set("spice-2016"),
        replace(language("en").rule_set("caption"), scheme="parts"),
    ]
    results = [Spice(rules=rules).compute([["girl", "ride", "horse"]], [[["girl", "ride", "giraffe"]]]) for rules in sets]
    assert [(result.signature.rules, result.signature.scheme) for result in results] == [("", "distinct"), ("", "spice"), ("", "parts")]
    assert results[2].f1 > results[1].f1


def test_rules_that_were_changed_have_another_signature():
    rules = language("en").rule_set("caption")
    names = [rule.name for rule in rules.rules]
    others = [replace(rules, steps=()), rules.without(names[0]), rules.without(*names[:2])]
    assert len({each.digest for each in [rules, *others]}) == len({each.signature for each in [rules, *others]}) == 4
    assert rules.without() == rules
    assert len(rules.digest) == 64 and rules.signature == f"caption-{rules.digest[:8]}"


def test_scores_of_given_propositions_need_no_parser():
    spice = Spice()
    assert spice.compute(CANDIDATE, [REFERENCE]).signature.parser == ""
    assert "parser" not in vars(spice)


def test_the_reference_programs_json():
    result = Spice().compute(CANDIDATE, [REFERENCE])
    out = json.loads(json.dumps(result.as_reference_json("42", detailed=True)))
    assert list(out) == ["image_id", "scores", "test_tuples", "ref_tuples"]
    assert set(out["scores"]) == {"All", "Object", "Attribute", "Relation", "Color", "Cardinality", "Size"}
    assert {"tuple": ["lamp"], "truth_value": False} in out["ref_tuples"]
    assert {"tuple": ["sofa"], "truth_value": True} in out["test_tuples"]
    assert result.as_row()["All matched"] == 3


def test_parser_and_rules_of_one_name_go_together():
    both = [Spice(parser="spice-2016"), Spice(rules="spice-2016")]
    assert [(str(s.signature).split("|")[2][:17], s.rules.name) for s in both] == [("parser:spice-2016", "spice-2016")] * 2
    mixed = Spice(parser="caption", rules="spice-2016")
    assert mixed.signature.parser.startswith("caption") and mixed.rules.name == "spice-2016"
    assert Spice().rules.name == "caption" and Spice("ja").rules.name == "ja-caption"


def test_the_concepts_kept_are_bounded_and_change_no_score(monkeypatch):
    items = [([["dog", word], [word]], [[["dog", word], ["cat", word, "sofa"]]]) for word in ("red", "large", "big", "couch", "two")]
    wanted = [Spice().compute(candidate, references).scores for candidate, references in items]
    monkeypatch.setattr(metric, "_CONCEPTS", 3)
    spice = Spice()
    assert [spice.compute(candidate, references).scores for candidate, references in items] == wanted
    assert len(spice._concepts) < 10


def test_pycocoevalcaps_call_takes_given_propositions():
    mean, images = Spice().compute_score({1: [REFERENCE]}, {1: [CANDIDATE]})
    assert images[0]["All"]["tp"] == 3 and mean == images[0]["All"]["f"]


def test_every_tuple_has_a_match_state():
    result = Spice().compute(CANDIDATE, [REFERENCE])
    candidate, references = ({t.words: result.state(t) for t in side} for side in (result.candidate_tuples, result.reference_tuples))
    assert candidate["dog", "brown"] is references["dog", "brown"] is MatchState.EXACT
    assert candidate["sofa",] is references["couch",] is MatchState.SYNONYM
    assert candidate["dog", "lie on", "sofa"] is MatchState.EXTRA and references["lamp",] is MatchState.MISSING
    copy = pickle.loads(pickle.dumps(result))
    assert [copy.state(t) for t in copy.candidate_tuples] == [result.state(t) for t in result.candidate_tuples]
