"""The command line: ``spice-core COMMAND`` or ``python -m spice_core COMMAND``."""

from __future__ import annotations

import argparse
import io
import os
import sys
from importlib import import_module

from spice_core.cli.interrupts import InterruptHandler, exit_code
from spice_core.errors import SpiceError
from spice_core.version import __version__

_MODULE_BY_COMMAND = {  # a module is imported when its command is used
    "score": "score",
    "merge": "merge",
    "compare": "compare",
    "metrics": "metrics",
    "dense": "dense",
    "agree": "agree",
    "why": "why",
    "parse": "parse",
    "questions": "questions",
    "answers": "questions",
    "gold": "gold",
    "factual": "gold",
    "frequencies": "frequencies",
    "import-wordnet": "wordnet",
    "serve-rewards": "rewards",
    "app": "app",
}


def main(argv: list[str] | None = None) -> int:
    """Run a command and return its exit code.

    The code is 0 for success, 1 for a broken pipe, 2 for an error of spice_core or failed output, 130 after SIGINT, and 143
    after SIGTERM. The command ``app`` returns the code of Streamlit.
    """
    words = sys.argv[1:] if argv is None else argv
    options = _make_parser(words[0] if words else "").parse_args(words)
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # sys.stdout is None if it is closed
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors == "strict":
        sys.stdout.reconfigure(errors="backslashreplace")  # pipes on Windows, for example, cannot encode some characters
    try:
        with InterruptHandler():
            code: int = options.run(options)
            sys.stdout.flush()
            return code
    except SpiceError as error:
        print(f"spice-core: {str(error).partition(chr(10))[0]}", file=sys.stderr)  # without the excerpt below it
        return 2
    except BrokenPipeError:
        _discard_output()
        return 1
    except OSError as error:  # most likely standard output: other files raise InputError
        _discard_output()
        print(f"spice-core: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt as interrupt:
        return exit_code(interrupt)


def _discard_output() -> None:
    """Discard buffered standard output, because flushing it at exit would fail."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _make_parser(command: str = "") -> argparse.ArgumentParser:
    """Return the argument parser of a command, or of all commands if the name is unknown."""
    parser = argparse.ArgumentParser(prog="spice-core", description="Score image captions by their scene graphs (SPICE).")
    parser.add_argument("--version", action="version", version=f"spice-core {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name in [_MODULE_BY_COMMAND[command]] if command in _MODULE_BY_COMMAND else dict.fromkeys(_MODULE_BY_COMMAND.values()):
        import_module(f"spice_core.cli.{name}").add_command(commands)
    return parser
