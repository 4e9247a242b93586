"""Behind an HTTPS proxy and below a base path, every page loads, its requests are answered, and its links use the public address."""

import shutil
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread

import pytest

from pages.parts.kit import shell
from pages.parts.kit.page import NAME_BY_PAGE
from spice_core.files import APP_FOLDER
from tests.browser.conftest import TIMEOUT_S, click_when_ready, free_port, open_recorded_page, wait_for, wait_for_result, wait_until_still

BASE_PATH = "/tools/spice"


@contextmanager
def run_app_below(base: str) -> Iterator[int]:
    """Run the app below a base path and yield its port."""
    port = free_port()
    command = [sys.executable, "-m", "spice_core", "app", "--no-browser", "--port", str(port), "--base-path", base]
    process = subprocess.Popen(command, cwd=APP_FOLDER, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(f"http://localhost:{port}{base}/_stcore/health", process)
        yield port
    finally:
        process.terminate()
        process.wait(timeout=TIMEOUT_S)


def relay(source: socket.socket, target: socket.socket) -> None:
    """Copy bytes until one side closes the connection."""
    with suppress(OSError):
        while data := source.recv(1 << 16):
            target.sendall(data)
    for side in (source, target):
        with suppress(OSError):
            side.shutdown(socket.SHUT_RDWR)


@contextmanager
def run_https_proxy(port: int, folder: Path) -> Iterator[str]:
    """Run a proxy that terminates HTTPS and forwards to this port, and yield its address."""
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    certificate_command = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost".split()
    subprocess.run([*certificate_command, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)

    def serve(plain_socket: socket.socket) -> None:
        with suppress(OSError):
            outer = context.wrap_socket(plain_socket, server_side=True)
            inner = socket.create_connection(("localhost", port))
            Thread(target=relay, args=(inner, outer), daemon=True).start()
            relay(outer, inner)

    def accept() -> None:
        with suppress(OSError):
            while True:
                Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()

    with socket.create_server(("localhost", 0)) as listener:
        Thread(target=accept, daemon=True).start()
        yield f"https://localhost:{listener.getsockname()[1]}"
        listener.shutdown(socket.SHUT_RDWR)


@pytest.mark.release
@pytest.mark.skipif(not shutil.which("openssl"), reason="needs openssl for a certificate")
def test_every_page_loads_below_a_base_path_behind_https(browser: object, tmp_path):
    refused_requests: list[str] = []
    errors: list[str] = []
    with run_app_below(BASE_PATH) as port, run_https_proxy(port, tmp_path) as address:
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        page = open_recorded_page(context)
        page.set_default_timeout(1000 * TIMEOUT_S)
        page.on("response", lambda answer: refused_requests.append(f"{answer.status} {answer.url}") if answer.status >= 400 else None)
        page.on(
            "request",
            lambda request: (
                None if request.url.startswith((f"{address}{BASE_PATH}/", "data:", "blob:")) else refused_requests.append(request.url)
            ),
        )
        page.on("console", lambda line: errors.append(line.text) if line.type == "error" else None)
        page.goto(f"{address}{BASE_PATH}/")
        wait_for_result(page)
        assert page.evaluate("document.fonts.check('16px Inter')")
        click_when_ready(page.get_by_role("link", name="Rules").first)
        page.wait_for_url(f"{address}{BASE_PATH}/Rules*")
        wait_until_still(page)
        for path in [path for path, name in NAME_BY_PAGE.items() if name not in ("inspect", "rules")]:
            page.goto(f"{address}{BASE_PATH}/{shell.page_address(path)}")
            page.locator(".sc-head").wait_for()
            wait_until_still(page)
            assert page.locator('[data-testid="stException"]').count() == 0
        context.close()
    assert refused_requests == errors == []
