"""Doubts about rules that can be read: unknown labels and tags with the nearest known one, examples that a rule fails."""

from __future__ import annotations

import pytest

from spice_core.lang import LANGUAGES, language
from spice_core.rules.rule_file import parse_rules
from spice_core.workbench.rule_check import doubts
from spice_core.workbench.vocabulary import Vocabulary, first_use, nearest, unknown_values, vocabulary
from tests.rules.test_ruleset import RULE
from tests.workbench.test_trace import SOFA, WAVE

LABELS = ["nsubj", "nsubj:pass", "obj", "obl", "obl:on", "nmod:poss", "appos", "amod", "det"]
KNOWN = Vocabulary(dict.fromkeys(LABELS, 1), dict.fromkeys(["NN", "NNS", "NNP", "VBG", "JJ", "DT", "PRP$"], 1))

UNKNOWN = [  # the pattern, what is unknown, the nearest, the text at the position
    ("{}=thing >obbl {tag:NN}=name", "obbl", "obl", "obbl"),
    ("{}=thing >obj|apos {tag:NN}=name", "apos", "appos", "apos"),
    ("{}=thing >/obbl:(.+)/ {}=name", "/obbl:(.+)/", "obl", "/obbl"),
    ("{tag:/NM.*/}=thing >obj {}=name", "/NM.*/", "NN", "/NM"),
    ("{tag:/VBG|JK/}=thing >obj {}=name", "/JK/", "JJ", "JK/"),
    ("{tag:!NX}=thing >obj {}=name", "NX", "NN", "NX"),
    ("{}=thing >obj {}=name !>zzzz {}", "zzzz", "", "zzzz"),
]


def rule(pattern: str) -> str:
    return RULE.replace("{tag:/NN.*/}=thing >appos {tag:/NN.*/}=name", pattern)


@pytest.mark.parametrize(("pattern", "value", "near", "there"), UNKNOWN, ids=[u[0] for u in UNKNOWN])
def test_what_no_parse_has_is_found_with_the_nearest_known(pattern, value, near, there):
    (one,) = parse_rules(rule(pattern), name="x").rules
    (found,) = unknown_values(one, KNOWN)
    assert (found.value, found.nearest, found.part) == (value, near, "pattern")
    assert pattern[found.position :].startswith(there)


@pytest.mark.parametrize("pattern", ["{tag:/NN.*|JJ/}=thing >/obl:(.+)/ {}=name", "{lemma:dgo}=thing >obj|nsubj {}=name"])
def test_known_names_and_any_word_are_no_doubt(pattern):
    (one,) = parse_rules(rule(pattern), name="x").rules
    assert unknown_values(one, KNOWN) == []


def test_a_label_of_the_template_is_looked_up():
    (one,) = parse_rules(RULE.replace("(thing, name)", "(thing+amdo, name)"), name="x").rules
    (found,) = unknown_values(one, KNOWN)
    assert (found.part, found.value, found.nearest) == ("yields", "amdo", "amod")


def test_a_doubt_names_line_and_column():
    text = "# mine\n" + rule("{}=thing >obbl {}=name")
    said = [str(d) for d in doubts(text, parse_rules(text, name="x"), KNOWN)]
    line, column = next((n, row.index("obbl") + 1) for n, row in enumerate(text.split("\n"), 1) if "obbl" in row)
    assert said[0] == f"line {line}, column {column}: rule apposition: no parse of the corpus has the label obbl; the nearest is obl"


FAILS = [
    (('[["dog", "rex"]]', '[["dog", "max"]]'), "on its example “my dog Rex” it yields (dog, rex), expected (dog, max)"),
    (("my/my/PRP$/2/nmod:poss dog/dog/NN/0/root'", "my/my/NN/2/appos dog/dog/NN/0/root'"), "expected nothing"),
    ((">appos {tag:/NN.*/}=name", ">appos {tag:JJ}=name"), "it yields nothing, expected (dog, rex)"),
]


@pytest.mark.parametrize(("change", "said"), FAILS, ids=[f[1] for f in FAILS])
def test_a_rule_runs_on_its_own_example_and_near_miss(change, said):
    text = RULE.replace('"', "'") if change[0] not in RULE else RULE
    text = text.replace(*change)
    assert text != RULE
    assert said in " ".join(doubts(text, parse_rules(text, name="x"), KNOWN))


def test_rules_that_stay_are_not_doubted():
    rules = parse_rules(rule("{}=thing >obbl {}=name"), name="x")
    assert doubts(RULE, rules, KNOWN) and not doubts(RULE, rules, KNOWN, before=rules.rules)


@pytest.mark.parametrize("code", LANGUAGES)
def test_bundled_rules_yield_their_examples(code):
    pack = language(code)
    for name, path in pack.rules.items():
        rules = pack.rule_set(name)
        everything = Vocabulary({".": 1}, {".": 1})
        said = doubts(path.read_text(encoding="utf-8"), rules, everything)
        assert [d for d in said if "on its" in d] == []


def test_labels_and_tags_of_a_corpus():
    known = vocabulary([[WAVE], [SOFA]], language("en").rule_set("caption").rules)
    assert known.labels["det"] == 4 and known.tags["NN"] == 4 and known.labels["iobj"] == 0
    sentence, words = first_use([WAVE, SOFA], "relation", "amod")
    assert [sentence.tokens[n - 1].text for n in sorted(words)] == ["red", "dog"]
    assert first_use([WAVE], "tag", "JJ") is None


@pytest.mark.parametrize(("value", "near"), [("NSUBJ", "nsubj"), ("/nmodd:poss/", "nmod:poss"), ("主語", "")])
def test_the_nearest_name(value, near):
    assert nearest(value, LABELS) == near
