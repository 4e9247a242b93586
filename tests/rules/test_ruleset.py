"""Test rule sets: examples and near misses of all rules, stored captions and trees, and why a rule does not fire."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from spice_core.errors import RuleError
from spice_core.lang import LANGUAGES, language
from spice_core.rules.conditions import SearchBudget
from spice_core.rules.rule_file import parse_rules, read_tree
from spice_core.syntax.conllu import read
from spice_core.syntax.document import Document, Sentence
from spice_core.workbench.trace import trace_sentences
from tests.conftest import DATA, rows
from tests.rules.test_rule_file import RULE

RULE_SETS = [language(code).rule_set(name) for code in LANGUAGES for name in language(code).rules]
# Captions for rules whose examples the parser parses differently.
CAPTIONS = {
    ("caption", "controlled-subject-preposition"): "Dog lies on bed looking towards the camera",  # COCO val2017, CC BY 4.0
    ("ja-caption", "shared-subject-argument"): "猫が立ってこちらを見ている。",  # JSTS, CC BY-SA 4.0
    ("jaspice-2023", "shared-subject-argument"): "サッカーをしている人がいる",  # JSTS, CC BY-SA 4.0
}
RULES = [(rule_set, rule) for rule_set in RULE_SETS for rule in rule_set.rules]
SPICE_2016 = language("en").rule_set("spice-2016")


@pytest.mark.parametrize(("_", "rule"), RULES, ids=lambda rule_: rule_.name)
def test_a_rule_yields_its_example_and_nothing_on_its_near_miss(_, rule):
    assert {p.words for p in rule.apply(rule.example.graph)} == set(rule.example.tuples) != set()
    assert list(rule.apply(rule.near_miss.graph)) == []
    assert rule.reason.endswith(".") and "\n" not in rule.reason


@pytest.mark.parametrize("rule_set", RULE_SETS, ids=lambda rule_set: rule_set.name)
def test_every_rule_fires_on_its_example_as_parsed(rule_set):
    """Parse the captions by the parser with the rule set's name or else by the default parser."""
    pack = next(language(code) for code in LANGUAGES if rule_set.name in language(code).rules)
    captions = {rule.name: CAPTIONS.get((rule_set.name, rule.name), rule.example.caption) for rule in rule_set.rules}
    parser = pack.parser(rule_set.name if rule_set.name in pack.parsers else None)
    documents = zip(captions, parser.parse(captions.values()))
    captions_by_rule = {rule: {p.rule for p in rule_set.apply(pack.enhance(document, rule_set.steps))} for rule, document in documents}
    assert [rule for rule, rules in captions_by_rule.items() if rule not in rules] == []


def test_the_english_rules_are_ordered_and_can_be_disabled_by_name():
    assert [rule.name for rule in SPICE_2016.rules] == [
        "subject-verb-object", "clausal-modifier", "subject-verb", "subject-preposition", "copula", "copula-preposition",
        "adjective", "predicative-adjective", "preposition", "possessive", "agent", "number", "quantifier", "compound", "noun",
    ]  # fmt: skip
    assert "noun" not in [r.name for r in SPICE_2016.without("noun").rules]
    with pytest.raises(RuleError, match="unknown rule nuon; known: .*noun"):
        SPICE_2016.without("nuon")


def differing_captions(conllu: Iterable[str], propositions_file: Path) -> list[str]:
    pack, expected_propositions = language("en"), {r["caption"]: {tuple(p) for p in r["propositions"]} for r in rows(propositions_file)}
    documents = {d.text: d for d in read(conllu) if d.text in expected_propositions}
    return [c for c, d in documents.items() if {p.words for p in SPICE_2016.apply(pack.enhance(d))} != expected_propositions[c]]


def test_trees_of_the_reference_program_yield_its_propositions():
    with open(DATA / "propositions.conllu", encoding="utf-8") as lines:
        assert differing_captions(lines, DATA / "propositions.jsonl") == []


def test_a_proposition_has_its_words_and_their_phrases():
    rule_set = parse_rules(RULE, name="mine")
    (proposition,) = rule_set.rules[0].apply(rule_set.rules[0].example.graph)
    assert (proposition.words, proposition.rule) == (("dog", "rex"), "apposition")
    assert [[t.text for t in part] for part in proposition.tokens] == [["dog"], ["Rex"]]
    tree = "dog/dog/NN/0/root in/in/IN/5/case front/front/NN/2/fixed of/of/IN/2/fixed walls/wall/NNS/1/nmod:in_front_of"
    (rule,) = [r for r in SPICE_2016.rules if r.name == "preposition"]
    (proposition,) = rule.apply(read_tree(tree))
    assert proposition.words == ("dog", "in front of", "wall")
    assert [t.text for t in proposition.tokens[1]] == ["in", "front", "of"]
    rule_set = parse_rules('phrase = "compound"\nseparator = ""\n' + RULE, name="mine")
    graph = read_tree("折りたたみ/折りたたむ/動詞/2/compound 傘/傘/NN/0/root ポチ/ポチ/NNP/2/appos")
    (proposition,) = rule_set.rules[0].apply(graph)
    assert proposition.words == ("折りたたみ傘", "ポチ")
    assert [[t.text for t in part] for part in proposition.tokens] == [["折りたたみ", "傘"], ["ポチ"]]


def test_the_reason_for_a_missing_tuple_is_found():
    tree = next(r for r in SPICE_2016.rules if r.name == "copula").example.graph  # "the train is red" has no amod edge
    reasons = {rule.name: failure for rule, failure in SPICE_2016.find_failures(tree, 2, 4)}
    assert "copula" not in reasons and "predicative-adjective" not in reasons
    assert str(reasons["adjective"].condition) == "noun governs adjective by amod"
    assert str(reasons["adjective"].mismatch) == "train –det→ the"


def test_all_rules_together_are_bounded_on_a_sentence(monkeypatch):
    monkeypatch.setattr("spice_core.rules.conditions.MIN_STEP_LIMIT", 2000)
    graph = read_tree(" ".join(f"w{i}/w/NN/0/root" for i in range(20)))
    rule = RULE.replace("{tag:/NN.*/}=thing >appos {tag:/NN.*/}=name", "{}=thing .. {}=name")
    rules = parse_rules("".join(rule.replace('"apposition"', f'"rule {n}"') for n in range(20)), name="many")
    sentence, rule_times = Sentence(graph.tokens, graph.edges), SearchBudget()
    list(rules.rules[0].apply(graph, 0, rule_times))
    assert rule_times.steps < 2000 < 20 * rule_times.steps
    for run in (lambda: rules.apply(Document("w", (sentence,))), lambda: trace_sentences(language("en"), rules, [sentence])):
        with pytest.raises(RuleError, match="more than 2000 steps on one sentence"):
            run()
