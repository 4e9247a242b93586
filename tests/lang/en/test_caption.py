"""The parser and rule set ``caption`` on captions of the development half of the gold graphs."""

from __future__ import annotations

from collections import Counter

import pytest

from spice_core import Spice
from spice_core.data.gold import read_gold
from spice_core.evaluation.gold import compare
from spice_core.evaluation.minimal_pairs import failures, read_pairs
from spice_core.lang.en.encoder_parser import caption
from spice_core.scene.propositions import closed
from tests.conftest import GOLD as FOLDER
from tests.conftest import rows

# each caption shows something that the original SPICE leaves out
CAPTIONS = [
    "Teddy bears do want to be ice hockey players.",
    "a close up of a dog riding a skate board",
    "A plate full of noodles and broccoli, next to a knife and fork.",
    "A man is laying down in a pavement balancing a ball on his foot while others watch.",
    "A person is skiing on a slope covered in snow.",
    "a group of people with kites in their hands.",
    "Someone who is laying down under a suitcase.",
    "clear vase filled with water",
    "A crowd looks on as a young man does a skateboard trick.",
    "a silver fridge sits in a room next to a microwave",
    "The desk with a laptop has papers strewn all over it.",
    "A man in a defensive stance holding a racquet.",
    "a computer monitor, keyboard and laptop on a desk",
    "A shocked looking man in the mirror about to brush his teeth.",
    "hands and legs are tied with rope .",
]
GOLD = {row["caption"]: row for row in rows(FOLDER / "gold_en.jsonl") if row["split"] == "dev"}


@pytest.fixture(scope="module")
def right() -> Spice:
    return Spice(parser="caption", rules="caption")


@pytest.mark.parser
@pytest.mark.parametrize("text", CAPTIONS)
def test_tuples_of_captions(right, text):
    (parse,) = right.parse([text])
    assert closed(p.words for p in parse.propositions) == set(map(tuple, GOLD[text]["tuples"]))


@pytest.mark.parser
@pytest.mark.parametrize(
    "text",
    [
        "Two dogs are sitting on a sofa.",
        "two dogs are sitting on a sofa",
        "Two dogs are sitting on a sofa",
        "TWO DOGS ARE SITTING ON A SOFA",
    ],
)
def test_every_spelling_gives_the_same_tuples(right, text):
    (parse,) = right.parse([text])
    assert {p.words for p in parse.propositions} == {("dog", "sit on", "sofa"), ("dog", "two"), ("dog",), ("sofa",)}


@pytest.mark.parser
def test_words_of_several_tokens_are_lower_case(right):
    parses = right.parse(["A PAIR OF DOGS IN FRONT OF 25 CARS", "Twenty five men stand up.", "One hundred people march."])
    attributes = {p.words for parse in parses for p in parse.propositions if len(p.words) == 2}
    assert {("dog", "a pair of"), ("car", "25"), ("man", "twenty five"), ("people", "one hundred")} <= attributes


@pytest.mark.parser
def test_an_empty_caption_has_no_tuples(right):
    (parse,) = right.parse([""])
    assert parse.propositions == ()


@pytest.mark.parser
def test_the_signature_names_parser_and_rules(right):
    assert str(right.signature).startswith("spice|lang:en|parser:caption-2.1.0|rules:caption-")
    assert caption().signature == "caption-2.1.0"


@pytest.mark.parser
def test_an_action_counts_besides_its_relation(right):
    """Riding a horse is also riding, so that it agrees with riding a bike in one tuple more."""
    result = right.compute("a man riding a horse", ["a man riding a bike"])
    assert {m.candidate.words for m in result.matches} == {("man",), ("man", "ride")}


@pytest.mark.parser
@pytest.mark.parametrize(
    ("name", "split", "overall", "relations"),
    [
        ("gold_en", "dev", 0.96, 0.91),
        ("gold_en", "test", 0.96, 0.92),
        ("gold_en_other", "dev", 0.93, 0.85),
        ("gold_en_other", "test", 0.93, 0.87),
        ("long_en", "dev", 0.96, 0.92),
        ("long_en", "test", 0.94, 0.88),
    ],
)
def test_figures_on_gold_graphs_do_not_fall(right, name, split, overall, relations):
    """Totals only: captions of the test halves are not read."""
    graphs = [graph for graph in read_gold(FOLDER / f"{name}.jsonl") if graph.split == split]
    report = compare(graphs, list(right.parse(graph.caption for graph in graphs)))
    assert report.overall.f1 >= overall and report.kinds["relation"].f1 >= relations


@pytest.mark.parser
def test_most_minimal_pairs_are_told_apart(right):
    """Totals by phenomenon only: every second pair is not read."""
    pairs = read_pairs(FOLDER / "pairs_en.toml")
    failed = {failure.caption for failure in failures(pairs, right.parse)}
    passed = Counter(pair.phenomenon for pair in pairs if not failed & {pair.first.caption, pair.second.caption})
    assert sum(passed.values()) >= 0.82 * len(pairs)
    assert all(passed[pair.phenomenon] for pair in pairs)
