"""Test Present in a browser: full-screen content, keys, custom captions, accessibility."""

from io import BytesIO

import numpy as np
import pytest
import zxingcpp
from PIL import Image

from pages.parts.views.present import BEAT_NAMES
from tests.browser.conftest import RecordedPage, serious_axe_findings, wait_until_still

STAGE_SELECTOR = "dialog[open]"
_SMALL_TEXTS_JS = """dialog => [...dialog.querySelectorAll(".frame *")].filter(e => {
  const own = [...e.childNodes].some(n => n.nodeType === Node.TEXT_NODE && n.data.trim());
  return own && e.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !e.closest("title, desc");
}).map(e => {
  const scale = e instanceof SVGElement ? e.getScreenCTM().a : 1;
  return [e.textContent, parseFloat(getComputedStyle(e).fontSize) * scale];
}).filter(([, size]) => size < 19.9)"""
_OVERFLOWING_JS = """dialog => [dialog, dialog.querySelector(".frame")].some(e => e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1)
  || document.documentElement.scrollHeight > innerHeight"""
_CUT_TEXTS_JS = """dialog => [...dialog.querySelectorAll("header *, .ask, .ask *, nav *")].filter(e => {
  const { left, right, width } = e.getBoundingClientRect();
  return e.checkVisibility({ visibilityProperty: true }) && e.textContent && (left < 0 || right > innerWidth || width < 2 || e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX === "hidden");
}).map(e => e.textContent)"""


def open_presentation(recorded_page: RecordedPage, url: str, *, viewport_size: tuple[int, int] = (1280, 720)) -> object:
    recorded_page.page.set_viewport_size({"width": viewport_size[0], "height": viewport_size[1]})
    recorded_page.page.goto(url)
    recorded_page.page.locator(STAGE_SELECTOR).wait_for()
    wait_until_still(recorded_page.page)
    return recorded_page.page


def current_beat(page: object) -> str:
    return page.locator(STAGE_SELECTOR).get_attribute("data-beat")


def check_last_beat(page: object) -> None:
    """Check that the last beat fills the screen with complete, readable text."""
    stage, viewport = page.locator(STAGE_SELECTOR), page.viewport_size
    stage.locator(".node").last.wait_for(state="attached")
    page.wait_for_function("dialog => dialog.getAnimations({ subtree: true }).length === 0", arg=stage.element_handle())
    box = page.locator(f"{STAGE_SELECTOR} .stage").bounding_box()
    assert box["height"] >= 0.6 * viewport["height"] and box["width"] >= 0.9 * viewport["width"]
    assert not stage.evaluate(_OVERFLOWING_JS)
    assert stage.evaluate(_SMALL_TEXTS_JS) == []
    assert all(
        (part_box := part.bounding_box())["y"] >= 0 and part_box["y"] + part_box["height"] <= viewport["height"]
        for part in stage.locator("header, nav, .ask").all()
    )


def check_tree_is_shown(page: object) -> None:
    """Check that the page shows a readable part of the tree and, after a key press, the full tree."""
    stage, visible_figures = page.locator(STAGE_SELECTOR), page.locator(f"{STAGE_SELECTOR} figure.shown")
    assert visible_figures.get_attribute("data-view") == "tree"
    assert stage.evaluate(_SMALL_TEXTS_JS) == []
    assert not stage.evaluate(_OVERFLOWING_JS)
    part = visible_figures.locator(".displacy-word").count()
    page.keyboard.press("z")
    word_count = visible_figures.locator(".displacy-word").count()
    assert word_count > part if visible_figures.get_attribute("data-view") == "tree_whole" else word_count == part


def check_answered_question_fits(page: object, key: str) -> None:
    """Press the key of an answer, if one is given, and check that question, answers and score fit on the screen."""
    if key:
        page.keyboard.press(key)
        page.locator(f"{STAGE_SELECTOR} .ask em").wait_for()
    stage = page.locator(STAGE_SELECTOR)
    assert stage.evaluate(_CUT_TEXTS_JS) == []
    assert page.viewport_size["width"] < 860 or not stage.evaluate(_OVERFLOWING_JS)


def test_present_is_controlled_by_keys_and_accepts_custom_captions(recorded_page: RecordedPage, address: str):
    recorded_page.page.emulate_media(color_scheme="light")
    page = open_presentation(recorded_page, f"{address}/?example=umbrella&present=1")
    stage, visible_figures = page.locator(STAGE_SELECTOR), [current_beat(page)]
    for _ in BEAT_NAMES[1:]:
        page.keyboard.press("ArrowRight")
        visible_figures.append(current_beat(page))
    assert tuple(visible_figures) == BEAT_NAMES and f"beat={len(BEAT_NAMES)}" in page.url
    assert stage.evaluate("dialog => dialog.getAnimations({ subtree: true }).length") == 0
    check_last_beat(page)
    assert serious_axe_findings(page) == {}
    for _ in range(3):
        page.keyboard.press("PageUp")
    assert current_beat(page) == "tuples"
    page.keyboard.press("1")
    assert stage.locator(".cut .chip.on").count() == 1 and stage.locator(".node.on").count() > 0
    page.keyboard.press("0")
    assert page.locator(f"{STAGE_SELECTOR}.highlighted").count() == 0
    page.keyboard.press("q")
    code = stage.locator(".code svg")
    code.wait_for()
    (barcode,) = zxingcpp.read_barcodes(np.asarray(Image.open(BytesIO(code.screenshot())).convert("L")))
    assert barcode.format == zxingcpp.BarcodeFormat.QRCode and barcode.text == stage.locator(".code p").first.inner_text()
    assert barcode.text == f"{address}?example=umbrella"
    page.keyboard.press("Escape")
    # Outside a presentation, this key makes Streamlit rerun the page.
    page.keyboard.press("r")
    assert current_beat(page) == "tuples"
    page.keyboard.press("ArrowDown")
    page.wait_for_function("() => !location.href.includes('example=umbrella')")
    wait_until_still(page)
    page.keyboard.press("o")
    page.keyboard.press("Control+a")
    # Some of these letters are shortcuts outside the text field.
    page.keyboard.type("A frog on a bog")
    page.keyboard.press("Enter")
    stage.locator(".words p", has_text="A frog on a bog").wait_for(state="attached")
    wait_until_still(page)
    assert current_beat(page) == "words" and stage.count() == 1
    page.keyboard.press("Escape")
    stage.wait_for(state="detached")
    page.wait_for_function("() => !location.href.includes('present')")
    assert recorded_page.errors == []


def test_a_large_tree_and_graph_are_shown_partly_or_fully(recorded_page: RecordedPage, address: str):
    recorded_page.page.emulate_media(reduced_motion="no-preference")
    page = open_presentation(recorded_page, f"{address}/?example=bed&present=1&beat=2")
    check_tree_is_shown(page)
    page.keyboard.press("z")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    visible_figures = page.locator(f"{STAGE_SELECTOR} figure.shown")
    part = visible_figures.locator(".node").count()
    assert "of 24 nodes" in visible_figures.locator("figcaption").inner_text()
    assert visible_figures.locator(".node.synonym, .node.matched").count() > 0
    page.keyboard.press("z")
    assert visible_figures.get_attribute("data-view") == "union_whole" and visible_figures.locator(".node").count() > part
    page.keyboard.press("z")
    assert visible_figures.get_attribute("data-view") == "union"
    page.keyboard.press("z")
    page.keyboard.press("g")
    assert visible_figures.get_attribute("data-view") == "candidate" and recorded_page.errors == []
    page = open_presentation(recorded_page, f"{address}/?example=bed&present=1&beat=6", viewport_size=(1920, 1080))
    check_last_beat(page)


def test_overflowing_content_is_counted_and_shown_on_key_press(recorded_page: RecordedPage, address: str):
    recorded_page.page.emulate_media(color_scheme="light")
    page = open_presentation(recorded_page, f"{address}/?example=market&present=1&beat=4")
    captions, tuples = page.locator(f"{STAGE_SELECTOR} .cut").all()
    dimmed = captions.locator("mark.sc-missing, mark.sc-extra").first
    plain_colour = dimmed.evaluate("e => getComputedStyle(e).borderBottomStyle")
    page.keyboard.press("ArrowRight")
    assert current_beat(page) == "matched" and dimmed.evaluate("e => getComputedStyle(e).borderBottomStyle") != plain_colour
    for box, items in ((captions, ".captions > div"), (tuples, ".chip")):
        shown_items = box.locator(items).evaluate_all("all => all.filter(e => !e.hidden).length")
        assert box.locator(".more").inner_text() == f"+{box.locator(items).count() - shown_items}" and shown_items > 0
    page.keyboard.press("a")
    all_items = page.locator(f"{STAGE_SELECTOR} .all")
    bottoms = "list => [list, list.lastElementChild].map(e => Math.round(e.getBoundingClientRect().bottom))"
    assert len(set(all_items.locator("dl").evaluate(bottoms))) == 1  # the last caption is complete
    assert all_items.locator(".chip").evaluate_all("all => all.every(e => e.checkVisibility())") and serious_axe_findings(page) == {}
    all_items.locator(".chip").last.click()
    assert all_items.is_hidden() and page.locator(f"{STAGE_SELECTOR} .chip.on").count() == 2 and recorded_page.errors == []


def test_answers_are_chosen_by_number_and_remain_on_the_screen(recorded_page: RecordedPage, address: str):
    recorded_page.page.emulate_media(color_scheme="dark")
    page = open_presentation(recorded_page, f"{address}/Learn?step=tuples&present=1")
    page.keyboard.press("1")
    page.locator(f"{STAGE_SELECTOR} .ask em.no").wait_for()
    page.keyboard.press("2")
    page.locator(f"{STAGE_SELECTOR} .ask em.yes").wait_for()
    open_presentation(recorded_page, f"{address}/Learn?step=limits&present=1&beat=6")
    check_answered_question_fits(page, "1")
    assert serious_axe_findings(page) == {}
    page.set_viewport_size({"width": 375, "height": 667})
    wait_until_still(page)
    check_answered_question_fits(page, "")


@pytest.mark.release
@pytest.mark.parametrize("viewport_size", [(1280, 720), (1920, 1080)])
@pytest.mark.parametrize(
    "query",
    ["?example=umbrella", "Learn?step=score", "Learn?step=tuples&ui=ja", "?example=market", "?example=bed", "?example=ja-kitchen&ui=ja"],
)
def test_present_fills_the_screen(recorded_page: RecordedPage, address: str, query: str, viewport_size: tuple[int, int]):
    check_last_beat(open_presentation(recorded_page, f"{address}/{query}&present=1&beat=6", viewport_size=viewport_size))


@pytest.mark.release
@pytest.mark.parametrize("query", ["?example=market", "?example=ja-skateboard&ui=ja"])
def test_the_readable_part_of_a_tree_or_the_full_tree_is_shown(recorded_page: RecordedPage, address: str, query: str):
    check_tree_is_shown(open_presentation(recorded_page, f"{address}/{query}&present=1&beat=2"))
    assert recorded_page.errors == []


@pytest.mark.release
@pytest.mark.parametrize(
    ("query", "key", "viewport_size"),
    [
        ("Learn?step=limits&present=1", "1", (1280, 720)),
        ("Learn?step=people&present=1", "1", (1280, 720)),
        ("?example=ja-umbrella&present=1&beat=6", "", (1280, 720)),
        ("?example=tennis-girl&present=1&beat=6", "", (375, 667)),
        ("Learn?step=limits&present=1&beat=6", "1", (375, 667)),
    ],
)
def test_questions_answers_and_score_are_on_the_screen(
    recorded_page: RecordedPage, address: str, query: str, key: str, viewport_size: tuple[int, int]
):
    check_answered_question_fits(open_presentation(recorded_page, f"{address}/{query}", viewport_size=viewport_size), key)


@pytest.mark.release
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("query", ["?example=umbrella&present=1&beat=6", "Learn?step=score&present=1&beat=5"])
def test_axe_finds_nothing_serious_in_present(recorded_page: RecordedPage, address: str, query: str, scheme: str):
    recorded_page.page.emulate_media(color_scheme=scheme)
    assert serious_axe_findings(open_presentation(recorded_page, f"{address}/{query}")) == {}
