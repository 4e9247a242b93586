"""The command ``serve-rewards``: SPICE as a reward over HTTP."""

from __future__ import annotations

import argparse
from pathlib import Path

from spice_core.cli import arguments
from spice_core.errors import require_module
from spice_core.evaluation.rewards import Rewards
from spice_core.metrics.spice import Spice

_MAX_CONNECTIONS = 1_024  # further connections are answered with status 503


def add_command(commands: arguments.CommandParsers) -> None:
    """Add the command ``serve-rewards``."""
    command = commands.add_parser(
        "serve-rewards",
        parents=[arguments.parsing_options()],
        help="serve SPICE as a reward over HTTP, for slime, OpenRLHF and verl",
        description="The server accepts JSON from this machine only, unless --host names another address. Ctrl-C stops it.",
    )
    arguments.add_matching_options(command)
    command.add_argument("--host", default="127.0.0.1", metavar="ADDRESS", help="address to listen on (default: 127.0.0.1)")
    command.add_argument("--port", type=int, default=8010, metavar="N", help="port (default: 8010)")
    command.add_argument("--workers", type=int, default=1, metavar="N", help="number of processes that parse (default: 1)")
    command.add_argument("--cache", metavar="FILE", help="store the parses of references in this file")
    command.set_defaults(run=run_server)


def run_server(options: argparse.Namespace) -> int:
    """Serve rewards until the process is interrupted, and return 0.

    Raises MissingResourceError if Starlette or Uvicorn is missing.
    """
    uvicorn = require_module("uvicorn", 'pip install ".[app]"')
    require_module("starlette", 'pip install ".[app]"')
    from spice_core.adapters.reward_server import reward_app

    spice = Spice(arguments.config_from_options(options))
    with Rewards(spice=spice, workers=options.workers, cache=options.cache and Path(options.cache)) as rewards:
        list(spice.parse(["A dog."]))  # load the parser before the first request
        uvicorn.run(
            reward_app(rewards),
            host=options.host,
            port=options.port,
            log_level="warning",
            limit_concurrency=_MAX_CONNECTIONS,
            timeout_keep_alive=75,
            access_log=False,
            lifespan="off",
        )
    return 0
