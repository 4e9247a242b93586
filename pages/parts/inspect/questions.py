"""The candidate's tuples as questions about the picture, and precision against the picture and against the references."""

from collections.abc import Mapping, Sequence
from html import escape

import streamlit as st

from pages.parts.kit.choice import download_button
from pages.parts.kit.html import show_note, table
from pages.parts.kit.texts import t
from pages.parts.state.engine import ScoredCaptions
from pages.parts.state.inspect_state import PictureAnswers, inspect_state
from pages.parts.uploads import images
from pages.parts.views import component, tuples
from spice_core.draw.style import DisplayStyle
from spice_core.lang import language
from spice_core.questions import Answer, PictureCheck, Prompt, PromptQuestions, Question, candidate_questions, check_picture
from spice_core.questions.files import dsg_rows, question_csv_lines

ANSWER_BY_NAME = {"yes": Answer.YES, "no": Answer.NO, "open": Answer.OPEN}
_SHORTCUT_BY_NAME = {"yes": "Y", "no": "N", "open": None}  # Streamlit has no shortcut "?", so ``press_on_key`` binds it to the last button


@st.fragment
def show_drawer(scored_captions: ScoredCaptions, photo: str | None, *, style: DisplayStyle) -> None:
    """Show an expander with the picture, one question at a time, and the resulting precision. A click reruns only this fragment."""
    if not language(scored_captions.settings.lang).questions or not scored_captions.result.candidate_tuples:
        return
    expander = st.expander(t("asked.title"), key="inspect.asked", on_change="rerun")
    if not expander.open:
        return
    with expander:
        picture_questions = questions_of(scored_captions)
        answers = _picture_answers(scored_captions)
        show_note(t("asked.intro"))
        picture, question = st.columns([2, 3], gap="medium")
        with picture:
            address = photo or images.choose_image(key="inspect")
            images.show_photo(address, t("asked.picture"))
            if address is None:
                show_note(t("asked.without"))
        with question:
            _show_question(scored_captions, picture_questions, answers)
            _show_check(check_picture(scored_captions.result, picture_questions, answers), style=style)
        if answers:
            _show_all(scored_captions, picture_questions, answers)


def questions_of(scored_captions: ScoredCaptions) -> list[Question]:
    """Return the questions about the candidate, generated once per result."""
    return scored_captions.cached("asked", lambda: candidate_questions(scored_captions.result))


def remaining_questions(questions: Sequence[Question], answers: Mapping[str, Answer]) -> list[Question]:
    """Return the unanswered questions, except those with a parent answered "no"."""
    return [q for q in questions if q.id not in answers and not _has_rejected_parent(q, answers)]


def _has_rejected_parent(question: Question, answers: Mapping[str, Answer]) -> bool:
    return any(answers.get(parent) is Answer.NO for parent in question.parents)


def _picture_answers(scored_captions: ScoredCaptions) -> dict[str, Answer]:
    """Return the answers for this picture. They survive a change of the candidate, because the references identify the picture."""
    stored_answers = inspect_state().picture_answers
    return dict(stored_answers.answers) if stored_answers.references == scored_captions.inputs.references else {}


def _show_question(scored_captions: ScoredCaptions, questions: Sequence[Question], answers: Mapping[str, Answer]) -> None:
    """Show the next question with its buttons and a Back button."""
    open_questions = remaining_questions(questions, answers)
    known_ids = {q.id for q in questions}
    answered_ids = [id for id in answers if id in known_ids]
    answer_count = len(questions) - len(open_questions)
    if open_questions:
        text = f'<p class="sc-note" role="status">{t("asked.progress", number=answer_count + 1, total=len(questions))}</p>'
        st.html(f'{text}<p class="sc-question" lang="{scored_captions.settings.lang}">{escape(open_questions[0].text)}</p>')
    else:
        st.html(f'<p class="sc-note" role="status">{t("asked.done")}</p>')

    def give_answer(answer_name: str) -> None:
        equal_ids = (question.id for question in open_questions if question.text == open_questions[0].text)
        _store_answers(scored_captions, {**answers, **dict.fromkeys(equal_ids, ANSWER_BY_NAME[answer_name])})

    def go_back() -> None:
        texts = {question.id: question.text for question in questions}
        _store_answers(scored_captions, {id: answer for id, answer in answers.items() if texts.get(id) != texts[answered_ids[-1]]})

    with st.container(horizontal=True, gap="small", key="inspect.answer"):
        for name, shortcut in _SHORTCUT_BY_NAME.items() if open_questions else ():
            st.button(t(f"asked.{name}"), key=f"inspect.{name}", on_click=give_answer, args=(name,), shortcut=shortcut)
        if answered_ids:
            st.button(t("asked.back"), key="inspect.unanswer", on_click=go_back, shortcut="Backspace", type="tertiary")
            st.button(t("asked.restart"), key="inspect.restart", on_click=_store_answers, args=(scored_captions, {}), type="tertiary")
    component.press_on_key("?", button="inspect.open", key="inspect.press")


def _store_answers(scored_captions: ScoredCaptions, answers: Mapping[str, Answer]) -> None:
    inspect_state().picture_answers = PictureAnswers(scored_captions.inputs.references, answers)


def _show_check(check: PictureCheck, *, style: DisplayStyle) -> None:
    """Show both precisions of the answered tuples, and the tuples on which picture and references disagree."""
    if not check.answer_count:
        return
    headers = ("", t("asked.same_tuples", number=check.answer_count))
    rows = (
        (t("asked.picture_precision"), style.format_ratio(check.picture_precision)),
        (t("asked.reference_precision"), style.format_ratio(check.reference_precision)),
    )
    st.html(table(headers, rows))
    for name, listed_questions in (("fault", check.unconfirmed), ("refuted", check.refuted)):
        if listed_questions:
            items = "".join(f"<li>{tuples.tuple_html(question.words)}</li>" for question in listed_questions)
            note = f'<p class="sc-note">{t("asked.fault_note")}</p>' if name == "fault" else ""
            st.html(f'<h4 class="sc-small">{t(f"asked.{name}")}</h4><ul class="sc-outline">{items}</ul>{note}')


def _show_all(scored_captions: ScoredCaptions, questions: Sequence[Question], answers: Mapping[str, Answer]) -> None:
    words = {Answer.YES: t("asked.yes"), Answer.NO: t("asked.no"), Answer.OPEN: "?"}
    headers = [t(f"asked.{name}") for name in ("question", "answer", "in_references")]
    body = []
    for question in questions:
        answer = words[answers[question.id]] if question.id in answers else ""
        answer = t("asked.implied_no") if _has_rejected_parent(question, answers) else answer
        is_matched = question.node in scored_captions.result.match_by_tuple
        body.append([escape(question.text), answer, t("asked.matched" if is_matched else "asked.unmatched")])
    with st.expander(t("asked.all")):
        st.html(table(headers, body))
    name = f"spice-{scored_captions.inputs.digest(scored_captions.settings)[:8]}-questions.csv"
    download_button(t("asked.file"), lambda: _answers_csv(scored_captions, questions, answers), name, "text/csv", key="inspect.asked_file")


def _answers_csv(scored_captions: ScoredCaptions, questions: Sequence[Question], answers: Mapping[str, Answer]) -> bytes:
    """Return the questions about the candidate as CSV in DSG's format, with an answer column that is empty for open questions."""
    rows = dsg_rows([PromptQuestions(Prompt("1", scored_captions.inputs.candidate), tuple(questions))])
    words = {Answer.YES: "yes", Answer.NO: "no", Answer.OPEN: "?"}
    return "".join(
        question_csv_lines({**row, "answer": words.get(answers.get(q.id, Answer.OTHER), "")} for row, q in zip(rows, questions))
    ).encode()
