"""The report: all of the result on one page, escaped, nothing fetched, in the words it is given."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from spice_core.draw.style import DisplayStyle
from spice_core.explain.explanation import Explanation
from spice_core.report.result_page import report
from tests.draw.test_layout import PLAIN

NASTY = "</script><img src=x onerror=alert(1)>"


class Seen(HTMLParser):
    """The tags of a page, those still open, and its text."""

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


def test_it_holds_the_result(result, synonyms):
    page = report(Explanation(result, synonyms))
    seen = Seen(page)
    said = " ".join(" ".join(seen.text).split())
    assert seen.open == [] and seen.tags.count("svg") == 2 and "script" not in seen.tags
    assert f"{result.f1:.3f}" in said and str(result.signature) in said and "a sports implement" in said
    assert seen.tags.count("tr") == 2 + len(result.scores) + len(Explanation(result, synonyms).rows)
    assert "6 of 7 candidate tuples match · 6 of 13 reference tuples are matched" in said
    assert "n/a" in said and not re.search(r"%% [\w.]+ %%", page)


def test_it_fetches_nothing(result, synonyms):
    page = report(Explanation(result, synonyms), DisplayStyle(font_css="@font-face{font-family:x;src:url(data:font/woff2;base64,AA)}"))
    seen = Seen(page)
    assert not {name for name, _ in seen.attributes} & {"src", "href", "srcset", "action", "xlink:href", "background"}
    assert not {"link", "iframe", "object", "img"} & set(seen.tags) and not re.search(r"url\((?!data:)|@import", page)
    assert {value for name, value in seen.attributes if value and "http" in value} == {"http://www.w3.org/2000/svg"}


def test_markup_stays_text():
    result = PLAIN.compute([[NASTY], [NASTY, NASTY], ["%% style %%"]], [[[NASTY], [NASTY, "on", "x"]]])
    style = DisplayStyle(texts={"report.title": NASTY, "legend.exact": f'"{NASTY}'}, lang=f'"{NASTY}')
    page = report(Explanation(result, PLAIN.synonyms), style)
    seen = Seen(page)
    assert "<img" not in page and "script" not in seen.tags and "onerror" not in {name for name, _ in seen.attributes}
    assert "%% style %%" in " ".join(seen.text) and NASTY in " ".join(seen.text)


def test_texts_are_those_given_then_those_of_the_language(result, synonyms):
    page = report(Explanation(result, synonyms), DisplayStyle(lang="ja", texts={"score.found": "{total} 件中 {matched} 件"}))
    assert f"{result.overall.candidate} 件中" in page and '<html lang="ja">' in page and "タプル" in page and "Tuples" not in page


def test_nothing_scored_still_makes_a_page():
    nothing = PLAIN.compute([], [[]])
    seen = Seen(report(Explanation(nothing, PLAIN.synonyms)))
    assert "No tuple of this kind." in " ".join(seen.text) and "The candidate gave no tuples." in " ".join(seen.text)
