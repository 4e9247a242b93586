"""Rewards equal ``Spice.compute`` with any number of workers, parse captions once, and report invalid input."""

import asyncio
import gc
import os
import random
import re
import runpy
import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from spice_core import Spice
from spice_core.errors import InputError, SpiceError
from spice_core.evaluation import rewards as module
from spice_core.evaluation.executors import MAX_WORKERS
from spice_core.evaluation.rewards import Rewards
from spice_core.rules import conditions
from spice_core.scene.propositions import Parse
from spice_core.syntax.document import Document
from tests.coroutines import run_coroutine

REFERENCES = {
    "sofa": ["A brown dog lies on a couch.", "Two dogs, one of them brown, on a sofa."],
    7: ["A man is riding a wave on a surfboard. His board is yellow."],
}
REQUESTED_REWARDS = [
    (7, "A man on a surf board."),
    ("sofa", "a dog on a sofa"),
    ("sofa", ""),
    (7, "A man riding a yellow board"),
    ("sofa", "a dog on a sofa"),
    ("sofa", "Two dogs, one of them brown, on a sofa."),
]
SAMPLED_CAPTIONS = [
    (image, f"{who} {what}") for who, what in product(("a dog", "A tall man", "two cats"), ("on a sofa", "")) for image in REFERENCES
]


class CountingParser:
    """A parser that counts the captions it reads."""

    def __init__(self, parser):
        self.parser, self.signature, self.read = parser, parser.signature, Counter[str]()

    def parse(self, captions: Iterable[str]):
        captions = list(captions)
        self.read.update(captions)
        return self.parser.parse(captions)


class FragileParser:
    """A parser that finds nothing, refuses one caption, and crashes on another."""

    signature = "fragile-1"

    def parse(self, captions: Iterable[str]) -> Iterator[Document]:
        for caption in captions:
            if caption == "lost":
                os._exit(1)
            if caption == "refused":
                raise ValueError("no such word")
            yield Document(caption, ())


@pytest.fixture(scope="module")
def spice() -> Spice:
    return Spice()


@pytest.fixture
def counting_spice(spice: Spice) -> Spice:
    return Spice(parser=CountingParser(spice.parser), rules=spice.rules)


def scores(rewards: Rewards) -> list[float]:
    return rewards.scores(*zip(*REQUESTED_REWARDS))


def test_rewards_equal_the_scores_of_the_metric_and_invalid_input_is_reported(spice: Spice):
    expected_scores = [spice.compute(text, REFERENCES[image]).f1 for image, text in REQUESTED_REWARDS]
    assert scores(Rewards(REFERENCES, spice=spice)) == expected_scores
    images, texts = zip(*REQUESTED_REWARDS)
    assert Rewards(spice=spice).scores_against([REFERENCES[image] for image in images], texts) == expected_scores
    for references, ids, candidates, place in [
        ({1: ["a dog"]}, [1, 1], ["a dog"], "candidates"),
        ({1: ["a dog"]}, [1], "a", "candidates"),
        ({1: ["a dog"]}, [2], ["a dog"], "references[2]"),
        ({1: []}, [1], ["a dog"], "references[1]"),
        ({"1": "a dog"}, ["1"], ["a dog"], "references['1']"),
        ({1: [["dog"]]}, [1], ["a dog"], "references[1]"),
        ({1: ["a dog"]}, [1], [None], "candidates[0]: found None, expected a caption"),
        ({1: ["a dog"]}, [1, 1], ["a dog", "dog " * 50_000], "candidates[1]: found 200,000 characters"),
        ({1: ["a cat", "\ud800"]}, [1], ["a dog"], "references[1][1]: found '\\ud800'"),
        ({1: None}, [1], ["a dog"], "references[1]"),
        ({1: np.array([])}, [1], ["a dog"], "references[1]"),
    ]:
        with pytest.raises(InputError) as error_info:
            Rewards(references, spice=spice).scores(ids, candidates)
        assert place in str(error_info.value)
    assert Rewards({1: np.array(["a dog", "a cat"])}, spice=spice).scores([1], ["a dog"]) == [spice.compute("a dog", ["a dog", "a cat"]).f1]
    with pytest.raises(InputError, match="references: found 1 list, expected 2 lists of references, one for each candidate"):
        Rewards(spice=spice).scores_against([["a dog"]], ["a dog", "a cat"])
    for worker_count in (0, MAX_WORKERS + 1):
        with pytest.raises(InputError, match=f"workers: found {worker_count}, expected 1 to {MAX_WORKERS}"):
            Rewards(workers=worker_count)


def test_captions_are_parsed_once_and_references_are_cached_in_the_file(counting_spice: Spice, tmp_path):
    rewards, read_count = Rewards(REFERENCES, spice=counting_spice), counting_spice.parser.read
    first_scores, second_scores = scores(rewards), scores(rewards)
    assert first_scores == second_scores
    assert set(read_count) == {text for _, text in REQUESTED_REWARDS} | {text for texts in REFERENCES.values() for text in texts}
    assert set(read_count.values()) == {1}
    # Repeat, because closing ``Rewards`` must break neither the metric nor the cache.
    for _ in range(2):
        with Rewards(REFERENCES, spice=counting_spice, cache=tmp_path / "parses.db") as rewards:
            assert scores(rewards) == first_scores
            file = rewards._cache_file
            rewards.close()
            assert scores(rewards) == first_scores and rewards._cache_file is not file
    assert {read_count[text] for texts in REFERENCES.values() for text in texts} == {2} and read_count["a dog on a sofa"] == 3


def test_the_toy_captioner_learns_from_rewards(spice: Spice):
    script = runpy.run_path(str(Path(__file__).parents[2] / "docs" / "train_captioner.py"))
    rewards = Rewards(script["REFERENCES"], spice=spice)
    for method in ("self_critical", "group_relative"):
        curve = script["train"](rewards, script[method], steps=40)
        assert curve[0] < 0.4 and curve[-1] > 0.6


@pytest.mark.parametrize("seed", range(3))
def test_order_chunk_size_and_evictions_change_no_score(spice: Spice, monkeypatch, seed):
    rng, expected_scores = (
        random.Random(seed),
        {sample_caption: spice.compute(sample_caption[1], REFERENCES[sample_caption[0]]).f1 for sample_caption in SAMPLED_CAPTIONS},
    )
    monkeypatch.setattr(module, "_MAX_CACHED_IMAGES", 1)
    monkeypatch.setattr(module, "_CAPTIONS_PER_PART", rng.randint(1, 4))
    monkeypatch.setattr("spice_core.evaluation.parse_cache._MAX_CAPTIONS_IN_MEMORY", 2)
    rewards = Rewards(REFERENCES, spice=spice)
    for _ in range(3):
        requested = rng.choices(SAMPLED_CAPTIONS, k=10)
        assert rewards.scores(*zip(*requested)) == [expected_scores[sample_caption] for sample_caption in requested]
    assert len(rewards._sample_cache._latest_parses) <= 2 and len(rewards._merged_references) == 1


def test_workers_give_the_same_scores_to_threads_and_event_loops(spice: Spice, monkeypatch):
    # With this minimum, both workers receive captions.
    monkeypatch.setattr(module, "_MIN_CAPTIONS_PER_TASK", 2)
    requested, expected_scores = tuple(zip(*SAMPLED_CAPTIONS)), Rewards(REFERENCES, spice=spice).scores(*zip(*SAMPLED_CAPTIONS))

    async def score_concurrently() -> list[list[float]]:
        return await asyncio.gather(rewards.scores_async(*requested), rewards.scores_async(*requested))

    with Rewards(REFERENCES, workers=2) as rewards:
        assert run_coroutine(score_concurrently()) == [expected_scores, expected_scores] and rewards.scores(*requested) == expected_scores
    assert run_coroutine(Rewards(REFERENCES, spice=spice).scores_async(*requested)) == expected_scores


def test_errors_of_workers_name_the_caption_and_the_next_call_starts_new_workers():
    with Rewards({1: ["a dog"]}, spice=Spice(parser=FragileParser()), workers=2) as rewards:
        with pytest.raises(ValueError, match="no such word") as error_info:
            rewards.scores([1, 1], ["a cat", "refused"])
        assert error_info.value.__notes__ == ["caption: 'refused'"]
        with pytest.raises(SpiceError, match="a worker process exited unexpectedly"):
            rewards.scores([1], ["lost"])
        assert rewards.scores([1, 1], ["a cat", ""]) == [0, 0]


def test_a_caption_that_the_rules_cannot_read_is_reported(spice: Spice, monkeypatch):
    monkeypatch.setattr(conditions, "MIN_STEP_LIMIT", 0)
    monkeypatch.setattr(conditions, "STEPS_PER_TOKEN", 0)
    with pytest.raises(InputError, match="'a dog on a sofa': found captions that the rules cannot process"):
        Rewards({1: [""]}, spice=spice).scores([1, 1], ["", "a dog on a sofa"])


def test_a_cancelled_call_ends_and_the_next_is_complete(spice: Spice, monkeypatch):
    monkeypatch.setattr(module, "_CAPTIONS_PER_PART", 1)
    has_begun, go, encode = threading.Event(), threading.Event(), module.encode_parse

    def wait(parse: Parse) -> str:
        has_begun.set()
        assert go.wait(60)
        return encode(parse)

    async def cancel() -> None:
        task = asyncio.create_task(rewards.scores_async(*requested))
        await asyncio.to_thread(has_begun.wait, 60)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        go.set()

    requested, rewards = tuple(zip(*SAMPLED_CAPTIONS)), Rewards(REFERENCES, spice=spice)
    with monkeypatch.context() as patch:
        patch.setattr(module, "encode_parse", wait)
        run_coroutine(cancel())
    read_count = len(rewards._sample_cache._latest_parses)
    assert read_count < len(SAMPLED_CAPTIONS) / 2 and rewards.scores(*requested) == Rewards(REFERENCES, spice=spice).scores(*requested)


def test_removed_marks_are_counted_once_per_run(spice: Spice, caplog: pytest.LogCaptureFixture):
    gc.collect()  # objects of other tests
    caplog.clear()
    rewards = Rewards({1: ["a dog"]}, spice=spice)
    rewards.scores([1, 1], ["<think>A cat?</think>a dog", "a dog"])
    rewards.scores_against([["<p>a dog</p>"]], ["a dog"])
    assert not caplog.messages
    del rewards
    gc.collect()
    assert caplog.messages == ["spice-core: removed marks of 2 kinds from 2 captions (<think>, <br>)"]


def test_the_task_of_lmms_eval_has_the_scores_of_the_metric(spice: Spice):
    """The calls are those of lmms-eval: ``process_results`` for each sample, then an aggregation of all values."""
    folder = Path("docs/lmms_eval")
    scorer = runpy.run_path(str(folder / "scorer.py"))
    functions = re.findall(r"!function scorer\.(\w+)", (folder / "caption_spice.yaml").read_text())
    assert {*functions} == {"image_of", "process_results", "mean_spice"} <= scorer.keys()
    docs = [{"question": "", "answer": REFERENCES[image]} for image, _ in REQUESTED_REWARDS]
    values = [scorer["process_results"](doc, [text])["SPICE"] for doc, (_, text) in zip(docs, REQUESTED_REWARDS)]
    assert scorer["mean_spice"](values) == np.mean([spice.compute(text, REFERENCES[image]).f1 for image, text in REQUESTED_REWARDS])
