"""The HTML document of the app: Streamlit's document, changed so that the layout does not shift while a page loads.

Streamlit first shows a narrow column of grey bars, then widens and moves it as styles and fonts arrive. A script of a page runs too
late to prevent this. This document preloads the font and hides the page until its layout is complete.
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
from pages.parts.kit.page import APP_FOLDER, NAME_BY_PAGE
from pages.parts.kit.texts import nearest_language, t
from spice_core.draw import design

# The browser loads nothing from other hosts, even if a visitor's text refers to them. Streamlit needs inline and evaluated scripts.
_CSP_SOURCES_BY_DIRECTIVE = {
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
_SECURITY_POLICY = "; ".join(
    [*(f"{directive}-src {sources}" for directive, sources in _CSP_SOURCES_BY_DIRECTIVE.items()), "base-uri 'self'", "form-action 'self'"]
)
_LATIN_FONT_PATH = "app/static/fonts/inter-latin-wght-normal.woff2"


def document_routes() -> list[Route]:
    """Return a route to the document for each page. The base path redirects to itself with a final slash, because links are relative."""
    names = [page_address(path) for path in NAME_BY_PAGE if path != "app.py"]
    redirects = [Route(app_base_path(), _redirect_with_slash)] if app_base_path() else []
    return [*redirects, *(Route(address_below(name), _serve_document) for name in ["", *names])]


def disable_ip_lookup() -> None:
    """Stop Streamlit from looking up the server's IP address with a service on the internet."""
    net_util.get_external_ip = lambda: None


def address_below(path: str) -> str:
    """Return the path of a resource, including the app's base path."""
    return f"{app_base_path()}/{path}"


def app_base_path() -> str:
    """Return the path under which the app is served, with a leading slash, or "" at the root."""
    path = str(st.get_option("server.baseUrlPath")).strip("/")
    return f"/{path}" if path else ""


def page_address(path: str) -> str:
    """Return the name of a page in URLs, from the path of its file."""
    return re.sub(r"^\d+_", "", Path(path).stem)


async def _serve_document(request: Request) -> Response:
    if capacity.is_full():
        return PlainTextResponse(
            t("states.full", language=nearest_language(request.headers.get("accept-language", "")[:2])), 503, headers={"Retry-After": "30"}
        )
    answer = HTMLResponse(document_html(), headers={"Cache-Control": "no-cache", "Content-Security-Policy": _SECURITY_POLICY})
    if visit.VISIT_COOKIE not in request.cookies:
        answer.set_cookie(visit.VISIT_COOKIE, token_urlsafe(16), path=f"{app_base_path()}/", httponly=True, samesite="lax")
    return answer


async def _redirect_with_slash(request: Request) -> Response:
    return RedirectResponse(f"{app_base_path()}/{'?' if request.url.query else ''}{request.url.query}")


@cache
def document_html() -> str:
    """Return Streamlit's document with the app's title, font, colours, and the style that hides a page until the page is complete."""
    page = (Path(st.__file__).parent / "static" / "index.html").read_text(encoding="utf-8")
    page = re.sub(r"<title>.*?</title>", "<title>spice_core</title>", page)
    page = re.sub(r'<link\s+rel="preload"[^>]*?as="font"[^>]*>', "", page)  # the pages do not use this font
    font = f'<link rel="preload" href="./{_LATIN_FONT_PATH}" as="font" type="font/woff2" crossorigin>'
    script = (APP_FOLDER / "assets" / "scripts" / "shell.js").read_text(encoding="utf-8")
    page = page.replace("</head>", f"{font}<style>{_shell_css()}</style><script>{script}</script></head>", 1)
    return page.replace("<body>", '<body><p class="sc-first" aria-hidden="true">spice_core</p>', 1)


def _shell_css() -> str:
    """Return the CSS that shows only the name of the app until the page is complete."""
    light_css, dark_css = (
        "body {{ background: {bg}; color: {muted}; }}".format(**design.theme_colours(theme)) for theme in ("light", "dark")
    )
    return f"""{light_css} @media (prefers-color-scheme: dark) {{ {dark_css} }}
        .sc-first {{ position: fixed; inset: 40vh 0 auto; text-align: center; font: 600 17px Inter, system-ui, sans-serif; }}
        html.sc-shown .sc-first {{ display: none; }} @media print {{ .sc-first {{ display: none; }} }}
        html:not(.sc-shown) .stMain {{ visibility: hidden; }}
        html:where(:not(.sc-slow)) :is([data-stale="true"], summary) {{ opacity: 1; }}
        html.sc-slow :is([data-stale="true"], summary) {{ transition-delay: 0s; }}"""
