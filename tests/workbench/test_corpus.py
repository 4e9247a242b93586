"""Rules run anew only where that is needed, with the same result as a run of all rules."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest

from spice_core import Spice
from spice_core.data.ratings import Rated
from spice_core.errors import RuleError
from spice_core.evaluation.gold import compare
from spice_core.lang import LANGUAGES, language
from spice_core.rules import RuleSet, rule_file, text_positions
from spice_core.rules.rule_file import parse_rules
from spice_core.scene.propositions import closed, ordered
from spice_core.workbench.corpus import ParsedCorpus, effects
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


def edited(text: str, draw: random.Random) -> str:
    """The text of a rule file after one edit, as an author might make it."""
    number = draw.randrange(len(text_positions.blocks(text)))
    piece = text_positions.piece(text, number)
    renamed = re.sub('^name = "', f'name = "{draw.randrange(10**6)}-', piece, count=1, flags=re.MULTILINE)
    kinds = {
        "word": lambda: piece.replace("{", f"{{lemma:!{draw.choice(['dog', 'man', 'ride'])}; ", 1).replace("; }", "}", 1),
        "label": lambda: re.sub(r">[a-z]+ ", ">/.*/ ", piece, count=1),
        "refused": lambda: re.sub(r"\n  !.*?(?=\n|\'{3})", "", piece, count=1),
        "renamed": lambda: renamed,
        "removed": lambda: "",
    }
    wholes = {
        "added": lambda: text_positions.added(text, renamed),
        "moved": lambda: text_positions.added(text_positions.without(text, [number]), piece),
        "form": lambda: text.replace("lower_case = true", "lower_case = false"),
        "steps": lambda: text.replace('"controlled subjects", ', ""),
    }
    kind = draw.choice([*kinds, *wholes])
    return wholes[kind]() if kind in wholes else text_positions.replaced(text, number, kinds[kind]())


@pytest.fixture(scope="module")
def parsed() -> ParsedCorpus:
    """Sixty captions of the sample."""
    captions = language("en").examples.captions.read_text(encoding="utf-8").splitlines()[:60]
    parser = language("en").parser()
    return ParsedCorpus(language("en"), list(parser.parse(captions)), parser.signature)


@pytest.mark.parser
@pytest.mark.parametrize("seed", range(5))
def test_after_any_edits_the_result_is_that_of_a_new_run(parsed, seed):
    draw, text = random.Random(seed), TEXT
    for _ in range(8):
        text = edited(text, draw)
        rules = parse_rules(text, name="x")
        kept = parsed.parses(rules)
        rule_file._compiled.cache_clear()
        other = ParsedCorpus(parsed.pack, parsed.documents, parsed.signature)
        anew = other.parses(parse_rules(text, name="x"))
        assert [told(p.propositions) for p in kept] == [told(p.propositions) for p in anew] == fresh(other, rules)
        was = {e.position: (e.gained, e.lost) for e in effects(parsed.parses(RULES), kept)}
        sides = [[closed(words.words for words in p.propositions) for p in parses] for parses in (parsed.parses(RULES), anew)]
        assert was == {n: (ordered(b - a), ordered(a - b)) for n, (a, b) in enumerate(zip(*sides)) if a != b}


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
