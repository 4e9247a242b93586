"""What the tests of pages wait by."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.browser.conftest import Watched, quiet, still

RAW = re.compile(r"(?<!mouse)\.(click|fill|set_input_files)\(")

pytestmark = [pytest.mark.browser, pytest.mark.parser]


def test_a_page_is_not_quiet_before_what_was_clicked_is_asked_and_answered(watched: Watched, address: str):
    """Streamlit sends what a click asks after the click, all that changed at once: until then nothing is under way."""
    page = watched.page
    page.goto(f"{address}/Learn")
    still(page)
    for step in range(2, 11):
        page.get_by_role("button", name="Next").click()  # at once
        quiet(page)
        assert page.get_by_text(f"Step {step} of 11").is_visible()


def test_what_tests_do_on_a_page_waits_until_it_stands_or_says_why_not():
    """A click, a text or a file may be lost, or reach a neighbour, while the page is drawn: press, write and send wait for it."""
    paths = sorted(Path(__file__).parent.glob("test_*.py"))
    lines = [(path.name, line) for path in paths for line in path.read_text(encoding="utf-8").splitlines()]
    assert [(name, line.strip()) for name, line in lines if RAW.search(line) and "# at once" not in line] == []
