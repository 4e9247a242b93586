"""The form with a candidate and references.

After scoring, each field shows its caption with marked words until the visitor edits the field.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any, NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts.inspect import paste
from pages.parts.kit.texts import t
from pages.parts.state import examples
from pages.parts.state.engine import CaptionInputs, ScoredCaptions
from pages.parts.state.examples import example_id_of, example_titles
from pages.parts.state.limits import MAX_REFERENCES, MAX_TOTAL_CHARS
from pages.parts.views import captions, component
from spice_core.errors import encodable_text

MarkedPlace = tuple[str, DeltaGenerator]  # a caption, and the container of its marked words


class FormPlaces(NamedTuple):
    """The containers of the form, of the status line above its references, and of the messages below the form."""

    form: DeltaGenerator
    status: DeltaGenerator
    below: DeltaGenerator


def create_places(*, key: str) -> FormPlaces:
    """Create the empty form and the containers around it."""
    form, status = st.form(f"{key}.form", border=False), st.container(key=f"{key}.counting")
    status.html(f'<p class="sc-label">{t("inputs.references")}</p>', width="content")
    return FormPlaces(form, status, st.container(key=f"{key}.below", gap="xsmall"))


def is_score_pressed(*, key: str) -> bool:
    """Return whether a click on Score started this run of the page."""
    return bool(st.session_state.get(f"{key}.score"))


def show_form(places: FormPlaces, *, key: str) -> list[MarkedPlace]:
    """Show the fields. Return their captions with the containers of the marked words.

    The Score button comes first because Ctrl+Enter presses the first button.
    """
    marked_places = []
    with places.form:
        with st.container(key=f"{key}.first", gap="xsmall"):
            with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", gap="small"):
                st.html(f'<p class="sc-label">{t("inputs.candidate")}</p>', width="content")
                options: dict[str, Any] = {"type": "primary", "on_click": paste.distribute_captions, "kwargs": {"key": key}}
                st.form_submit_button(t("inputs.score"), key=f"{key}.score", **options)
            marked_places.append(_show_field(t("inputs.candidate"), t("inputs.candidate_hint"), f"{key}.candidate"))
        with st.container(key=f"{key}.others", gap="xsmall"):
            for row_number, row in enumerate(st.session_state[f"{key}.rows"], 1):
                with st.container(horizontal=True, vertical_alignment="top", gap="xsmall", key=f"{key}.row.{row}"):
                    marked_places.append(
                        _show_field(t("inputs.reference", number=row_number), t("inputs.reference_hint"), f"{key}.reference.{row}")
                    )
                    options = {"type": "tertiary", "on_click": _remove_reference, "args": (key, row)}
                    st.form_submit_button(t("inputs.remove"), key=f"{key}.remove.{row}", **options)
            if is_full := _is_form_full(key):
                st.html(f'<p class="sc-note">{t("inputs.full", most=MAX_REFERENCES)}</p>')
            st.form_submit_button(
                t("inputs.add"), key=f"{key}.add", on_click=_add_reference, args=(key,), type="tertiary", disabled=is_full
            )
    return marked_places


def _show_field(label: str, hint: str, key: str) -> MarkedPlace:
    """Show a caption field. Return the caption and the container of its marked words, which cover the field until it is edited."""
    with st.container(key=f"{key}.field"):
        text = st.text_area(label, key=key, placeholder=hint, height="content", label_visibility="collapsed")
        return text.strip(), st.container()


def mark_words(scored_captions: ScoredCaptions, marked_places: Sequence[MarkedPlace], *, key: str) -> None:
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
    watch_edits([scored_captions.inputs.candidate, *scored_captions.inputs.references], key=key)


def watch_edits(scored_texts: Sequence[str], *, key: str) -> None:
    """Make the browser report fields that differ from the scored captions. ``scored_texts`` is empty if there is no result."""
    component.watch_fields(scored_texts, edit=t("inputs.edit"), on_edit=lambda report: _restore_typed_captions(report, key=key), key=key)


def _restore_typed_captions(report: object, *, key: str) -> None:
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
        examples.fill_form(typed_inputs, key=key)
    else:
        st.session_state[f"{key}.typed"] = typed_inputs


def _is_form_full(key: str) -> bool:
    return len(st.session_state[f"{key}.rows"]) >= MAX_REFERENCES


def _add_reference(key: str) -> None:
    if _is_form_full(key):  # the button is disabled in this case, but a browser may send anything
        return
    row = st.session_state[f"{key}.next"]
    st.session_state[f"{key}.rows"] = [*st.session_state[f"{key}.rows"], row]
    st.session_state[f"{key}.next"] = row + 1


def _remove_reference(key: str, row: int) -> None:
    st.session_state[f"{key}.rows"] = [r for r in st.session_state[f"{key}.rows"] if r != row]


def show_lesson(captions: CaptionInputs) -> None:
    """If the captions are those of an example, show its lesson."""
    if name := example_id_of(captions):
        title, teaches = example_titles(name)
        st.html(f'<p class="sc-lesson"><b>{escape(t("examples.lesson", title=title))}</b> {escape(teaches)}</p>')
