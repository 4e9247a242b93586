"""The words that a visitor chose of each caption, in session and address: 0.6-7-10 for words 6, 7 and 10 of the first sentence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from pages.parts.kit import url
from pages.parts.rules.workspace import KEY, Workspace

NAME = "words"
KEPT, BEGUN = f"{KEY}.{NAME}", f"{KEY}.{NAME}.begun"  # by caption; set once the first address has been read
MOST = 50  # captions


class Chosen(NamedTuple):
    """The number of a sentence from 0, and the indices of its words in the order in which they were chosen."""

    sentence: int = 0
    words: tuple[int, ...] = ()

    def __str__(self) -> str:
        return f"{self.sentence}.{'-'.join(map(str, self.words))}"


def follow(work: Workspace) -> None:
    """Take up the words of the address at the first visit and on the way back, then keep those of this caption in the address."""
    begun = BEGUN in st.session_state
    st.session_state[BEGUN] = True
    if (not begun or url.has_gone_back()) and (words := read(st.query_params.get(NAME))):
        keep(work, words)
    _show(_saved_words(work))


def of_caption(work: Workspace, sentences: Sequence[Sequence[object]]) -> Chosen:
    """The chosen words of the caption; none if its sentences lack one of them."""
    found = _saved_words(work)
    there = found.sentence < len(sentences) and all(1 <= index <= len(sentences[found.sentence]) for index in found.words)
    if not there:
        keep(work, found := Chosen())
        _show(found)
    return found


def keep(work: Workspace, words: Chosen) -> None:
    """Keep these words of the caption."""
    kept = {key: found for key, found in st.session_state.get(KEPT, {}).items() if key != _key(work)}
    st.session_state[KEPT] = dict([*kept.items(), (_key(work), words)][-MOST:])


def read(text: object) -> Chosen | None:
    """Up to three different words in the form of the address; None of another text."""
    found = re.fullmatch(r"(\d{1,3})\.((?:\d{1,3}(?:-\d{1,3}){0,2})?)", text, re.ASCII) if isinstance(text, str) else None
    if not found:
        return None
    words = tuple(map(int, filter(None, found[2].split("-"))))
    return Chosen(int(found[1]), words) if len(set(words)) == len(words) else None


def _saved_words(work: Workspace) -> Chosen:
    return st.session_state.get(KEPT, {}).get(_key(work), Chosen())


def _key(work: Workspace) -> tuple[str, str, str]:
    return work.lang, work.parser, work.caption


def _show(words: Chosen) -> None:
    """Put the words into the address if they are two or three."""
    url.set_param(NAME, str(words) if len(words.words) > 1 else "")
