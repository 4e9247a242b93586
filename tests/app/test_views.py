"""Test parts that several pages show: the tuple table, the explanation of a tuple, the printed sheet and the presentation mode."""

import json
import re

import pytest

from pages.parts.kit.texts import t
from pages.parts.state import engine, examples, settings
from pages.parts.state.engine import CaptionInputs, ScoredCaptions
from pages.parts.views import detail, present, sheet, tuples
from spice_core import Spice, SpiceConfig
from spice_core.explain.evidence import Occurrence, TupleRow
from spice_core.scene.matching import MatchState
from tests.app.conftest import component_data, open_page

OCCURRENCES = (Occurrence(0, "man … stands", "subject-verb-object"), Occurrence(0, "man … stands", "b"), Occurrence(0, "man … stands", "c"))


def score_propositions(
    candidate: list[list[str]], references: list[list[list[str]]], *, synonyms: str = "wn3.0+collisions", rules: str = "spice-2016"
) -> ScoredCaptions:
    settings = SpiceConfig("en", rules, rules, synonyms)
    result = Spice(settings).compute(candidate, references)
    return ScoredCaptions(CaptionInputs("", ("",) * len(references)), settings, result, (), tuple(range(len(references))))


def drawer_html(scored_example: ScoredCaptions, words: str) -> str:
    """Return the explanation of the row with these words."""
    return detail.detail_html(scored_example, next(row for row in scored_example.explanation.rows if " ".join(row.parts) == words))


def test_a_row_shows_how_it_matched_and_its_source():
    words, partner = ("man", "stand", "hill"), ("man", "bear", "hill")
    row = TupleRow("c:r1", ("c:r1", "r:r2"), (), words, "relation", MatchState.SYNONYM, (), partner, (), OCCURRENCES, OCCURRENCES)
    page = tuples.table_html([row], names={0: 4})
    assert "by synonym" in page and "man – bear – hill" in page and 'data-focus="c:r1"' in page
    assert "<small>5</small> man … stands" in page and "subject-verb-object, b +1" in page


def test_a_long_block_of_a_detail_stands_below_the_others(monkeypatch):
    scored_captions = score_propositions([["dog"]], [[["dog"]]])
    assert "sc-long" not in drawer_html(scored_captions, "dog")
    monkeypatch.setattr(detail, "rules_of_row", lambda row: ["noun"] * 9)
    assert drawer_html(scored_captions, "dog").count('<div class="sc-long">') == 1


def test_uncounted_synonyms_have_a_reason():
    references = [[["bathroom", "white"], ["piece"]], [["bathroom", "with", "toilet"]]]
    scored_example = score_propositions([["toilet", "white"], ["man"]], references, synonyms="wn3.0+ranks", rules="caption")
    apart_html, rare_html = drawer_html(scored_example, "toilet white"), drawer_html(scored_example, "man")
    assert "“toilet” and “bathroom” share the sense <code>toilet.n.01</code>" in apart_html and "one caption contains both" in apart_html
    assert t("detail.why") in drawer_html(score_propositions([["train"]], [[["rail"]], [["track"]], [["train", "rail"]]]), "train")
    assert "rare for both and therefore does not count: <code>man.n.10</code>" in rare_html
    assert "No tuples to show." in tuples.table_html([], names={})
    row = TupleRow("c:r1", ("c:r1",), (), ("[PHI]", "sit", "hill"), "relation", MatchState.PARTIAL, (), ("man", "sit", "hill"))
    page = tuples.table_html([row], names={})
    assert "(implicit subject) – sit – hill" in page and "½" in page and 'title="[PHI] – sit – hill"' in page


MATCH_REASONS = [
    (["racquet"], ["racket"], "racquet", ["share the sense <code>racket.n.04</code>", "a sports implement"]),
    (["man", "stand", "hill"], ["man", "bear", "hill"], "man stand hill", ["the same word: “man”", "is rare for both"]),
    (["dog"], ["animal"], "dog", ["no reference has this tuple", "dog → domestic animal → animal", 'data-focus="r:o1"']),
    (["dog", "grey"], ["dog", "gray"], "dog grey", ["share the sense"]),
    (["dog", "run"], ["dog", "run on", "street"], "dog run", ["only one of the two tuples contains “street”"]),
    (["zebra"], ["spoon"], "zebra", ["No tuple on the other side is similar."]),
    (["<b>x"], ["<b>x"], "<b>x", ["the same word: “&lt;b&gt;x”"]),
]


def test_the_drawer_gives_the_reason_of_a_match():
    for candidate_tuple, reference_tuple, words, expected_reason in MATCH_REASONS:
        page = drawer_html(score_propositions([candidate_tuple], [[reference_tuple]]), words)
        assert [text for text in expected_reason if text not in page] == [] and "<b>x" not in page


DOG = CaptionInputs("A dog sleeps on a couch.", ("A dog sleeps on a sofa.", "A <q>cat</q>."))
SHEET_CONTENT = {"title": "Dogs & <i>cats</i>", "question": "How many?", "link": {"step": "merge"}}


def score_example(name: str, lang: str) -> engine.ScoredCaptions:
    scored_example = examples.examples_by_id()[name]
    return engine.score_captions(
        CaptionInputs(scored_example["candidate"], tuple(scored_example["references"])), settings.default_config(lang)
    )


@pytest.fixture(scope="module")
def scored_example():
    return engine.score_captions(DOG, settings.default_config("en"))


def test_a_sheet_explains_the_score_and_its_file_is_self_contained(scored_example):
    sheet_html = sheet.pages_html(scored_example, **SHEET_CONTENT)
    overall = scored_example.result.overall
    assert sheet_html.count("sc-page") == 1 and sheet_html.count("<svg") == 3, "two graphs and the code of the link"
    assert (
        f"F1 = 2 × {overall.matched:g} / ({overall.candidate} + {overall.reference}) = <b>{scored_example.result.f1:.3f}</b>" in sheet_html
    )
    assert str(scored_example.result.signature) in sheet_html and "step=merge" in sheet_html and "couch = sofa" in sheet_html
    assert "Dogs &amp; &lt;i&gt;" in sheet_html and "<i>cats" not in sheet_html and "A &lt;" in sheet_html and "<q>" not in sheet_html
    file = sheet._file_html(sheet_html)
    assert file.startswith("<!doctype html>") and not re.search(r'(?:src|href)="?https?:|@import|url\(', file)


def test_a_worksheet_omits_the_answers(scored_example):
    worksheet_html = sheet.pages_html(scored_example, **SHEET_CONTENT, is_worksheet=True)
    assert "____" in worksheet_html
    assert "<mark" not in worksheet_html
    assert worksheet_html.count("<svg") == 1
    assert f"{scored_example.result.f1:.3f}" not in worksheet_html
    solved_html = sheet.pages_html(scored_example, **SHEET_CONTENT, is_worksheet=True, with_solutions=True)
    assert solved_html.count("sc-page") == 2 and f"{scored_example.result.f1:.3f}" in solved_html


def test_long_tuple_lists_are_cut_and_partial_matches_rounded():
    captions = [f"a {colour} {noun}" for colour in ("red", "blue", "big") for noun in "dog cat hat car bed bus cup".split()]
    sheet_html = sheet.pages_html(
        engine.score_captions(CaptionInputs(", ".join(captions), ("A dog.",)), settings.default_config("en")), **SHEET_CONTENT
    )
    assert len(re.findall("<li>", sheet_html)) <= sheet._MAX_TUPLES + 1
    scored_example = score_example("ja-bears", "ja")
    assert scored_example.result.overall.matched % 1 != 0
    assert f"P = {scored_example.result.overall.matched:.2f} / " in sheet.pages_html(scored_example, **SHEET_CONTENT)


def test_large_graphs_follow_the_sums_at_full_line_width(scored_example):
    sheet_html = sheet.pages_html(score_example("market", "en"), **SHEET_CONTENT)
    assert sheet_html.index("sc-sums") < sheet_html.index("sc-frame") and sheet_html.count("sc-frame sc-large") == 2
    sizes = [tuple(map(float, box.split()[2:])) for box in re.findall(r'<svg[^>]*viewBox="([^"]+)"', sheet_html)[-2:]]
    assert all(900 <= width <= 1100 and height < 1.6 * width for width, height in sizes), "a page each, and text of half its size or more"
    short_html = sheet.pages_html(scored_example, **SHEET_CONTENT)
    assert "sc-large" not in short_html and short_html.index("sc-frame") < short_html.index("sc-sums")


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
