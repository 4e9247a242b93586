"""What stands where, at four widths: nothing is printed on anything else, words stay whole, Tab stops at what can be seen and has a name."""

from __future__ import annotations

import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.browser.conftest import PATIENCE, ROOT, Watched, free_port, press, settled, still, unfold, wait_for, write

if TYPE_CHECKING:
    from playwright.sync_api import WebSocketRoute

pytestmark = [pytest.mark.browser, pytest.mark.parser]
LONG = (
    "a young woman in a bright red coat and a man with a large umbrella walk in the rain along a crowded street full of yellow taxis while "
    "two small brown dogs and a black cat look at them from the window of an old brick building"
)
PAGES = {  # by address, with the button to press first
    "?example=infant&focus=c:o1": "",
    "?example=ja-umbrella&ui=ja&focus=c:r5": "",
    "Rules?section=why&words=0.2-5-7": "",
    "Rules?section=edit&off=controlled-subject-object": "",
    "Rules?section=book": "",
    "Batch": "",
    "Systems": "",
    "Agreement": "",
}

# The boxes of all text that is seen, as far as no box around it cuts it off.
BOXES = """
function boxes() {
  const found = [], walk = document.createTreeWalker(document.querySelector('[data-testid="stApp"]'), NodeFilter.SHOW_TEXT);
  for (let node; (node = walk.nextNode());) {
    const parent = node.parentElement, range = document.createRange();
    if (!node.data.trim() || parent.closest("style, script, textarea") || !parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    range.selectNodeContents(node);
    for (const line of range.getClientRects()) {
      let [left, top, right, bottom] = [line.left, line.top, line.right, line.bottom];
      for (let e = parent; e; e = e.parentElement) {
        const style = getComputedStyle(e), cut = e.getBoundingClientRect();
        if (style.overflowX !== "visible" && !(e instanceof SVGElement)) [left, right] = [Math.max(left, cut.left), Math.min(right, cut.right)];
        if (style.overflowY !== "visible" && !(e instanceof SVGElement)) [top, bottom] = [Math.max(top, cut.top), Math.min(bottom, cut.bottom)];
      }
      if (right - left > 2 && bottom - top > 2) found.push({ text: node.data.trim().slice(0, 40), node, left, top, right, bottom });
    }
  }
  return found;
}
const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4;
"""
OVERPRINTED = f"""() => {{
  {BOXES}
  const all = boxes().sort((a, b) => a.top - b.top), hits = [];
  all.forEach((a, i) => {{ for (let k = i + 1; k < all.length && all[k].top < a.bottom; k++) if (all[k].node !== a.node && over(a, all[k])) hits.push(`${{a.text}} | ${{all[k].text}}`); }});
  return hits;
}}"""
COVERED = f"""() => {{
  const widget = document.querySelector('[data-testid="stStatusWidget"]'), stop = widget?.querySelector("button");
  if (!stop || !document.querySelector(".st-key-head [data-testid=stButtonGroup] button, .st-key-head [role=radio]")) return null;
  {BOXES}
  const parts = [...widget.querySelectorAll("svg, img, button")].map(part => part.getBoundingClientRect());
  const controls = [...document.querySelectorAll('main button, main a, [data-testid="stMainMenuButton"]')].map(e => ({{ ...e.getBoundingClientRect().toJSON(), text: e.innerText || "menu", node: e }}));
  return {{ hits: [...boxes(), ...controls].filter(box => !widget.contains(box.node) && parts.some(part => over(part, box))).map(box => box.text) }};
}}"""
BROKEN = """() => {
  const broken = [];
  for (const place of document.querySelectorAll(".sc-rule-cell, .sc-blocks code, .sc-plain b, .sc-plain .sc-tuple, .sc-numbers td small")) {
    const walk = document.createTreeWalker(place, NodeFilter.SHOW_TEXT), range = document.createRange();
    for (let node; (node = walk.nextNode());) for (const word of node.data.matchAll(/[A-Za-z]{2,}|[0-9.]{2,}/g)) {
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      if (new Set([...range.getClientRects()].map(line => Math.round(line.top))).size > 1) broken.push(word[0]);
    }
  }
  return broken;
}"""
STOP = """() => {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  if (!at || at === document.body) return null;
  at = at.closest("canvas") ?? at;  // a table's cell, which has no size, gets the focus some time after the table
  if (at.dataset.passed) return null;
  at.dataset.passed = true;
  const box = at.getBoundingClientRect(), style = getComputedStyle(at);
  const by = (at.getAttribute("aria-labelledby") ?? "").split(" ").map(id => at.getRootNode().getElementById(id)?.innerText ?? "").join("");
  return {
    name: (at.getAttribute("aria-label") || by || at.labels?.[0]?.innerText || at.title || at.innerText || at.querySelector("[role=row]")?.textContent || "").trim(),
    where: `${at.tagName} ${at.className} ${Math.round(box.x)} ${Math.round(box.y)}`,
    link: at.dataset.testid === "stPageLink-NavLink" ? style.outlineStyle : "",
    seen: box.width > 0 && box.height > 0 && box.right > 0 && box.left < innerWidth && at.checkVisibility({ visibilityProperty: true }),
  };
}"""
SHIFTS = """window.shifts = [];
const plain = window.setTimeout;
window.setTimeout = (call, wait, ...more) => plain(call, wait === 10_000 ? 90_000 : wait, ...more);  // shell.js waits as long as a busy machine takes
new PerformanceObserver(list => {
    for (const { value, startTime, hadRecentInput, sources } of list.getEntries()) {
        if (!hadRecentInput) shifts.push({ value, startTime, what: sources.map(each => each.node?.className ?? each.node?.nodeName) });
    }
}).observe({ type: "layout-shift", buffered: true });"""


def opened(watched: Watched, url: str, button: str) -> object:
    """The page once it stands, its button pressed and its work done."""
    page = watched.page
    page.goto(url)
    if button:
        press(page.get_by_role("button", name=button))
        page.locator('[data-testid="stPlotlyChart"]').nth(1).wait_for()
    else:
        page.locator('[data-testid="stHtml"]:visible').nth(3).wait_for()
    still(page)
    return page


@pytest.mark.parametrize("query", PAGES)
def test_no_text_is_printed_on_another_and_words_stay_whole(watched: Watched, address: str, query: str):
    page = opened(watched, f"{address}/{query}", PAGES[query])
    found = {}
    for width in (1920, 1280, 1001, 768, 375):
        page.set_viewport_size({"width": width, "height": 900})
        still(page)
        found[width] = page.evaluate(OVERPRINTED) + page.evaluate(BROKEN)
        assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= width
    assert {width: broken for width, broken in found.items() if broken} == {}


def test_a_long_caption_finds_room(watched: Watched, address: str):
    page = watched.page
    page.goto(f"{address}/?example=umbrella")
    settled(page)
    unfold(page)
    write(page.get_by_label("Candidate caption"), LONG)
    press(page.get_by_role("button", name="Score"))
    page.locator(".sc-captions", has_text="brick building").wait_for()
    settled(page)
    for width in (1280, 768, 375):
        page.set_viewport_size({"width": width, "height": 900})
        still(page)
        assert page.evaluate(OVERPRINTED) + page.evaluate(BROKEN) == []
        assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= width


def ends(data: bytes) -> bool:
    """Whether a message of the server says that no script runs any more."""
    message = ForwardMsg.FromString(data)
    kind = message.WhichOneof("type")
    return kind == "script_finished" or (kind == "session_status_changed" and not message.session_status_changed.script_is_running)


@pytest.mark.parametrize("width", [1440, 1280, 768, 375])
def test_what_says_that_the_page_works_covers_nothing(watched: Watched, address: str, width: int):
    endless = False

    def relayed(between: WebSocketRoute) -> None:
        server = between.connect_to_server()
        server.on_message(lambda data: None if endless and ends(data) else between.send(data))

    watched.page.route_web_socket("**/_stcore/stream", relayed)
    watched.page.set_viewport_size({"width": width, "height": 900})
    page = opened(watched, f"{address}/Rules?section=edit", "")
    endless = True  # from here on the page does not hear that a script has ended
    chosen = page.locator(".st-key-head [data-testid=stButtonGroup] button, .st-key-head [role=radio]").last
    chosen.click()  # at once: the page, opened, stands and will not again
    assert page.wait_for_function(COVERED).json_value() == {"hits": []}


@pytest.mark.parametrize("width", [1280, 375])
@pytest.mark.parametrize("query", ["?example=infant&focus=c:o1", "Rules?section=why&words=0.2-5-7", "Batch", "Systems", "Agreement"])
def test_tab_stops_at_what_is_seen_and_has_a_name(watched: Watched, address: str, query: str, width: int):
    watched.page.set_viewport_size({"width": width, "height": 900})
    page = opened(watched, f"{address}/{query}", PAGES.get(query, ""))
    page.evaluate("""() => {
        const first = Object.assign(document.createElement("i"), { tabIndex: -1 });
        document.body.prepend(first);
        first.focus();
    }""")
    stops = []
    while len(stops) < 200:
        page.keyboard.press("Tab")
        page.wait_for_timeout(20)
        if not (stop := page.evaluate(STOP)):
            break
        stops.append(stop)
    assert len(stops) > 12
    assert [stop["where"] for stop in stops if not (stop["seen"] and stop["name"])] == []
    assert {stop["link"] for stop in stops} == {"", "solid"}


@pytest.mark.skipif(sys.platform != "linux", reason="inotify is Linux's")
@pytest.mark.parametrize("query", ["", "?example=umbrella", "?example=market", "Learn", "?example=ja-umbrella&ui=ja"])
def test_what_is_painted_first_stays_where_it_is(watched: Watched, address: str, query: str):
    page = watched.page
    page.set_viewport_size({"width": 1280, "height": 720})
    page.add_init_script(SHIFTS)
    page.goto(f"{address}/{query}")
    page.wait_for_function("() => document.documentElement.classList.contains('sc-shown')")
    still(page)
    assert page.evaluate("shifts.reduce((sum, shift) => sum + shift.value, 0)") <= 0.1, page.evaluate("shifts")
    assert page.locator(".sc-first").is_hidden() and watched.errors == []


@pytest.mark.parametrize("part", ["BidiComponent", "recordbatch"])
def test_what_is_painted_first_stays_where_it_is_though_a_part_of_it_comes_late(watched: Watched, address: str, part: str):
    page, late = watched.page, []
    page.set_viewport_size({"width": 1280, "height": 720})
    page.add_init_script(SHIFTS)
    page.route(f"**/static/js/{part}.*.js", lambda route: (late.append(part), time.sleep(1), route.continue_()))
    page.goto(f"{address}/?example=umbrella")
    page.wait_for_function("() => document.documentElement.classList.contains('sc-shown')")
    still(page)
    assert late and page.evaluate("shifts.reduce((sum, shift) => sum + shift.value, 0)") <= 0.04, page.evaluate("shifts")


def test_the_server_watches_no_folder(browser: object):
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless=true", f"--server.port={port}"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            wait_for(f"http://localhost:{port}/_stcore/health", process)
            page = browser.new_page()
            page.set_default_timeout(1000 * PATIENCE)
            page.goto(f"http://localhost:{port}")
            settled(page)
            page.close()
            found = watches(process.pid)
        finally:
            process.terminate()
    assert found == 0


def watches(pid: int) -> int:
    """How many files and folders the process watches; a descriptor that it closes while one looks watches nothing."""
    count = 0
    for descriptor in Path(f"/proc/{pid}/fdinfo").iterdir():
        with suppress(FileNotFoundError):
            count += descriptor.read_text(encoding="ascii").count("inotify")
    return count
