"""Test incremental runs of changed rules, warnings about rules, and differences between two rule files."""

import random
import re
from dataclasses import replace

import pytest

from spice_core import Spice
from spice_core.data.ratings import RatedCaption
from spice_core.errors import RuleError
from spice_core.evaluation.gold import compare_gold
from spice_core.lang import LANGUAGES, language
from spice_core.rules import RuleSet, rule_file, text_positions
from spice_core.rules.rule_file import parse_rules
from spice_core.scene.propositions import add_implied_objects, sort_tuples
from spice_core.workbench.corpus import ParsedCorpus, caption_effects
from spice_core.workbench.rating_effect import item_scores, rating_effect
from spice_core.workbench.rule_check import LabelVocabulary, find_first_use, find_warnings, make_vocabulary, nearest_name, unknown_values
from spice_core.workbench.rule_diff import count_firings, rule_changes
from tests.rules.test_ruleset import RULE
from tests.workbench.test_trace import RULES, SOFA_SENTENCE, WAVE_SENTENCE, corpus

RULES_TEXT = language("en").rules["caption"].read_text(encoding="utf-8")
EDITS = {
    "switched off": RULES.without("adjective"),
    "changed": parse_rules(RULES_TEXT.replace("(subject, verb, object)", '(subject, "do", object)', 1), name="x"),
    "added": parse_rules(
        text_positions.append_rule(RULES_TEXT, RULE.replace(">appos", ">amod").replace("{tag:/NN.*/}=name", "{}=name")), name="x"
    ),
    "reversed": replace(RULES, rules=RULES.rules[::-1]),
    "form of words": replace(RULES, rules=tuple(replace(rule, separator="_") for rule in RULES.rules)),
    "steps": replace(RULES, steps=("prepositions in labels",)),
    "none": replace(RULES, rules=()),
}


def run_alone(single_corpus: ParsedCorpus, rules: RuleSet) -> list:
    return [proposition_rows(rules.apply(document)) for document in single_corpus.enhanced_documents(rules.steps)]


def proposition_rows(propositions: tuple) -> list:
    return [(p.words, p.rule, p.sentence, p.tokens) for p in propositions]


def test_an_edited_rule_set_runs_as_if_all_rules_ran():
    for edit, rules in EDITS.items():
        parsed_corpus = corpus()
        parsed_corpus.parses(RULES)
        assert [proposition_rows(parse.propositions) for parse in parsed_corpus.parses(rules)] == run_alone(parsed_corpus, rules), edit
        assert [proposition_rows(parse.propositions) for parse in parsed_corpus.parses(RULES)] == run_alone(parsed_corpus, RULES), edit


def edited_text(text: str, draw: random.Random) -> str:
    """Return the text of a rule file after a realistic edit."""
    rule_index = draw.randrange(len(text_positions.rule_blocks(text)))
    piece = text_positions.rule_source(text, rule_index)
    renamed_rule = re.sub('^name = "', f'name = "{draw.randrange(10**6)}-', piece, count=1, flags=re.MULTILINE)
    kinds = {
        "word": lambda: piece.replace("{", f"{{lemma:!{draw.choice(['dog', 'man', 'ride'])}; ", 1).replace("; }", "}", 1),
        "label": lambda: re.sub(r">[a-z]+ ", ">/.*/ ", piece, count=1),
        "refused": lambda: re.sub(r"\n  !.*?(?=\n|\'{3})", "", piece, count=1),
        "renamed": lambda: renamed_rule,
        "removed": lambda: "",
    }
    whole_texts = {
        "added": lambda: text_positions.append_rule(text, renamed_rule),
        "moved": lambda: text_positions.append_rule(text_positions.remove_rules(text, [rule_index]), piece),
        "form": lambda: text.replace("lower_case = true", "lower_case = false"),
        "steps": lambda: text.replace('"controlled subjects", ', ""),
    }
    kind = draw.choice([*kinds, *whole_texts])
    return whole_texts[kind]() if kind in whole_texts else text_positions.replace_rule(text, rule_index, kinds[kind]())


@pytest.fixture(scope="module")
def parsed_corpus() -> ParsedCorpus:
    """The first thirty bundled captions, parsed."""
    captions = language("en").examples.captions.read_text(encoding="utf-8").splitlines()[:30]
    parser = language("en").parser()
    return ParsedCorpus(language("en"), list(parser.parse(captions)), parser.signature)


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.release) for seed in range(2, 5))])
def test_after_any_edits_the_result_equals_that_of_a_new_run(parsed_corpus, seed):
    draw, text = random.Random(seed), RULES_TEXT
    for _ in range(8):
        text = edited_text(text, draw)
        rules = parse_rules(text, name="x")
        incremental_parses = parsed_corpus.parses(rules)
        rule_file._compile_pattern.cache_clear()
        other_corpus = ParsedCorpus(parsed_corpus.pack, parsed_corpus.documents, parsed_corpus.signature)
        new_parses = other_corpus.parses(parse_rules(text, name="x"))
        assert (
            [proposition_rows(p.propositions) for p in incremental_parses]
            == [proposition_rows(p.propositions) for p in new_parses]
            == run_alone(other_corpus, rules)
        )
        effects_before = {
            e.position: (e.gained_tuples, e.lost_tuples) for e in caption_effects(parsed_corpus.parses(RULES), incremental_parses)
        }
        tuple_sides = [
            [add_implied_objects(words.words for words in p.propositions) for p in parses]
            for parses in (parsed_corpus.parses(RULES), new_parses)
        ]
        assert effects_before == {n: (sort_tuples(b - a), sort_tuples(a - b)) for n, (a, b) in enumerate(zip(*tuple_sides)) if a != b}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_rules_run_on_a_corpus_as_on_captions_of_one_and_of_several_sentences(lang):
    pack = language(lang)
    parser = pack.parser()
    captions = [rule.example.caption for rule in pack.rule_set().rules] + ["A man sits. He holds two dogs.", "犬が走る。首輪をつけている。"]
    single_corpus = ParsedCorpus(pack, list(parser.parse(captions)), parser.signature)
    for name in (None, *(rule.name for rule in pack.rule_set().rules[:6])):
        rules = pack.rule_set().without(*filter(None, [name]))
        assert [proposition_rows(parse.propositions) for parse in single_corpus.parses(rules)] == run_alone(single_corpus, rules)


def test_only_changed_rules_run_within_one_bound_for_all_captions(monkeypatch):
    edited_corpus, run = corpus(), []
    edited_corpus.parses(RULES)
    execute = ParsedCorpus._execute_rule
    monkeypatch.setattr(ParsedCorpus, "_execute_rule", lambda self, rule, *rest: (run.append(rule.name), execute(self, rule, *rest))[1])
    edited_corpus.parses(EDITS["changed"])
    edited_corpus.parses(RULES.without("noun"))
    assert run == [RULES.rules[0].name]
    edited_corpus = corpus()
    for _ in range(2):
        with pytest.raises(RuleError, match="more than 50 steps on these 2 captions"):
            edited_corpus.parses(RULES, limit=50)
        edited_corpus.parses(RULES)


def test_ratings_are_scored_again_only_where_a_caption_changed():
    rated_captions = [
        RatedCaption("A red dog on a sofa.", ("A red dog sits on a couch.", "A dog."), (4.0,)),
        RatedCaption("A man rides a wave.", ("A man is riding a wave.", "A surfer."), (5.0,)),
        RatedCaption("A cat.", ("A red bus.",), (1.0,)),
    ]
    captions = [caption for item in rated_captions for caption in (item.candidate, *item.references)]
    parser = language("en").parser()
    rated_corpus = ParsedCorpus(language("en"), list(parser.parse(captions)), parser.signature)
    parses_before, parses_after = ({p.caption: p for p in rated_corpus.parses(rules)} for rules in (RULES, RULES.without("adjective")))
    scores_before = item_scores(rated_captions, parses_before, Spice(rules=RULES))
    assert scores_before == [Spice().compute(item.candidate, item.references).f1 for item in rated_captions]
    spice, scored = Spice(rules=RULES.without("adjective")), []
    compare = spice.compare
    spice.compare = lambda c, r: (scored.append(c.caption), compare(c, r))[1]
    scores_after = item_scores(rated_captions, parses_after, spice, earlier_parses=parses_before, scores=scores_before)
    assert scored == ["A red dog on a sofa.", "A cat."]
    assert scores_after == item_scores(rated_captions, parses_after, spice)
    rating_change = rating_effect(rated_captions, scores_before, scores_after)
    assert {c.position for c in rating_change.changes} <= {0, 2}
    assert rating_change.changes[0].before == scores_before[rating_change.changes[0].position]
    assert set(rating_change.before) == {"tau-b", "tau-c", "Pearson", "Spearman"}
    assert rating_change.means[0] == pytest.approx(sum(scores_before) / 3)
    assert compare_gold([], []).overall.f1 == 0


LABELS = ["nsubj", "nsubj:pass", "obj", "obl", "obl:on", "nmod:poss", "appos", "amod", "det"]
VOCABULARY = LabelVocabulary(dict.fromkeys(LABELS, 1), dict.fromkeys(["NN", "NNS", "NNP", "VBG", "JJ", "DT", "PRP$"], 1))


def rule(pattern: str) -> str:
    return RULE.replace("{tag:/NN.*/}=thing >appos {tag:/NN.*/}=name", pattern)


def test_warnings_name_unknown_labels_and_rule_file_differences():
    for pattern, value, near_values, known_values in [  # the pattern, the unknown name, the nearest known name, the text at the position
        ("{}=thing >obbl {tag:NN}=name", "obbl", "obl", "obbl"),
        ("{}=thing >obj|apos {tag:NN}=name", "apos", "appos", "apos"),
        ("{}=thing >/obbl:(.+)/ {}=name", "/obbl:(.+)/", "obl", "/obbl"),
        ("{tag:/NM.*/}=thing >obj {}=name", "/NM.*/", "NN", "/NM"),
        ("{tag:/VBG|JK/}=thing >obj {}=name", "/JK/", "JJ", "JK/"),
        ("{tag:!NX}=thing >obj {}=name", "NX", "NN", "NX"),
        ("{}=thing >obj {}=name !>zzzz {}", "zzzz", "", "zzzz"),
    ]:
        (parsed_rule,) = parse_rules(rule(pattern), name="x").rules
        (unknown_value,) = unknown_values(parsed_rule, VOCABULARY)
        assert (unknown_value.value, unknown_value.nearest, unknown_value.part) == (value, near_values, "pattern")
        assert pattern[unknown_value.position :].startswith(known_values)
    for pattern in ("{tag:/NN.*|JJ/}=thing >/obl:(.+)/ {}=name", "{lemma:dgo}=thing >obj|nsubj {}=name"):  # known names and any word
        (parsed_rule,) = parse_rules(rule(pattern), name="x").rules
        assert unknown_values(parsed_rule, VOCABULARY) == []
    (parsed_rule,) = parse_rules(RULE.replace("(thing, name)", "(thing+amdo, name)"), name="x").rules  # a label in ``yields``
    (unknown_value,) = unknown_values(parsed_rule, VOCABULARY)
    assert (unknown_value.part, unknown_value.value, unknown_value.nearest) == ("yields", "amdo", "amod")
    for value, near_values in (("NSUBJ", "nsubj"), ("/nmodd:poss/", "nmod:poss"), ("主語", "")):
        assert nearest_name(value, LABELS) == near_values
    text = "# mine\n" + rule("{}=thing >obbl {}=name")
    doubts = [str(d) for d in find_warnings(text, parse_rules(text, name="x"), VOCABULARY)]
    line, column = next((n, row.index("obbl") + 1) for n, row in enumerate(text.split("\n"), 1) if "obbl" in row)
    assert doubts[0] == f"line {line}, column {column}: rule apposition: no bundled caption or rule has the label obbl; the nearest is obl"
    vocabulary = make_vocabulary([[WAVE_SENTENCE], [SOFA_SENTENCE]], language("en").rule_set("caption").rules)
    assert vocabulary.labels["det"] == 4 and vocabulary.tags["NN"] == 4 and vocabulary.labels["iobj"] == 0
    sentence, words = find_first_use([WAVE_SENTENCE, SOFA_SENTENCE], "relation", "amod")
    assert [sentence.tokens[n - 1].text for n in sorted(words)] == ["red", "dog"]
    assert find_first_use([WAVE_SENTENCE], "tag", "JJ") is None
    for later_rules, expected_doubts in [
        (RULES_TEXT, []),
        (text_positions.append_rule(RULES_TEXT, RULE), [("apposition", "added")]),
        (text_positions.remove_rules(RULES_TEXT, [0]), [(FIRST_RULE, "removed")]),
        (RULES_TEXT.replace("(subject, verb, object)", '(subject, "do", object)', 1), [(FIRST_RULE, "changed")]),
        (
            text_positions.append_rule(text_positions.remove_rules(RULES_TEXT, [0]), text_positions.rule_source(RULES_TEXT, 0)),
            [(FIRST_RULE, "moved")],
        ),
        (RULES_TEXT.replace('scheme = "distinct"', 'scheme = "spice"'), [("", "changed")]),
        (text_positions.set_version(RULES_TEXT, "0.2.0"), []),
    ]:
        assert [(c.name, c.kind) for c in rule_changes(RULES_TEXT, later_rules)] == expected_doubts
    (change,) = rule_changes(RULES_TEXT, RULES_TEXT.replace("  >nsubj {tag:/NN.*/}=subject\n", "  >nsubj {}=subject\n", 1))
    assert [line for line in change.lines if line[0] in "+-"] == ["-  >nsubj {tag:/NN.*/}=subject", "+  >nsubj {}=subject"]
    assert len(change.lines) == 4
    assert count_firings(corpus().parses(RULES))["noun"] == 4


def test_a_rule_runs_on_its_own_example_and_near_miss():
    for change, expected_doubt in [
        (('[["dog", "rex"]]', '[["dog", "max"]]'), "yields (dog, rex) on its example “my dog Rex”, expected (dog, max)"),
        (("my/my/PRP$/2/nmod:poss dog/dog/NN/0/root'", "my/my/NN/2/appos dog/dog/NN/0/root'"), "expected nothing"),
        ((">appos {tag:/NN.*/}=name", ">appos {tag:JJ}=name"), "yields nothing on its example “my dog Rex”, expected (dog, rex)"),
    ]:
        text = RULE.replace('"', "'") if change[0] not in RULE else RULE
        text = text.replace(*change)
        assert text != RULE and expected_doubt in " ".join(find_warnings(text, parse_rules(text, name="x"), VOCABULARY))
    rules = parse_rules(rule("{}=thing >obbl {}=name"), name="x")
    assert find_warnings(RULE, rules, VOCABULARY) and not find_warnings(RULE, rules, VOCABULARY, other_rules=rules.rules)
    for pack in map(language, LANGUAGES):
        for name, path in pack.rules.items():
            expected_doubt = find_warnings(path.read_text(encoding="utf-8"), pack.rule_set(name), LabelVocabulary({".": 1}, {".": 1}))
            assert [d for d in expected_doubt if "on its" in d] == []


FIRST_RULE = RULES.rules[0].name
