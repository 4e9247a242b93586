"""Several captions pasted into one field of Inspect, and Undo."""

from __future__ import annotations

from typing import NamedTuple

import streamlit as st

from pages.parts.kit import messages
from pages.parts.kit.texts import t
from pages.parts.state import examples
from pages.parts.state.engine import CaptionInputs
from pages.parts.state.limits import MAX_REFERENCES
from pages.parts.uploads.pasted import captions_in


class PastedCaptions(NamedTuple):
    """The fields before and after a paste, the pasted text, and its captions. ``is_pending`` until the visitor decides how to use them."""

    before: CaptionInputs
    after: CaptionInputs
    text: str
    captions: tuple[str, ...]
    is_pending: bool


def distribute_captions(*, key: str) -> None:
    """Turn captions pasted into a reference field into references. Ask the visitor about several captions in the candidate field."""
    state = st.session_state
    state.pop(f"{key}.paste", None)
    together: set[str] = state.get(f"{key}.together", set())
    before = examples.current_captions(key=key)
    if before.candidate not in together and len(captions := captions_in(before.candidate)) > 1:
        state[f"{key}.paste"] = PastedCaptions(before, before, before.candidate, captions, is_pending=True)
        return
    parts = [captions_in(text) if text not in together else (text,) for text in before.references]
    several = [(text, captions) for text, captions in zip(before.references, parts) if len(captions) > 1]
    references = tuple(caption for captions in parts for caption in captions)
    if several and len(references) <= MAX_REFERENCES:
        after = CaptionInputs(before.candidate, references)
        examples.fill_form(after, key=key)
        state[f"{key}.paste"] = PastedCaptions(before, after, several[0][0], several[0][1], is_pending=False)


def show_notice(*, key: str) -> None:
    """Show how pasted captions were used, or ask the visitor how to use them."""
    paste: PastedCaptions | None = st.session_state.get(f"{key}.paste")
    if not paste or examples.current_captions(key=key) != paste.after:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"{key}.pasted"):
        number = len(paste.captions)
        messages.show_messages([t("paste.asked" if paste.is_pending else "paste.references", number=number)])
        if paste.is_pending and number <= MAX_REFERENCES + 1:
            st.button(t("paste.split"), key=f"{key}.split", on_click=_split_paste, args=(paste,), kwargs={"key": key})
        label = t("paste.one" if paste.is_pending else "paste.undo")
        st.button(label, key=f"{key}.one", type="tertiary", on_click=_keep_as_one_caption, args=(paste,), kwargs={"key": key})


def _split_paste(paste: PastedCaptions, *, key: str) -> None:
    """Make the first caption the candidate and the others the references."""
    candidate, *references = paste.captions
    after = CaptionInputs(candidate, tuple(references))
    _fill_fields(after, key=key)
    st.session_state[f"{key}.paste"] = paste._replace(after=after, captions=tuple(references), is_pending=False)


def _keep_as_one_caption(paste: PastedCaptions, *, key: str) -> None:
    """Treat the text of the field as a single caption from now on."""
    st.session_state.setdefault(f"{key}.together", set()).add(paste.text)
    st.session_state.pop(f"{key}.paste")
    _fill_fields(paste.before, key=key)


def _fill_fields(captions: CaptionInputs, *, key: str) -> None:
    examples.fill_form(captions, key=key)
    st.session_state.pop(f"{key}.scored", None)
