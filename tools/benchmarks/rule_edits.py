"""Measure the time for edits of rules: from the click on Apply to the last change on the page.

    python -m tools.benchmarks.rule_edits [EDITS]

The tool starts the app and a headless Chromium on the same machine. In turn, it edits a rule for verbs, nouns, adjectives and
prepositions, and adds a rule. The first edit starts as soon as the page of a new server is ready. The output is the median, 95th
percentile and maximum in ms by kind of edit, the load, and the processor time of the server per edit, which depends least on the load.
"""

from __future__ import annotations

import os
import re
import statistics
import sys
from itertools import cycle, islice
from typing import Any, NamedTuple

import psutil
from playwright.sync_api import Page

from tests.browser.conftest import free_port, launch_chromium, open_recorded_page, run_app, wait_until_still
from tools.benchmarks.redraw import NOUNS

EDITS = {
    "subject-object": ("{lemma:!be}=verb", "{lemma:!/be|WORD/}=verb"),
    "noun": ("'''{tag:/NN.*/}=noun", "'''{tag:/NN.*/; lemma:!WORD}=noun"),
    "adjective": ("'''{}=noun", "'''{lemma:!WORD}=noun"),
    "preposition": ("'''{tag:/NN.*/}=noun", "'''{tag:/NN.*/; lemma:!WORD}=noun"),
    "a new rule": ("{tag:/NN.*/}=name", "{tag:/NN.*/; lemma:!WORD}=name"),
}
_WATCH_PAGE_JS = """() => {
    document.addEventListener('pointerup', event => {
        if (event.target.closest('.st-key-rules-apply')) Object.assign(window, { begun: performance.now(), ended: 0 });
    }, true);
    const watch = new MutationObserver(() => { window.ended = performance.now(); });
    watch.observe(document.querySelector('[data-testid="stMain"]'), { subtree: true, childList: true, characterData: true });
}"""
_READ_SIGNATURE_JS = "document.body.innerText.match(/rules:(\\S+)/)?.[1]"


class EditTime(NamedTuple):
    """Milliseconds from the click to the last change of the page, and milliseconds of processor time of the server."""

    total_ms: float
    server_ms: float


def time_edit(page: Page, rule: str, word: str) -> EditTime:
    """Apply a rule text with this word, wait for the page, and return the times."""
    open_rule(page, rule)
    field, (old_text, new_text) = page.get_by_label("Rule text"), EDITS[rule]
    text = field.input_value()
    text = (
        text.replace(old_text, new_text.replace("WORD", word))
        if old_text in text
        else re.sub("lemma:!(/?)", rf"lemma:!\1{word}|", text, count=1)
    )
    field.fill(text.replace('name = "apposition"', f'name = "apposition-{word}"'))
    signature_before, work = page.evaluate(_READ_SIGNATURE_JS), server_seconds()
    page.get_by_role("button", name="Apply", exact=True).click()
    page.wait_for_function(f"before => {_READ_SIGNATURE_JS} !== before", arg=signature_before)
    wait_until_still(page)
    page.wait_for_timeout(700)
    return EditTime(page.evaluate("window.ended - window.begun"), 1000 * (server_seconds() - work))


def server_seconds() -> float:
    """Return the processor seconds of the server so far."""
    (server,) = (child for child in psutil.Process().children() if "streamlit" in child.cmdline())
    return sum(server.cpu_times()[:2])


def open_rule(page: Page, rule: str) -> None:
    """Open a rule in the editor."""
    field = page.get_by_label("Rule to edit")
    if field.input_value() != rule:
        field.click()
        field.fill(rule)
        page.get_by_role("option", name=rule, exact=True).click()
        wait_until_still(page)
    page.wait_for_timeout(300)


def table_row(name: str, edit_times: list[EditTime]) -> str:
    """Return a row of the table."""
    total_ms = sorted(edit_time.total_ms for edit_time in edit_times)
    figures = (
        statistics.median(total_ms),
        total_ms[int(0.95 * len(total_ms))],
        total_ms[-1],
        statistics.median(edit_time.server_ms for edit_time in edit_times),
    )
    return f"{name:<18}{''.join(f'{figure:8.0f}' for figure in figures)}{len(edit_times):8}"


def main(edit_count: int = 25) -> None:
    """Measure the edits, and print the table."""
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} before")
    print(f"{'ms':<18}{'p50':>8}{'p95':>8}{'most':>8}{'server':>8}{'edits':>8}")
    with run_app(free_port()) as address, launch_chromium() as browser:
        page: Any = open_recorded_page(browser.new_context(viewport={"width": 1440, "height": 900}))
        page.set_default_timeout(180_000)
        page.goto(f"{address}/Rules?section=edit")
        page.wait_for_selector(".sc-goldf1")
        wait_until_still(page)
        page.evaluate(_WATCH_PAGE_JS)
        print(table_row("first", [time_edit(page, "subject-object", "first")]), flush=True)
        times_by_rule: dict[str, list[EditTime]] = {}
        for edit_index, rule in enumerate(islice(cycle(EDITS), edit_count)):
            times_by_rule.setdefault(rule, []).append(
                time_edit(page, rule, f"{NOUNS[edit_index % len(NOUNS)]}{edit_index // len(NOUNS) or ''}")
            )
        for rule, edit_times in times_by_rule.items():
            print(table_row(rule, edit_times))
        print(table_row("all", [edit_time for edit_times in times_by_rule.values() for edit_time in edit_times]))
    print(f"load {os.getloadavg()[0]:.1f} after")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
