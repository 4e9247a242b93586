"""Yes/no questions about the tuples of scene graphs, in the file formats of DSG and TIFA, and scores of the answers."""

from spice_core.questions.answer_values import Answer
from spice_core.questions.answers import read_answers, score_answers
from spice_core.questions.files import Prompt, PromptQuestions, read_prompts
from spice_core.questions.picture import PictureCheck, RecordedAnswers, answer_questions, candidate_questions, check_picture
from spice_core.questions.question import Question, ask, blank_parameters, questions_of

__all__ = [
    "Answer",
    "PictureCheck",
    "Prompt",
    "PromptQuestions",
    "Question",
    "RecordedAnswers",
    "answer_questions",
    "ask",
    "blank_parameters",
    "candidate_questions",
    "check_picture",
    "questions_of",
    "read_answers",
    "read_prompts",
    "score_answers",
]
