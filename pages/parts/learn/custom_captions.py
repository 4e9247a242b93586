""" "Try your own captions": captions that the visitor writes and scores at any step."""

from __future__ import annotations

from html import escape

import streamlit as st

from pages.parts.kit import messages, page
from pages.parts.kit.texts import t
from pages.parts.learn import graph, results
from pages.parts.learn.lessons import TourStep
from pages.parts.learn.material import current_material
from pages.parts.learn.results import STATE_KEY
from pages.parts.state import settings
from pages.parts.state.engine import CaptionInputs, ScoredCaptions
from pages.parts.state.limits import find_excess
from pages.parts.views import captions, score
from spice_core.errors import SpiceError
from spice_core.lang import detect_language


def show_custom_captions(step: TourStep) -> None:
    """Show an expander with a form and the result of the captions in it. At first, the form contains the captions of the step."""
    expander = st.expander(t("learn.own"), key=f"{STATE_KEY}.{step.name}.own", on_change="rerun")
    if expander.open:
        with expander:
            if scored_captions := show_form(step.start_captions(current_material()), key=f"{STATE_KEY}.{step.name}"):
                show_result(scored_captions, key=f"{STATE_KEY}.{step.name}.mine")


def show_form(start: CaptionInputs, *, key: str) -> ScoredCaptions | None:
    """Show fields for a candidate and for references, one per line. Return their result, or None if they cannot be scored."""
    with st.form(f"{key}.form", border=False):
        candidate = st.text_input(t("learn.own_candidate"), start.candidate, key=f"{key}.candidate")
        lines = st.text_area(t("learn.own_references"), "\n".join(start.references), key=f"{key}.references")
        st.form_submit_button(t("learn.own_score"))
    return score_captions(CaptionInputs(" ".join(candidate.split()), tuple(filter(None, map(str.strip, lines.splitlines())))))


def score_captions(inputs: CaptionInputs) -> ScoredCaptions | None:
    """Score a visitor's captions. If this is impossible, show the reason and return None."""
    if not inputs.candidate or not inputs.references:
        messages.show_messages([t("learn.write")], severity="problem")
        return None
    if problems := [t("states.excess", found=length, expected=limit) for length, limit in find_excess(inputs)]:
        messages.show_messages(problems, severity="problem")
        return None
    try:
        lang = detect_language((inputs.candidate, *inputs.references))
        return results.cached_result(inputs, settings.default_config(lang))
    except SpiceError as error:
        messages.show_messages([t("states.failed", reason=escape(str(error)))], severity="problem")
        return None


def show_result(scored_captions: ScoredCaptions, *, key: str) -> None:
    """Show the score, the marked captions and the graph of a result."""
    captions_column, graph_column = st.columns([2, 3], gap="medium")
    with captions_column:
        score.show_header(scored_captions.result, style=page.display_style())
        captions.show_captions(scored_captions)
    with graph_column:
        graph.show_graph(scored_captions, key=key)
