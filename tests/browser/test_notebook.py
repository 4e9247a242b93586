"""Test a display in a notebook page: its styles and the page's do not affect each other, and markup in captions is inert."""

import pytest

from spice_core.report.notebook import notebook_html
from tests.draw.test_layout import SPICE_WITHOUT_SYNONYMS

HOSTILE_CAPTION = "<svg src=x onerror='window.ran = 1'>"
# Styles that notebooks apply to rendered HTML, and stronger ones.
_HOST_CSS = """
.rendered { color: purple; font: 30px/3 serif; text-align: right; white-space: pre; letter-spacing: 3px; }
.rendered table { background: pink; border: 3px solid red; } .rendered td, .rendered th { padding: 40px; text-align: right; }
.rendered tr:nth-child(odd) { background: orange; } .rendered dl dt { float: left; width: 20%; font-weight: bold; }
.rendered dd, .rendered p { margin: 40px; color: red; } .rendered mark { background: yellow; } .rendered svg { width: 30px; }
.legend, .score, .key, .graphs, .captions, .wide, figure { border: 9px solid red; margin: 60px; }
"""
_COMPUTED_STYLES_JS = """names => [...document.querySelectorAll(".spice-core, .spice-core :not(svg, svg *)")].map(each =>
    names.map(name => getComputedStyle(each).getPropertyValue(name)).join("|"))"""
STYLE_PROPERTIES = [
    "color",
    "background-color",
    "font",
    "text-align",
    "padding",
    "margin",
    "border",
    "float",
    "letter-spacing",
    "white-space",
]


def open_display(recorded_page, html: str, *, host: str = "", body: str = "", is_dark: bool = False):
    page = recorded_page.page
    page.emulate_media(color_scheme="dark" if is_dark else "light")
    host_content = '<table id="own"><tr><td>own</td></tr></table><p id="text">text</p>'
    page.set_content(f"<style>{host}</style><body {body}><div class='rendered'>{html}{host_content}</div></body>")
    return page


@pytest.fixture(scope="module")
def html() -> str:
    return notebook_html(SPICE_WITHOUT_SYNONYMS.compute([["dog"], ["dog", HOSTILE_CAPTION], [HOSTILE_CAPTION]], [[["dog"], ["cat"]]]))


def test_no_style_of_notebook_and_display_reaches_the_other(recorded_page, html):
    plain_styles = open_display(recorded_page, html).evaluate(_COMPUTED_STYLES_JS, STYLE_PROPERTIES)
    styled = open_display(recorded_page, html, host=_HOST_CSS).evaluate(_COMPUTED_STYLES_JS, STYLE_PROPERTIES)
    assert len(plain_styles) > 40 and styled == plain_styles
    outside = """() => ["own", "text"].map(id => { const s = getComputedStyle(document.getElementById(id)); return [...s].map(n => s[n]).join() })"""
    host_styles = open_display(recorded_page, "").evaluate(outside)
    combined_styles = open_display(recorded_page, html).evaluate(outside)
    assert combined_styles == host_styles


def test_the_display_follows_the_theme_of_the_notebook_or_of_the_reader(recorded_page, html):
    light, dark_colour = "rgb(251, 250, 247)", "rgb(20, 23, 29)"
    for body, reader_is_dark, ground in [
        ("", False, light),
        ("", True, dark_colour),
        ('data-jp-theme-light="true"', True, light),
        ('data-jp-theme-light="false"', False, dark_colour),
        ('class="vscode-dark"', False, dark_colour),
    ]:
        page = open_display(recorded_page, html, body=body, is_dark=reader_is_dark)
        assert page.locator(".spice-core").evaluate("each => getComputedStyle(each).backgroundColor") == ground, body


def test_markup_of_captions_is_text_and_a_notebook_without_styles_shows_the_result_as_text(recorded_page, html):
    page = open_display(recorded_page, html)
    assert page.locator("img").count() == 0
    assert page.evaluate("window.ran") is None
    assert HOSTILE_CAPTION in page.locator(".captions").inner_text()
    assert page.locator(".spice-core").is_visible()
    assert recorded_page.abroad == [] and recorded_page.errors == []
    open_display(recorded_page, html.partition("</style>")[2])
    assert page.locator(".spice-core-text").is_visible() and not page.locator(".spice-core").is_visible()
    assert page.locator(".spice-core-text").inner_text().startswith("SPICE 0.")
