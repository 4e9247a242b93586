"""Many results as a frame: a row for each, or for each tuple; results and rows of result files alike."""

from __future__ import annotations

import json

import pytest

from spice_core import to_frame
from spice_core.cli.main import main
from spice_core.data.results import read_results
from spice_core.errors import InputError


def test_a_row_for_each_result(result):
    frame = to_frame([result, result])
    assert len(frame) == 2 and frame["All f1"][0] == result.f1 and frame["Object matched"][1] == result.scores["Object"].matched
    assert frame["candidate"][0] == result.candidate.caption and frame["references"][0] == [p.caption for p in result.references]
    assert list(frame.columns)[-1] == "signature" and frame["signature"][0] == str(result.signature)


def test_a_row_for_each_tuple(result):
    frame = to_frame([result], rows="tuples")
    assert len(frame) == len(result.candidate_tuples) + len(result.reference_tuples)
    lost = frame[(frame["side"] == "references") & ~frame["matched"]]
    assert lost["tuple"].tolist() == [t.words for t in result.missed]
    assert frame["kind"].tolist() == [t.kind for t in (*result.candidate_tuples, *result.reference_tuples)]


def test_rows_of_a_result_file(tmp_path):
    rows = [{"image_id": n, "test": [["dog"], ["dog", "brown"]], "refs": [[["dog"]], [["cat"]]]} for n in (7, 8)]
    (tmp_path / "in.json").write_text(json.dumps(rows))
    assert main(["score", str(tmp_path / "in.json"), "--out", str(tmp_path / "out.jsonl"), "--subset", "--detailed", "--silent"]) == 0
    items = list(read_results(tmp_path / "out.jsonl"))
    frame = to_frame(items)
    assert frame["image_id"].tolist() == [7, 8] and frame["All f1"].tolist() == [0.5, 0.5] and frame["Color f1"].isna().all()
    assert frame["candidate"][0] == [["dog"], ["dog", "brown"]]
    assert to_frame(items, rows="tuples")["image_id"].tolist() == [7] * 4 + [8] * 4


def test_no_results_make_an_empty_frame():
    assert len(to_frame([])) == 0


@pytest.mark.parametrize(
    ("results", "rows", "told"), [([1], "results", r"results\[0\]: found 1, expected a result"), ([], "x", "rows: found 'x'")]
)
def test_anything_else_is_refused(results, rows, told):
    with pytest.raises(InputError, match=told):
        to_frame(results, rows)
