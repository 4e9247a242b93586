"""Filters for the images of two systems: difference, side, region of the scatter plot, questions; all in the address."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from pages.parts.kit import charts, choice, url
from pages.parts.kit.html import plain
from pages.parts.kit.texts import t
from pages.parts.systems import questions
from pages.parts.systems.questions import Answers
from spice_core.draw import charts as statistics
from spice_core.draw.style import DisplayStyle
from spice_core.evaluation.system_questions import EQUAL, RowPair, SystemSide

SIDES = ("both", *SystemSide)
Box = tuple[float, float, float, float]  # F1 of the baseline from, to; of the other system from, to
_LONGEST = 300  # characters of questions in the address
_NONE: dict[str, Any] = {"gap": 0.0, "side": "both", "box": None, "asked": []}
_UNIT = r"([01]\.\d{3})"


def begin(*, key: str) -> None:
    """Set the filters, at the first visit as the address says."""
    address = st.query_params if f"{key}.asked" not in st.session_state else {}
    for name, value in _requested_filters(address).items():
        st.session_state.setdefault(f"{key}.{name}", value)


def _requested_filters(view: Mapping[str, str]) -> dict[str, Any]:
    """The state of each filter, from the address; of what is unknown the default."""
    return {
        "gap": float(gap) if re.fullmatch(r"0\.\d[05]|1\.00", gap := view.get("gap", ""), re.ASCII) else 0.0,
        "side": side if (side := view.get("side", "")) in SIDES else "both",
        "box": _box(view.get("box", "")),
        "asked": list(dict.fromkeys(view.get("q", "")[:_LONGEST].split(",")))[: questions.MOST],
    }


def _box(written: str) -> Box | None:
    """A region as the address holds it, 0.100-0.400,0.200-0.600; None for anything else."""
    if not (found := re.fullmatch(rf"{_UNIT}-{_UNIT},{_UNIT}-{_UNIT}", written, re.ASCII)):
        return None
    left, right, low, high = map(float, found.groups())
    return (left, right, low, high) if left <= right and low <= high else None


def systems(names: Sequence[str], *, key: str) -> tuple[str, str]:
    """The choice of the baseline and of the system that is compared with it; the address holds their places."""
    options: dict[str, Any] = {"width": 320, "persist_state": "session"}
    _init_choice(f"{key}.baseline", names, st.query_params.get("base", ""))
    baseline = st.selectbox(t("systems.baseline"), names, key=f"{key}.baseline", **options)
    rest = [name for name in names if name != baseline]
    _init_choice(f"{key}.other", rest, st.query_params.get("other", ""), names)
    other = st.selectbox(t("systems.other"), rest, key=f"{key}.other", **options)
    url.set_param("base", str(names.index(baseline) + 1), "1")
    url.set_param("other", str(names.index(other) + 1), str(names.index(rest[0]) + 1))
    return baseline, other


def _init_choice(widget: str, known: Sequence[str], place: str, names: Sequence[str] = ()) -> None:
    """Set a list that has no known value to what the address names, or to the first."""
    if st.session_state.get(widget) not in known:
        names = names or known
        asked = names[int(place) - 1] if re.fullmatch(r"[1-9]\d{0,3}", place, re.ASCII) and int(place) <= len(names) else ""
        st.session_state[widget] = asked if asked in known else known[0]


def scatter(pairs: Sequence[RowPair], found: Answers, *, key: str, style: DisplayStyle) -> None:
    """Scatter plot of all images, pale where a filter takes them out; a box around points is a filter."""
    names, passed = (found.names[SystemSide.BASE], found.names[SystemSide.OTHER]), {pair.id for pair in chosen(pairs, found, key=key)}
    turn = st.session_state.get(f"{key}.turn", 0)  # a new chart has nothing selected
    widget, box = f"{key}.scatter.{turn}", st.session_state[f"{key}.box"]
    values = [(pair.base.overall.f1, pair.other.overall.f1) for pair in pairs]

    def selected() -> None:
        places = [values[point["point_index"]] for point in st.session_state[widget].selection.points if point["curve_number"] == 1]
        st.session_state[f"{key}.box"] = _around(places) if places else None

    hints = [f"{p.id}: {style.ratio(x)} → {style.ratio(y)}" for p, (x, y) in zip(pairs, values)]
    wins, losses = (sum(p.winner is side for p in pairs) for side in (SystemSide.OTHER, SystemSide.BASE))
    alt = t("systems.scatter_alt", number=len(pairs), base=names[0], other=names[1], wins=wins, losses=losses)
    kept = [pair.id in passed for pair in pairs] if len(passed) < len(pairs) else None
    figure = statistics.scatter([x for x, _ in values], [y for _, y in values], hints, names, kept=kept, box=box, style=style)
    st.plotly_chart(figure, key=widget, on_select=selected, selection_mode="box", alt=alt, **charts.LOOK)


def _around(places: Sequence[tuple[float, float]]) -> Box:
    """The region of these points, from three decimals below to three above."""
    ends = [end for values in zip(*places) for end in (math.floor(min(values) * 1000) / 1000, math.ceil(max(values) * 1000) / 1000)]
    left, right, low, high = (min(max(end, 0.0), 1.999) for end in ends)
    return left, right, low, high


def choose(pairs: Sequence[RowPair], found: Answers, *, key: str, style: DisplayStyle) -> list[RowPair]:
    """Show the filters; returns the images that pass them, the largest difference first."""
    left, right = st.columns([2, 3], gap="medium", vertical_alignment="bottom")
    options: dict[str, Any] = {"persist_state": "session"}
    left.slider(t("systems.gap"), 0.0, 1.0, step=0.05, key=f"{key}.gap", **options)
    with right:
        sides = dict(zip(SIDES, (t("systems.both"), *found.names.values())))
        choice.one_of(t("systems.direction"), sides, key=f"{key}.side", wrap=True, **options)
    kept = chosen(pairs, found, key=key)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.html(f'<p class="sc-count" role="status">{t("systems.found_of", number=len(kept), total=len(pairs))}</p>', width="content")
        _chips(found, key=key, style=style)
    for name, value in view(found, key=key).items():
        url.set_param(name, value)
    return kept


def chosen(pairs: Sequence[RowPair], found: Answers, *, key: str) -> list[RowPair]:
    """The images that pass the filters, the largest difference first."""
    gap, side, box = (st.session_state[f"{key}.{name}"] for name in ("gap", "side", "box"))
    answered = [set(found.images[question]) for question in questions.requested_questions(found, key=key)]
    kept = [
        pair
        for pair in pairs
        if abs(pair.gap) >= gap - EQUAL
        if side not in tuple(SystemSide) or pair.winner is SystemSide(side)
        if box is None or _is_inside(pair, box)
        if all(pair.id in each for each in answered)
    ]
    return sorted(kept, key=lambda pair: -abs(pair.gap))


def _is_inside(pair: RowPair, box: Box) -> bool:
    left, right, low, high = box
    return all(start - EQUAL <= row.overall.f1 <= end + EQUAL for row, start, end in ((pair.base, left, right), (pair.other, low, high)))


def view(found: Answers, *, key: str) -> dict[str, str]:
    """The filters as the address holds them."""
    gap, side, box = (st.session_state[f"{key}.{name}"] for name in ("gap", "side", "box"))
    return {
        "gap": f"{gap:.2f}" if gap else "",
        "side": side if side in tuple(SystemSide) else "",
        "box": "{:.3f}-{:.3f},{:.3f}-{:.3f}".format(*box) if box else "",
        "q": ",".join(questions.requested_questions(found, key=key)),
    }


def _chips(found: Answers, *, key: str, style: DisplayStyle) -> None:
    """Each filter that is set, as a button that removes it; and one that removes all."""
    gap, side, box = (st.session_state[f"{key}.{name}"] for name in ("gap", "side", "box"))
    chips: dict[str, tuple[str, dict[str, Any]]] = {}
    if gap:
        chips["gap"] = t("systems.chip_gap", gap=style.ratio(gap)), {"gap": 0.0}
    if side in tuple(SystemSide):
        chips["side"] = t("systems.chip_side", name=found.names[SystemSide(side)]), {"side": "both"}
    if box:
        chips["box"] = t("systems.chip_box"), {"box": None}
    asked = questions.requested_questions(found, key=key)
    for question in asked:
        chips[question] = questions.question_text(found, question), {"asked": [each for each in asked if each != question]}

    def drop(without: dict[str, Any]) -> None:
        st.session_state.update({f"{key}.{name}": value for name, value in without.items()})
        st.session_state[f"{key}.turn"] = st.session_state.get(f"{key}.turn", 0) + ("box" in without)

    for name, (label, without) in chips.items():
        st.button(f"{plain(label)} ✕", key=f"{key}.chip.{name}", on_click=drop, args=(without,), help=t("batch.chip_help"))
    if chips:
        st.button(t("batch.clear"), key=f"{key}.clear", on_click=drop, args=(_NONE,), type="tertiary")
