"""Yes/no questions of scene graphs: one for each tuple, in the files of DSG and TIFA, and the scores of their answers."""

from spice_core.questions.question import Question, ask, blank_parameters, questions_of

__all__ = ["Question", "ask", "blank_parameters", "questions_of"]
