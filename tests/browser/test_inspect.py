"""The Inspect page in a browser, the network cut: open, edit, score, look."""

from __future__ import annotations

import pytest

from tests.browser.conftest import GRAPHS, TREES, Watched, press, settled, still, unfold, write

pytestmark = [pytest.mark.browser, pytest.mark.parser]
NASTY = '</script><img src=x onerror="document.title=1"> dog'


def f1(page: object) -> str:
    return page.locator(".sc-f1 b").inner_text()


def rescored(page: object, before: str) -> None:
    """Wait until another F1 stands there."""
    page.wait_for_function("before => document.querySelector('.sc-f1 b')?.innerText !== before", arg=before)
    settled(page)


def test_edit_and_score_with_the_network_cut(watched: Watched, address: str):
    page = watched.page
    page.goto(address)
    settled(page)
    before = f1(page)
    graphs = page.locator(GRAPHS)
    assert graphs.locator("canvas").count() == 2

    write(page.get_by_label("Candidate caption"), "A zebra.")
    press(page.get_by_role("button", name="Score"))
    rescored(page, before)
    assert f1(page) == "0.000" != before
    graphs.locator('[aria-label*="zebra"]').wait_for()
    assert page.locator(".sc-tuples").get_by_text("zebra").count() > 0

    assert watched.abroad == [] and watched.errors == []


def test_ctrl_enter_scores_and_markup_stays_text_in_every_field(watched: Watched, address: str):
    page = watched.page
    page.goto(f"{address}/?example=umbrella")
    settled(page)
    unfold(page)
    for number in (1, 2):
        write(page.get_by_label(f"Reference {number}", exact=True), NASTY)
    field = page.get_by_label("Candidate caption")
    write(field, NASTY)
    field.press("Control+Enter")
    page.locator(".sc-captions", has_text="onerror").first.wait_for()
    settled(page)
    press(page.get_by_role("button", name="Download"))
    page.get_by_text("Report, one page").wait_for()
    page.keyboard.press("Escape")
    press(page.locator(".sc-tuples button").first)
    page.locator(".sc-detail header").wait_for()
    for drawer in ("Graphs in words", "Effect of each reference", "What if", "Parse"):
        press(page.get_by_text(drawer, exact=True))
        settled(page)
    assert page.locator("img[src=x]").count() == 0
    assert "spice_core" in page.title() and watched.abroad == [] and watched.errors == []


def test_markup_in_the_settings_stays_text(watched: Watched, address: str):
    page = watched.page
    page.goto(address)
    settled(page)
    press(page.get_by_test_id("stExpandSidebarButton"))
    lists = page.get_by_role("textbox", name="Your own categories")
    for written in (NASTY, f"{NASTY}: girl, young"):
        write(lists, written)
        lists.press("Control+Enter")
        settled(page)
    page.locator("[class*=st-key-inspect-bars]").get_by_role("button", name="onerror").wait_for()
    assert page.locator("img[src=x]").count() == 0 and "spice_core" in page.title()
    assert watched.abroad == [] and watched.errors == []


@pytest.mark.parametrize("width", [320, 375, 1440])
def test_nothing_sticks_out_of_the_page(watched: Watched, address: str, width: int):
    page = watched.page
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(f"{address}/?example=pizza&focus=c:o1")
    settled(page)
    page.wait_for_function("width => document.querySelector('[data-testid=stMain]').scrollWidth <= width", arg=width)  # once drawn


def test_the_graphs_follow_the_theme(watched: Watched, address: str):
    page = watched.page
    page.emulate_media(color_scheme="dark")
    page.goto(address)
    settled(page)
    grounds = [page.locator(f"{GRAPHS} section").first, page.locator('[data-testid="stApp"]')]
    colours = [ground.evaluate("e => getComputedStyle(e).backgroundColor") for ground in grounds]
    assert colours == ["rgb(28, 32, 40)", "rgb(20, 23, 29)"]
    assert page.locator(GRAPHS).evaluate("main => main.graphs.drawn") == "dark"


def test_japanese_captions_with_the_network_cut(watched: Watched, address: str):
    page = watched.page
    page.goto(address)
    settled(page)
    write(page.get_by_label("Candidate caption"), "赤い傘をさした人がベンチに座っている")
    for number, text in enumerate(["赤い傘を差した人がベンチに座っている", "傘をさして海を見ている", "ベンチに人が座っている"], 1):
        write(page.get_by_label(f"Reference {number}", exact=True), text)
    press(page.get_by_role("button", name="Score"))
    page.locator(".sc-tuples", has_text="人 – 座る – ベンチ").wait_for()
    settled(page)
    page.get_by_text("Auto: 日本語").wait_for()
    page.locator(f'{GRAPHS} [aria-label*="座る"]').first.wait_for()
    # the face is there, so that no character is an empty box
    assert page.evaluate("() => document.fonts.load('600 14px \"Noto Sans JP\"', '傘座人').then(faces => faces.length)") > 0

    press(page.get_by_text("Parse", exact=True))
    trees = page.frame_locator(TREES)
    trees.get_by_text("座っている").wait_for()
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 1440
    assert watched.abroad == [] and watched.errors == []


def test_a_parse_scrolls_inside_the_page(watched: Watched, address: str):
    page = watched.page
    page.set_viewport_size({"width": 375, "height": 812})
    page.goto(f"{address}/?example=ja-skateboard")
    settled(page)
    press(page.get_by_text("Parse", exact=True))
    box = page.frame_locator(TREES).locator(".scroll").first
    box.wait_for()
    assert box.evaluate("e => e.scrollWidth > e.clientWidth && e.clientWidth < 375")
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 375


@pytest.mark.parametrize("query", ["?example=umbrella", "?example=ja-umbrella&ui=ja", "?ex=pizza", "?example=market"])
def test_a_link_opens_on_its_result_within_two_screens_of_a_phone(watched: Watched, address: str, query: str):
    page = watched.page
    page.set_viewport_size({"width": 375, "height": 812})
    page.goto(f"{address}/{query}")
    settled(page)
    still(page)
    tops = [page.locator(css).first.bounding_box()["y"] for css in (".sc-f1", ".sc-captions dd", f"{GRAPHS} section")]
    assert tops[0] < tops[1] < 812 and tops[2] < 2 * 812 - 150
    assert not page.get_by_label("Candidate caption").is_visible()
    assert watched.page.url.count("example=") == 1


@pytest.mark.parametrize("query", ["", "?example=umbrella"])
def test_score_and_graphs_begin_on_the_first_screen(watched: Watched, address: str, query: str):
    page = watched.page
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(f"{address}/{query}")
    settled(page)
    still(page)
    tops = [page.locator(css).first.bounding_box()["y"] for css in (".sc-f1", f"{GRAPHS} section")]
    assert tops[0] < 300 and tops[1] < 680


def test_a_click_far_from_the_drawer_brings_its_explanation(watched: Watched, address: str):
    page = watched.page
    page.set_viewport_size({"width": 375, "height": 812})
    page.goto(f"{address}/?example=umbrella")
    settled(page)
    still(page)
    button = page.locator(".sc-tuples button").last
    button.scroll_into_view_if_needed()
    press(button)
    drawer = page.locator(".sc-detail:not(.sc-hint)")
    drawer.wait_for()
    still(page)
    clicked, told = button.bounding_box(), drawer.bounding_box()
    assert clicked["y"] >= 0 and clicked["y"] + clicked["height"] <= told["y"] and told["y"] + told["height"] <= 812


def test_the_examples_stay_open_while_one_tries_them(watched: Watched, address: str):
    page = watched.page
    page.goto(address)
    settled(page)
    press(page.get_by_text("Examples", exact=True))
    for name, title in (("giraffe", "The same words, another picture"), ("pot-pan", "The same picture, other words")):
        press(page.locator(f".st-key-inspect-example-{name} button"))
        page.locator(".sc-lesson", has_text=title).wait_for()
        settled(page)
    assert page.locator(".st-key-inspect-strip").is_visible() and watched.errors == []
