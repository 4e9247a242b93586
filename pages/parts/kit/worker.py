"""Workers: separate processes that run long computations or read uploads, so that the pages stay responsive.

The app starts one with ``python -m pages.parts.kit.worker``. It reads calls from standard input, answers on standard output, and runs at
low priority. It may use as much memory as the app, so it ends after ``_IDLE_TIMEOUT_S`` without a call and before a call in another
language. It also ends with the app. A bounded worker (``--bounded``) runs each call in a fork of itself with limited memory and time,
because a small file can unpack to any size. The answer goes through a temporary file, so that the app builds it after the fork has ended.
"""

import os
import pickle
import select
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from tempfile import TemporaryFile
from threading import RLock, Thread
from time import monotonic
from typing import BinaryIO, TypeVar

from spice_core.data.reader import Upload
from spice_core.errors import InputError, Message, SpiceError
from spice_core.evaluation.run import RunOptions
from spice_core.metrics.config import SpiceConfig

_APP_FOLDER = Path(__file__).parents[3]
_WORKER_NICENESS = 10
_IDLE_TIMEOUT_S, _IDLE_EXIT_CODE = 20.0, 75  # idle time before the process exits, and its exit code
_POLL_S = 0.2
_ABANDONED_CALL_S = 2.0  # time for the answer of an abandoned call, about as long as starting a process
_PROCESS_ENDED = object()
# Memory and processor time of a bounded call. With the worker itself (30 MB), a call adds less than 150 MB to the app.
MAX_CALL_BYTES, MAX_CALL_S = 100 << 20, 60
T = TypeVar("T")


class CallAbandoned(Exception):
    """The caller abandoned the call."""


class Worker:
    """A worker process, started at the first call, with one call at a time. ``is_bounded`` limits a call's time and memory."""

    def __init__(self, *, is_bounded: bool = False) -> None:
        self._options = ["--bounded"] if is_bounded else []
        self._lock = RLock()
        self._process: subprocess.Popen | None = None
        self._answers: SimpleQueue = SimpleQueue()
        self._lang = ""

    def call(self, function: Callable[..., T], *args: object, is_abandoned: Callable[[], bool]) -> T:
        """Call a function in the process, and return its value. Raise SpiceError if the function fails or the process ends unexpectedly.

        A bounded worker raises InputError if the call needs more than ``MAX_CALL_BYTES`` or ``MAX_CALL_S``. If ``is_abandoned`` returns True for longer than ``_ABANDONED_CALL_S`` and no answer arrives, kill the process and raise
        CallAbandoned.
        """
        with self._lock:
            return self._call(function, args, is_abandoned)

    def _call(self, function: Callable[..., T], args: tuple[object, ...], is_abandoned: Callable[[], bool]) -> T:
        process, start_time = self._ensure_process(_lang_of_arguments(args)), 0.0
        try:
            assert process.stdin
            pickle.dump((function, args), process.stdin)
            process.stdin.flush()
        except OSError:
            pass  # _read_answers reports the end of the process
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
                idle = process.wait() == _IDLE_EXIT_CODE  # an idle process may exit just before the call
                self.end()
                if idle:
                    return self._call(function, args, is_abandoned)
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
            command = [sys.executable, "-m", "pages.parts.kit.worker", *self._options]
            environment = os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}  # the pages use the other cores
            self._process = subprocess.Popen(command, cwd=_APP_FOLDER, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            Thread(target=_read_answers, args=(self._process.stdout, self._answers), daemon=True).start()
        return self._process


def _lang_of_arguments(args: tuple[object, ...]) -> str:
    """Return the language of the first settings among the arguments, or "" without settings."""
    settings = (argument.config if isinstance(argument, RunOptions) else argument for argument in args)
    return next((argument.lang for argument in settings if isinstance(argument, SpiceConfig)), "")


def _read_answers(stream: BinaryIO, answers: SimpleQueue) -> None:
    """Put each answer of the process into the queue, and ``_PROCESS_ENDED`` after the last answer."""
    while True:
        try:
            answers.put(pickle.load(stream))
        except Exception:  # the process has ended, or runs newer code than the app
            answers.put((False, _PROCESS_ENDED))
            return


def main() -> None:
    """Answer calls until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the app handles interrupts itself
    if hasattr(os, "nice"):
        os.nice(_WORKER_NICENESS)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # the output of libraries must not mix with the answers
    if "--bounded" in sys.argv and hasattr(os, "fork"):
        _answer_bounded_calls(answers)
    calls: SimpleQueue = SimpleQueue()
    Thread(target=_read_calls, args=(calls,), daemon=True).start()
    while True:
        answers.write(pickle.dumps(_answer(*_next_call(calls))))
        answers.flush()


def _answer(function: Callable, args: tuple) -> tuple[bool, object]:
    """Return whether a call succeeds, and its value or error."""
    try:
        return True, function(*args)
    except SpiceError as error:
        return False, error
    except MemoryError:
        raise
    except Exception as error:  # the app may fail to unpickle an exception
        return False, SpiceError(f"{type(error).__name__}: {error}")


def _answer_bounded_calls(answers: BinaryIO) -> None:
    """Answer each call in a fork. Exit after ``_IDLE_TIMEOUT_S`` without a call, and when the input ends."""
    sys.modules["numpy"] = None  # type: ignore[assignment]  # openpyxl and pyarrow would import it, which takes 30 MB and a second
    while select.select([sys.stdin], [], [], _IDLE_TIMEOUT_S)[0]:
        try:
            call = pickle.load(sys.stdin.buffer)
        except EOFError:
            sys.exit()
        with TemporaryFile() as file:
            if not (pid := os.fork()):
                _answer_in_fork(call, file)
            status = os.waitpid(pid, 0)[1]
            if status:
                is_slow = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU
                found = Message("found.slow", seconds=MAX_CALL_S) if is_slow else Message("found.memory", megabytes=MAX_CALL_BYTES >> 20)
                name = next((argument.name for argument in call[1] if isinstance(argument, Upload)), "")
                pickle.dump((False, InputError(name, found, Message("expected.smaller_file"))), answers)
            else:
                file.seek(0)
                shutil.copyfileobj(file, answers)
        answers.flush()
        del call  # may contain a large file
    sys.exit(_IDLE_EXIT_CODE)


def _answer_in_fork(call: tuple[Callable, tuple], file: BinaryIO) -> None:
    """Write the answer to a file and exit, with exit code 0 unless the call needs too much memory."""
    exit_code = 1
    try:
        _limit_resources()
        pickle.dump(_answer(*call), file)
        file.flush()
        exit_code = 0
    finally:
        os._exit(exit_code)


def _limit_resources() -> None:
    """Limit this process's future memory allocation and its processor time, where the system supports it."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (MAX_CALL_S, MAX_CALL_S + 1))
        # RLIMIT_AS would also count library code, which is loaded at first use.
        data_pages = int(Path("/proc/self/statm").read_text().split()[5])
        resource.setrlimit(resource.RLIMIT_DATA, (data_pages * resource.getpagesize() + MAX_CALL_BYTES,) * 2)


def _next_call(calls: SimpleQueue) -> tuple[Callable, tuple]:
    """Return the next call. Exit if none arrives within ``_IDLE_TIMEOUT_S``."""
    try:
        call: tuple[Callable, tuple] = calls.get(timeout=_IDLE_TIMEOUT_S)
    except Empty:
        os._exit(_IDLE_EXIT_CODE)  # the reading thread would block a normal exit
    return call


def _read_calls(calls: SimpleQueue) -> None:
    """Put the calls from standard input into the queue, and exit when the input ends."""
    while True:
        try:
            calls.put(pickle.load(sys.stdin.buffer))
        except BaseException:
            os._exit(0)


if __name__ == "__main__":
    main()
