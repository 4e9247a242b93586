"""Measure response times: from a click on a graph to its explanation, and from Ctrl+Enter to the updated graphs.

    python -m tools.benchmarks.redraw [EDITS]

The tool starts the app and a headless Chromium on the same machine. It measures clicks and edits on the short first example,
and edits on the example ``market``, which has about 135 words. The first edits of a page take longer, because the browser has yet to
compile the page's scripts. The output is the median and 95th percentile in ms, and the load.
"""

from __future__ import annotations

import os
import statistics
import sys
from collections.abc import Callable

from playwright.sync_api import Page

from tests.browser.conftest import GRAPHS_SELECTOR, find_node, free_port, launch_chromium, run_app, wait_for_result

NOUNS = "dog cat horse bird man woman boy child bus train sofa table car tree house boat hat ball kite bear cow sheep zebra".split()
_TIME_KEY_JS = "document.addEventListener('keydown', event => { if (event.key === 'Enter') window.begun = performance.now(); }, true)"
TIME_CLICK_JS = "document.addEventListener('pointerup', () => { window.begun = performance.now(); }, true)"
_IS_REDRAWN_JS = """selector => {
    const main = document.querySelector('[data-testid="stApp"]'), find = root => {
        for (const element of root.querySelectorAll('*')) {
            const found = element.shadowRoot?.querySelector(selector);
            if (found) return found;
        }
    };
    let graphs = find(main);
    const before = graphs.dataset.drawn;
    window.ended = 0;
    const look = () => {
        if (!graphs?.isConnected) graphs = find(main);  // a search through the page takes time of its own
        graphs?.dataset.drawn !== before ? window.ended = performance.now() : requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
}"""
_IS_EXPLAINED_JS = """() => {
    const before = document.querySelector('.sc-detail').innerHTML;
    window.ended = 0;
    const watch = new MutationObserver(() => {
        const now = document.querySelector('.sc-detail');
        if (now && now.innerHTML !== before) { window.ended = performance.now(); watch.disconnect(); }
    });
    watch.observe(document.body, { subtree: true, childList: true, characterData: true });
}"""


def time_edits(page: Page, edit_count: int, ending: str = "") -> list[float]:
    """Enter new captions with this ``ending``. Return the milliseconds from each Ctrl+Enter to the updated graphs."""
    times = []
    page.evaluate(_TIME_KEY_JS)
    for i in range(edit_count):
        field = page.get_by_label("Candidate caption")
        field.fill(f"A young {NOUNS[i % len(NOUNS)]} stands on a {NOUNS[(i * 7 + 3) % len(NOUNS)]} number {i}. {ending}")
        page.evaluate(_IS_REDRAWN_JS, GRAPHS_SELECTOR)
        field.press("Control+Enter")
        times.append(wait_for_elapsed_ms(page))
    return times


def time_long_edits(page: Page, edit_count: int) -> list[float]:
    """Edit the first sentence of a long caption ``edit_count`` times. Return the milliseconds of each edit."""
    _, _, rest = page.get_by_label("Candidate caption").input_value().partition(". ")
    return time_edits(page, edit_count, rest)


def time_clicks(page: Page, click_count: int) -> list[float]:
    """Click nodes in turn. Return the milliseconds from each click to the explanation of the node."""
    times = []
    page.evaluate(TIME_CLICK_JS)
    for i in range(click_count):
        point = find_node(page, ("girl", "court")[i % 2])
        page.evaluate(_IS_EXPLAINED_JS)
        page.mouse.click(*point)
        times.append(wait_for_elapsed_ms(page))
    return times


def wait_for_elapsed_ms(page: Page) -> float:
    """Wait until the page has recorded the end of the update, and return the milliseconds since the start."""
    page.wait_for_function("window.ended > 0", timeout=20_000)
    time = page.evaluate("window.ended - window.begun")
    page.wait_for_timeout(400)
    return time


_Measure = Callable[[Page, int], list[float]]
_SHORT_MEASURES: dict[str, _Measure] = {"click to explanation": time_clicks, "short caption edited": time_edits}
_LONG_MEASURES: dict[str, _Measure] = {"long caption edited": time_long_edits}


def main() -> None:
    """Measure clicks and edits, and print a line for each measure and example."""
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    with run_app(free_port()) as address, launch_chromium() as browser:
        for example, measures in (("", _SHORT_MEASURES), ("market", _LONG_MEASURES)):
            page = browser.new_page(viewport={"width": 1360, "height": 1200})
            page.goto(f"{address}/?example={example}" if example else address)
            wait_for_result(page)
            page.wait_for_timeout(1000)
            for name, measure in measures.items():
                times = sorted(measure(page, number))
                rank = int(0.95 * number)
                print(f"{name}: median {statistics.median(times):.0f} ms, 95th percentile {times[rank]:.0f} ms, {number} times", flush=True)
            page.close()
    print(f"load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
