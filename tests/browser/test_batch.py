"""The Batch and Systems pages in a browser, the network cut: upload, run, open a row in Inspect; compare the sample."""

from __future__ import annotations

import json

import pytest

from pages.parts.session import datasets
from tests.browser.conftest import Watched, quiet, settled

pytestmark = [pytest.mark.browser, pytest.mark.parser]
ROWS = [
    {"image_id": 1, "test": "A dog on a sofa.", "refs": ["A brown dog lies on a couch.", "A dog on a red sofa."]},
    {"image_id": 2, "test": "<img src=x onerror=\"document.title='!'\"> cat", "refs": ["Two cats on a bed."]},
    {"image_id": 3, "test": "A cat.", "refs": []},
]


def opened(page: object, address: str, name: str) -> None:
    """Go to a page by its link, as a visitor does."""
    page.goto(address)
    settled(page)
    page.get_by_role("link", name=name).click()
    page.wait_for_url(f"**/{name}*")
    quiet(page)


def test_upload_run_row_inspect(watched: Watched, address: str):
    page = watched.page
    opened(page, address, "Batch")
    page.get_by_role("radio", name="Your files").click()
    content = "".join(json.dumps(row) + "\n" for row in ROWS).encode()
    page.locator('input[type="file"]').first.set_input_files({"name": "mine.jsonl", "mimeType": "application/jsonl", "buffer": content})
    page.get_by_text("field refs").wait_for()
    page.get_by_role("button", name="Score the 2 good rows").click()
    page.get_by_text("2 of 2 captions").wait_for()
    page.get_by_role("button", name="Next", exact=True).click()
    page.locator('.sc-captions dd:text-is("A dog on a sofa.")').wait_for()
    quiet(page)  # the figure comes after the caption
    f1 = page.locator(".sc-one b").inner_text()
    assert page.title() != "!"
    with page.context.expect_page() as inspect:
        page.get_by_role("link", name="Open in Inspect").click()
    other = Watched(inspect.value)
    settled(other.page)
    assert other.page.locator(".sc-f1 b").inner_text() == f1 != "0.000"
    assert watched.abroad == watched.errors == other.abroad == other.errors == []


UMBRELLAS = [
    {"image_id": i, "test": f"A {said} umbrella and {i} dogs.", "refs": [f"A {wanted} umbrella.", "Some dogs."]}
    for i, (said, wanted) in enumerate([("red", "blue"), ("red", "red"), ("green", "green"), ("large", "blue"), ("white", "black")] * 60)
]


def test_the_captions_whose_colour_is_wrong_in_two_clicks(watched: Watched, address: str):
    page = watched.page
    opened(page, address, "Batch")
    page.get_by_role("radio", name="Your files").click()
    content = "".join(json.dumps(row) + "\n" for row in UMBRELLAS).encode()
    file = {"name": "mine.jsonl", "mimeType": "application/jsonl", "buffer": content}
    page.locator('input[type="file"]').first.set_input_files(file)
    page.evaluate("window.clicks = 0; addEventListener('click', () => { clicks += 1; }, true)")
    page.get_by_role("button", name="Score 300 images").click()
    page.get_by_role("button", name="Colour: Other value: 120 captions").click()
    page.get_by_text("120 of 300 captions").wait_for()
    page.locator(".sc-concerned", has_text="umbrella: red → blue").wait_for()
    heading = page.get_by_role("heading", name="Captions", exact=True)
    page.wait_for_function(
        "heading => { const { top } = heading.getBoundingClientRect(); return top >= -1 && top < 200; }", arg=heading.element_handle()
    )
    assert page.evaluate("clicks") == 2
    assert "q=Color.other" in page.url and page.get_by_role("button", name="Colour: Other value ✕").is_visible()

    page.goto(f"{page.url.partition('?')[0]}?q=Color.other")  # the link, in a new visit with the same file
    page.get_by_role("radio", name="Your files").click()
    page.locator('input[type="file"]').first.set_input_files(file)
    page.get_by_role("button", name="Score 300 images").click()
    page.get_by_text("120 of 300 captions").wait_for()
    page.get_by_role("button", name="Colour: Other value ✕").click()
    page.get_by_text("300 of 300 captions").wait_for()
    assert watched.abroad == watched.errors == []


def test_bars_open_their_captions_and_a_run_can_be_stopped(watched: Watched, address: str):
    page = watched.page
    opened(page, address, "Batch")
    page.get_by_text("240 of 240 captions").wait_for()
    bars = page.locator('[class*="st-key-batch-bars-missing"] .plot-container .nsewdrag').first
    bars.click(position={"x": 40, "y": 12})
    page.get_by_text("240 of 240 captions").wait_for(state="detached")
    assert page.get_by_role("combobox", name="Slice by").count() == 1
    page.get_by_role("radio", name="Your files").click()
    many = "".join(json.dumps({**ROWS[0], "image_id": i, "test": f"A dog on {i} sofas."}) + "\n" for i in range(4000)).encode()
    page.locator('input[type="file"]').first.set_input_files({"name": "many.jsonl", "mimeType": "application/jsonl", "buffer": many})
    page.get_by_role("button", name="Score 4000 images").click()
    page.get_by_role("button", name="Stop scoring").click()
    page.get_by_text("Stopped after").wait_for()
    assert watched.abroad == watched.errors == []


def test_systems_of_the_sample_and_of_files(watched: Watched, address: str):
    page = watched.page
    opened(page, address, "Systems")
    page.locator(".sc-standings").wait_for()
    page.get_by_role("radio", name="Your files").click()
    files = []
    for system in "CD":
        items = datasets.sample(system, shared=True).items[:30]
        rows = [{"image_id": item.image_id, "test": item.candidate, "refs": list(item.references)} for item in items]
        content = "".join(json.dumps(row) + "\n" for row in rows).encode()
        files.append({"name": f"{system}.jsonl", "mimeType": "application/jsonl", "buffer": content})
    page.locator('input[type="file"]').first.set_input_files(files)
    page.get_by_role("button", name="Score 60 captions").click()
    page.get_by_text("30 images that all systems have").wait_for()
    page.get_by_text("Other metrics on these captions").click()
    page.get_by_role("button", name="Measure 30 images").click()
    page.locator(".sc-others").wait_for()
    ends = page.locator(".sc-others tbody tr td:nth-of-type(1) small").evaluate_all(
        "found => found.map(e => e.getBoundingClientRect().left)"
    )
    assert len(ends) == 12 and max(ends) - min(ends) < 1  # figures stand in line, with an interval or without
    page.get_by_text("Blind A/B").click()
    page.get_by_role("button", name="A is better").click()
    page.get_by_text("You preferred").wait_for()
    assert watched.abroad == watched.errors == []
