"""Captions of several sentences: pronouns, members, frames, negation, hedges and where sentences end, on a table of captions."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from spice_core import Spice
from spice_core.scene.propositions import closed

CHECKS = tomllib.loads((Path(__file__).parent / "discourse.toml").read_text(encoding="utf-8"))
LEAST = {"pronouns": 0.85, "members": 0.85, "frames": 0.95, "negation": 0.95, "hedges": 0.8, "sentences": 0.95}


@pytest.fixture(scope="module")
def right() -> Spice:
    return Spice()


def tuples(text: str) -> set[tuple[str, ...]]:
    return {tuple(part.split("/")) for part in text.split("; ") if part}


def failures(spice: Spice, checks: list[dict[str, str]]) -> list[str]:
    """The captions that lack a tuple or have a wrong one."""
    out = []
    for check, parse in zip(checks, spice.parse(check["text"] for check in checks)):
        found = closed(p.words for p in parse.propositions)
        lacking, wrong = tuples(check["has"]) - found, tuples(check.get("lacks", "")) & found
        if lacking or wrong:
            out.append(f"{check['text']} lacks {lacking}, has {wrong}; {sorted(found)}")
    return out


@pytest.mark.parser
@pytest.mark.parametrize("phenomenon", CHECKS)
def test_checks_pass(right: Spice, phenomenon: str) -> None:
    checks = CHECKS[phenomenon]
    failed = failures(right, checks)
    assert 1 - len(failed) / len(checks) >= LEAST[phenomenon], "\n".join(failed)
