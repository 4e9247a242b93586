"""Measures of the app in a headless Chromium on the same machine: milliseconds from a click or key to the updated page."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlencode

import psutil
from PIL import Image
from playwright.sync_api import Page

from pages.parts.jobs.runs import stored_rows
from pages.parts.kit.texts import t
from pages.parts.uploads import datasets, images
from spice_core.data.work_file import ScoredWork, works_as_file
from tests.browser.conftest import (
    GRAPHS_SELECTOR,
    find_node,
    free_port,
    launch_chromium,
    open_recorded_page,
    run_app,
    wait_for_result,
    wait_until_still,
)
from tests.results import WORDS_BY_RULE
from tools.benchmarks.harness import QUANTILES, print_row, processor_seconds, quantiles
from tools.benchmarks.visitors import server_processes

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
# Each end of an update: what to remember before it, and whether it is reached.
_REDRAWN = (
    f"{_FIND_GRAPHS_JS} let graphs = find(); const before = graphs.dataset.drawn;",
    "(graphs = graphs?.isConnected ? graphs : find())?.dataset.drawn !== before",
)
_EXPLAINED = (
    "const detail = () => document.querySelector('.sc-detail')?.innerHTML; const before = detail();",
    "detail() && detail() !== before",
)
_SCRIPT_ENDED = (
    "const state = () => document.querySelector('[data-testid=\"stApp\"]').dataset.testScriptState; let ran = false;",
    "(ran ||= state() === 'running') && state() === 'notRunning'",
)
_PROPOSED = ("", "document.querySelector('[class*=\"st-key-rules-proposed\"] button')")


@contextmanager
def open_app(page_name: str = "", *, height: int = 1000) -> Iterator[tuple[str, Page]]:
    """Start the app, and yield its address and a page of the browser that shows it and records the beginning of updates."""
    with run_app(free_port()) as address, launch_chromium() as browser:
        page: Any = open_recorded_page(browser.new_context(viewport={"width": 1440, "height": height}))
        page.set_default_timeout(300_000)
        page.add_init_script(f"({_RECORD_BEGINNING_JS})()")
        page.goto(f"{address}/{page_name}")
        yield address, page


def time_update(page: Page, end: tuple[str, str], start: Callable[[], object]) -> float:
    """Start an update by a click or key, and return the milliseconds until it ends."""
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

    with open_app(height=1200) as (address, page):
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


# --- rules ---------------------------------------------------------------------------------------------------------

_EDITS = {
    "subject-object": ("{lemma:!be}=verb", "{lemma:!/be|WORD/}=verb"),
    "noun": ("'''{tag:/NN.*/}=noun", "'''{tag:/NN.*/; lemma:!WORD}=noun"),
    "adjective": ("'''{}=noun", "'''{lemma:!WORD}=noun"),
    "preposition": ("'''{tag:/NN.*/}=noun", "'''{tag:/NN.*/; lemma:!WORD}=noun"),
    "a new rule": ("{tag:/NN.*/}=name", "{tag:/NN.*/; lemma:!WORD}=name"),
}
_WATCH_PAGE_JS = """() => new MutationObserver(() => { window.ended = performance.now(); })
    .observe(document.querySelector('[data-testid="stMain"]'), { subtree: true, childList: true, characterData: true })"""
_READ_SIGNATURE_JS = "document.body.innerText.match(/rules:(\\S+)/)?.[1]"


def rule_edits(edits: int = 30) -> None:
    """Print the time from the click on Apply to the last change of the page, for edits of four rules and for a new rule in turn.

    The first edit starts as soon as the page of a new server is ready. The last column is the processor time of the server per edit, which
    depends least on the load.
    """

    def time_edit(rule: str, word: str) -> tuple[float, float]:
        """Apply a rule text with this word. Return the milliseconds to the last change, and those of processor time of the server."""
        _open_rule(page, rule)
        field, (old_text, new_text) = page.get_by_label("Rule text"), _EDITS[rule]
        text = field.input_value()
        if old_text in text:
            text = text.replace(old_text, new_text.replace("WORD", word))
        else:
            text = re.sub("lemma:!(/?)", rf"lemma:!\1{word}|", text, count=1)
        field.fill(text.replace('name = "apposition"', f'name = "apposition-{word}"'))
        signature_before, seconds_before = page.evaluate(_READ_SIGNATURE_JS), processor_seconds(server_pid)
        page.get_by_role("button", name="Apply", exact=True).click()
        page.wait_for_function(f"before => {_READ_SIGNATURE_JS} !== before", arg=signature_before)
        wait_until_still(page)
        page.wait_for_timeout(700)
        return page.evaluate("window.ended - window.begun"), 1000 * (processor_seconds(server_pid) - seconds_before)

    with open_app("Rules?section=edit", height=900) as (_, page):
        (server_pid, *_), times_by_rule = server_processes(), dict[str, list[tuple[float, float]]]()
        page.wait_for_selector(".sc-goldf1")
        wait_until_still(page)
        page.evaluate(_WATCH_PAGE_JS)
        times_by_rule["first"] = [time_edit("subject-object", "first")]
        for number, rule in enumerate(islice(cycle(_EDITS), edits)):
            word = f"{_NOUNS[number % len(_NOUNS)]}{number // len(_NOUNS) or ''}"
            times_by_rule.setdefault(rule, []).append(time_edit(rule, word))
        times_by_rule["all but the first"] = [times for rule in list(times_by_rule)[1:] for times in times_by_rule[rule]]
    print_row("ms", *QUANTILES, "CPU ms")
    for name, times in times_by_rule.items():
        totals, server_times = zip(*times)
        print_row(name, *quantiles(totals), median(server_times))


def _open_rule(page: Page, rule: str) -> None:
    """Open a rule in the editor."""
    field = page.get_by_label("Rule to edit")
    if field.input_value() != rule:
        field.click()
        field.fill(rule)
        page.get_by_role("option", name=rule, exact=True).click()
        wait_until_still(page)
    page.wait_for_timeout(300)


def proposals(rounds: int = 3) -> None:
    """Print the time from the click on "Propose rules" until the proposals appear, with each of ten rules disabled in turn.

    The first click on a new server waits for the parses of the bundled captions, so it is in a row of its own.
    """

    def time_click(rule: str) -> float:
        caption, words = WORDS_BY_RULE[rule]
        page.goto(f"{address}/Rules?{urlencode({'section': 'why', 'off': rule, 'caption': caption, 'words': words})}")
        button = page.get_by_role("button", name=t("propose.button"))
        button.wait_for()
        wait_until_still(page)
        return time_update(page, _PROPOSED, button.click)

    with open_app("Rules", height=1200) as (address, page):
        print_row("ms", *QUANTILES)
        print_row("first click", *quantiles([time_click(next(iter(WORDS_BY_RULE)))]))
        times_by_rule = {rule: [time_click(rule) for _ in range(rounds)] for rule in WORDS_BY_RULE}
    for rule, times in times_by_rule.items():
        print_row(rule, *quantiles(times))
    print_row("all but the first", *quantiles(time for times in times_by_rule.values() for time in times))


# --- Batch ---------------------------------------------------------------------------------------------------------


def filters(rows: int = 10_000, count: int = 40) -> None:
    """Print the time from a filter on Batch to the updated page, and the memory of the page and the server, with ROWS rows and images.

    The rows repeat the scored sample, each with an image file. A filter is a word, or a number in the table of questions.
    """
    with TemporaryDirectory() as name:
        folder = Path(name)
        for i in range(rows):
            Image.new("RGB", (640, 480), (i % 256, i // 256 % 256, 128)).save(folder / f"photo {i:06}.jpg", quality=70)
        file = folder / "many.jsonl.gz"
        file.write_bytes(works_as_file([_scored_rows(rows)]))
        os.environ[images.IMAGES_FOLDER_VARIABLE] = name
        print(f"{rows} rows, {file.stat().st_size / 1e6:.1f} MB")
        with open_app("Batch") as (_, page):
            page.get_by_text("240 of 240 captions").wait_for()
            wait_until_still(page)
            server = psutil.Process(server_processes()[0])
            mb_before = _unique_mb(server)
            page.get_by_role("radio", name="Your files").click()
            page.locator('input[type="file"]').first.set_input_files(file)
            page.get_by_text(f"{rows} of {rows} captions").wait_for()
            wait_until_still(page)
            times = list(_time_filters(page, count))
            renderers = [p for p in psutil.Process().children(recursive=True) if "--type=renderer" in p.cmdline()]
            heap = page.context.new_cdp_session(page).send("Runtime.getHeapUsage")["usedSize"] / 1e6
            print_row("ms", *QUANTILES)
            print_row("filter to updated page", *quantiles(times))
            print_row("MB", "page", "its scripts", "server", "before")
            print_row("", *map(round, (max(map(_unique_mb, renderers)), heap, _unique_mb(server), mb_before)))


def _scored_rows(count: int) -> ScoredWork:
    """Return work with the scored rows of the sample, repeated with new ids and with the names of image files."""
    scored = cycle([row for system in datasets.ENGLISH_SAMPLE.systems for row in stored_rows(datasets.ENGLISH_SAMPLE, system).values()])
    repeated_rows = tuple(replace(row, image_id=i) for i, row in enumerate(islice(scored, count)))
    return ScoredWork(repeated_rows, "many", image_files={row.image_id: f"photo {row.image_id:06}.jpg" for row in repeated_rows})


def _time_filters(page: Page, count: int) -> Iterator[float]:
    """Filter by words, then by numbers in the table of questions. Yield the milliseconds until the page is updated."""
    field = page.get_by_placeholder("umbrella")
    for word in [*_NOUNS[: count // 2], ""]:
        field.fill(word)
        yield time_update(page, _SCRIPT_ENDED, lambda: field.press("Enter"))
    cells = page.get_by_role("row", name="Relation").get_by_role("button")
    for i in range(count // 2):
        cell = cells.nth(1 + i // 2 % 3)
        cell.scroll_into_view_if_needed()
        yield time_update(page, _SCRIPT_ENDED, cell.click)


def _unique_mb(process: psutil.Process) -> float:
    """Return the sum of the unique set sizes (USS) of a process and its descendants in MB."""
    return sum(member.memory_full_info().uss for member in (process, *process.children(recursive=True))) / 1e6
