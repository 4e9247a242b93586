"""Test rule files as text: single rules, errors by line and column, inserted examples, round trips of trees, versions."""

import tomllib

import pytest

from spice_core.errors import RuleError
from spice_core.lang import LANGUAGES, language
from spice_core.rules import text_positions
from spice_core.rules.rule_file import is_newer, parse_rules, read_tree, write_tree
from spice_core.rules.rule_text import with_example, without_examples, write_rule
from spice_core.version import __version__
from tests.rules.test_ruleset import RULE

BUNDLED_FILES = [(language(code), name, path) for code in LANGUAGES for name, path in language(code).rules.items()]
TWO_RULES = 'phrase = "compound"\n\n# the first\n' + RULE.strip() + "\n\n# the second\n" + RULE.strip().replace("apposition", "name")


@pytest.mark.parametrize(("pack", "name", "path"), BUNDLED_FILES, ids=[f[1] for f in BUNDLED_FILES])
def test_bundled_files_are_split_into_their_rules_and_their_trees_survive_a_round_trip(pack, name, path):
    text, rules = path.read_text(encoding="utf-8"), pack.rule_set(name).rules
    pieces = [text_positions.rule_source(text, n) for n in range(len(text_positions.rule_blocks(text)))]
    assert [parse_rules(piece, name=name).rules[0].name for piece in pieces] == [rule.name for rule in rules]
    rest_text = parse_rules(text_positions.remove_rules(text, [0, len(rules) - 1]), name=name)
    assert [rule.name for rule in rest_text.rules] == [rule.name for rule in rules[1:-1]]
    assert (rest_text.steps, rest_text.scheme) == (pack.rule_set(name).steps, pack.rule_set(name).scheme)
    for example in (rule.example.graph for rule in rules):
        graph = read_tree(write_tree(example))
        assert (graph.tokens, sorted(graph.edges)) == (example.tokens, sorted(example.edges))


def test_rules_can_be_replaced_removed_and_added():
    third_rule = RULE.replace("apposition", "third")
    assert [r.name for r in parse_rules(text_positions.append_rule(TWO_RULES, third_rule), name="x").rules] == [
        "apposition",
        "name",
        "third",
    ]
    assert [r.name for r in parse_rules(text_positions.replace_rule(TWO_RULES, 0, third_rule), name="x").rules] == ["third", "name"]
    assert "# the second" in text_positions.remove_rules(TWO_RULES, [0]) and "phrase" in text_positions.remove_rules(TWO_RULES, [0, 1])
    assert text_positions.remove_rules(TWO_RULES, []) == TWO_RULES
    assert len(text_positions.rule_blocks("[[rule]]\nname = '''\n[[rule]]\n'''\n# [[rule]]\n")) == 1


def test_an_error_names_line_and_column():
    for change, line, column in [  # a change, the text of the reported line, the text at the reported column
        (("{tag:/NN.*/}=name", "{tag:/NN.*/=name"), "pattern", '{tag:/NN.*/=name"'), ((">appos", ">>appos"), "pattern", ">>appos"),
        (("(thing, name)", "(thing, nam)"), "yields", "nam)'"),
        (("dog/dog/NN/0/root Rex", "dog/dog/NN/0 Rex"), "example", "dog/dog/NN/0 Rex"),
        (('reason = "A second', 'why = "A second'), "[[rule]]", "[[rule]]"),
        (("yields =", 'colour = "red"\nyields ='), "colour", "colour"), (("yields = '(thing", "yields = (thing"), "yields", "(thing"),
        (('= "{tag:', "= '''\n{tag:/(/}=x >a {tag:"), "{tag:/(/}", "/(/}"),
    ]:  # fmt: skip
        text = TWO_RULES.replace("'''", "").replace(*change, 1)
        text = text.replace('{tag:/NN.*/}=name"', "{tag:/NN.*/}=name'''", 1) if "'''" in change[1] else text
        with pytest.raises(RuleError) as error:
            parse_rules(text, name="mine")
        error_line = text.split("\n")[error.value.line - 1]
        assert error_line.startswith(line), error_line
        assert error_line[error.value.column - 1 :].startswith(column), error_line[error.value.column - 1 :]
        assert f"line {error.value.line}, column {error.value.column}" in str(error.value)
        assert str(error.value) == f"{error.value.message}\n{error.value.excerpt}" and error.value.excerpt.endswith("^")
    with pytest.raises(RuleError, match="rule 'apposition' is defined twice") as error:
        parse_rules(RULE + RULE, name="mine")
    assert error.value.line == (RULE + RULE).split("\n").index('name = "apposition"', 5) + 1
    text = RULE.replace('"{tag:/NN.*/}=thing', '"{word:/\\u0041\\\\./}=thing').replace(">appos", ">>appos")
    with pytest.raises(RuleError) as error:
        parse_rules(text, name="mine")
    assert text.split("\n")[error.value.line - 1][error.value.column - 1 :].startswith(">>appos")


TREE = "A/a/DT/3/det red/red/JJ/3/amod dog/dog/NN/0/root on/on/IN/6/case a/a/DT/6/det sofa/sofa/NN/3/nmod:on/1/dep"
GRAPH = read_tree(TREE)
CAPTION = 'A red "dog" on a \\ sofa'
DOTTED_RULE = write_rule(tomllib.loads(RULE)["rule"][0])
LAYOUTS = {
    "lines": DOTTED_RULE,
    "tables in a line": RULE,
    "tables": DOTTED_RULE.replace("near_miss.caption", "[rule.near_miss]\ncaption").replace("near_miss.tree", "tree"),
    "missing": "\n".join(line for line in DOTTED_RULE.splitlines() if not line.startswith(("example", "near_miss"))),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("part", ["example", "near_miss"])
def test_a_parsed_caption_becomes_example_or_near_miss(layout, part):
    text = LAYOUTS[layout]
    (table_before,), (table_after,) = (
        tomllib.loads(text_)["rule"] for text_ in (text, with_example(text, part, CAPTION, GRAPH, [("dog", "red")]))
    )
    tuples = {"tuples": [["dog", "red"]]} if part == "example" else {}
    assert table_after == {**table_before, part: {"caption": CAPTION, "tree": TREE, **tuples}}


def test_comments_are_preserved_and_texts_without_exactly_one_rule_refused():
    text = RULE.strip() + "\n# checked by hand\n"
    changed_text = with_example(text, "near_miss", "A dog", read_tree("A/a/DT/2/det dog/dog/NN/0/root"))
    assert "# checked by hand" in changed_text and text.split("near_miss")[0] in changed_text
    for text in ["", "rule = 3", "[[rule]]\nname = ", RULE + RULE, "a = " + "[" * 5_000, f"a{'.a' * 600} = 1\n{RULE}"]:
        with pytest.raises(RuleError):
            with_example(text, "example", "A dog", GRAPH)
    (rule,) = parse_rules(without_examples(LAYOUTS["missing"]), name="x").rules
    assert rule.name == "apposition" and rule.example.tuples == ()
    graph = read_tree("x/x/NN/0/root")  # characters that a tree in text form cannot contain are replaced
    odd_graph = type(graph)((graph.tokens[0]._replace(text="1/2 cup", lemma=""),), [graph.edges[0]._replace(relation="x/y z")])
    assert write_tree(odd_graph) == "1⁄2_cup/_/NN/0/x⁄y_z"
    assert tomllib.loads(with_example(RULE, "example", "a\x7f\ud800dog", GRAPH))["rule"][0]["example"]["caption"] == "a\x7f?dog"


def test_a_saved_file_names_its_version_and_errors_name_a_newer_version():
    text = language("en").rules["caption"].read_text(encoding="utf-8")
    saved_text = text_positions.set_version(text_positions.set_version(text, "0.1.0"), __version__)
    rules = parse_rules(saved_text, name="caption")
    assert (rules.version, rules.digest) == (__version__, language("en").rule_set("caption").digest)
    assert text_positions.set_version(saved_text, "") == text
    for version, expected_message in [("", False), ("0.1.9", False), (__version__, False), ("0.10.0", True), ("9", True), ("x", False)]:
        assert is_newer(version) is expected_message
    with pytest.raises(RuleError, match=r"written by spice_core 9\.1\.0, but this is .*: found version, weights, expected only") as error:
        parse_rules('version = "9.1.0"\nweights = 3\n', name="x")
    assert "spice_core 9.1.0で書かれた" in error.value.text("ja")
    with pytest.raises(RuleError) as error:
        parse_rules('version = "0.1.0"\nweights = 3\n', name="x")
    assert "written by" not in str(error.value)
