"""The worker: a separate process that runs long computations, so that the pages stay responsive.

The app starts it with ``python -m pages.parts.jobs.worker``. It reads calls from standard input, answers on standard output, and runs at
low priority. It uses as much memory as the app, so it ends after ``_IDLE_TIMEOUT_S`` without a call and before a call in another language.
It also ends with the app.
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

_APP_FOLDER = Path(__file__).parents[3]
_WORKER_NICENESS = 10
_IDLE_TIMEOUT_S, _IDLE_EXIT_CODE = 20.0, 75  # seconds without a call after which the process ends, and its exit code
_POLL_S = 0.2
_ABANDONED_CALL_S = 2.0  # an abandoned call may still answer within this time, which is about the time to start a new process
_PROCESS_ENDED = object()
T = TypeVar("T")


class CallAbandoned(Exception):
    """The caller abandoned the call."""


class Worker:
    """The worker process, which starts at the first call and handles one call at a time."""

    def __init__(self) -> None:
        self._process: subprocess.Popen | None = None
        self._answers: SimpleQueue = SimpleQueue()
        self._lang = ""

    def call(self, function: Callable[..., T], *args: object, is_abandoned: Callable[[], bool]) -> T:
        """Call a function in the process, and return its value. Raise SpiceError if the function fails or the process ends unexpectedly.

        If ``is_abandoned`` returns True for longer than ``_ABANDONED_CALL_S`` and no answer arrives, kill the process and raise
        CallAbandoned.
        """
        process, start_time = self._ensure_process(_lang_of_arguments(args)), 0.0
        try:
            assert process.stdin
            pickle.dump((function, args), process.stdin)
            process.stdin.flush()
        except OSError:
            pass  # the process has ended, which _read_answers reports
        while True:
            try:
                is_done, answer = self._answers.get(timeout=_POLL_S)
            except Empty:
                start_time = (start_time or monotonic()) if is_abandoned() else 0.0
                if start_time and monotonic() - start_time > _ABANDONED_CALL_S:
                    self.end()
                    raise CallAbandoned from None
                continue
            if answer is _PROCESS_ENDED:
                idle = process.wait() == _IDLE_EXIT_CODE  # the process had been idle and ended just before the call
                self.end()
                if idle:
                    return self.call(function, *args, is_abandoned=is_abandoned)
                raise SpiceError(Message("error.scorer_ended"))
            if not is_done:
                raise answer
            return answer

    def end(self) -> None:
        """Kill the process. The next call starts a new process."""
        if self._process:
            self._process.kill()
            self._process.wait()
            self._process, self._lang = None, ""

    def _ensure_process(self, lang: str) -> subprocess.Popen:
        """Return the process. Start a new one if there is none or if it has loaded another language.

        ``lang`` is empty for calls that need no language.
        """
        if lang and self._lang and lang != self._lang:
            self.end()
        self._lang = lang or self._lang
        if self._process is None or self._process.poll() is not None:
            self._answers = SimpleQueue()
            command = [sys.executable, "-m", "pages.parts.jobs.worker"]
            environment = os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}  # the pages use the other cores
            self._process = subprocess.Popen(command, cwd=_APP_FOLDER, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            Thread(target=_read_answers, args=(self._process.stdout, self._answers), daemon=True).start()
        return self._process


def _lang_of_arguments(args: tuple[object, ...]) -> str:
    """Return the language of the first settings among the arguments, or "" if there are no settings."""
    settings = (argument.config if isinstance(argument, RunOptions) else argument for argument in args)
    return next((argument.lang for argument in settings if isinstance(argument, SpiceConfig)), "")


def _read_answers(stream: BinaryIO, answers: SimpleQueue) -> None:
    """Put each answer of the process into the queue, and ``_PROCESS_ENDED`` after the last answer."""
    while True:
        try:
            answers.put(pickle.load(stream))
        except (EOFError, OSError, pickle.UnpicklingError):
            answers.put((False, _PROCESS_ENDED))
            return


def main() -> None:
    """Answer calls until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the app handles interrupts itself
    if hasattr(os, "nice"):
        os.nice(_WORKER_NICENESS)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # the output of libraries must not mix with the answers
    calls: SimpleQueue = SimpleQueue()
    Thread(target=_read_calls, args=(calls,), daemon=True).start()
    while True:
        function, args = _next_call(calls)
        try:
            answer = pickle.dumps((True, function(*args)))
        except SpiceError as error:
            answer = pickle.dumps((False, error))
        except Exception as error:  # the app may fail to unpickle an exception
            answer = pickle.dumps((False, SpiceError(f"{type(error).__name__}: {error}")))
        answers.write(answer)
        answers.flush()


def _next_call(calls: SimpleQueue) -> tuple[Callable, tuple]:
    """Return the next call. End the process if no call arrives within ``_IDLE_TIMEOUT_S``."""
    try:
        call: tuple[Callable, tuple] = calls.get(timeout=_IDLE_TIMEOUT_S)
    except Empty:
        os._exit(_IDLE_EXIT_CODE)  # the reading thread would block a normal exit
    return call


def _read_calls(calls: SimpleQueue) -> None:
    """Put the calls from standard input into the queue, and end the process immediately when the input ends."""
    while True:
        try:
            calls.put(pickle.load(sys.stdin.buffer))
        except BaseException:
            os._exit(0)


if __name__ == "__main__":
    main()
