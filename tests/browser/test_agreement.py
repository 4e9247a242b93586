"""The Agreement page in a browser, the network cut."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.conftest import Watched, quiet, settled

pytestmark = [pytest.mark.browser, pytest.mark.parser]


@pytest.mark.parametrize(("scheme", "query"), [("light", ""), ("dark", "?ui=ja")])
def test_it_opens_on_the_sample_and_a_disagreement_opens_in_inspect(watched: Watched, address: str, scheme: str, query: str):
    page = watched.page
    page.emulate_media(color_scheme=scheme)
    page.goto(f"{address}/Agreement{query}")
    page.get_by_role("link", name="Inspect" if not query else "詳細分析").last.wait_for()
    page.locator("table", has_text="soft+").first.wait_for()
    page.locator(".js-plotly-plot").first.wait_for()
    quiet(page)
    found = Axe().run(page).response["violations"]
    serious = {v["id"]: [n["html"][:160] for n in v["nodes"]] for v in found if v["impact"] in ("serious", "critical")}
    assert serious == {}
    page.set_viewport_size({"width": 375, "height": 812})
    page.wait_for_function("document.querySelector('[data-testid=stMain]').scrollWidth <= 375")
    page.set_viewport_size({"width": 1440, "height": 900})
    link = page.locator('a[href*="t="]').first.get_attribute("href")
    page.goto(f"{address}/{link.lstrip('/')}")
    settled(page)
    assert page.locator(".sc-f1 b").is_visible() and watched.abroad == []
