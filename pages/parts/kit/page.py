"""The frame of all pages: settings, styles, wordmark and menu. Call ``begin`` first."""

from __future__ import annotations

import html
from functools import cache
from pathlib import Path

import streamlit as st

from pages.parts.kit import memory, texts, url
from pages.parts.kit.texts import t
from spice_core.draw import design, fonts
from spice_core.draw.style import DisplayStyle

ROOT = Path(__file__).parents[3]
FONTS = ROOT / "static" / "fonts"
PAGES = {
    "app.py": "inspect",
    "pages/6_Learn.py": "learn",
    "pages/2_Rules.py": "rules",
    "pages/3_Batch.py": "batch",
    "pages/4_Systems.py": "systems",
    "pages/5_Agreement.py": "agreement",
}
PAPER = "paper"
JAPANESE = '@import url("app/static/fonts/noto-sans-jp/index.css");'  # split into subsets; a page loads only the subsets that it needs


def begin(page: str) -> None:
    """Set up a page: title, styles, header."""
    memory.freeze_new()
    st.session_state[url.PAGE] = page
    texts.restore()
    st.set_page_config(page_title=f"{t(f'page.{page}')} · spice_core", layout="wide", initial_sidebar_state="collapsed")
    scheme = f":root {{ color-scheme: {theme()}; }}"  # dialogs are outside the element to which Streamlit applies the color scheme
    st.html(f"<style>{JAPANESE}{design.css_tokens(style().palette)}{design.language_css()}{scheme}{_read_text('assets/app.css')}</style>")
    _show_header(t(f"page.{page}_tagline"))


def _show_header(tagline: str) -> None:
    """Show the wordmark, the page's tagline, the menu, and the choice of interface language."""
    about = html.escape(tagline)
    with st.container(horizontal=True, vertical_alignment="center", gap="medium", key="head"):
        mark = '<span class="sc-mark"><i></i><i></i><i></i>spice_core</span>'
        st.html(f'<div class="sc-head" data-lang="{texts.interface()}">{mark}<p title="{about}">{about}</p></div>')
        for path, name in PAGES.items():
            st.page_link(path, label=t(f"page.{name}"), query_params=query_of(name))
        texts.choose()


def style() -> DisplayStyle:
    """Return the display style: the visitor's theme, the chosen palette, and the interface language."""
    return DisplayStyle(theme(), design.PAPER_PALETTE if st.session_state.get(PAPER) else design.DEFAULT_PALETTE, lang=texts.interface())


def query_of(page: str = "") -> dict[str, str]:
    """Return the parameters of a link to a page: the saved parameters of that page, and the interface language."""
    saved = {name: value for name, value in url.saved_params(page).items() if name != "ui"}
    return saved | ({"ui": texts.interface()} if "ui" in st.query_params else {})


def theme() -> str:
    """Return the visitor's theme, light or dark."""
    return "dark" if st.context.theme.type == "dark" else "light"


def sheet_css() -> str:
    """Return the CSS of a standalone printed sheet."""
    return design.css_tokens(design.DEFAULT_PALETTE) + design.language_css() + _read_text("assets/sheet.css")


@cache
def font_css() -> str:
    """Return the CSS of the fonts for drawings in frames: Inter is embedded, the Japanese font is loaded from the app."""
    return JAPANESE + latin_font_css()


def embedded_fonts(text: str) -> str:
    """Return CSS that embeds the fonts of a text, for standalone files."""
    return latin_font_css() + fonts.subset_rules(FONTS / "noto-sans-jp", text)


def latin_font_css() -> str:
    """Return the CSS that embeds the Latin font of the interface."""
    return fonts.font_face_rule(FONTS / "inter-latin-wght-normal.woff2", "Inter")


@cache
def _read_text(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")
