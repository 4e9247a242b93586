"""Input files: what is read, and the one line that names what is wrong."""

from __future__ import annotations

import json

import pytest

from spice_core.data import read_items
from spice_core.errors import InputError
from spice_core.scene.propositions import Parse

GOOD = {"image_id": 7, "test": "a dog", "refs": ["a brown dog", [["dog"], ["dog", "on", "sofa"]]]}


def written(tmp_path, text: str | bytes):
    path = tmp_path / "in.json"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize(
    "text", [json.dumps([GOOD]), json.dumps([GOOD], indent=1), json.dumps(GOOD) + "\n\n", "\ufeff" + json.dumps([GOOD])],
    ids=["array", "indented", "lines", "byte-order mark"],
)  # fmt: skip
def test_json_and_json_lines(tmp_path, text):
    (item,) = read_items(written(tmp_path, text))
    assert (item.image_id, item.candidate, item.references[0]) == (7, "a dog", "a brown dog")
    assert isinstance(item.references[1], Parse) and list(item.captions) == ["a dog", "a brown dog"]


def row(**changes) -> str:
    return json.dumps([GOOD, {**GOOD, **changes}])


BAD = [
    ("", "found an empty file, expected a JSON array or one JSON object per line"),
    ("image,caption", "line 1, column 1: found 'image,caption', expected JSON (Expecting value)"),
    ('[\n {"image_id": 1,}]', "line 2, column 17: found '}]', expected JSON"),
    (json.dumps(GOOD) + "\n{", "line 2, column 2: found '', expected JSON"),
    (row(test="caf?").encode().replace(b"?", "éü".encode() + b"\xe9"), "row 2, field test: found b'\\xe9', expected text in UTF-8"),
    ("[3]", "row 1: found 3, expected an object with image_id, test and refs"),
    ('[{"image_id": 1, "test": "x"}]', "row 1, field refs: found only image_id, test, expected a field refs"),
    ('[{"test": "x", "refs": ["x"]}]', "row 1, field image_id: found only test, refs"),
    (row(refs=[]), "row 2, field refs: found [], expected a list of at least one caption"),
    (row(refs="a dog"), "row 2, field refs: found 'a dog', expected a list of at least one caption"),
    (row(refs=["a dog", 3]), "row 2, field refs[1]: found 3, expected a caption or a list of propositions"),
    (row(test=3), "row 2, field test: found 3, expected a caption or a list of propositions"),
    (row(test=None), "row 2, field test: found None"),
    (row(test=[["dog"], ["a", "b", "c", "d"]]), "row 2, field test[1]: found ['a', 'b', 'c', 'd'], expected a list of one to three words"),
    (row(test_en="a dog"), "row 2, field refs_en: found only image_id, test, refs, test_en, expected a field refs_en"),
    (row(test_en="a dog", refs_en=[]), "row 2, field refs_en: found [], expected a list of at least one caption"),
    (row(test=[["dog", 1]]), "row 2, field test[0]: found ['dog', 1]"),
]


@pytest.mark.parametrize(("text", "message"), BAD, ids=[b[1][:40] for b in BAD])
def test_errors_name_file_row_and_field(tmp_path, text, message):
    path = written(tmp_path, text)
    with pytest.raises(InputError) as error:
        read_items(path)
    assert str(error.value).startswith(str(path)) and message in str(error.value)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(InputError, match="nothing.json: found No such file or directory"):
        read_items(tmp_path / "nothing.json")
