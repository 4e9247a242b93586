"""Small things of the pages' look: labels in line, links in the page's colour, what goes on beyond an edge, the report's figures."""

from __future__ import annotations

import io
import json

import pytest
from PIL import Image

from pages.parts.batch import saved
from pages.parts.batch.decisions import Decisions
from pages.parts.session import datasets, settings
from pages.parts.session.runs import Run
from spice_core.data.reader import Upload
from spice_core.data.work_file import Unmatched
from spice_core.draw import design
from spice_core.scene.matching import MatchState
from tests.browser.conftest import TREES, Watched, press, settled, write

pytestmark = [pytest.mark.browser, pytest.mark.parser]
LONG = "A young girl in a red dress holds a racket beside a tall man with a white hat who looks at a small dog under the wooden bench."


def rgb(colour: str) -> str:
    return "rgb({}, {}, {})".format(*bytes.fromhex(colour[1:]))


@pytest.mark.parametrize(("where", "group", "field"), [("", "inspect-view", "inspect-focus"), ("/Rules", "rules-lang", "rules-en-parser")])
def test_labels_stand_in_line_with_those_of_the_fields_beside(watched: Watched, address: str, where: str, group: str, field: str):
    page = watched.page
    page.goto(address + where)
    # both are measured at one moment, since the page grows above them while it is built
    in_line = """keys => {
        const boxes = keys.map(key => document.querySelector(`.st-key-${key} [data-testid=stWidgetLabel]`)?.getBoundingClientRect());
        return boxes.every(box => box?.height) && Math.abs(boxes[0].y - boxes[1].y) < 1;
    }"""
    page.wait_for_function(in_line, arg=[group, field])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_links_have_the_colour_of_the_page(watched: Watched, address: str, scheme: str):
    page = watched.page
    page.emulate_media(color_scheme=scheme)
    page.goto(f"{address}/Agreement")
    link = page.locator('a[href*="t="]').first
    link.wait_for()
    assert link.evaluate("link => getComputedStyle(link).color") == rgb(design.colours(scheme)["accent"])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_button_keeps_the_colour_of_the_page_while_what_it_opened_is_open(watched: Watched, address: str, scheme: str):
    page = watched.page
    page.emulate_media(color_scheme=scheme)
    page.goto(f"{address}/Batch")
    press(page.get_by_role("radio", name="Your files"))
    press(page.get_by_role("button", name="Sample files"))
    page.get_by_role("button", name="Table (CSV)").wait_for()
    opened = page.locator('button[kind="tertiary"][aria-expanded="true"]').element_handle()
    page.wait_for_function(
        "([button, accent]) => getComputedStyle(button).color === accent", arg=[opened, rgb(design.colours(scheme)["accent"])]
    )


def test_a_tree_that_goes_on_fades_at_its_edge(watched: Watched, address: str):
    page = watched.page
    page.set_viewport_size({"width": 700, "height": 900})
    page.goto(address)
    settled(page)
    write(page.get_by_label("Candidate caption"), LONG)
    page.get_by_label("Candidate caption").press("Control+Enter")
    page.locator(".sc-captions dd", has_text="bench").wait_for()
    press(page.locator("summary", has_text="Parse"))
    tree = page.frame_locator(TREES).locator(".scroll").first
    tree.wait_for()
    assert tree.evaluate("tree => tree.scrollWidth > tree.clientWidth")
    edges = [at_edges(tree)]
    tree.evaluate("tree => { tree.scrollLeft = tree.scrollWidth; }")
    edges.append(at_edges(tree))
    assert edges == [(False, True), (True, False)]


def at_edges(tree: object) -> tuple[bool, bool]:
    """Whether the ground at the left and the right edge is another than in the middle, at a height without words."""
    picture = Image.open(io.BytesIO(tree.screenshot())).convert("RGB")
    ground, y = picture.getpixel((picture.width // 2, 1)), 1
    return tuple(picture.getpixel((x, y)) != ground for x in (1, picture.width - 2))


@pytest.mark.parametrize("width", [375, 1120])
def test_the_report_of_a_data_set_breaks_no_figure(watched: Watched, width: int):
    refs = ["A brown dog lies on a very old couch."]
    rows = [{"image_id": 397133 + i, "test": f"A dog on {i + 2} sofas.", "refs": refs} for i in range(12)]
    data = datasets.read(Upload("mine.jsonl", "".join(json.dumps(row) + "\n" for row in rows).encode()))
    run = Run(data.items, settings.usual("en"), data.name, data.digest).start()
    run.wait(120)
    sofas = {Unmatched(MatchState.EXTRA, ("sofa",)): "near word", Unmatched(MatchState.MISSING, ("couch", "old")): "f" * 40}
    decided = Decisions({397134: ("rule", "no rule reads “very”")}, {397134: sofas, 397135: dict([*sofas.items()][:1])})
    page = watched.page
    page.set_viewport_size({"width": width, "height": 800})
    page.set_content(saved.report(saved.summary(run, decided)))
    assert page.get_by_text("no rule reads “very”").is_visible()
    broken = page.locator("td, dd, dd small").evaluate_all(
        """cells => cells.filter(cell => /^[\\d.[\\], ]+$/.test(cell.textContent)).filter(cell => {
            const text = document.createRange(); text.selectNodeContents(cell);
            return new Set([...text.getClientRects()].map(box => Math.round(box.bottom / 8))).size > 1;
        }).map(cell => cell.textContent)"""
    )
    assert broken == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
