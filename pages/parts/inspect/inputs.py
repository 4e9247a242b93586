"""The form with a candidate and references.

After scoring, each field shows its caption with marked words until the visitor edits the field.
"""

from collections.abc import Sequence
from html import escape
from typing import Any, NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts.kit import choice, html
from pages.parts.kit.texts import language_names, t
from pages.parts.state import examples
from pages.parts.state.engine import MAX_REFERENCES, MAX_TOTAL_CHARS, CaptionInputs, ScoredCaptions, caption_labels
from pages.parts.state.examples import captions_in, example_id_of, example_titles
from pages.parts.state.inspect_state import PastedCaptions, inspect_state
from pages.parts.views import captions, component
from spice_core.errors import encodable_text
from spice_core.lang import detect_language, language

MarkedPlace = tuple[str, DeltaGenerator]  # a caption, and the container of its marked words


class FormContainers(NamedTuple):
    """The containers of the form, the ledger, the status line above the references, and the messages below the form."""

    form: DeltaGenerator
    ledger: DeltaGenerator
    status: DeltaGenerator
    below: DeltaGenerator


def create_places() -> FormContainers:
    """Create the empty form and the containers around it."""
    form, ledger = st.form("inspect.form", border=False), st.container(key="inspect.points", gap=None)
    status = st.container(key="inspect.counting")
    status.html(f'<p class="sc-label">{t("inputs.references")}</p>', width="content")
    return FormContainers(form, ledger, status, st.container(key="inspect.below", gap="xsmall"))


def show_form(places: FormContainers) -> list[MarkedPlace]:
    """Show the fields. Return their captions with the containers of the marked words.

    The Score button comes first because Ctrl+Enter presses the first button.
    """
    marked_places = []
    with places.form:
        with st.container(key="inspect.first", gap="xsmall"):
            with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", gap="small"):
                st.html(f'<p class="sc-label">{t("inputs.candidate")}</p>', width="content")
                options: dict[str, Any] = {"type": "primary", "on_click": distribute_captions}
                st.form_submit_button(t("inputs.score"), key="inspect.score", **options)
            hint = t("inputs.candidate_hint" if inspect_state().row_ids else "inputs.paste_hint")
            marked_places.append(_show_field(t("inputs.candidate"), hint, "inspect.candidate"))
        with st.container(key="inspect.others", gap="xsmall"):
            for row_number, row in enumerate(inspect_state().row_ids, 1):
                with st.container(horizontal=True, vertical_alignment="top", gap="xsmall", key=f"inspect.row.{row}"):
                    marked_places.append(
                        _show_field(t("inputs.reference", number=row_number), t("inputs.reference_hint"), f"inspect.reference.{row}")
                    )
                    options = {"type": "tertiary", "on_click": _remove_reference, "args": (row,)}
                    st.form_submit_button(t("inputs.remove", number=row_number), key=f"inspect.remove.{row}", **options)
            if is_full := _is_form_full():
                st.html(f'<p class="sc-note">{t("inputs.full", most=MAX_REFERENCES)}</p>')
            st.form_submit_button(t("inputs.add"), key="inspect.add", on_click=_add_reference, type="tertiary", disabled=is_full)
    return marked_places


def _show_field(label: str, hint: str, key: str) -> MarkedPlace:
    """Show a caption field. Return the caption and the container of its marked words, which cover the field until an edit."""
    with st.container(key=f"{key}.field"):
        text = st.text_area(label, key=key, placeholder=hint, height="content", label_visibility="collapsed")
        return text.strip(), st.container()


def mark_words(scored_captions: ScoredCaptions, marked_places: Sequence[MarkedPlace]) -> None:
    """Show the marked words of each scored caption, and make the browser report edits."""
    candidate, *references = captions.captions_html(scored_captions)
    html_of = dict(zip(scored_captions.inputs.references, references, strict=True))
    candidate_place, *reference_places = marked_places
    fields = [
        (candidate_place, candidate if candidate_place[0] == scored_captions.inputs.candidate else ""),
        *((place, html_of.get(place[0], "")) for place in reference_places),
    ]
    for (_, container), content in fields:
        if content:
            container.html(content)
    watch_edits([scored_captions.inputs.candidate, *scored_captions.inputs.references])


def watch_edits(scored_texts: Sequence[str]) -> None:
    """Make the browser report fields that differ from the scored captions (``scored_texts``, empty without a result)."""
    component.watch_fields(scored_texts, edit=t("inputs.edit"), on_edit=_restore_typed_captions, key="inspect")


def _restore_typed_captions(report: object) -> None:
    """Fill the form with the typed captions that the browser reports, if it asks for this. Otherwise remember them for the gallery.

    Ignore invalid data.
    """
    texts = report.get("captions") if isinstance(report, dict) else None
    if not isinstance(report, dict) or not isinstance(texts, list) or not 0 < len(texts) <= MAX_REFERENCES + 1:
        return
    if not all(isinstance(text, str) for text in texts) or sum(map(len, texts)) > 2 * MAX_TOTAL_CHARS:
        return
    typed_inputs = CaptionInputs(encodable_text(texts[0]), tuple(map(encodable_text, texts[1:])))
    if report.get("fill") is True:
        examples.fill_form(typed_inputs)
    else:
        inspect_state().typed_inputs = typed_inputs


def _is_form_full() -> bool:
    return len(inspect_state().row_ids) >= MAX_REFERENCES


def _add_reference() -> None:
    if _is_form_full():  # the button is disabled, but a browser may send anything
        return
    state = inspect_state()
    state.row_ids = [*state.row_ids, state.next_row_id]
    state.next_row_id += 1


def _remove_reference(row: int) -> None:
    inspect_state().row_ids = [r for r in inspect_state().row_ids if r != row]


def show_lesson(captions: CaptionInputs) -> None:
    """If the captions are those of an example, show its lesson."""
    if name := example_id_of(captions):
        title, teaches = example_titles(name)
        st.html(f'<p class="sc-lesson"><b>{escape(t("examples.lesson", title=title))}</b> {escape(teaches)}</p>')


def distribute_captions() -> None:
    """Turn several captions in a reference field into separate references.

    If the candidate field contains several captions and there are no references, the first caption becomes the candidate. Otherwise,
    :func:`show_paste_notice` asks the visitor how to use them.
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


def show_paste_notice() -> None:
    """Show how pasted captions were used, or ask the visitor how to use them."""
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
        label, args = t("language.switch", name=language_names()[detected_code]), ({"inspect.lang": AUTOMATIC},)
        st.button(label, key="inspect.switch", on_click=st.session_state.update, args=args)
