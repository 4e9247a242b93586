"""The frame of every page: settings, styles, wordmark and menu. Each page first calls ``begin`` or ``begin_without_styles``."""

import html
from collections.abc import Callable
from functools import cache
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts.kit import capacity, matching, texts, url
from pages.parts.kit.texts import t
from spice_core.draw import design, style
from spice_core.draw.style import DisplayStyle

APP_FOLDER = Path(__file__).parents[3]
NAME_BY_PAGE = {
    "app.py": "inspect",
    "pages/6_Learn.py": "learn",
    "pages/2_Rules.py": "rules",
    "pages/3_Batch.py": "batch",
    "pages/4_Systems.py": "systems",
    "pages/5_Agreement.py": "agreement",
}
_SCORING_PAGES = ("inspect", "batch", "systems")  # pages that match tuples as the visitor chooses
PAPER_PALETTE = "paper"
JAPANESE_FONT_CSS = '@import url("app/static/fonts/noto-sans-jp/index.css");'


def begin(page: str) -> None:
    """Set up a page: title, styles, header."""
    begin_without_styles(page)[1]()


def begin_without_styles(page: str) -> tuple[DeltaGenerator, Callable[[], None]]:
    """Set up a page. Return the container of the page's tools in the header, and a function that sends styles and shows the header.

    The page can show more urgent elements before it calls the function.
    """
    st.session_state[url.PAGE_PARAM] = page
    texts.restore_language()
    if page in _SCORING_PAGES:
        matching.restore()
    st.set_page_config(page_title=f"{t(f'page.{page}')} · spice_core", layout="wide", initial_sidebar_state="collapsed")
    header = st.container(horizontal=True, vertical_alignment="center", gap="medium", key="head")
    tools = header.container(horizontal=True, vertical_alignment="center", gap="small", width="content", key=f"{page}.tools")

    def show_frame() -> None:
        _send_styles()
        _show_header(header, t(f"page.{page}_tagline"))
        capacity.freeze_new_objects()

    return tools, show_frame


def _send_styles() -> None:
    scheme = f":root {{ color-scheme: {current_theme()}; }}"  # dialogs are outside the element with Streamlit's color scheme
    tokens = (
        design.css_tokens(display_style().palette) + design.language_css() + f":root {{ --sc-choose-file: '{t('states.choose_file')}'; }}"
    )
    st.html(f"<style>{JAPANESE_FONT_CSS}{tokens}{scheme}{_read_text('assets/app.css')}</style>")


def _show_header(header: DeltaGenerator, tagline: str) -> None:
    """Show the wordmark, the page's tagline, the menu, and the choice of interface language."""
    description = html.escape(tagline)
    with header:
        mark = '<span class="sc-mark"><i></i><i></i><i></i>spice_core</span>'
        st.html(f'<div class="sc-head" data-lang="{texts.interface_language()}">{mark}<p title="{description}">{description}</p></div>')
        for path, name in NAME_BY_PAGE.items():
            st.page_link(path, label=t(f"page.{name}"), query_params=page_query(name))
        texts.choose_interface()


def display_style() -> DisplayStyle:
    """Return the display style: the visitor's theme, the chosen palette and the interface language."""
    palette = design.PAPER_PALETTE if st.session_state.get(PAPER_PALETTE) else design.DEFAULT_PALETTE
    return DisplayStyle(current_theme(), palette, lang=texts.interface_language())


def page_query(page: str = "") -> dict[str, str]:
    """Return the parameters of a link to a page: saved parameters, matching and, if the URL has ``ui``, the page language."""
    saved_values = {name: value for name, value in url.saved_params(page).items() if name not in ("ui", matching.MATCHING_PARAM)}
    if page in _SCORING_PAGES and matching.is_by_meaning():
        saved_values[matching.MATCHING_PARAM] = "meaning"
    return saved_values | ({"ui": texts.interface_language()} if "ui" in st.query_params else {})


def current_theme() -> str:
    """Return the visitor's theme, light or dark."""
    return "dark" if st.context.theme.type == "dark" else "light"


def printed_sheet_css() -> str:
    """Return the CSS of a standalone printed sheet."""
    return design.css_tokens(design.DEFAULT_PALETTE) + design.language_css() + _read_text("assets/sheet.css")


@cache
def font_css() -> str:
    """Return the font CSS for drawings in frames. Inter is embedded; the app serves the Japanese font."""
    return JAPANESE_FONT_CSS + latin_font_css()


def embedded_fonts(text: str) -> str:
    """Return CSS that embeds the fonts of a text, for standalone files."""
    return latin_font_css() + style.subset_rules(style.JAPANESE_FONT_FOLDER, text)


def latin_font_css() -> str:
    """Return the CSS that embeds the Latin font of the interface."""
    return style.font_face_rule(style.LATIN_FONT, "Inter")


@cache
def _read_text(path: str) -> str:
    return (APP_FOLDER / path).read_text(encoding="utf-8")
