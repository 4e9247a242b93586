"""The Learn page in a browser: the tour by keyboard, in both languages; what is seen without scrolling; accessibility."""

from __future__ import annotations

import pytest

from pages.parts.kit.texts import t
from pages.parts.learn.lessons import NAMES, STEPS
from tests.browser.conftest import Watched, still

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
