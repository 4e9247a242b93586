"""A process beside the app for what takes long, so that the pages stay quick: ``python -m pages.parts.jobs.worker``.

It reads calls from its input and answers each on its output. It yields to the pages, and ends when its input ends: with the app,
however that ends; when nobody has called for a while, and before it would load a second language, since it holds as much memory as
the app.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import BinaryIO, TypeVar

from spice_core.errors import Message, SpiceError
from spice_core.evaluation.run import RunOptions
from spice_core.metrics.config import SpiceConfig

_ROOT = Path(__file__).parents[3]
_NICENESS = 10
_IDLE_S, _IDLE = 20.0, 75  # seconds without a call, and the code with which the process ends then
_POLL_S = 0.2
_PATIENCE_S = 2.0  # for the answer to a call that nobody waits for any more; starting a process anew costs as much
_ENDED = object()
T = TypeVar("T")


class Abandoned(Exception):
    """Nobody waits for the answer any more."""


class Worker:
    """The process, started at the first call; one call at a time."""

    def __init__(self) -> None:
        self._process: subprocess.Popen | None = None
        self._answers: SimpleQueue = SimpleQueue()
        self._lang = ""

    def call(self, function: Callable[..., T], *args: object, abandoned: Callable[[], bool]) -> T:
        """What the function returns there, or raises.

        Where ``abandoned`` says so the process has a moment to answer and is then ended. Raises Abandoned, and SpiceError where it
        ends by itself.
        """
        process, since = self._started(_lang(args)), 0.0
        try:
            assert process.stdin
            pickle.dump((function, args), process.stdin)
            process.stdin.flush()
        except OSError:
            pass  # it has ended, as what is received tells
        while True:
            try:
                done, answer = self._answers.get(timeout=_POLL_S)
            except Empty:
                since = (since or monotonic()) if abandoned() else 0.0
                if since and monotonic() - since > _PATIENCE_S:
                    self.end()
                    raise Abandoned from None
                continue
            if answer is _ENDED:
                idle = process.wait() == _IDLE  # it ended as the call came
                self.end()
                if idle:
                    return self.call(function, *args, abandoned=abandoned)
                raise SpiceError(Message("error.scorer_ended"))
            if not done:
                raise answer
            return answer

    def end(self) -> None:
        """End the process; the next call starts another."""
        if self._process:
            self._process.kill()
            self._process.wait()
            self._process, self._lang = None, ""

    def _started(self, lang: str) -> subprocess.Popen:
        """The process, which has loaded no language but this one; empty for calls that need none."""
        if lang and self._lang and lang != self._lang:
            self.end()
        self._lang = lang or self._lang
        if self._process is None or self._process.poll() is not None:
            self._answers = SimpleQueue()
            command = [sys.executable, "-m", "pages.parts.jobs.worker"]
            environment = os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}  # the other cores are for the pages
            self._process = subprocess.Popen(command, cwd=_ROOT, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            Thread(target=_receive, args=(self._process.stdout, self._answers), daemon=True).start()
        return self._process


def _lang(args: tuple[object, ...]) -> str:
    """The language of the settings among these arguments; empty where there are none."""
    settings = (each.config if isinstance(each, RunOptions) else each for each in args)
    return next((each.lang for each in settings if isinstance(each, SpiceConfig)), "")


def _receive(stream: BinaryIO, answers: SimpleQueue) -> None:
    """Put each answer where the caller waits for it; at the end, that there is none."""
    while True:
        try:
            answers.put(pickle.load(stream))
        except (EOFError, OSError, pickle.UnpicklingError):
            answers.put((False, _ENDED))
            return


def main() -> None:
    """Answer calls until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is for the app to handle
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no answer
    calls: SimpleQueue = SimpleQueue()
    Thread(target=_read, args=(calls,), daemon=True).start()
    while True:
        function, args = _next(calls)
        try:
            answer = pickle.dumps((True, function(*args)))
        except SpiceError as error:
            answer = pickle.dumps((False, error))
        except Exception as error:  # one that may not be readable there
            answer = pickle.dumps((False, SpiceError(f"{type(error).__name__}: {error}")))
        answers.write(answer)
        answers.flush()


def _next(calls: SimpleQueue) -> tuple[Callable, tuple]:
    """The next call; without one for a while the process ends."""
    try:
        call: tuple[Callable, tuple] = calls.get(timeout=_IDLE_S)
    except Empty:
        os._exit(_IDLE)  # the thread that reads would not let the interpreter end
    return call


def _read(calls: SimpleQueue) -> None:
    """Read calls beside the work, so that the end of the input ends the work too."""
    while True:
        try:
            calls.put(pickle.load(sys.stdin.buffer))
        except BaseException:
            os._exit(0)


if __name__ == "__main__":
    main()
