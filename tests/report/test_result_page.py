"""Reports of a result and of a comparison are single pages, escaped, without external resources, and with custom texts."""

import re
from html.parser import HTMLParser

import pytest

from spice_core.data.results import ScoredItem
from spice_core.draw.style import DisplayStyle
from spice_core.evaluation.differences import SYSTEM_QUESTIONS, SystemSide
from spice_core.evaluation.systems import SystemComparison, compare_systems, make_system
from spice_core.explain.explanation import Explanation
from spice_core.report import systems_page
from spice_core.report.result_page import result_page_html
from spice_core.report.systems_page import DecidingReason, ExampleImage, SystemsReport
from spice_core.scene.scores import OVERALL, Score
from tests.draw.test_layout import SPICE_WITHOUT_SYNONYMS

HOSTILE_TEXT = "</script><img src=x onerror=alert(1)>"


class PageContent(HTMLParser):
    """The tags of a page with their attributes, the unclosed tags, and the text."""

    def __init__(self, page: str):
        super().__init__()
        self.tags, self.open, self.text, self.attributes = [], [], [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


def test_a_report_contains_the_result_and_loads_nothing(result, synonyms):
    page = result_page_html(Explanation(result, synonyms))
    page_content = PageContent(page)
    page_text = " ".join(" ".join(page_content.text).split())
    assert page_content.open == [] and page_content.tags.count("svg") == 2 and "script" not in page_content.tags
    assert f"{result.f1:.3f}" in page_text and str(result.signature) in page_text and "a sports implement" in page_text
    assert page_content.tags.count("tr") == 2 + len(result.scores) + len(Explanation(result, synonyms).rows)
    assert "6 of 7 candidate tuples match · 6 of 13 reference tuples are matched" in page_text
    assert "n/a" in page_text and not re.search(r"%% [\w.]+ %%", page)
    page = result_page_html(
        Explanation(result, synonyms), DisplayStyle(font_css="@font-face{font-family:x;src:url(data:font/woff2;base64,AA)}")
    )
    page_content = PageContent(page)
    assert not {name for name, _ in page_content.attributes} & {"src", "href", "srcset", "action", "xlink:href", "background"}
    assert not {"link", "iframe", "object", "img"} & set(page_content.tags) and not re.search(r"url\((?!data:)|@import", page)
    assert {value for name, value in page_content.attributes if value and "http" in value} == {"http://www.w3.org/2000/svg"}


def test_texts_can_be_given_or_translated_and_markup_is_text(result, synonyms):
    page = result_page_html(Explanation(result, synonyms), DisplayStyle(lang="ja", texts={"score.found": "{total} 件中 {matched} 件"}))
    assert f"{result.overall.candidate} 件中" in page and '<html lang="ja">' in page and "タプル" in page and "Tuples" not in page
    empty_result = SPICE_WITHOUT_SYNONYMS.compute([], [[]])
    page_content = PageContent(result_page_html(Explanation(empty_result, SPICE_WITHOUT_SYNONYMS.synonyms)))
    assert "No tuples to show." in " ".join(page_content.text) and "The candidate gave no tuples." in " ".join(page_content.text)
    result = SPICE_WITHOUT_SYNONYMS.compute(
        [[HOSTILE_TEXT], [HOSTILE_TEXT, HOSTILE_TEXT], ["%% style %%"]], [[[HOSTILE_TEXT], [HOSTILE_TEXT, "on", "x"]]]
    )
    style = DisplayStyle(texts={"report.title": HOSTILE_TEXT, "legend.exact": f'"{HOSTILE_TEXT}'}, lang=f'"{HOSTILE_TEXT}')
    page = result_page_html(Explanation(result, SPICE_WITHOUT_SYNONYMS.synonyms), style)
    page_content = PageContent(page)
    assert "<img" not in page and "script" not in page_content.tags and "onerror" not in {name for name, _ in page_content.attributes}
    assert "%% style %%" in " ".join(page_content.text) and HOSTILE_TEXT in " ".join(page_content.text)


HOSTILE_NAME = "<script>alert(1)</script>"


def compare_generated_systems(*names: str, images: int = 9) -> SystemComparison:
    """Compare systems, each with one more matched tuple per image than the one before. None has a value for Size."""

    def rows(more_matches: int) -> list[ScoredItem]:
        image_scores = [
            {OVERALL: Score(1 + i % 3 + more_matches, 8, 9, strict=True), "Object": Score(1 + more_matches, 4, 5), "Size": Score(0, 0, 0)}
            for i in range(images)
        ]
        return [ScoredItem(i, "", (), scores_, signature="spice|lang:en") for i, scores_ in enumerate(image_scores)]

    return compare_systems([make_system(name, rows(i)) for i, name in enumerate(names)])


def make_report(result: SystemComparison, other_name: str) -> SystemsReport:
    example = ExampleImage(
        HOSTILE_NAME, (HOSTILE_NAME, "A dog & a cat."), (0.1, 0.4), [DecidingReason("Object + Colour", ["dog: red"], [HOSTILE_NAME])]
    )
    counts = {"Object": dict(zip(SYSTEM_QUESTIONS, range(10, 16))), "Size": dict.fromkeys(SYSTEM_QUESTIONS, 0)}
    return SystemsReport(
        result, other_name, counts, {SystemSide.BASE: 0, SystemSide.OTHER: 9}, 4, {SystemSide.BASE: [], SystemSide.OTHER: [example]}, "en"
    )


@pytest.fixture(scope="module")
def page() -> str:
    return systems_page.systems_page_html(make_report(compare_generated_systems("a", "b", "c"), "b"))


@pytest.mark.parametrize(("lang", "undefined_cells"), [("en", "n/a"), ("ja", "該当なし")])
def test_fewer_than_six_images_have_no_p_value_and_the_page_explains_why(lang: str, undefined_cells: str) -> None:
    style = DisplayStyle(lang=lang)
    for images in (1, 5, 6):
        page = systems_page.systems_page_html(make_report(compare_generated_systems("a", "b", images=images), "b"), style)
        few_note = style.format_text("systems.too_few", number=6, list=f"{style.category_label(OVERALL)}, {style.category_label('Object')}")
        assert (few_note in page) is (images < 6) and "nan" not in page
        assert (f"[{undefined_cells}]</td><td>{undefined_cells}</td><td>{undefined_cells}</td><td>{images} / 0 / 0</td>" in page) is (
            images < 6
        )


def cells(page: str) -> list[str]:
    return re.findall(r"<t[hd]\b[^>]*>(.*?)</t[hd]>", page)


def test_a_comparison_report_is_text_in_both_languages(page: str):
    table_cells = cells(page)
    assert table_cells[:6] == ["System", "F1 [95% interval]", "Difference [95% interval]", "p", "p (Holm)", "won / tied / lost"]
    assert table_cells.count("9 / 0 / 0") == 4
    assert table_cells.count("baseline") == 3
    questions = ["Found only by a", "Found only by b", "Only a: other value", "Only b: other value"]
    assert [*questions, "a wins because of this category", "b wins because of this category"] == table_cells[
        table_cells.index(questions[0]) :
    ][:6]
    assert [f"{n}" for n in range(10, 16)] == table_cells[table_cells.index("10") : table_cells.index("10") + 6]
    assert "1,000 resamples, seed 0" in page and "overall for 2 tests, by category for 2 tests" in page
    assert "<code>spice|lang:en</code>" in page and "a wins 0 and b wins 9. In 4 of these images, no single category decides" in page
    result = compare_generated_systems("a", "b", "c")
    for name in "bc":
        d = result.differences[name]["Object"]
        assert f"<td>{d.p:.3f}</td><td>{d.p_holm:.3f}</td>" in page and d.p_holm > d.p
    assert cells(page).count("n/a") == 5 and ">n/a</text>" in page and "nan" not in page
    chart = page.partition("<svg")[2].partition("</svg>")[0]
    zero_position = float(re.findall(r'class="zero" x1="([\d.]+)"', chart)[0])
    assert all(float(x) > zero_position for x in re.findall(r'cx="([\d.]+)"', chart)) and chart.count("<circle") == 2
    hostile_page = systems_page.systems_page_html(
        make_report(compare_generated_systems(HOSTILE_NAME, f"{HOSTILE_NAME}2", '"><img src=x>'), f"{HOSTILE_NAME}2")
    )
    for report_page in (page, hostile_page):
        assert "<script" not in report_page and "<img" not in report_page and "A dog &amp; a cat." in report_page
    assert page.index("color-scheme: light; }") > page.index("color-scheme: light dark") and "size: A4" in page
    assert not re.search(r"https?:|src=|<script|<link|@import|url\(", page)
    for lang in ["en", "ja"]:
        page = systems_page.systems_page_html(make_report(compare_generated_systems("a", "b"), "b"), DisplayStyle(lang=lang, percent=True))
        assert f'<html lang="{lang}">' in page and ("方法" in page) == (lang == "ja") and PageContent(page).tags.count("table") == 3
        assert "+11.8" in page  # in percent
