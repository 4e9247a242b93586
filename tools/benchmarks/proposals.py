"""Measure the time from the click on "Propose rules" until the proposals appear, with each of ten rules disabled in turn.

    python -m tools.benchmarks.proposals [ROUNDS] [ADDRESS]

The tool starts a headless Chromium. Unless an address is given, it also starts the app on the same machine. The first click on a new
server is reported separately, because it waits for the parses of the bundled captions. The output is the median, 95th percentile and
maximum in ms, the median for each rule, and the load.
"""

from __future__ import annotations

import os
import statistics
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from urllib.parse import urlencode

from playwright.sync_api import Page

from pages.parts.kit.texts import t
from tests.browser.conftest import free_port, launch_chromium, run_app, wait_until_still
from tests.ten import WORDS_BY_RULE
from tools.benchmarks.redraw import TIME_CLICK_JS

_WAIT_FOR_PROPOSALS_JS = """() => {
    window.ended = 0;
    const look = () => document.querySelector('[class*="st-key-rules-proposed"] button') ? window.ended = performance.now() : requestAnimationFrame(look);
    requestAnimationFrame(look);
}"""


def time_proposals(page: Page, address: str, rule_name: str) -> float:
    """Request proposals for the words of a disabled rule, and return the milliseconds from the click to the proposals."""
    caption, words = WORDS_BY_RULE[rule_name]
    page.goto(f"{address}/Rules?{urlencode({'section': 'why', 'off': rule_name, 'caption': caption, 'words': words})}")
    button = page.get_by_role("button", name=t("propose.button"))
    button.wait_for()
    wait_until_still(page)
    page.evaluate(TIME_CLICK_JS)
    page.evaluate(_WAIT_FOR_PROPOSALS_JS)
    button.click()
    page.wait_for_function("window.ended > 0")
    return page.evaluate("window.ended - window.begun")


@contextmanager
def serve_at(address: str) -> Iterator[str]:
    """Yield the address if it is given. Otherwise, start the app and yield its address."""
    if address:
        yield address
    else:
        with run_app(free_port()) as server:
            yield server


def main(round_count: int = 3, address: str = "") -> None:
    """Measure the proposals for each rule, and print the figures."""
    with serve_at(address) as server_address, launch_chromium() as browser:
        page = browser.new_page(viewport={"width": 1360, "height": 1200})
        page.set_default_timeout(600_000)
        start_time = perf_counter()
        first_ms = time_proposals(page, server_address, next(iter(WORDS_BY_RULE)))
        print(f"first click {first_ms:.0f} ms, {perf_counter() - start_time:.0f} s after the page was asked for")
        times_by_rule = {name: [time_proposals(page, server_address, name) for _ in range(round_count)] for name in WORDS_BY_RULE}
    times = sorted(time for rule_times in times_by_rule.values() for time in rule_times)
    print(
        f"{len(times)} clicks: median {statistics.median(times):.0f} ms, 95th percentile {times[int(0.95 * len(times))]:.0f} ms, largest {times[-1]:.0f} ms"
    )
    print(", ".join(f"{name} {statistics.median(rule_times):.0f}" for name, rule_times in times_by_rule.items()))
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main(int((sys.argv[1:] or ["3"])[0]), (sys.argv[2:] or [""])[0])
