"""Rule files as text: the pieces of each rule, and the line and column of every kind of error."""

from __future__ import annotations

import pytest

from spice_core.errors import RuleError
from spice_core.lang import LANGUAGES, language
from spice_core.rules import text_positions
from spice_core.rules.rule_file import parse_rules
from tests.rules.test_ruleset import RULE

FILES = [(language(code), name, path) for code in LANGUAGES for name, path in language(code).rules.items()]
TWO = 'phrase = "compound"\n\n# the first\n' + RULE.strip() + "\n\n# the second\n" + RULE.strip().replace("apposition", "name")


@pytest.mark.parametrize(("pack", "name", "path"), FILES, ids=[f[1] for f in FILES])
def test_every_bundled_file_falls_into_its_rules(pack, name, path):
    text, rules = path.read_text(encoding="utf-8"), pack.rule_set(name).rules
    pieces = [text_positions.piece(text, n) for n in range(len(text_positions.blocks(text)))]
    assert [parse_rules(piece, name=name).rules[0].name for piece in pieces] == [rule.name for rule in rules]
    rest = parse_rules(text_positions.without(text, [0, len(rules) - 1]), name=name)
    assert [rule.name for rule in rest.rules] == [rule.name for rule in rules[1:-1]]
    assert (rest.steps, rest.scheme) == (pack.rule_set(name).steps, pack.rule_set(name).scheme)


def test_rules_can_be_replaced_taken_out_and_added():
    third = RULE.replace("apposition", "third")
    assert [r.name for r in parse_rules(text_positions.added(TWO, third), name="x").rules] == ["apposition", "name", "third"]
    assert [r.name for r in parse_rules(text_positions.replaced(TWO, 0, third), name="x").rules] == ["third", "name"]
    assert "# the second" in text_positions.without(TWO, [0]) and "phrase" in text_positions.without(TWO, [0, 1])
    assert text_positions.without(TWO, []) == TWO


def test_a_heading_inside_a_string_is_no_rule():
    assert len(text_positions.blocks("[[rule]]\nname = '''\n[[rule]]\n'''\n# [[rule]]\n")) == 1


ERRORS = [  # what is wrong, the line's text, the text at the column
    (("{tag:/NN.*/}=name", "{tag:/NN.*/=name"), "pattern", '{tag:/NN.*/=name"'),
    ((">appos", ">>appos"), "pattern", ">>appos"),
    (("(thing, name)", "(thing, nam)"), "yields", "nam)'"),
    (("dog/dog/NN/0/root Rex", "dog/dog/NN/0 Rex"), "example", "dog/dog/NN/0 Rex"),
    (('reason = "A second', 'why = "A second'), "[[rule]]", "[[rule]]"),
    (("yields =", 'colour = "red"\nyields ='), "colour", "colour"),
    (("yields = '(thing", "yields = (thing"), "yields", "(thing"),
    (('= "{tag:', "= '''\n{tag:/(/}=x >a {tag:"), "{tag:/(/}", "/(/}"),
]


@pytest.mark.parametrize(("change", "line", "column"), ERRORS, ids=[e[2] for e in ERRORS])
def test_an_error_names_line_and_column(change, line, column):
    text = TWO.replace("'''", "").replace(*change, 1)
    text = text.replace('{tag:/NN.*/}=name"', "{tag:/NN.*/}=name'''", 1) if "'''" in change[1] else text
    with pytest.raises(RuleError) as error:
        parse_rules(text, name="mine")
    found = text.split("\n")[error.value.line - 1]
    assert found.startswith(line), found
    assert found[error.value.column - 1 :].startswith(column), found[error.value.column - 1 :]
    assert f"line {error.value.line}, column {error.value.column}" in str(error.value)
    assert str(error.value) == f"{error.value.message}\n{error.value.excerpt}" and error.value.excerpt.endswith("^")


def test_the_second_of_two_equal_names_is_meant():
    with pytest.raises(RuleError, match="rule 'apposition' is defined twice") as error:
        parse_rules(RULE + RULE, name="mine")
    assert error.value.line == (RULE + RULE).split("\n").index('name = "apposition"', 5) + 1


def test_escapes_count_as_one_character():
    text = RULE.replace('"{tag:/NN.*/}=thing', '"{word:/\\u0041\\\\./}=thing').replace(">appos", ">>appos")
    with pytest.raises(RuleError) as error:
        parse_rules(text, name="mine")
    assert text.split("\n")[error.value.line - 1][error.value.column - 1 :].startswith(">>appos")


ENDLESS = [
    ("/(a+)+/", "no group that is repeated"),
    ("/(?:a|aa)*b/", "no group that is repeated"),
    (r"/(a)\1/", "no reference back"),
    ("/a?b?c?d?e?f?g?/", "at most 6"),
]


@pytest.mark.parametrize(("expression", "expected"), ENDLESS, ids=[e[0] for e in ENDLESS])
def test_expressions_that_might_run_on_are_refused(expression, expected):
    with pytest.raises(RuleError, match="position") as error:
        parse_rules(RULE.replace("{tag:/NN.*/}=thing", f"{{word:{expression}}}=thing").replace("\\", "\\\\"), name="mine")
    assert expected in str(error.value)
