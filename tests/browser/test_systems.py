"""Test a visit to the Systems page without network access: why a system wins, and the same view from a link."""

import re
from urllib.parse import parse_qs, urlsplit

from tests.browser.conftest import RecordedPage, click_when_ready, open_recorded_page, wait_until_still


def test_questions_explain_a_win_and_a_link_restores_them(recorded_page: RecordedPage, address: str):
    page = recorded_page.page
    page.goto(f"{address}/Systems")
    page.get_by_text("214 of 214 images").wait_for()
    page.locator(".sc-standings").wait_for()
    # The cell counts the wins of system B due to this category.
    win_cell = page.get_by_role("row", name="Object").get_by_role("button").last
    expected_count = win_cell.inner_text()
    click_when_ready(win_cell)
    page.get_by_text(f"{expected_count} of 214 images").wait_for()
    page.get_by_text("System B wins, decided by Object").first.wait_for()
    select_chart_area(page)
    params = parse_qs(urlsplit(page.url).query)
    assert params["q"] == ["Object.other-wins"] and re.fullmatch(r"\d\.\d{3}-\d\.\d{3},\d\.\d{3}-\d\.\d{3}", params["box"][0])
    shown_count = page.locator(".sc-count").inner_text()
    assert int(shown_count.split()[0]) < int(expected_count)

    other_page = RecordedPage(open_recorded_page(page.context))
    other_page.page.goto(page.url)
    other_page.page.get_by_text(shown_count).wait_for()
    wait_until_still(other_page.page)
    chips = other_page.page.locator('[class*="st-key-systems-chip"]').get_by_role("button")
    assert chips.all_inner_texts() == ["box in the chart ✕", "Object: System B wins because of this category ✕"]
    click_when_ready(other_page.page.get_by_role("button", name="box in the chart"))
    other_page.page.get_by_text(f"{expected_count} of 214 images").wait_for()
    printed_page = check_report_on_a4(other_page.page)
    assert recorded_page.abroad == recorded_page.errors == other_page.abroad == other_page.errors == printed_page.abroad == []


def select_chart_area(page: object) -> None:
    """Drag over the lower left part of the chart."""
    wait_until_still(page)
    plot_area = page.locator('[class*="st-key-systems-scatter"] .plot-container .nsewdrag').first
    plot_area.scroll_into_view_if_needed()
    box = plot_area.bounding_box()
    page.mouse.move(box["x"] + 4, box["y"] + box["height"] - 4)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 3, box["y"] + box["height"] / 2, steps=8)
    page.mouse.up()
    page.get_by_role("button", name="box in the chart").wait_for()
    wait_until_still(page)


def check_report_on_a4(page: object) -> RecordedPage:
    click_when_ready(page.get_by_role("button", name="Download"))
    with page.expect_download() as download:
        click_when_ready(page.get_by_role("button", name="Report for a paper"))
    page.keyboard.press("Escape")
    printed_page = RecordedPage(page.context.new_page())
    # The text area of an A4 sheet is 182 mm wide.
    printed_page.page.set_viewport_size({"width": 688, "height": 1000})
    printed_page.page.set_content(download.value.path().read_text(encoding="utf-8"))
    printed_page.page.emulate_media(media="print")
    assert printed_page.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert printed_page.page.locator(".image").count() == 20
    return printed_page
