"""Test visits to the Batch page without network access: the sample, custom files with images, saved and restored causes."""

import io
import json
from urllib.parse import parse_qs, urlsplit

from PIL import Image
from playwright.sync_api import expect

from tests.browser.conftest import (
    IN_LINE_JS,
    RecordedPage,
    check_link_colour,
    click_when_ready,
    open_recorded_page,
    send,
    wait_for_result,
    wait_until_still,
    write,
)

ENGLISH_ROWS = [
    {"image_id": 1, "test": "A dog on a sofa.", "refs": ["A brown dog lies on a couch.", "A dog on a red sofa."]},
    {"image_id": 2, "test": "<svg src=x onerror=\"document.title='!'\"> cat", "refs": ["Two cats on a bed."]},
    {"image_id": 3, "test": "A cat.", "refs": []},
]
COLOURS = [("red", "blue"), ("red", "red"), ("green", "green"), ("large", "blue"), ("white", "black")] * 4
UMBRELLAS = [
    {
        "image_id": 397133 + i,
        "test": f"A {candidate_colour} umbrella and {i} dogs.",
        "refs": [f"A {reference_colour} umbrella.", "Some dogs."],
    }
    for i, (candidate_colour, reference_colour) in enumerate(COLOURS)
]
_IMAGES_LOADED_JS = "() => [...document.querySelectorAll('.sc-photo')].map(image => image.naturalWidth).join() === '720'"
NOTE = "no rule reads “very”"
_FIND_BROKEN_FIGURES_JS = """cells => cells.filter(cell => /^[\\d.[\\], ]+$/.test(cell.textContent)).filter(cell => {
    const text = document.createRange(); text.selectNodeContents(cell);
    return new Set([...text.getClientRects()].map(box => Math.round(box.bottom / 8))).size > 1;
}).map(cell => cell.textContent)"""
_FILL_TAB_STORAGE_JS = """() => {  // to the last character
  for (let size = 1 << 22; size; size >>= 1)
    try { sessionStorage.setItem(`filler${size}`, "x".repeat(size)) } catch {}
}"""


def json_lines_upload(rows: list[dict]) -> dict[str, object]:
    """Return an upload of JSON lines."""
    content = "".join(json.dumps(row) + "\n" for row in rows)
    return {"name": "mine.jsonl", "mimeType": "application/jsonl", "buffer": content.encode()}


def send_file(page: object, name: str, file: object) -> None:
    send(page.locator(f".st-key-batch-{name} input"), file)


def open_with_custom_files(page: object, address: str) -> None:
    page.goto(f"{address}/Batch")
    click_when_ready(page.get_by_role("radio", name="Your files"))


def click_bar(page: object, chart: str) -> None:
    """Click the first bar of the chart whose key begins with this text."""
    click_when_ready(page.locator(f'[class*="st-key-batch-{chart}"] .plot-container .nsewdrag').first, position={"x": 40, "y": 12})


def test_the_sample_an_excel_table_and_a_stopped_run_are_shown_in_turn(recorded_page: RecordedPage, address: str):
    page = recorded_page.page
    page.goto(address)
    wait_for_result(page)
    click_when_ready(page.get_by_role("link", name="Batch"))
    page.wait_for_url("**/Batch*")
    page.get_by_text("240 of 240 captions").wait_for()
    rules = check_link_to_rules(page)
    click_bar(page, "bars-missing")
    page.get_by_text("240 of 240 captions").wait_for(state="detached")
    assert page.get_by_role("combobox", name="Group by").count() == 1

    click_when_ready(page.get_by_role("radio", name="Your files"))
    send_file(page, "file", {"name": "mine.csv", "mimeType": "text/csv", "buffer": download_sample(page, "Japanese table")})
    page.get_by_text("was read as Shift_JIS").wait_for()
    assert page.locator(".sc-preview tbody tr").count() == 5
    page.get_by_role("button", name="Score 8 images").wait_for()

    send_file(page, "file", json_lines_upload([{**ENGLISH_ROWS[0], "image_id": i, "test": f"A dog on {i} sofas."} for i in range(1500)]))
    click_when_ready(page.get_by_role("button", name="Score 1,500 images"))
    # Click immediately, because the page becomes still only when the run is over.
    page.get_by_role("button", name="Stop scoring").click()
    page.get_by_text("Stopped after").wait_for()
    assert recorded_page.abroad == recorded_page.errors == rules.abroad == rules.errors == []


def check_link_to_rules(page: object) -> RecordedPage:
    link = page.locator('.sc-listed a[href*="words="]').last
    link.wait_for()
    wait_until_still(page)
    params = parse_qs(urlsplit(link.get_attribute("href")).query)
    link.focus()
    with page.context.expect_page() as rules_event:
        page.keyboard.press("Enter")
    rules = RecordedPage(rules_event.value)
    rules.page.get_by_role("radio", name="Tuples", exact=True, checked=True).wait_for()
    rules.page.get_by_text("Click a tuple to see why it exists").wait_for()
    expect(rules.page.get_by_role("textbox", name="Caption")).to_have_value(params["caption"][0])
    current_params = parse_qs(urlsplit(rules.page.url).query)
    assert current_params["words"] == params["words"] and current_params.get("section", ["why"]) == params["section"] == ["why"]
    rules.page.wait_for_function(IN_LINE_JS, arg=["rules-lang", "rules-en-parser"])
    return rules


def download_sample(page: object, name: str) -> bytes:
    """Download a sample file, and check that its button follows the theme."""
    click_when_ready(page.get_by_role("button", name="Sample files"))
    page.get_by_role("button", name="Table (CSV)").wait_for()
    check_link_colour(page, page.locator('button[kind="tertiary"][aria-expanded="true"]'))
    with page.expect_download() as download:
        click_when_ready(page.get_by_role("button", name=name))
    page.keyboard.press("Escape")
    return download.value.path().read_bytes()


def test_an_upload_is_scored_and_its_rows_open_in_inspect(recorded_page: RecordedPage, address: str):
    page = recorded_page.page
    open_with_custom_files(page, address)
    send_file(page, "file", json_lines_upload(ENGLISH_ROWS))
    page.get_by_text("field refs").wait_for()
    upload_image(page)
    click_when_ready(page.get_by_role("button", name="Score the 2 valid rows"))
    page.get_by_text("2 of 2 captions").wait_for()
    page.get_by_text("1 of 2 captions have an image · change files").wait_for()
    check_row_and_causes_survive_reload(page)
    # The tab stores rows and causes, but no images. The uploads are folded.
    click_when_ready(page.get_by_text("change files"))
    upload_image(page)
    f1 = page.locator(".sc-one b").inner_text()
    assert page.title() != "!"
    page.wait_for_function(_IMAGES_LOADED_JS)
    assert f1 != "0.000"
    with page.context.expect_page() as inspect:
        click_when_ready(page.get_by_role("link", name="Open in Inspect"))
    other_page = RecordedPage(inspect.value)
    other_page.page.locator(f'.sc-f1 b:text-is("{f1}")').wait_for()
    other_page.page.wait_for_function(_IMAGES_LOADED_JS)

    assert recorded_page.abroad == recorded_page.errors == other_page.abroad == other_page.errors == []


def upload_image(page: object) -> None:
    buffer = io.BytesIO()
    Image.new("RGB", (900, 600), "teal").save(buffer, "PNG")
    send_file(page, "images", {"name": "photo_0001.png", "mimeType": "image/png", "buffer": buffer.getvalue()})
    page.get_by_text("1 of 2 captions have an image.").wait_for()


def check_row_and_causes_survive_reload(page: object) -> None:
    """Open a row by a click on its score, and add two causes and a note.

    Check that all of them survive a reload, and that the page reports when they do not fit into the storage of the tab.
    """
    table = page.get_by_test_id("stDataFrame").first
    table.scroll_into_view_if_needed()
    click_when_ready(table, position={"x": 520, "y": 110})
    page.locator('.sc-captions dd:text-is("A dog on a sofa.")').wait_for()
    expect(page.locator(".st-key-batch-choose")).to_be_in_viewport()
    page.wait_for_function(_IMAGES_LOADED_JS)
    for cause in ("parser", "rule"):
        click_when_ready(page.locator(".st-key-batch-detail").get_by_role("button", name=cause, exact=True))
        page.locator(".sc-totals", has_text=cause).wait_for()
    write(page.get_by_placeholder("What is wrong here"), NOTE)
    page.keyboard.press("Enter")
    wait_until_still(page)
    page.once("dialog", lambda dialog: dialog.accept())
    page.reload()
    page.locator(".sc-totals", has_text="1 caption with a cause: parser 1 · rule 1").wait_for()
    page.locator('.sc-captions dd:text-is("A dog on a sofa.")').wait_for()
    wait_until_still(page)
    expect(page.get_by_placeholder("What is wrong here")).to_have_value(NOTE)
    page.evaluate(_FILL_TAB_STORAGE_JS)
    write(page.get_by_placeholder("What is wrong here"), NOTE * 9)
    page.keyboard.press("Enter")
    page.get_by_text("no room for your latest causes").wait_for()
    write(page.get_by_placeholder("What is wrong here"), NOTE)
    page.keyboard.press("Enter")
    page.get_by_text("no room for your latest causes").wait_for(state="detached")


def test_work_is_saved_and_opened_again_after_it_is_closed(recorded_page: RecordedPage, address: str, tmp_path):
    """Ask a question in two clicks, find causes, add a note, save the work, and open it again."""
    page = recorded_page.page
    open_with_custom_files(page, address)
    send_file(page, "file", json_lines_upload(UMBRELLAS))
    check_question_takes_two_clicks(page)
    write(page.get_by_placeholder("umbrella"), "white")
    page.keyboard.press("Enter")
    page.get_by_text("4 of 20 captions").wait_for()
    check_causes_are_found_and_filter(page)
    click_when_ready(page.get_by_role("button", name="Next", exact=True))
    click_when_ready(page.get_by_role("button", name="reference", exact=True))
    write(page.get_by_placeholder("What is wrong here"), NOTE)
    page.keyboard.press("Enter")
    page.locator(".sc-totals", has_text="reference 1").wait_for()
    wait_until_still(page)

    with page.expect_event("dialog") as dialog_event:
        page.close(run_before_unload=True)
    dialog_event.value.dismiss()
    assert dialog_event.value.type == "beforeunload" and not page.is_closed(), "work that is in no file is not lost by closing the page"
    saved_files = download_files(page)
    work = tmp_path / "work.jsonl.gz"
    work.write_bytes(saved_files["Run: results"])
    run_before = read_visible_run(page)
    with page.expect_event("close"):
        page.close(run_before_unload=True)

    other_page = RecordedPage(open_recorded_page(page.context))
    open_with_custom_files(other_page.page, address)
    send_file(other_page.page, "file", work)
    other_page.page.locator(".sc-totals").wait_for()
    wait_until_still(other_page.page)
    expect(other_page.page.get_by_placeholder("What is wrong here")).to_have_value(NOTE)
    assert read_visible_run(other_page.page) == run_before
    # Use a new page, because scripts of the app survive a replacement of the content.
    report = RecordedPage(page.context.new_page())
    check_report_breaks_no_figure(report.page, saved_files["Report"].decode())
    assert recorded_page.abroad == recorded_page.errors == other_page.abroad == other_page.errors == report.abroad == report.errors == []


def check_question_takes_two_clicks(page: object) -> None:
    page.evaluate("window.clicks = 0; addEventListener('click', () => { clicks += 1; }, true)")
    click_when_ready(page.get_by_role("button", name="Score 20 images"))
    click_when_ready(page.get_by_role("button", name="Colour: Other value: 8 captions"))
    page.get_by_text("8 of 20 captions").wait_for()
    page.locator(".sc-answers", has_text="umbrella: red → blue").wait_for()
    heading = page.get_by_role("heading", name="Captions", exact=True)
    page.wait_for_function(
        "heading => { const { top } = heading.getBoundingClientRect(); return top >= -1 && top < 200; }", arg=heading.element_handle()
    )
    assert page.evaluate("clicks") == 2
    assert "q=Color.other" in page.url and page.get_by_role("button", name="Colour: Other value ✕").is_visible()


def check_causes_are_found_and_filter(page: object) -> None:
    find = page.get_by_role("button", name="Find probable causes in 20 captions")
    click_when_ready(find)
    find.wait_for(state="detached")
    # The button disappears before Stop appears.
    wait_until_still(page)
    page.locator(".st-key-batch-causes-stop").wait_for(state="detached")
    page.get_by_text("tuples with a cause").first.wait_for()
    click_bar(page, "pareto-cause")
    page.get_by_role("button", name="cause of a tuple: unsupported").wait_for()
    page.wait_for_url("**by=cause&only=*")


def download_files(page: object) -> dict[str, bytes]:
    """Download the work file and the report of a run, and return their contents by name."""
    click_when_ready(page.get_by_role("button", name="Download", exact=True))
    saved_files = {}
    for name in ("Report", "Run: results"):
        with page.expect_download() as download:
            click_when_ready(page.get_by_role("button", name=name))
        saved_files[name] = download.value.path().read_bytes()
    page.keyboard.press("Escape")
    wait_until_still(page)
    return saved_files


def read_visible_run(page: object) -> dict[str, object]:
    """Return the visible content of a run (score, questions, chips, caption, causes) and the parameters of its URL except ``run``."""
    page.locator(".sc-one b").wait_for()
    return {
        "score": page.locator(".sc-score").inner_text(),
        "questions": page.get_by_role("row").all_inner_texts(),
        "chips": [text for text in page.locator('[class*="st-key-batch-chip"]').all_inner_texts() if text],
        "caption": page.locator(".sc-captions").last.inner_text(),
        "cause": page.get_by_role("button", pressed=True).all_inner_texts(),
        "totals": page.locator(".sc-totals").inner_text(),
        "causes": [page.get_by_text("tuples with a cause").inner_text(), page.get_by_role("button", name="Find probable causes").count()],
        "asked": {name: values for name, values in parse_qs(urlsplit(page.url).query).items() if name != "run"},
    }


def check_report_breaks_no_figure(page: object, report: str) -> None:
    page.set_content(report)
    assert page.get_by_text(NOTE).is_visible()
    for width in (375, 1120):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.locator("td, dd, dd small").evaluate_all(_FIND_BROKEN_FIGURES_JS) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
