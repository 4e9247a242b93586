"""Fixtures: the app on a free port, and a headless Chromium that can reach only localhost."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest

from spice_core.draw import design

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).parents[2]
INSTALL_HINT = "no Chromium found; install it: sudo apt-get install -y chromium"
GRAPHS_SELECTOR = "main[data-drawn]"
TREES_SELECTOR = 'iframe[title^="Dependency trees"]'
LOCAL_HOSTS = {"localhost", "127.0.0.1"}
_LOCAL_ONLY_FLAG = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1"
# Chromium uses only the last ``--disable-features`` flag, so this one repeats Playwright's. It adds two features (WebUIOmnibox…) that keep
# extra pages for the address bar.
_DISABLED_FEATURES_FLAG = (
    "--disable-features=AimEnabled,AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades,"
    "HttpsFirstBalancedModeAutoEnable,LensOverlay,MediaRouter,PaintHolding,ThirdPartyStoragePartitioning,"
    "AvoidCorsURLLoaderRestartOnRedirect,OptimizationHints,NetworkTimeServiceQuerying,PreconnectToSearch,"
    "WebUIOmniboxPopup,WebUIOmniboxAimPopup"
)
_IGNORE_CERTIFICATES_FLAG = (
    # Without it, Playwright answers each certificate error, and Chromium sometimes gives up (ERR_TOO_MANY_RETRIES).
    "--ignore-certificate-errors"
)
# Pages of the app share compiled scripts if they run in one process.
_ONE_PROCESS_FLAG = "--process-per-site"
# Each pytest worker has 1,000 ports. Those of the first 12 workers are below the ports that Linux assigns.
_WORKER_NUMBER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:])
_PORTS = iter([20_000 + 1_000 * _WORKER_NUMBER + (os.getpid() + number) % 1_000 for number in range(1_000)])
# Long enough for a busy machine.
TIMEOUT_S = 240
IN_LINE_JS = """keys => {
    const boxes = keys.map(key => document.querySelector(`.st-key-${key} [data-testid=stWidgetLabel]`)?.getBoundingClientRect());
    return boxes.every(box => box?.height) && Math.abs(boxes[0].y - boxes[1].y) < 1;
}"""
_FOLLOW_SOCKET_JS = """() => {
    const Plain = WebSocket;
    window.talk = { touched: 0, asked: 0, heard: 0, changed: 0, height: 0 };
    for (const kind of ["click", "keydown", "input", "change", "popstate"])
        addEventListener(kind, () => talk.touched = performance.now(), true);
    new MutationObserver(() => talk.changed = performance.now()).observe(document, { childList: true, subtree: true });
    window.WebSocket = class extends Plain {
        constructor(...where) {
            super(...where);
            talk.socket = this;
            this.addEventListener("message", event => {
                talk.heard = performance.now();
                if (!talk.held || !event.isTrusted) return;
                event.stopImmediatePropagation();
                talk.held.push(event.data);
            });
        }
        send(data) {
            talk.asked = performance.now();
            super.send(data);
        }
    };
}"""
_IS_STILL_JS = """() => {
    const now = performance.now(), talk = window.talk ??= { heard: 1, asked: 0, touched: 0, changed: now };  // nothing is recorded for a page that a link opened
    const state = document.querySelector('[data-testid="stApp"]')?.dataset.testScriptState;
    if (state !== "notRunning" || talk.heard <= talk.asked || now - Math.max(talk.heard, talk.touched, talk.changed) < 150) return false;
    const height = document.querySelector("[data-testid=stMain]")?.scrollHeight;
    if (talk.height !== height) Object.assign(talk, { height, changed: now });
    return talk.changed !== now;
}"""
_RELEASE_ANSWERS_JS = """() => {
    const { held, socket } = talk;
    delete talk.held;
    held.forEach(data => socket.dispatchEvent(new MessageEvent("message", { data })));
}"""


@contextmanager
def run_app(port: int) -> Iterator[str]:
    """Run the app on this port and yield its address."""
    options = ["--server.headless=true", f"--server.port={port}"]
    process = subprocess.Popen(
        [sys.executable, "-m", "streamlit", "run", "app.py", *options], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        wait_for(f"http://localhost:{port}/_stcore/health", process)
        yield f"http://localhost:{port}"
    finally:
        process.terminate()
        process.wait(timeout=TIMEOUT_S)


def wait_for(url: str, process: subprocess.Popen, *, seconds: float = TIMEOUT_S) -> None:
    """Wait until the address answers. Raises RuntimeError if the server exits or takes too long."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and process.poll() is None:
        try:
            if urlopen(url, timeout=2).status == 200:
                return
        except OSError:
            time.sleep(0.2)
    raise RuntimeError(f"the app did not answer at {url}; run it by hand: {sys.executable} -m streamlit run app.py")


def free_port() -> int:
    """Return a free port that no worker of this test run has used."""
    for port in _PORTS:
        with suppress(OSError), socket.create_server(("localhost", port)):
            return port
    raise RuntimeError("no port is free")


@contextmanager
def launch_chromium() -> Iterator[Browser]:
    """Launch the system's Chromium, or else Playwright's, and close it after the block."""
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=1000 * TIMEOUT_S)
    with sync_playwright() as playwright:
        path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
        options = ["--no-sandbox", _LOCAL_ONLY_FLAG, _DISABLED_FEATURES_FLAG, _IGNORE_CERTIFICATES_FLAG, _ONE_PROCESS_FLAG]
        browser = playwright.chromium.launch(executable_path=path, args=options, timeout=1000 * TIMEOUT_S)
        yield browser
        browser.close()


def open_recorded_page(context: object) -> object:
    """Open a page that records its websocket messages for ``wait_until_still``."""
    page = context.new_page()
    page.add_init_script(f"({_FOLLOW_SOCKET_JS})()")
    return page


def wait_until_still(page: object) -> None:
    """Wait until the server has answered the last request and runs no script, and the page has stopped changing.

    Between a click and its first answer, the page reports that no script runs, just as after the last answer. The browser sends a
    request some milliseconds after the click, so this function also waits after each input.
    """
    page.wait_for_function(_IS_STILL_JS, timeout=1000 * TIMEOUT_S, polling=50)


@contextmanager
def delay_answers(page: object) -> Iterator[None]:
    """Delay the server's answers within the block, so later actions happen on the page before it is updated."""
    page.evaluate("talk.held = []")
    yield
    page.evaluate(_RELEASE_ANSWERS_JS)


def wait_for_answer(page: object) -> None:
    """Wait until the server has answered, while `delay_answers` withholds the answer."""
    page.wait_for_function("talk.held.length && talk.heard > talk.asked && performance.now() - talk.heard > 500", timeout=1000 * TIMEOUT_S)


def wait_for_result(page: object) -> None:
    """Wait until the app has drawn a result and no script is running."""
    page.wait_for_selector(".sc-tuples", timeout=1000 * TIMEOUT_S)
    wait_until_still(page)
    page.locator(GRAPHS_SELECTOR).wait_for(state="attached", timeout=1000 * TIMEOUT_S)


def wait_until_ready(locator: object, state: str = "visible") -> object:
    """Return the element once it exists and the page is stable: elements that move or are redrawn may miss a click."""
    locator.wait_for(state=state)
    wait_until_still(locator.page)
    return locator


def click_when_ready(locator: object, **options: object) -> None:
    wait_until_ready(locator).click(**options)


def write(locator: object, text: str) -> None:
    """Type into a field once the page is stable."""
    wait_until_ready(locator).fill(text)


def send(locator: object, files: object) -> None:
    """Upload files with this input once the page is stable.

    Until then, the second of two new inputs may be drawn before the first.
    """
    wait_until_ready(locator, "attached").set_input_files(files)


def serious_axe_findings(page: object) -> dict[str, list[str]]:
    """Return the serious and critical accessibility findings of axe on a page, with their elements."""
    from axe_playwright_python.sync_playwright import Axe

    violations = Axe().run(page).response["violations"]
    return {v["id"]: [n["html"][:160] for n in v["nodes"]] for v in violations if v["impact"] in ("serious", "critical")}


def check_width(page: object, width: int) -> None:
    """Set the screen width and wait until nothing overflows the page."""
    page.set_viewport_size({"width": width, "height": page.viewport_size["height"]})
    page.wait_for_function("width => document.querySelector('[data-testid=stMain]').scrollWidth <= width", arg=width)


def check_link_colour(page: object, locator: object) -> None:
    """Check that an element has the colour of links in the dark and the light theme."""
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        colour = "rgb({}, {}, {})".format(*bytes.fromhex(design.theme_colours(scheme)["accent"][1:]))
        page.wait_for_function("([element, colour]) => getComputedStyle(element).color === colour", arg=[locator.element_handle(), colour])


def find_node(page: object, word: str, *, kind: str = "", panel: int = 0) -> tuple[float, float]:
    """Scroll to the node with this label (and kind, if given) and return its position on the screen."""
    wait_until_still(page)
    graphs = page.locator(GRAPHS_SELECTOR)
    graphs.scroll_into_view_if_needed()
    return graphs.evaluate(
        """(main, [word, kind, panel]) => {
            const { nodes, nodeElements } = main.graphs.data.panels[panel];
            const { e, f } = nodeElements[nodes.findIndex(node => node.label === word && (!kind || node.kind === kind))].getScreenCTM();
            return [e, f];
        }""",
        [word, kind, panel],
    )


@pytest.fixture(scope="package")
def address() -> Iterator[str]:
    with run_app(free_port()) as url:
        yield url


@pytest.fixture(scope="package")
def browser() -> Iterator[object]:
    """A browser. If there is none, the tests are skipped, or fail if CI is set."""
    try:
        import playwright  # noqa: F401

        missing_program = (
            "" if shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome") else INSTALL_HINT
        )
    except ImportError:
        missing_program = "no playwright found; install it: pip install -r tests/requirements.txt"
    if missing_program:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(missing_program)
    with launch_chromium() as chromium_browser:
        yield chromium_browser


class RecordedPage:
    """A page limited to localhost, with its recorded requests and errors."""

    def __init__(self, page: object):
        self.page, self.abroad, self.errors = page, [], []
        page.set_default_timeout(1000 * TIMEOUT_S)
        page.on("request", lambda request: self._record_request(request.url))
        page.on("console", lambda m: self.errors.append(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda e: self.errors.append(str(e)))

    def _record_request(self, url: str) -> None:
        if urlsplit(url).scheme not in ("data", "blob") and urlsplit(url).hostname not in LOCAL_HOSTS:
            self.abroad.append(url)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo) -> object:
    """Add the content of the page to the report of a failed test."""
    report = yield
    if report.failed and (recorded_page := getattr(item, "funcargs", {}).get("recorded_page")):
        for page_number, page in enumerate(recorded_page.page.context.pages):
            state = page.evaluate("document.querySelector('[data-testid=stApp]')?.dataset.testScriptState")
            report.sections.append((f"page {page_number}", f"{page.url}\nscript: {state}\n{page.inner_text('body')[:4000]}"))
    return report


@pytest.fixture(scope="package")
def context(browser: object, address: str) -> Iterator[object]:
    """The browser context of all tests, which caches compiled scripts.

    Its first page stays open, so the renderer process survives each test. Animations are reduced: painting their frames
    takes a tenth of the processor time of the browser tests.
    """
    new_context = browser.new_context(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    new_context.set_default_timeout(1000 * TIMEOUT_S)
    new_context.new_page().goto(f"{address}/_stcore/health")
    yield new_context
    new_context.close()


@pytest.fixture
def recorded_page(context: object) -> Iterator[RecordedPage]:
    """A page of a new visitor, without data that earlier tests stored in the browser."""
    yield RecordedPage(open_recorded_page(context))
    for page in context.pages[1:]:
        clear_storage(context, page)
        page.close()
    context.clear_cookies()
    context.clear_permissions()


def clear_storage(context: object, page: object) -> None:
    """Remove data that the page's origin stores in the browser, such as the state of the menu."""
    url = urlsplit(page.url)
    storage = {"origin": f"{url.scheme}://{url.netloc}", "storageTypes": "local_storage,indexeddb"}
    context.new_cdp_session(page).send("Storage.clearDataForOrigin", storage)
