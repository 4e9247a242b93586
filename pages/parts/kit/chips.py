"""Chips: buttons, each of which removes one active filter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from pages.parts.kit.html import escape_markdown
from pages.parts.kit.texts import t

ChipByFilter = dict[str, tuple[str, dict[str, Any]]]  # by filter: the text of its chip, and the session state without the filter


def question_chips(questions: Mapping[str, str]) -> ChipByFilter:
    """Return a chip for each selected question. ``questions`` maps the questions to their texts."""
    return {
        question: (text, {"asked": [other_question for other_question in questions if other_question != question]})
        for question, text in questions.items()
    }


def show_chips(chips: ChipByFilter, *, key: str) -> None:
    """Show a button for each chip. ``key`` is the prefix of the filters in the session state."""
    for name, (text, remaining_params) in chips.items():
        st.button(
            f"{escape_markdown(text)} ✕",
            key=f"{key}.chip.{name}",
            on_click=clear_filters,
            args=(remaining_params,),
            kwargs={"key": key},
            help=t("batch.chip_help"),
        )


def clear_filters(cleared_values: Mapping[str, Any], *, key: str) -> None:
    """Set filters to these values, for example to values that exclude nothing."""
    st.session_state.update({f"{key}.{name}": value for name, value in cleared_values.items()})
