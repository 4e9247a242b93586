"""Test images next to captions: found by the id or file name in a row, resized, and served at secret URLs. Hostile files are ignored."""

import gc
import io
import json
import struct
import time
import zipfile
import zlib
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Event, Timer

import pytest
import streamlit as st
from PIL import Image
from starlette.applications import Starlette
from starlette.testclient import TestClient
from streamlit.runtime.uploaded_file_manager import UploadedFile, UploadedFileRec
from streamlit.testing.v1 import AppTest

from pages.parts.batch import downloads, persistence
from pages.parts.batch.decisions import Decisions
from pages.parts.kit.texts import t
from pages.parts.state import links, settings
from pages.parts.state.engine import CaptionInputs
from pages.parts.uploads import datasets, images
from pages.parts.uploads.images import LARGE_PX, SMALL_PX, ImageSet
from spice_core.draw.style import PLAIN
from tests.app.conftest import open_page, page_html
from tests.app.test_batch import GOOD_ROWS, open_with_file, run_batch, score_data, upload

pytestmark = pytest.mark.usefixtures("run_tasks_in_process")


def jpeg(size_px: tuple[int, int] = (800, 600), colour: str = "red", form: str = "JPEG", mode: str = "RGB", **options: object) -> bytes:
    buffer = io.BytesIO()
    Image.new(mode, size_px, colour).save(buffer, form, **options)
    return buffer.getvalue()


def zip_archive(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def make_image_set(*names: str) -> ImageSet:
    return ImageSet((name, lambda: b"") for name in names)


ID_BY_FILE_NAME = {
    "COCO_val2014_000000391895.jpg": (391895, "391895", "COCO_val2014_000000391895.jpg", "COCO_val2014_000000391895"),
    "photos/dog.png": ("elsewhere/dog.png", "dog"),
    "犬.webp": ("犬",),
    "7.gif": (7,),
}


def test_an_image_is_found_by_the_id_of_its_row():
    # The id 12 finds no image, because two names end in the number 12.
    image_set = make_image_set(*ID_BY_FILE_NAME, "a/x_12.jpg", "b/y_0012.jpg")
    for place, ids in enumerate(ID_BY_FILE_NAME.values()):
        assert [image_set.find(image_id) for image_id in ids] == [place] * len(ids)
    for image_id in (12, 5, "../../etc/passwd", "", -7, "٧", "9" * 5000):
        assert image_set.find(image_id) is None


def test_an_image_is_found_by_the_file_that_its_row_names():
    image_set = make_image_set("7.gif", "x/b.jpg")
    for file in ("b.jpg", "val2014/b.jpg", "C:\\\\photos\\\\b.jpg", "http://images.cocodataset.org/val2014/b.jpg?size=1"):
        assert image_set.with_row_files({7: file}).find(7) == 1 and image_set.find(7) == 0
    assert [image_set.with_row_files({7: file}).find(7) for file in ("../../../etc/passwd", "gone.jpg", "")] == [0, 0, 0]


def test_images_are_resized_and_rotated():
    for form in ("JPEG", "PNG", "WEBP", "GIF"):
        image_set = ImageSet([("1", partial(jpeg, (900, 300), form=form))])
        for max_px in (SMALL_PX, LARGE_PX):
            with Image.open(io.BytesIO(image_set.jpeg_at(0, max_px))) as image:
                assert image.format == "JPEG" and image.size == (max_px, round(max_px / 3))
    exif = Image.Exif()
    exif[0x0112] = 6
    for make_image, max_px in ((partial(jpeg, (40, 20)), (40, 20)), (partial(jpeg, (300, 100), exif=exif), (100, 300))):
        with Image.open(io.BytesIO(ImageSet([("1", make_image)]).jpeg_at(0, LARGE_PX))) as image:
            assert image.size == max_px and not image.getexif(), "turned, and no larger than it was"


def oversized_png() -> bytes:
    def chunk(name: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    head = struct.pack(">IIBBBBB", 30_000, 30_000, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(bytes(3751 * 300))) + chunk(b"IEND", b"")


def test_invalid_or_oversized_images_are_ignored():
    large_images = (oversized_png(), b"\xff\xd8" + bytes(31 << 20))
    for content in (b"", b"no image", jpeg()[:200], b"GIF89a", b"<svg onload='alert(1)'/>", jpeg(form="BMP"), *large_images):
        assert ImageSet([("1", partial(bytes, content))]).jpeg_at(0, SMALL_PX) is None, content[:20]


@pytest.mark.parametrize(("form", "size_px", "is_shown"), [
    ("JPEG", (8000, 5000), True), ("JPEG", (8000, 6300), False),
    ("PNG", (4000, 4000), True), ("PNG", (4000, 4001), False), ("GIF", (4000, 4001), False),
])  # fmt: skip
def test_jpeg_images_may_have_more_pixels_than_fully_decoded_formats(form, size_px, is_shown):
    content = jpeg(size_px, "white", form, mode="L" if form == "JPEG" else "1")
    assert bool(ImageSet([("1", lambda: content)]).jpeg_at(0, SMALL_PX)) is is_shown


def test_the_cache_of_small_images_has_a_limit_in_bytes(monkeypatch):
    cache = images._JpegCache(5_000, 4)
    monkeypatch.setattr(images, "_JPEG_CACHE", cache)
    read_images = []
    sets = [ImageSet((str(i), lambda i=i: (read_images.append(i), jpeg((50, 50)))[1]) for i in range(20)) for _ in range(2)]
    for image_set in sets:
        for i in range(20):
            assert image_set.jpeg_at(i, SMALL_PX)
    sets[1].jpeg_at(19, SMALL_PX)
    assert len(read_images) == 40 and 0 < sum(map(len, cache._jpegs.values())) <= 5_000
    sets[0].jpeg_at(0, SMALL_PX)
    assert len(read_images) == 41, "the oldest went first"


def test_one_image_is_resized_at_a_time_and_waiting_requests_are_limited(monkeypatch):
    monkeypatch.setattr(images, "_JPEG_CACHE", images._JpegCache(1 << 20, 3))
    client, release = TestClient(Starlette(routes=[images.image_route()])), Event()
    at_work, counts_at_work = [], []

    def read() -> bytes:
        at_work.append(1)
        counts_at_work.append(len(at_work))
        release.wait(60)
        time.sleep(0.02)
        at_work.pop()
        return jpeg((50, 50))

    image_set = images._shared_set(ImageSet((str(n), read) for n in range(4)))
    with ThreadPoolExecutor(3) as pool:
        futures, end = [pool.submit(image_set.jpeg_at, n, SMALL_PX) for n in range(3)], time.monotonic() + 30
        while images._JPEG_CACHE._places._value and time.monotonic() < end:
            time.sleep(0.01)
        Timer(1, release.set).start()
        refused_response = client.get(image_set.address(3, SMALL_PX)[1:])
        release.set()
        assert all(future.result() for future in futures)
    assert (refused_response.status_code, refused_response.headers.get("retry-after")) == (
        503,
        "2",
    ) and "try again" in refused_response.text
    assert counts_at_work == [1, 1, 1]
    assert client.get(image_set.address(3, SMALL_PX)[1:]).status_code == 200


def test_a_report_waits_for_its_images(monkeypatch):
    monkeypatch.setattr(images, "_JPEG_CACHE", images._JpegCache(1 << 20, 1))
    images._JPEG_CACHE._places.acquire()
    Timer(0.2, images._JPEG_CACHE._places.release).start()
    assert ImageSet([("1", jpeg)]).jpeg_of(1, SMALL_PX)


def test_the_number_of_files_in_all_archives_is_limited(monkeypatch):
    monkeypatch.setattr(images, "_MAX_ARCHIVED_FILES", 3)
    archive_content, messages = zip_archive({"1.jpg": jpeg(), "2.txt": b""}), list[str]()
    files = [UploadedFile(UploadedFileRec(name, name, "", archive_content), None) for name in ("a.zip", "b.zip")]
    assert len(ImageSet(images._uploaded_images(files, messages))) == 1
    assert messages == [t("images.large_zip", file="b.zip", most="3")]


def test_archives_and_images_are_read_and_other_files_reported():
    archive_content = zip_archive(
        {"a/1.jpg": jpeg(), "../../2.png": jpeg(form="PNG"), "__MACOSX/._1.jpg": b"x", "notes.txt": b"x", "3.svg": b"x"}
    )
    contents, messages = {"all.zip": archive_content, "four.webp": jpeg(form="WEBP"), "bad.zip": b"PK\x03\x04nothing"}, list[str]()
    files = [UploadedFile(UploadedFileRec(name, name, "", content), None) for name, content in contents.items()]
    image_set = ImageSet(images._uploaded_images(files, messages))
    assert len(image_set) == 3 and [image_set.find(name) for name in (1, 2, "four", "notes", 3)] == [0, 1, 2, None, None]
    assert all(image_set.jpeg_at(place, SMALL_PX) for place in range(3))
    assert messages == [t("images.no_zip", file="bad.zip")]


def test_the_server_sends_an_image_only_for_its_secret_url_while_its_visitor_is_present():
    client = TestClient(Starlette(routes=[images.image_route()]))
    image_set = images._shared_set(ImageSet([("1", jpeg), ("2", lambda: b"no image")]))
    address = image_set.address(1, SMALL_PX)[1:]
    answer = client.get(address)
    assert answer.status_code == 200 and answer.headers["content-type"] == "image/jpeg" and answer.content[:2] == b"\xff\xd8"
    for wrong_path in ("0/97", "1/96", "2/96", "99999999999999999999/96", "-1/96", "x/96"):
        assert client.get(f"/image/{image_set.token}/{wrong_path}").status_code == 404
    assert client.get(f"/image/{'x' * 22}/0/96").status_code == 404
    del image_set
    gc.collect()
    assert client.get(address).status_code == 404, "gone with its visitor"


def test_uploaded_images_are_shown_only_in_the_same_browser(monkeypatch):
    client, cookie = TestClient(Starlette(routes=[images.image_route()])), {"value": "mine"}
    monkeypatch.setattr(type(st.context), "cookies", property(lambda _: {"spice_core_visit": cookie["value"]}))
    app = upload_images(open_with_file("mine.jsonl", upload(*GOOD_ROWS).content), {"1.jpg": jpeg()})
    image_set = app.session_state["batch.images_set"]
    for browser, status in (("mine", 200), ("other", 404), ("", 404)):
        cookie["value"] = browser
        assert client.get(image_set.address(1, SMALL_PX)[1:], headers={"Cookie": f"spice_core_visit={browser}"}).status_code == status
        assert bool(images.image_of_link(image_set.link_token(1))) is (status == 200)
    assert client.get(image_set.address(1, SMALL_PX)[1:]).status_code == 404


def test_images_of_the_operators_folder_are_found(monkeypatch, tmp_path):
    (tmp_path / "val").mkdir()
    (tmp_path / "val" / "COCO_000000000042.jpg").write_bytes(jpeg())
    (tmp_path / "notes.txt").write_text("x")
    images.folder_images.cache_clear()
    monkeypatch.setenv(images.IMAGES_FOLDER_VARIABLE, str(tmp_path))
    image_set = images.folder_images()
    assert len(image_set) == 1 and image_set.jpeg_at(image_set.find(42), SMALL_PX)
    monkeypatch.delenv(images.IMAGES_FOLDER_VARIABLE)
    images.folder_images.cache_clear()
    assert images.folder_images() is None


def upload_images(app: AppTest, images: dict[str, bytes]) -> AppTest:
    return app.file_uploader(key="batch.images").set_value([("all.zip", zip_archive(images), "application/zip")]).run()


def test_batch_shows_images_in_rows_and_detail():
    app = upload_images(open_with_file("mine.jsonl", upload(*GOOD_ROWS).content), {"notes.txt": b"x"})
    assert t("images.found", number=0, total=2) in page_html(app)
    app = upload_images(app, {"x/1.jpg": jpeg()})
    assert t("images.found", number=1, total=2) in page_html(app)
    app.switch_page("pages/6_Learn.py").run()
    app.switch_page("pages/3_Batch.py").run()
    assert t("images.found", number=1, total=2) in page_html(app), "files outlast a visit to another page"
    app = run_batch(app)
    addresses, ids = (list(app.dataframe[0].value[name]) for name in ("image", "id"))
    token = app.session_state["batch.images_set"].token
    assert {id: address for id, address in zip(ids, addresses) if isinstance(address, str)} == {"1": f"./image/{token}/0/96"}
    app = app.selectbox(key="batch.row").set_value(1).run()
    assert f'src="./image/{token}/0/720" alt="{t("images.alt", id=1)}"' in page_html(app)
    app = app.selectbox(key="batch.row").set_value("b").run()
    assert 'class="sc-photo"' not in page_html(app)


def test_a_work_file_stores_image_names_that_are_found_again():
    """The work file contains file names, but neither folders of the visitor's computer nor image data."""
    rows = [GOOD_ROWS[0] | {"file_name": "C:\\Users\\me\\red.jpg"}, GOOD_ROWS[1] | {"file_name": "https://a.b/blue.jpg?x=1"}]
    data = datasets.read_data(upload(*rows))
    lines = [*persistence.work_of_run(score_data(data), {}, Decisions()).lines()]
    assert [json.loads(line)["file_name"] for line in lines] == ["red.jpg", "blue.jpg"] and not any("Users" in line for line in lines)
    app = upload_images(
        open_with_file("mine.jsonl", "".join(lines).encode()), {"x/red.jpg": jpeg(), "y/blue.jpg": jpeg(), "z/1.jpg": jpeg()}
    )
    assert t("images.found", number=2, total=2) in page_html(app)
    token = app.session_state["batch.images_set"].token
    assert list(app.dataframe[0].value["image"]) == [f"./image/{token}/{place}/96" for place in (0, 1)]
    assert [*persistence.work_of_run(app.session_state["batch.run"], {}, Decisions()).lines()] == lines


def test_inspect_shows_the_image_of_a_caption_opened_from_batch():
    image_set = images._shared_set(ImageSet([("1", jpeg)]))
    address = links.inspect_address(
        CaptionInputs("A dog on a sofa.", ("A brown dog.",)), settings.default_config("en"), image=image_set.link_token(1)
    )
    app = open_page(**dict(pair.split("=") for pair in address.partition("?")[2].split("&")))
    assert f'src="./image/{image_set.token}/0/720"' in page_html(app)
    app.text_area(key="inspect.candidate").set_value("A cat on a sofa.")
    app = app.button(key="inspect.score").click().run()
    assert 'class="sc-photo"' not in page_html(app) and "image" not in app.query_params
    for mark in ("", "x", f"{'x' * 22}.0", "../../x.0", f"{'x' * 22}.-1", "\0" * 24, "9" * 5000):
        assert images.image_of_link(mark) is None


def test_a_report_has_the_images_of_its_worst_captions():
    run = score_data(datasets.read_data(upload(*GOOD_ROWS)))
    run.images = ImageSet([("1.jpg", jpeg), ("other.jpg", jpeg), ("b.png", lambda: b"no image")])
    page = downloads.report_maker(run, Decisions(), PLAIN)().decode()
    assert page.count("data:image/jpeg;base64,") == 1 and page.index("data:image") < page.index("A dog on a sofa.", page.index("<tbody>"))
    run.images = None
    assert "data:image" not in downloads.report_maker(run, Decisions(), PLAIN)().decode()
