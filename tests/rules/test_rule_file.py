"""Test rule files: fields, and errors that name the rule and the place."""

import pytest

from spice_core.errors import RuleError
from spice_core.rules.rule_file import parse_rules

RULE = """
[[rule]]
name = "apposition"
reason = "A second name for the same thing describes it."
pattern = "{tag:/NN.*/}=thing >appos {tag:/NN.*/}=name"
yields = '(thing, name)'
example = { caption = "my dog Rex", tree = "my/my/PRP$/2/nmod:poss dog/dog/NN/0/root Rex/rex/NNP/2/appos", tuples = [["dog", "rex"]] }
near_miss = { caption = "my dog", tree = "my/my/PRP$/2/nmod:poss dog/dog/NN/0/root" }
"""


@pytest.mark.parametrize(("text", "expected_text"), [
    ("rule = 3", "expected only [[rule]] tables"), ("[[rule]\nname='x'", "line 1"),
    (RULE.replace('reason = "A second name for the same thing describes it."', ""), "rule apposition: reason is missing"),
    (RULE.replace("reason", "because"), "rule apposition: reason is missing"), (RULE + 'colour = "red"', "found colour, expected only"),
    (RULE.replace(">appos", ">>appos"), "rule apposition: position 20"),
    (RULE.replace("(thing, name)", "(thing, nam)"), "found 'nam', expected a name used in the pattern: thing, name"),
    (RULE.replace("(thing, name)", "thing, name"), "expected (object), (object, attribute) or (subject, relation, object)"),
    (RULE.replace("dog/dog/NN/0/root Rex", "dog/dog/NN/0 Rex"), "found 'dog/dog/NN/0', expected form/lemma/tag/head/relation"),
    (RULE.replace(", tuples = [[\"dog\", \"rex\"]]", ""), "example: expected the fields caption, tree, tuples"),
    (RULE + RULE, "rule 'apposition' is defined twice"),
    (RULE.replace('"apposition"', '"appo\\nsition"'), "name: found 'appo\\nsition', expected a single line of text"),
    ('separator = "\\u001f"\n' + RULE, "separator: found '\\x1f', expected a single line of text"),
    (RULE.replace("dog/dog/NN/0/root Rex", "dog/dog/NN/9/root Rex"), "found 'dog/dog/NN/9/root', expected form/lemma/tag/head"),
    (RULE.replace("dog/dog/NN/0/root Rex", f"dog/dog/NN/{'9' * 5000}/root Rex"), "expected form/lemma/tag/head/relation"),
    (f"a = {'[' * 20_000}{']' * 20_000}", "nested too deeply"), (f"a = {'{a = ' * 20_000}1{'}' * 20_000}", "nested too deeply"),
    (f"steps{'.a' * 20_000} = 1\n" + RULE, "nested too deeply"), (f"name{'.a' * 400} = 1\n" + RULE, "expected only [[rule]] tables"),
    (f"name{'.a' * 20_000} = 1\n" + RULE, "nested too deeply"), (f"a = {{b{'.c' * 20_000} = 1}}\n" + RULE, "nested too deeply"),
    (f"separator = {'1' * 5000}\n" + RULE, "a number has too many digits"),
    (f"separator = 0x{'f' * 5000}\n" + RULE, "a number has too many digits"),
    (RULE.replace("{tag:/NN.*/}=thing", f"{{tag:/{'(' * 3000}NN{')' * 3000}/}}=thing"), "expected a regular expression (at most 1000 characters)"),
    ("steps = 3\n" + RULE, "steps: found 3, expected a list of names"),
    ("steps = 'suffixes'\n" + RULE, "steps: found 'suffixes', expected a list of names"),
], ids=lambda value: str(value)[:60])  # fmt: skip
def test_errors_of_a_rule_file_name_rule_and_place(text, expected_text):
    with pytest.raises(RuleError) as error:
        parse_rules(text, name="mine")
    assert expected_text in str(error.value) and len(str(error.value)) < 500


def test_a_rule_file_sets_its_options():
    text = 'scheme = "jaspice"\nphrase = "compound"\nseparator = ""\nsteps = ["suffixes"]\n' + RULE
    rule_set = parse_rules(text, name="mine")
    assert (rule_set.scheme, rule_set.steps) == ("jaspice", ("suffixes",))
    assert (rule_set.rules[0].phrase, rule_set.rules[0].separator) == ("compound", "")
    assert rule_set.without().steps == rule_set.without("apposition").steps == ("suffixes",)
    with pytest.raises(RuleError, match="scheme: found 'twice', expected spice / jaspice / parts"):
        parse_rules('scheme = "twice"\n' + RULE, name="mine")
