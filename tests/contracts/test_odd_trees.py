"""Trees that no parser gives, from a file or edited by hand: every step ends, and those that change heads leave a tree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from spice_core import Spice
from spice_core.lang.ja import enhancement as ja
from spice_core.syntax.conllu import circle
from spice_core.syntax.document import Dependency, Sentence
from tests.fuzzing import real_captions


@pytest.fixture(scope="module", params=["en", "ja"])
def metric(request) -> Spice:
    if request.param == "ja":
        pytest.importorskip("ginza")
    return Spice(request.param)


def odd(sentence: Sentence, random: Random) -> Sentence:
    """The sentence with another tree: every word below one that was drawn before it, half of the relations exchanged."""
    relations = [e.relation for e in sentence.basic if e.head] or ["dep"]
    first, *others = random.sample([e.dependent for e in sentence.basic], len(sentence.basic))
    edges, placed = [Dependency(0, first, "root")], [first]
    for word in others:
        old = sentence.basic[word - 1].relation
        keeps = old != "root" and random.random() < 0.5
        edges.append(Dependency(random.choice(placed), word, old if keeps else random.choice(relations)))
        placed.append(word)
    return replace(sentence, basic=tuple(sorted(edges, key=lambda e: e.dependent)))


def sentences(metric: Spice, count: int, seed: int) -> Iterator[Sentence]:
    random = Random(seed)
    for document in metric.parser.parse(random.sample(real_captions(metric.lang), count)):
        for sentence in document.sentences:
            yield from (odd(sentence, random) for _ in range(5))


@pytest.mark.parser
def test_any_tree_has_a_graph(metric):
    documents = list(metric.parser.parse(Random(1).sample(real_captions(metric.lang), 100)))
    for document in documents:
        changed = replace(document, sentences=tuple(odd(sentence, Random(2)) for sentence in document.sentences))
        assert all(1 <= len(t.words) <= 3 for t in metric.graph([metric.parse_document(changed)]).tuples())


@pytest.mark.parser
def test_steps_that_change_heads_leave_a_tree():
    """Steps of Japanese captions once put a noun below the adjective that it governs, and a later step went round without end."""
    pytest.importorskip("ginza")
    steps = ja.STEPS[: [step.name for step in ja.STEPS].index("coordination")]
    for sentence in sentences(Spice("ja"), 150, seed=3):
        edges = sentence.basic
        for step in steps:
            edges = step.apply(sentence.tokens, edges)
            assert not circle(edges), step.name
            assert len({e.dependent for e in edges}) == len(edges) == len(sentence.tokens), step.name


@pytest.mark.parser
def test_a_noun_that_an_adjective_governs_ends_the_search_for_a_predicate():
    """The caption kept a processor for good, and with it the server."""
    pytest.importorskip("ginza")
    metric = Spice("ja")
    (parse,) = metric.parse(["赤赤い傘傘傘傘をさし座って海を見ている"])
    assert ["見る", "海"] in [list(p.words[1:]) for p in parse.propositions]
