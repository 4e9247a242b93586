"""Answers to questions about the pictures, which show whether the candidates' extra tuples are true of the pictures."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from pages.parts.batch import counts
from pages.parts.batch.decisions import Decisions
from pages.parts.jobs.runs import ScoringRun
from pages.parts.kit import html, page
from pages.parts.kit.bounded import call_bounded
from pages.parts.kit.choice import download_button, drawer
from pages.parts.kit.texts import error_text, t
from pages.parts.state import engine
from pages.parts.uploads import columns
from spice_core.data.work_file import ImageId, UnmatchedTuple
from spice_core.errors import InputError
from spice_core.explain.causes.suggest import ANSWER_CAUSE_NAMES
from spice_core.questions import Prompt, PromptQuestions, ask, read_answers
from spice_core.questions.answers import AnsweredQuestion, annotator_kappa, scores_with_dependencies
from spice_core.questions.files import dsg_rows, question_csv_lines
from spice_core.scene.matching import MatchState

_MAX_WORDED_CHARS = 60_000  # limit on the total length of candidates parsed while the visitor waits
_TRUE_CAUSE, _FALSE_CAUSE = ANSWER_CAUSE_NAMES
_MAX_ANNOTATORS = 2

VerdictByTuple = Mapping[tuple[str, tuple[str, ...]], bool]  # whether a tuple is true, by row id and words


class AnswerFindings(NamedTuple):
    """Answers from files, with the resulting verdicts and causes.

    Attributes:
        verdicts: The verdict on each candidate tuple that has answers on which all annotators agree.
        causes: The cause of each extra tuple with a verdict, by image.
        row_count: The number of rows with a verdict.
    """

    answered_questions: tuple[AnsweredQuestion, ...]
    verdicts: VerdictByTuple
    causes: Mapping[ImageId, Mapping[UnmatchedTuple, str]]
    row_count: int


@drawer("answers.title", "batch.answers")
def show_section(run: ScoringRun, decisions: Decisions) -> None:
    """Show an expander with the download of the questions, the upload of answers, and the resulting figures."""
    html.show_note(t("answers.note"))
    _show_questions(run)
    files = st.file_uploader(
        t("answers.upload"), type=["csv", "tsv", "json", "jsonl", "gz"], accept_multiple_files=True, key="batch.answered"
    )
    if not files:
        return
    cache_key = tuple(file.file_id for file in files)
    findings = counts.cache_latest(run, "answers", cache_key, lambda: read_files(files, run))
    if isinstance(findings, str):
        html.show_messages([findings], severity="problem")
        return
    _show_findings(findings, run, decisions)


def _show_questions(run: ScoringRun) -> None:
    """Show a button that downloads the questions about all candidates, or explain why there is no button."""
    texts = [row.candidate for row in run.rows if isinstance(row.candidate, str)]
    if run.trees or sum(map(len, texts)) > _MAX_WORDED_CHARS:
        html.show_note(t("answers.with_trees" if run.trees else "answers.many"))
        return
    file = f"spice-{run.name}-questions.csv"
    download_button(t("answers.save"), lambda: _questions_csv(run), file, "text/csv", key="batch.questions_file")


def _questions_csv(run: ScoringRun) -> bytes:
    spice = engine.cached_metric(run.settings)
    prompts = [Prompt(str(row.image_id), row.candidate) for row in run.rows if isinstance(row.candidate, str)]
    parses = spice.parse(prompt.text for prompt in prompts)
    asked_rows = (PromptQuestions(prompt, tuple(ask(spice, parse))) for prompt, parse in zip(prompts, parses))
    return "".join(question_csv_lines(dsg_rows(asked_rows))).encode()


def read_files(files: Sequence[UploadedFile], run: ScoringRun) -> AnswerFindings | str:
    """Match answers with the tuples of a run. Return a message for more than two files, an invalid file, or unmatched answers."""
    if len(files) > _MAX_ANNOTATORS:
        return t("answers.many_files", number=len(files), most=_MAX_ANNOTATORS)
    answered_questions: list[AnsweredQuestion] = []
    for index, file in enumerate(files, 1):
        try:
            rows = call_bounded(read_answers, columns.to_upload(file))
        except InputError as error:
            return error_text(error)
        if not any(question.words for question in rows):
            return t("answers.no_words", file=file.name[:80])
        answered_questions += [question._replace(annotator=f"{index} {question.annotator}") for question in rows]
    verdicts = agreed_verdicts(answered_questions)
    causes: dict[ImageId, dict[UnmatchedTuple, str]] = {}
    for row in run.rows:
        for words in row.extra:
            if (is_true := verdicts.get((str(row.image_id), words))) is not None:
                causes.setdefault(row.image_id, {})[UnmatchedTuple(MatchState.EXTRA, words)] = _TRUE_CAUSE if is_true else _FALSE_CAUSE
    judged_tuples = {(str(row.image_id), words) for row in run.rows for words, _ in row.candidate_tuples} & verdicts.keys()
    if not judged_tuples:
        return t("answers.no_match", file=files[0].name[:80])
    verdicts_of_run = {key: verdicts[key] for key in judged_tuples}
    return AnswerFindings(tuple(answered_questions), verdicts_of_run, causes, len({item for item, _ in judged_tuples}))


def agreed_verdicts(answered_questions: Iterable[AnsweredQuestion]) -> VerdictByTuple:
    """Return whether each answered tuple is true of its picture. Tuples on which annotators disagree have no verdict."""
    groups: dict[str, list[AnsweredQuestion]] = defaultdict(list)
    for question in answered_questions:
        groups[question.annotator].append(question)
    answers_by_tuple: dict[tuple[str, tuple[str, ...]], set[bool]] = defaultdict(set)
    for group in groups.values():
        for question, value in zip(group, scores_with_dependencies(group)):
            if question.words and not math.isnan(value):
                answers_by_tuple[question.item, question.words].add(bool(value))
    return {key: values.pop() for key, values in answers_by_tuple.items() if len(values) == 1}


def _show_findings(findings: AnswerFindings, run: ScoringRun, decisions: Decisions) -> None:
    """Show precision against pictures and against references, the causes, and the agreement of two annotators."""
    style = page.display_style()
    matched_by_tuple = {(str(row.image_id), words): is_matched for row in run.rows for words, is_matched in row.candidate_tuples}
    counts_by_cell = Counter((is_true, matched_by_tuple[key]) for key, is_true in findings.verdicts.items())  # true, and in a reference
    html.show_note(t("answers.matched", number=len(findings.verdicts), rows=findings.row_count))
    cells = lambda *truths: [str(sum(counts_by_cell[x, y] for x in truths for y in ys)) for ys in ((True,), (False,), (True, False))]
    rows = [[t(f"answers.{name}"), *cells(*truths)] for name, truths in (("true", (True,)), ("false", (False,)), ("all", (True, False)))]
    st.html(html.table(["", *(t(f"answers.{name}") for name in ("in_reference", "in_none", "all"))], rows))
    total = len(findings.verdicts)
    confirmed, matched = (sum(n for cell, n in counts_by_cell.items() if cell[i]) for i in range(2))
    ratios = {"picture": style.format_ratio(confirmed / total), "reference": style.format_ratio(matched / total)}
    html.show_note(t("answers.precision", true=confirmed, matched=matched, total=total, **ratios))
    if kappa := annotator_kappa(findings.answered_questions):
        html.show_note(
            t("answers.kappa", value=style.format_ratio(kappa.kappa.value), interval=style.format_interval(kappa.kappa), number=kappa.n)
        )
        html.show_note(t("answers.both"))
    new_causes = {}
    for image, by_tuple in findings.causes.items():
        if causes := {tuple_: cause for tuple_, cause in by_tuple.items() if tuple_ not in decisions.tuples.get(image, {})}:
            new_causes[image] = causes

    def store_causes() -> None:
        for image, causes in new_causes.items():
            decisions.set_tuple_causes(image, causes)

    if new_causes:
        st.button(t("answers.use", number=sum(map(len, new_causes.values()))), key="batch.use_answers", on_click=store_causes)
    elif findings.causes:
        html.show_note(t("answers.used"))
