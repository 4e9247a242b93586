"""Test answers on the Batch page: joined with the captions' tuples, used as causes, and compared between two annotators."""

import csv
import io
import re
from dataclasses import replace
from html import escape
from random import Random

import pytest

from pages.parts.batch import answers
from pages.parts.jobs.runs import ScoringRun
from pages.parts.kit.texts import t
from pages.parts.uploads import datasets
from spice_core.data.work_file import UnmatchedTuple
from spice_core.scene.matching import MatchState
from tests.app.conftest import page_html, page_messages, visit
from tests.app.test_batch import score_data, upload

pytestmark = pytest.mark.usefixtures("run_tasks_in_process")
CAPTION_ROWS = [
    {"image_id": 1, "test": "A brown dog with a ball.", "refs": ["A dog."]},
    {"image_id": 2, "test": "A red umbrella.", "refs": ["An umbrella."]},
]
TRUE_CAUSE, FALSE_CAUSE = "true of the picture", "false of the picture"
QUESTIONS_ANSWERED_YES = {"Is there a dog?", "Is the dog brown?", "Is there an umbrella?"}


@pytest.fixture(scope="module")
def run() -> ScoringRun:
    return score_data(datasets.read_data(upload(*CAPTION_ROWS)))


def answers_csv(run: ScoringRun, confirmed: set[str]) -> bytes:
    rows = list(csv.DictReader(io.StringIO(answers._questions_csv(run).decode())))
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, [*rows[0], "answer"])
    writer.writeheader()
    writer.writerows({**row, "answer": "yes" if row["question_natural_language"] in confirmed else "no"} for row in rows)
    return buffer.getvalue().encode()


def open_with_answers(run: ScoringRun, *files: tuple[str, bytes]):
    app = visit("3_Batch", {"batch.run": replace(run, cache={}), "batch.answers": True})
    return app.file_uploader(key="batch.answered").set_value([(name, content, "text/csv") for name, content in files]).run()


def table_rows(html: str) -> dict[str, list[int]]:
    """Return the numbers in the table of verdicts by row."""
    rows = {name: re.search(rf"<th scope=row>{t(f'answers.{name}')}</th>((?:<td>\d+</td>)+)", html) for name in ("true", "false", "all")}
    return {name: [int(number) for number in re.findall(r"\d+", row[1])] for name, row in rows.items() if row}


@pytest.mark.parametrize("seed", range(4))
def test_table_and_sentence_and_button_show_equal_numbers(run, seed):
    questions = [row["question_natural_language"] for row in csv.DictReader(io.StringIO(answers._questions_csv(run).decode()))]
    app = open_with_answers(run, ("a.csv", answers_csv(run, {text for text in questions if Random(f"{seed} {text}").random() < 0.5})))
    html, rows = page_html(app), table_rows(page_html(app))
    assert [a + b for a, b in zip(rows["true"], rows["false"])] == rows["all"]
    assert all(row[0] + row[1] == row[2] for row in rows.values())
    (matched, unmatched, total), confirmed = rows["all"], rows["true"][2]
    numbers = {"true": confirmed, "matched": matched, "total": total}
    assert t("answers.precision", picture=f"{confirmed / total:.3f}", reference=f"{matched / total:.3f}", **numbers) in html
    assert app.button(key="batch.use_answers").label == t("answers.use", number=unmatched)
    app.button(key="batch.use_answers").click().run()
    decisions = app.session_state["BatchState"].decisions[app.session_state["batch.run"].digest]
    causes = [cause for by_tuple in decisions.tuples.values() for cause in by_tuple.values()]
    assert (causes.count(TRUE_CAUSE), causes.count(FALSE_CAUSE)) == (rows["true"][1], rows["false"][1])


def test_answers_become_causes_of_the_tuples_that_no_reference_has(run):
    app = open_with_answers(run, ("a.csv", answers_csv(run, QUESTIONS_ANSWERED_YES)))
    html = page_html(app)
    assert table_rows(html) == {"true": [2, 1, 3], "false": [0, 3, 3], "all": [2, 4, 6]}
    app.button(key="batch.use_answers").click().run()
    decisions = app.session_state["BatchState"].decisions[app.session_state["batch.run"].digest]
    make_extra_tuple = lambda *words: UnmatchedTuple(MatchState.EXTRA, words)
    assert decisions.tuples == {
        1: {
            make_extra_tuple("dog", "brown"): TRUE_CAUSE,
            make_extra_tuple("ball"): FALSE_CAUSE,
            make_extra_tuple("dog", "with", "ball"): FALSE_CAUSE,
        },
        2: {make_extra_tuple("umbrella", "red"): FALSE_CAUSE},
    }
    assert escape(t("answers.used")) in page_html(app)


@pytest.mark.parametrize("second_answers", ["ben.csv", "ann.csv"])
def test_two_annotators_have_a_kappa_and_decide_where_they_agree(run, second_answers):
    app = open_with_answers(
        run,
        ("ann.csv", answers_csv(run, QUESTIONS_ANSWERED_YES)),
        (second_answers, answers_csv(run, QUESTIONS_ANSWERED_YES | {"Is the umbrella red?"})),
    )
    html = page_html(app)
    assert "over 6 questions" in html and t("answers.both") in html
    assert table_rows(html)["false"] == [0, 2, 2], "a tuple with two answers has no verdict"


REFUSED_FILES = [
    (
        b"item_id,question_id,answer\n1,1,yes\n",
        "a.csv: found no column spice_tuple, expected the file of questions with an additional column “answer”.",
    ),
    (b'item_id,question_id,answer,spice_tuple\n9,1,yes,"[""cow""]"\n', "a.csv: no answer belongs to a tuple of these captions."),
    (b"item_id,question_id,answer,spice_tuple\n9,1,yes,cow\n", "spice_tuple: found 'cow', expected a list of one to three words"),
]


def test_a_third_file_is_refused(run):
    app = open_with_answers(run, *((f"{name}.csv", answers_csv(run, QUESTIONS_ANSWERED_YES)) for name in "abc"))
    assert t("answers.many_files", number=3, most=2) in page_messages(app, "alert") and not app.exception


@pytest.mark.parametrize(("content", "message"), REFUSED_FILES)
def test_unsuitable_files_are_refused(run, content, message):
    assert any(message in text for text in page_messages(open_with_answers(run, ("a.csv", content)), "alert"))
