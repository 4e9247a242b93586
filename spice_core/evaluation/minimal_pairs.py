"""Minimal pairs: captions that differ in a construction, with tuples that their parses must have or lack."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from spice_core.errors import InputError
from spice_core.scene.propositions import Parse, Words, closed, from_tuples


@dataclass(frozen=True)
class Expectation:
    """Tuples that the parse of a caption must have (closed) and must lack."""

    caption: str
    has: frozenset[Words]
    lacks: frozenset[Words]


@dataclass(frozen=True)
class MinimalPair:
    """Two captions that differ in one phenomenon, and therefore in their tuples."""

    phenomenon: str
    first: Expectation
    second: Expectation


@dataclass(frozen=True)
class PairFailure:
    """A caption whose parse misses tuples that it must have, or has extra ones that it must lack."""

    phenomenon: str
    caption: str
    missing: frozenset[Words]
    extra: frozenset[Words]


def read_pairs(path: Path) -> list[MinimalPair]:
    """The pairs of a TOML file of ``[[pair]]`` tables with ``phenomenon``, ``first`` and ``second``. Raises InputError."""
    try:
        rows = tomllib.loads(path.read_text(encoding="utf-8"))["pair"]
        return [
            MinimalPair(
                row["phenomenon"],
                _expectation(row["first"], f"{path}, pair {number}, first"),
                _expectation(row["second"], f"{path}, pair {number}, second"),
            )
            for number, row in enumerate(rows, 1)
        ]
    except (tomllib.TOMLDecodeError, KeyError, TypeError) as error:
        raise InputError(str(path), str(error), "tables [[pair]] with phenomenon, first and second") from error


def failures(pairs: Sequence[MinimalPair], parse: Callable[[list[str]], Iterable[Parse]]) -> list[PairFailure]:
    """The captions whose parses are not as expected, in order; ``parse`` is, for example, ``Spice().parse``."""
    expected = [(pair.phenomenon, each) for pair in pairs for each in (pair.first, pair.second)]
    out = []
    for (phenomenon, each), parsed in zip(expected, parse([e.caption for _, e in expected]), strict=True):
        tuples = closed(p.words for p in parsed.propositions)
        if not each.has <= tuples or each.lacks & tuples:
            out.append(PairFailure(phenomenon, each.caption, each.has - tuples, each.lacks & tuples))
    return out


def _expectation(row: dict[str, object], where: str) -> Expectation:
    has, lacks = (from_tuples(_rows(row[name]), where=f"{where}.{name}").propositions for name in ("has", "lacks"))
    return Expectation(str(row["caption"]), closed(p.words for p in has), frozenset(p.words for p in lacks))


def _rows(value: object) -> Sequence[object]:
    if not isinstance(value, list):
        raise TypeError(f"{value!r} is no list of tuples")
    return value
