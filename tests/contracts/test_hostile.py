"""Hostile captions and random trees raise no error, every step ends, and several threads can parse concurrently."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import islice, pairwise
from random import Random

import pytest

from spice_core import Spice
from spice_core.lang.ja import enhancement as ja
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Dependency, Sentence, find_cycle
from tests.fuzzing import fuzzed_captions, real_captions


def randomise_tree(sentence: Sentence, random: Random) -> Sentence:
    """Return the sentence with a random tree and random relations for about half of the words."""
    relations = [e.relation for e in sentence.basic if e.head] or ["dep"]
    first_word, *other_words = random.sample([e.dependent for e in sentence.basic], len(sentence.basic))
    edges, placed_words = [Dependency(0, first_word, "root")], [first_word]
    for word in other_words:
        old_relation = sentence.basic[word - 1].relation
        keeps = old_relation != "root" and random.random() < 0.5
        edges.append(Dependency(random.choice(placed_words), word, old_relation if keeps else random.choice(relations)))
        placed_words.append(word)
    return replace(sentence, basic=tuple(sorted(edges, key=lambda e: e.dependent)))


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_any_tree_has_a_graph(lang):
    if lang == "ja":
        pytest.importorskip("ginza")
    metric = Spice(lang)
    documents, random = list(metric.parser.parse(Random(1).sample(real_captions(metric.lang), 40))), Random(7)
    for document in documents:
        for _ in range(3):
            random_document = replace(document, sentences=tuple(randomise_tree(sentence, random) for sentence in document.sentences))
            assert all(1 <= len(t.words) <= 3 for t in metric.graph([metric.parse_document(random_document)]).tuples())


@pytest.mark.parametrize("count", [40, pytest.param(150, marks=pytest.mark.release)])
def test_steps_that_change_heads_leave_a_tree(count):
    pytest.importorskip("ginza")
    random = Random(3)
    steps = ja.ENHANCEMENT_STEPS[: [step.name for step in ja.ENHANCEMENT_STEPS].index("coordination")]
    documents = Spice("ja").parser.parse(random.sample(real_captions("ja"), count))
    for sentence in (sentence for document in documents for sentence in document.sentences for _ in range(5)):
        sentence = randomise_tree(sentence, random)
        graph = DependencyGraph(sentence.tokens, sentence.basic)
        for step in steps:
            graph = step.apply(graph)
            assert not find_cycle(graph.edges), step.name
            assert len(graph.edges_by_dependent) == len(graph.edges) == len(sentence.tokens), step.name


def test_a_noun_that_an_adjective_governs_ends_the_search_for_a_predicate():
    pytest.importorskip("ginza")
    metric = Spice("ja")
    (parse,) = metric.parse(["赤赤い傘傘傘傘をさし座って海を見ている"])
    assert ["見る", "海"] in [list(p.words[1:]) for p in parse.propositions]


CAPTION_COUNTS = [("en", 40), ("ja", 40), *(pytest.param(lang, 400, marks=pytest.mark.release) for lang in ("en", "ja"))]


@pytest.mark.parametrize(("lang", "count"), CAPTION_COUNTS)
def test_hostile_captions_are_scored_in_threads_without_memory_growth(lang, count):
    """By default, spaCy stores every word, so a server's memory would grow without limit."""
    if lang == "ja":
        pytest.importorskip("ginza")
    metric = Spice(lang)
    texts = [list(islice(fuzzed_captions(real_captions(lang), seed), count // 4)) for seed in range(6, 10)]
    list(metric.parse(texts[0]))
    count_before = len(metric.parser._nlp.vocab.strings) if lang == "ja" else 0
    single_parses = [list(metric.parse(caption_)) for caption_ in texts]
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(lambda caption_: list(metric.parse(caption_)), texts)) == single_parses
    results = [metric.compare(a, [b]) for a, b in pairwise(parse for parses in single_parses for parse in parses)]
    assert len(results) == count - 1 and all(0 <= result.f1 <= 1 for result in results)
    assert lang == "en" or len(metric.parser._nlp.vocab.strings) == count_before
