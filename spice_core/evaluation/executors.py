"""Executors of a run's tasks: this process, several processes, or a Dask cluster."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING, Any

from spice_core.errors import InputError, Message, SpiceError, not_installed_error

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

MAX_WORKERS = 4 * (os.cpu_count() or 1)  # maximum number of processes; more would only need memory
SubmitTask = Callable[..., Callable[[], Any]]  # starts a task and returns a function that waits for the result
_POLL_INTERVAL_S = 0.1  # interval at which a waiting process handles signals
_OBJECTS_PER_GARBAGE_COLLECTION = 10_000  # garbage collection threshold of the youngest generation; parsing and scoring leave few cycles
_NO_WORKER_NOTICE_S = 30.0  # time without a result after which a scheduler without workers is reported
_SHUTDOWN_TIMEOUT_S = 3.0  # time for workers to finish their current task when a run is interrupted


@contextmanager
def collect_garbage_rarely() -> Iterator[None]:
    """Collect garbage less often, and skip the objects loaded so far.

    Examining these objects takes time and copies memory pages of forked workers.
    """
    thresholds = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(_OBJECTS_PER_GARBAGE_COLLECTION, *thresholds[1:])
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
        gc.unfreeze()


@contextmanager
def run_serially() -> Iterator[SubmitTask]:
    """Run each task in this process when its result is requested."""
    yield lambda *task: lambda: task[0](*task[1:])


@contextmanager
def run_in_processes(workers: int, resource: Callable[[], AbstractContextManager[object]] = nullcontext) -> Iterator[SubmitTask]:
    """Run tasks in several processes, which start immediately so that they do not inherit files opened later.

    ``resource`` returns a context manager that delays signals during each call of the pool. Otherwise, an exception raised by
    a signal handler while the pool holds a lock would leave the lock held, and the pool could not shut down.
    """
    from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor, wait
    from multiprocessing import active_children

    def result_of(future: Future[Any]) -> Any:
        while not future.done():
            with resource():
                wait([future], _POLL_INTERVAL_S)
        with resource():
            return future.result()

    def submit_task(*task: Any) -> Callable[[], Any]:
        with resource():
            future = pool.submit(*task)
        return lambda: result_of(future)

    earlier_processes, pool = set(active_children()), ProcessPoolExecutor(workers, initializer=_initialise_worker)
    try:
        try:
            submit_task(int)()
        except OSError as error:
            raise SpiceError(Message("error.no_worker", reason=error.strerror)) from None
        yield submit_task
    except BrokenExecutor:
        raise SpiceError(Message("error.worker_died")) from None
    except BaseException:
        with resource():
            pool.shutdown(wait=False, cancel_futures=True)
            _terminate_workers(set(active_children()) - earlier_processes)
        raise
    finally:
        with resource():
            pool.shutdown(cancel_futures=True)


class WorkerPool:
    """Processes that run tasks for any thread and stay alive between runs.

    The processes are spawned at the first tasks, so they inherit no thread, lock or device of this process.
    """

    def __init__(self, workers: int):
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import get_context

        self._executor = ProcessPoolExecutor(workers, get_context("spawn"), initializer=_initialise_worker)

    def submit(self, *task: Any) -> Callable[[], Any]:
        """Start a task and return a function that waits for its result. Both raise BrokenExecutor if a worker has died."""
        return self._executor.submit(*task).result

    def close(self) -> None:
        """End the processes after their current tasks."""
        self._executor.shutdown(cancel_futures=True)


@contextmanager
def run_on_dask(address: str, notify: Callable[[Message], object]) -> Iterator[SubmitTask]:
    """Run tasks on the workers of a Dask scheduler. The workers must have this package installed.

    ``notify`` is called with a notice if a worker dies, whose tasks other workers run again, and once if there is no worker, because
    tasks then wait for one. Raises MissingResourceError if Dask is not installed, InputError if no scheduler answers, and SpiceError if
    a task ends several workers or the scheduler dies.
    """
    from concurrent.futures import CancelledError

    try:
        from distributed import Client, Future, wait
        from distributed.scheduler import KilledWorker
    except ImportError:
        raise not_installed_error("Dask", 'pip install ".[dask]"') from None
    try:
        client = Client(address, timeout=10)
    except (OSError, ValueError):
        raise InputError("--dask", address, Message("expected.scheduler")) from None
    has_worker = True

    def result_of(future: Future) -> Any:
        nonlocal has_worker
        while not future.done():
            try:
                wait(future, _NO_WORKER_NOTICE_S)
            except TimeoutError:
                had_worker, has_worker = has_worker, bool(client.scheduler_info()["workers"])
                if had_worker and not has_worker:
                    notify(Message("notice.no_dask_worker", address=address))
        return future.result()

    def report_death(event: tuple[float, Any]) -> None:
        _, details = event
        if isinstance(details, dict) and details.get("action") == "remove-worker" and not details.get("expected"):
            notify(Message("notice.dask_worker_died", worker=details["worker"], number=len(details["processing-tasks"])))

    with client:
        client.subscribe_topic("all", report_death)
        try:
            yield lambda *task: partial(result_of, client.submit(*task, pure=False))
        except (KilledWorker, CancelledError) as error:
            reason, *_ = str(error).split("\n")
            raise SpiceError(Message("error.dask_gave_up", reason=reason)) from None


def _terminate_workers(workers: Iterable[BaseProcess]) -> None:
    """Wait for the workers of an interrupted run to exit, and kill those that do not exit in time."""
    end = monotonic() + _SHUTDOWN_TIMEOUT_S
    for worker in workers:
        worker.join(max(0.0, end - monotonic()))
        if worker.is_alive():
            worker.kill()


def _initialise_worker() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the main process handles interrupts
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    gc.set_threshold(_OBJECTS_PER_GARBAGE_COLLECTION, *gc.get_threshold()[1:])
    Thread(target=_exit_with_main_process, daemon=True).start()
    # use one thread per process; OpenBLAS reads this variable once, when NumPy is imported
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def _exit_with_main_process() -> None:
    """Exit when the main process has exited for any reason, because nothing else would stop this process."""
    from multiprocessing import connection, parent_process

    if parent := parent_process():
        connection.wait([parent.sentinel])
    os._exit(1)
