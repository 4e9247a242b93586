"""Test the pattern language: matches, reasons for failures, and exact errors."""

import pytest

from spice_core.errors import RuleError
from spice_core.rules import Pattern
from spice_core.rules.conditions import SearchBudget, ValueMatcher
from spice_core.rules.mismatches import BlockedBy, EdgeWithTokens, NoToken, OtherEdges, OtherValue, WrongOrder
from spice_core.rules.rule_file import read_tree

#  a   dog   sits   on   a   red   sofa
#  └det┘ └nsubj┘ └──────obl:on──────┘
SOFA_TREE = read_tree(
    "a/a/DT/2/det dog/dog/NN/3/nsubj sits/sit/VBZ/0/root on/on/IN/7/case a/a/DT/7/det red/red/JJ/7/amod sofa/sofa/NN/3/obl:on"
)
ARTICLE_TOKEN, DOG_TOKEN, RED_TOKEN, COUCH_TOKEN = map(SOFA_TREE.token, (1, 2, 6, 7))


@pytest.mark.parametrize(("pattern", "expected_bindings"), [
    ("{tag:NN}=noun", [{"noun": "dog"}, {"noun": "sofa"}]),
    ("{tag:/NN|JJ/}=word", [{"word": "dog"}, {"word": "red"}, {"word": "sofa"}]), ("{tag:NN; lemma:!dog}=noun", [{"noun": "sofa"}]),
    ("{}=noun >amod {}=adjective", [{"noun": "sofa", "adjective": "red"}]),
    ("{}=adjective <amod {}=noun", [{"noun": "sofa", "adjective": "red"}]),
    ("{}=verb >nsubj|obj {}=subject", [{"verb": "sits", "subject": "dog"}]),
    ("{}=verb >/obl:(.+)/=link {}=place", [{"verb": "sits", "link": "on", "place": "sofa"}]),
    ("{}=verb >nsubj ({}=subject >det {word:a}) >obl:on {}=place", [{"verb": "sits", "subject": "dog", "place": "sofa"}]),
    ("{tag:NN}=noun !>amod {}", [{"noun": "dog"}]), ("{tag:NN}=noun !<obl:on ({} >nsubj {lemma:dog})", [{"noun": "dog"}]),
    ("{tag:NN}=noun ?>amod {}=adjective", [{"noun": "dog"}, {"noun": "sofa", "adjective": "red"}]),
    ("{tag:DT}=a . {tag:NN}=noun", [{"a": "a", "noun": "dog"}]),
    ("{tag:NN}=first .. {tag:NN}=second", [{"first": "dog", "second": "sofa"}]),
    ("{tag:NN} >amod {}=word1", [{"word1": "red", "word2": "sofa"}]), ("{}=x >obj {}=y", []), ("{tag:VBG}", []),
])  # fmt: skip
def test_a_pattern_matches_these_words(pattern, expected_bindings):
    is_shown = lambda name: not name.startswith("word") or name == "word" or "word1" in pattern
    text = lambda value: SOFA_TREE.token(value).text if isinstance(value, int) else value
    bindings_found = [
        {name: text(value) for name, value in binding.items() if is_shown(name)} for binding in Pattern(pattern).search(SOFA_TREE)
    ]
    assert sorted(bindings_found, key=str) == sorted(expected_bindings, key=str)


def test_a_failure_names_the_condition_and_the_found_value():
    for pattern, bindings, condition, statement, mismatch in [
        ("{tag:VBG}", {}, "tag of word1 is VBG", "no token that satisfies the condition", NoToken()),
        ("{tag:NN}=noun >amod {tag:VBN}=adjective", {"noun": 7, "adjective": 6}, "tag of adjective is VBN", '"red" with the tag JJ', OtherValue("tag", RED_TOKEN, "JJ")),
        ("{}=noun >amod {}=adjective", {"noun": 2, "adjective": 6}, "noun governs adjective by amod", "dog –det→ a", OtherEdges((EdgeWithTokens(DOG_TOKEN, "det", ARTICLE_TOKEN),), DOG_TOKEN, is_head=True)),
        ("{}=noun >nmod {}=other", {"noun": 7, "other": 6}, "noun governs other by nmod", "sofa –amod→ red", OtherEdges((EdgeWithTokens(COUCH_TOKEN, "amod", RED_TOKEN),), COUCH_TOKEN, is_head=True)),
        ("{}=noun >nmod {}=other", {"noun": 6}, "noun governs other by nmod", 'no edge from "red"', OtherEdges((), RED_TOKEN, is_head=True)),
        ("{}=noun >nmod {}=other", {"other": 3}, "noun governs other by nmod", 'no edge to "sits"', OtherEdges((), SOFA_TREE.token(3))),
        ("{tag:NN}=noun !>amod {}", {"noun": 7}, "not (noun governs word1 by amod)", '"red"', BlockedBy((RED_TOKEN,))),
        ("{}=noun !>amod {}=a", {"noun": 7, "a": 6}, "not (noun governs a by amod)", '"sofa", "red"', BlockedBy((COUCH_TOKEN, RED_TOKEN))),
        ("{}=a .. {}=b", {"a": 7, "b": 2}, "a stands before b", "b does not follow a", WrongOrder("a", "b")),
    ]:  # fmt: skip
        failure = Pattern(pattern).failure(SOFA_TREE, bindings)
        assert (str(failure.condition), str(failure.mismatch), failure.mismatch) == (condition, statement, mismatch)
    mismatch = Pattern("{}=noun >nmod {}=other").failure(SOFA_TREE, {}).mismatch
    assert mismatch.is_unbound and len(mismatch.edges) == len(SOFA_TREE.edges) - 1
    assert Pattern("{}=noun >amod {}=adjective").failure(SOFA_TREE, {"noun": 7, "adjective": 6}) is None


@pytest.mark.parametrize(("pattern", "position", "expected_text"), [
    ("{}=x >/obl:(.+)/=x {}=y", 18, "a name that is not the name of a word"), ("{}=x >/obl:(.+)/=y {}=y", 23, "a name that is not the name of a relation"),
    ("{}=x >amod {}=x", 6, "two words with distinct names"), ("{}=x .. {}=x", 6, "two words with distinct names"),
    ("{}>a (" * 3000 + "{}" + ")" * 3000, 601, "at most 100 words and tests"),
    ("{}" + " >a {}" * 3000, 601, "at most 100 words and tests"), ("{" + "tag:NN;" * 3000 + "}", 695, "at most 100 words and tests"),
    ("{tag:NN", 1, "a node such as"), ("", 1, "a node such as"), ("{pos:NN}", 2, "attributes: word, lemma, tag"),
    ("{tag:NN lemma:dog}", 9, "a semicolon between tests"), ("{} >amod", 9, "a node such as"),
    ("{} >amod ({} >det {}", 21, "a closing parenthesis or a relation"), ("{} amod {}", 4, "a relation such as >amod, or the end"),
    ("{tag:/(/}", 6, "a regular expression"), ("{word:/(?x)(a+) +c/}", 7, "no flags"), ("{word:/(?s:.*)/}", 7, "no flags"),
    ("{} >/(?x)(obl) {999}/ {}", 5, "no flags"), ("{word:/(a+)+c/}", 7, "no repeated group"),
    ("{word:/(?:a|aa)*b/}", 7, "no repeated group"), (r"{word:/(a)\1/}", 7, "no backreference"),
    ("{word:/a?b?c?d?e?f?g?/}", 7, "at most 6"), ("{word:/(?:a|b(?R)?)/}", 7, "no flags"),
    ("{word:/(*FAIL)/}", 7, "and after (? only : = !"), ("{word:/.*.*.*.*.*.*.*c/}", 7, "at most 6 quantifiers (* + ?"),
    ("{} >/o{1000}bl/ {}", 5, "numbers below 1000"), ("{} >/(?:obl){e<=1}/ {}", 5, "numbers below 1000"),
    (r"{word:/\p/}", 7, "a regular expression"), ("{word:/[[:alpha:]]/}", 7, r"\[ for a bracket inside a set, and no -- && || ~~"),
    ("{word:/[^a&&b]/}", 7, r"\[ for a bracket inside a set, and no -- && || ~~"),
    (f"{{word:/{'(' * 3000}a{')' * 3000}/}}", 7, "at most 1000 characters"),
    (f"{{word:/{'(' * 300}a{')' * 300}/}}", 7, "at most 50 groups"),
], ids=lambda value: str(value)[:40])  # fmt: skip
def test_errors_name_the_position_and_the_expectation(pattern, position, expected_text):
    with pytest.raises(RuleError) as error:
        Pattern(pattern)
    assert f"position {position}: " in str(error.value) and expected_text in str(error.value)


def test_patterns_of_many_nodes_and_edges_end_within_a_bound():
    long = read_tree(" ".join(f"w{i}/w/NN/0/root" for i in range(40)))
    with pytest.raises(RuleError, match="more than 100000 steps"):
        list(Pattern("{}=a .. ({}=b .. ({}=c .. ({}=d .. {}=e)))").search(long))
    star = read_tree("w/w/NN/0/root " + " ".join(f"w{i}/w/NN/1/dep" for i in range(200)))
    budget = SearchBudget()
    assert list(Pattern("{} >dep ({} .. ({} >dep {}))").search(star, budget)) == []
    assert budget.steps > 200 * 200
    with pytest.raises(RuleError, match="more than 100000 steps"):
        list(Pattern("{} >dep ({} .. ({} >dep ({} .. ({} >dep {}))))").search(star))
    steps = []
    for node_count in (1000, 2000):
        graph = read_tree("w/w/NN/0/root " + " ".join(f"w{i}/w/NN/1/nsubj" for i in range(node_count)) + " o/o/NN/1/obj")
        budget = SearchBudget()
        assert list(Pattern("{}=a >nsubj {}=b !>obl {}").search(graph, budget)) == [{"a": 1, "b": i + 2} for i in range(node_count)]
        assert len(list(Pattern("{}=a >nsubj {}=b >obj {}=c").search(graph, budget))) == node_count
        steps.append(budget.steps)
    assert steps[1] < 2.1 * steps[0]
    graph = read_tree("w/w/NN/0/root " + " ".join(f"w{i}/w/NN/1/{'abcb'[i % 4]}" for i in range(40)))
    matched_indices = [i + 2 for i in range(40) if "abcb"[i % 4] in "ab"]
    assert [binding["y"] for binding in Pattern("{}=x >c {} >a|b {}=y").search(graph)] == matched_indices * 10


def test_regular_expressions_end_and_long_lists_are_looked_up():
    repeated_tree = read_tree(" ".join(f"{'a' * length}/a/NN/0/root" for length in (40, 300, 5000)))
    assert list(Pattern("{word:/.*.*.*.*.*.*xyz/}").search(repeated_tree)) == []
    with pytest.raises(RuleError, match=r"/\.\*\?.* takes too long on 'aaaaaaaaaaaaaaaaaaaa'"):
        list(Pattern("{word:/.*?.*?.*?[xyz]/}").search(repeated_tree))
    repeated_tree = read_tree(" ".join(f"{'a' * length}/a/NN/0/root" for length in range(60, 90)))
    with pytest.raises(RuleError, match="regular expressions take more than 0 s on 30 screams"):
        list(Pattern("{word:/.*?.*?.*?[xyz]/}").search(repeated_tree, SearchBudget(10, "30 screams")))
    words = ValueMatcher("|".join(f"dog{n}" for n in range(100_000)))
    assert [words.match_text(text) for text in ("dog", "dog99999", "dog1|dog2")] == [None, "", None]
    value = ValueMatcher("/dog.*|a+/")
    for n in range(20_000):
        assert value.match_text(f"dog{n}") == "" and value.match_text(f"cat{n}") is None
    assert value.match_text("a" * 10_000) == ""
    assert len(value._cached_matches) <= 4096 and max(map(len, value._cached_matches)) <= 100
