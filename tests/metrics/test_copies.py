"""Metrics can be pickled, copied and sent to workers before and after use. Copies have settings and results, but no caches."""

import copy
import pickle
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import pytest

from spice_core import Spice, coco
from spice_core.evaluation.rewards import Rewards
from spice_core.lang import language, tree_file
from spice_core.lang.en.parsers import encoder_parser, transition_parser
from spice_core.lang.en.parsers.corenlp import CoreNLP
from spice_core.lang.en.parsers.spacy_parser import installed_parser
from spice_core.lang.pack import Parser, resolve
from spice_core.metrics.metric import Batch
from spice_core.metrics.registry import METRICS, metric_by_name
from spice_core.metrics.soft import Soft
from spice_core.metrics.soft.support import Support
from tests.conftest import DATA

CANDIDATE, REFERENCES = "a puppy on a sofa", ["a brown dog lies on a couch", "two dogs"]
JAPANESE = "白い犬が走る。", ["犬が芝生を走っている。"]
# A pickle contains settings and rules, but no ONNX sessions or tables, which take several megabytes.
MAX_BYTES = 200_000
GINZA_HINT = "GiNZA is not installed; pip install -r requirements.txt"

COPY_FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "pickle": lambda each: pickle.loads(pickle.dumps(each)),
    "deepcopy": copy.deepcopy,
    "copy": copy.copy,
}


def score_captions(spice: Spice) -> object:
    captions = (CANDIDATE, REFERENCES) if spice.lang == "en" else JAPANESE
    return spice.compute(*captions).scores, spice.signature, spice.rules.digest, spice.categories


def score_images(spice: Spice) -> object:
    return spice.compute_score({2: REFERENCES, 1: ["a cat"]}, {1: ["a cat"], 2: [CANDIDATE]})[0]


def score_soft(soft: Soft) -> object:
    result = soft.compute(*((CANDIDATE, REFERENCES) if soft.spice.lang == "en" else JAPANESE))
    assert f1_of_copy(result) == result.f1
    return result.f1, result.signature


def f1_of_copy(result: Any) -> float:
    return pickle.loads(pickle.dumps(result)).f1


def score_support(support: Support) -> object:
    return support.tuple_scores(Soft(Spice()).compute(CANDIDATE, REFERENCES))


def score_rewards(rewards: Rewards) -> object:
    return rewards.scores(["sofa"], [CANDIDATE]), len(rewards._known_parses)


def score_batch(batch: Batch) -> object:
    return [metric_by_name(name).segment(batch) for name in ("SPICE", "hypernyms", "soft", "support", "CIDEr-D")]


def spice_with_given_parser() -> Spice:
    return Spice(parser=language("en").parser("caption"))


def japanese_spice(**settings: Any) -> Spice:
    pytest.importorskip("ginza", reason=GINZA_HINT)
    return Spice("ja", **settings)


def japanese_spice_with_given_parser() -> Spice:
    return Spice("ja", parser=PARSER_MAKERS["ginza"]())


MAKER_AND_SCORER_BY_NAME: dict[str, tuple[Callable[[], Any], Callable[[Any], object]]] = {
    "Spice": (Spice, score_captions),
    "Spice of 2016": (lambda: Spice(parser="spice-2016"), score_captions),
    "Spice with other settings": (lambda: Spice(synonyms="wn3.0+ranks", categories={"Place": ["brown"]}), score_captions),
    "Spice with a given parser": (spice_with_given_parser, score_captions),
    "Spice with given rules": (lambda: Spice(rules=language("en").rule_set("stanford-2015"), synonyms="none"), score_captions),
    "Spice for Japanese": (japanese_spice, score_captions),
    "Spice with a given pipeline": (japanese_spice_with_given_parser, score_captions),
    "coco.Spice": (coco.Spice, score_images),
    "Soft": (lambda: Soft(Spice()), score_soft),
    "Soft by hypernyms": (lambda: Soft(Spice(), "hypernyms"), score_soft),
    "Soft by Japanese vectors": (lambda: Soft(japanese_spice(), "words"), score_soft),
    "Support": (lambda: Support(Spice().synonyms), score_support),
    "Rewards": (lambda: Rewards({"sofa": REFERENCES}), score_rewards),
    "Batch": (lambda: Batch([(CANDIDATE, REFERENCES)], Spice()), score_batch),
}


PARSER_MAKERS: dict[str, Callable[[], Parser]] = {
    "caption": encoder_parser.caption_parser,
    "spice-2016": transition_parser.spice_2016_parser,
    "ginza": lambda: pytest.importorskip("ginza", reason=GINZA_HINT) and resolve("spice_core.lang.ja.parsers.ginza:ginza_parser")(),
    "trees": lambda: tree_file.parser(str(DATA / "own_trees.conllu")),
}


@pytest.fixture(scope="module")
def worker() -> Iterator[Executor]:
    """A spawned process that shares no memory with this one."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        yield pool


@pytest.mark.parametrize("name", MAKER_AND_SCORER_BY_NAME)
def test_copies_score_the_same_before_and_after_use(name):
    make_object, compute_scores = MAKER_AND_SCORER_BY_NAME[name]
    expected_scores = compute_scores(make_object())
    metric = make_object()
    for stage in ("before", "after"):
        if stage == "after":
            metric = make_object()
            compute_scores(metric)
        for way, copy_function in COPY_FUNCTIONS.items():
            assert compute_scores(copy_function(metric)) == expected_scores, (stage, way)
    assert len(pickle.dumps(metric)) < MAX_BYTES


def parse_with(parser: Parser) -> object:
    caption = (
        "A man on a blue surfboard."
        if isinstance(parser, tree_file.TreeFile)
        else JAPANESE[0]
        if "ginza" in parser.signature
        else CANDIDATE
    )
    return parser.signature, list(parser.parse([caption]))


@pytest.mark.parametrize("name", PARSER_MAKERS)
def test_parsers_made_without_a_language_pack_are_copied_and_sent_to_workers(name, worker):
    parser = PARSER_MAKERS[name]()
    copies = [copy_function(parser) for copy_function in COPY_FUNCTIONS.values()]
    expected_scores = parse_with(parser)
    copies += [copy_function(parser) for copy_function in COPY_FUNCTIONS.values()]
    assert [parse_with(parse) for parse in copies] == [expected_scores] * len(copies)
    assert worker.submit(parse_with, parser).result() == expected_scores and len(pickle.dumps(parser)) < MAX_BYTES


def test_a_pipeline_and_a_tokenizer_are_copied_by_name(tmp_path):
    import spacy

    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    nlp.to_disk(tmp_path)
    for copy_function in COPY_FUNCTIONS.values():
        (document,) = copy_function(installed_parser(str(tmp_path))).parse([CANDIDATE])
        assert [token.text for token in document.sentences[0].tokens] == CANDIDATE.split()
        assert copy_function(language("en").tokenizer())(CANDIDATE) == CANDIDATE.split()
        assert copy_function(CoreNLP("http://localhost:9000", timeout_s=7))._client._timeout_s == 7


@pytest.mark.parametrize("name", ["Spice", "coco.Spice", "Soft", "Rewards"])
def test_spawned_workers_score_the_same_before_and_after_use(name, worker):
    make_object, compute_scores = MAKER_AND_SCORER_BY_NAME[name]
    metric = make_object()
    scores_before = worker.submit(compute_scores, metric).result()
    assert scores_before == compute_scores(metric) == worker.submit(compute_scores, metric).result()


def test_rewards_reopen_their_cache(tmp_path):
    rewards = Rewards({"sofa": REFERENCES}, cache=tmp_path / "parses.db")
    expected_scores = rewards.scores(["sofa"], [CANDIDATE])
    for copy_function in (COPY_FUNCTIONS["pickle"], COPY_FUNCTIONS["deepcopy"]):
        copied = copy_function(rewards)
        assert copied.scores(["sofa"], [CANDIDATE]) == expected_scores and copied._cache_file is not rewards._cache_file
        copied.close()
    rewards.close()


@pytest.mark.parametrize("name", METRICS)
def test_registered_metrics_are_pickled_by_name(name):
    for copy_function in COPY_FUNCTIONS.values():
        assert copy_function(METRICS[name]) is METRICS[name]
