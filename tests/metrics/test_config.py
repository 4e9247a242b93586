"""Test the metric settings and signatures."""

from dataclasses import fields, replace

import pytest

from spice_core import Signature, Spice, SpiceConfig
from spice_core.errors import InputError, RuleError, UnknownNameError
from spice_core.lang import language
from spice_core.rules.rule_file import parse_rules
from spice_core.scene.synonyms import NoSynonyms

FULL_CONFIG = SpiceConfig("en", "caption", "mine", "wn3.0", "# my rules\n", "parts", (("Material", ("metal", "wood")),))
SIGNATURE = "spice|lang:en|parser:caption-1.0.0|rules:caption-a549f3d8|synonyms:wn3.0+collisions|version:0.1.0"
GIRL, PONY = [["girl", "ride", "horse"]], [[["girl", "ride", "giraffe"]]]


def test_an_empty_name_is_resolved_and_settings_survive_as_a_dictionary():
    for config, names in [
        (SpiceConfig(), ("caption", "caption", "wn3.0+ranks")),
        (SpiceConfig(synonyms="wn3.0+collisions"), ("caption", "caption", "wn3.0+collisions")),
        (SpiceConfig(parser="spice-2016"), ("spice-2016", "spice-2016", "wn3.0+collisions")),
        (SpiceConfig(rules="spice-2016", synonyms="none"), ("spice-2016", "spice-2016", "none")),
        (SpiceConfig(parser="caption", rules="spice-2016"), ("caption", "spice-2016", "wn3.0+collisions")),
        (SpiceConfig(rules="spice-2016", rules_text="# none"), ("caption", "spice-2016", "wn3.0+collisions")),
        (SpiceConfig("ja", rules="ja-ud"), ("ginza", "ja-ud", "sudachi+captions")),
    ]:
        resolved_config = config.resolved()
        assert (
            resolved_config.parser,
            resolved_config.rules,
            resolved_config.synonyms,
        ) == names and resolved_config.resolved() == resolved_config
    for config in (SpiceConfig(), FULL_CONFIG, SpiceConfig("ja", scheme="spice")):
        assert SpiceConfig.from_dict(config.as_dict()) == config
    assert SpiceConfig().as_dict() == {"lang": "en"}


def test_other_settings_and_names_that_no_file_can_have_are_refused():
    for values in [None, ["parser"], {"colour": "red"}, {"parser": 3}, {"categories": "wood"}, {"categories": {"Material": "wood"}}]:
        with pytest.raises(InputError):
            SpiceConfig.from_dict(values)
    for values in [{"parser": "conllu:\0"}, {"parser": "conllu:\ud800"}, {"rules": "\0.toml"}]:
        with pytest.raises(InputError, match="expected a file that can be read"):
            list(Spice(SpiceConfig.from_dict(values)).parse(["a dog"]))


def test_both_forms_of_the_metric_have_the_same_settings():
    by_keyword = Spice("en", parser="spice-2016", synonyms="none", categories={"Material": {"wood", "metal"}})
    config = SpiceConfig("en", "spice-2016", synonyms="none", categories=(("Material", ("metal", "wood")),))
    assert by_keyword.config == Spice(config).config == config.resolved()
    with pytest.raises(TypeError, match="no other settings"):
        Spice(config, synonyms="none")


def test_settings_include_the_rule_file_and_override_its_scheme(tmp_path):
    """Workers on other machines do not need the file, and later changes of the file have no effect."""
    path, text = tmp_path / "mine.toml", 'scheme = "parts"\n'
    path.write_text(text)
    config = SpiceConfig(rules=str(path)).resolved()
    assert (config.rules, config.rules_text) == ("mine", text)
    assert Spice(rules=path).config == Spice(rules=str(path)).config == config
    path.write_text("")
    assert Spice(config).rules.scheme == "parts" and Spice(rules=path).rules.rules == ()
    path.write_text("[[rule]]")
    with pytest.raises(RuleError, match=r"mine\.toml: line 1, column 1: rule number 1"):
        SpiceConfig(rules=str(path)).resolved()
    own_result, parts = Spice().compute(GIRL, PONY), Spice(SpiceConfig(scheme="parts")).compute(GIRL, PONY)
    original_result = Spice(rules="spice-2016").compute(GIRL, PONY)
    assert parts.f1 > original_result.f1 and [score.signature.rules for score in (own_result, parts, original_result)] == [""] * 3
    assert [score.signature.scheme for score in (own_result, parts, original_result)] == [
        "distinct",
        "parts",
        "spice",
    ] and own_result.f1 < parts.f1
    with pytest.raises(UnknownNameError, match="scheme"):
        Spice(SpiceConfig(scheme="nothing"))


def test_signatures_survive_a_round_trip_and_other_texts_are_rejected():
    full_signature = Signature(**{f.name: f.name for f in fields(Signature)})
    assert str(full_signature) == "spice|" + "|".join(f"{f.name}:{f.name}" for f in fields(Signature))
    given_signature = Signature.from_config(FULL_CONFIG, {"given"}, synonyms=NoSynonyms())
    assert str(given_signature).startswith("spice|lang:en|scheme:parts|synonyms:none|categories:")
    assert given_signature.parser == given_signature.rules == ""
    config = SpiceConfig(parser="spice-2016", scheme="parts")
    assert Signature.from_config(config, {"a parser"}) == Spice(config).signature_of({"a parser"})
    for signature in (full_signature, given_signature):
        assert Signature.parse(str(signature)) == signature
    for text in [
        "bleu|n:4", "spice|lang:en", SIGNATURE + "|colour:red", "spice|synonyms:none|lang:en|version:1",
        "spice|lang:en|lang:ja|synonyms:none|version:1",
        SIGNATURE.replace("parser", "analyser"), SIGNATURE.replace("|rules", "|parser:caption|rules"),
        5, None,
    ]:  # fmt: skip
        with pytest.raises(InputError, match="signature"):
            Signature.parse(text)


def test_the_digest_of_rules_depends_only_on_their_behaviour():
    pack = language("en")
    text = pack.rules["spice-2016"].read_text(encoding="utf-8")
    rules = pack.rule_set("spice-2016")
    reworded_rules = parse_rules(text.replace("reason = ", "reason = 'As ever.' #"), name="x")
    assert reworded_rules.digest == parse_rules(f"# a comment\nscheme = 'parts'\n{text}", name="x").digest == rules.digest
    first_rule = rules.rules[0]
    for changes in ({"yields": "(object)"}, {"phrase": "compound"}, {"separator": "-"}, {"lower_case": True}):
        assert replace(rules, rules=(replace(first_rule, **changes), *rules.rules[1:])).digest != rules.digest
    changed_rule_sets = [
        replace(rules, steps=()),
        replace(rules, rules=rules.rules[::-1]),
        rules.without("noun"),
        rules.without("noun", "agent"),
    ]
    assert (
        len({rules_.digest for rules_ in [rules, *changed_rule_sets]})
        == len({rules_.signature for rules_ in [rules, *changed_rule_sets]})
        == 5
    )
    assert rules.without() == rules and len(rules.digest) == 64 and rules.signature == f"spice-2016-{rules.digest[:8]}"
