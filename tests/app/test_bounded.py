"""Test the process that reads uploads: hostile files exceed its limits and are refused, and the next file is read."""

from __future__ import annotations

import gzip
import io
import os
import signal
from collections.abc import Iterator

import pytest
from PIL import Image

from pages.parts.kit.worker import MAX_CALL_BYTES, Worker
from pages.parts.uploads import reading
from pages.parts.uploads.pictures import scale_down
from spice_core.data.reader import Upload
from spice_core.errors import InputError, SpiceError
from spice_core.lang.tree_file import TreeFile


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
