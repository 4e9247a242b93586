"""Several captions pasted into one field: lines, a row of a spreadsheet, or a JSON list of texts."""

from __future__ import annotations

import json
import re
from typing import NamedTuple

import streamlit as st

from pages.parts.kit import messages
from pages.parts.kit.texts import t
from pages.parts.state import examples
from pages.parts.state.engine import Inputs
from pages.parts.state.limits import MOST

_QUOTED = re.compile(r'^"([^"]*)"$')  # a cell of a spreadsheet


class Paste(NamedTuple):
    """What the fields held before and hold now, the text of the field, and its captions; ``asked`` where they were not yet shared out."""

    before: Inputs
    after: Inputs
    text: str
    captions: tuple[str, ...]
    asked: bool


def captions_in(text: str) -> tuple[str, ...]:
    """The captions of a field: one, or several that were pasted together."""
    text = text.strip()
    if text.startswith("["):
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            found = None
        if isinstance(found, list) and found and all(isinstance(each, str) for each in found):
            return tuple(each.strip() for each in found if each.strip())
    parts = text.replace("\t", "\n").splitlines()
    return tuple(part for each in parts if (part := _QUOTED.sub(r"\1", each.strip()).strip()))


def share_out(*, key: str) -> None:
    """Make a reference of each caption in a reference's field; of several in the candidate's field the visitor is asked."""
    state = st.session_state
    state.pop(f"{key}.paste", None)
    together: set[str] = state.get(f"{key}.together", set())
    before = examples.current(key=key)
    if before.candidate not in together and len(found := captions_in(before.candidate)) > 1:
        state[f"{key}.paste"] = Paste(before, before, before.candidate, found, asked=True)
        return
    parts = [captions_in(text) if text not in together else (text,) for text in before.references]
    several = [(text, found) for text, found in zip(before.references, parts) if len(found) > 1]
    references = tuple(caption for found in parts for caption in found)
    if several and len(references) <= MOST:
        after = Inputs(before.candidate, references)
        examples.fill(after, key=key)
        state[f"{key}.paste"] = Paste(before, after, several[0][0], several[0][1], asked=False)


def notice(*, key: str) -> None:
    """What was made of the captions that were pasted, or the question what to make of them."""
    found: Paste | None = st.session_state.get(f"{key}.paste")
    if not found or examples.current(key=key) != found.after:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"{key}.pasted"):
        number = len(found.captions)
        messages.say([t("paste.asked" if found.asked else "paste.references", number=number)])
        if found.asked and number <= MOST + 1:
            st.button(t("paste.split"), key=f"{key}.split", on_click=_split, args=(found,), kwargs={"key": key})
        label = t("paste.one" if found.asked else "paste.undo")
        st.button(label, key=f"{key}.one", type="tertiary", on_click=_keep_together, args=(found,), kwargs={"key": key})


def _split(found: Paste, *, key: str) -> None:
    """The first caption becomes the candidate, the others the references."""
    candidate, *references = found.captions
    after = Inputs(candidate, tuple(references))
    _fill(after, key=key)
    st.session_state[f"{key}.paste"] = found._replace(after=after, captions=tuple(references), asked=False)


def _keep_together(found: Paste, *, key: str) -> None:
    """The text of the field is one caption, now and when it is scored again."""
    st.session_state.setdefault(f"{key}.together", set()).add(found.text)
    st.session_state.pop(f"{key}.paste")
    _fill(found.before, key=key)


def _fill(captions: Inputs, *, key: str) -> None:
    examples.fill(captions, key=key)
    st.session_state.pop(f"{key}.scored", None)
