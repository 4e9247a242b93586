"""Test exercises: the metric checks right, wrong and unexpected answers."""

import json
from html import escape, unescape

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.kit.texts import t
from pages.parts.learn import exercises, material, progress
from pages.parts.learn.exercises import ENGLISH_EXERCISES, EXERCISE_BY_ID
from tests.app.conftest import button_keys, component_data, open_page, page_html, page_messages

FULL_ANSWER = ENGLISH_EXERCISES[0].model_answer["tuples"]
SEAL_ANSWER = ENGLISH_EXERCISES[5].model_answer
# Exercises with correct answers that differ from the model answers.
RIGHT_ANSWERS = [
    ("E1", {"tuples": FULL_ANSWER.replace("woman, hold\n", "")}),
    ("E1", {"tuples": "\n".join(f"({line})" for line in reversed(FULL_ANSWER.upper().splitlines()))}),
    ("E2", {"candidate": "Street!"}), ("E2", {"candidate": "a coach"}),
    ("E3", {"candidate": "A cat sits on a chair. A dog sleeps on a couch."}),
    ("E4", {"candidate": "two brown horses in a green field"}),
    ("E5", {"candidate": "A hound sleeps on a lounge."}),
    ("E6", {**SEAL_ANSWER, "candidate": "A cat sits on a stool.", "reference": "A cat sits on a toilet.",
            "sense_matched": "toilet.n.02", "sense_meant": "stool.n.01"}),
    ("E7", {"candidate": "Middle of the road. Bus driving on the road. Bus driving down a city street. Red double decker bus. Bus driving past other buses."}),
    ("E8", {"candidate": "A dog might sleep on a sofa."}), ("E8", {"candidate": "If a dog sleeps on a sofa!"}),
    ("E9", {"reference": "A small dog."}),
    ("E11", {"pattern": "{}=noun >amod {}=adjective"}),
    ("E12", {"candidate": "海を見ている人が傘をさしている"}),
    ("E14", {"numbers": "12 11 10 8 6 5 4 1"}),
    ("E13", {"follows": "A lamp is to the right of a red cup.", "contradicts": "A green cup."}),
]  # fmt: skip
# Exercise, wrong answer, and the first condition that the answer fails.
WRONG_ANSWERS = [
    ("E1", {"tuples": "woman, holds a, dog"}, "f1"), ("E1", {"tuples": FULL_ANSWER.replace("woman, hold, dog", "dog, hold, woman")}, "f1"),
    ("E1", {"tuples": "a, b, c, d"}, "unread"), ("E1", {"tuples": "dog,,"}, "unread"), ("E1", {"tuples": " \n "}, "empty"),
    ("E1", {"tuples": "dog\n" * 41}, "unread"),
    ("E2", {"candidate": "A red bus."}, "tuples"), ("E2", {"candidate": "A dog."}, "precision"), ("E2", {"candidate": "?"}, "precision"),
    ("E3", {"candidate": "A dog."}, "recall"), ("E3", {"candidate": "A dog sleeps on a sofa and a chair."}, "precision"),
    ("E4", {"candidate": "Two horses in a field."}, "colour"), ("E4", {"candidate": "Two brown horses run in a green field."}, "one_word"),
    ("E4", {"candidate": "Four brown horses in a green field."}, "count"),
    ("E5", {"candidate": "A dog sleeps on a sofa, a couch."}, "without"), ("E5", {"candidate": "A puppy sleeps on a couch."}, "f1"),
    ("E6", {**SEAL_ANSWER, "reference": "A boy looks at a seal."}, "synonym"), ("E6", {**SEAL_ANSWER, "reference": "A boy looks at a dog."}, "f1"),
    ("E6", {**SEAL_ANSWER, "sense_matched": "dog.n.01"}, "sense_matched"), ("E6", {**SEAL_ANSWER, "sense_meant": SEAL_ANSWER["sense_matched"]}, "sense_meant"),
    ("E6", {**SEAL_ANSWER, "sense_meant": "dog.n.01"}, "sense_meant"), ("E6", {**SEAL_ANSWER, "sense_meant": ""}, "sense_meant"),
    ("E7", {"candidate": "A bus."}, "f1"),
    ("E8", {"candidate": "A DOG sleeps on a sofa"}, "new"), ("E8", {"candidate": "A dog never sleeps on a sofa."}, "same_tuples"),
    ("E8", {"candidate": "The dog is sleeping on the sofa."}, "doubt"),
    ("E9", {"reference": "a little dog lies on a COUCH"}, "new"), ("E9", {"reference": "A cat."}, "same_number"),
    ("E10", {"tuples": "dog", "candidate": "A dog."}, "meaning"), ("E10", {**ENGLISH_EXERCISES[9].model_answer, "tuples": "dog\ntoddler"}, "right_tuples"),
    ("E11", {"pattern": "{tag:/NN.*/}=noun >amod {tag:JJ}=adjective"}, "parses"), ("E11", {"pattern": "{}=noun >amod {}=noun2"}, "unread"),
    ("E11", {"pattern": "''' x"}, "unread"), ("E11", {"pattern": "{}=noun ><"}, "unread"),
    ("E12", {"candidate": "人が傘をさして、海を見ている。"}, "new"), ("E12", {"candidate": "海を見て傘をさしている"}, "subject"),
    ("E12", {"candidate": "犬が海を見ている"}, "f1"),
    ("E13", {"follows": "A blue cup.", "contradicts": "A blue cup."}, "precision"), ("E13", {"follows": "A cup.", "contradicts": "A cat."}, "entailed"),
    ("E13", {**ENGLISH_EXERCISES[12].model_answer, "contradicts": "A cat sleeps."}, "contradicted"),
    ("E14", {"numbers": "all of them"}, "only_yes"), ("E14", {"numbers": "1 2"}, "only_yes"), ("E14", {"numbers": "1, 4"}, "all_yes"),
    ("E2", {"candidate": "bus " * 800}, "excess"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "answer"), [*((exercise.id, exercise.model_answer) for exercise in EXERCISE_BY_ID.values()), *RIGHT_ANSWERS]
)
def test_model_answers_and_other_right_answers_pass_and_initial_texts_fail(name, answer, monkeypatch):
    monkeypatch.setattr(material, "interface_language", lambda: {"E": "en", "J": "ja"}[name[0]])
    checked_answer = exercises.check_answer(EXERCISE_BY_ID[name], answer)
    assert checked_answer.is_solved, checked_answer.failed_condition and checked_answer.failed_condition.hint
    assert not exercises.check_answer(EXERCISE_BY_ID[name], EXERCISE_BY_ID[name].initial_texts).is_solved


@pytest.mark.parametrize(("name", "answer", "condition"), WRONG_ANSWERS)
def test_a_wrong_answer_fails_with_a_hint(name, answer, condition):
    failed_condition = exercises.check_answer(EXERCISE_BY_ID[name], answer).failed_condition
    assert failed_condition and failed_condition.name == condition and failed_condition.hint


def open_exercise(name: str, **params: str) -> AppTest:
    return open_page("pages/6_Learn.py", exercise=name, **params)


def answer_exercise(app: AppTest, name: str, answer: dict[str, str]) -> AppTest:
    for field, text in answer.items():
        key = f"learn.{name}.{field}"
        {widget.key: widget for widget in (*app.text_input, *app.text_area, *app.selectbox)}[key].set_value(text)
    return app.button(key=f"learn.{name}.check").click().run()


@pytest.mark.parametrize("name", EXERCISE_BY_ID)
def test_every_exercise_opens_from_the_address_and_is_presented(name):
    language = {"E": "en", "J": "ja"}[name[0]]
    app = open_exercise(name, ui=language, present="1")
    exercise, stage = EXERCISE_BY_ID[name], component_data(app, "spice_present")
    assert t(f"exercises.e{exercise.number}_task", language=language) in unescape(page_html(app)) and app.query_params["exercise"] == name
    assert all(escape(caption) in page_html(app) for caption in exercise.given_texts)
    assert stage["ask"] == t(f"exercises.e{exercise.number}_task", language=language)
    assert stage["pictures"] and f"exercise={name}" in stage["link"]
    assert name != "E3" or stage["own"][0] == exercise.initial_texts["candidate"]


def test_a_link_to_an_exercise_opens_its_version_in_the_interface_language():
    for name, language in (("E4", "ja"), ("J4", "en")):
        app = open_exercise(name, ui=language)
        assert app.query_params["exercise"] == {"ja": "J4", "en": "E4"}[language]


def test_progress_is_stored_and_a_hint_names_the_failure_and_shared_senses_can_be_chosen():
    app = answer_exercise(open_exercise("E3"), "E3", {"candidate": "A dog."})
    assert "Recall is 0.250 (1 of 4)" in page_html(app) and t("exercises.progress", done=0, total=len(ENGLISH_EXERCISES)) in page_html(app)
    app = answer_exercise(app, "E3", EXERCISE_BY_ID["E3"].model_answer)
    assert t("exercises.solved") in page_html(app) and t("exercises.progress", done=1, total=len(ENGLISH_EXERCISES)) in page_html(app)
    app = app.selectbox(key="learn.exercise").set_value("E5").run()
    app = app.selectbox(key="learn.exercise").set_value("E3").run()
    assert app.text_input(key="learn.E3.candidate").value == EXERCISE_BY_ID["E3"].model_answer["candidate"]
    assert t("exercises.solved") in page_html(app)
    app = answer_exercise(open_exercise("E6"), "E6", {name: SEAL_ANSWER[name] for name in ("candidate", "reference")})
    app = answer_exercise(app, "E6", {name: SEAL_ANSWER[name] for name in ("sense_matched", "sense_meant")})
    assert t("exercises.solved") in page_html(app)


def test_each_try_gives_a_hint_and_the_answer_comes_last():
    app, tip = answer_exercise(open_exercise("E1"), "E1", {"tuples": "a, b, c, d"}), unescape(t("exercises.e1_tip"))
    assert t("exercises.tries_left", number=3) in page_html(app), "what cannot be read is no try"
    for try_number in (1, 2, 3):
        app = answer_exercise(app, "E1", {"tuples": f"woman, holds a, dog\ndog, {try_number}"})
        page = unescape(page_html(app))
        assert "Unmatched candidate tuples" in page if try_number > 1 else "Unmatched candidate tuples" not in page
        assert (tip in page) == (try_number > 2) and ("learn.E1.model.show" in button_keys(app)) == (try_number > 2)
        assert (t("exercises.tries_left", number=3 - try_number) in page) == (try_number < 3)
    assert not app.code
    assert app.button(key="learn.E1.model.show").click().run().code[0].value == FULL_ANSWER


def test_a_solved_exercise_leads_to_the_next_and_markup_stays_text():
    app = open_exercise("E2")
    assert f"<dt>{t('captions.reference', number=5)}</dt>" in page_html(app)
    app = answer_exercise(app, "E2", EXERCISE_BY_ID["E2"].model_answer)
    app = app.button(key="learn.E2.next").click().run()
    assert app.query_params["exercise"] == "E3" and t("exercises.e3_task") in page_html(app)
    app = app.button(key="learn.back").click().run()
    assert app.query_params["exercise"] == "E2"
    assert t("exercises.solved") in page_html(app)
    assert "✓ E2" in str(app.selectbox(key="learn.exercise").options)
    assert "<script>" not in page_html(answer_exercise(app, "E2", {"candidate": "<script> dog"}))


def test_valid_progress_stored_in_the_tab_is_restored():
    content = {
        "solved": ["E2", "E99", 5], "answers": {"E2": {"candidate": "A bus.", "x": "y"}, "E3": {"candidate": "\ud83d dog"}, "E99": {}, "E4": 7},
        "tries": {"E1": 2, "E2": -1, "E3": True, "E4": "9"}, "steps": {"tree": "a", "match": "nope", "x": "a"}, "revealed": ["tree", "<b>"],
        "items": {"0": "4", "50": "1", "1": None}, "more": {},
    }  # fmt: skip
    progress_ = progress.read_progress(content)
    assert progress_.solved_ids == {"E2"} and progress_.answers["E2"] == {"candidate": "A bus."} and list(progress_.answers) == ["E2", "E3"]
    assert progress_.answers["E3"]["candidate"].encode() and progress_.tries == {"E1": 2} and progress_.steps == {"tree": "a"}
    assert progress_.revealed_steps == {"tree"} and progress_.items == {"0": "4"}
    assert progress.read_progress(json.loads(json.dumps(progress.as_dict(progress_)))) == progress_
    for broken in (
        None,
        [],
        "x",
        {"solved": {}, "answers": [], "tries": None, "items": ["0"]},
        {"answers": {"E2": {"candidate": "x" * 10**6}}},
    ):
        assert progress.as_dict(progress.read_progress(broken)) == {}, broken


@pytest.mark.parametrize("name", ["E99", "<b>", "x" * 5_000])
def test_an_unknown_exercise_is_reported(name):
    app = open_exercise(name)
    assert len(page_messages(app)) == 1 and len(page_messages(app)[0]) < 200 and t("exercises.e1_task") in unescape(page_html(app))
