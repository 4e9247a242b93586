"""Several captions pasted into one field of Inspect, and a button that undoes their separation."""

import streamlit as st

from pages.parts.kit import html
from pages.parts.kit.texts import t
from pages.parts.state import examples
from pages.parts.state.engine import MAX_REFERENCES, CaptionInputs
from pages.parts.state.examples import captions_in
from pages.parts.state.inspect_state import PastedCaptions, inspect_state


def distribute_captions() -> None:
    """Turn several captions in a reference field into separate references.

    If the candidate field contains several captions and there are no references, the first caption becomes the candidate. Otherwise,
    :func:`show_notice` asks the visitor how to use them.
    """
    state = inspect_state()
    state.paste, undivided_texts = None, state.undivided_texts
    pasted_inputs = examples.current_captions()
    if pasted_inputs.candidate not in undivided_texts and len(captions := captions_in(pasted_inputs.candidate)) > 1:
        state.paste = PastedCaptions(pasted_inputs, pasted_inputs, pasted_inputs.candidate, captions, is_pending=True)
        if not pasted_inputs.references and len(captions) <= MAX_REFERENCES + 1:
            _split_paste(state.paste)
        return
    captions_by_field = [captions_in(text) if text not in undivided_texts else (text,) for text in pasted_inputs.references]
    divided_texts = [(text, captions) for text, captions in zip(pasted_inputs.references, captions_by_field) if len(captions) > 1]
    references = tuple(caption for captions in captions_by_field for caption in captions)
    if divided_texts and len(references) <= MAX_REFERENCES:
        divided_inputs = CaptionInputs(pasted_inputs.candidate, references)
        examples.fill_form(divided_inputs)
        state.paste = PastedCaptions(pasted_inputs, divided_inputs, divided_texts[0][0], divided_texts[0][1], is_pending=False)


def show_notice() -> None:
    """Show how pasted captions were used, or ask for the use of them."""
    paste = inspect_state().paste
    if not paste or examples.current_captions() != paste.inputs_after:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="inspect.pasted"):
        count = len(paste.captions)
        html.show_messages([t("paste.asked" if paste.is_pending else "paste.references", number=count)])
        if paste.is_pending and count <= MAX_REFERENCES + 1:
            st.button(t("paste.split"), key="inspect.split", on_click=_split_paste, args=(paste,))
        label = t("paste.one" if paste.is_pending else "paste.undo")
        st.button(label, key="inspect.one", type="tertiary", on_click=_keep_as_one_caption, args=(paste,))


def _split_paste(paste: PastedCaptions) -> None:
    """Make the first caption the candidate and the remaining captions the references."""
    candidate, *references = paste.captions
    divided_inputs = CaptionInputs(candidate, tuple(references))
    _fill_fields(divided_inputs)
    inspect_state().paste = paste._replace(inputs_after=divided_inputs, captions=tuple(references), is_pending=False)


def _keep_as_one_caption(paste: PastedCaptions) -> None:
    """Undo the paste into several fields, and treat the pasted text as one caption from now on."""
    state = inspect_state()
    state.undivided_texts.add(paste.text)
    state.paste = None
    _fill_fields(paste.inputs_before)


def _fill_fields(captions: CaptionInputs) -> None:
    examples.fill_form(captions)
    inspect_state().scored = None
