"""The step on matching by meaning: a tuple for each verdict, with the inference steps in words."""

from __future__ import annotations

from html import escape

import streamlit as st

from pages.parts.kit import page
from pages.parts.kit.html import table
from pages.parts.kit.texts import t
from pages.parts.learn import graph
from pages.parts.learn.ask import StepProgress
from pages.parts.learn.lessons import StepFigures
from pages.parts.learn.results import STATE_KEY
from pages.parts.state.engine import ScoredCaptions
from pages.parts.views import captions, tuples
from spice_core.draw import texts
from spice_core.explain.evidence import TupleRow


def show_picture(figures: StepFigures, progress: StepProgress) -> None:
    """Show the captions. After the answer, add a tuple for each verdict, and after Reveal, add the graph."""
    scored_captions = figures.scored_captions
    if not progress.open:
        graph.show_captions(
            dict(zip(scored_captions.caption_labels, (scored_captions.inputs.candidate, *scored_captions.inputs.references))),
            lang=scored_captions.settings.lang,
        )
        st.html(f'<p class="sc-hidden">{t("learn.hidden")}</p>')
        return
    captions.show_captions(scored_captions)
    headers = [t("learn.verdict"), t("learn.verdict_tuple"), t("learn.verdict_why")]
    st.html(table(headers, map(_row_cells, example_rows(scored_captions)), css_class="sc-texts sc-verdicts"))
    if progress.is_revealed:
        graph.show_graph(scored_captions, key=f"{STATE_KEY}.meaning")
    else:
        st.html(f'<p class="sc-note">{t("learn.graph_later")}</p>')


def example_rows(scored_captions: ScoredCaptions) -> list[TupleRow]:
    """Return the candidate's first tuple of each verdict."""
    rows = [row for row in scored_captions.explanation.rows if row.side == "c"]
    row_by_state = {row.state: row for row in reversed(rows)}
    return [row for row in rows if row_by_state[row.state] is row]


def _row_cells(row: TupleRow) -> tuple[str, str, str]:
    reasons = "<br>".join(escape(reason) for reason in texts.match_reason_texts(row, page.display_style()))
    return f"{tuples.state_mark(row.state)} {t(f'legend.{row.state}')}", tuples.tuple_html(row.parts), reasons
