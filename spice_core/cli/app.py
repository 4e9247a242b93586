"""The command ``app``: open the inspector in the browser, from a checkout or an installed wheel."""

from __future__ import annotations

import argparse
import importlib.util
import os
import socket
import subprocess
import sys

from spice_core.cli import arguments
from spice_core.errors import InputError, not_installed_error
from spice_core.files import APP_FOLDER

_REQUIRED_PACKAGES = {
    "streamlit": "Streamlit",
    "pyvis": "pyvis",
    "plotly": "plotly",
    "segno": "segno",
    "PIL": "Pillow",
    "sacrebleu": "sacrebleu",
    "fpdf": "fpdf2",
    "brotli": "Brotli",
    "pypdfium2": "pypdfium2",
}
_ANY_ADDRESSES = ("0.0.0.0", "::")  # addresses for all network interfaces
_VALID_PORTS = range(1, 1 << 16)
_DESCRIPTION = """The command starts the inspector and opens it in the browser; Ctrl-C stops it. The inspector accepts connections from
this machine only, unless --host names another address. Set Streamlit options through environment variables, such as
STREAMLIT_SERVER_MAX_UPLOAD_SIZE=50."""


def add_command(commands: arguments.CommandParsers) -> None:
    """Add the command ``app``."""
    command = commands.add_parser("app", help="open the inspector in the browser", description=_DESCRIPTION)
    command.add_argument("--port", type=int, metavar="N", help="port (default: 8501, or the next free one)")
    command.add_argument("--host", metavar="ADDRESS", help="address to listen on, such as 0.0.0.0 for all addresses (default: localhost)")
    command.add_argument("--base-path", metavar="PATH", help="path under which a proxy serves the app")
    command.add_argument("--public-host", metavar="NAME", help="host name that visitors use, if a proxy serves the app")
    command.add_argument("--images", metavar="FOLDER", help="folder of images to show beside captions")
    command.add_argument("--no-browser", action="store_true", help="do not open a browser")
    command.set_defaults(run=run_app)


def run_app(options: argparse.Namespace) -> int:
    """Run the inspector until it stops, and return its exit code.

    Raises MissingResourceError if packages of the extra ``app`` are missing, and InputError for an unusable port or folder.
    """
    _check_options(options)
    with subprocess.Popen(command_line(options), cwd=APP_FOLDER, env=_app_environment(options)) as server:
        try:
            return server.wait()
        except KeyboardInterrupt:  # Ctrl-C in a terminal reaches both processes, other signals only this one
            server.terminate()
            server.wait()
            raise


def command_line(options: argparse.Namespace) -> list[str]:
    """Return the command that starts the app. Run it in the app's folder."""
    given_options = {
        "server.port": options.port,
        "server.address": options.host,
        "server.baseUrlPath": options.base_path,
        "browser.serverAddress": options.public_host or _public_host(options.host),
    }
    settings = [f"--{name}={value}" for name, value in given_options.items() if value is not None]
    headless_options = ["--server.headless=true"] if options.no_browser else []
    return [sys.executable, "-m", "streamlit", "run", "app.py", *settings, *headless_options]


def _public_host(host: str | None) -> str:
    """Return the host name for the app's URL. Without one, Streamlit would query an internet service for the public address."""
    return os.environ.get("STREAMLIT_BROWSER_SERVER_ADDRESS") or (host if host not in (None, *_ANY_ADDRESSES) else "localhost")


def _check_options(options: argparse.Namespace) -> None:
    """Raise MissingResourceError or InputError if the app cannot start."""
    missing_packages = [name for module, name in _REQUIRED_PACKAGES.items() if importlib.util.find_spec(module) is None]
    if missing_packages or not (APP_FOLDER / "app.py").is_file():
        raise not_installed_error((missing_packages or ["app.py"])[0], 'pip install ".[app]"')
    if options.images and not os.path.isdir(options.images):
        raise InputError("--images", options.images, "a folder")
    if options.port is None:
        return
    if options.port not in _VALID_PORTS:
        raise InputError("--port", options.port, f"{_VALID_PORTS[0]} to {_VALID_PORTS[-1]}")
    try:
        socket.create_server((options.host or "localhost", options.port)).close()
    except OSError as error:
        raise InputError("--port", options.port, f"a port that is free at {options.host or 'localhost'} ({error.strerror})") from None


def _app_environment(options: argparse.Namespace) -> dict[str, str]:
    images = {"SPICE_CORE_IMAGES": os.path.abspath(options.images)} if options.images else {}
    return {**os.environ, **images}
