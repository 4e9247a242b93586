"""Test ``spice-core app``: server options, invalid options refused in one line, and answers below a base path."""

import base64
import os
import re
import signal
import socket
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.error import HTTPError
from urllib.parse import urljoin, urlsplit
from urllib.request import urlopen

import pytest

from spice_core.cli import app, main
from spice_core.files import APP_FOLDER
from tests.browser.conftest import free_port, wait_for

BASE_PATH = "/tools/spice"
HOST = "captions.example.org"


@contextmanager
def start_app(*options: str, **environment: str) -> Iterator[tuple[int, subprocess.Popen]]:
    """Start the command and yield its port and process once the server answers."""
    port = free_port()
    command = [sys.executable, "-m", "spice_core", "app", "--no-browser", "--port", str(port), *options]
    process = subprocess.Popen(
        command, cwd=APP_FOLDER, env=os.environ | environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    base = options[options.index("--base-path") + 1] if "--base-path" in options else ""
    try:
        wait_for(f"http://localhost:{port}{base}/_stcore/health", process)
        yield port, process
    finally:
        if process.poll() is None:
            process.terminate()
            process.communicate(timeout=240)


def request_handshake(port: int, origin: str) -> str:
    """Return the first line of the answer to a WebSocket handshake from this origin."""
    lines = {"Host": f"localhost:{port}", "Origin": origin, "Connection": "Upgrade", "Upgrade": "websocket"}
    key = base64.b64encode(bytes(16)).decode()
    lines |= {"Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": key, "Sec-WebSocket-Protocol": "streamlit"}
    with socket.create_connection(("localhost", port), timeout=240) as talk:
        request = [f"GET {BASE_PATH}/_stcore/stream HTTP/1.1", *(f"{name}: {value}" for name, value in lines.items()), "", ""]
        talk.sendall("\r\n".join(request).encode())
        return talk.recv(1000).decode("latin-1").partition("\r\n")[0]


def test_options_are_passed_to_the_server(monkeypatch):
    monkeypatch.delenv("STREAMLIT_BROWSER_SERVER_ADDRESS", raising=False)

    def settings(*words: str) -> list[str]:
        return app.command_line(main._make_parser().parse_args(["app", *words]))[5:]

    assert settings() == ["--browser.serverAddress=localhost"]
    server_options = "--server.port=80 --server.address=0.0.0.0 --browser.serverAddress=localhost --server.headless=true"
    assert settings("--port", "80", "--host", "0.0.0.0", "--no-browser") == server_options.split()
    assert settings("--base-path", "/a", "--public-host", HOST) == ["--server.baseUrlPath=/a", f"--browser.serverAddress={HOST}"]
    assert "--browser.serverAddress=192.0.2.7" in settings("--host", "192.0.2.7")
    monkeypatch.setenv("STREAMLIT_BROWSER_SERVER_ADDRESS", HOST)
    assert settings() == [f"--browser.serverAddress={HOST}"]


def test_the_configuration_sends_no_usage_statistics_and_asks_for_no_email():
    settings = tomllib.loads((APP_FOLDER / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    assert settings["server"]["showEmailPrompt"] is False and settings["browser"]["gatherUsageStats"] is False


def error_line(capsys, *words: str) -> str:
    assert main.main(["app", *words]) == 2
    return capsys.readouterr().err


def test_unusable_options_are_reported_in_one_line(capsys):
    with socket.create_server(("localhost", 0)) as taken_socket:
        port = taken_socket.getsockname()[1]
        line = error_line(capsys, "--port", str(port))
        assert line.startswith(f"spice-core: --port: found {port}, expected a port that is free at localhost (") and line.count("\n") == 1
    assert error_line(capsys, "--port", "99999") == "spice-core: --port: found 99999, expected 1 to 65535\n"
    assert error_line(capsys, "--images", "nowhere") == "spice-core: --images: found 'nowhere', expected a folder\n"


def test_missing_packages_are_reported_with_the_install_command(capsys, monkeypatch):
    find_spec = app.importlib.util.find_spec
    monkeypatch.setattr(app.importlib.util, "find_spec", lambda name: None if name in ("streamlit", "segno") else find_spec(name))
    assert error_line(capsys) == 'spice-core: Streamlit is not installed; install it with: pip install ".[app]"\n'


def test_pages_below_a_base_path_load_their_files():
    with start_app("--base-path", BASE_PATH, "--public-host", HOST) as (port, _):

        def answer(path: str) -> tuple[int, bytes]:
            try:
                with urlopen(f"http://localhost:{port}{path}", timeout=240) as response:
                    return response.status, response.read()
            except HTTPError as error:
                return error.code, b""

        documents = [answer(f"{BASE_PATH}{path}") for path in ("/", "", "/Rules", "/Learn?ui=ja")]
        assert {status for status, _ in documents} == {200} and all(b'class="sc-first"' in text for _, text in documents)
        script = documents[0][1].partition(b'src="./static/js/')[2].partition(b'"')[0].decode()
        fonts = [f"{BASE_PATH}/app/static/fonts/{name}" for name in ("inter-latin-wght-normal.woff2", "noto-sans-jp/index.css")]
        assert [answer(path)[0] for path in (f"{BASE_PATH}/static/js/{script}", *fonts)] == [200] * 3
        assert answer("/")[0] == answer("/_stcore/health")[0] == 404
        assert request_handshake(port, f"https://{HOST}") == "HTTP/1.1 101 Switching Protocols"
        assert request_handshake(port, "https://elsewhere.example.net").split()[1] == "403"


def test_every_path_has_the_security_policy_and_the_visit_cookie_or_is_missing():
    pages = ["/", "/Learn", "/Rules", "/Batch", "/Systems", "/Agreement"]
    missing_paths = [
        "/index.html",
        "/rules",
        "/docs",
        "/app",
        "/Batch/x",
        "/static/none.js",
        "/static/",
        "/_stcore/none",
        "/.env",
        "/media/x.html",
    ]
    paths, seen_paths = [*pages, *missing_paths, "/favicon.png", "/_stcore/health", "/_stcore/host-config"], set()
    with start_app() as (port, _):
        while paths:
            path = paths.pop()
            seen_paths.add(path)
            try:
                answer = urlopen(f"http://localhost:{port}{path}", timeout=240)
            except HTTPError as error:
                answer = error
            with answer:
                text = answer.read().decode("utf-8", "replace")
            headers = answer.headers
            assert "default-src 'self'" in headers["Content-Security-Policy"] and headers["X-Content-Type-Options"] == "nosniff", path
            has_cookie = any(cookie.startswith("spice_core_visit=") for cookie in headers.get_all("Set-Cookie", []))
            assert has_cookie is ("public" not in (headers["Cache-Control"] or "")), path
            assert answer.status == (404 if path in missing_paths else 200), path
            if headers.get_content_type() in ("text/html", "text/css"):
                links = re.findall(r"""(?:href="|src="|url\(["']?)(?!data:|#)([^"')]+)""", text)
                paths += {urlsplit(urljoin(path, link)).path for link in links} - seen_paths
    assert len(seen_paths) > len(pages) + len(missing_paths) + 10


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_the_server_makes_no_ip_lookup_and_ends_with_the_command():
    with socket.create_server(("localhost", 0)) as proxy:
        proxy.setblocking(False)
        proxy_url = f"http://localhost:{proxy.getsockname()[1]}"
        proxy_environment = {"http_proxy": proxy_url, "https_proxy": proxy_url, "no_proxy": "localhost,127.0.0.1"}
        with start_app("--host", "0.0.0.0", "--base-path", BASE_PATH, **proxy_environment) as (port, process):
            assert request_handshake(port, "https://elsewhere.example.net").split()[1] == "403"
            process.send_signal(signal.SIGTERM)
            # ``communicate`` returns when the last process that writes to the output has ended.
            process.communicate(timeout=240)
            assert process.returncode == 128 + signal.SIGTERM
        with pytest.raises(BlockingIOError):
            proxy.accept()
    socket.create_server(("0.0.0.0", port)).close()
