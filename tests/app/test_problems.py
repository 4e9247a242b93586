"""What a page says of a file that is not as it should be."""

from __future__ import annotations

import csv
import json

import pytest

from pages.parts.kit.texts import t
from pages.parts.session import datasets, problems
from spice_core.data.reader import Upload
from tests.app.conftest import said, shown
from tests.app.test_batch import GOOD, with_file

FILE = Upload(
    "<b>.jsonl",
    "".join(json.dumps(row) + "\n" for row in [*({**GOOD[0], "image_id": n, "test": ""} for n in range(30)), {"image_id": "<i>"}]).encode(),
)


def test_equal_problems_are_one_line_and_the_csv_has_each():
    data = datasets.read(FILE)
    told = problems.table(data.groups)
    assert "<td>30</td><td>&lt;b&gt;.jsonl</td><td>line 1, 2, 3, 4, 5, …</td><td>field test</td><td>an empty candidate</td>" in told
    assert "<b>" not in told and told.count("<tr>") == 3
    assert len(data.problems) == data.bad == 31
    rows = [*csv.reader(problems.as_csv(problems._FIELDS, data.problems).decode("utf-8-sig").splitlines())]
    assert len(rows) == 32 and rows[2][:4] == ["<b>.jsonl", "line 2", "field test", "an empty candidate"]


@pytest.mark.parametrize(
    ("content", "encoding"),
    [
        ("image_id,test,ref1\n1,犬がいる。,犬が寝ている。\n".encode("cp932"), "Shift_JIS"),
        ("image_id,test,ref1\n1,犬がいる。,犬が寝ている。\n".encode("utf-16"), "UTF-16"),
        (b"image_id,test,ref1\n1,a caf\xe9 with chairs,a brown dog\n", "Windows-1252"),
        ("image_id,test,ref1\n1,犬がいる。,犬が寝ている。\n".encode("utf-8-sig"), ""),
    ],
)
def test_another_encoding_is_read_and_said(content, encoding):
    app = with_file("mine.csv", content)
    assert (t("batch.encoding", file="mine.csv", encoding=encoding) in said(app)) == bool(encoding)
    assert not said(app, "alert") and not app.button(key="batch.start").disabled and "sc-table sc-preview" not in shown(app)
