"""Present without a browser: the content of the presentation, which accepts only captions."""

import json
import re

import pytest

from pages.parts.state.engine import CaptionInputs
from pages.parts.views import present
from tests.app.conftest import component_data, open_page

pytestmark = pytest.mark.parser


def stage_content(page: str = "app.py", **asked: str) -> dict:
    """Return the content of a page's presentation."""
    app = open_page(page, present="1", **asked)
    assert not app.exception
    return component_data(app, "spice_present")


def pictures(found: dict) -> set[str]:
    return {name.removesuffix("_whole") for name in found["pictures"]}


def test_a_result_is_built_up_from_words_to_score():
    found = stage_content(example="umbrella")
    assert found["beats"] == list(present.BEAT_NAMES) and pictures(found) == {"tree", "candidate", "references", "union"}
    assert "0.571" in found["score"] and found["chips"] and "<svg" in found["code"] and "example=umbrella" in found["link"]
    assert 'class="node object plain"' in found["pictures"]["candidate"] and "plain" not in found["pictures"]["union"]


def test_a_presented_step_includes_its_question():
    found = stage_content("pages/6_Learn.py", step="tuples")
    assert [choice["right"] for choice in found["choices"]] == [False, True, False] and "step=tuples" in found["link"]
    assert present.address_and_code({"t": "x" * 900})[1] == "" and "<svg" in present.address_and_code({"step": "merge"})[1], (
        "a long link has no code"
    )


def test_a_presented_step_shows_its_tree_and_all_its_nodes_and_the_states_of_words():
    assert "tree_whole" not in stage_content("pages/6_Learn.py", step="tree")["pictures"], "eight words fit"
    found = stage_content("pages/6_Learn.py", step="score")
    assert not found["parts"] and found["pictures"]["union"].count('class="node ') == len(found["chips"]) == 12
    candidate, first, *_ = (html for _, html in found["captions"])
    assert re.search(r"sc-extra[^>]*>white<", candidate) and re.search(r"sc-missing[^>]*>brown<", first)


def test_the_trace_has_no_references_to_show_and_markup_is_text():
    found = stage_content("pages/2_Rules.py", caption="<script>alert(1)</script> a dog")
    assert found["beats"] == ["words", "tree", "tuples"] and pictures(found) == {"tree", "candidate"}
    assert "<script" not in json.dumps(found["captions"]) and all("<script" not in picture for picture in found["pictures"].values())


@pytest.mark.parametrize("beat", ["0", "7", "x", "9" * 5_000, "１"])
def test_an_invalid_beat_shows_the_first_one(beat):
    assert stage_content(example="umbrella", beat=beat)["beat"] == 1


def test_captions_are_accepted_and_anything_else_ignored():
    for written in (
        None, "A dog.", {}, {"candidate": "A dog."}, {"candidate": "", "references": ["A cat."]}, {"candidate": 5, "references": ["A cat."]},
        {"candidate": "A dog.", "references": []}, {"candidate": "A dog.", "references": [" ", 5, None]}, {"candidate": "A dog.", "references": "A cat."},
    ):  # fmt: skip
        assert present._read_inputs(written) is None, written
    assert present._read_inputs({"candidate": " A  dog. ", "references": ["", "A cat. "]}) == CaptionInputs("A dog.", ("A cat.",))
