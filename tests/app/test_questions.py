"""Test questions on the Inspect page: shown one by one, answered by buttons, with precision against the picture and the references."""

import csv
import io
import re

from PIL import Image

from pages.parts.inspect import questions
from pages.parts.kit.texts import t
from tests.app.conftest import choose_example, enter_and_score, open_drawer, open_page, page_html

QUESTIONS_ANSWERED_YES = {"Is there a dog?", "Is there a ball?", "Is the dog brown?", "Does the dog have a ball?"}


def shown_question(app) -> str:
    return re.findall(r'<p class="sc-question" lang="(?:en|ja)">(.*?)</p>', page_html(app))[0]


def precisions(app) -> list[str]:
    return [
        re.search(rf"{re.escape(t(f'asked.{name}_precision'))}</th><td>(.*?)</td>", page_html(app))[1] for name in ("picture", "reference")
    ]


def answer_all(app, true_questions: set[str]) -> list[str]:
    """Answer every question on the page, and return the questions."""
    texts = []
    while "inspect.yes" in {button.key for button in app.button}:
        texts.append(shown_question(app))
        app = app.button(key="inspect.yes" if texts[-1] in true_questions else "inspect.no").click().run()
    return texts


def test_questions_are_answered_one_by_one(app):
    app = open_drawer(enter_and_score(app, "A brown dog with a ball on a sofa", "A dog on a sofa"), "asked")
    texts = answer_all(app, QUESTIONS_ANSWERED_YES)
    assert "Is there a sofa?" in texts and not any("on the sofa" in text for text in texts), "what depends on the sofa is not asked"
    assert precisions(app)[0] != precisions(app)[1]
    html = page_html(app)
    fault, refuted_html = (html.partition(t(f"asked.{name}"))[2].partition("</ul>")[0] for name in ("fault", "refuted"))
    assert "<li>dog: brown</li>" in fault and "<li>ball</li>" in fault and "<li>sofa</li>" in refuted_html
    app = app.button(key="inspect.unanswer").click().run()
    assert shown_question(app) == texts[-1]
    app = app.button(key="inspect.open").click().run()
    assert t("asked.done") in page_html(app)
    app = enter_and_score(app, "A brown dog and a cat", "A dog on a sofa")
    assert shown_question(app) == "Is there a cat?", "the picture is the same, so the other answers stay"
    app = enter_and_score(app, "A brown dog", "A cat")
    assert shown_question(app) == "Is there a dog?"
    app = enter_and_score(app, "A fire hydrant", "A cat")
    assert answer_all(app, {"Is there a fire hydrant?"}) == ["Is there a fire hydrant?"], "a question of two tuples is asked once"
    app.button(key="inspect.unanswer").click().run()
    assert shown_question(app) == "Is there a fire hydrant?"


def test_the_answers_are_a_table_of_dsg(app):
    app = open_drawer(enter_and_score(app, "A brown dog", "A dog"), "asked")
    app.button(key="inspect.yes").click().run()
    scored_captions = app.session_state["InspectState"].scored
    answers = app.session_state["InspectState"].picture_answers.answers
    rows = list(
        csv.DictReader(io.StringIO(questions._answers_csv(scored_captions, questions.questions_of(scored_captions), answers).decode()))
    )
    assert [(row["question_natural_language"], row["answer"]) for row in rows] == [("Is there a dog?", "yes"), ("Is the dog brown?", "")]


def test_a_picture_can_be_shown_next_to_the_question(app):
    buffer = io.BytesIO()
    Image.new("RGB", (40, 30), "red").save(buffer, "PNG")
    app = open_drawer(enter_and_score(app, "A brown dog", "A dog"), "asked")
    assert t("asked.without") in page_html(app)
    app = app.file_uploader(key="inspect.image").set_value(("dog.png", buffer.getvalue(), "image/png")).run()
    assert 'class="sc-photo" src="./image/' in page_html(app)
    app = app.file_uploader(key="inspect.image").set_value(("dog.png", b"no picture", "image/png")).run()
    assert t("images.no_image", file="dog.png") in page_html(app) and 'class="sc-photo"' not in page_html(app)


def test_questions_are_in_the_language_of_the_captions_and_hostile_words_are_text():
    app = open_drawer(choose_example(open_page(ui="en"), "ja-umbrella"), "asked")
    assert shown_question(app).endswith("か。")
    app = open_drawer(enter_and_score(open_page(), 'A <script>alert(1)</script> "<b>dog</b>" sign', "A dog"), "asked")
    answer_all(app, set())
    assert "<script>" not in page_html(app) and "<b>dog" not in page_html(app)
