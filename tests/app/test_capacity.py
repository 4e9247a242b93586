"""Test server limits: the size of uploads, the numbers of open pages and files, garbage collection, and the process that reads uploads."""

import asyncio
import gc
import gzip
import io
import os
import signal
import subprocess
import sys
import weakref
from collections.abc import Callable, Iterator
from threading import current_thread
from types import SimpleNamespace

import pytest
from PIL import Image
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.testclient import TestClient

from pages.parts.kit import capacity, shell, visit
from pages.parts.kit.texts import t
from pages.parts.kit.worker import MAX_CALL_BYTES, Worker
from pages.parts.uploads import reading
from pages.parts.uploads.pictures import scale_down
from spice_core.data.reader import Upload
from spice_core.errors import InputError, SpiceError
from spice_core.lang.tree_file import TreeFile
from tests.app.conftest import run_full_collection
from tests.coroutines import run_coroutine


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> TestClient:
    """A server that stores files as Streamlit does, with a limit of 1 MB per upload."""
    files: dict[str, dict[str, SimpleNamespace]] = {}

    async def store_file(request: Request) -> Response:
        session, name = request.path_params["session"], request.path_params["name"]
        files.setdefault(session, {})[name] = SimpleNamespace(data=await request.body())
        return Response(status_code=204)

    async def close_session(request: Request) -> Response:
        del files[request.path_params["session"]]
        return Response(status_code=204)

    runtime = SimpleNamespace(uploaded_file_mgr=SimpleNamespace(file_storage=files))
    monkeypatch.setattr(capacity.st, "get_option", {"server.maxUploadSize": 1}.__getitem__)
    monkeypatch.setattr(capacity.st.runtime, "get_instance", lambda: runtime)
    path = "/base/_stcore/upload_file/{session}"
    routes = [Route(path + "/{name}", store_file, methods=["PUT"]), Route(path, close_session, methods=["DELETE"])]
    return TestClient(Starlette(routes=routes, middleware=[Middleware(capacity.LimitUploads)]))


def upload(client: TestClient, session: str, name: str, visitor: str = "", size_bytes: int = 1 << 20) -> int:
    cookies = {"cookie": f"{visit.VISIT_COOKIE}={visitor}"} if visitor else {}
    return client.put(f"/base/_stcore/upload_file/{session}/{name}", content=bytes(size_bytes), headers=cookies).status_code


def test_the_uploads_of_all_tabs_of_a_browser_share_a_limit(server):
    assert [upload(server, f"tab{n % 2}", str(n), "ann") for n in range(5)] == [204, 204, 204, 204, 413]
    assert upload(server, "tab0", "9", "ann", size_bytes=1) == 413 and upload(server, "other", "0", "bea") == 204
    # Closing a tab frees its uploads.
    server.delete("/base/_stcore/upload_file/tab0")
    assert upload(server, "tab1", "9", "ann") == 204


def test_each_tab_of_a_browser_without_cookies_has_its_own_limit(server):
    assert [upload(server, "one", str(n)) for n in range(5)] == [204] * 4 + [413] and upload(server, "two", "0") == 204
    answer = server.put("/base/_stcore/upload_file/one/9", content=bytes(1))
    assert answer.text == "Expected at most 4 MB of uploads in all. Remove a file first."
    for headers in ({"accept-language": "ja,en"}, {"referer": "http://x/Batch?ui=ja", "accept-language": "en"}):
        answer = server.put("/base/_stcore/upload_file/one/9", content=bytes(1), headers=headers)
        assert answer.status_code == 413 and answer.text == t("states.upload_total", language="ja", most=4)


def test_an_upload_without_a_length_is_refused(server):
    # The content is sent in chunks, without a Content-Length header.
    answer = server.put("/base/_stcore/upload_file/one/1", content=iter([b"a", b"b"]))
    assert answer.status_code == 411 and "Content-Length" in answer.text


def test_uploads_count_while_they_arrive(monkeypatch):
    """Send five uploads at once, so that all are requested before the first is stored."""
    monkeypatch.setattr(capacity.st, "get_option", {"server.maxUploadSize": 1}.__getitem__)
    monkeypatch.setattr(capacity.st.runtime, "get_instance", lambda: SimpleNamespace(uploaded_file_mgr=SimpleNamespace(file_storage={})))
    sent_sizes: list[int] = []

    async def store_upload(scope: object, receive: object, send: object) -> None:
        await asyncio.sleep(0)
        sent_sizes.append(204)

    async def request_upload(limit: capacity.LimitUploads) -> None:
        scope = {"type": "http", "method": "PUT", "path": "/_stcore/upload_file/one/1", "headers": [(b"content-length", b"1048576")]}

        async def answer(message: dict[str, object]) -> None:
            sent_sizes.extend([message["status"]] if "status" in message else [])  # type: ignore[list-item]

        await limit(scope, None, answer)  # type: ignore[arg-type]

    async def run_uploads() -> None:
        limit = capacity.LimitUploads(store_upload)
        await asyncio.gather(*(request_upload(limit) for _ in range(5)))
        # Uploads that have ended no longer count.
        await request_upload(limit)

    run_coroutine(run_uploads())
    assert sorted(sent_sizes) == [204] * 5 + [413]


@pytest.mark.parametrize(("language", "start"), [("en-GB", "The server"), ("ja", "このサーバー"), ("de", "The server")])
def test_a_full_server_refuses_new_pages_in_the_visitors_language(monkeypatch, language, start):
    monkeypatch.setattr(capacity, "is_full", lambda: True)
    answer = TestClient(Starlette(routes=shell.document_routes())).get("/Batch", headers={"accept-language": language})
    assert answer.status_code == 503 and answer.headers["retry-after"] == "30" and answer.text.startswith(start)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_the_server_opens_as_many_files_as_the_system_allows_and_sees_when_they_run_out():
    program = """
import resource
from pages.parts.kit import capacity
most = min(resource.getrlimit(resource.RLIMIT_NOFILE)[1], 4096) if resource.getrlimit(resource.RLIMIT_NOFILE)[1] > 0 else 4096
resource.setrlimit(resource.RLIMIT_NOFILE, (256, most))
capacity.raise_file_limit()
assert resource.getrlimit(resource.RLIMIT_NOFILE) == (most, most)
resource.setrlimit(resource.RLIMIT_NOFILE, (256, most))
assert not capacity.is_full()
files = [open("/dev/null") for _ in range(256 - capacity.RESERVED_FILES)]
assert capacity.is_full()
"""
    subprocess.run([sys.executable, "-c", program], check=True, cwd=shell.APP_FOLDER, timeout=240)


class CyclicResult:
    """Data left behind by a visitor. Because it refers to itself, only garbage collection frees it."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock that tests set. The last full garbage collection was at time 0.

    Threads that other tests left running do not collect garbage.
    """
    seconds, test_thread = [0.0], current_thread()

    def run_in_thread(function: Callable[[], None]) -> Callable[[], None]:
        return lambda: function() if current_thread() is test_thread else None

    def walk(*_: object, **__: object) -> list[object]:
        raise AssertionError("a list of all objects holds tuples that other threads are still building")

    monkeypatch.setattr(gc, "get_objects", walk)
    monkeypatch.setattr(capacity, "monotonic", lambda: seconds[0])
    monkeypatch.setattr(capacity, "freeze_loaded_objects", run_in_thread(run_full_collection))
    monkeypatch.setattr(capacity, "freeze_new_objects", run_in_thread(capacity.freeze_new_objects))
    capacity.freeze_loaded_objects()
    return seconds


def test_new_objects_are_excluded_from_collections_only_if_there_are_many(clock: list[float]):
    for object_count, frozen_count in ((10, 0), (capacity._MAX_NEW_BLOCKS, capacity._MAX_NEW_BLOCKS)):
        objects = [CyclicResult() for _ in range(object_count)]
        gc.collect()
        count_before = gc.get_freeze_count()
        capacity.freeze_new_objects()
        newly_frozen = gc.get_freeze_count() - count_before
        assert newly_frozen >= frozen_count if frozen_count else newly_frozen <= 0
        assert objects


def test_memory_of_a_departed_visitor_is_freed_within_a_minute(clock: list[float]):
    objects = [CyclicResult() for _ in range(capacity._MAX_NEW_BLOCKS)]
    reference = weakref.ref(objects[0])
    gc.collect()
    capacity.freeze_new_objects()
    del objects
    gc.collect()
    assert reference(), "no search looks at what was left out"
    clock[0] = capacity._FULL_SEARCH_INTERVAL_S + 1
    capacity.freeze_new_objects()
    assert not reference()


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    bounded_worker = Worker(is_bounded=True)
    yield bounded_worker
    bounded_worker.end()


def image(mode: str, form: str, **options: object) -> bytes:
    """Return a small file of an image of 16 megapixels."""
    buffer = io.BytesIO()
    Image.new(mode, (4000, 4000)).save(buffer, form, **options)
    return buffer.getvalue()


def long_tree() -> Upload:
    """Return a small file of a line that is too long."""
    return Upload("a.conllu.gz", gzip.compress(b"1\t" + b"x" * (MAX_CALL_BYTES + 1) + b"\n", 1))


CASES = {
    "memory": (bytearray, (MAX_CALL_BYTES + 1,), "more than 100 MB of memory"),
    "exit": (os._exit, (3,), "more than 100 MB of memory"),
    "time": (signal.raise_signal, (signal.SIGXCPU,), "more than 60 s"),
    "error": (int, ("no number",), "ValueError: invalid literal"),
    "trees": (TreeFile, (long_tree,), "a.conllu.gz: found content that needs more than 100 MB"),
}


@pytest.mark.parametrize("name", CASES)
def test_a_call_beyond_the_limits_is_refused_and_the_next_call_is_answered(worker, name):
    function, args, message = CASES[name]
    with pytest.raises(SpiceError if name == "error" else InputError, match=message):
        worker.call(function, *(arg() if callable(arg) else arg for arg in args), is_abandoned=lambda: False)
    rows = Upload("a.csv", b"image_id,test,ref1\n1,A dog.,A cat.\n")
    assert len(worker.call(reading.read_data, rows, is_abandoned=lambda: False).items) == 1


@pytest.mark.parametrize(("mode", "form", "options"), [
    ("CMYK", "JPEG", {"progressive": True}), ("RGBA", "WEBP", {"lossless": True}), ("RGBA", "PNG", {}),
])  # fmt: skip
def test_an_image_that_needs_too_much_memory_is_refused(worker, mode, form, options):
    try:
        assert worker.call(scale_down, image(mode, form, **options), 96, is_abandoned=lambda: False) is None
    except InputError as error:
        assert "memory" in str(error)
