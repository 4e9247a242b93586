"""The caption language, detected from the script or set by the visitor."""

import streamlit as st

from pages.parts.kit import choice
from pages.parts.kit.texts import language_names, t
from pages.parts.state.engine import CaptionInputs, ScoredCaptions, caption_labels
from pages.parts.state.inspect_state import inspect_state
from spice_core.lang import detect_language, language

AUTOMATIC = "auto"


def current_language(inputs: CaptionInputs) -> str:
    """Return the language code for scoring: the visitor's choice, or the language detected from the captions."""
    scored_captions = inspect_state().scored
    if scored_captions and not st.session_state.get("inspect.score"):
        inputs = scored_captions.inputs
    return detect_language((inputs.candidate, *inputs.references)) if (chosen_code := chosen_language()) == AUTOMATIC else chosen_code


def chosen_language() -> str:
    """Return the visitor's language code, or AUTOMATIC."""
    chosen_code: str = st.session_state.get("inspect.lang") or AUTOMATIC
    return chosen_code


def choose_language(detected_code: str) -> None:
    """Show the language choice with the detected language."""
    names = {AUTOMATIC: t("language.auto"), **language_names()}
    st.session_state.setdefault("inspect.lang", AUTOMATIC)
    if st.session_state["inspect.lang"] == AUTOMATIC:
        names[AUTOMATIC] = t("language.found", name=names[detected_code])
    options = {"label_visibility": "collapsed", "width": "content", "persist_state": "session"}
    with st.container(horizontal=True, vertical_alignment="center", gap="small", width="content", key="inspect.languages"):
        st.html(f'<p class="sc-label">{t("language.title")}</p>', width="content")
        choice.segmented_control(t("language.title"), names, key="inspect.lang", **options)


def captions_in_other_scripts(inputs: CaptionInputs, lang: str) -> list[str]:
    """Return the labels of the captions in a script other than the language's."""
    names = caption_labels(range(len(inputs.references)))
    return [name for name, caption in zip(names, (inputs.candidate, *inputs.references)) if not language(lang).is_mostly_in_script(caption)]


def offer_detected_language(scored_captions: ScoredCaptions) -> None:
    """Show a button that switches to the detected language if some captions are in another script."""
    inputs, lang = scored_captions.inputs, scored_captions.settings.lang
    detected_code = detect_language((inputs.candidate, *inputs.references))
    if detected_code != lang and captions_in_other_scripts(inputs, lang):
        st.button(
            t("language.switch", name=language_names()[detected_code]),
            key="inspect.switch",
            on_click=st.session_state.update,
            args=({"inspect.lang": AUTOMATIC},),
        )
