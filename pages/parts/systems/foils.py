"""Foils of the visitor's references: which metrics notice each wrong copy of a caption?"""

from html import escape

import streamlit as st

from pages.parts.kit import html
from pages.parts.kit.texts import error_text, t
from pages.parts.state import engine, settings
from spice_core import Spice, SpiceConfig
from spice_core.errors import SpiceError
from spice_core.lang import detect_language, language
from spice_core.lang.pack import Foil
from spice_core.metrics.measure import segment_scores

_METRICS = ("SPICE", "entailed", "soft", "soft+", "BLEU-4", "ROUGE-L", "METEOR")
_EXAMPLE = "Two horses stand in a green field.\nTwo brown horses grazing in a field next to a tree."


@st.fragment
def show_foils() -> None:
    """Show a field for references, and a table of the first reference's foils with their scores by each metric."""
    with st.expander(t("systems.foils"), key="systems.foils.drawer"):
        html.show_note(t("systems.foils_note"))
        with st.form("systems.foils.form", border=False):
            lines = st.text_area(t("systems.foils_references"), _EXAMPLE, key="systems.foils.references")
            is_submitted = st.form_submit_button(t("systems.foils_run"))
        references = tuple(filter(None, map(str.strip, lines.splitlines())))
        if not references or not (is_submitted or st.session_state.get("systems.foils.shown")):
            return
        st.session_state["systems.foils.shown"] = True
        if problems := engine.excess_messages(engine.CaptionInputs(references[0], references)):
            html.show_messages(problems, severity="problem")
            return
        try:
            _show_table(references)
        except SpiceError as error:
            html.show_messages([t("states.failed", reason=escape(error_text(error)))], severity="problem")


def _show_table(references: tuple[str, ...]) -> None:
    config = settings.default_config(detect_language(references))
    foils, scores = _score_foils(references, config)
    if not foils:
        html.show_messages([t("systems.foils_none")])
        return
    noticed = {name: [value < values[0] for value in values[1:]] for name, values in scores.items()}
    rows = [
        (escape(foil.caption), t(f"systems.foil_{foil.kind}"), *("✓" if noticed[name][row] else "–" for name in noticed))
        for row, foil in enumerate(foils)
    ]
    total = (t("systems.foils_total", number=len(foils)), "", *(f"{sum(marks)}" for marks in noticed.values()))
    st.html(html.table((t("systems.foils_caption"), t("systems.foils_kind"), *noticed), [*rows, total], is_wide=True))


@st.cache_data(show_spinner=False, max_entries=32)
def _score_foils(references: tuple[str, ...], config: SpiceConfig) -> tuple[list[Foil], dict[str, list[float]]]:
    """Return the foils of the first reference, and the scores by metric of the reference and its foils.

    A single reference is scored against itself.
    """
    metric: Spice = engine.cached_metric(config)
    (parse,) = metric.parse(references[:1])
    foils = language(config.lang).make_foils(parse)
    captions = [references[0], *(foil.caption for foil in foils)]
    return foils, segment_scores([(caption, references[1:] or references) for caption in captions], _METRICS, spice=metric, problems=[])
