"""Take the screenshots of the app for the README: ``python -m tools.screenshots [name …]``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from playwright.sync_api import Browser

from tests.browser.conftest import ROOT, free_port, launch_chromium, run_app, wait_for_result

Scheme = Literal["light", "dark"]
SCREENSHOT_FOLDER = ROOT / "assets" / "screenshots"
SCREENSHOTS: dict[str, tuple[str, tuple[int, int], Scheme]] = {
    "inspect-light": ("?focus=r:r3", (1360, 1640), "light"),
    "inspect-japanese": ("?example=ja-umbrella&ui=ja&focus=c:r5", (1360, 1720), "light"),
    "learn": ("Learn?step=merge", (1280, 720), "light"),
    "rules": ("Rules?section=edit&off=controlled-subject-object", (1360, 1560), "light"),
    "agreement": ("Agreement", (1360, 1420), "light"),
    "batch": ("Batch", (1360, 2240), "light"),
    "systems": ("Systems", (1360, 1960), "light"),
}
BUTTON_BY_SCREENSHOT = {"learn": "Reveal"}  # button to press before the screenshot


def main() -> None:
    """Take the screenshots named on the command line, or all in SCREENSHOTS."""
    SCREENSHOT_FOLDER.mkdir(parents=True, exist_ok=True)
    with run_app(free_port()) as address, launch_chromium() as browser:
        for name in sys.argv[1:] or SCREENSHOTS:
            query, size_px, scheme = SCREENSHOTS[name]
            print(
                take_screenshot(
                    browser,
                    f"{address}/{query}",
                    SCREENSHOT_FOLDER / f"{name}.png",
                    size_px=size_px,
                    scheme=scheme,
                    button=BUTTON_BY_SCREENSHOT.get(name),
                )
            )


def take_screenshot(browser: Browser, url: str, path: Path, *, size_px: tuple[int, int], scheme: Scheme, button: str | None = None) -> Path:
    """Take a screenshot of the top of a page, after pressing ``button``, if given."""
    context = browser.new_context(viewport={"width": size_px[0], "height": size_px[1]}, color_scheme=scheme, device_scale_factor=1.5)
    page = context.new_page()
    page.goto(url)
    if button:
        page.get_by_role("button", name=button).click()
        page.locator('[data-testid="stPlotlyChart"], main[data-drawn]').first.wait_for(timeout=120_000)
        page.mouse.move(0, 0)
    elif urlsplit(url).path == "/":
        wait_for_result(page)
    else:
        page.get_by_test_id("stHtml").nth(3).wait_for(timeout=60_000)
        page.wait_for_selector('[data-testid="stApp"][data-test-script-state="notRunning"]', timeout=60_000)
    page.wait_for_timeout(1200)
    page.screenshot(path=path)
    context.close()
    return path


if __name__ == "__main__":
    main()
