"""The machine's queue: visitors wait for one another, stop, leave and come back; the worker ends with the app."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from queue import SimpleQueue
from threading import Event, Thread

import psutil
import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.kit.texts import t
from pages.parts.session import datasets, settings, tasks, work
from pages.parts.session import worker as worker_module
from pages.parts.session.runs import Measurement, Run
from pages.parts.session.worker import Abandoned, Worker
from spice_core.errors import InputError, SpiceError
from spice_core.evaluation.run import RunOptions
from spice_core.metrics.config import SpiceConfig
from tests.app.conftest import APP, shown
from tests.browser.conftest import free_port, serving
from tests.visitor import Visitor, rows

USUAL = settings.usual("en")
MANY = rows([{"image_id": i, "test": f"A dog on {i} sofas.", "refs": [f"{i} brown dogs lie on a couch."]} for i in range(9000)])
pytestmark = pytest.mark.parser


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving(free_port()) as url:
        yield url


def scoring(address: str) -> Visitor:
    """A visitor whose long run has begun or waits."""
    visitor = Visitor(address, "Batch")
    visitor.choose("batch.source", t("batch.files"))
    visitor.upload("batch.file", "many.jsonl", MANY)
    visitor.click("batch.start")
    visitor.until(t("batch.stop"))
    return visitor


def started(*names: str, images: int = 240) -> list[Run]:
    data = datasets.sample()
    return [Run(data.items[:images], USUAL, name).start() for name in names]


def never() -> bool:
    return False


def test_visitors_see_their_place_and_a_run_ends_with_its_visit(address: str):
    with scoring(address) as first, scoring(address) as second, scoring(address) as third:
        second.until(t("queue.place", place=2))
        third.until(t("queue.place", place=3))
        first.close()
        second.until(" of 9000 images")
        third.until(t("queue.place", place=2))
        second.click("batch.stop")
        third.until(" of 9000 images")
        second.until("Stopped after")


def test_a_page_that_is_loaded_anew_goes_on_with_its_run_and_no_other_page_does(address: str):
    with scoring(address) as first:
        first.until(" of 9000 images")
        assert first.query.startswith("run=")
        with Visitor(address, "Batch", first.query) as other:
            assert t("batch.stop") not in other.shown() and other.query == ""
    with Visitor(address, "Batch", first.query) as again:
        again.until(" of 9000 images")
        again.click("batch.stop")
        again.until("Stopped after")


def test_inspect_is_drawn_while_a_run_is_at_work(address: str):
    with scoring(address) as first, Visitor(address) as other:
        first.until(" of 9000 images")
        other.write(candidate="A zebra on a red sofa.")
        other.click("inspect.score")
        assert "zebra" in other.shown()
        first.look()
        assert " of 9000 images" in first.shown()


def test_a_file_that_is_sent_as_the_list_of_sample_files_opens_is_not_lost(address: str):
    with Visitor(address, "Batch") as visitor:
        visitor.choose("batch.source", t("batch.files"))
        (of_samples,) = visitor.fragments
        for number in range(20):  # of twenty, a run of the whole page would lose about ten
            visitor.begin(fragment=of_samples)
            assert visitor.place(f"{number}.csv").upload_url


def test_those_who_wait_come_one_after_another():
    long = Measurement(time.sleep, (600,)).start()
    runs = started("a", "b", "c", images=24)
    assert [task.place for task in (long, *runs)] == [1, 2, 3, 4]
    runs[1].stop()
    long.stop()
    for run in runs:
        run.wait(240)
    assert [len(run.rows) for run in runs] == [24, 0, 24] and not runs[1].failure
    assert [task.place for task in (long, *runs)] == [0, 0, 0, 0]


def test_a_visitor_has_a_limit(monkeypatch: pytest.MonkeyPatch):
    runs = started(*["mine"] * tasks.MOST)
    monkeypatch.setattr(tasks.Task, "_attend", lambda task: setattr(task, "_session", "someone"))
    for run in runs:
        run._session = "someone"
    (refused,) = started("one more")
    monkeypatch.setattr(tasks.Task, "_attend", lambda task: setattr(task, "_session", "someone else"))
    (other,) = started("of another visitor")
    assert refused.failure == t("queue.most", most=tasks.MOST) and not refused.working and other.working
    for run in (*runs, other):
        run.stop()
        run.wait(240)


def test_a_measurement_that_is_stopped_does_not_hold_the_machine():
    long = Measurement(time.sleep, (600,)).start()
    (run,) = started("after it", images=24)
    long.stop()
    run.wait(240)
    long.wait(240)
    assert len(run.rows) == 24 and not long.working and long.result is None and not long.failure


def test_ratings_are_measured_in_the_queue():
    app = AppTest.from_file(str(APP), default_timeout=240).switch_page("pages/5_Agreement.py").run()
    app.segmented_control(key="agreement.source").set_value("upload").run()
    table = b"candidate,ref1,rating\nA dog.,A dog.,5\nA cat.,A dog.,1\nA dog on a sofa.,A brown dog on a sofa.,4\n"
    app.file_uploader(key="agreement.file").set_value([("mine.csv", table, "text/csv")]).run()
    app.button(key="agreement.measure").click().run()
    app.session_state["agreement.study"].wait(240)
    assert "3 items" in shown(app.run())
    app.file_uploader(key="agreement.file").set_value([("mine.csv", b"a,b\n1,2\n", "text/csv")]).run()
    app.button(key="agreement.measure").click().run()
    app.session_state["agreement.study"].wait(240)
    assert "mine.csv" in "".join(block.proto.body for block in app.run().get("html") if 'role="alert"' in block.proto.body)


@pytest.mark.parametrize(
    ("call", "error", "reason"),
    [
        (partial(work.rated, "a.csv", b"candidate,ref1\nA dog.,A cat.\n", USUAL, "caption", ["SPICE"]), InputError, "rating"),
        (partial(int, "no number"), SpiceError, "ValueError: invalid literal"),
        (partial(os._exit, 3), SpiceError, "ended before its time"),
    ],
)
def test_what_goes_wrong_in_the_worker_is_told(call, error, reason):
    worker = Worker()
    with pytest.raises(error, match=reason):
        worker.call(call, abandoned=never)
    assert worker.call(sum, [1, 2], abandoned=never) == 3
    worker.end()


def test_what_is_printed_in_the_worker_is_no_answer():
    worker = Worker()
    assert worker.call(print, "hello", abandoned=never) is None and worker.call(os.write, 1, b"hello", abandoned=never) == 5
    worker.end()


def test_a_call_that_nobody_waits_for_ends():
    worker, gone, ended = Worker(), Event(), Event()

    def ask() -> None:
        with pytest.raises(Abandoned):
            worker.call(time.sleep, 600, abandoned=gone.is_set)
        ended.set()

    Thread(target=ask, daemon=True).start()
    gone.set()
    assert ended.wait(240) and worker.call(max, 1, 2, abandoned=never) == 2
    worker.end()


def test_a_worker_that_nobody_calls_ends_and_the_next_call_starts_another(monkeypatch):
    """A worker that ends as the call comes is no error."""
    worker = Worker()
    first = worker.call(os.getpid, abandoned=never)
    worker._process.stdin.write(pickle.dumps((os._exit, (worker_module._IDLE,))))  # what the time without a call does
    worker._process.stdin.flush()
    second = worker.call(os.getpid, abandoned=never)
    assert first != second and worker.call(sum, [1, 2], abandoned=never) == 3
    worker.end()
    monkeypatch.setattr(worker_module, "_IDLE_S", 0.0)
    monkeypatch.setattr(os, "_exit", sys.exit)
    with pytest.raises(SystemExit, match=str(worker_module._IDLE)):
        worker_module._next(SimpleQueue())


def test_a_worker_loads_one_language():
    """Two languages in a process, beside the app with both, are more than a gigabyte."""
    worker, processes = Worker(), []
    for lang in ("en", "en", "", "ja", "en"):
        worker.call(*((repr, SpiceConfig(lang)) if lang else (sum, [1, 2])), abandoned=never)
        processes.append(worker._process.pid)
    worker.end()
    english, again, other, japanese, anew = processes
    assert english == again == other and len({english, japanese, anew}) == 3


def test_a_batch_is_of_a_language_too():
    worker, processes = Worker(), []
    for lang in ("en", "en", "ja"):
        worker.call(repr, RunOptions(SpiceConfig(lang)), abandoned=never)
        processes.append(worker._process.pid)
    worker.end()
    english, again, japanese = processes
    assert english == again != japanese


def test_the_worker_ends_with_the_app_however_that_ends():
    code = (
        "from pages.parts.session.worker import Worker; import time; w = Worker(); "
        "print(w.call(__import__('os').getpid, abandoned=lambda: False), flush=True); w.call(time.sleep, 600, abandoned=lambda: False)"
    )
    app = subprocess.Popen([sys.executable, "-c", code], cwd=APP.parent, stdout=subprocess.PIPE)
    worker = psutil.Process(int(app.stdout.readline()))
    app.send_signal(signal.SIGKILL)
    app.wait()
    worker.wait(240)
    assert not worker.is_running()
