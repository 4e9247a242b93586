"""The Batch and Systems pages in a browser, the network cut: upload, run, open a row in Inspect, save and reopen; compare the sample."""

from __future__ import annotations

import io
import json
import re
from urllib.parse import parse_qs, urlsplit

import pytest
from PIL import Image

from pages.parts.session import datasets
from tests.browser.conftest import Watched, press, quiet, send, settled, still, visitor, write

pytestmark = [pytest.mark.browser, pytest.mark.parser]
ROWS = [
    {"image_id": 1, "test": "A dog on a sofa.", "refs": ["A brown dog lies on a couch.", "A dog on a red sofa."]},
    {"image_id": 2, "test": "<img src=x onerror=\"document.title='!'\"> cat", "refs": ["Two cats on a bed."]},
    {"image_id": 3, "test": "A cat.", "refs": []},
]


CAPTIONS = ".st-key-batch-file input"
LOADED = "() => [...document.querySelectorAll('.sc-photo')].map(image => image.naturalWidth).join() === '720'"


def opened(page: object, address: str, name: str) -> None:
    """Go to a page by its link, as a visitor does."""
    page.goto(address)
    settled(page)
    press(page.get_by_role("link", name=name))
    page.wait_for_url(f"**/{name}*")
    quiet(page)


def test_upload_run_row_inspect(watched: Watched, address: str):
    page = watched.page
    opened(page, address, "Batch")
    press(page.get_by_role("radio", name="Your files"))
    content = "".join(json.dumps(row) + "\n" for row in ROWS).encode()
    send(page.locator(CAPTIONS), {"name": "mine.jsonl", "mimeType": "application/jsonl", "buffer": content})
    page.get_by_text("field refs").wait_for()
    out = io.BytesIO()
    Image.new("RGB", (900, 600), "teal").save(out, "PNG")
    send(page.locator(".st-key-batch-images input"), {"name": "photo_0001.png", "mimeType": "image/png", "buffer": out.getvalue()})
    page.get_by_text("1 of 2 captions have an image").wait_for()
    press(page.get_by_role("button", name="Score the 2 good rows"))
    page.get_by_text("2 of 2 captions").wait_for()
    press(page.get_by_role("button", name="Next", exact=True))
    page.locator('.sc-captions dd:text-is("A dog on a sofa.")').wait_for()
    quiet(page)  # the figure comes after the caption
    f1 = page.locator(".sc-one b").inner_text()
    assert page.title() != "!"
    page.wait_for_function(LOADED)
    with page.context.expect_page() as inspect:
        press(page.get_by_role("link", name="Open in Inspect"))
    other = Watched(inspect.value)
    settled(other.page)
    assert other.page.locator(".sc-f1 b").inner_text() == f1 != "0.000"
    other.page.wait_for_function(LOADED)
    assert watched.abroad == watched.errors == other.abroad == other.errors == []


TREES = """# caption = A dog on a sofa.
1	A	a	_	DT	_	2	det	_	_
2	dog	dog	_	NN	_	0	root	_	_
3	on	on	_	IN	_	5	case	_	_
4	a	a	_	DT	_	5	det	_	_
5	sofa	sofa	_	NN	_	2	nmod	_	_

# caption = A dog on a red sofa.
1	A	a	_	DT	_	2	det	_	_
2	dog	poodle	_	NN	_	0	root	_	_
3	on	on	_	IN	_	6	case	_	_
4	a	a	_	DT	_	6	det	_	_
5	red	red	_	JJ	_	6	amod	_	_
6	sofa	sofa	_	NN	_	2	nmod	_	_

"""


def test_own_trees_are_sent_and_scored(watched: Watched, address: str):
    """Captions without a tree are listed; once all have theirs, the row shows what only these trees say."""
    page = watched.page
    opened(page, address, "Batch")
    press(page.get_by_role("radio", name="Your files"))
    row = {"image_id": 7, "test": "A dog on a sofa.", "refs": ["A dog on a red sofa."]}
    send(page.locator(CAPTIONS), {"name": "mine.jsonl", "mimeType": "application/jsonl", "buffer": json.dumps(row).encode()})
    page.get_by_role("button", name="Score 1 image").wait_for()
    still(page)

    def send_trees(text: str) -> None:
        send(page.locator(".st-key-batch-trees input"), {"name": "mine.conllu", "mimeType": "text/plain", "buffer": text.encode()})

    send_trees(TREES.partition("# caption = A dog on a red")[0])
    page.get_by_text("mine.conllu has no tree for 1 caption").wait_for()
    page.get_by_text("no tree of the caption 'A dog on a red sofa.'").wait_for()
    assert page.get_by_role("button", name="Score the 0 good rows").is_disabled()
    press(page.get_by_role("button", name="Remove mine.conllu"))
    page.get_by_text("mine.conllu has no tree").wait_for(state="detached")
    still(page)
    send_trees(TREES)
    page.get_by_text("the trees of 2 captions take the place of the parser").wait_for()
    press(page.get_by_role("button", name="Score 1 image"))
    page.locator(".sc-listed", has_text="poodle").wait_for()
    page.get_by_text("|parser:conllu-").wait_for()
    assert watched.abroad == watched.errors == []


UMBRELLAS = [
    {"image_id": i, "test": f"A {said} umbrella and {i} dogs.", "refs": [f"A {wanted} umbrella.", "Some dogs."]}
    for i, (said, wanted) in enumerate([("red", "blue"), ("red", "red"), ("green", "green"), ("large", "blue"), ("white", "black")] * 60)
]


def choose(page: object, name: str, option: str) -> None:
    """Choose from a list by the keyboard, once the page has scrolled to it: an open list closes when the page scrolls."""
    box = page.get_by_role("combobox", name=name)
    box.scroll_into_view_if_needed()
    write(box, option)
    page.get_by_role("option", name=option).wait_for()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")


def test_the_captions_whose_colour_is_wrong_in_two_clicks(watched: Watched, address: str):
    page = watched.page
    opened(page, address, "Batch")
    press(page.get_by_role("radio", name="Your files"))
    content = "".join(json.dumps(row) + "\n" for row in UMBRELLAS).encode()
    file = {"name": "mine.jsonl", "mimeType": "application/jsonl", "buffer": content}
    send(page.locator(CAPTIONS), file)
    page.evaluate("window.clicks = 0; addEventListener('click', () => { clicks += 1; }, true)")
    press(page.get_by_role("button", name="Score 300 images"))
    press(page.get_by_role("button", name="Colour: Other value: 120 captions"))
    page.get_by_text("120 of 300 captions").wait_for()
    page.locator(".sc-concerned", has_text="umbrella: red → blue").wait_for()
    heading = page.get_by_role("heading", name="Captions", exact=True)
    page.wait_for_function(
        "heading => { const { top } = heading.getBoundingClientRect(); return top >= -1 && top < 200; }", arg=heading.element_handle()
    )
    assert page.evaluate("clicks") == 2
    assert "q=Color.other" in page.url and page.get_by_role("button", name="Colour: Other value ✕").is_visible()

    page.goto(f"{page.url.partition('?')[0]}?q=Color.other")  # the link, in a new visit with the same file
    press(page.get_by_role("radio", name="Your files"))
    send(page.locator(CAPTIONS), file)
    press(page.get_by_role("button", name="Score 300 images"))
    page.get_by_text("120 of 300 captions").wait_for()
    press(page.get_by_role("button", name="Colour: Other value ✕"))
    page.get_by_text("300 of 300 captions").wait_for()
    assert watched.abroad == watched.errors == []


def test_a_missing_tuple_of_batch_opens_rules_in_one_click(watched: Watched, address: str):
    page = watched.page
    opened(page, address, "Batch")
    page.get_by_text("240 of 240 captions").wait_for()
    link = page.locator('.sc-listed a[href*="words="]').last
    link.wait_for()
    quiet(page)
    asked = parse_qs(urlsplit(link.get_attribute("href")).query)
    link.focus()
    with page.context.expect_page() as rules:
        page.keyboard.press("Enter")
    other = Watched(rules.value)
    other.page.get_by_text("Why no tuple?").first.wait_for()
    quiet(other.page)
    assert other.page.get_by_role("textbox", name="Caption").input_value() == asked["caption"][0]
    now = parse_qs(urlsplit(other.page.url).query)
    assert (now["section"], now["words"]) == (["why"], asked["words"])
    assert watched.abroad == watched.errors == other.abroad == other.errors == []


def test_bars_open_their_captions_and_a_run_can_be_stopped(watched: Watched, address: str):
    page = watched.page
    opened(page, address, "Batch")
    page.get_by_text("240 of 240 captions").wait_for()
    bars = page.locator('[class*="st-key-batch-bars-missing"] .plot-container .nsewdrag').first
    press(bars, position={"x": 40, "y": 12})
    page.get_by_text("240 of 240 captions").wait_for(state="detached")
    assert page.get_by_role("combobox", name="Slice by").count() == 1
    press(page.get_by_role("radio", name="Your files"))
    many = "".join(json.dumps({**ROWS[0], "image_id": i, "test": f"A dog on {i} sofas."}) + "\n" for i in range(4000)).encode()
    send(page.locator(CAPTIONS), {"name": "many.jsonl", "mimeType": "application/jsonl", "buffer": many})
    press(page.get_by_role("button", name="Score 4000 images"))
    page.get_by_role("button", name="Stop scoring").click()  # at once: the page stands when the run is over
    page.get_by_text("Stopped after").wait_for()
    assert watched.abroad == watched.errors == []


def test_systems_of_the_sample_and_of_files(watched: Watched, address: str):
    page = watched.page
    opened(page, address, "Systems")
    page.locator(".sc-standings").wait_for()
    press(page.get_by_role("radio", name="Your files"))
    files = []
    for system in "CD":
        items = datasets.sample(system, shared=True).items[:30]
        rows = [{"image_id": item.image_id, "test": item.candidate, "refs": list(item.references)} for item in items]
        content = "".join(json.dumps(row) + "\n" for row in rows).encode()
        files.append({"name": f"{system}.jsonl", "mimeType": "application/jsonl", "buffer": content})
    send(page.locator(".st-key-systems-files input"), files)
    press(page.get_by_role("button", name="Score 60 captions"))
    page.get_by_text("30 images that all systems have").wait_for()
    press(page.get_by_text("Other metrics on these captions"))
    press(page.get_by_role("button", name="Measure 30 images"))
    page.locator(".sc-others").wait_for()
    ends = page.locator(".sc-others tbody tr td:nth-of-type(1) small").evaluate_all(
        "found => found.map(e => e.getBoundingClientRect().left)"
    )
    assert len(ends) > 10 and max(ends) - min(ends) < 1  # figures stand in line, with an interval or without
    press(page.get_by_text("Blind A/B"))
    press(page.get_by_role("button", name="A is better"))
    page.get_by_text("You preferred").wait_for()
    assert watched.abroad == watched.errors == []


def test_why_one_system_wins_is_asked_and_a_link_asks_the_same(watched: Watched, address: str, browser: object):
    page = watched.page
    opened(page, address, "Systems")
    page.get_by_text("214 of 214 images").wait_for()
    number = page.get_by_role("row", name="Object").get_by_role("button").last  # System B wins because of it
    wanted = number.inner_text()
    press(number)
    page.get_by_text(f"{wanted} of 214 images").wait_for()
    page.get_by_text("System B wins by Object").first.wait_for()
    still(page)
    drawn = page.locator('[class*="st-key-systems-scatter"] .plot-container .nsewdrag').first
    drawn.scroll_into_view_if_needed()
    place = drawn.bounding_box()
    page.mouse.move(place["x"] + 4, place["y"] + place["height"] - 4)
    page.mouse.down()
    page.mouse.move(place["x"] + place["width"] / 3, place["y"] + place["height"] / 2, steps=8)
    page.mouse.up()
    page.get_by_role("button", name="box in the chart").wait_for()
    still(page)
    asked = parse_qs(urlsplit(page.url).query)
    assert asked["q"] == ["Object.other-wins"] and re.fullmatch(r"\d\.\d{3}-\d\.\d{3},\d\.\d{3}-\d\.\d{3}", asked["box"][0])
    found = page.locator(".sc-count").inner_text()
    assert int(found.split()[0]) < int(wanted)
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    other = Watched(visitor(context))
    other.page.goto(page.url)
    other.page.get_by_text(found).wait_for()
    still(other.page)
    chips = other.page.locator('[class*="st-key-systems-chip"]').get_by_role("button")
    assert chips.all_inner_texts() == [
        "box in the chart ✕",
        "Object: System B wins because of it ✕",
    ]
    press(other.page.get_by_role("button", name="box in the chart"))
    other.page.get_by_text(f"{wanted} of 214 images").wait_for()
    press(other.page.get_by_role("button", name="Download"))
    with other.page.expect_download() as download:
        press(other.page.get_by_role("button", name="Report for a paper"))
    printed = Watched(context.new_page())
    printed.page.set_viewport_size({"width": 688, "height": 1000})  # the text of an A4 sheet, 182 mm
    printed.page.set_content(download.value.path().read_text(encoding="utf-8"))
    printed.page.emulate_media(media="print")
    assert printed.page.evaluate("document.documentElement.scrollWidth <= innerWidth") and printed.page.locator(".image").count() == 20
    context.close()
    assert watched.abroad == watched.errors == other.abroad == other.errors == printed.abroad == []


def test_work_is_saved_closed_and_opened_again(watched: Watched, address: str, browser: object, tmp_path):
    page = watched.page
    opened(page, address, "Batch")
    press(page.get_by_role("radio", name="Your files"))
    content = "".join(json.dumps(row) + "\n" for row in UMBRELLAS[:20]).encode()
    send(page.locator(CAPTIONS), {"name": "mine.jsonl", "mimeType": "application/jsonl", "buffer": content})
    press(page.get_by_role("button", name="Score 20 images"))
    page.get_by_text("20 of 20 captions").wait_for()
    press(page.get_by_role("row", name="Colour").get_by_role("button").nth(2))  # another value
    page.get_by_text("8 of 20 captions").wait_for()
    press(page.get_by_role("button", name="Next", exact=True))
    press(page.get_by_role("radio", name="reference", exact=True))
    write(page.get_by_placeholder("What is wrong here"), "the reference says blue")
    page.keyboard.press("Enter")
    page.get_by_text("1 caption with a cause").wait_for()
    press(page.get_by_role("button", name="Find the probable causes of 20 captions"))
    page.get_by_text("tuples with a cause").wait_for()
    still(page)

    with page.expect_event("dialog") as asked:
        page.close(run_before_unload=True)
    asked.value.dismiss()
    assert asked.value.type == "beforeunload" and not page.is_closed(), "work that is in no file is not lost by closing the page"

    press(page.get_by_role("button", name="Download", exact=True))
    with page.expect_download() as saved:
        press(page.get_by_role("button", name="Work: rows"))
    saved.value.save_as(tmp_path / "work.jsonl.gz")
    still(page)
    before = seen(page)
    with page.expect_event("close"):
        page.close(run_before_unload=True)

    other = Watched(visitor(browser.new_context(viewport={"width": 1440, "height": 900})))
    opened(other.page, address, "Batch")
    press(other.page.get_by_role("radio", name="Your files"))
    send(other.page.locator(CAPTIONS), tmp_path / "work.jsonl.gz")
    other.page.get_by_text("8 of 20 captions").wait_for()
    still(other.page)
    assert seen(other.page) == before and other.page.get_by_placeholder("What is wrong here").input_value() == "the reference says blue"
    assert watched.abroad == watched.errors == other.abroad == other.errors == []
    other.page.context.close()


def test_causes_are_decided_counted_and_compared(watched: Watched, address: str, tmp_path):
    page = watched.page
    opened(page, address, "Batch")
    press(page.get_by_role("radio", name="Your files"))
    content = "".join(json.dumps(row) + "\n" for row in UMBRELLAS[:20]).encode()
    send(page.locator(CAPTIONS), {"name": "mine.jsonl", "mimeType": "application/jsonl", "buffer": content})
    press(page.get_by_role("button", name="Score 20 images"))
    page.get_by_text("20 of 20 captions").wait_for()
    write(page.get_by_placeholder("umbrella"), "white")
    page.keyboard.press("Enter")
    page.get_by_text("4 of 20 captions").wait_for()
    still(page)

    press(page.get_by_text("Own tags (0)"))
    press(page.get_by_role("combobox", name="Own tags"))
    page.keyboard.type("<b>fog")
    page.keyboard.press("Enter")
    page.get_by_text("Own tags (1)").wait_for()
    still(page)
    page.keyboard.press("Escape")
    press(page.get_by_text("Probable causes of what did not match"))
    page.get_by_role("button", name="Accept").wait_for()
    still(page)
    table = page.locator(".st-key-batch-detail").get_by_test_id("stDataFrame")
    table.scroll_into_view_if_needed()
    press(table, position={"x": 40, "y": 52})
    for key in ("End", "Enter"):  # to the last column of the first row, and open its list
        page.keyboard.press(key)
    page.get_by_role("option", name="unsupported").wait_for()
    page.keyboard.type("fog")
    page.keyboard.press("Enter")
    page.get_by_text("1 of 3 decided").wait_for()
    press(page.get_by_role("button", name="Accept"))
    page.get_by_role("button", name="Accept 0 suggestions").wait_for()

    choose(page, "Cause for the captions shown", "<b>fog")
    press(page.get_by_role("button", name="Tag all 4 captions shown"))
    page.get_by_text("4 captions with a cause: <b>fog 4").wait_for()
    press(page.get_by_role("button", name="Undo (4 captions)"))
    page.get_by_text("captions with a cause").wait_for(state="detached")
    press(page.get_by_role("button", name="Tag all 4 captions shown"))
    page.get_by_text("4 captions with a cause").wait_for()
    still(page)

    find = page.get_by_role("button", name="Find the probable causes of 20 captions")
    press(find)
    find.wait_for(state="detached")
    quiet(page)  # the button goes before Stop comes
    page.locator(".st-key-batch-causes-stop").wait_for(state="detached")
    press(page.locator('[class*="st-key-batch-pareto-cause"] .plot-container .nsewdrag').first, position={"x": 40, "y": 12})
    page.get_by_role("button", name="cause of a tuple: unsupported").wait_for()
    page.wait_for_url("**by=cause&only=*")

    press(page.get_by_role("button", name="Download", exact=True))
    with page.expect_download() as saved:
        press(page.get_by_role("button", name="Work: rows"))
    saved.value.save_as(tmp_path / "second.jsonl.gz")
    page.keyboard.press("Escape")
    press(page.get_by_role("radio", name="rule", exact=True))
    still(page)
    changed = page.locator(".sc-captions dd").first.inner_text()
    press(page.get_by_role("button", name="Next", exact=True))
    still(page)
    page.locator(f'.sc-captions dd:text-is("{changed}")').wait_for(state="detached")
    press(page.get_by_text("Agreement of two annotators"))
    send(page.locator(".st-key-batch-second input"), tmp_path / "second.jsonl.gz")
    figures = page.locator(".st-key-batch-annotators .sc-numbers").first
    figures.get_by_text("1.000").first.wait_for()
    assert "Tuples" in figures.inner_text()
    page.get_by_text("1 disagreement").wait_for()
    press(page.locator(".st-key-batch-annotators").get_by_test_id("stDataFrame"), position={"x": 16, "y": 52})
    page.locator(f'.sc-captions dd:text-is("{changed}")').wait_for()
    quiet(page)
    assert watched.abroad == watched.errors == []


def seen(page: object) -> dict[str, object]:
    """What the page says of a run: score, table of questions, chips, the caption shown and its diagnosis; and what its address asks."""
    page.locator(".sc-one b").wait_for()
    return {
        "score": page.locator(".sc-score").inner_text(),
        "questions": page.get_by_role("row").all_inner_texts(),
        "chips": [text for text in page.locator('[class*="st-key-batch-chip"]').all_inner_texts() if text],
        "caption": page.locator(".sc-captions").last.inner_text(),
        "cause": page.get_by_role("radio", checked=True).all_inner_texts(),
        "totals": page.locator(".sc-totals").inner_text(),
        "causes": [page.get_by_text("tuples with a cause").inner_text(), page.get_by_role("button", name="Find the probable").count()],
        "asked": parse_qs(urlsplit(page.url).query)["q"],
    }


def test_a_sample_file_of_excel_is_confirmed_and_scored(watched: Watched, address: str):
    page = watched.page
    opened(page, address, "Batch")
    press(page.get_by_role("radio", name="Your files"))
    press(page.get_by_role("button", name="Sample files"))
    with page.expect_download() as download:
        press(page.get_by_role("button", name="Japanese table"))
    page.keyboard.press("Escape")
    content = download.value.path().read_bytes()
    send(page.locator(CAPTIONS), {"name": "mine.csv", "mimeType": "text/csv", "buffer": content})
    page.get_by_text("was read as Shift_JIS").wait_for()
    assert page.locator(".sc-preview tbody tr").count() == 5
    page.get_by_role("button", name="Score 8 images").wait_for()
    choose(page, "Image ID", "none: rows are numbered")
    press(page.get_by_role("button", name="Score 8 images"))
    page.get_by_text("8 of 8 captions").wait_for()
    assert watched.abroad == watched.errors == []
