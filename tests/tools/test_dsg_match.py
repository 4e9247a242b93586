"""Test matching of DSG's tuples with ours."""

import pytest

from spice_core.questions import Question
from tools.benchmarks.dsg_match import dsg_tuples, match_flags

DSG_MATCHES = [  # our tuple in DSG's notation, DSG's tuples, whether ours is matched, and how many of DSG's are matched
    ("entity - whole (dogs)", ["entity - whole (dog)"], True, 1),
    ("entity - whole (dogs)", ["attribute - state (dog, sleep)"], False, 0),
    ("entity - whole (people)", ["entity - whole (group of people)"], True, 1),
    ("entity - whole (hong)", ["entity - whole (hong kong)"], False, 0),
    ("attribute - type (gloves, boxing)", ["entity - whole (boxing gloves)"], True, 1),
    ("attribute - color (flowers, red)", ["relation - spatial (red flowers, vase, in)"], True, 0),
    ("relation - spatial (slice of pizza, pizza, of)", ["entity - whole (slice of pizza)"], True, 0),
    ("relation - spatial (dirt, hydrant, surround)", ["relation - spatial (hydrant, dirt, surrounded by)"], True, 1),
    ("relation - spatial (dog, cat, near)", ["relation - spatial (cat, dog, chase)"], False, 0),
]


def question(dsg: str) -> Question:
    kind, _, parts = dsg.rstrip(")").partition(" (")
    broad_kind, detail = kind.split(" - ")
    names = tuple(parts.split(", "))
    return Question(dsg, "", names, (broad_kind, detail), names, (), "", "")


def row(*tuples: str) -> dict:
    kinds = [tuple_text.partition(" (")[0].split(" - ") for tuple_text in tuples]
    return {
        "tuples": [
            {"tuple": tuple_text, "proposition_id": str(i), "dependency": "0", "category_broad": kind[0], "category_detailed": kind[1]}
            for i, (tuple_text, kind) in enumerate(zip(tuples, kinds), 1)
        ]
    }


@pytest.mark.parametrize(("own_question", "dsg", "hit", "hits"), DSG_MATCHES)
def test_tuples_with_the_same_meaning_match(own_question, dsg, hit, hits):
    own_flags, dsg_flags = match_flags([question(own_question)], dsg_tuples(row(*dsg)), is_strict=False)
    assert (own_flags, sum(dsg_flags)) == ([hit], hits)


def test_an_object_that_only_a_matched_relation_names_is_matched_unless_strict():
    asked_questions = [question("entity - whole (elbow)"), question("relation - spatial (arm, elbow, bent at)")]
    other = dsg_tuples(row("attribute - state (arm, bent at the elbow)"))
    assert match_flags(asked_questions, other, is_strict=False)[0] == [True, True]
    assert match_flags(asked_questions, other, is_strict=True)[0] == [False, True]
    assert match_flags([asked_questions[0]], other, is_strict=False)[0] == [False]
