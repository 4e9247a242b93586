"""Probable causes of the tuples of a caption that have no counterpart, with their evidence; people decide."""

from __future__ import annotations

import streamlit as st

from pages.parts.kit.texts import t
from pages.parts.session.runs import Run
from pages.parts.views import scored_rows, tuples
from spice_core.data.results import ScoredItem
from spice_core.explain.causes import Cause, Suggestion
from spice_core.explain.evidence import TupleRow
from spice_core.explain.explanation import Explanation
from spice_core.scene.matching import MatchState


def drawer(row: ScoredItem, run: Run, *, key: str) -> None:
    """The causes, once opened; none for given propositions."""
    opened = st.expander(t("reasons.title"), key=f"{key}.reasons", on_change="rerun")
    if not opened.open:
        return
    with opened:
        scored = scored_rows.scored_of(row, run.settings)
        st.html(listed(scored.explanation) if scored else f'<p class="sc-note">{t("reasons.none")}</p>')


def listed(explanation: Explanation) -> str:
    """The unmatched tuples by cause, each with its evidence, as a table: first the causes that name something of the other side."""
    found: dict[Cause | None, list[str]] = {}
    for row in explanation.rows:
        if row.state in (MatchState.EXTRA, MatchState.MISSING):
            suggestion = explanation.details(row.id).cause
            found.setdefault(suggestion and suggestion.cause, []).append(_tuple(row) + _evidence(suggestion, explanation))
    if not found:
        return f'<p class="sc-note">{t("reasons.none")}</p>'
    body = "".join(
        f"<tr><th scope=row>{_name(cause)} <span>{len(found[cause])}</span></th><td><ul>{''.join(f'<li>{each}</li>' for each in found[cause])}</ul></td></tr>"
        for cause in (*Cause, None)
        if cause in found
    )
    return f'<p class="sc-note">{t("reasons.note")}</p><table class="sc-table sc-reasons"><tbody>{body}</tbody></table>'


def _name(cause: Cause | None) -> str:
    return t(f"reasons.{cause.name.lower()}") if cause else t("reasons.unclear")


def _tuple(row: TupleRow) -> str:
    return f'{tuples.state_mark(row.state)}<span class="sc-tuple sc-{row.kind}">{tuples.named(row.parts)}</span>'


def _evidence(suggestion: Suggestion | None, explanation: Explanation) -> str:
    """The tuple of the other side that shows the cause, and how many references say the tuple."""
    if suggestion is None:
        return ""
    near = suggestion.near
    shown = [f"<small>→ {tuples.named(['/'.join(element.words) for element in near.other.elements])}</small>"] if near else []
    if suggestion.said_by:
        of = len(explanation.result.references)
        said = t("reasons.said", said=suggestion.said_by, of=of)
        shown.append(f'<small title="{said}">{suggestion.said_by}/{of}</small>')
    return "".join(f" {each}" for each in shown)
