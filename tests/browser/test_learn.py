"""Test the Learn page in a browser: the tour by keys and clicks, content visible without scrolling, printing, accessibility."""

import re
from io import BytesIO

import numpy as np
import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import expect

from pages.parts.kit.texts import t
from pages.parts.learn.exercises import ENGLISH_EXERCISES
from pages.parts.learn.lessons import STEP_NAMES, TOUR_STEPS
from tests.browser.conftest import (
    RecordedPage,
    check_width,
    click_when_ready,
    open_recorded_page,
    send,
    serious_axe_findings,
    wait_until_ready,
    wait_until_still,
    write,
)

WIDTHS_PX = (320, 375, 768, 1280)


def open_when_stable(recorded_page: RecordedPage, url: str) -> object:
    """Open a page and wait until it is stable."""
    recorded_page.page.goto(url)
    recorded_page.page.locator(".st-key-head").wait_for()
    wait_until_still(recorded_page.page)
    return recorded_page.page


def press_tab_until(page: object, css: str) -> None:
    """Press Tab until an element that matches the selector has the focus."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("css => !!document.activeElement?.closest(css)", css):
            return
    raise AssertionError(f"Tab does not reach {css}")


def answer_step(page: object, step: str, choices: bool) -> None:
    """Choose the first answer of a step and reveal the right one, by keyboard."""
    if choices:
        press_tab_until(page, ".st-key-learn-told [role=radiogroup]")
        page.keyboard.press("Space")
        page.locator(".sc-verdict").wait_for()
        wait_until_still(page)
    press_tab_until(page, f".st-key-learn-{step}-reveal button")
    page.keyboard.press("Enter")
    page.locator(".sc-then").wait_for()
    wait_until_still(page)
    page.evaluate("document.activeElement.blur()")


@pytest.mark.parametrize(
    ("language", "count"), [("en", 5), *(pytest.param(language, len(TOUR_STEPS), marks=pytest.mark.release) for language in ("en", "ja"))]
)
def test_the_tour_is_followed_by_keys_and_clicks(recorded_page: RecordedPage, address: str, language: str, count: int):
    """A stable page shows the next step immediately after a key or click."""
    recorded_page.page.set_viewport_size({"width": 1280, "height": 720})
    page = open_when_stable(recorded_page, f"{address}/Learn?ui={language}")
    for step_number, step in enumerate(TOUR_STEPS[:count], 1):
        assert page.locator("h2.sc-step", has_text=t(f"tour.{step.name}", language=language)).is_visible()
        for css in (f".st-key-learn-{step.name}-reveal button", ".st-key-learn-next button"):
            box = page.locator(css).bounding_box()
            assert language != "en" or (box["y"] >= 0 and box["y"] + box["height"] <= 720), (step.name, css)
        if language == "ja" or step.name in ("ngrams", "read", "limits", "people"):
            answer_step(page, step.name, bool(step.choices))
        if step.name == "limits":
            assert serious_axe_findings(page) == {}
        if step.name in ("ngrams", "people"):
            for width in WIDTHS_PX:
                check_width(page, width)
            wait_until_still(page)
        if step_number % 2 or step_number == len(TOUR_STEPS):
            page.keyboard.press("ArrowRight")
        else:
            page.get_by_role("button", name=t("learn.next", language=language)).click()
        wait_until_still(page)
    last_step = min(count, len(STEP_NAMES) - 1)
    assert f"step={STEP_NAMES[last_step]}" in page.url
    page.keyboard.press("ArrowLeft")
    page.locator("h2.sc-step", has_text=t(f"tour.{STEP_NAMES[last_step - 1]}", language=language)).wait_for()
    assert recorded_page.abroad == [] and page.get_by_test_id("stException").count() == 0


def test_an_exercise_gives_hints_and_leads_to_the_next_and_keeps_its_progress(recorded_page: RecordedPage, address: str):
    page = open_when_stable(recorded_page, f"{address}/Learn?exercise=E2&ui=en")
    check, field = page.locator(".st-key-learn-E2-check button"), page.locator(".st-key-learn-E2-candidate input")
    for hints in (1, 2):
        click_when_ready(check)
        page.locator(".sc-verdict").nth(hints - 1).wait_for()
        assert wait_until_ready(page.locator(".sc-verdict").first).is_visible() and page.locator(".sc-verdict").count() == hints
    write(field, "A bus.")
    click_when_ready(check)
    page.locator(".sc-verdict.sc-yes").wait_for()
    click_when_ready(page.locator(".st-key-learn-E2-next button"))
    page.locator("h2", has_text=t("exercises.e3")).wait_for()
    wait_until_still(page)
    page.reload()
    page.locator("h2", has_text=t("exercises.progress", done=1, total=len(ENGLISH_EXERCISES))).wait_for()
    click_when_ready(page.locator(".st-key-learn-back button"))
    page.locator(".sc-verdict.sc-yes").wait_for()
    expect(field).to_have_value("A bus.")
    assert recorded_page.errors == []


def test_a_set_is_built_or_sent_and_then_shared_and_presented_and_opened_on_a_phone(recorded_page: RecordedPage, address: str):
    recorded_page.page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=address)
    page = open_when_stable(recorded_page, f"{address}/Learn?ui=en")
    click_when_ready(page.get_by_text(t("learn.set"), exact=True))
    write(
        page.locator(".st-key-learn-build-captions textarea"),
        "A dog sleeps on a couch.\nA brown dog sleeps on a sofa.\nA dog lies on a couch.",
    )
    click_when_ready(page.locator(".st-key-learn-build-add button"))
    code = wait_until_ready(page.locator(".sc-qr").first)
    assert code.bounding_box()["y"] < page.locator("h2.sc-step").bounding_box()["y"]
    (barcode,) = zxingcpp.read_barcodes(np.asarray(Image.open(BytesIO(code.screenshot())).convert("L")))
    click_when_ready(page.locator(".st-key-learn-share").get_by_role("button", name=t("share.link")))
    page.wait_for_function("async link => await navigator.clipboard.readText() === link", arg=barcode.text)
    page.reload()
    wait_until_ready(page.locator(".sc-qr").first)
    page.keyboard.press("p")
    page.locator("dialog[open] .ask", has_text=t("classes.ask_matched")).wait_for()
    page.keyboard.press("Escape")
    page.locator("dialog[open]").wait_for(state="detached")
    phone = open_recorded_page(page.context)
    phone.set_viewport_size({"width": 375, "height": 800})
    phone.goto(barcode.text)
    write(phone.locator(".st-key-learn-told input"), "4")
    phone.keyboard.press("Enter")
    phone.locator(".sc-verdict.sc-yes").wait_for()
    check_width(phone, 375)
    wait_until_still(phone)
    phone.reload()
    phone.locator(".sc-verdict.sc-yes").wait_for()
    click_when_ready(page.get_by_text(t("classes.file")).first)
    table = {"name": "class.csv", "mimeType": "text/csv", "buffer": b"id,candidate,ref1,ask\ncats,A cat.,A cat sleeps.,Who sleeps?\n"}
    send(page.locator(".st-key-learn-file input"), table)
    page.locator(".sc-told", has_text="Who sleeps?").wait_for()
    assert recorded_page.abroad == [] and page.get_by_test_id("stException").count() == 0


@pytest.mark.release
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    "query", ["step=ngrams", "step=score&ui=ja", "step=limits", "step=people", "exercise=E6", "exercise=E7", "section=set"]
)
def test_every_part_of_learn_is_accessible_in_light_and_dark(recorded_page: RecordedPage, address: str, query: str, scheme: str):
    """Axe also checks the answer of a step. Nothing overflows at any width."""
    recorded_page.page.emulate_media(color_scheme=scheme)
    page = open_when_stable(recorded_page, f"{address}/Learn?{query}")
    if "step" in query:
        click_when_ready(page.locator(".st-key-learn-told button").last)
        page.locator(".sc-then").wait_for()
        wait_until_still(page)
    assert serious_axe_findings(page) == {}
    for width in WIDTHS_PX:
        check_width(page, width)


@pytest.mark.parametrize(
    "query", ["?example=ja-umbrella&ui=ja", *(pytest.param(q, marks=pytest.mark.release) for q in ("?example=infant", "Learn?step=score"))]
)
def test_a_page_prints_as_one_sheet(recorded_page: RecordedPage, address: str, query: str):
    page = open_when_stable(recorded_page, f"{address}/{query}")
    sheet = page.locator(".st-key-sheet .sc-page")
    sheet.wait_for(state="attached")
    for scheme in ("light", "dark"):
        page.emulate_media(media="null", color_scheme=scheme)
        wait_until_still(page)
        assert len(re.findall(rb"/Type\s*/Page\b(?!s)", page.pdf(prefer_css_page_size=True))) == 1
        # The text area of an A4 sheet is 182 × 269 mm.
        page.set_viewport_size({"width": 688, "height": 1017})
        page.emulate_media(media="print", color_scheme=scheme)
        box = sheet.bounding_box()
        assert (box["x"], box["y"]) == (0, 0) and box["width"] <= 688 and box["height"] <= 1017
        assert sheet.evaluate(
            "e => [...e.querySelectorAll('*')].every(p => p.getBoundingClientRect().right <= e.getBoundingClientRect().right + 1)"
        )
        assert not page.locator(".st-key-head, form, [data-testid=stExpander]").first.is_visible()
