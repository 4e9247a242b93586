"""Measure the app in a headless Chromium on the same machine: milliseconds from a click or key to the updated page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page

from tests.browser.conftest import (
    GRAPHS_SELECTOR,
    find_node,
    free_port,
    launch_chromium,
    open_recorded_page,
    run_app,
    wait_for_result,
)
from tools.benchmarks.harness import QUANTILES, print_row, quantiles

_NOUNS = "dog cat horse bird man woman boy child bus train sofa table car tree house boat hat ball kite bear cow sheep zebra".split()
_RECORD_BEGINNING_JS = """() => {
    const begin = event => { if (event.type === 'pointerup' || event.key === 'Enter') window.begun = performance.now(); };
    for (const type of ['keydown', 'pointerup']) document.addEventListener(type, begin, true);
}"""
_FIND_GRAPHS_JS = f"""const find = () => {{
        const within = root => {{
            for (const element of root.querySelectorAll('*')) {{
                const graphs = element.shadowRoot?.querySelector('{GRAPHS_SELECTOR}');
                if (graphs) return graphs;
            }}
        }};
        return within(document.querySelector('[data-testid="stApp"]'));
    }};"""
# Each end of an update: a value before it, and a test that it is reached.
_REDRAWN = (
    f"{_FIND_GRAPHS_JS} let graphs = find(); const before = graphs.dataset.drawn;",
    "(graphs = graphs?.isConnected ? graphs : find())?.dataset.drawn !== before",
)
_EXPLAINED = (
    "const detail = () => document.querySelector('.sc-detail')?.innerHTML; const before = detail();",
    "detail() && detail() !== before",
)


def time_update(page: Page, end: tuple[str, str], start: Callable[[], object]) -> float:
    """Start an update by a click or key, and return its duration in milliseconds."""
    memory, is_reached = end
    page.evaluate(f"""() => {{
        {memory}
        window.ended = 0;
        const look = () => {{ ({is_reached}) ? window.ended = performance.now() : requestAnimationFrame(look); }};
        requestAnimationFrame(look);
    }}""")
    start()
    page.wait_for_function("window.ended > 0")
    milliseconds: float = page.evaluate("window.ended - window.begun")
    page.wait_for_timeout(400)
    return milliseconds


def redraw(count: int = 50) -> None:
    """Print the time from a click on a graph to its explanation, and from Ctrl+Enter to the updated graphs.

    Clicks and edits are measured on the short first example, and edits also on the example "market" with about 135 words. The first edits
    of a page take longer, because the browser has yet to compile the page's scripts.
    """

    def time_click(number: int) -> float:
        point = find_node(page, ("girl", "court")[number % 2])
        return time_update(page, _EXPLAINED, lambda: page.mouse.click(*point))

    def time_edit(number: int, ending: str = "") -> float:
        field = page.get_by_label("Candidate caption")
        nouns = _NOUNS[number % len(_NOUNS)], _NOUNS[(number * 7 + 3) % len(_NOUNS)]
        field.fill(f"A young {nouns[0]} stands on a {nouns[1]} number {number}. {ending}")
        return time_update(page, _REDRAWN, lambda: field.press("Control+Enter"))

    with run_app(free_port()) as address, launch_chromium() as browser:
        page: Any = open_recorded_page(browser.new_context(viewport={"width": 1440, "height": 1200}))
        page.set_default_timeout(300_000)
        page.add_init_script(f"({_RECORD_BEGINNING_JS})()")
        page.goto(address)
        print_row("ms", *QUANTILES)
        wait_for_result(page)
        page.wait_for_timeout(1000)
        print_row("click to explanation", *quantiles(map(time_click, range(count))))
        print_row("short caption edited", *quantiles(map(time_edit, range(count))))
        page.goto(f"{address}/?example=market")
        wait_for_result(page)
        page.wait_for_timeout(1000)
        _, _, rest = page.get_by_label("Candidate caption").input_value().partition(". ")
        print_row("long caption edited", *quantiles(time_edit(number, rest) for number in range(count)))
