"""Filters for the images of two systems: difference, better system, region of the scatter plot, and questions. The URL stores them."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from pages.parts.kit import charts, choice, url
from pages.parts.kit.chips import ChipByFilter, clear_filters, question_chips, show_chips
from pages.parts.kit.texts import t
from pages.parts.systems import outcome_filters
from pages.parts.systems.outcome_filters import SystemAnswers
from spice_core.draw import charts as statistics
from spice_core.draw.style import DisplayStyle
from spice_core.evaluation.differences import MAX_EQUAL_DIFFERENCE, RowPair, SystemSide

SIDE_OPTIONS = ("both", *SystemSide)
PlotRegion = tuple[float, float, float, float]  # ranges of F1: minimum and maximum of the baseline, then of the other system
_MAX_PARAM_CHARS = 300  # maximum number of characters of the questions in the URL
_NO_FILTERS: dict[str, Any] = {"gap": 0.0, "side": "both", "box": None, "asked": []}
_F1_PATTERN = r"([01]\.\d{3})"


def init_filters(*, key: str) -> None:
    """Initialise the filters that have no state: once per session from the URL, later with defaults."""
    address = st.query_params if f"{key}.asked" not in st.session_state else {}
    for name, value in _requested_filters(address).items():
        st.session_state.setdefault(f"{key}.{name}", value)


def _requested_filters(params: Mapping[str, str]) -> dict[str, Any]:
    """Read the state of each filter from the URL. Invalid values become defaults."""
    return {
        "gap": float(gap) if re.fullmatch(r"0\.\d[05]|1\.00", gap := params.get("gap", ""), re.ASCII) else 0.0,
        "side": side if (side := params.get("side", "")) in SIDE_OPTIONS else "both",
        "box": _parse_region(params.get("box", "")),
        "asked": list(dict.fromkeys(params.get("q", "")[:_MAX_PARAM_CHARS].split(",")))[: outcome_filters.MAX_QUESTIONS],
    }


def _parse_region(text: str) -> PlotRegion | None:
    """Parse a region such as 0.100-0.400,0.200-0.600, or return None for any other text."""
    if not (match := re.fullmatch(rf"{_F1_PATTERN}-{_F1_PATTERN},{_F1_PATTERN}-{_F1_PATTERN}", text, re.ASCII)):
        return None
    left, right, low, high = map(float, match.groups())
    return (left, right, low, high) if left <= right and low <= high else None


def choose_systems(names: Sequence[str], *, key: str) -> tuple[str, str]:
    """Show the choice of the baseline and the other system, and return their names. The URL stores their positions, counted from 1."""
    options: dict[str, Any] = {"width": 320, "persist_state": "session"}
    _init_choice(f"{key}.baseline", names, st.query_params.get("base", ""))
    baseline = st.selectbox(t("systems.baseline"), names, key=f"{key}.baseline", **options)
    other_names = [name for name in names if name != baseline]
    _init_choice(f"{key}.other", other_names, st.query_params.get("other", ""), names)
    other_name = st.selectbox(t("systems.other"), other_names, key=f"{key}.other", **options)
    url.set_param("base", str(names.index(baseline) + 1), "1")
    url.set_param("other", str(names.index(other_name) + 1), str(names.index(other_names[0]) + 1))
    return baseline, other_name


def _init_choice(widget: str, options: Sequence[str], param: str, names: Sequence[str] = ()) -> None:
    """If a select box has no valid value, set it to the option at the position in the URL or, if there is none, to the first option."""
    if st.session_state.get(widget) not in options:
        names = names or options
        requested_name = names[int(param) - 1] if re.fullmatch(r"[1-9]\d{0,3}", param, re.ASCII) and int(param) <= len(names) else ""
        st.session_state[widget] = requested_name if requested_name in options else options[0]


def show_scatter(pairs: Sequence[RowPair], answers: SystemAnswers, *, key: str, style: DisplayStyle) -> None:
    """Show a scatter plot of all images, with excluded images in a pale colour. A box that the visitor draws filters the images."""
    names, matching_names = (
        (answers.names[SystemSide.BASE], answers.names[SystemSide.OTHER]),
        {pair.id for pair in filter_pairs(pairs, answers, key=key)},
    )
    box, had_box = st.session_state[f"{key}.box"], st.session_state.get(f"{key}.had_box", False)
    version = st.session_state.get(f"{key}.turn", 0) + (had_box and box is None)  # a chart with a new key has no selection
    st.session_state.update({f"{key}.turn": version, f"{key}.had_box": box is not None})
    widget = f"{key}.scatter.{version}"
    values = [(pair.base.overall.f1, pair.other.overall.f1) for pair in pairs]

    def handle_selection() -> None:
        places = [values[point["point_index"]] for point in st.session_state[widget].selection.points if point["curve_number"] == 1]
        st.session_state[f"{key}.box"] = _box_around(places) if places else None

    hints = [f"{p.id}: {style.format_ratio(x)} → {style.format_ratio(y)}" for p, (x, y) in zip(pairs, values)]
    wins, losses = (sum(p.winner is side for p in pairs) for side in (SystemSide.OTHER, SystemSide.BASE))
    alt = t("systems.scatter_alt", number=len(pairs), base=names[0], other=names[1], wins=wins, losses=losses)
    flags = [pair.id in matching_names for pair in pairs] if len(matching_names) < len(pairs) else None
    figure = statistics.draw_scatter(
        [x for x, _ in values], [y for _, y in values], hints, names, selected_flags=flags, box=box, style=style
    )
    st.plotly_chart(figure, key=widget, on_select=handle_selection, selection_mode="box", alt=alt, **charts.CHART_OPTIONS)


def _box_around(points: Sequence[tuple[float, float]]) -> PlotRegion:
    """Return the smallest region around these points, rounded outwards to three decimals."""
    limits = [end for values in zip(*points) for end in (math.floor(min(values) * 1000) / 1000, math.ceil(max(values) * 1000) / 1000)]
    left, right, low, high = (min(max(end, 0.0), 1.999) for end in limits)
    return left, right, low, high


def choose_pairs(pairs: Sequence[RowPair], answers: SystemAnswers, *, key: str, style: DisplayStyle) -> list[RowPair]:
    """Show the filters. Return the matching images, largest difference first."""
    left, right = st.columns([2, 3], gap="medium", vertical_alignment="bottom")
    options: dict[str, Any] = {"persist_state": "session"}
    left.slider(t("systems.gap"), 0.0, 1.0, step=0.05, key=f"{key}.gap", **options)
    with right:
        side_names = dict(zip(SIDE_OPTIONS, (t("systems.both"), *answers.names.values())))
        choice.segmented_control(t("systems.direction"), side_names, key=f"{key}.side", wrap=True, **options)
    matching_pairs = filter_pairs(pairs, answers, key=key)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.html(
            f'<p class="sc-count" role="status">{t("systems.found_of", number=len(matching_pairs), total=len(pairs))}</p>', width="content"
        )
        _show_chips(answers, key=key, style=style)
    for name, value in filter_params(answers, key=key).items():
        url.set_param(name, value)
    return matching_pairs


def filter_pairs(pairs: Sequence[RowPair], answers: SystemAnswers, *, key: str) -> list[RowPair]:
    """Return the images that match the filters, largest difference first."""
    gap, side, box = (st.session_state[f"{key}.{name}"] for name in ("gap", "side", "box"))
    image_sets = [set(answers.images[question]) for question in outcome_filters.requested_questions(answers, key=key)]
    matching_pairs = [
        pair
        for pair in pairs
        if abs(pair.gap) >= gap - MAX_EQUAL_DIFFERENCE
        if side not in tuple(SystemSide) or pair.winner is SystemSide(side)
        if box is None or _is_inside(pair, box)
        if all(pair.id in image_ids for image_ids in image_sets)
    ]
    return sorted(matching_pairs, key=lambda pair: -abs(pair.gap))


def _is_inside(pair: RowPair, box: PlotRegion) -> bool:
    left, right, low, high = box
    return all(
        start - MAX_EQUAL_DIFFERENCE <= row.overall.f1 <= end + MAX_EQUAL_DIFFERENCE
        for row, start, end in ((pair.base, left, right), (pair.other, low, high))
    )


def filter_params(answers: SystemAnswers, *, key: str) -> dict[str, str]:
    """Return the filters as URL parameters."""
    gap, side, box = (st.session_state[f"{key}.{name}"] for name in ("gap", "side", "box"))
    return {
        "gap": f"{gap:.2f}" if gap else "",
        "side": side if side in tuple(SystemSide) else "",
        "box": "{:.3f}-{:.3f},{:.3f}-{:.3f}".format(*box) if box else "",
        "q": ",".join(outcome_filters.requested_questions(answers, key=key)),
    }


def _show_chips(answers: SystemAnswers, *, key: str, style: DisplayStyle) -> None:
    """Show a button for each active filter that removes the filter.

    If any filter is active, also show a button that removes all filters.
    """
    gap, side, box = (st.session_state[f"{key}.{name}"] for name in ("gap", "side", "box"))
    chips: ChipByFilter = {}
    if gap:
        chips["gap"] = t("systems.chip_gap", gap=style.format_ratio(gap)), {"gap": 0.0}
    if side in tuple(SystemSide):
        chips["side"] = t("systems.chip_side", name=answers.names[SystemSide(side)]), {"side": "both"}
    if box:
        chips["box"] = t("systems.chip_box"), {"box": None}
    requested_questions_ = outcome_filters.requested_questions(answers, key=key)
    chips |= question_chips({question: outcome_filters.question_text(answers, question) for question in requested_questions_})
    show_chips(chips, key=key)
    if chips:
        st.button(t("batch.clear"), key=f"{key}.clear", on_click=clear_filters, args=(_NO_FILTERS,), kwargs={"key": key}, type="tertiary")
