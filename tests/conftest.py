"""Shared fixtures: stored answers of the original SPICE, and the whole set where it lies beside the project."""

from __future__ import annotations

import gzip
import json
import os
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from spice_core import Spice

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # beside a busy process, products in several threads take twenty times as long

# The same examples in every run, and no example is too slow: a machine that stands still for a second is no defect.
settings.register_profile("steady", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")

DATA = Path(__file__).parent / "golden"
GOLD = Path(__file__).parents[1] / "assets" / "gold"
SHARED = Path(__file__).parents[2] / "shared"


def rows(path: Path) -> list[dict]:
    """The objects of a JSON-lines file, gzipped or not."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


@pytest.hookimpl(optionalhook=True)
def without_steps_digest(text: str) -> str:
    """Signatures without the digest of steps, which a change of code changes even if no score changes."""
    return re.sub(r"\|steps:[0-9a-f]{8}", "", text)


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are processors: while one waits for a page, another computes."""
    return (os.cpu_count() or 1) + 1


def process_group(nodeid: str) -> str:
    """What is tested in one process: the pages, half of the visits in a browser, or else a file."""
    file = nodeid.partition("::")[0]
    _, folder, name = f"{file}//".split("/")[:3]
    if folder == "browser":
        return f"browser, {'first' if name < 'test_k' else 'second'} half"
    return folder if folder == "app" else file


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    """Start apps, browsers and the parsers behind the pages in the processes that need them, not in each."""
    if config.getvalue("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    class Parts(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return process_group(nodeid)

    return Parts(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes longest."""
    items.sort(key=lambda item: not process_group(item.nodeid).startswith(("browser", "app")))


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with the whole set of stored answers; tests that ask for it are skipped without it."""
    if not SHARED.is_dir():
        pytest.skip("the whole set of stored answers is not beside the project; the extracts in tests/golden were tested")
    return SHARED


@pytest.fixture(scope="session")
def spice() -> Spice:
    """The metric as the original SPICE computes it, its parser loaded once for all tests."""
    return Spice(parser="spice-2016", rules="spice-2016")
