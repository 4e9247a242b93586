"""Test the task queue: visitors wait for one another, stop, leave and return. The worker ends with the app."""

import os
import pickle
import shlex
import signal
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from subprocess import DEVNULL, PIPE, Popen
from threading import Event

import psutil
import pytest

from pages.parts.jobs import runs, tasks
from pages.parts.jobs.runs import MeasurementTask
from pages.parts.kit import worker as worker_module
from pages.parts.kit.texts import t
from pages.parts.kit.worker import Worker
from pages.parts.state import settings
from pages.parts.uploads import reading
from spice_core.cli import main
from spice_core.data.reader import Upload
from spice_core.errors import InputError, SpiceError
from spice_core.evaluation.run import RunOptions
from spice_core.metrics.config import SpiceConfig
from tests.app.conftest import APP
from tests.browser.conftest import free_port, wait_for
from tests.visitor import Visitor, json_lines

# Enough long captions to keep runs alive while the test looks at the waiting visitors.
_ROOM = """a room with a large window, a wooden table, two chairs, a red rug, a lamp, a shelf with many books, a plant in a pot,
and a picture of a boat on the wall beside the open door of the small kitchen"""
MANY_ROWS = json_lines([
    {"image_id": i, "test": f"A dog on {i} sofas.", "refs": [f"{i} brown dogs lie on {j} couches in {_ROOM}." for j in range(10)]} for i in range(2500)
])  # fmt: skip
PROGRESS_TEXT = " of 2500 images"
SERVER_SCRIPT = """
import os
import sys
from pathlib import Path
from streamlit.web.cli import main
from pages.parts.jobs import runs, tasks

class Grace:
    def __lt__(self, waited):
        return waited > (1 if Path(os.environ["GRACE_IS_OVER"]).exists() else 600)

assert tasks._RECONNECT_TIMEOUT_S and tasks._MAX_TURN_S and runs._WORKING_POLL_S and runs._WAITING_POLL_S
tasks._RECONNECT_TIMEOUT_S = Grace()
tasks._MAX_TURN_S = 600  # no run lasts as long as its turn
runs._WORKING_POLL_S = runs._WAITING_POLL_S = 0.2
main(["run", "app.py", "--server.headless=true", f"--server.port={sys.argv[1]}"])
"""


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """The address of a running app, which ends the runs of disconnected visitors when the file ``over`` exists."""
    port, env = free_port(), os.environ | {"GRACE_IS_OVER": str(tmp_path / "over")}
    process = Popen([sys.executable, "-c", SERVER_SCRIPT, str(port)], cwd=APP.parent, env=env, stdout=DEVNULL, stderr=DEVNULL)
    try:
        wait_for(f"http://localhost:{port}/_stcore/health", process)
        yield f"http://localhost:{port}"
    finally:
        process.terminate()
        process.wait(timeout=240)


def start_long_run(address: str) -> Visitor:
    visitor = Visitor(address, "Batch")
    visitor.choose("batch.source", t("batch.files"))
    visitor.upload("batch.file", "many.jsonl", MANY_ROWS)
    visitor.click("batch.start")
    visitor.wait_for_text(t("batch.stop"))
    return visitor


def never_abandoned() -> bool:
    return False


def test_visitors_wait_for_one_another_and_can_return_and_leave(address: str, tmp_path: Path):
    with Visitor(address, "Batch") as sender:
        sender.choose("batch.source", t("batch.files"))
        (of_samples,) = sender.fragments
        # Run only the fragment: a run of the full page would lose about half of the files.
        for text_number in range(10):
            sender.begin(fragment=of_samples)
            assert sender.request_upload_urls(f"{text_number}.csv").upload_url
    with (
        start_long_run(address) as first_visit,
        start_long_run(address) as second_visit,
        start_long_run(address) as third_visit,
        Visitor(address) as other_visit,
    ):
        second_visit.wait_for_text(t("queue.place", place=2))
        third_visit.wait_for_text(t("queue.place", place=3))
        first_visit.wait_for_text(PROGRESS_TEXT)
        assert first_visit.query.startswith("run=")
        other_visit.write(candidate="A zebra on a red sofa.")
        other_visit.click("inspect.score")
        assert "zebra" in other_visit.shown_text(), "Inspect answers during a run"
        first_visit.refresh()
        assert PROGRESS_TEXT in first_visit.shown_text()
        with Visitor(address, "Batch", first_visit.query) as copied_visit:
            assert t("batch.stop") not in copied_visit.shown_text() and copied_visit.query == "", "a run belongs to one page"
        first_visit.close()
        with Visitor(address, "Batch", first_visit.query) as reloaded_visit:
            reloaded_visit.wait_for_text(PROGRESS_TEXT)
        (tmp_path / "over").touch()
        second_visit.wait_for_text(PROGRESS_TEXT)
        third_visit.wait_for_text(t("queue.place", place=2))
        second_visit.click("batch.stop")
        third_visit.wait_for_text(PROGRESS_TEXT)
        second_visit.wait_for_text("Stopped after")


def test_tasks_run_one_after_another_and_stopped_ones_free_their_place(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(worker_module, "_ABANDONED_CALL_S", 0.1)
    long, *other_tasks = (MeasurementTask(call, (args,)).start() for call, args in ((time.sleep, 600), (sum, [1]), (sum, [2]), (sum, [3])))
    assert [task.queue_position for task in (long, *other_tasks)] == [1, 2, 3, 4]
    other_tasks[1].stop()
    long.stop()
    for task in (long, *other_tasks):
        task.wait(240)
    assert [task.result for task in (long, *other_tasks)] == [None, 1, None, 3]
    assert not any(task.is_working or task.failure or task.queue_position for task in (long, *other_tasks))


def test_a_visitor_has_a_maximum_number_of_tasks(monkeypatch: pytest.MonkeyPatch):
    gate = Event()
    monkeypatch.setattr(tasks.Task, "_execute", lambda task: gate.wait())

    def start_task(visitor: str) -> tasks.Task:
        monkeypatch.setattr(tasks.Task, "_record_session", lambda task: setattr(task, "_session", visitor))
        return tasks.Task().start()

    *own_tasks, refused_task, other_task = (start_task(visitor) for visitor in [*["mine"] * tasks.MAX_TASKS, "mine", "another"])
    assert refused_task.failure == t("queue.most", most=tasks.MAX_TASKS) and not refused_task.is_working
    assert all(task.is_working for task in (*own_tasks, other_task))
    gate.set()
    for task in (*own_tasks, other_task):
        task.wait(240)


def test_visitors_take_turns_and_each_continues_its_first_task(monkeypatch: pytest.MonkeyPatch):
    order, gate, seconds = [], Event(), [1.0]

    class StepTask(tasks.Task):
        def __init__(self, visitor: str, name: str, steps: int) -> None:
            self.visitor, self.name, self.steps = visitor, name, steps

        def _record_session(self) -> None:
            self._session = self.visitor

        def _execute(self) -> None:
            for _ in range(self.steps):
                self.call(order.append, self.name)

    class GatedWorker:
        def call(self, function, *args, is_abandoned):
            assert gate.wait(240)
            seconds[0] += 2 * tasks._MAX_TURN_S
            function(*args)

    monkeypatch.setattr(tasks, "_SHARED_WORKER", GatedWorker())
    monkeypatch.setattr(tasks, "monotonic", lambda: seconds[0])
    first_task, second_task, third_task = (
        StepTask(*arguments).start() for arguments in (("A", "a", 4), ("A", "after a", 1), ("B", "b", 2))
    )
    assert (first_task.other_task_count, third_task.other_task_count, third_task.has_begun) == (1, 2, False)
    gate.set()
    for task in (first_task, second_task, third_task):
        task.wait(240)
    assert order == ["a", "b", "a", "b", "a", "a", "after a"]


def test_a_long_run_shows_the_remaining_time_and_the_command():
    run = runs.ScoringRun((), settings.default_config("ja"), "my file.jsonl")
    command = shlex.split(runs._score_command(run))
    options = main._make_parser().parse_args(command[1:])
    assert (options.input, options.lang, options.parser, options.rules) == ("my file.jsonl", "ja", "ginza", "ja-caption")
    assert [runs._remaining_time_text(seconds) for seconds in (0.0, 90.0, 4800.0)] == ["", " · 90 s left", " · about 80 min left"]


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    """A worker process that is ready for the next call after each test."""
    test_worker = Worker()
    yield test_worker
    test_worker.end()


def test_the_worker_reports_errors_and_answers_the_next_call(worker: Worker):
    """Printed text does not count as an answer."""
    no_ratings = partial(reading.read_ratings, Upload("a.csv", b"candidate,ref1\nA dog.,A cat.\n"))
    for call, error, reason in (
        (no_ratings, InputError, "rating"),
        (partial(int, "no number"), SpiceError, "ValueError: invalid literal"),
        (partial(os._exit, 3), SpiceError, "exited unexpectedly"),
    ):
        with pytest.raises(error, match=reason):
            worker.call(call, is_abandoned=never_abandoned)
        assert worker.call(print, "hello", is_abandoned=never_abandoned) is None
        assert worker.call(os.write, 1, b"hello", is_abandoned=never_abandoned) == 5


def test_an_idle_worker_ends_and_the_next_call_starts_another(worker: Worker, monkeypatch: pytest.MonkeyPatch):
    """A worker that exits while a call arrives causes no error."""
    first_pid = worker.call(os.getpid, is_abandoned=never_abandoned)
    # Simulate the exit of an idle worker.
    worker._process.stdin.write(pickle.dumps((os._exit, (worker_module._IDLE_EXIT_CODE,))))
    worker._process.stdin.flush()
    second_pid = worker.call(os.getpid, is_abandoned=never_abandoned)
    assert first_pid != second_pid and worker.call(sum, [1, 2], is_abandoned=never_abandoned) == 3
    monkeypatch.setattr(worker_module, "_IDLE_TIMEOUT_S", 0.0)
    monkeypatch.setattr(os, "_exit", sys.exit)
    with pytest.raises(SystemExit, match=str(worker_module._IDLE_EXIT_CODE)):
        worker_module._next_call(SimpleQueue())


def test_a_worker_loads_one_language_and_ends_with_its_input():
    """Two languages in one process would need more than an additional gigabyte."""
    worker, processes = Worker(), []
    english, japanese = SpiceConfig("en"), SpiceConfig("ja")
    for call in ((repr, english), (repr, RunOptions(english)), (sum, [1, 2]), (repr, RunOptions(japanese)), (repr, english)):
        worker.call(*call, is_abandoned=never_abandoned)
        processes.append(worker._process)
    assert processes[0] is processes[1] is processes[2] and len({process.pid for process in processes[2:]}) == 3
    last_process = processes[-1]
    last_process.stdin.close()
    assert last_process.wait(240) == 0
    worker.end()


@pytest.mark.release
def test_the_worker_ends_with_the_app_even_if_the_app_is_killed():
    code = (
        "from pages.parts.kit.worker import Worker; import time; w = Worker(); "
        "print(w.call(__import__('os').getpid, is_abandoned=lambda: False), flush=True); w.call(time.sleep, 600, is_abandoned=lambda: False)"
    )
    app = Popen([sys.executable, "-c", code], cwd=APP.parent, stdout=PIPE)
    worker = psutil.Process(int(app.stdout.readline()))
    app.send_signal(signal.SIGKILL)
    app.wait()
    worker.wait(240)
    assert not worker.is_running()
