"""What all pages share: page settings, styles, wordmark and menu. Call ``begin`` first."""

from __future__ import annotations

import base64
import html
from functools import cache
from pathlib import Path

import streamlit as st

from pages.parts.words import t
from spice_core.draw import look

ROOT = Path(__file__).parents[2]
JAPANESE = '@import url("app/static/fonts/noto-sans-jp/index.css");'  # served in parts; a page loads those that it shows


def begin(title: str) -> None:
    """Set up the page and show its head."""
    st.set_page_config(page_title=f"{title} · spice_core", layout="wide", initial_sidebar_state="collapsed")
    st.html(f"<style>{JAPANESE}{look.css_tokens()}{_text('assets/app.css')}</style>")


def head(*, tagline: str) -> None:
    """The wordmark and what the page is for."""
    st.html(f'<div class="sc-head"><span class="sc-mark"><i></i><i></i><i></i>spice_core</span><p>{html.escape(tagline)}</p></div>')


def menu() -> None:
    """The links to the pages, in the sidebar."""
    with st.sidebar:
        st.page_link("app.py", label=t("page.inspect"))


def theme() -> str:
    """The theme that the visitor sees: light or dark."""
    return "dark" if st.context.theme.type == "dark" else "light"


@cache
def font_css() -> str:
    """Inter inside a ``@font-face`` rule and the served Japanese face, for drawings in frames; without the app the system's serves."""
    data = base64.b64encode((ROOT / "static/fonts/inter-latin-wght-normal.woff2").read_bytes()).decode()
    return f"{JAPANESE}@font-face{{font-family:Inter;font-weight:100 900;src:url(data:font/woff2;base64,{data}) format('woff2')}}"


@cache
def _text(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")
