"""Fixtures for tests inside other libraries. ``make test-release`` installs these libraries from requirements.txt in this folder."""

from importlib import import_module
from types import ModuleType

import pytest

INSTALL_HINT = "make test-release installs it, into .venv-release"


@pytest.fixture
def print_table(capsys):
    """Return a function that prints a table of figures even though pytest captures output."""

    def print_rows(title: str, rows: dict[str, tuple[float, float]]) -> None:
        with capsys.disabled():
            print(f"\n{title:<34}{'theirs':>10}{'here':>10}")
            for name, (original_value, own_value) in rows.items():
                print(f"  {name:<32}{original_value:>10.4f}{own_value:>10.4f}")

    return print_rows


def import_library(name: str) -> ModuleType:
    """Import an optional library, or skip the test with an install hint."""
    pytest.importorskip(name, reason=f"{name} is not installed: SPICE was NOT tried inside it; {INSTALL_HINT}")
    return import_module(name)
