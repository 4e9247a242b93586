"""Test a visit to the Agreement page without network access."""

from tests.browser.conftest import RecordedPage, check_link_colour, serious_axe_findings, wait_for_result, wait_until_still
from tests.browser.test_layout import check_layout


def test_the_page_opens_on_the_sample_and_a_disagreement_opens_in_inspect(recorded_page: RecordedPage, address: str):
    page = recorded_page.page
    page.emulate_media(color_scheme="dark")
    page.goto(f"{address}/Agreement?ui=ja")
    page.get_by_role("link", name="詳細分析").last.wait_for()
    page.locator("table", has_text="soft+").first.wait_for()
    page.locator(".js-plotly-plot").first.wait_for()
    wait_until_still(page)
    link = page.locator('a[href*="t="]').first
    assert serious_axe_findings(page) == {}
    check_link_colour(page, link)
    check_layout(page, 768, 375)
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"{address}/{link.get_attribute('href').lstrip('/')}")
    wait_for_result(page)
    assert page.locator(".sc-f1 b").is_visible() and recorded_page.abroad == []
