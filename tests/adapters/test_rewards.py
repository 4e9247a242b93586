"""SPICE as a reward: the reward functions of verl and OpenRLHF, and HTTP requests of slime and OpenRLHF over the loopback interface."""

import asyncio
import http.client
import json
import pickle
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from spice_core.adapters.reward_functions import compute_score, compute_scores, references_of, reward_func
from spice_core.errors import InputError
from spice_core.evaluation.rewards import Rewards

pytest.importorskip("starlette")
uvicorn = pytest.importorskip("uvicorn")

REFERENCES = ["A brown dog lies on a couch."]
ANSWERS = ["<think>A cat?</think><answer>a dog on a sofa</answer>", "<think>a dog", "a brown dog"]
PROMPT = "Describe the image.\n"


@pytest.fixture(scope="module")
def expected() -> list[float]:
    return Rewards().scores_against([REFERENCES] * 3, ["a dog on a sofa", "", "a brown dog"])


@contextmanager
def served(rewards: Rewards) -> Iterator[int]:
    """Serve rewards over the loopback. Yield the port."""
    from spice_core.adapters.reward_server import reward_app

    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = uvicorn.Server(uvicorn.Config(reward_app(rewards), log_level="critical", lifespan="off"))
        thread = threading.Thread(target=lambda: asyncio.run(server.serve([listener])))
        thread.start()
        yield listener.getsockname()[1]
        server.should_exit = True
        thread.join()


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with Rewards() as rewards, served(rewards) as port:
        yield port


def post(port: int, body: object, content_type: str = "application/json") -> tuple[int, object]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    connection.request("POST", "/", content, {"Content-Type": content_type})
    response = connection.getresponse()
    content = response.read()
    return response.status, json.loads(content) if response.status < 500 else content


def test_reward_functions_have_the_signatures_of_verl_and_openrlhf(expected: list[float]):
    assert compute_scores(["coco"] * 3, ANSWERS, [json.dumps(REFERENCES), REFERENCES[0], tuple(REFERENCES)], [None] * 3) == expected
    assert compute_score(data_source="coco", solution_str=ANSWERS[0], ground_truth=REFERENCES, extra_info={"index": 1}) == expected[0]
    torch = pytest.importorskip("torch")
    result = reward_func([PROMPT + answer for answer in ANSWERS], [PROMPT] * 3, [REFERENCES] * 3)
    assert torch.allclose(result["rewards"], torch.tensor(expected)) and {*result} == {"rewards", "scores", "extra_logs"}


def test_labels_without_references_are_reported():
    assert references_of("[a dog]") == ["[a dog]"]
    for label in ([], None, 7, [1], "[]"):
        with pytest.raises(InputError, match="references"):
            references_of(label)


def test_clients_get_the_rewards_of_the_library(port: int, expected: list[float]):
    answers: list[tuple[int, object]] = [(0, None)] * 30

    def ask_like_slime(n: int) -> None:
        answers[n] = post(port, {"prompt": PROMPT, "response": ANSWERS[n % 3], "label": json.dumps(REFERENCES)})

    threads = [threading.Thread(target=ask_like_slime, args=(n,)) for n in range(len(answers))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [(200, expected[n % 3]) for n in range(30)]
    request = {"query": [PROMPT + answer for answer in ANSWERS], "prompts": [PROMPT] * 3, "labels": [REFERENCES] * 3}
    assert post(port, request) == (200, {"rewards": expected, "scores": expected})
    assert post(port, {"solution_str": ANSWERS[0], "ground_truth": REFERENCES}) == (200, {"score": expected[0]})


@pytest.mark.parametrize(("body", "content_type", "status", "message"), [
    (pickle.dumps({"response": "a dog"}), "application/octet-stream", 415, "content type"), (b"{", "application/json", 400, "Expecting"),
    ({"response": "a dog"}, "application/json", 400, "references"), ({"response": 7, "label": ["a dog"]}, "application/json", 400, "expected a caption"),
    ({"query": ["a"], "labels": []}, "application/json", 400, "expected an object with response and label"), ([1], "application/json", 400, "expected an object"),
    (b" " * ((16 << 20) + 1), "application/json", 413, "more than 16 MB"),
])  # fmt: skip
def test_invalid_requests_are_refused(port: int, body: object, content_type: str, status: int, message: str):
    found_status, answer = post(port, body, content_type)
    assert found_status == status and message in answer["error"]


def test_an_unexpected_error_ends_only_its_request(expected: list[float]):
    """No request waits in vain, and the next one is scored."""

    class FailingOnce(Rewards):
        failures = 1

        def scores_against(self, references: object, candidates: object) -> list[float]:
            if self.failures:
                self.failures -= 1
                raise RuntimeError("secret")
            return super().scores_against(references, candidates)

    request = {"response": ANSWERS[0], "label": REFERENCES}
    with FailingOnce() as rewards, served(rewards) as port:
        assert post(port, request) == (500, b"Internal Server Error")
        assert post(port, request) == (200, expected[0])
