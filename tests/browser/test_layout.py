"""Test page layout: texts do not overlap, words are not broken, Tab stops at visible elements with a name, nothing shifts."""

import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from pages.parts.kit.texts import INTERFACE_LANGUAGES, t
from tests.browser.conftest import (
    RecordedPage,
    check_width,
    click_when_ready,
    serious_axe_findings,
    wait_for_result,
    wait_until_still,
    write,
)
from tests.visitor import Visitor

if TYPE_CHECKING:
    from playwright.sync_api import WebSocketRoute

# Widths of `make test` and of `make test-release`.
WIDTHS_PX, ALL_WIDTHS_PX = (1280, 768, 375), (1920, 1280, 1001, 768, 375)
LONG_CAPTION = (
    "a young woman in a bright red coat and a man with a large umbrella walk in the rain along a crowded street full of yellow taxis while "
    "two small brown dogs and a black cat look at them from the window of an old brick building"
)

# The boxes of all visible text, as clipped by enclosing boxes.
_BOXES_JS = """
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
_OVERPRINTED_TEXTS_JS = f"""() => {{
  {_BOXES_JS}
  const all = boxes().sort((a, b) => a.top - b.top), hits = [];
  const sheet = document.querySelector(".sc-sheet .st-key-inspect-detail");  // floats over other texts
  const isBeside = (a, b) => Boolean(sheet?.contains(a.node)) === Boolean(sheet?.contains(b.node));
  all.forEach((a, i) => {{ for (let k = i + 1; k < all.length && all[k].top < a.bottom; k++) if (all[k].node !== a.node && isBeside(a, all[k]) && over(a, all[k])) hits.push(`${{a.text}} | ${{all[k].text}}`); }});
  return hits;
}}"""
_COVERED_TEXTS_JS = f"""() => {{
  const widget = document.querySelector('[data-testid="stStatusWidget"]'), stop = widget?.querySelector("button");
  if (!stop || !document.querySelector(".st-key-head [data-testid=stButtonGroup] button, .st-key-head [role=radio]")) return null;
  {_BOXES_JS}
  const parts = [...widget.querySelectorAll("svg, img, button")].map(part => part.getBoundingClientRect());
  const controls = [...document.querySelectorAll('main button, main a, [data-testid="stMainMenuButton"]')].map(e => ({{ ...e.getBoundingClientRect().toJSON(), text: e.innerText || "menu", node: e }}));
  return {{ hits: [...boxes(), ...controls].filter(box => !widget.contains(box.node) && parts.some(part => over(part, box))).map(box => box.text) }};
}}"""
_BROKEN_WORDS_JS = """() => {
  const broken = [];
  for (const element of document.querySelectorAll(".sc-rule-cell, .sc-blocks code, .sc-plain b, .sc-plain .sc-tuple, .sc-numbers td small")) {
    const walk = document.createTreeWalker(element, NodeFilter.SHOW_TEXT), range = document.createRange();
    for (let node; (node = walk.nextNode());) for (const word of node.data.matchAll(/[A-Za-z]{2,}|[0-9.]{2,}/g)) {
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      if (new Set([...range.getClientRects()].map(line => Math.round(line.top))).size > 1) broken.push(word[0]);
    }
  }
  return broken;
}"""
_CUT_TABLES_JS = """() => {
  const all = [...document.querySelectorAll('[data-testid="stMain"] *')].flatMap(e => [e, ...(e.shadowRoot?.querySelectorAll("*") ?? [])]);
  return all.filter(e => e.matches(".sc-scroll:has(.sc-metrics, .sc-standings, .sc-kinds, .sc-rows), section > header, div:not(.sc-scroll):has(> table)") && e.checkVisibility() && e.scrollWidth > e.clientWidth + 1)
    .map(e => `${e.clientWidth} of ${e.scrollWidth}: ${e.innerText.slice(0, 60)}`);
}"""
_CUT_PICTURES_JS = """() => [...document.querySelectorAll(".sc-graph")]
    .filter(box => box.scrollWidth > box.clientWidth + 1).map(box => `graph ${box.scrollWidth} in ${box.clientWidth}`)"""
_TAB_STOP_JS = """async () => {
  await new Promise(requestAnimationFrame);
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  if (!at || at === document.body) return null;
  at = at.closest("canvas") ?? at;  // a table's cell, which has no size, gets the focus some time after the table
  if (at.dataset.passed) return null;
  at.dataset.passed = true;
  const box = at.getBoundingClientRect(), style = getComputedStyle(at);
  const by = (at.getAttribute("aria-labelledby") ?? "").split(" ").map(id => at.getRootNode().getElementById(id)?.innerText ?? "").join("");
  return {
    name: (at.getAttribute("aria-label") || by || at.labels?.[0]?.innerText || at.title || at.innerText || at.querySelector("title")?.textContent || at.querySelector("[role=row]")?.textContent || "").trim(),
    where: `${at.tagName} ${at.className} ${Math.round(box.x)} ${Math.round(box.y)}`,
    link: at.dataset.testid === "stPageLink-NavLink" ? style.outlineStyle : "",
    seen: box.width > 0 && box.height > 0 && box.right > 0 && box.left < innerWidth && at.checkVisibility({ visibilityProperty: true }),
  };
}"""
_RECORD_SHIFTS_JS = """window.shifts = [];
const plain = window.setTimeout;
window.setTimeout = (call, wait, ...more) => plain(call, wait === 10_000 ? 90_000 : wait, ...more);  // shell.js waits as long as a busy machine takes
new PerformanceObserver(list => {
    for (const { value, startTime, hadRecentInput, sources } of list.getEntries()) {
        if (!hadRecentInput) shifts.push({ value, startTime, what: sources.map(each => each.node?.className ?? each.node?.nodeName) });
    }
}).observe({ type: "layout-shift", buffered: true });"""


def open_recorded(recorded_page: RecordedPage, url: str) -> object:
    """Open a page with recorded layout shifts, and wait until everything is drawn."""
    page = recorded_page.page
    page.set_viewport_size({"width": 1280, "height": 720})
    page.add_init_script(_RECORD_SHIFTS_JS)
    page.goto(url)
    page.locator('[data-testid="stHtml"]:visible').nth(3).wait_for()
    page.wait_for_function("() => document.documentElement.classList.contains('sc-shown')")
    wait_until_still(page)
    return page


def layout_shift(page: object) -> float:
    return page.evaluate("shifts.reduce((sum, shift) => sum + shift.value, 0)")


def check_layout(page: object, *widths: int) -> None:
    """Check that no texts overlap, no word is broken, nothing is cut off, and nothing overflows the page at these widths."""
    page.set_viewport_size({"width": 1280, "height": 900})
    violations_by_page = {}
    for width in widths:
        check_width(page, width)
        wait_until_still(page)
        scripts = (_OVERPRINTED_TEXTS_JS, _BROKEN_WORDS_JS, _CUT_TABLES_JS, _CUT_PICTURES_JS)
        violations_by_page[width] = [violation for script in scripts for violation in page.evaluate(script)]
    assert {width: broken for width, broken in violations_by_page.items() if broken} == {}


def check_tab_stops(page: object, width: int) -> None:
    """Check that Tab reaches only visible elements with a name, and that focused links have an outline."""
    check_width(page, width)
    wait_until_still(page)
    page.evaluate("""() => {
        for (const passed of document.querySelectorAll("[data-passed]")) delete passed.dataset.passed;
        const first = Object.assign(document.createElement("i"), { tabIndex: -1 });
        document.body.prepend(first);
        first.focus();
    }""")
    tab_stops = []
    while len(tab_stops) < 200:
        page.keyboard.press("Tab")
        if not (stop := page.evaluate(_TAB_STOP_JS)):
            break
        tab_stops.append(stop)
    assert len(tab_stops) > 12
    assert [stop["where"] for stop in tab_stops if not (stop["seen"] and stop["name"])] == []
    assert {stop["link"] for stop in tab_stops} == {"", "solid"}


def test_inspect_fits_every_width_with_a_long_caption(recorded_page: RecordedPage, address: str):
    page = open_recorded(recorded_page, f"{address}/?example=infant&focus=c:o1")
    check_layout(page, *WIDTHS_PX)
    check_tab_stops(page, 1280)
    write(page.get_by_label("Candidate caption"), LONG_CAPTION)
    click_when_ready(page.get_by_role("button", name="Score"))
    page.locator(".sc-marked", has_text="brick building").wait_for()
    wait_for_result(page)
    check_layout(page, 1280, 768, 375)


@pytest.mark.release
@pytest.mark.parametrize("query", ["?example=infant&focus=c:o1", "?example=ja-umbrella&ui=ja&focus=c:r5", "Batch", "Systems", "Agreement"])
def test_pages_fit_all_widths(recorded_page: RecordedPage, address: str, query: str):
    check_layout(open_recorded(recorded_page, f"{address}/{query}"), *ALL_WIDTHS_PX)


@pytest.mark.parametrize(("name", "width"), [pytest.param("Batch", 1280, marks=pytest.mark.release), ("Systems", 375)])
def test_a_page_fits_every_width_and_can_be_navigated_by_tab(recorded_page: RecordedPage, address: str, name: str, width: int):
    page = open_recorded(recorded_page, f"{address}/{name}")
    check_layout(page, *WIDTHS_PX)
    check_tab_stops(page, width)


@pytest.mark.release
@pytest.mark.parametrize(
    ("query", "width"),
    [("?example=infant&focus=c:o1", 375), ("Rules?section=why&words=0.2-5-7", 1280), ("Batch", 375), ("Systems", 1280), ("Agreement", 375)],
)
def test_tab_stops_only_at_visible_elements_with_a_name(recorded_page: RecordedPage, address: str, query: str, width: int):
    check_tab_stops(open_recorded(recorded_page, f"{address}/{query}"), width)


def open_section(page: object, name: str, language: str = "en") -> None:
    click_when_ready(page.get_by_role("radio", name=t(f"sections.{name}", language=language), exact=True))
    page.get_by_text(t(f"sections.{name}_help", language=language)).wait_for()
    wait_until_still(page)


def test_every_section_of_rules_fits_and_is_accessible(recorded_page: RecordedPage, address: str):
    recorded_page.page.emulate_media(color_scheme="light")
    page = open_recorded(recorded_page, f"{address}/Rules?section=why&words=0.2-5-7")
    check_layout(page, *WIDTHS_PX)
    check_tab_stops(page, 375)
    assert serious_axe_findings(page) == {}
    page.get_by_role("textbox", name="Caption", exact=True).press_sequentially("s")
    # Streamlit's input instructions would cover the end of the text.
    assert page.get_by_test_id("InputInstructions").locator("visible=true").count() == 0
    open_section(page, "edit")
    click_when_ready(page.get_by_role("button", name="controlled-subject-object", exact=True))
    wait_until_still(page)
    check_layout(page, 1280, 768, 375)
    open_section(page, "tree")
    check_layout(page, 1440, 375)
    page.emulate_media(color_scheme="dark")
    click_when_ready(page.locator(".st-key-head").get_by_role("radio", name=INTERFACE_LANGUAGES["ja"]))
    open_section(page, "query", "ja")
    check_width(page, 375)
    check_width(page, 1440)
    wait_until_still(page)
    assert serious_axe_findings(page) == {}
    assert recorded_page.abroad == []


@pytest.mark.release
@pytest.mark.parametrize(("scheme", "query"), [("light", ""), ("dark", "&ui=ja&lang=ja")])
@pytest.mark.parametrize("name", ["trace", "why", "tree", "edit&off=controlled-subject-object", "query", "parsers", "gold", "book"])
def test_axe_finds_nothing_serious_in_any_section_of_rules(recorded_page: RecordedPage, address: str, name: str, scheme: str, query: str):
    page = recorded_page.page
    page.emulate_media(color_scheme=scheme)
    page.goto(f"{address}/Rules?section={name}{query}")
    page.wait_for_selector(".sc-head")
    wait_until_still(page)
    assert serious_axe_findings(page) == {}
    for width in (1920, 1440, 1280, 1001, 768, 375):
        check_width(page, width)
        wait_until_still(page)
        assert query or page.evaluate(_OVERPRINTED_TEXTS_JS) + page.evaluate(_BROKEN_WORDS_JS) == []


_BEGIN_RUN_JS = """() => {
    window.fades = [];
    addEventListener("transitionrun", ({ target, propertyName }) => {
        if (propertyName !== "opacity") return;
        const [{ effect }] = target.getAnimations();
        fades.push({ slow: document.documentElement.classList.contains("sc-slow"), delay: effect.getTiming().delay });
    }, true);
    document.head.append(Object.assign(document.createElement("style"), { textContent: ".outdated { opacity: .33; transition: opacity 1s ease-in .5s; }" }));
    for (const each of document.querySelectorAll("[data-testid=stElementContainer]")) { each.dataset.stale = "true"; each.classList.add("outdated"); }
    document.querySelector("[data-testid=stApp]").dataset.testScriptState = "running";
}"""


def is_end_message(data: bytes) -> bool:
    """Return whether a message of the server reports the end of a script run."""
    message = ForwardMsg.FromString(data)
    kind = message.WhichOneof("type")
    return kind == "script_finished" or (kind == "session_status_changed" and not message.session_status_changed.script_is_running)


def test_the_busy_indicator_covers_nothing(recorded_page: RecordedPage, address: str):
    endless = False

    def relay_socket(route: "WebSocketRoute") -> None:
        server = route.connect_to_server()
        server.on_message(lambda data: None if endless and is_end_message(data) else route.send(data))

    recorded_page.page.route_web_socket("**/_stcore/stream", relay_socket)
    page = open_recorded(recorded_page, f"{address}/Rules?section=edit")
    # From here on, the page never learns that scripts end.
    endless = True
    chosen_button = page.locator(".st-key-head [data-testid=stButtonGroup] button, .st-key-head [role=radio]").last
    # Do not wait, because the page does not become still.
    chosen_button.click()
    for width in (1440, 1280, 768, 375):
        check_width(page, width)
        assert page.wait_for_function(_COVERED_TEXTS_JS).json_value() == {"hits": []}


def test_outdated_elements_fade_only_if_a_run_is_slow(recorded_page: RecordedPage, address: str):
    recorded_page.page.emulate_media(reduced_motion="no-preference")
    page = open_recorded(recorded_page, f"{address}/Rules?section=edit")
    page.evaluate(_BEGIN_RUN_JS)
    page.wait_for_function("fades.length > 10")
    assert page.evaluate("fades.every(fade => fade.slow && fade.delay === 0)")
    page.evaluate("document.querySelector('[data-testid=stApp]').dataset.testScriptState = 'notRunning'")
    page.wait_for_function("!document.documentElement.classList.contains('sc-slow')")


@pytest.mark.parametrize(
    "query",
    [
        "",
        "Learn",
        *(pytest.param(f"?example={name}", marks=pytest.mark.release) for name in ("umbrella", "market", "ja-umbrella&ui=ja")),
    ],
)
def test_the_first_paint_does_not_shift(recorded_page: RecordedPage, address: str, query: str):
    page = open_recorded(recorded_page, f"{address}/{query}")
    assert layout_shift(page) <= 0.1, page.evaluate("shifts")
    assert page.locator(".sc-first").is_hidden() and recorded_page.errors == []


def test_the_first_paint_does_not_shift_when_parts_load_late(recorded_page: RecordedPage, address: str):
    page, late_parts = recorded_page.page, {}
    page.set_viewport_size({"width": 1280, "height": 720})
    page.add_init_script(_RECORD_SHIFTS_JS)
    for part in ("BidiComponent", "recordbatch"):
        page.route(f"**/static/js/{part}.*.js", lambda route, part=part: late_parts.update({part: route}))
    page.goto(f"{address}/?example=umbrella", wait_until="commit")
    page.locator(".st-key-head").wait_for(state="attached")
    while len(late_parts) < 2:
        page.wait_for_event("request")
    for route in late_parts.values():
        route.continue_()
    page.wait_for_function("() => document.documentElement.classList.contains('sc-shown')")
    wait_until_still(page)
    assert layout_shift(page) <= 0.04, page.evaluate("shifts")


@pytest.mark.skipif(sys.platform != "linux", reason="inotify is Linux's")
def test_the_server_watches_no_folder(address: str):
    port = address.rpartition(":")[2].encode()
    (server,) = (path.parent for path in Path("/proc").glob("[0-9]*/cmdline") if b"--server.port=" + port in read_proc_file(path))
    with Visitor(address) as visitor:
        assert "sc-tuples" in visitor.shown_text()
        assert sum(text.count(b"inotify") for text in map(read_proc_file, server.glob("fdinfo/*"))) == 0


def read_proc_file(path: Path) -> bytes:
    """Return the content of a file in /proc, or b"" if the process has ended."""
    with suppress(FileNotFoundError, ProcessLookupError):
        return path.read_bytes()
    return b""
