"""The Inspect page in a browser, the network cut: open, edit, score, look."""

from __future__ import annotations

import pytest

from tests.browser.conftest import GRAPHS, TREES, Watched, settled

pytestmark = [pytest.mark.browser, pytest.mark.analyser]


def f1(page: object) -> str:
    return page.locator(".sc-f1 b").inner_text()


def test_edit_and_score_with_the_network_cut(watched: Watched, address: str):
    page = watched.page
    page.goto(address)
    settled(page)
    before = f1(page)
    graphs = page.frame_locator(GRAPHS)
    assert graphs.locator("canvas").count() == 2

    page.get_by_label("Candidate caption").fill("A zebra.")
    page.get_by_role("button", name="Score").click()
    page.wait_for_function("before => document.querySelector('.sc-f1 b')?.innerText !== before", arg=before, timeout=60_000)
    settled(page)
    assert f1(page) == "0.000" != before
    graphs.locator('[data-side="0"] [aria-label*="zebra"]').wait_for(timeout=20_000)
    assert page.locator(".sc-tuples").get_by_text("zebra").count() > 0

    assert watched.abroad == [] and watched.errors == []


def test_ctrl_enter_scores_and_markup_stays_text(watched: Watched, address: str):
    page = watched.page
    page.goto(f"{address}/?ex=umbrella")
    settled(page)
    field = page.get_by_label("Candidate caption")
    field.fill('</script><img src=x onerror="document.title=1"> dog')
    field.press("Control+Enter")
    page.locator(".sc-captions", has_text="onerror").wait_for(timeout=60_000)
    settled(page)
    frame = page.frame_locator(GRAPHS)
    frame.locator("canvas").first.wait_for()
    assert page.locator("img[src=x]").count() == 0 and frame.locator("img").count() == 0
    assert "spice_core" in page.title() and watched.abroad == [] and watched.errors == []


@pytest.mark.parametrize("width", [375, 1440])
def test_nothing_sticks_out_of_the_page(watched: Watched, address: str, width: int):
    page = watched.page
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(f"{address}/?ex=pizza")
    settled(page)
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= width


def test_the_graphs_follow_the_theme(watched: Watched, address: str):
    page = watched.page
    page.emulate_media(color_scheme="dark")
    page.goto(address)
    settled(page)
    frame = page.frame_locator(GRAPHS)
    frame.locator("canvas").first.wait_for()
    grounds = [frame.locator("section").first, page.locator('[data-testid="stApp"]')]
    colours = [ground.evaluate("e => getComputedStyle(e).backgroundColor") for ground in grounds]
    assert colours == ["rgb(28, 32, 40)", "rgb(20, 23, 29)"]


def test_japanese_captions_with_the_network_cut(watched: Watched, address: str):
    page = watched.page
    page.goto(address)
    settled(page)
    page.get_by_label("Candidate caption").fill("赤い傘をさした人がベンチに座っている")
    for number, text in enumerate(["赤い傘を差した人がベンチに座っている", "傘をさして海を見ている", "ベンチに人が座っている"], 1):
        page.get_by_label(f"Reference {number}", exact=True).fill(text)
    page.get_by_role("button", name="Score").click()
    page.locator(".sc-tuples", has_text="人 – 座る – ベンチ").wait_for(timeout=60_000)
    settled(page)
    page.get_by_text("Auto: 日本語").wait_for()
    graphs = page.frame_locator(GRAPHS)
    graphs.locator('[data-side="0"] [aria-label*="座る"]').wait_for(timeout=20_000)
    for where in (page, graphs.locator("body")):  # the face is there, so that no character is an empty box
        loaded = "() => document.fonts.load('600 14px \"Noto Sans JP\"', '傘座人').then(faces => faces.length)"
        assert where.evaluate(loaded) > 0

    page.get_by_text("Parse", exact=True).click()
    trees = page.frame_locator(TREES)
    trees.get_by_text("座っている").wait_for(timeout=20_000)
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 1440
    assert watched.abroad == [] and watched.errors == []


def test_a_parse_scrolls_inside_the_page(watched: Watched, address: str):
    page = watched.page
    page.set_viewport_size({"width": 375, "height": 812})
    page.goto(f"{address}/?ex=ja-skateboard")
    settled(page)
    page.get_by_text("Parse", exact=True).click()
    box = page.frame_locator(TREES).locator(".scroll").first
    box.wait_for(timeout=20_000)
    assert box.evaluate("e => e.scrollWidth > e.clientWidth && e.clientWidth < 375")
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 375
