"""The report of a comparison: its tables, its chart, undefined values, text of files, and that it is light and prints whole."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from spice_core.data.results import ScoredItem
from spice_core.draw.style import DisplayStyle
from spice_core.evaluation.system_questions import QUESTIONS, Side
from spice_core.evaluation.systems import SystemComparison, compare, system
from spice_core.report.systems_page import Comparison, Example, Reason, report
from spice_core.scene.scores import OVERALL, Score

HOSTILE = "<script>alert(1)</script>"


def compared(*names: str) -> SystemComparison:
    """Systems that match one tuple more each; no image has a size."""

    def rows(more: int) -> list[ScoredItem]:
        scores = [
            {OVERALL: Score(1 + i % 3 + more, 8, 9, strict=True), "Object": Score(1 + more, 4, 5), "Size": Score(0, 0, 0)} for i in range(9)
        ]
        return [ScoredItem(i, "", (), each, signature="spice|lang:en") for i, each in enumerate(scores)]

    return compare([system(name, rows(i)) for i, name in enumerate(names)])


def told(result: SystemComparison, other: str) -> Comparison:
    example = Example(HOSTILE, (HOSTILE, "A dog & a cat."), (0.1, 0.4), [Reason("Object + Colour", ["dog: red"], [HOSTILE])])
    counts = {"Object": dict(zip(QUESTIONS, range(10, 16))), "Size": dict.fromkeys(QUESTIONS, 0)}
    return Comparison(result, other, counts, {Side.BASE: 0, Side.OTHER: 9}, 4, {Side.BASE: [], Side.OTHER: [example]}, "en")


@pytest.fixture(scope="module")
def page() -> str:
    return report(told(compared("a", "b", "c"), "b"))


def cells(page: str) -> list[str]:
    return re.findall(r"<t[hd]\b[^>]*>(.*?)</t[hd]>", page)


def test_it_holds_standings_differences_counts_images_and_methods(page: str):
    found = cells(page)
    assert found[:6] == ["System", "F1 [95 % interval]", "Difference [95 % interval]", "p", "p (Holm)", "won / tied / lost"]
    assert (
        found.count("9 / 0 / 0") == 4 and found.count("baseline") == 3
    )  # two systems, overall and objects; baseline, overall and by category
    questions = ["Only a finds it", "Only b finds it", "Only a: other value", "Only b: other value"]
    assert [*questions, "a wins because of it", "b wins because of it"] == found[found.index(questions[0]) :][:6]
    assert [f"{n}" for n in range(10, 16)] == found[found.index("10") : found.index("10") + 6]
    assert "1,000 resamples, seed 0" in page and "overall over 2 tests, by category over 2 tests" in page
    assert "<code>spice|lang:en</code>" in page and "a wins 0, b 9; of these, 4 by no single category" in page


def test_p_values_are_those_of_the_comparison_and_corrected(page: str):
    result = compared("a", "b", "c")
    for name in "bc":
        d = result.differences[name]["Object"]
        assert f"<td>{d.p:.3f}</td><td>{d.p_holm:.3f}</td>" in page and d.p_holm > d.p


def test_undefined_categories_are_said(page: str):
    assert cells(page).count("n/a") == 5 and ">n/a</text>" in page and "nan" not in page


def test_a_dot_stands_on_its_side_of_zero(page: str):
    chart = page.partition("<svg")[2].partition("</svg>")[0]
    zero = float(re.findall(r'class="zero" x1="([\d.]+)"', chart)[0])
    assert all(float(x) > zero for x in re.findall(r'cx="([\d.]+)"', chart)) and chart.count("<circle") == 2


def test_texts_of_files_are_text(page: str):
    hostile = report(told(compared(HOSTILE, f"{HOSTILE}2", '"><img src=x>'), f"{HOSTILE}2"))
    for each in (page, hostile):
        assert "<script" not in each and "<img" not in each and "A dog &amp; a cat." in each


def test_it_is_light_and_fetches_nothing(page: str):
    assert page.index("color-scheme: light; }") > page.index("color-scheme: light dark") and "size: A4" in page
    assert not re.search(r"https?:|src=|<script|<link|@import|url\(", page)


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_it_speaks_the_language_of_the_style(lang: str):
    page = report(told(compared("a", "b"), "b"), DisplayStyle(lang=lang, percent=True))
    tags: list[str] = []
    parser = HTMLParser()
    parser.handle_starttag = lambda tag, attrs: tags.append(tag)  # type: ignore[method-assign]
    parser.feed(page)
    assert f'<html lang="{lang}">' in page and ("方法" in page) == (lang == "ja") and tags.count("table") == 3
    assert "+11.8" in page  # in percent
