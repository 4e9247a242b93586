"""Rules run anew only where that is needed, with the same result as a run of all rules."""

from __future__ import annotations

from dataclasses import replace

import pytest

from spice_core import Spice
from spice_core.data.ratings import Rated
from spice_core.errors import RuleError
from spice_core.evaluation.gold import compare
from spice_core.lang import LANGUAGES, language
from spice_core.rules import RuleSet, text_positions
from spice_core.rules.rule_file import parse_rules
from spice_core.workbench.corpus import ParsedCorpus
from spice_core.workbench.rating_effect import item_scores, rating_effect
from tests.rules.test_ruleset import RULE
from tests.workbench.test_trace import RULES, corpus

TEXT = language("en").rules["caption"].read_text(encoding="utf-8")
EDITS = {
    "switched off": RULES.without("adjective"),
    "changed": parse_rules(TEXT.replace("(subject, verb, object)", '(subject, "do", object)', 1), name="x"),
    "added": parse_rules(text_positions.added(TEXT, RULE.replace(">appos", ">amod").replace("{tag:/NN.*/}=name", "{}=name")), name="x"),
    "reversed": replace(RULES, rules=RULES.rules[::-1]),
    "form of words": replace(RULES, rules=tuple(replace(rule, separator="_") for rule in RULES.rules)),
    "steps": replace(RULES, steps=("prepositions in labels",)),
    "none": replace(RULES, rules=()),
}


def fresh(one: ParsedCorpus, rules: RuleSet) -> list:
    """The propositions when the rule set runs on each caption by itself."""
    return [told(rules.apply(document)) for document in one.enhanced(rules.steps)]


def told(propositions: tuple) -> list:
    return [(p.words, p.rule, p.sentence, p.tokens) for p in propositions]


@pytest.mark.parametrize("edit", EDITS)
def test_an_edited_rule_set_runs_as_if_all_rules_ran(edit):
    one = corpus()
    one.parses(RULES)
    assert [told(parse.propositions) for parse in one.parses(EDITS[edit])] == fresh(one, EDITS[edit])
    assert [told(parse.propositions) for parse in one.parses(RULES)] == fresh(one, RULES)


@pytest.mark.parser
@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_same_on_captions_of_one_and_of_several_sentences(lang):
    pack = language(lang)
    parser = pack.parser()
    captions = [rule.example.caption for rule in pack.rule_set().rules] + ["A man sits. He holds two dogs.", "犬が走る。首輪をつけている。"]
    one = ParsedCorpus(pack, list(parser.parse(captions)), parser.signature)
    for name in (None, *(rule.name for rule in pack.rule_set().rules[:6])):
        rules = pack.rule_set().without(*filter(None, [name]))
        assert [told(parse.propositions) for parse in one.parses(rules)] == fresh(one, rules)


def test_only_changed_rules_run(monkeypatch):
    one, run = corpus(), []
    one.parses(RULES)
    whole = ParsedCorpus._fresh
    monkeypatch.setattr(ParsedCorpus, "_fresh", lambda self, rule, *rest: (run.append(rule.name), whole(self, rule, *rest))[1])
    one.parses(EDITS["changed"])
    one.parses(RULES.without("noun"))
    assert run == [RULES.rules[0].name]


def test_kept_runs_count_into_the_bound():
    one = corpus()
    one.parses(RULES)
    with pytest.raises(RuleError, match="more than 50 steps on these 2 captions"):
        one.parses(RULES, limit=50)


@pytest.mark.parser
def test_ratings_are_scored_again_only_where_a_caption_changed():
    rated = [
        Rated("A red dog on a sofa.", ("A red dog sits on a couch.", "A dog."), (4.0,)),
        Rated("A man rides a wave.", ("A man is riding a wave.", "A surfer."), (5.0,)),
        Rated("A cat.", ("A red bus.",), (1.0,)),
    ]
    captions = [caption for item in rated for caption in (item.candidate, *item.references)]
    parser = language("en").parser()
    one = ParsedCorpus(language("en"), list(parser.parse(captions)), parser.signature)
    before, after = ({p.caption: p for p in one.parses(rules)} for rules in (RULES, RULES.without("adjective")))
    scores = item_scores(rated, before, Spice(rules=RULES))
    assert scores == [Spice().compute(item.candidate, item.references).f1 for item in rated]
    spice, scored = Spice(rules=RULES.without("adjective")), []
    compared = spice.compare
    spice.compare = lambda c, r: (scored.append(c.caption), compared(c, r))[1]
    again = item_scores(rated, after, spice, earlier=before, scores=scores)
    assert scored == ["A red dog on a sofa.", "A cat."]
    assert again == item_scores(rated, after, spice)
    effect = rating_effect(rated, scores, again)
    assert {c.position for c in effect.changes} <= {0, 2} and effect.changes[0].before == scores[effect.changes[0].position]
    assert set(effect.before) == {"tau-b", "tau-c", "Pearson", "Spearman"} and effect.means[0] == pytest.approx(sum(scores) / 3)
    assert compare([], []).overall.f1 == 0
