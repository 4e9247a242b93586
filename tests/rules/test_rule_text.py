"""Examples and near misses filled into the text of a rule; trees written and read; versions of rule files."""

from __future__ import annotations

import tomllib

import pytest

from spice_core.errors import RuleError
from spice_core.lang import LANGUAGES, language
from spice_core.rules import text_positions
from spice_core.rules.rule_file import newer, parse_rules, read_tree, write_tree
from spice_core.rules.rule_text import with_example, without_examples, written
from spice_core.version import __version__
from tests.rules.test_ruleset import RULE

TREE = "A/a/DT/3/det red/red/JJ/3/amod dog/dog/NN/0/root on/on/IN/6/case a/a/DT/6/det sofa/sofa/NN/3/nmod:on/1/dep"
GRAPH = read_tree(TREE)
CAPTION = 'A red "dog" on a \\ sofa'
DOTTED = written(tomllib.loads(RULE)["rule"][0])
LAYOUTS = {
    "lines": DOTTED,
    "tables in a line": RULE,
    "tables": DOTTED.replace("near_miss.caption", "[rule.near_miss]\ncaption").replace("near_miss.tree", "tree"),
    "missing": "\n".join(line for line in DOTTED.splitlines() if not line.startswith(("example", "near_miss"))),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("part", ["example", "near_miss"])
def test_a_parsed_caption_becomes_example_or_near_miss(layout, part):
    text = LAYOUTS[layout]
    (before,), (after,) = (tomllib.loads(each)["rule"] for each in (text, with_example(text, part, CAPTION, GRAPH, [("dog", "red")])))
    tuples = {"tuples": [["dog", "red"]]} if part == "example" else {}
    assert after == {**before, part: {"caption": CAPTION, "tree": TREE, **tuples}}


def test_comments_and_quotes_of_the_text_stay():
    text = RULE.strip() + "\n# checked by hand\n"
    changed = with_example(text, "near_miss", "A dog", read_tree("A/a/DT/2/det dog/dog/NN/0/root"))
    assert "# checked by hand" in changed and text.split("near_miss")[0] in changed


@pytest.mark.parametrize("text", ["", "rule = 3", "[[rule]]\nname = ", RULE + RULE, "a = " + "[" * 5_000])
def test_what_is_not_one_rule_is_refused(text):
    with pytest.raises(RuleError):
        with_example(text, "example", "A dog", GRAPH)


def test_a_rule_without_examples_can_be_read():
    (rule,) = parse_rules(without_examples(LAYOUTS["missing"]), name="x").rules
    assert rule.name == "apposition" and rule.example.tuples == ()


@pytest.mark.parametrize("code", LANGUAGES)
def test_trees_are_read_as_they_were_written(code):
    for name in language(code).rules:
        for rule in language(code).rule_set(name).rules:
            graph = read_tree(write_tree(rule.example.graph))
            assert (graph.tokens, sorted(graph.edges)) == (rule.example.graph.tokens, sorted(rule.example.graph.edges))


def test_words_that_a_tree_cannot_hold_are_written_otherwise():
    graph = read_tree("x/x/NN/0/root")
    (token,) = graph.tokens
    odd = type(graph)((token._replace(text="1/2 cup", lemma=""),), graph.edges)
    assert write_tree(odd) == "1⁄2_cup/_/NN/0/root"


def test_a_saved_file_names_its_version_once():
    text = language("en").rules["caption"].read_text(encoding="utf-8")
    saved = text_positions.stamped(text_positions.stamped(text, "0.1.0"), __version__)
    rules = parse_rules(saved, name="caption")
    assert (rules.version, rules.digest) == (__version__, language("en").rule_set("caption").digest)
    assert text_positions.stamped(saved, "") == text


@pytest.mark.parametrize(
    ("version", "is_newer"), [("", False), ("0.1.9", False), (__version__, False), ("0.10.0", True), ("9", True), ("x", False)]
)
def test_versions_are_compared_by_their_numbers(version, is_newer):
    assert newer(version) is is_newer


def test_an_error_in_a_file_of_a_newer_version_names_it():
    with pytest.raises(RuleError, match=r"written by spice_core 9\.1\.0, while this is .*: found version, weights, expected only") as error:
        parse_rules('version = "9.1.0"\nweights = 3\n', name="x")
    assert "spice_core 9.1.0で書かれた" in error.value.text("ja")
    with pytest.raises(RuleError) as error:
        parse_rules('version = "0.1.0"\nweights = 3\n', name="x")
    assert "written by" not in str(error.value)
