"""Clicks, keys, links, files and visitors on the Inspect page."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from contextlib import suppress

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from pages.parts.kit.texts import t
from tests.browser.conftest import GRAPHS, Watched, node, press, settled, unfold, visitor, write
from tests.browser.test_inspect import f1, rescored

pytestmark = [pytest.mark.browser, pytest.mark.parser]


def lit(page: object) -> list[str]:
    """The nodes in focus in the drawing."""
    return page.locator(GRAPHS).evaluate("main => main.graphs.focused")


def heard(page: object) -> None:
    """Wait until the server has heard of the focus."""
    page.wait_for_function("() => location.search.includes('focus=')")
    settled(page)


def ringed(page: object) -> list[str]:
    """The marked words of the captions that have a firm outline."""
    words = "[...document.querySelectorAll('.sc-captions mark')].filter(m => getComputedStyle(m).outlineStyle === 'solid')"
    return page.evaluate(f"() => {words}.map(mark => mark.innerText)")


def words_lit(page: object) -> set[str]:
    """The labels of the nodes in focus."""
    return set(
        page.locator(GRAPHS).evaluate(
            "main => main.graphs.data.panels.flatMap(p => p.nodes).filter(n => main.graphs.focused.includes(n.id)).map(n => n.label)"
        )
    )


@pytest.mark.parametrize(("example", "language", "sentence", "some"), [
    ("market", "en", 2, {"woman", "smile at", "man", "stand behind", "wooden", "stall"}),
    ("ja-kitchen", "ja", 1, {"女性", "着ける", "赤い", "エプロン", "鍋", "かき混ぜる"}),
])  # fmt: skip
def test_a_sentence_of_a_long_caption_shows_its_part_of_the_graph(
    watched: Watched, address: str, example: str, language: str, sentence: int, some: set[str]
):
    page = watched.page
    page.goto(f"{address}/?example={example}&ui={language}")
    settled(page)
    counts = page.locator(".sc-sentences button")
    assert counts.count() > 6
    press(counts.nth(sentence))
    said = page.locator("nav.bar .said")
    said.locator("b").wait_for()
    assert some <= words_lit(page) and counts.nth(sentence).inner_text() in said.inner_text()
    assert page.locator(GRAPHS).evaluate("main => main.getBoundingClientRect().top < innerHeight - 200")

    names = [t("bar.next", language=language), t("bar.before", language=language), t("bar.all", language=language)]
    following, before, whole = (page.get_by_role("button", name=name, exact=True) for name in names)
    first = said.inner_text()
    following.press("Enter")
    assert said.inner_text() != first
    before.press("Enter")
    assert said.inner_text() == first
    press(whole)
    assert lit(page) == [] and whole.is_disabled()
    page.locator(".sc-sentences p").nth(sentence).locator("span").first.hover()
    page.wait_for_function("main => main.graphs.focused.length > 3", arg=page.locator(GRAPHS).element_handle())
    page.mouse.move(2, 2)
    page.wait_for_function("main => !main.graphs.focused.length", arg=page.locator(GRAPHS).element_handle())
    assert watched.abroad == [] and watched.errors == []


def test_a_word_is_found_in_a_large_graph(watched: Watched, address: str):
    page = watched.page
    page.goto(f"{address}/?example=market")
    settled(page)
    field = page.get_by_placeholder("Find in the graph")
    write(field, "BOX")
    assert words_lit(page) == {"box"} and page.locator("nav.bar output").inner_text() == "2 found"
    field.press("Enter")
    assert len(lit(page)) == 1 and page.locator("nav.bar output").inner_text() == "1/2"
    field.press("Enter")
    assert page.locator("nav.bar output").inner_text() == "2/2"
    write(field, "elephant <b>")
    assert lit(page) == [] and page.locator("nav.bar output").inner_text() == "not found"
    field.press("Escape")
    assert field.input_value() == "" and page.locator("nav.bar output").inner_text() == ""
    page.goto(f"{address}/?example=umbrella")
    settled(page)
    assert page.locator("nav.bar").is_hidden()


def test_a_click_in_the_graph_lights_all_views(watched: Watched, address: str):
    page = watched.page
    page.goto(f"{address}/?example=umbrella")
    settled(page)
    page.mouse.click(*node(page, "hold", kind="relation"))
    page.locator(".sc-detail header", has_text="woman – hold – umbrella").wait_for()
    assert len(lit(page)) == 2 and ringed(page) == ["holding"] * 2
    heard(page)
    page.get_by_role("button", name="Parse of Candidate").wait_for()
    page.mouse.click(*node(page, "blue", panel=1))
    page.locator(".sc-detail", has_text="red").wait_for()
    assert "Why it did not match" in page.locator(".sc-detail").inner_text() and ringed(page) == ["blue", "blue"]

    press(page.locator(".sc-detail button", has_text="umbrella: red"))  # the nearest tuple of the other side
    page.locator(".sc-detail header", has_text="umbrella: red").wait_for()
    press(page.locator(".sc-captions mark", has_text="rain"))
    page.locator(".sc-detail header", has_text="rain").wait_for()
    press(page.locator(".sc-tuples button", has_text="woman – walk in – rain"))
    page.locator(".sc-detail header", has_text="walk in").wait_for()
    x, y = node(page, "woman")
    page.mouse.click(x, y - 60)  # the ground
    page.locator(".sc-hint").wait_for()
    page.wait_for_function("() => !location.search.includes('focus')")
    drawn = page.locator(GRAPHS).element_handle()
    page.wait_for_function("main => !main.graphs.focused.length", arg=drawn)  # the address is told of it before the drawing
    assert watched.errors == []


def test_a_click_on_a_category_shows_its_tuples(watched: Watched, address: str):
    page = watched.page
    page.goto(f"{address}/?example=umbrella")
    settled(page)
    bars = page.locator("[class*=st-key-inspect-bars]")
    press(bars.locator("tr", has_text="Colour").locator(".track"))  # its bar is empty
    page.wait_for_function("() => location.search.includes('category=Color')")
    bars.get_by_role("button", name="Colour", pressed=True).wait_for()
    page.locator(".sc-tuples tbody tr").nth(2).wait_for(state="detached")
    assert {row.inner_text() for row in page.locator(".sc-tuples button").all()} == {"umbrella: red", "umbrella: blue"}
    bars.get_by_role("button", name="Relation").focus()
    page.keyboard.press("Enter")
    page.wait_for_function("() => location.search.includes('category=Relation')")
    bars.get_by_role("button", name="Relation", pressed=True).wait_for()
    assert bars.get_by_role("button", name="Relation").evaluate("button => button.getRootNode().activeElement === button")
    page.keyboard.press("Enter")
    page.wait_for_function("() => !location.search.includes('category')")
    bars.get_by_role("button", pressed=True).wait_for(state="detached")  # the address is told of it first
    assert watched.errors == []


def test_the_same_without_a_mouse(watched: Watched, address: str):
    page = watched.page
    page.goto(f"{address}/?example=umbrella")
    settled(page)
    row = page.locator(".sc-tuples button", has_text="umbrella: red")
    row.focus()
    page.keyboard.press("Enter")
    page.locator(".sc-detail header", has_text="umbrella: red").wait_for()
    heard(page)
    box = page.get_by_role("combobox", name="Focus on")
    page.wait_for_function("box => box.value.startsWith('umbrella: red')", arg=box.element_handle())  # the box is drawn anew
    found = page.locator(".sc-detail header", has_text="rain")
    for _ in range(4):  # the list follows the typing late, and an Enter before it has settled chooses nothing
        box.focus()
        page.keyboard.press("ArrowDown")
        box.fill("rain")  # at once: the list is open
        page.locator("[role=option][data-focused]", has_text="rain (").wait_for()
        page.keyboard.press("Enter")
        with suppress(PlaywrightTimeout):
            found.wait_for(timeout=60_000)
            break
    assert found.is_visible()
    assert lit(page) and watched.errors == []


@pytest.mark.parametrize("view", ["Union", "Difference"])
def test_one_drawing_of_both(watched: Watched, address: str, view: str):
    page = watched.page
    page.goto(f"{address}/?example=umbrella")
    settled(page)
    places = dict(zip(("red", "blue"), (node(page, "red"), node(page, "blue", panel=1))))
    assert places["red"][0] != places["blue"][0]
    press(page.get_by_test_id("stButtonGroup").get_by_text(view, exact=True))
    page.wait_for_function("() => location.search.includes('view=')")
    settled(page)
    page.mouse.click(*node(page, "blue"))
    page.locator(".sc-detail header", has_text="umbrella: blue").wait_for()
    assert watched.errors == []


def test_a_copied_link_shows_the_same_to_another_visitor(watched: Watched, address: str, browser: object):
    page = watched.page
    page.goto(address)
    settled(page)
    before = f1(page)
    write(page.get_by_label("Candidate caption"), "A dog & a ‘cat’ on a sofa.")
    press(page.get_by_role("button", name="Score"))
    rescored(page, before)
    page.mouse.click(*node(page, "sofa"))
    page.locator(".sc-detail header", has_text="sofa").wait_for()
    heard(page)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=address)
    press(page.get_by_role("button", name="Copy link"))
    page.get_by_text("Copied. The captions are inside this link").wait_for()
    link = page.evaluate("navigator.clipboard.readText()")

    context = browser.new_context()
    other = Watched(visitor(context))
    other.page.goto(link)
    settled(other.page)
    unfold(other.page)
    assert other.page.get_by_label("Candidate caption").input_value() == "A dog & a ‘cat’ on a sofa."
    assert f1(other.page) == f1(page) and "sofa" in other.page.locator(".sc-detail header").inner_text()
    assert other.errors == [] == other.abroad
    context.close()


def test_the_browser_keeps_the_explanations_of_the_result_shown(watched: Watched, address: str):
    page = watched.page
    page.goto(f"{address}/?example=umbrella")
    settled(page)
    before = f1(page)
    kept = "Object.values(spiceDetails['inspect.details'].details).join()"
    page.wait_for_function("globalThis.spiceDetails?.['inspect.details']")  # they come after the drawing
    assert "umbrella" in page.evaluate(kept) and "zebra" not in page.evaluate(kept)
    unfold(page)
    write(page.get_by_label("Candidate caption"), "A zebra holds an umbrella.")
    press(page.get_by_role("button", name="Score"))
    rescored(page, before)
    settled(page)
    page.wait_for_function(f"{kept}.includes('zebra')")
    assert watched.errors == []


def test_files_are_saved(watched: Watched, address: str):
    page = watched.page
    page.goto(f"{address}/?example=ja-umbrella")
    settled(page)
    saved = {}
    for name in ("Picture (SVG)", "All there is to know (JSON)", "Graphs to move (HTML)", "Tuples (CSV)"):
        if not page.get_by_test_id("stPopoverBody").is_visible():
            press(page.get_by_role("button", name="Download"))
        with page.expect_download() as download:
            press(page.get_by_role("button", name=name))
        saved[name] = download.value.path().read_bytes()
    page.keyboard.press("Escape")
    with page.expect_download() as download:
        press(page.get_by_role("button", name="Save as PNG: Candidate"))
    assert download.value.path().read_bytes().startswith(b"\x89PNG")
    picture = ET.fromstring(saved["Picture (SVG)"])
    assert "座る" in "".join(picture.itertext()) and b"@font-face" in saved["Picture (SVG)"]
    assert json.loads(saved["All there is to know (JSON)"])["signature"].startswith("spice|lang:ja")
    assert saved["Tuples (CSV)"].startswith("\ufeff".encode())

    page.set_content(saved["Graphs to move (HTML)"].decode())  # stands on its own
    page.locator("canvas").nth(1).wait_for()
    assert watched.abroad == [] and watched.errors == []


def test_two_visitors_do_not_see_each_other(address: str, browser: object):
    contexts = [browser.new_context(), browser.new_context()]
    pages = [Watched(visitor(context)).page for context in contexts]
    for page in pages:
        page.goto(address)
    for page, word in zip(pages, ("zebra", "giraffe")):
        settled(page)
        write(page.get_by_label("Candidate caption"), f"A {word}.")
        press(page.get_by_role("button", name="Score"))
    for page, mine, other in zip(pages, ("zebra", "giraffe"), ("giraffe", "zebra")):
        page.locator(".sc-tuples", has_text=mine).wait_for()
        settled(page)
        assert other not in page.locator("body").inner_text()
    for context in contexts:
        context.close()


def test_the_page_speaks_japanese(watched: Watched, address: str):
    page = watched.page
    page.goto(address)
    settled(page)
    press(page.get_by_test_id("stButtonGroup").get_by_text("日本語").first)
    page.get_by_role("heading", name="シーングラフ").wait_for()
    settled(page)
    assert "ui=ja" in page.url and page.locator(GRAPHS).locator("h3").first.inner_text() == "候補"
    assert watched.errors == []


@pytest.mark.parametrize("query", ["?example=infant&focus=c:o1", "?example=ja-umbrella&ui=ja&view=union", "?example=market"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(watched: Watched, address: str, scheme: str, query: str):
    page = watched.page
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.goto(f"{address}/{query}")
    settled(page)
    for drawer in page.get_by_test_id("stExpander").all():
        press(drawer.locator("summary"))
        settled(page)
    found = Axe().run(page).response["violations"]
    serious = {v["id"]: [n["html"][:160] for n in v["nodes"]] for v in found if v["impact"] in ("serious", "critical")}
    assert serious == {}


def test_a_new_drawing_is_painted_twice_at_most(watched: Watched, address: str):
    page = watched.page
    page.goto(address)
    settled(page)
    before = f1(page)
    page.evaluate("""() => {
        const plain = CanvasRenderingContext2D.prototype.clearRect;
        window.painted = new Map();
        CanvasRenderingContext2D.prototype.clearRect = function (...box) {
            painted.set(this.canvas, (painted.get(this.canvas) ?? 0) + 1);
            plain.apply(this, box);
        };
    }""")
    write(page.get_by_label("Candidate caption"), "Two dogs and a girl sleep on a red sofa.")
    page.evaluate("painted.clear()")  # what the drawing before still painted
    page.keyboard.press("Control+Enter")
    rescored(page, before)
    page.wait_for_function("painted.size === 2")
    page.wait_for_timeout(500)
    times = page.evaluate("[...painted.values()]")
    assert len(times) == 2 and max(times) <= 2
