"""The HTML document that Streamlit draws pages into, changed so that the first thing painted stays where it is.

Streamlit's own shows a narrow column of grey bars, then widens it, then moves it when styles and fonts are there: none of that can
be changed from a script, which runs later. Ours loads the page's font at once and shows the page when it stands.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from secrets import token_urlsafe

import streamlit as st
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from streamlit import net_util

from pages.parts.kit import capacity, visit
from pages.parts.kit.page import PAGES, ROOT
from pages.parts.kit.texts import nearest_to, t
from spice_core.draw import design

# The browser loads nothing from another host, even if a visitor's text asks for it. Streamlit needs inline and evaluated scripts.
_SOURCES = {
    "default": "'self'",
    "script": "'self' 'unsafe-inline' 'unsafe-eval' blob:",
    "style": "'self' 'unsafe-inline'",
    "img": "'self' data: blob:",
    "font": "'self' data:",
    "media": "'self' data: blob:",
    "connect": "'self' data: blob:",
    "worker": "'self' blob:",
    "frame": "'self' data: blob:",
    "object": "'none'",
}
_POLICY = "; ".join([*(f"{kind}-src {sources}" for kind, sources in _SOURCES.items()), "base-uri 'self'", "form-action 'self'"])
_FONT = "app/static/fonts/inter-latin-wght-normal.woff2"


def routes() -> list[Route]:
    """The address of each page, answered with the document. The base path alone leads to the one with a slash: links are relative."""
    names = [address(path) for path in PAGES if path != "app.py"]
    alone = [Route(base(), _add_slash)] if base() else []
    return [*alone, *(Route(address_below(name), _answer) for name in ["", *names])]


def disable_ip_lookup() -> None:
    """Streamlit asks a service on the internet for the machine's address, at the start and for visitors of an unknown origin; not ours."""
    net_util.get_external_ip = lambda: None


def address_below(path: str) -> str:
    """The address of something of the app, below its base path."""
    return f"{base()}/{path}"


def base() -> str:
    """The path below which the app is served, with a slash before it; empty at the root."""
    path = str(st.get_option("server.baseUrlPath")).strip("/")
    return f"/{path}" if path else ""


def address(path: str) -> str:
    """The address of a page below the app's, from the path of its file."""
    return re.sub(r"^\d+_", "", Path(path).stem)


async def _answer(request: Request) -> Response:
    if capacity.is_full():
        return PlainTextResponse(
            t("states.full", language=nearest_to(request.headers.get("accept-language", "")[:2])), 503, headers={"Retry-After": "30"}
        )
    answer = HTMLResponse(document(), headers={"Cache-Control": "no-cache", "Content-Security-Policy": _POLICY})
    if visit.COOKIE not in request.cookies:
        answer.set_cookie(visit.COOKIE, token_urlsafe(16), path=f"{base()}/", httponly=True, samesite="lax")
    return answer


async def _add_slash(request: Request) -> Response:
    return RedirectResponse(f"{base()}/{'?' if request.url.query else ''}{request.url.query}")


@cache
def document() -> str:
    """Streamlit's document with our title, font, colours, and what keeps the page hidden until it stands."""
    page = (Path(st.__file__).parent / "static" / "index.html").read_text(encoding="utf-8")
    page = re.sub(r"<title>.*?</title>", "<title>spice_core</title>", page)
    page = re.sub(r'<link\s+rel="preload"[^>]*?as="font"[^>]*>', "", page)  # a font that no page uses
    font = f'<link rel="preload" href="./{_FONT}" as="font" type="font/woff2" crossorigin>'
    script = (ROOT / "assets" / "scripts" / "shell.js").read_text(encoding="utf-8")
    page = page.replace("</head>", f"{font}<style>{_style()}</style><script>{script}</script></head>", 1)
    return page.replace("<body>", '<body><p class="sc-first" aria-hidden="true">spice_core</p>', 1)


def _style() -> str:
    """The page is hidden behind the name until it is shown."""
    light, dark = ("body {{ background: {bg}; color: {muted}; }}".format(**design.colours(theme)) for theme in ("light", "dark"))
    return f"""{light} @media (prefers-color-scheme: dark) {{ {dark} }}
        .sc-first {{ position: fixed; inset: 40vh 0 auto; text-align: center; font: 600 17px Inter, system-ui, sans-serif; }}
        html.sc-shown .sc-first {{ display: none; }} @media print {{ .sc-first {{ display: none; }} }}
        html:not(.sc-shown) .stMain {{ visibility: hidden; }}"""
