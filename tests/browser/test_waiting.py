"""What the tests of pages wait by."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Watched, quiet, still

pytestmark = [pytest.mark.browser, pytest.mark.parser]


def test_a_page_is_not_quiet_before_what_was_clicked_is_asked_and_answered(watched: Watched, address: str):
    """Streamlit sends what a click asks after the click, all that changed at once: until then nothing is under way."""
    page = watched.page
    page.goto(f"{address}/Learn")
    still(page)
    for step in range(2, 11):
        page.get_by_role("button", name="Next").click()
        quiet(page)
        assert page.get_by_text(f"Step {step} of 11").is_visible()
