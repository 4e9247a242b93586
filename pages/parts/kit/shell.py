"""The HTML document of the app, and the headers of all responses.

Streamlit first shows a narrow column of grey bars, then widens and moves it as styles and fonts arrive. A script of a page runs too
late to prevent this. The app's document therefore preloads the font and hides the page until its layout is complete.
"""

import os
import re
from functools import cache
from pathlib import Path
from secrets import token_urlsafe

import streamlit as st
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import net_util

from pages.parts.kit import capacity, visit
from pages.parts.kit.page import APP_FOLDER, NAME_BY_PAGE
from pages.parts.kit.texts import nearest_language, t
from spice_core.draw import design

# The browser loads nothing from other hosts, even if a visitor's text names them. Streamlit needs inline and evaluated scripts.
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
FRAME_ANCESTORS_VARIABLE = "SPICE_CORE_FRAME_ANCESTORS"  # environment variable with the sites that may embed the app
_LATIN_FONT_PATH = "app/static/fonts/inter-latin-wght-normal.woff2"


def document_routes() -> list[Route]:
    """Return a route to the document of each page. The base path redirects to itself with a slash, because links are relative."""
    names = [page_address(path) for path in NAME_BY_PAGE if path != "app.py"]
    redirects = [Route(app_base_path(), _redirect_with_slash)] if app_base_path() else []
    return [*redirects, *(Route(address_below(name), _serve_document) for name in ["", *names])]


class SecureResponses:
    """ASGI middleware that adds the security policy and the visit cookie to responses, and answers 404 at paths without a page.

    At unknown paths, Streamlit serves its own document. A response that shared caches may store sets no cookie.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._policy = security_policy()
        self._document_paths = {route.path for route in document_routes()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and change the headers of the response."""
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        has_cookie, is_replaced = visit.VISIT_COOKIE in Request(scope).cookies, False

        async def send_secured(message: Message) -> None:
            nonlocal is_replaced
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if self._is_unknown_page(scope["path"], headers):
                    is_replaced = True
                    refusal = PlainTextResponse("Not Found", 404)
                    headers = refusal.headers
                headers["Content-Security-Policy"] = self._policy
                headers["X-Content-Type-Options"] = "nosniff"
                if not has_cookie and "public" not in headers.get("Cache-Control", ""):
                    headers.append(
                        "Set-Cookie", f"{visit.VISIT_COOKIE}={token_urlsafe(16)}; HttpOnly; Path={address_below('')}; SameSite=lax"
                    )
                if is_replaced:
                    await refusal(scope, receive, send)
            if not is_replaced:
                await send(message)

        await self._app(scope, receive, send_secured)

    def _is_unknown_page(self, path: str, headers: MutableHeaders) -> bool:
        """Return whether a response is an HTML document other than a page or a downloadable file."""
        is_html = headers.get("Content-Type", "").startswith("text/html")
        return is_html and path not in self._document_paths and not path.startswith(address_below("media/"))


def security_policy() -> str:
    """Return the ``Content-Security-Policy`` of all responses. By default, only pages of the same origin may embed the app."""
    sources = (f"{directive}-src {sources}" for directive, sources in _CSP_SOURCES_BY_DIRECTIVE.items())
    ancestors = " ".join(["'self'", *os.environ.get(FRAME_ANCESTORS_VARIABLE, "").split()])
    return "; ".join([*sources, "base-uri 'self'", "form-action 'self'", f"frame-ancestors {ancestors}"])


def disable_ip_lookup() -> None:
    """Prevent Streamlit from querying an internet service for the server's IP address."""
    net_util.get_external_ip = lambda: None


def address_below(path: str) -> str:
    """Return the path of a resource below the app's base path."""
    return f"{app_base_path()}/{path}"


def app_base_path() -> str:
    """Return the path under which the app is served, with a leading slash, or "" at the root."""
    path = str(st.get_option("server.baseUrlPath")).strip("/")
    return f"/{path}" if path else ""


def page_address(path: str) -> str:
    """Return the name of a page in URLs, given the path of its file."""
    return re.sub(r"^\d+_", "", Path(path).stem)


async def _serve_document(request: Request) -> Response:
    if capacity.is_full():
        return PlainTextResponse(
            t("states.full", language=nearest_language(request.headers.get("accept-language", "")[:2])), 503, headers={"Retry-After": "30"}
        )
    return HTMLResponse(document_html(), headers={"Cache-Control": "no-cache"})


async def _redirect_with_slash(request: Request) -> Response:
    return RedirectResponse(f"{app_base_path()}/{'?' if request.url.query else ''}{request.url.query}")


@cache
def document_html() -> str:
    """Return Streamlit's document with the app's title, font, colours, and the style that hides incomplete pages."""
    page = (Path(st.__file__).parent / "static" / "index.html").read_text(encoding="utf-8")
    page = re.sub(r"<title>.*?</title>", "<title>spice_core</title>", page)
    page = re.sub(r'<link\s+rel="preload"[^>]*?as="font"[^>]*>', "", page)  # the pages do not use this font
    font = f'<link rel="preload" href="./{_LATIN_FONT_PATH}" as="font" type="font/woff2" crossorigin>'
    script = (APP_FOLDER / "assets" / "scripts" / "shell.js").read_text(encoding="utf-8")
    page = page.replace("</head>", f"{font}<style>{_shell_css()}</style><script>{script}</script></head>", 1)
    return page.replace("<body>", '<body><p class="sc-first" aria-hidden="true">spice_core</p>', 1)


def _shell_css() -> str:
    """Return the CSS that shows only the app's name until the page is complete."""
    light_css, dark_css = (
        "body {{ background: {bg}; color: {muted}; }}".format(**design.theme_colours(theme)) for theme in ("light", "dark")
    )
    return f"""{light_css} @media (prefers-color-scheme: dark) {{ {dark_css} }}
        .sc-first {{ position: fixed; inset: 40vh 0 auto; text-align: center; font: 600 17px Inter, system-ui, sans-serif; }}
        html.sc-shown .sc-first {{ display: none; }} @media print {{ .sc-first {{ display: none; }} }}
        html:not(.sc-shown) .stMain {{ visibility: hidden; }}
        html:where(:not(.sc-slow)) :is([data-stale="true"], summary) {{ opacity: 1; }}
        html.sc-slow :is([data-stale="true"], summary) {{ transition-delay: 0s; }}"""
