"""Test tasks in worker processes and on Dask: exceptions reach the caller unchanged, and crashes are reported in one line."""

import gc
import os
import pickle
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from spice_core.data.reader import RowError
from spice_core.errors import InputError, Message, MissingResourceError, RuleError, SpiceError, UnknownNameError
from spice_core.evaluation import executors
from spice_core.evaluation.executors import collect_garbage_rarely, run_in_processes, run_on_dask

ERRORS = [
    InputError("field test", 5, "a caption"),
    RowError("in.json", "row 2", InputError("field test", 5, "a caption")),
    UnknownNameError("rule set", "mine", ["caption"]),
    RuleError("rule x: no pattern", part="pattern", position=3),
    MissingResourceError("pip install it"),
]


def raise_error() -> None:
    raise ERRORS[1]


def exit_process() -> None:
    os._exit(1)


def exit_once(marker: str) -> str:
    """End the process, unless an earlier call has created the file ``marker``."""
    try:
        Path(marker).touch(exist_ok=False)
    except FileExistsError:
        return "done"
    os._exit(1)


def kill_parent() -> None:
    from distributed.scheduler import KilledWorker

    raise KilledWorker("die", SimpleNamespace(address="a worker"), 0)


def test_errors_survive_pickling_and_a_crash_is_reported_in_one_line():
    for error in ERRORS:
        restored_error = pickle.loads(pickle.dumps(error))
        assert type(restored_error) is type(error) and str(restored_error) == str(error) and vars(restored_error) == vars(error)
    with pytest.raises(RowError, match="in.json, row 2, field test: found 5, expected a caption"), run_in_processes(2) as submit:
        submit(raise_error)()
    with pytest.raises(SpiceError, match="a worker process exited unexpectedly"), run_in_processes(2) as submit:
        submit(exit_process)()


def test_worker_processes_end_with_their_parent_even_if_it_is_killed():
    program = """if __name__ == "__main__":
    import time
    from spice_core.evaluation.executors import run_in_processes

    with run_in_processes(3) as submit:
        waiting = [submit(time.sleep, 1000) for _ in range(3)]
        print("started", flush=True)
        waiting[0]()
"""
    run = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert run.stdout.readline() == "started\n"
    run.send_signal(signal.SIGKILL)
    # ``communicate`` returns only when all processes that hold the other end of the pipe have ended.
    assert run.communicate(timeout=120)[0] == ""


def test_dask_runs_tasks_and_reports_errors_in_one_line():
    """The workers are threads of this process. A task that raises the error of a dead worker simulates one."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None) as cluster:
        with run_on_dask(cluster.scheduler_address, notify=print) as submit:
            assert [result() for result in [submit(divmod, 7, 2), submit(divmod, 7, 2)]] == [(3, 1)] * 2
            with pytest.raises(RowError, match="in.json, row 2, field test: found 5, expected a caption"):
                submit(raise_error)()
        with (
            pytest.raises(SpiceError, match="Dask gave up on a task: .*died while running it"),
            run_on_dask(cluster.scheduler_address, notify=print) as submit,
        ):
            submit(kill_parent)()


def test_a_dask_scheduler_without_workers_is_reported_once_and_awaited(monkeypatch: pytest.MonkeyPatch):
    """A worker starts after the notice, which is not repeated."""
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr(executors, "_NO_WORKER_NOTICE_S", 0.05)
    notices, read_info = [], distributed.Client.scheduler_info

    def scheduler_info(client):
        if notices:
            cluster.scale(1)
        return read_info(client)

    monkeypatch.setattr(distributed.Client, "scheduler_info", scheduler_info)
    with (
        distributed.LocalCluster(n_workers=0, threads_per_worker=1, processes=False, dashboard_address=None) as cluster,
        run_on_dask(cluster.scheduler_address, notify=notices.append) as submit,
    ):
        assert submit(divmod, 7, 2)() == (3, 1)
        assert notices == [f"the Dask scheduler at {cluster.scheduler_address} has no worker; the run waits for one"]


@pytest.mark.release
def test_the_death_of_a_dask_worker_is_reported_and_its_task_runs_elsewhere(tmp_path: Path):
    """The first run of the task ends its worker."""
    distributed = pytest.importorskip("distributed")
    notices: list[Message] = []
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        run_on_dask(cluster.scheduler_address, notify=notices.append) as submit,
    ):
        assert submit(exit_once, str(tmp_path / "marker"))() == "done"
        assert [notice.key for notice in notices] == ["notice.dask_worker_died"] and notices[0].values["number"] == 1


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="there is no SIGSTOP")
def test_an_interrupted_run_does_not_wait_for_stopped_workers(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(executors, "_SHUTDOWN_TIMEOUT_S", 0.1)
    with pytest.raises(KeyboardInterrupt), run_in_processes(1) as submit:
        worker = psutil.Process(submit(os.getpid)())
        worker.suspend()
        submit(os.getpid)
        raise KeyboardInterrupt
    worker.wait(240)


def test_garbage_collection_is_rare_only_during_a_run():
    """Workers use the run's threshold. Afterwards, this process restores its own."""
    thresholds = gc.get_threshold()
    with pytest.raises(RuleError), collect_garbage_rarely():
        assert gc.get_threshold()[0] > thresholds[0] and gc.get_freeze_count() > 0
        with run_in_processes(1) as submit:
            assert submit(gc.get_threshold)() == gc.get_threshold()
        raise ERRORS[3]
    assert gc.get_threshold() == thresholds and gc.get_freeze_count() == 0
