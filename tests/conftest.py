"""Shared fixtures and hooks: the folder with all stored results, the metric, and how tests are scheduled."""

import gc
import json
import os
import platform
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from spice_core import Spice
from tests.results import result, synonyms

__all__ = ["result", "synonyms"]  # fixtures

# Matrix products in several threads can take twenty times as long on a busy machine.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Hypothesis generates the same examples in every run. No example counts as too slow, because the machine may be busy.
settings.register_profile("steady", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")

DATA = Path(__file__).parent / "golden"
GOLD = Path(__file__).parents[1] / "assets" / "gold"


def rows(path: Path) -> list[dict]:
    """Return the objects of a JSON-lines file."""
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def without_steps_digest(text: str) -> str:
    """Remove the digest of steps, which changes with the code, from signatures."""
    return re.sub(r"\|steps:[0-9a-f]{8}", "", text)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return the number of processors plus one, because workers that wait for a page leave their processor idle."""
    return (os.cpu_count() or 1) + 1


def process_group(nodeid: str) -> str:
    """Return the group of tests that share a process: all page tests, half of the browser tests, or one file."""
    file = nodeid.partition("::")[0]
    _, folder, name = f"{file}//".split("/")[:3]
    if folder == "browser":
        return f"browser, {'first' if name < 'test_k' else 'second'} half"
    return folder if folder == "app" else file


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    """Schedule tests by group, so only some processes start apps, browsers and the parsers of the pages."""
    if config.getvalue("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    class GroupScheduling(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return process_group(nodeid)

    return GroupScheduling(config, log)


def pytest_report_header() -> str:
    """Report the processor's vector instructions, which determine the arithmetic of networks."""
    cpu_info = Path("/proc/cpuinfo")
    flags = re.findall(r"\b(?:avx\w*|amx\w*|fma|neon|sve\w*)\b", cpu_info.read_text(encoding="utf-8")) if cpu_info.exists() else []
    return f"processor: {platform.machine()} {' '.join(sorted(set(flags)))}"


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[object]:
    """Disable garbage collection while tests are imported, and exclude the modules from later collections.

    Otherwise, each process would spend a quarter of its import time on collections.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the slowest groups first."""
    items.sort(key=lambda item: not process_group(item.nodeid).startswith(("browser", "app")))


def install_entry_points(folder: Path, paths_by_group: Mapping[str, Mapping[str, str]], package: str = "addition") -> None:
    """Write metadata of an installed package with these entry points (name: path) to a folder on ``sys.path``."""
    lines = [line for group, paths in paths_by_group.items() for line in (f"[{group}]", *(f"{n} = {p}" for n, p in paths.items()))]
    metadata_folder = folder / f"{package}-1.dist-info"
    metadata_folder.mkdir(parents=True)
    (metadata_folder / "entry_points.txt").write_text("\n".join(lines), encoding="utf-8")


@pytest.fixture(scope="session")
def spice() -> Spice:
    """The metric with the original SPICE's parser and rules, loaded once for all tests."""
    return Spice(parser="spice-2016", rules="spice-2016")
