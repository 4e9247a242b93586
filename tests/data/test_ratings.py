"""Files of ratings: their layouts, and bad rows by name."""

from __future__ import annotations

import json

import pytest

from spice_core.data.ratings import Rated, read_judgements
from spice_core.errors import InputError

ROWS = [
    {"candidate": "A brown dog on a sofa.", "references": ["A dog lies on a couch."], "ratings": [4, 4, 3], "system": "a"},
    {"candidate": "A red bus.", "references": ["A dog lies on a couch."], "ratings": [1, 1, 1], "system": "b"},
    {"candidate": "A cat on a couch.", "references": ["A dog lies on a couch."], "ratings": [2, 3, 2], "system": "a"},
    {"candidate": "A couch.", "references": ["A dog lies on a couch."], "ratings": [2, 2, 1], "system": "b"},
]


@pytest.mark.parametrize("name", ["ratings.jsonl", "ratings.json", "ratings.csv"])
def test_files_of_ratings(tmp_path, name):
    path = tmp_path / name
    if name.endswith("csv"):
        lines = [
            "candidate,ref1,ratings,system",
            *(f"{r['candidate']},{r['references'][0]},{' '.join(map(str, r['ratings']))},{r['system']}" for r in ROWS),
        ]
    else:
        lines = [json.dumps(ROWS)] if name.endswith("json") else map(json.dumps, ROWS)
    path.write_text("\n".join(lines), encoding="utf-8")
    expected = [Rated(r["candidate"], tuple(r["references"]), tuple(map(float, r["ratings"])), r["system"]) for r in ROWS]
    assert read_judgements(path) == expected


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"references": ["x"], "ratings": [1]}, "candidate"),
        ({"candidate": "x", "references": [], "ratings": [1]}, "references"),
        ({"candidate": "x", "references": ["y"], "ratings": ["good"]}, "a number"),
        ({"candidate": "x", "references": ["y"], "ratings": [10**400]}, "a number"),
        ({"a": "x", "b": "y", "references": ["z"], "choice": "c"}, "a, b, tie"),
        (3, "an object"),
        ({"candidate": "a \ud83d dog", "references": ["x"], "ratings": [1]}, "candidate: found '.ud83d', expected text in UTF-8"),
        ({"candidate": "a dog", "references": ["x" * 10_001], "ratings": [1]}, "references: found 10,001 characters"),
        ({"candidate": "a dog", "references": ["x"], "ratings": [10**400]}, "expected a number"),
        ({"candidate": "a dog", "references": ["x"], "ratings": [1], "system": "\udce9"}, "system: found b'.xe9', expected text in UTF-8"),
    ],
)
def test_bad_rows_are_named(tmp_path, row, said):
    path = tmp_path / "bad.jsonl"
    path.write_text(json.dumps(row), encoding="utf-8")
    with pytest.raises(InputError, match=f"line 1.*{said}"):
        read_judgements(path)
