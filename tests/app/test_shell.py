"""Test the app's HTML document (title, font, colours, hidden until loaded), the URLs of pages, and response headers and cookie."""

import re

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import HTMLResponse, PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from pages.parts.kit import page, shell
from spice_core.draw import design


def open_client(*routes: Route) -> TestClient:
    return TestClient(Starlette(routes=[*shell.document_routes(), *routes], middleware=[Middleware(shell.SecureResponses)]))


def test_each_page_has_streamlits_document_with_our_head():
    client = open_client()
    assert [shell.page_address(path) for path in page.NAME_BY_PAGE] == ["app", "Learn", "Rules", "Batch", "Systems", "Agreement"]
    for path in ("/", "/Learn", "/Rules", "/Batch", "/Systems", "/Agreement"):
        answer = client.get(path)
        assert answer.status_code == 200 and answer.text == shell.document_html() and answer.headers["cache-control"] == "no-cache"
        policy = answer.headers["content-security-policy"]
        assert "default-src 'self'" in policy and "img-src 'self' data: blob:" in policy and not re.search(r"https?:|\*", policy)
    # Only Streamlit's server has this route.
    assert client.get("/_stcore/health").status_code == 404
    document = shell.document_html()
    assert '<div id="root"></div>' in document and re.search(r'<script type="module"[^>]*src="./static/js/index', document)
    assert "<title>spice_core</title>" in document
    assert re.findall(r'rel="preload" href="([^"]+)"', document) == ["./app/static/fonts/inter-latin-wght-normal.woff2"]
    assert "SourceSans" not in document
    assert all(design.theme_colours(theme)["bg"] in document for theme in ("light", "dark"))
    assert document.count("html:not(.sc-shown) .stMain { visibility: hidden; }") == 1 and 'classList.add("sc-shown")' in document
    assert document.count('class="sc-first"') == 1


def test_a_cookie_identifies_the_browser():
    client = open_client()
    first_cookie = client.get("/Batch").headers["set-cookie"]
    assert re.match(r"spice_core_visit=[\w-]{22}; ", first_cookie)
    assert {"HttpOnly", "Path=/", "SameSite=lax"} <= set(first_cookie.split("; "))
    assert "set-cookie" not in client.get("/").headers
    other_cookie = open_client().get("/Batch").headers["set-cookie"]
    assert other_cookie.split(";")[0] != first_cookie.split(";")[0]


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST"])
@pytest.mark.parametrize(("path", "status"), [("/index.html", 404), ("/rules", 404), ("/static/none.js", 404), ("/media/sheet.html", 200)])
def test_only_pages_and_downloads_are_html_documents(path, status, method):
    """Streamlit serves its document at unknown paths."""
    client = open_client(Route("/{path:path}", lambda request: HTMLResponse("<p>the app"), methods=["GET", "POST"]))
    answer = client.request(method, path)
    assert answer.status_code == status and "the app" not in (answer.text if status == 404 else "")
    assert "default-src 'self'" in answer.headers["content-security-policy"] and "spice_core_visit=" in answer.headers["set-cookie"]


@pytest.mark.parametrize(("cache", "sets_cookie"), [("public, max-age=9", False), ("private, max-age=9", True), ("no-cache", True)])
def test_no_shared_cache_stores_a_visit_cookie(cache, sets_cookie):
    client = open_client(Route("/file", lambda request: PlainTextResponse("", headers={"Cache-Control": cache})))
    assert ("set-cookie" in client.get("/file").headers) is sets_cookie


@pytest.mark.parametrize(("variable", "ancestors"), [("", "'self'"), ("https://huggingface.co", "'self' https://huggingface.co")])
def test_other_sites_embed_the_app_only_if_the_server_allows_it(monkeypatch, variable, ancestors):
    monkeypatch.setenv(shell.FRAME_ANCESTORS_VARIABLE, variable)
    assert open_client().get("/").headers["content-security-policy"].endswith(f"; frame-ancestors {ancestors}")


def test_links_include_a_base_path_and_are_unchanged_at_the_root(monkeypatch):
    assert shell.document_routes()[0].path == "/" and shell.address_below("image/{token}") == "/image/{token}"
    monkeypatch.setattr(shell.st, "get_option", {"server.baseUrlPath": "/tools/spice/"}.__getitem__)
    assert [route.path for route in shell.document_routes()][:3] == ["/tools/spice", "/tools/spice/", "/tools/spice/Learn"]
    client = TestClient(Starlette(routes=shell.document_routes()), follow_redirects=False)
    # Without this redirect, the browser would look for "./static" in the parent folder.
    response = client.get("/tools/spice?caption=a%20dog&ui=ja")
    assert response.status_code == 307 and response.headers["location"] == "/tools/spice/?caption=a%20dog&ui=ja"
    assert client.get("/tools/spice/").text == shell.document_html() and client.get("/").status_code == 404
