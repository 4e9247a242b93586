"""The form with a candidate and references.

After scoring, each field shows its caption with marked words until the visitor edits the field.
"""

from collections.abc import Sequence
from html import escape
from typing import Any, NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts.inspect import paste
from pages.parts.kit.texts import t
from pages.parts.state import examples
from pages.parts.state.engine import MAX_REFERENCES, MAX_TOTAL_CHARS, CaptionInputs, ScoredCaptions
from pages.parts.state.examples import example_id_of, example_titles
from pages.parts.state.inspect_state import inspect_state
from pages.parts.views import captions, component
from spice_core.errors import encodable_text

MarkedPlace = tuple[str, DeltaGenerator]  # a caption, and the container of its marked words


class FormPlaces(NamedTuple):
    """The containers of the form, the ledger, the status line above the references, and the messages below the form."""

    form: DeltaGenerator
    ledger: DeltaGenerator
    status: DeltaGenerator
    below: DeltaGenerator


def create_places() -> FormPlaces:
    """Create the empty form and the containers around it."""
    form, ledger = st.form("inspect.form", border=False), st.container(key="inspect.points", gap=None)
    status = st.container(key="inspect.counting")
    status.html(f'<p class="sc-label">{t("inputs.references")}</p>', width="content")
    return FormPlaces(form, ledger, status, st.container(key="inspect.below", gap="xsmall"))


def is_score_pressed() -> bool:
    """Return whether a click on Score started this run."""
    return bool(st.session_state.get("inspect.score"))


def show_form(places: FormPlaces) -> list[MarkedPlace]:
    """Show the fields. Return their captions with the containers of the marked words.

    The Score button comes first because Ctrl+Enter presses the first button.
    """
    marked_places = []
    with places.form:
        with st.container(key="inspect.first", gap="xsmall"):
            with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", gap="small"):
                st.html(f'<p class="sc-label">{t("inputs.candidate")}</p>', width="content")
                options: dict[str, Any] = {"type": "primary", "on_click": paste.distribute_captions}
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
                    st.form_submit_button(t("inputs.remove"), key=f"inspect.remove.{row}", **options)
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
