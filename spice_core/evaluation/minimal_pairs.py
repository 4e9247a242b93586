"""Minimal pairs: captions that differ in a construction, with tuples that their parses must contain or lack."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from spice_core.errors import InputError, Message
from spice_core.metrics.result import SpiceResult
from spice_core.scene.propositions import Parse, TupleWords, add_implied_objects, parse_from_tuples

ParseFunction = Callable[[list[str]], Iterable[Parse]]
CompareFunction = Callable[[Parse, Sequence[Parse]], SpiceResult]


@dataclass(frozen=True)
class Expectation:
    """The expectation for a caption in a pair.

    Attributes:
        required_tuples: Tuples that the parse must have, with their objects added.
        excluded_tuples: Tuples that the parse must lack.
        matched_tuples: Tuples that must match the other caption.
        unmatched_tuples: Tuples that must not match the other caption.
    """

    caption: str
    required_tuples: frozenset[TupleWords]
    excluded_tuples: frozenset[TupleWords]
    matched_tuples: frozenset[TupleWords] = frozenset()
    unmatched_tuples: frozenset[TupleWords] = frozenset()


@dataclass(frozen=True)
class MinimalPair:
    """Two captions that differ in one phenomenon, and therefore in their tuples."""

    phenomenon: str
    first: Expectation
    second: Expectation


@dataclass(frozen=True)
class PairFailure:
    """A caption with a missing or excluded tuple, or an unexpected match."""

    phenomenon: str
    caption: str
    missing: frozenset[TupleWords]
    extra: frozenset[TupleWords]
    missing_matches: frozenset[TupleWords] = frozenset()
    extra_matches: frozenset[TupleWords] = frozenset()


def read_pairs(path: Path) -> list[MinimalPair]:
    """Read the ``[[pair]]`` tables of a TOML file, with ``phenomenon``, ``first`` and ``second``.

    Raises InputError if the file is invalid.
    """
    try:
        rows = tomllib.loads(path.read_text(encoding="utf-8"))["pair"]
        return [
            MinimalPair(
                row["phenomenon"],
                _read_expectation(row["first"], f"{path}, pair {row_number}, first"),
                _read_expectation(row["second"], f"{path}, pair {row_number}, second"),
            )
            for row_number, row in enumerate(rows, 1)
        ]
    except (tomllib.TOMLDecodeError, KeyError, TypeError) as error:
        raise InputError(str(path), Message("found.unreadable", reason=str(error)), Message("expected.minimal_pairs")) from error


def find_failures(pairs: Sequence[MinimalPair], parse: ParseFunction, compare: CompareFunction | None = None) -> list[PairFailure]:
    """Return a failure for each caption whose parse or matches are not as expected, in order.

    ``parse`` is a function such as ``Spice().parse``. ``compare``, such as ``Spice().compare``, determines which tuples
    match. Without ``compare``, matches are not checked.
    """
    parses = iter(list(parse([expectation.caption for pair in pairs for expectation in (pair.first, pair.second)])))
    out = []
    for pair, first_parse, second_parse in zip(pairs, parses, parses, strict=True):
        for expectation, parse_, other in ((pair.first, first_parse, second_parse), (pair.second, second_parse, first_parse)):
            tuples = add_implied_objects(p.words for p in parse_.propositions)
            matches = (
                _matched_tuples(compare(parse_, [other]))
                if compare and (expectation.matched_tuples or expectation.unmatched_tuples)
                else frozenset()
            )
            missing_matches = expectation.matched_tuples - matches if compare else frozenset()
            failure = PairFailure(
                pair.phenomenon,
                expectation.caption,
                expectation.required_tuples - tuples,
                expectation.excluded_tuples & tuples,
                missing_matches,
                expectation.unmatched_tuples & matches,
            )
            if failure.missing or failure.extra or failure.missing_matches or failure.extra_matches:
                out.append(failure)
    return out


def _matched_tuples(result: SpiceResult) -> frozenset[TupleWords]:
    """Return the candidate's matched tuples, and the original words of rephrased ones."""
    matched_tuples = [match.candidate for match in result.matches]
    stated_words = {
        m.proposition.original_words
        for tuple_ in matched_tuples
        for m in tuple_.mentions
        if len(m.proposition.words) == len(tuple_.concepts)
    }
    return frozenset({tuple_.words for tuple_ in matched_tuples} | stated_words)


def count_passing_pairs(pairs: Sequence[MinimalPair], failures: Iterable[PairFailure]) -> Counter[str]:
    """Return, by phenomenon, the number of pairs in which neither caption fails."""
    captions = {failure.caption for failure in failures}
    return Counter(pair.phenomenon for pair in pairs if not captions & {pair.first.caption, pair.second.caption})


def _read_expectation(row: dict[str, object], where: str) -> Expectation:
    row = {"matched": [], "unmatched": [], **row}
    tuples, *other_tuples = (
        frozenset(p.words for p in parse_from_tuples(_check_rows(row[name]), where=f"{where}.{name}").propositions)
        for name in ("has", "lacks", "matched", "unmatched")
    )
    return Expectation(str(row["caption"]), add_implied_objects(tuples), *other_tuples)


def _check_rows(value: object) -> Sequence[object]:
    if not isinstance(value, list):
        raise TypeError(f"{value!r} is no list of tuples")
    return value
