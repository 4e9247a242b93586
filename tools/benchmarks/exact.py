"""Compare scores with a result file of SPICE 1.0: the number of items with equal F1, and with equal counts in all categories.

    java -cp "spice-1.0.jar:lib/*" edu.anu.spice.SpiceScorer /full/path/items.json -out jar.json -detailed -subset -silent
    python -m tools.benchmarks.exact items.json jar.json --parser corenlp:http://localhost:9000

The output lists the items that differ, with the tuples that only one program has. It ends with the signature and the totals.
"""

from __future__ import annotations

import argparse
import json
import statistics
from collections.abc import Iterable
from pathlib import Path

from spice_core import Spice
from spice_core.data.items import read_items
from spice_core.metrics.result import SpiceResult

_TOLERANCE = 1e-6


def main() -> None:
    """Score the items, and print the differences and the totals."""
    argument_parser = argparse.ArgumentParser(description=__doc__)
    argument_parser.add_argument("items", type=Path)
    argument_parser.add_argument("original", type=Path)
    argument_parser.add_argument("--parser", required=True)
    options = argument_parser.parse_args()
    original_rows = {row["image_id"]: row for row in json.loads(options.original.read_text(encoding="utf-8"))}
    spice, items = Spice(parser=options.parser, rules="spice-2016"), read_items(options.items)
    captions = list(dict.fromkeys(c for item in items for c in item.captions))
    parses = dict(zip(captions, spice.parse(captions)))
    same_f1 = same_counts = 0
    pairs = []
    for item in items:
        candidate, *references = (parses[c] for c in item.captions)
        result, row = spice.compare(candidate, references), original_rows[item.image_id]
        pairs.append((result.f1, row["scores"]["All"]["f"]))
        is_close, has_equal_counts = abs(pairs[-1][0] - pairs[-1][1]) < _TOLERANCE, _counts(result) == _original_counts(row)
        same_f1, same_counts = same_f1 + is_close, same_counts + has_equal_counts
        if not (is_close and has_equal_counts):
            own_tuples = {tuple(t.words) for side in (result.candidate_tuples, result.reference_tuples) for t in side}
            original_tuples = set(_tuple_words(row["test_tuples"] + row["ref_tuples"]))
            print(f"{item.image_id}: {item.candidate}, only here {own_tuples - original_tuples}, only there {original_tuples - own_tuples}")
    r = statistics.correlation(*zip(*pairs))
    print(f"{spice.signature}\n{len(items)} items: F1 equal {same_f1}, all counts equal {same_counts}, Pearson {r:.3f}")


def _counts(result: SpiceResult) -> dict[str, tuple[float, float, float]]:
    return {name: (s.matched, s.candidate - s.matched, s.reference - s.matched) for name, s in result.scores.items()}


def _original_counts(row: dict) -> dict[str, tuple[float, float, float]]:
    return {name: (s["tp"], s["fp"], s["fn"]) for name, s in row["scores"].items()}


def _tuple_words(rows: Iterable[dict]) -> Iterable[tuple[str, ...]]:
    return (tuple(row["tuple"]) for row in rows)


if __name__ == "__main__":
    main()
