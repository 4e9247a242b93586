"""SPICE as a reward over HTTP, with the JSON of slime's and OpenRLHF's remote reward models. It needs Starlette and Uvicorn."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from spice_core.adapters.reward_functions import answers_of, references_of
from spice_core.data.items import check_caption
from spice_core.errors import InputError, Message, SpiceError
from spice_core.evaluation.rewards import Rewards

MAX_BODY_BYTES = 16 << 20  # maximum size of a request
MAX_BATCH_CAPTIONS = 4_096  # maximum number of answers of a request, and of answers scored together
_MAX_QUICK_CHARS = 1_000  # captions up to this size are scored in the event loop, without a change of thread
TIMEOUT_S = 120  # a request that takes longer is answered with status 503


class _PendingRequest(NamedTuple):
    """The answers of a request with their references, and the future of their rewards."""

    references: list[list[str]]
    answers: list[str]
    rewards: asyncio.Future[list[float]]


class _Batcher:
    """Collects the requests that arrive during scoring, and scores them as one batch."""

    def __init__(self, rewards: Rewards):
        self._rewards = rewards
        self._waiting: list[_PendingRequest] = []
        self._worker: asyncio.Task[None] | None = None

    async def scores(self, references: list[list[str]], answers: list[str]) -> list[float]:
        """Return the rewards of the answers of one request, in order."""
        request = _PendingRequest(references, answers, asyncio.get_running_loop().create_future())
        self._waiting.append(request)
        if self._worker is None or self._worker.done():
            self._worker = asyncio.create_task(self._score_waiting())
        return await request.rewards

    async def _score_waiting(self) -> None:
        while self._waiting:
            requests, count = list[_PendingRequest](), 0
            while self._waiting and (not requests or count + len(self._waiting[0].answers) <= MAX_BATCH_CAPTIONS):
                requests.append(self._waiting.pop(0))
                count += len(requests[-1].answers)
            if not await self._score(requests) and len(requests) > 1:
                for request in requests:  # only the faulty request gets an error
                    await self._score([request])

    async def _score(self, requests: Sequence[_PendingRequest]) -> bool:
        """Set the rewards of the requests. Return False if scoring fails; a single request gets the error."""
        requests = [request for request in requests if not request.rewards.done()]  # a request that timed out is done
        references = [captions for request in requests for captions in request.references]
        answers = [answer for request in requests for answer in request.answers]
        try:
            compute, is_quick = self._rewards.scores_against, sum(map(len, chain(answers, *references))) <= _MAX_QUICK_CHARS
            scores = iter(compute(references, answers) if is_quick else await asyncio.to_thread(compute, references, answers))
        except Exception as error:  # any exception, so that no request waits in vain
            if len(requests) == 1 and not requests[0].rewards.done():
                requests[0].rewards.set_exception(error)
            return False
        for request in requests:
            values = [next(scores) for _ in request.answers]
            if not request.rewards.done():
                request.rewards.set_result(values)
        return True


def reward_app(rewards: Rewards) -> Starlette:
    """Return a Starlette app whose path / scores requests, and whose path /health answers ``ok``.

    A request is ``{"response": …, "label": …}`` (slime), answered by a number, ``{"solution_str": …, "ground_truth": …}`` (verl), answered by
    ``{"score": …}``, or ``{"query": [...], "prompts": [...], "labels": [...]}`` (OpenRLHF), answered by ``{"rewards": [...]}``.
    Labels and ground truths are lists of references, also as JSON texts. Invalid requests are answered with status 400, 413 or 415.
    """
    batcher = _Batcher(rewards)

    async def score(request: Request) -> Response:
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            return _error(415, "found another content type than application/json")  # pickle, for example, would run code
        body = b""
        async for chunk in request.stream():
            body += chunk
            if len(body) > MAX_BODY_BYTES:
                return _error(413, f"found more than {MAX_BODY_BYTES >> 20} MB")
        try:
            row = json.loads(body)
            with rewards.cleaning_count.counting():
                references, answers = _read_request(row)
            async with asyncio.timeout(TIMEOUT_S):
                scores = await batcher.scores(references, answers)
        except TimeoutError:
            return _error(503, f"no rewards within {TIMEOUT_S} s")
        except (SpiceError, ValueError, RecursionError) as error:
            return _error(400, str(error))
        if "response" in row:
            return JSONResponse(scores[0])
        return JSONResponse({"score": scores[0]} if "solution_str" in row else {"rewards": scores, "scores": scores})

    async def health(_: Request) -> Response:
        return JSONResponse("ok")

    return Starlette(routes=[Route("/", score, methods=["POST"]), Route("/health", health)])


def _error(status: int, message: str) -> JSONResponse:
    return JSONResponse({"error": message}, status)


def _read_request(row: object) -> tuple[list[list[str]], list[str]]:
    """Return the references and the answers of a request. Raises InputError for an invalid request."""
    fields: Mapping[str, Any] = row if isinstance(row, dict) else {}
    names = next((names for names in (("response", "label"), ("solution_str", "ground_truth")) if names[0] in fields), ())
    values: list[Any] = [[fields.get(name)] for name in names] or [fields.get("query"), fields.get("labels"), fields.get("prompts")]
    if values[-1] is None:  # without prompts
        values.pop()
    if not all(isinstance(value, list) for value in values) or len({*map(len, values)}) != 1 or len(values[0]) > MAX_BATCH_CAPTIONS:
        raise InputError("request", sorted(map(str, fields)), Message("expected.reward_request", number=MAX_BATCH_CAPTIONS))
    for n, text in enumerate(chain(values[0], *values[2:]), 1):
        if not isinstance(text, str):
            raise InputError(f"text {n}", text, Message("expected.caption"))
    texts = [check_caption(answer, f"answer {n}") for n, answer in enumerate(answers_of(values[0], values[2] if values[2:] else None), 1)]
    return [[check_caption(text, f"references {n}") for text in references_of(label)] for n, label in enumerate(values[1], 1)], texts
