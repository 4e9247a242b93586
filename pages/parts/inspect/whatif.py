"""What if: comparison with a pinned result and with other settings."""

from dataclasses import replace
from html import escape
from typing import Any

import streamlit as st

from pages.parts.kit.choice import drawer
from pages.parts.kit.html import signed_change, table
from pages.parts.kit.texts import t
from pages.parts.state import engine, settings
from pages.parts.state.engine import ScoredCaptions
from pages.parts.state.inspect_state import inspect_state
from pages.parts.views import tuples
from spice_core.draw.style import DisplayStyle
from spice_core.explain.result_diff import ResultDiff, TupleChange, compare_results
from spice_core.lang import language
from spice_core.scene.propositions import KIND_BY_LENGTH
from spice_core.scene.scores import OVERALL


def show_pin_button(scored_captions: ScoredCaptions) -> None:
    """Show a button that pins this result for comparison with later results."""
    if st.button(t("whatif.pin"), key="inspect.pin", help=t("whatif.pin_help")):
        inspect_state().pinned = scored_captions
        st.rerun()


def show_comparison(scored_captions: ScoredCaptions, *, style: DisplayStyle) -> None:
    """Compare the pinned result, if any, with this result, tuple by tuple."""
    pinned_captions = inspect_state().pinned
    if pinned_captions is None:
        return
    with st.container(border=True, key="inspect.comparison"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.html(f'<h3 class="sc-small">{t("whatif.pinned")}</h3>')
            st.button(t("whatif.unpin"), key="inspect.unpin", on_click=setattr, args=(inspect_state(), "pinned", None), type="tertiary")
        if pinned_captions.result is scored_captions.result:
            st.html(f'<p class="sc-note">{t("whatif.same")}</p>')
        else:
            _show_changes(pinned_captions, scored_captions, style=style)


@drawer("whatif.title", "inspect.whatif")
def show_drawer(scored_captions: ScoredCaptions, *, style: DisplayStyle) -> None:
    """Show an expander with the scores of the same captions under the language's other settings."""
    pack = language(scored_captions.settings.lang)
    with st.container(horizontal=True):
        other_settings: dict[str, Any] = {
            part: st.selectbox(t(f"settings.{part}"), settings.part_options(pack, part), key=f"inspect.other.{pack.code}.{part}")
            for part in settings.PART_NAMES
        }
    rescored_captions = engine.with_references(
        engine.score_captions(scored_captions.inputs, replace(scored_captions.settings, rules_text="", **other_settings)),
        scored_captions.used_indices,
    )
    if rescored_captions.settings == scored_captions.settings:
        st.html(f'<p class="sc-note">{t("whatif.choose_other")}</p>')
    else:
        _show_changes(scored_captions, rescored_captions, style=style)


def _show_changes(pinned_captions: ScoredCaptions, compared_captions: ScoredCaptions, *, style: DisplayStyle) -> None:
    diff = compare_results(pinned_captions.result, compared_captions.result)
    lines = [
        f"<p><small>{t(f'whatif.{time}')}</small> {escape(scored_captions.inputs.candidate)}</p>"
        for time, scored_captions in (("before", pinned_captions), ("after", compared_captions))
    ]
    lines = lines if pinned_captions.inputs.candidate != compared_captions.inputs.candidate else []
    lines += [
        f"<p><small>{t(f'settings.{part}')}</small> {escape(a)} → {escape(b)}</p>"
        for part, (a, b) in diff.settings.items()
        if part in settings.PART_NAMES
    ]
    changes = "".join(map(_change_html, diff.changes_of_kind("gained", "lost", "changed")))
    changes = f'<ul class="sc-changes">{changes}</ul>' if changes else f'<p class="sc-note">{t("whatif.no_change")}</p>'
    st.html("".join(lines) + _scores_html(pinned_captions, compared_captions, diff, style) + changes)


def _scores_html(pinned_captions: ScoredCaptions, compared_captions: ScoredCaptions, diff: ResultDiff, style: DisplayStyle) -> str:
    headers = ["", t("whatif.before"), t("whatif.after"), t("whatif.change")]
    rows = []
    for part in ("f1", "precision", "recall"):
        ratios = [getattr(scored_captions.result.overall, part) for scored_captions in (pinned_captions, compared_captions)]
        label = t("categories.f1") if part == "f1" else t(f"score.{part}")
        rows.append([label, *(style.format_ratio(v) for v in ratios), signed_change(getattr(diff.scores[OVERALL], part), style=style)])
    for name, delta in diff.scores.items():
        ratios = [
            scored_captions.result.scores[name].f1 if name in scored_captions.result.scores else float("nan")
            for scored_captions in (pinned_captions, compared_captions)
        ]
        if name != OVERALL and delta.f1 and delta.f1 == delta.f1:
            rows.append(
                [f"F1, {tuples.category_label(name)}", *(style.format_ratio(v) for v in ratios), signed_change(delta.f1, style=style)]
            )
    return table(headers, rows)


def _change_html(change: TupleChange) -> str:
    marks = [tuples.state_mark(state) if state else '<i class="sc-key sc-absent"></i>' for state in (change.before, change.after)]
    change_label = t(f"whatif.{change.kind}_{change.side}")
    return f'<li>{marks[0]}→{marks[1]} <span class="sc-tuple sc-{KIND_BY_LENGTH[len(change.words)]}">{tuples.tuple_html(change.words)}</span> <small>{change_label}</small></li>'
