"""Equal problems are reported once, with their number and first places."""

import json

import pytest

from spice_core.data.problems import MAX_GROUPS, Problem, Problems, describe_problem
from spice_core.data.reader import Upload, decode_text
from spice_core.data.sources import Source
from spice_core.errors import InputError, message_in_language

GOOD_ROW = {"image_id": "good", "test": "a dog", "refs": ["a brown dog"]}


def problem_groups(*rows: object, name: str = "in.jsonl") -> list[Problem]:
    problems = Problems()
    for problem in Source(Upload(name, "".join(json.dumps(row) + "\n" for row in (*rows, GOOD_ROW)).encode())):
        if isinstance(problem, InputError):
            problems.add(problem, name)
    return [*problems]


def row(image_id: int, **changes: object) -> dict:
    return {**GOOD_ROW, "image_id": image_id, **changes}


GROUPED_PROBLEMS = [
    ([row(n, test="") for n in range(300)], [(300, "line 1, 2, 3, 4, 5, …", "field test", "an empty candidate")]),
    ([row(1, test=None)], [(1, "line 1", "field test", "null")]),
    ([row(n, test=n) for n in range(4)], [(4, "line 1, 2, 3, 4", "field test", "0, 1, 2, …")]),
    ([row(1, test=1), row(2, test=None), row(3, test=3)], [(2, "line 1, 3", "field test", "1, 3"), (1, "line 2", "field test", "null")]),
    ([row(1, refs=["a", " "]), row(2, refs=["", "a"])], [(2, "line 1, 2", "field refs[…]", "nothing")]),
    ([row(1, refs=[3])], [(1, "line 1", "field refs[0]", "3")]),
    ([row(1), row(1), row(1)], [(2, "line 2, 3", "field image_id", "1")]),
    ([row(1, test=""), row(2, refs=[]), row(3, test="")], [(2, "line 1, 3", "field test", "an empty candidate"), (1, "line 2", "field refs", "[]")]),
]  # fmt: skip


@pytest.mark.parametrize(("rows", "expected_groups"), GROUPED_PROBLEMS)
def test_equal_problems_are_reported_once(rows, expected_groups):
    assert [(group.count, group.places, group.field, group.found) for group in problem_groups(*rows)] == expected_groups


def test_places_are_translated_and_reports_are_bounded():
    (group,) = problem_groups(*(row(n, test="") for n in range(9)))
    assert message_in_language(group.places, "ja") == "1, 2, 3, 4, 5, …行目" and message_in_language(group.found, "ja") == "空の候補"
    problems = Problems()
    for row_number in range(2 * MAX_GROUPS):
        problems.add(InputError(f"field {row_number}", "x" * 9_000, "y" * 9_000), "in.json")
    problem_list = [*problems]
    assert len(problem_list) == MAX_GROUPS and len(problem_list[0].found) == len(problem_list[0].expected) == 200


UNPAIRED_SURROGATES = [{"test": "a \ud83d dog"}, {"refs": ["\udc80"]}, {"image_id": "\ud83d"}, {"image_id": ["\ud83d"]}, {"\ud83d": 1}]


@pytest.mark.parametrize("row", UNPAIRED_SURROGATES)
def test_half_an_emoji_is_reported_escaped(row):
    row_without = {"refs": ["a dog"]} | row if "\ud83d" in row else GOOD_ROW | row
    messages = [
        text
        for group in problem_groups(row_without, row_without, name="\ud83d.jsonl")
        for text in (group.file, group.places, group.field, group.found)
    ]
    assert messages and all(text == text.encode("utf-8", "replace").decode() for text in messages) and "\\" in messages[-1]
    assert messages[0] == r"\ud83d.jsonl"


def test_an_invalid_byte_is_reported_with_its_place():
    with pytest.raises(InputError) as error_info:
        decode_text(b"1\tdog\n\xff\xfe\t\x81", "bad.conllu")
    problem = describe_problem(error_info.value, "bad.conllu")
    assert (problem.file, problem.places, problem.field, problem.found) == ("bad.conllu", "byte 6", "", r"\xff\xfe\t\x81")
    assert message_in_language(problem.places, "ja") == "6バイト目"
    assert str(error_info.value).startswith("bad.conllu, byte 6")
