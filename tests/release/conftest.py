"""Tests inside other libraries, in an environment of their own: ``make test-release`` builds it from requirements.txt beside this file."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

import pytest

INSTALL_HINT = "make test-release installs it, into .venv-release"


@pytest.fixture
def show(capsys):
    """Print a table of figures past pytest's capture, so that a release shows them."""

    def print_table(title: str, rows: dict[str, tuple[float, float]]) -> None:
        with capsys.disabled():
            print(f"\n{title:<34}{'theirs':>10}{'here':>10}")
            for name, (theirs, ours) in rows.items():
                print(f"  {name:<32}{theirs:>10.4f}{ours:>10.4f}")

    return print_table


def library(name: str) -> ModuleType:
    """A library that need not be installed; a test that asks for one which is not is skipped with a word."""
    pytest.importorskip(name, reason=f"{name} is not installed: SPICE was NOT tried inside it; {INSTALL_HINT}")
    return import_module(name)
