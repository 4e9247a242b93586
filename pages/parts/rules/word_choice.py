"""The chosen words of each caption, stored in the session and in the URL.

In the URL, 0.6-7-10 stands for words 6, 7 and 10 of the first sentence.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from pages.parts.kit import url
from pages.parts.rules.rule_workspace import Workspace

WORDS_PARAM = "words"
CHOSEN_WORDS_KEY = f"rules.{WORDS_PARAM}"  # state key of the chosen words by caption
ADDRESS_READ_KEY = f"rules.{WORDS_PARAM}.begun"  # state key that tells whether the first URL has been read
MAX_SAVED_CAPTIONS = 50  # maximum number of captions with chosen words


class ChosenWords(NamedTuple):
    """The index of a sentence and the indices of its words in the order of choice."""

    sentence: int = 0
    words: tuple[int, ...] = ()

    def __str__(self) -> str:
        return f"{self.sentence}.{'-'.join(map(str, self.words))}"


def sync_words_with_url(workspace: Workspace) -> None:
    """Apply the words in the URL (at the start and after navigation back or forward), then write the current words to it."""
    address_read = ADDRESS_READ_KEY in st.session_state
    st.session_state[ADDRESS_READ_KEY] = True
    if (not address_read or url.has_gone_back()) and (words := parse_words(st.query_params.get(WORDS_PARAM))):
        store_words(workspace, words)
    _set_param(_saved_words(workspace))


def chosen_words(workspace: Workspace, sentences: Sequence[Sequence[object]]) -> ChosenWords:
    """Return the caption's chosen words, or none if the caption lacks one of them."""
    saved_words = _saved_words(workspace)
    is_valid = saved_words.sentence < len(sentences) and all(
        1 <= index <= len(sentences[saved_words.sentence]) for index in saved_words.words
    )
    if not is_valid:
        store_words(workspace, saved_words := ChosenWords())
        _set_param(saved_words)
    return saved_words


def store_words(workspace: Workspace, words: ChosenWords) -> None:
    """Store these words for the caption."""
    other_words = {key: words_ for key, words_ in st.session_state.get(CHOSEN_WORDS_KEY, {}).items() if key != _words_key(workspace)}
    st.session_state[CHOSEN_WORDS_KEY] = dict([*other_words.items(), (_words_key(workspace), words)][-MAX_SAVED_CAPTIONS:])


def parse_words(text: object) -> ChosenWords | None:
    """Parse a sentence index and up to three different word indices as in the URL, or return None for any other text."""
    match = re.fullmatch(r"(\d{1,3})\.((?:\d{1,3}(?:-\d{1,3}){0,2})?)", text, re.ASCII) if isinstance(text, str) else None
    if not match:
        return None
    words = tuple(map(int, filter(None, match[2].split("-"))))
    return ChosenWords(int(match[1]), words) if len(set(words)) == len(words) else None


def _saved_words(workspace: Workspace) -> ChosenWords:
    return st.session_state.get(CHOSEN_WORDS_KEY, {}).get(_words_key(workspace), ChosenWords())


def _words_key(workspace: Workspace) -> tuple[str, str, str]:
    return workspace.lang, workspace.parser, workspace.caption


def _set_param(words: ChosenWords) -> None:
    """Store two or three words in the URL, or remove the parameter for fewer."""
    url.set_param(WORDS_PARAM, str(words) if len(words.words) > 1 else "")
