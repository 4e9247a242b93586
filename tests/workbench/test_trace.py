"""Test the workbench on real captions: trace, explanations, effects of a change, queries, parser comparison, rule book."""

from itertools import accumulate

import pytest

from spice_core.data.gold import GoldGraph
from spice_core.errors import RuleError
from spice_core.lang import LANGUAGES, language
from spice_core.lang.enhancement import Step
from spice_core.rules import Pattern
from spice_core.rules.rule_file import parse_rules, read_tree
from spice_core.scene.propositions import Parse
from spice_core.scene.synonyms import NoSynonyms
from spice_core.syntax.document import Dependency, Document, Sentence
from spice_core.workbench import rule_book as book
from spice_core.workbench.corpus import ParsedCorpus, caption_effects, group_hits, named_bindings, search_captions, without_documents
from spice_core.workbench.parser_diff import parse_diffs
from spice_core.workbench.trace import rank_failed_traces, step_effects, trace_merging, trace_sentences
from spice_core.workbench.why import explain_words
from tools import rule_book

PACK = language("en")
RULES = PACK.rule_set("caption")
MISSING_RULE = "controlled-subject-object"


def make_tree(text: str, words: str) -> Document:
    graph = read_tree(words)
    starts = accumulate((len(token.text) + 1 for token in graph.tokens), initial=0)
    tokens = tuple(token._replace(start=token_start, end=token_start + len(token.text)) for token, token_start in zip(graph.tokens, starts))
    return Document(text, (Sentence(tokens, graph.edges),))


RIDING_TREE = (
    "A/a/DT/2/det man/man/NN/4/nsubj:pass is/be/VBZ/4/aux:pass seen/see/VBN/0/root riding/ride/VBG/4/xcomp a/a/DT/7/det wave/wave/NN/5/obj"
)
WAVE_SENTENCE, OTHER_SENTENCE = (
    make_tree("A man is seen riding a wave", words) for words in (RIDING_TREE, RIDING_TREE.replace("4/xcomp", "2/acl"))
)
SOFA_SENTENCE = make_tree(
    "A red dog on a sofa", "A/a/DT/3/det red/red/JJ/3/amod dog/dog/NN/0/root on/on/IN/6/case a/a/DT/6/det sofa/sofa/NN/3/nmod"
)


def corpus() -> ParsedCorpus:
    return ParsedCorpus(PACK, [WAVE_SENTENCE, SOFA_SENTENCE], "conllu")


def test_a_trace_shows_what_each_step_changed_and_where_rules_fired():
    (sentence_trace,) = trace_sentences(PACK, RULES, WAVE_SENTENCE.sentences)
    changes_by_step = {change.step.name: change for change in sentence_trace.steps if change.has_changes}
    assert list(changes_by_step) == ["controlled subjects"]
    assert changes_by_step["controlled subjects"].added_edges == (Dependency(5, 2, "nsubj:control"),)
    firing_by_rule = {rule.rule.name: rule.firings for rule in sentence_trace.rules if rule.firings}
    (firing,) = firing_by_rule[MISSING_RULE]
    assert firing.proposition.words == ("man", "ride", "wave")
    assert {name: token.text for name, token in firing.bindings.items()} == {"verb": "riding", "subject": "man", "object": "wave"}
    assert [tuple(p.words) for rule in sentence_trace.rules for _, p in rule.firings] == [
        p.words for p in corpus().parses(RULES)[0].propositions
    ]

    near_traces = rank_failed_traces(sentence_trace.rules)
    assert not {rule.rule.name for rule in near_traces} & {rule.rule.name for rule in sentence_trace.rules if rule.firings}
    assert near_traces[0].nearest_failure.satisfied_count > 0 and str(near_traces[0].nearest_failure.condition)
    (parse,) = corpus().part(1).parses(RULES)
    steps = trace_merging(parse, NoSynonyms())
    assert {words for step in steps for words in step.tuples} == {("dog",), ("sofa",), ("dog", "red"), ("dog", "on", "sofa")}
    assert [step.proposition for step in steps] == list(parse.propositions)


def test_edges_are_changed_step_by_step_up_to_the_graph_that_the_rules_read():
    edges_before = (Dependency(0, 1, "root"), Dependency(1, 2, "nmod"), Dependency(2, 3, "case"))
    edges_after = (Dependency(0, 1, "root"), Dependency(1, 2, "nmod:on"), Dependency(1, 3, "dep"))
    (change,) = step_effects(edges_before, [(Step("x", "X.", None), edges_after)])
    assert change.relabelled_edges == ((Dependency(1, 2, "nmod"), Dependency(1, 2, "nmod:on")),)
    assert (change.added_edges, change.removed_edges) == ((Dependency(1, 3, "dep"),), (Dependency(2, 3, "case"),))
    for pack in map(language, LANGUAGES):
        for rules in map(pack.rule_set, pack.rules):
            (sentence_trace,) = trace_sentences(pack, rules, WAVE_SENTENCE.sentences)
            assert set(sentence_trace.graph.edges) == set(pack.enhance(WAVE_SENTENCE, rules.steps).sentences[0].enhanced)


def test_a_missing_tuple_is_explained_by_a_missing_rule_or_by_the_parse():
    disabled_rules = [rule for rule in RULES.rules if rule.name == MISSING_RULE]
    answer = explain_words(PACK, RULES.without(MISSING_RULE), WAVE_SENTENCE, (2, 7), disabled_rules=disabled_rules)
    assert answer.propositions == () and [p.words for p in answer.propositions_of_disabled_rules] == [("man", "ride", "wave")]
    assert answer.stopped_rules[0][1].satisfied_count > 0
    answer = explain_words(PACK, RULES.without(MISSING_RULE), OTHER_SENTENCE, (2, 7))
    assert [p.words for p in answer.propositions] == [("man", "ride", "wave")]


def test_hits_of_a_pattern_are_grouped_by_lemma_or_relation():
    for source, enhanced, words in [
        ("{tag:NN}=noun >det {}", True, ["man", "wave", "dog", "sofa"]),
        ("{tag:NN}=noun >amod {}=adjective", True, ["dog"]),
        ("{}=verb >nsubj:control {}=subject", True, ["riding"]),
        ("{}=verb >nsubj:control {}=subject", False, []),
        ("{tag:VBG}", True, ["riding"]),
    ]:
        hits = search_captions(Pattern(source), corpus().enhanced_documents(RULES.steps), enhanced=enhanced)
        assert [hit.word(next(iter(hit.bindings))) for hit in hits] == words, source
    hits = search_captions(Pattern("{tag:/NN.*/}=noun >/nmod:(.+)/=link {}=place"), corpus().enhanced_documents(None))
    assert {value: len(group) for value, group in group_hits(hits, "noun", "relation").items()} == {"root": 1}
    assert list(group_hits(hits, "link")) == ["on"] and list(group_hits(hits, "place", "lemma")) == ["sofa"]
    assert named_bindings(Pattern("{}=a >det {}"), {"a": 1, "word1": 2}) == {"a": 1}


def test_parsers_and_rule_sets_are_compared_by_their_captions():
    parses = [[Parse(d.text, RULES.apply(PACK.enhance(d, RULES.steps)), d)] for d in (WAVE_SENTENCE, OTHER_SENTENCE)]
    gold = GoldGraph(WAVE_SENTENCE.text, frozenset({("man",), ("wave",), ("man", "ride", "wave")}))
    (changed_diff,) = parse_diffs(*parses, [gold])
    assert changed_diff.edges == ((("seen", "xcomp", "riding"),), (("man", "acl", "riding"),))
    assert (
        not changed_diff.has_same_trees and changed_diff.better_parser == 1 and changed_diff.wrong_counts == (1, 0)
    )  # someone who "is seen" is in the picture
    (equal_diff,) = parse_diffs(parses[0], parses[0])
    assert equal_diff.has_same_trees and equal_diff.has_same_tuples and equal_diff.wrong_counts is None
    parses_with, parses_without = corpus().parses(RULES), corpus().parses(RULES.without(MISSING_RULE))
    (caption_effect,) = caption_effects(without_documents(parses_with), parses_without)
    assert (caption_effect.caption, caption_effect.gained_tuples, caption_effect.lost_tuples) == (
        WAVE_SENTENCE.text,
        (),
        (("man", "ride", "wave"),),
    )
    assert list(caption_effects(parses_with, parses_with)) == []
    shared_corpus = corpus()  # enhanced graphs are built once for each set of steps
    assert (
        shared_corpus.enhanced_documents(RULES.steps)
        is shared_corpus.enhanced_documents(RULES.steps)
        is not shared_corpus.enhanced_documents(None)
    )


def test_the_rule_book_is_current_and_its_rules_are_complete():
    assert rule_book.RULES_FILE.read_text(encoding="utf-8") == book.write_book() + "\n", "write it anew: python -m tools.rule_book"
    text = PACK.rules["caption"].read_text(encoding="utf-8")
    for part in ("reason", "example.tree", "near_miss.caption"):
        lines = text.splitlines()
        lines.remove(next(line for line in lines if line.startswith(part)))
        with pytest.raises(RuleError, match="line (9|[123][0-9]),"):
            parse_rules("\n".join(lines), name="caption")
    for rule_set in (language(code).rule_set(name) for code in LANGUAGES for name in language(code).rules):
        for rule in rule_set.rules:
            assert rule.reason.strip() and rule.example.tuples and rule.near_miss.caption, rule.name
            assert book.explain_near_miss(rule) is not None, rule.name
