"""The Learn page in a browser: the tour by keyboard, in both languages; what is seen without scrolling; accessibility."""

from __future__ import annotations

import re

import pytest
from axe_playwright_python.sync_playwright import Axe

from pages.parts.kit.texts import t
from pages.parts.learn.lessons import NAMES, STEPS
from tests.browser.conftest import Watched, press, still

pytestmark = [pytest.mark.browser, pytest.mark.parser]


def opened(watched: Watched, url: str) -> object:
    """The page once its step stands."""
    watched.page.goto(url)
    watched.page.locator("h2.sc-step").wait_for()
    still(watched.page)
    return watched.page


def tabbed_to(page: object, css: str) -> None:
    """Press Tab until an element of this kind has the focus."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("css => !!document.activeElement?.closest(css)", css):
            return
    raise AssertionError(f"Tab does not reach {css}")


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_tour_is_walked_by_keyboard(watched: Watched, address: str, language: str):
    page = opened(watched, f"{address}/Learn?ui={language}")
    for step in STEPS:
        page.locator("h2.sc-step", has_text=t(f"tour.{step.name}", language=language)).wait_for()
        still(page)
        if step.choices:
            tabbed_to(page, ".st-key-learn-told [role=radiogroup]")
            page.keyboard.press("Space")
            page.locator(".sc-verdict").wait_for()
            still(page)
        tabbed_to(page, f".st-key-learn-{step.name}-reveal button")
        page.keyboard.press("Enter")
        page.locator(".sc-then").wait_for()
        still(page)
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("ArrowRight")
    assert f"step={NAMES[-1]}" in page.url
    page.keyboard.press("ArrowLeft")
    page.locator("h2.sc-step", has_text=t(f"tour.{NAMES[-2]}", language=language)).wait_for()
    assert watched.abroad == [] and page.get_by_test_id("stException").count() == 0


def printed(page: object) -> int:
    """How many sheets of paper the page takes."""
    return len(re.findall(rb"/Type\s*/Page\b(?!s)", page.pdf(prefer_css_page_size=True)))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("query", ["?example=infant", "?example=ja-umbrella&ui=ja", "Learn?step=score"])
def test_a_page_prints_as_one_sheet(watched: Watched, address: str, query: str, scheme: str):
    page = watched.page
    page.emulate_media(color_scheme=scheme)
    page.goto(f"{address}/{query}")
    page.locator(".st-key-sheet .sc-page").wait_for(state="attached")
    still(page)
    for _ in range(20):  # the page may still be drawing itself on a busy machine
        if printed(page) == 1:
            break
        page.wait_for_timeout(500)
    assert printed(page) == 1
    page.set_viewport_size({"width": 688, "height": 1017})  # what an A4 sheet leaves within its margins
    page.emulate_media(media="print", color_scheme=scheme)
    sheet = page.locator(".sc-page")
    box = sheet.bounding_box()
    assert (box["x"], box["y"]) == (0, 0) and box["width"] <= 688 and box["height"] <= 1017
    assert sheet.evaluate(
        "e => [...e.querySelectorAll('*')].every(p => p.getBoundingClientRect().right <= e.getBoundingClientRect().right + 1)"
    )
    assert not page.locator(".st-key-head, form, [data-testid=stExpander]").first.is_visible()


@pytest.mark.parametrize("width", [320, 375, 768, 1280])
@pytest.mark.parametrize(
    "query", ["Learn?step=ngrams", "Learn?step=score&ui=ja", "Learn?step=people", "Learn?exercise=E7", "Learn?section=set"]
)
def test_nothing_sticks_out_of_learn(watched: Watched, address: str, query: str, width: int):
    page = watched.page
    page.set_viewport_size({"width": width, "height": 812})
    page.goto(f"{address}/{query}")
    page.locator(".st-key-head").wait_for()
    still(page)
    page.wait_for_function("width => document.querySelector('[data-testid=stMain]').scrollWidth <= width", arg=width)


@pytest.mark.parametrize("step", NAMES)
def test_question_and_way_on_are_seen_without_scrolling(watched: Watched, address: str, step: str):
    watched.page.set_viewport_size({"width": 1280, "height": 720})
    page = opened(watched, f"{address}/Learn?step={step}")
    for css in (f".st-key-learn-{step}-reveal button", ".st-key-learn-next button"):
        box = page.locator(css).bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= 720


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("query", ["Learn?step=score", "Learn?step=limits", "Learn?step=people", "Learn?exercise=E6", "Learn?section=set"])
def test_axe_finds_nothing_serious_in_learn(watched: Watched, address: str, query: str, scheme: str):
    page = watched.page
    page.emulate_media(color_scheme=scheme)
    page.goto(f"{address}/{query}")
    page.locator(".st-key-head").wait_for()
    still(page)
    if "step" in query:
        press(page.locator(".st-key-learn-told button").last)
        page.locator(".sc-then").wait_for()
        still(page)
    serious = [v for v in Axe().run(page).response["violations"] if v["impact"] in ("serious", "critical")]
    assert [(v["id"], [n["target"] for n in v["nodes"]][:3]) for v in serious] == []
