"""The workbench's parts on real captions: trace, why, effects of a change, query, contrast; the rule book is up to date."""

from __future__ import annotations

import pytest

from spice_core.data.gold import GoldGraph
from spice_core.errors import RuleError
from spice_core.lang import LANGUAGES, language
from spice_core.rules import Pattern
from spice_core.rules.rule_file import parse_rules
from spice_core.scene.propositions import Parse
from spice_core.scene.synonyms import NoSynonyms
from spice_core.syntax.conllu import read
from spice_core.syntax.document import Dependency
from spice_core.syntax.enhancement import Step
from spice_core.workbench import rule_book as book
from spice_core.workbench.corpus import ParsedCorpus, effects, stripped
from spice_core.workbench.parser_diff import parse_diffs
from spice_core.workbench.query import grouped, named, search
from spice_core.workbench.trace import changes, growth, nearest, trace
from spice_core.workbench.why import why
from tools import rule_book

TREES = """# text = A man is seen riding a wave
1\tA\ta\t_\tDT\t_\t2\tdet\t_\t_
2\tman\tman\t_\tNN\t_\t4\tnsubj:pass\t_\t_
3\tis\tbe\t_\tVBZ\t_\t4\taux:pass\t_\t_
4\tseen\tsee\t_\tVBN\t_\t0\troot\t_\t_
5\triding\tride\t_\tVBG\t_\t4\txcomp\t_\t_
6\ta\ta\t_\tDT\t_\t7\tdet\t_\t_
7\twave\twave\t_\tNN\t_\t5\tobj\t_\t_

# text = A red dog on a sofa
1\tA\ta\t_\tDT\t_\t3\tdet\t_\t_
2\tred\tred\t_\tJJ\t_\t3\tamod\t_\t_
3\tdog\tdog\t_\tNN\t_\t0\troot\t_\t_
4\ton\ton\t_\tIN\t_\t6\tcase\t_\t_
5\ta\ta\t_\tDT\t_\t6\tdet\t_\t_
6\tsofa\tsofa\t_\tNN\t_\t3\tnmod\t_\t_
"""
PACK = language("en")
RULES = PACK.rule_set("caption")
MISSING = "controlled-subject-object"
WAVE, SOFA = read(TREES.splitlines())
OTHER = next(iter(read(TREES.replace("4\txcomp", "2\tacl").splitlines())))


def corpus() -> ParsedCorpus:
    return ParsedCorpus(PACK, [WAVE, SOFA], "conllu")


def test_a_trace_shows_what_each_step_changed_and_where_rules_fired():
    (one,) = trace(PACK, RULES, WAVE.sentences)
    changed = {change.step.name: change for change in one.steps if change.any}
    assert list(changed) == ["controlled subjects"]
    assert changed["controlled subjects"].added == (Dependency(5, 2, "nsubj:control"),)
    fired = {rule.rule.name: rule.firings for rule in one.rules if rule.firings}
    (firing,) = fired[MISSING]
    assert firing.proposition.words == ("man", "ride", "wave")
    assert {name: token.text for name, token in firing.bindings.items()} == {"verb": "riding", "subject": "man", "object": "wave"}
    assert [tuple(p.words) for rule in one.rules for _, p in rule.firings] == [p.words for p in corpus().parses(RULES)[0].propositions]


def test_the_nearest_rules_say_which_condition_failed():
    (one,) = trace(PACK, RULES, WAVE.sentences)
    near = nearest(one.rules)
    assert not {rule.rule.name for rule in near} & {rule.rule.name for rule in one.rules if rule.firings}
    assert near[0].nearly.satisfied > 0 and str(near[0].nearly.condition)


def test_edges_are_added_removed_or_relabelled():
    before = (Dependency(0, 1, "root"), Dependency(1, 2, "nmod"), Dependency(2, 3, "case"))
    after = (Dependency(0, 1, "root"), Dependency(1, 2, "nmod:on"), Dependency(1, 3, "dep"))
    (change,) = changes(before, [(Step("x", "X.", None), after)])
    assert change.relabelled == ((Dependency(1, 2, "nmod"), Dependency(1, 2, "nmod:on")),)
    assert (change.added, change.removed) == ((Dependency(1, 3, "dep"),), (Dependency(2, 3, "case"),))


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_last_step_is_the_graph_that_the_rules_read(code):
    pack = language(code)
    for name in pack.rules:
        rules = pack.rule_set(name)
        (one,) = trace(pack, rules, WAVE.sentences)
        assert set(one.graph.edges) == set(pack.enhance(WAVE, rules.steps).sentences[0].enhanced)


def test_a_graph_grows_proposition_by_proposition():
    (parse,) = corpus().part(1).parses(RULES)
    steps = growth(parse, NoSynonyms())
    assert {words for step in steps for words in step.tuples} == {("dog",), ("sofa",), ("dog", "red"), ("dog", "on", "sofa")}
    assert [step.proposition for step in steps] == list(parse.propositions)


def test_why_a_rule_is_missing():
    off = [rule for rule in RULES.rules if rule.name == MISSING]
    answer = why(PACK, RULES.without(MISSING), WAVE, (2, 7), off=off)
    assert answer.made == () and [p.words for p in answer.off] == [("man", "ride", "wave")]
    assert answer.stopped[0].failure.satisfied > 0 and answer.elsewhere == {}


def test_why_the_parse_is_to_blame():
    answer = why(PACK, RULES.without(MISSING), WAVE, (2, 7), others={"other": OTHER, "same": WAVE})
    assert {name: [p.words for p in found] for name, found in answer.elsewhere.items()} == {"other": [("man", "ride", "wave")]}


def test_the_effect_of_a_rule_on_captions():
    all_, without = corpus().parses(RULES), corpus().parses(RULES.without(MISSING))
    (effect,) = effects(stripped(all_), without)
    assert (effect.caption, effect.gained, effect.lost) == (WAVE.text, (), (("man", "ride", "wave"),))
    assert list(effects(all_, all_)) == []


def test_many_captions_share_one_bound():
    with pytest.raises(RuleError, match="more than 50 steps on these 2 captions"):
        corpus().parses(RULES, limit=50)


def test_enhanced_graphs_are_made_once_for_each_choice_of_steps():
    one = corpus()
    assert one.enhanced(RULES.steps) is one.enhanced(RULES.steps) is not one.enhanced(None)


QUERIES = [
    ("{tag:NN}=noun >det {}", True, ["man", "wave", "dog", "sofa"]),
    ("{tag:NN}=noun >amod {}=adjective", True, ["dog"]),
    ("{}=verb >nsubj:control {}=subject", True, ["riding"]),
    ("{}=verb >nsubj:control {}=subject", False, []),
    ("{tag:VBG}", True, ["riding"]),
]


@pytest.mark.parametrize(("source", "enhanced", "words"), QUERIES, ids=[f"{q[0]} {q[1]}" for q in QUERIES])
def test_hits_of_a_pattern(source, enhanced, words):
    hits = search(Pattern(source), corpus().enhanced(RULES.steps), enhanced=enhanced)
    assert [hit.word(next(iter(hit.bindings))) for hit in hits] == words


def test_hits_are_grouped_by_lemma_or_relation():
    hits = search(Pattern("{tag:/NN.*/}=noun >/nmod:(.+)/=link {}=place"), corpus().enhanced(None))
    assert {value: len(group) for value, group in grouped(hits, "noun", "relation").items()} == {"root": 1}
    assert list(grouped(hits, "link")) == ["on"] and list(grouped(hits, "place", "lemma")) == ["sofa"]
    assert named(Pattern("{}=a >det {}"), {"a": 1, "word1": 2}) == {"a": 1}


def test_two_trees_of_one_caption():
    parses = [[Parse(d.text, RULES.apply(PACK.enhance(d, RULES.steps)), d)] for d in (WAVE, OTHER)]
    gold = GoldGraph(WAVE.text, frozenset({("man",), ("wave",), ("man", "ride", "wave")}))
    (found,) = parse_diffs(*parses, [gold])
    assert found.edges == ((("seen", "xcomp", "riding"),), (("man", "acl", "riding"),))
    assert not found.same_trees and found.better == 1 and found.wrong == (1, 0)  # who "is seen" is there
    (same,) = parse_diffs(parses[0], parses[0])
    assert same.same_trees and same.same_tuples and same.wrong is None


def test_the_rule_book_is_made_from_the_rules_as_they_are():
    assert rule_book.PLACE.read_text(encoding="utf-8") == book.book() + "\n", "write it anew: python -m tools.rule_book"


def test_a_rule_without_reason_example_or_near_miss_is_refused():
    text = PACK.rules["caption"].read_text(encoding="utf-8")
    for part in ("reason", "example.tree", "near_miss.caption"):
        lines = text.splitlines()
        lines.remove(next(line for line in lines if line.startswith(part)))
        with pytest.raises(RuleError, match="line 9|line 10|line 1[1-9]|line 2"):
            parse_rules("\n".join(lines), name="caption")
    for rule_set in (language(code).rule_set(name) for code in LANGUAGES for name in language(code).rules):
        for rule in rule_set.rules:
            assert rule.reason.strip() and rule.example.tuples and rule.near_miss.caption, rule.name
            assert book.why_silent(rule) is not None, rule.name
