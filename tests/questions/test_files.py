"""Test question and answer files: the layouts of DSG and TIFA, scores equal to the DSG paper's formula, and errors that name the row."""

import csv
import io
import json
import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spice_core import Spice
from spice_core.cli.main import main
from spice_core.cli.questions import format_as_csv as answers_csv
from spice_core.data.csv_text import csv_lines, restore_cell
from spice_core.data.reader import Upload
from spice_core.errors import InputError
from spice_core.questions import Prompt, PromptQuestions, RecordedAnswers, answer_questions, ask, read_answers, read_prompts, score_answers
from spice_core.questions.answers import annotator_kappa, scores_with_dependencies
from spice_core.questions.files import DSG_FIELDS, dsg_rows, json_lines, question_csv_lines, tifa_rows

CAPTIONS = {"a_1": "Two brown dogs on a sofa", "a_2": 'A "stop" sign, near trees'}
CSV_HEADER = "item_id,proposition_id,dependency,category_broad,category_detailed,answer,annotator\n"


@pytest.fixture(scope="module")
def dsg_table() -> list[PromptQuestions]:
    spice = Spice()
    return [
        PromptQuestions(Prompt(id, text), tuple(ask(spice, parse)))
        for (id, text), parse in zip(CAPTIONS.items(), spice.parse(CAPTIONS.values()))
    ]


def upload(text: str, name: str = "answers.csv") -> Upload:
    return Upload(name, text.encode())


def test_the_table_of_dsg_names_parents_by_their_numbers(dsg_table):
    rows = list(csv.DictReader(io.StringIO("".join(question_csv_lines(dsg_rows(dsg_table))))))
    assert list(rows[0]) == [*DSG_FIELDS, "spice_tuple", "spice_table"]
    assert rows == [{k: str(v) for k, v in row.items()} for row in dsg_rows(dsg_table)]
    assert json.loads("".join(json_lines(dsg_rows(dsg_table)))) == list(dsg_rows(dsg_table)) and json.loads("".join(json_lines([]))) == []
    for item in CAPTIONS:
        row_by_id = {row["proposition_id"]: row for row in rows if row["item_id"] == item}
        assert list(row_by_id) == [str(n) for n in range(1, len(row_by_id) + 1)]
        for row in row_by_id.values():
            assert row["dependency"] == "0" or all(
                row_by_id[p]["category_broad"] in ("entity", "other") for p in row["dependency"].split(",")
            )
            assert row["tuple"].startswith(f"{row['category_broad']} - {row['category_detailed']} (")


def test_tifa_asks_each_question_once(dsg_table):
    rows = list(tifa_rows([*dsg_table]))
    assert {tuple(row) for row in rows} == {("id", "caption", "question", "choices", "answer", "element_type", "element")}
    assert {(row["question"], row["element_type"]) for row in rows} >= {
        ("Are there two dogs?", "counting"),
        ("Are the dogs on the sofa?", "spatial"),
    }
    assert len({(row["id"], row["question"]) for row in rows}) == len(rows)


PROMPTS = [
    ("prompts.txt", "A dog\n\nTwo cats, sitting\n", [("1", "A dog"), ("3", "Two cats, sitting")]),
    ("p.csv", "item_id,text,tuple\na,A dog,x\na,A dog,y\nb,A cat,z\n", [("a", "A dog"), ("b", "A cat")]),
    ("p.json", '[{"id": 7, "caption": "A dog"}]', [("7", "A dog")]),
    ("p.jsonl", '{"image_id": 7, "prompt": "A dog"}\n', [("7", "A dog")]),
]


@pytest.mark.parametrize(("name", "content", "prompts"), PROMPTS)
def test_prompts_are_lines_or_rows(name, content, prompts):
    assert list(read_prompts(upload(content, name))) == prompts


REFUSED_PROMPTS = [
    ("p.csv", "item_id,text\na,A dog\na,A cat\n", "p.csv, line 3, item_id: found 'a', expected an image id that no earlier row has"),
    ("p.json", '[{"id": 1}]', "p.json, row 1: found only id, expected a field text / caption / prompt / test"),
    ("p.json", '[{"id": 1, "text": 3}]', "p.json, row 1, text: found 3, expected a caption"),
    ("p.json", "[3]", "p.json, row 1: found 3, expected an object with an id and a text, or with an id, a question and an answer"),
]


@pytest.mark.parametrize(("name", "content", "message"), REFUSED_PROMPTS)
def test_invalid_prompts_are_reported(name, content, message):
    with pytest.raises(InputError) as error:
        list(read_prompts(upload(content, name)))
    assert str(error.value) == message


def dsg_score(answers: dict[int, str], parents: dict[int, list[int]]) -> tuple[float, float]:
    """Return an item's score without and with dependencies, as in section 3 of the DSG paper."""
    answer_scores = {q: float(a == "yes") for q, a in answers.items()}
    valid_scores = {q: answer_scores[q] * all(answer_scores[p] for p in parents[q]) for q in answers}
    return sum(answer_scores.values()) / len(answer_scores), sum(valid_scores.values()) / len(valid_scores)


def test_scores_equal_those_of_dsg():
    answers = {"x": {1: "yes", 2: "no", 3: "yes", 4: "yes"}, "y": {1: "yes", 2: "yes"}}
    parents = {"x": {1: [], 2: [], 3: [2], 4: [1, 3]}, "y": {1: [], 2: [1]}}
    text = CSV_HEADER + "".join(
        f'{item},{q},"{",".join(map(str, parents[item][q])) or 0}",entity,whole,{a},\n'
        for item in answers
        for q, a in answers[item].items()
    )
    answered_questions = read_answers(upload(text))
    (score,) = score_answers(answered_questions)
    expected_scores = [dsg_score(answers[item], parents[item]) for item in answers]
    assert (score.without_dependencies.value, score.with_dependencies.value) == tuple(
        sum(score_values) / 2 for score_values in zip(*expected_scores)
    )
    assert score.categories["entity"].without_dependencies.value == 5 / 6
    assert score.categories["entity - whole"].with_dependencies.value == 4 / 6
    assert scores_with_dependencies(answered_questions) == [1, 0, 0, 1, 1, 1]


def test_open_answers_are_left_out_and_other_texts_count_as_no_with_a_notice():
    notices = []
    answered_questions = read_answers(
        upload(CSV_HEADER + "x,1,0,entity,whole,Yes!,\nx,2,0,entity,whole,?,\nx,3,0,entity,whole,a cat,\ny,1,0,entity,whole,,\n"),
        notices=notices,
    )
    (score,) = score_answers(answered_questions)
    assert (score.without_dependencies.value, score.item_count, score.question_count, score.open_count) == (0.5, 2, 4, 2)
    assert [str(n) for n in notices] == [
        "answers.csv: 1 answer is neither yes nor no and counts as no (a cat)",
        "answers.csv: 2 questions have no answer (or “?”) and are ignored",
    ]
    (empty_score,) = score_answers(read_answers(upload(CSV_HEADER + "x,1,0,entity,whole,?,\n")))
    assert math.isnan(empty_score.without_dependencies.value) and empty_score.categories["entity"].question_count == 0


def test_answers_alone_are_joined_with_their_questions_by_number_or_text():
    questions = upload(
        "item_id,proposition_id,dependency,category_broad,question_natural_language\nx,1,0,entity,Is there a dog?\nx,2,1,attribute,Is it big?\n",
        "q.csv",
    )
    by_number = read_answers(upload("item_id,question_id,answer,t2i_model\nx,1,no,sd\nx,2,yes,sd\n"), questions)
    by_text = read_answers(upload("id,question,answer,model\nx,Is there a dog?,no,sd\nx,Is it big?,yes,sd\n"), questions)
    assert by_number == by_text and scores_with_dependencies(by_number) == [0, 0]
    assert score_answers(by_number)[0].annotator == "sd"


DSG_ANSWERS = """t2i_model,item_id,question,question_id,dependency_id,answer,domain
m,p1,Is there a kettle?,1,0,no,a
m,p1,Is the kettle green?,2,1,yes,a
m,p1,Is there a stove?,3,0,yes,b
m,p1,Is the kettle on the stove?,4,"1,3",yes,b
"""
TIFA_DETAILS = {
    "a": {"who is on the beach?": {"choices": ["surfer", "diver"], "answer": "surfer", "multiple_choice_vqa": "Surfer"}},
    "b": {"is it wet?": {"choices": ["yes", "no"], "answer": "no", "multiple_choice_vqa": "no"}, "how many dogs?": {"choices": ["1", "2"], "answer": "2", "multiple_choice_vqa": "1"}},
}  # fmt: skip


@pytest.mark.parametrize(("content", "name", "by", "scores", "notice"), [
    (DSG_ANSWERS, "a.csv", "", [(0.25, 0.75)], ""),
    (DSG_ANSWERS.replace('"1,3"', '"1,9"'), "a.csv", "", [(0.25, 0.75)], "1 dependency on questions without a row is ignored"),
    (DSG_ANSWERS, "a.csv", "domain", [(0, 0.5), (1, 1)], "1 dependency on questions without a row is ignored"),
    (json.dumps({"tifa_average": 0.75, "question_details": TIFA_DETAILS}, indent=1), "t.json", "", [(0.75, 0.75)], ""),
])  # fmt: skip
def test_released_answers_of_dsg_and_tifa_are_scored(content: str, name: str, by: str, scores: list[tuple[float, float]], notice: str):
    notices: list[str] = []
    results = score_answers(read_answers(upload(content, name), by=by, notices=notices))
    assert [(result.with_dependencies.value, result.without_dependencies.value) for result in results] == scores
    assert any(notice in text for text in notices) if notice else not notices


REFUSED_ANSWERS = [
    ("x,1,0,e,w,yes,\nx,1,0,e,w,no,\n", "answers.csv: found 'x, 1', expected a single answer to each question about a picture"),
    ("", "answers.csv: found no row, expected at least one row with an answer"),
]


@pytest.mark.parametrize(("rows", "message"), REFUSED_ANSWERS)
def test_invalid_answers_are_reported(rows, message):
    with pytest.raises(InputError) as error:
        read_answers(upload(CSV_HEADER + rows))
    assert str(error.value) == message


TABLE = "item_id,text,proposition_id,dependency,question\nx,A big dog,1,0,Is there a dog?\nx,A big dog,2,1,Is it big?\n"
OTHER_QUESTIONS = [
    ("question_id,question\nx,1,Is there a cat?", TABLE, "a.csv, line 2, question_natural_language: found 'Is there a cat?', expected 'Is"),
    (
        "question_id,question\nx,1,犬がいますか。",
        TABLE,
        "found '犬がいますか。', expected 'Is there a dog?', as in question 1 about x in q.csv",
    ),
    ("question\nx,1", TABLE, "found '1', expected 'Is there a dog?'"),
    ("question_id,text\nx,1,A cat", TABLE, "a.csv, line 2, text: found 'A cat', expected 'A big dog'"),
    ('question_id,spice_tuple\nx,1,"[""cat""]"', 'item_id,question_id,spice_tuple\nx,1,"[""dog""]"\n', "spice_tuple: found '[\"cat\"]'"),
    ("question_id,spice_table\nx,1,0a", "item_id,question_id,spice_table\nx,1,0b\n", "spice_table: found '0a', expected '0b'"),
    ("question_id\nx,1", TABLE + "x,A cat,1,0,Is there a cat?\n", "q.csv, line 4, proposition_id: found '1', expected a number that no"),
    (
        "question_id\nx,1",
        "item_id,question_id\n",
        "a.csv, line 2, proposition_id: found '1', expected one of the questions about x in q.csv",
    ),
]


@pytest.mark.parametrize(("row", "questions", "message"), OTHER_QUESTIONS)
def test_answers_are_not_joined_with_other_questions(row, questions, message):
    head, line = row.split("\n")
    with pytest.raises(InputError) as error:
        read_answers(upload(f"item_id,{head},answer\n{line},no\n", "a.csv"), upload(questions, "q.csv"))
    assert message in str(error.value)


def test_missing_rows_are_reported_and_answers_by_text_apply_to_equal_questions():
    notices = []
    table = upload(TABLE + "x,A big dog,3,1,Is it big?\n", "q.csv")
    read_answers(upload("item_id,question_id,answer\nx,1,no\n", "a.csv"), table, notices=notices)
    assert [str(n) for n in notices] == [
        "a.csv: 1 of 3 questions in q.csv (33.3%) has a row; the others are ignored",
        "a.csv: 1 row refers to a question in q.csv only by its number, so answers to another table would not be detected; "
        "include the question’s text or the column spice_table",
    ]
    notices.clear()
    read_answers(upload("item_id,question_id,question,answer\nx,1,Is there a dog?,no\n", "a.csv"), table, notices=notices)
    assert len(notices) == 1
    answered_questions = read_answers(upload("item_id,question,answer\nx,Is there a dog?,yes\nx,Is it big?,yes\n"), table)
    assert [question.question for question in answered_questions] == ["1", "2", "3"] and scores_with_dependencies(answered_questions) == [
        1,
        1,
        1,
    ]


def test_tifa_results_contain_model_answers_and_null_is_open():
    rows = [{"id": 1, "question": q, "answer": "yes", "multiple_choice_vqa": a} for q, a in (("A?", "no"), ("B?", None))]
    assert [str(question.answer) for question in read_answers(upload(json.dumps(rows), "a.json"))] == ["no", "open"]
    questions = [{"id": 1, "question": "A?", "choices": ["yes", "no"], "answer": "yes"}]
    with pytest.raises(InputError, match="expected a field multiple_choice_vqa"):
        read_answers(upload(json.dumps(questions), "tifa.json"))


def test_missing_or_changed_rows_are_detected(dsg_table):
    rows = [{**row, "answer": "yes"} for row in dsg_rows(dsg_table)]
    swapped_rows = [
        {**row, "question_natural_language": other_row["question_natural_language"]} for row, other_row in zip(rows, rows[::-1])
    ]
    numbered = [*rows[:-1], {**rows[-1], "proposition_id": "9" * 5000}]
    for changed_rows, notice_count in ((rows, 0), (rows[::-1], 0), (rows[:-1], 1), (swapped_rows, 1), (numbered, 1)):
        notices = []
        read_answers(upload("\n".join(json.dumps(row) for row in changed_rows), "answers.jsonl"), notices=notices)
        assert len([n for n in notices if "some of the questions that were written for" in str(n)]) == notice_count, notices


def test_formulas_in_a_table_of_questions_are_escaped_and_read_back():
    spice, texts = Spice(), ["=1+1 dogs", "two cats;=1+1", "a dog;\t@SUM(A1)", "'=2 dogs", "a cat\n-1 dog"]
    table = [
        PromptQuestions(Prompt(f"+{i}", text), tuple(ask(spice, parse))) for i, (text, parse) in enumerate(zip(texts, spice.parse(texts)))
    ]
    text, notices = "".join(question_csv_lines({**row, "answer": "yes"} for row in dsg_rows(table))), []
    cells = [part for row in csv.reader(io.StringIO(text)) for cell in row for part in re.split(r"[;\n]", cell)]
    assert [cell for cell in cells if re.match(r"\s*[=+@-].", cell)] == []
    answered_questions = read_answers(upload(text), notices=notices)
    assert {question.item for question in answered_questions} == {f"+{i}" for i in range(len(texts))} and notices == []


@given(st.text("'=+-@;\t\r\n ab"))
def test_cells_are_restored(text):
    assert restore_cell(next(csv.reader(io.StringIO("".join(csv_lines([[text, "x"]])), newline="")))[0]) == text


@pytest.mark.parametrize(("rows", "message"), [
    ([{"item_id": {"a": 1}, "question_id": 1, "answer": "yes"}], "line 1, item_id: found {'a': 1}, expected an integer or a text"),
    ([{"item_id": math.nan, "question_id": 1, "answer": "yes"}], "line 1, item_id: found nan, expected an integer or a text"),
    ([{"item_id": 1, "question_id": [1], "answer": "yes"}], r"line 1, proposition_id: found \[1\], expected an integer or a text"),
    ([{"item_id": 1, "question_id": 1, "answer": "yes", "annotator": 0.5}], "line 1, annotator: found 0.5, expected an integer or a text"),
    ([{"item_id": 1, "question_id": n, "answer": "yes", "dependency": f"{n % 3 + 1}"} for n in (1, 2, 3)],
     "found 'dependency . → . → . → .', expected dependencies of the questions about 1 without a cycle"),
    ([{"item_id": 1, "question_id": 1, "answer": "yes", "dependency": "1"}], "found 'dependency 1 → 1', expected"),
])  # fmt: skip
def test_invalid_ids_and_cycles_are_reported(rows, message):
    with pytest.raises(InputError, match=message):
        read_answers(upload("\n".join(map(json.dumps, rows)), "a.jsonl"))


NUMERIC_ANSWERS = [("0.93", "found '0.93', expected yes or no"), ("-1", "found '-1'"), ("97%", "found '97%'"), ("1e3", "found '1e3'")]


@pytest.mark.parametrize(("value", "message"), NUMERIC_ANSWERS)
def test_probabilities_are_refused_as_answers(value, message):
    with pytest.raises(InputError, match=message):
        read_answers(upload(CSV_HEADER + f"x,1,0,entity,whole,{value},\n"))


def test_recorded_answers_are_consistent():
    with pytest.raises(InputError, match="line 3, question_natural_language: found 'A.', expected a single answer"):
        RecordedAnswers(upload("id,question,answer\n1,A?,yes\n1,A?,no\n"))
    with pytest.raises(InputError, match="line 2: found only id, question, expected a field multiple_choice_vqa / answer"):
        RecordedAnswers(upload("id,question\n1,A?\n"))
    recorded = RecordedAnswers(upload("id,question,answer\n1,A?,?\n"))
    assert recorded("1", ["A?"]) == [False] and recorded.missing == 1


def test_rows_without_a_question_or_an_answer_are_reported():
    with pytest.raises(InputError, match=r"line 2, proposition_id: found '9', expected one of the questions about x in q.csv"):
        read_answers(upload("item_id,question_id,answer\nx,9,no\n"), upload("item_id,proposition_id\nx,1\n", "q.csv"))
    with pytest.raises(InputError, match="line 2: found only item_id, proposition_id, expected a field multiple_choice_vqa / answer"):
        read_answers(upload("item_id,proposition_id\nx,1\n"))


def test_the_digest_of_a_table_changes_with_its_questions_and_their_order(dsg_table):
    (prompt, questions), other_question = dsg_table[0], dsg_table[1]
    digests = [
        next(dsg_rows([question]))["spice_table"]
        for question in (dsg_table[0], PromptQuestions(prompt, questions[::-1]), PromptQuestions(prompt, other_question.questions))
    ]
    assert len({*digests}) == 3 and {row["spice_table"] for row in dsg_rows([dsg_table[0]])} == {digests[0]}


def test_a_file_has_a_bounded_number_of_annotators_and_categories(monkeypatch):
    monkeypatch.setattr("spice_core.questions.answers.MAX_ANSWER_GROUPS", 2)
    for rows, expected_text in (("x,{0},0,e{0},w,yes,\n", "category: 3"), ("x,1,0,e,w,yes,a{0}\n", "annotator: 3")):
        with pytest.raises(InputError, match=f"found '{expected_text}', expected a field of at most 2 different values"):
            read_answers(upload(CSV_HEADER + "".join(rows.format(item_number) for item_number in range(3))))


def test_categories_share_their_resamples_however_many_there_are(monkeypatch):
    rows = "".join(f"x{i},{q},0,e{q},w,{'yes' if (i + q) % 3 else 'no'},\n" for i in range(8) for q in range(3))
    joint_scores = score_answers(read_answers(upload(CSV_HEADER + rows)))
    monkeypatch.setattr("spice_core.questions.answers._CATEGORIES_PER_BLOCK", 1)
    assert score_answers(read_answers(upload(CSV_HEADER + rows))) == joint_scores
    assert not math.isnan(joint_scores[0].categories["e0"].without_dependencies.low)


def test_kappa_covers_questions_answered_by_both_annotators():
    rows = "".join(f"x{i},1,0,e,w,{a},{name}\n" for name, answers in (("ann", "yyn?"), ("ben", "yynn")) for i, a in enumerate(answers))
    answered_questions = read_answers(upload(CSV_HEADER + rows))
    kappa = annotator_kappa(answered_questions)
    assert kappa is not None and (kappa.n, kappa.kappa.value) == (3, 1.0)
    assert annotator_kappa(answered_questions[:4]) is None


def test_names_in_the_table_of_scores_are_not_formulas():
    answered_questions = read_answers(upload(CSV_HEADER + "x,1,0,=e,w,yes,=1+1\n"))
    assert [line.split(",")[:2] for line in answers_csv(score_answers(answered_questions), None).splitlines()[1:]] == [
        ["'=1+1", "all"],
        ["'=1+1", "'=e"],
        ["'=1+1", "'=e - w"],
    ]


def test_a_model_answers_by_a_function(dsg_table):
    recorded = RecordedAnswers(upload("id,question,answer\na_1,Are there dogs?,yes\na_1,Is there a sofa?,no\n"))
    rows = list(answer_questions(recorded, [(dsg_row.prompt.id, dsg_row) for dsg_row in dsg_table]))
    assert [row["answer"] for row in rows[:3]] == ["yes", "no", "no"] and recorded.missing == len(rows) - 2
    assert [{k: v for k, v in row.items() if k != "answer"} for row in rows] == list(dsg_rows(dsg_table))
    for wrong_answers in ([True], ["yes"] * len(dsg_table[0].questions)):
        with pytest.raises(InputError, match=r"expected \d answers, True or False, one for each question"):
            list(answer_questions(lambda image, texts, wrong_answers=wrong_answers: wrong_answers, [("a_1", dsg_table[0])]))


def test_the_commands_write_questions_and_score_their_answers(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.txt").write_text("A brown dog --ar 16:9\n!\n")
    assert main(["questions", "p.txt", "--out", "q.json"]) == 0
    assert capsys.readouterr().err == "spice-core: p.txt: 1 text has no tuples and therefore no questions (2)\n"
    rows = json.loads((tmp_path / "q.json").read_text())
    assert [row["question_natural_language"] for row in rows] == ["Is there a dog?", "Is the dog brown?"]
    (tmp_path / "a.json").write_text(json.dumps([{**row, "answer": "yes"} for row in rows]))
    assert main(["answers", "a.json", "--format", "json"]) == 0
    scores_by_item = json.loads(capsys.readouterr().out)["scores"]
    assert {(s["category"], s["with_dependencies"]["value"]) for s in scores_by_item} >= {("all", 1.0), ("attribute - color", 1.0)}
    assert main(["answers", "a.json", "--format", "csv"]) == 0
    assert capsys.readouterr().out.startswith("annotator,category,questions,with,low")
    assert main(["answers", "a.json"]) == 0 and "; 1 item, 0 unanswered questions\n" in capsys.readouterr().out
    assert main(["questions", "p.txt", "--format", "tifa"]) == 0 and json.loads(capsys.readouterr().out)[0]["answer"] == "yes"
    assert main(["answers", "p.txt"]) == 2


def test_several_processes_write_the_same_file(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.txt").write_text("A brown dog\nTwo cats sit on a wall\n" * 70)
    assert main(["questions", "p.txt", "--out", "1.csv"]) == main(["questions", "p.txt", "--workers", "2", "--out", "2.csv"]) == 0
    assert (tmp_path / "1.csv").read_bytes() == (tmp_path / "2.csv").read_bytes()
    assert main(["questions", "p.txt", "--workers", "0"]) == 2 and "--workers" in capsys.readouterr().err
