"""Present without a browser: what the stage is given, and that it takes only captions."""

from __future__ import annotations

import json

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.session.engine import Inputs
from pages.parts.views import present
from tests.app.conftest import APP

pytestmark = pytest.mark.parser


def stage(page: str = "app.py", **asked: str) -> dict:
    """What the stage of a page has been given."""
    app = AppTest.from_file(str(APP), default_timeout=240)
    if page != "app.py":
        app.switch_page(page)
    for name, value in {"present": "1", **asked}.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    (found,) = (json.loads(part.proto.json) for part in app.get("bidi_component") if part.proto.component_name == "spice_present")
    return found


def test_a_result_is_built_up_from_words_to_score():
    found = stage(example="umbrella")
    assert found["beats"] == list(present.BEATS) and {name.removesuffix("_whole") for name in found["pictures"]} == {
        "tree",
        "candidate",
        "references",
        "union",
    }
    assert "0.571" in found["score"] and found["chips"] and "<svg" in found["code"] and "example=umbrella" in found["link"]
    assert 'class="node object plain"' in found["pictures"]["candidate"] and "plain" not in found["pictures"]["union"]


def test_a_step_brings_its_question():
    found = stage("pages/6_Learn.py", step="tuples")
    assert [choice["right"] for choice in found["choices"]] == [False, True, False] and "step=tuples" in found["link"]


def test_the_trace_has_no_references_to_show():
    found = stage("pages/2_Rules.py", caption="A dog on a sofa.")
    assert found["beats"] == ["words", "tree", "tuples"] and set(found["pictures"]) == {"tree", "candidate"}


@pytest.mark.parametrize("beat", ["0", "7", "x", "9" * 5_000, "１"])
def test_a_beat_that_is_not_there_is_the_first(beat):
    assert stage(example="umbrella", beat=beat)["beat"] == 1


@pytest.mark.parametrize(
    "written",
    [None, "A dog.", {}, {"candidate": "A dog."}, {"candidate": "", "references": ["A cat."]}, {"candidate": 5, "references": ["A cat."]},
     {"candidate": "A dog.", "references": []}, {"candidate": "A dog.", "references": [" ", 5, None]}, {"candidate": "A dog.", "references": "A cat."}],
)  # fmt: skip
def test_anything_but_captions_is_left_out(written):
    assert present._inputs(written) is None


def test_captions_are_taken():
    assert present._inputs({"candidate": " A  dog. ", "references": ["", "A cat. "]}) == Inputs("A dog.", ("A cat.",))


def test_a_long_link_has_no_code():
    assert present.code_of({"t": "x" * 900})[1] == "" and "<svg" in present.code_of({"step": "merge"})[1]


def test_markup_is_text():
    found = stage("pages/2_Rules.py", caption="<script>alert(1)</script> a dog")
    assert "<script" not in json.dumps(found["captions"]) and all("<script" not in picture for picture in found["pictures"].values())
