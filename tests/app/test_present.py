"""Test the presentation mode without a browser: its content, and the captions that it accepts."""

import json
import re

import pytest

from pages.parts.state.engine import CaptionInputs
from pages.parts.views import present
from tests.app.conftest import component_data, open_page


def stage_content(page: str = "app.py", **params: str) -> dict:
    app = open_page(page, present="1", **params)
    assert not app.exception
    return component_data(app, "spice_present")


def picture_names(content: dict) -> set[str]:
    return {name.removesuffix("_whole") for name in content["pictures"]}


def test_a_result_is_built_up_from_words_to_score():
    content = stage_content(example="umbrella")
    assert content["beats"] == list(present.BEAT_NAMES) and picture_names(content) == {"tree", "candidate", "references", "union"}
    assert "0.571" in content["score"] and content["chips"] and "<svg" in content["code"] and "example=umbrella" in content["link"]
    assert 'class="node object plain"' in content["pictures"]["candidate"] and "plain" not in content["pictures"]["union"]


def test_a_presented_step_includes_its_question():
    content = stage_content("pages/6_Learn.py", step="tuples")
    assert [choice["right"] for choice in content["choices"]] == [False, True, False] and "step=tuples" in content["link"]
    assert present.address_and_code({"t": "x" * 900})[1] == "", "a long link has no code"
    assert "<svg" in present.address_and_code({"step": "merge"})[1], "a long link has no code"


def test_a_presented_step_shows_its_tree_and_all_its_nodes_and_the_states_of_words():
    assert "tree_whole" not in stage_content("pages/6_Learn.py", step="tree")["pictures"], "eight words fit"
    content = stage_content("pages/6_Learn.py", step="score")
    assert not content["parts"] and content["pictures"]["union"].count('class="node ') == len(content["chips"]) == 12
    candidate, first_reference, *_ = (html for _, html in content["captions"])
    assert re.search(r"sc-extra[^>]*>white<", candidate) and re.search(r"sc-missing[^>]*>brown<", first_reference)


def test_the_trace_has_no_references_to_show_and_markup_is_text():
    content = stage_content("pages/2_Rules.py", caption="<script>alert(1)</script> a dog")
    assert content["beats"] == ["words", "tree", "tuples"] and picture_names(content) == {"tree", "candidate"}
    assert "<script" not in json.dumps(content["captions"]) and all("<script" not in picture for picture in content["pictures"].values())


@pytest.mark.parametrize("beat", ["0", "7", "x", "9" * 5_000, "１"])
def test_a_presentation_with_an_invalid_beat_starts_at_the_first_beat(beat):
    assert stage_content(example="umbrella", beat=beat)["beat"] == 1


def test_captions_are_accepted_and_anything_else_ignored():
    for sent_content in (
        None, "A dog.", {}, {"candidate": "A dog."}, {"candidate": "", "references": ["A cat."]}, {"candidate": 5, "references": ["A cat."]},
        {"candidate": "A dog.", "references": []}, {"candidate": "A dog.", "references": [" ", 5, None]}, {"candidate": "A dog.", "references": "A cat."},
    ):  # fmt: skip
        assert present._read_inputs(sent_content) is None, sent_content
    assert present._read_inputs({"candidate": " A  dog. ", "references": ["", "A cat. "]}) == CaptionInputs("A dog.", ("A cat.",))
