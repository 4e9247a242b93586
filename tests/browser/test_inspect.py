"""Test visits to the Inspect page without network access: edit, score and save, in English (light) and Japanese (dark)."""

import io
import json
import re
import xml.etree.ElementTree as ET

import pytest
from PIL import Image

from pages.parts.kit.texts import INTERFACE_LANGUAGES, t
from tests.browser.conftest import (
    GRAPHS_SELECTOR,
    TREES_SELECTOR,
    RecordedPage,
    check_width,
    click_when_ready,
    serious_axe_findings,
    wait_for_result,
    wait_until_ready,
    wait_until_still,
    write,
)

HOSTILE_CAPTION = '</script><svg src=x onerror="document.title=1"> dog'
# Each caption has twelve words.
FIVE_CAPTIONS = (
    "A woman with a bright red umbrella walks her two dogs outside.",
    "Two little brown dogs on leashes follow a lady across a road.",
    "A girl in a long coat is walking dogs past a car.",
    "The young lady holds two leashes while she walks down a street.",
    "A person in a red coat crosses a street with two dogs.",
)
_STORED_DETAILS_JS = "Object.values(spiceDetails['inspect.details'].details).join()"
_SCROLLING_ELEMENTS_JS = """main => [...main.querySelectorAll("*")].filter(e => e.matches(".graph, section, main") && (e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1)).map(e => e.className)"""
_COUNT_DRAWINGS_JS = "main => { window.drawings = 0; new MutationObserver(() => { drawings++; }).observe(main, { childList: true }); }"


def f1(page: object) -> str:
    return page.locator(".sc-f1 b").inner_text()


def top_offsets_px(page: object, *selectors: str) -> list[float]:
    """Return the distance in pixels between each element and the screen's top."""
    wait_until_still(page)
    return [page.locator(css).first.bounding_box()["y"] for css in selectors]


def check_first_screen(page: object) -> None:
    """Check that both graphs are visible next to the captions without inner scrolling.

    On a small notebook, the category bars are visible too.
    """
    for width, height in ((1440, 900), (1280, 720)):
        page.set_viewport_size({"width": width, "height": height})
        wait_until_still(page)
        boxes = [page.locator(f"{GRAPHS_SELECTOR} section").nth(side).bounding_box() for side in (0, 1)]
        assert boxes[0]["y"] == boxes[1]["y"] < 300 and top_offsets_px(page, ".sc-f1")[0] < boxes[0]["y"]
        bars_box = page.locator(".st-key-inspect-kinds").bounding_box()
        assert all(height >= box["y"] + box["height"] for box in (*boxes, bars_box))
        assert page.locator(GRAPHS_SELECTOR).evaluate(_SCROLLING_ELEMENTS_JS) == []


def check_phone_layout(page: object) -> None:
    """Check the order on a phone: candidate, score, first graph, references."""
    page.set_viewport_size({"width": 375, "height": 812})
    selectors = (".sc-marked", ".sc-f1", f"{GRAPHS_SELECTOR} section", ".st-key-inspect-others")
    wait_until_still(page)
    hidden_field = page.locator(".st-key-inspect-candidate-field textarea")
    # Make the hidden field tall, because it may adapt its height late after a change of width.
    hidden_field.evaluate("area => area.style.minHeight = '600px'")
    offsets = top_offsets_px(page, *selectors)
    hidden_field.evaluate("area => area.style.minHeight = ''")
    assert offsets == sorted(offsets) and offsets[1] < 812 and offsets[2] < 812 + 100
    assert page.locator(f"{GRAPHS_SELECTOR} section").first.bounding_box()["width"] == 375
    assert page.url.count("example=") == 1


def test_captions_are_edited_and_scored_with_the_network_cut(recorded_page: RecordedPage, address: str):
    page = recorded_page.page
    page.goto(address)
    wait_for_result(page)
    check_first_screen(page)
    assert page.locator(GRAPHS_SELECTOR).locator(".graph").count() == 2

    check_pasted_captions_become_references(page)
    click_when_ready(page.get_by_text("Examples", exact=True))
    for name, title in (("giraffe", "The same words, another picture"), ("basketball", "One wrong word")):
        click_when_ready(page.locator(f".st-key-inspect-example-{name} button"))
        page.locator(".sc-lesson", has_text=title).wait_for()
    wait_for_result(page)
    assert page.locator(".st-key-inspect-strip").is_visible(), "the examples stay open while one tries them"
    page.get_by_role("button", name="Back to your captions").wait_for()

    f1_before = f1(page)
    # The explanations arrive after the drawing.
    page.wait_for_function("globalThis.spiceDetails?.['inspect.details']")
    assert "zebra" not in page.evaluate(_STORED_DETAILS_JS)
    page.locator(GRAPHS_SELECTOR).evaluate(_COUNT_DRAWINGS_JS)
    write(page.get_by_label("Candidate caption"), "A zebra.")
    click_when_ready(page.get_by_role("button", name="Score"))
    page.locator('.sc-f1 b:text-is("0.000")').wait_for()
    assert f1_before != "0.000"
    page.locator(GRAPHS_SELECTOR).locator('[aria-label*="zebra"]').wait_for()
    page.locator(".sc-tuples").get_by_text("zebra").first.wait_for()
    page.wait_for_function(f"{_STORED_DETAILS_JS}.includes('zebra')")
    wait_until_still(page)
    assert page.evaluate("drawings") == 1
    check_markup_is_scored(page)
    page.emulate_media(color_scheme="light")
    assert serious_axe_findings(page) == {}
    check_markup_as_category(page)
    assert page.locator("img[src=x]").count() == 0 and "spice_core" in page.title()
    assert recorded_page.abroad == recorded_page.errors == []


def check_pasted_captions_become_references(page: object) -> None:
    click_when_ready(page.get_by_role("button", name="New", exact=True))
    field = wait_until_ready(page.get_by_label("Candidate caption"))
    assert field.evaluate("e => e.offsetWidth / e.closest('.st-key-inspect-first').offsetWidth") > 0.9  # even though it is empty
    assert page.get_by_text("There is no candidate.").count() == 0 and "one per line" in field.get_attribute("placeholder")
    click_when_ready(page.get_by_role("button", name="Add a reference"))
    write(field, "A young woman in a long red coat walks two dogs.")
    write(page.get_by_label("Reference 1", exact=True), "\n".join(FIVE_CAPTIONS))
    click_when_ready(page.get_by_role("button", name="Score"))
    page.get_by_label("Reference 5", exact=True).wait_for()
    page.get_by_role("button", name="Undo: treat the pasted text as one caption").wait_for()
    wait_for_result(page)
    check_first_screen(page)


def check_markup_is_scored(page: object) -> None:
    """Write markup into all captions, score it by Ctrl+Enter, and open everything that shows it."""
    for attempt in (1, 2):
        write(page.get_by_label(f"Reference {attempt}", exact=True), HOSTILE_CAPTION)
    field = page.get_by_label("Candidate caption")
    write(field, HOSTILE_CAPTION)
    field.press("Control+Enter")
    page.locator(".sc-marked", has_text="onerror").first.wait_for()
    wait_for_result(page)
    click_when_ready(page.get_by_role("button", name="Download"))
    page.get_by_text("Report, one page").wait_for()
    page.keyboard.press("Escape")
    click_when_ready(page.locator(".sc-tuples button").first)
    page.locator(".sc-here header").wait_for()
    for drawer in ("Graphs in words", "Effect of each reference", "What if", "Parse"):
        click_when_ready(page.get_by_text(drawer, exact=True))
    wait_for_result(page)


def check_markup_as_category(page: object) -> None:
    click_when_ready(page.get_by_test_id("stExpandSidebarButton"))
    lists = page.get_by_role("textbox", name="Custom categories")
    for category_text in (HOSTILE_CAPTION, f"{HOSTILE_CAPTION}: girl, young"):
        write(lists, category_text)
        lists.press("Control+Enter")
        wait_for_result(page)
    page.locator("[class*=st-key-inspect-bars]").get_by_role("button", name="onerror").wait_for()


def test_japanese_captions_are_scored_and_saved_on_a_dark_page(recorded_page: RecordedPage, address: str):
    page = recorded_page.page
    page.emulate_media(color_scheme="dark")
    page.goto(f"{address}/?example=ja-skateboard&ui=ja&view=union")
    wait_for_result(page)
    check_phone_layout(page)
    switch_language(page, "en")
    click_when_ready(page.get_by_text("Parse", exact=True))
    check_scrolling_tree(page)
    page.set_viewport_size({"width": 1440, "height": 900})
    click_when_ready(page.get_by_test_id("stButtonGroup").get_by_text("Side by side", exact=True))
    wait_for_result(page)
    backgrounds = [page.locator(f"{GRAPHS_SELECTOR} section").first, page.locator('[data-testid="stApp"]')]
    assert [ground.evaluate("e => getComputedStyle(e).backgroundColor") for ground in backgrounds] == ["rgb(28, 32, 40)", "rgb(20, 23, 29)"]
    label = page.locator(f"{GRAPHS_SELECTOR} .node.object text").first
    assert label.evaluate("e => getComputedStyle(e).fill") in ("rgb(236, 235, 230)", "rgb(163, 171, 185)")

    write(page.get_by_label("Candidate caption"), "赤い傘をさした人がベンチに座っている")
    for caption_index, text in enumerate(["赤い傘を差した人がベンチに座っている", "傘をさして海を見ている", "ベンチに人が座っている"], 1):
        write(page.get_by_label(f"Reference {caption_index}", exact=True), text)
    click_when_ready(page.get_by_role("button", name="Score"))
    page.locator(".sc-tuples", has_text="人 – 座る – ベンチ").wait_for()
    wait_for_result(page)
    page.get_by_text("Auto: 日本語").wait_for()
    page.locator(f'{GRAPHS_SELECTOR} [aria-label*="座る"]').first.wait_for()
    page.frame_locator(TREES_SELECTOR).get_by_text("座っている").first.wait_for()
    # If the font is loaded, no character is shown as an empty box.
    assert page.evaluate("() => document.fonts.load('600 14px \"Noto Sans JP\"', '傘座人').then(faces => faces.length)") > 0
    check_width(page, 1440)

    graphs = check_saved_files(page)
    switch_language(page, "ja")
    page.locator(GRAPHS_SELECTOR).locator("h3", has_text="候補").wait_for()
    page.wait_for_function("document.documentElement.lang === 'ja'")
    style = page.locator(".sc-marked").first.evaluate(
        "e => (({ fontFamily, lineBreak, wordBreak }) => [fontFamily, lineBreak, wordBreak])(getComputedStyle(e))"
    )
    assert style[1:] == ["strict", "auto-phrase"] and "serif" not in style[0].replace("sans-serif", "")
    assert serious_axe_findings(page) == {}
    # The saved graphs are a complete HTML document.
    page.set_content(graphs)
    page.locator(".graph").nth(1).wait_for()
    assert recorded_page.abroad == recorded_page.errors == []


def switch_language(page: object, language: str, *, key: str = "inspect-focus", choice: str = "focus.nothing") -> None:
    """Switch the interface language, and check that the URL and the shown choice of a list follow."""
    click_when_ready(page.locator(".st-key-head").get_by_role("radio", name=INTERFACE_LANGUAGES[language]))
    page.get_by_role("link", name=t("page.batch", language=language)).first.wait_for()
    wait_until_still(page)
    box = page.locator(f".st-key-{key}").get_by_role("combobox")
    shown_value = box.evaluate("box => box.value || box.closest('[data-baseweb=select], [data-testid=stSelectbox]').innerText")
    assert t(choice, language=language) in shown_value and ("ui=ja" in page.url) == (language == "ja")


def check_scrolling_tree(page: object) -> None:
    """Check that a wide tree scrolls in its own box and fades at edges with hidden content."""
    tree = page.frame_locator(TREES_SELECTOR).locator(".scroll").first
    tree.wait_for()
    assert tree.evaluate("tree => tree.scrollWidth > tree.clientWidth && tree.clientWidth < 375")
    check_width(page, 375)
    edges = [has_faded_edges(tree)]
    tree.evaluate("tree => { tree.scrollLeft = tree.scrollWidth; }")
    assert [*edges, has_faded_edges(tree)] == [(False, True), (True, False)]


def has_faded_edges(tree: object) -> tuple[bool, bool]:
    """Return whether the background at the left and right edges differs from the middle, between the lines of words."""
    picture = Image.open(io.BytesIO(tree.screenshot())).convert("RGB")
    ground = picture.getpixel((picture.width // 2, 1))
    return tuple(picture.getpixel((x, 1)) != ground for x in (1, picture.width - 2))


def check_saved_files(page: object) -> str:
    """Download the files of the menu and a picture, check their content, and return the file of graphs."""
    saved_files = {}
    click_when_ready(page.get_by_role("button", name="Download"))
    for name in ("All data (JSON)", "Interactive graphs (HTML)", "Tuples (CSV)"):
        with page.expect_download() as download:
            click_when_ready(page.get_by_role("button", name=name))
        saved_files[name] = download.value.path().read_bytes()
    page.keyboard.press("Escape")
    check_picture_shows_screen(page)
    assert json.loads(saved_files["All data (JSON)"])["signature"].startswith("spice|lang:ja")
    assert saved_files["Tuples (CSV)"].startswith("\ufeff".encode())
    return saved_files["Interactive graphs (HTML)"].decode()


def check_picture_shows_screen(page: object) -> None:
    """Check that saved pictures show the screen: nodes in the same places, focus, and the visible part of each panel."""
    graph = page.locator(f"{GRAPHS_SELECTOR} .graph").first
    click_when_ready(page.get_by_role("button", name=f"{t('graphs.larger')}: {t('graphs.candidate')}"))
    saved_files = {}
    for file_format in ("svg", "pdf", "png/2"):
        click_when_ready(page.get_by_role("button", name=t("picture.picture")))
        page.locator("select[name=format]").select_option(file_format)
        page.locator("select[name=width]").select_option("174")
        with page.expect_download() as download:
            page.get_by_role("button", name=t("picture.save"), exact=True).click()
        saved_files[file_format] = download.value.path().read_bytes()
    places = {node.get_attribute("data-id"): node.get_attribute("transform") for node in page.locator(f"{GRAPHS_SELECTOR} .node").all()}
    root = ET.fromstring(saved_files["svg"])
    nodes = [group for group in root.iter("{http://www.w3.org/2000/svg}g") if group.get("data-id")]
    assert {node.get("data-id"): node.get("transform") for node in nodes} == places and "座る" in "".join(root.itertext())
    body = next(group[0] for group in root.iter("{http://www.w3.org/2000/svg}g") if group.get("clip-path"))
    scale, left = (float(re.findall(r"-?[\d.]+", body.get("transform"))[index]) for index in (0, 4))
    view = [float(number) for number in graph.get_attribute("viewBox").split()]
    assert -left / scale == pytest.approx(view[0], abs=1) and saved_files["pdf"].startswith(b"%PDF")
    assert Image.open(io.BytesIO(saved_files["png/2"])).width == pytest.approx(174 / 25.4 * 96 * 2, abs=2)
    click_when_ready(page.get_by_role("button", name=f"{t('graphs.fit')}: {t('graphs.candidate')}"))


@pytest.mark.release
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("path", "selector"), [
    ("?example=infant&focus=c:o1", GRAPHS_SELECTOR),
    ("?example=ja-umbrella&ui=ja&view=union", GRAPHS_SELECTOR),
    ("?example=market", GRAPHS_SELECTOR),
    ("Agreement", ".js-plotly-plot"),
    ("Agreement?ui=ja", ".js-plotly-plot"),
])  # fmt: skip
def test_axe_finds_nothing_serious(recorded_page: RecordedPage, address: str, scheme: str, path: str, selector: str):
    page = recorded_page.page
    page.emulate_media(color_scheme=scheme)
    page.goto(f"{address}/{path}")
    page.locator(selector).first.wait_for(state="attached")
    wait_until_still(page)
    for drawer in page.get_by_test_id("stExpander").all() if selector == GRAPHS_SELECTOR else ():
        click_when_ready(drawer.locator("summary"))
    wait_until_still(page)
    assert serious_axe_findings(page) == {}
