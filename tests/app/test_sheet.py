"""Test the printed sheet: its content, what a worksheet omits, and captions as plain text."""

import re

import pytest

from pages.parts.state import engine, examples, settings
from pages.parts.state.engine import CaptionInputs
from pages.parts.views import sheet

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
    assert len(re.findall("<li>", sheet_html)) <= sheet._MAX_ROWS + 1
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
