"""The Inspect page in a test: opened, filled in, read."""

from __future__ import annotations

import html
import json
import re
from functools import cache
from pathlib import Path

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest

APP = Path(__file__).parents[2] / "app.py"
manifest_scanner.scan_component_manifests = cache(  # each AppTest reads what every installed package says of itself: .3 s
    manifest_scanner.scan_component_manifests
)


@pytest.fixture
def app() -> AppTest:
    return AppTest.from_file(str(APP), default_timeout=240).run()


def shown(app: AppTest) -> str:
    """All HTML of the page."""
    assert not app.exception
    return "\n".join(block.proto.body for block in app.get("html"))


def signature(app: AppTest) -> str:
    """The signature that the page shows."""
    return re.findall(r'<pre class="sc-quoted">(.*?)</pre>', shown(app))[-1]


def said(app: AppTest, kind: str = "status") -> list[str]:
    """What the page says to the visitor: notes (``status``) or problems (``alert``)."""
    blocks = re.findall(rf'role="{kind}">(.*?)</div>', shown(app))
    return [html.unescape(text) for block in blocks for text in re.findall("<p>(.*?)</p>", block)]


def score(app: AppTest, candidate: str, *references: str) -> AppTest:
    """Type captions and press Score."""
    for _ in range(len(references) - len(rows(app))):
        app = app.button(key="inspect.add").click().run()
    app.text_area(key="inspect.candidate").set_value(candidate)
    for row, reference in zip(rows(app), [*references, "", "", ""], strict=False):
        app.text_area(key=f"inspect.reference.{row}").set_value(reference)
    return app.button(key="inspect.score").click().run()


def choose(app: AppTest, example: str) -> AppTest:
    """Open the gallery and choose an example."""
    app = app.toggle(key="inspect.gallery").set_value(True).run()
    return app.button(key=f"inspect.example.{example}").click().run()


def opened(app: AppTest, drawer: str) -> AppTest:
    """The page with a drawer open."""
    app.session_state[f"inspect.{drawer}"] = True
    return app.run()


def rows(app: AppTest) -> list[int]:
    return app.session_state["inspect.rows"]


def choice(app: AppTest) -> dict:
    """What the Rules page shows to choose words: the sentences, the words that are chosen, the tree."""
    (found,) = (json.loads(part.proto.json) for part in app.get("bidi_component") if part.proto.component_name == "spice_words")
    return found
