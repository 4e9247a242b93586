"""Two systems image by image: where they differ, by which tuples, and a blind comparison."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from random import Random
from typing import Any

import streamlit as st

from pages.parts.kit import charts, choice
from pages.parts.kit.html import change, number
from pages.parts.kit.texts import t
from pages.parts.systems.inputs import Rows
from pages.parts.views import scored_rows, tuples
from spice_core.data.results import ScoredItem
from spice_core.draw import charts as statistics
from spice_core.draw.style import DisplayStyle
from spice_core.scene.matching import MatchState

_OFFERED = 500
_SIDES = ("both", "base", "other")
_EQUAL = 1e-9


@dataclass(frozen=True)
class Pair:
    """One image under the baseline and under another system."""

    id: int | str
    base: ScoredItem
    other: ScoredItem
    f_base: float
    f_other: float

    @property
    def gap(self) -> float:
        """Difference in F1, positive if the other system is better."""
        return self.f_other - self.f_base

    @property
    def has_captions(self) -> bool:
        """Whether captions and tuples are available."""
        return bool(self.base.references and self.other.references)


def paired(base: Rows, other: Rows) -> list[Pair]:
    """The images that both systems have, in the baseline's order."""
    return [Pair(i, row, other[i], row.overall.f1, other[i].overall.f1) for i, row in base.items() if i in other]


def scatter(pairs: Sequence[Pair], names: tuple[str, str], *, key: str, style: DisplayStyle) -> set[int | str]:
    """Scatter plot of all images; returns the selected ones."""
    hints = [f"{p.id}: {number(p.f_base, style=style)} → {number(p.f_other, style=style)}" for p in pairs]
    wins, losses = sum(p.gap > _EQUAL for p in pairs), sum(p.gap < -_EQUAL for p in pairs)
    alt = t("systems.scatter_alt", number=len(pairs), base=names[0], other=names[1], wins=wins, losses=losses)
    figure = statistics.scatter([p.f_base for p in pairs], [p.f_other for p in pairs], hints, names, style=style)
    st.html(f'<p class="sc-note">{escape(t("systems.scatter_note", other=names[1]))}</p>')
    found = st.plotly_chart(
        figure, key=f"{key}.scatter", on_select="rerun", selection_mode=("points", "box", "lasso"), alt=alt, **charts.LOOK
    )
    return {pairs[point["point_index"]].id for point in found.selection.points if point["curve_number"] == 1}


def choose(pairs: Sequence[Pair], names: tuple[str, str], selected: set[int | str], *, key: str, style: DisplayStyle) -> Pair | None:
    """The images above the chosen difference, largest first; returns the one chosen among them."""
    gap = st.slider(t("systems.gap"), 0.0, 1.0, 0.1, step=0.05, key=f"{key}.gap", persist_state="session")
    sides = dict(zip(_SIDES, (t("systems.both"), *names)))
    side = choice.one_of(t("systems.direction"), sides, key=f"{key}.side", persist_state="session", wrap=True)
    keep = {"both": abs, "base": lambda x: -x, "other": lambda x: x}[side]
    found = [p for p in pairs if keep(p.gap) >= gap - _EQUAL and (not selected or p.id in selected)]
    found.sort(key=lambda p: -abs(p.gap))
    st.html(f'<p class="sc-count" role="status">{t("systems.found", number=len(found))}</p>')
    if not found:
        st.html(f'<p class="sc-note">{t("systems.none")}</p>')
        return None
    by_id, widget = {p.id: p for p in found}, f"{key}.image"
    if st.session_state.get(widget) not in by_id:
        st.session_state[widget] = found[0].id

    def label(i: int | str) -> str:
        caption_text = f" · {scored_rows.caption_text(by_id[i].base.candidate)}" if by_id[i].has_captions else ""
        return t("systems.option", id=i, gap=change(by_id[i].gap, style=style)) + caption_text

    st.selectbox(t("systems.image"), list(by_id)[:_OFFERED], key=widget, format_func=label, persist_state="session")
    return by_id[st.session_state[widget]]


def detail(pair: Pair, names: tuple[str, str], lang: str, *, style: DisplayStyle) -> None:
    """Both captions, their references, and the tuples in which they differ."""
    if not pair.has_captions:
        st.html(f'<p class="sc-note">{t("systems.no_rows")}</p>')
        return
    scored_rows.captions(pair.base, lang, candidate=False)
    sides = ((names[0], pair.base, pair.other, pair.f_base), (names[1], pair.other, pair.base, pair.f_other))
    for column, (name, row, other_row, f1) in zip(st.columns(2, gap="medium"), sides):
        with column, st.container(border=True):
            st.html(
                f'<p class="sc-one"><b>{number(f1, style=style)}</b> {escape(name)}</p>'
                f'<p class="sc-said-caption" lang="{lang}">{escape(scored_rows.caption_text(row.candidate))}</p>'
            )
            here, there = scored_rows.tuples(row), scored_rows.tuples(other_row)
            for state, title in ((MatchState.EXACT, "gains"), (MatchState.EXTRA, "errs")):
                only = [parts for parts in here[state] if parts not in there[state]]
                st.html(tuples.listed(state, f"{t(f'systems.{title}')} ({len(only)})", only))


def blind(pairs: Sequence[Pair], names: tuple[str, str], lang: str, *, key: str, style: DisplayStyle) -> None:
    """Pairs in a seeded order; the systems are hidden until the visitor has chosen the better caption."""
    blind = [p for p in pairs if p.has_captions and p.base.candidate != p.other.candidate]
    if not blind:
        st.html(f'<p class="sc-note">{t("systems.no_rows")}</p>')
        return
    Random(0).shuffle(blind)
    votes: dict = st.session_state.setdefault(f"{key}.votes", {}).setdefault(names, {})
    place = st.session_state.get(f"{key}.pair", 0) % len(blind)
    pair = blind[place]
    swapped = Random(f"{pair.id}").random() < 0.5
    shown = [(names[0], pair.base, pair.f_base), (names[1], pair.other, pair.f_other)][:: -1 if swapped else 1]

    def vote(side: int | None) -> None:
        votes[pair.id] = None if side is None else side ^ swapped

    def go() -> None:
        st.session_state[f"{key}.pair"] = place + 1

    st.html(f'<p class="sc-count" role="status">{t("systems.blind_place", number=place + 1, total=len(blind))}</p>')
    scored_rows.captions(pair.base, lang, candidate=False)
    for column, letter, (_, row, _) in zip(st.columns(2, gap="medium"), ("left", "right"), shown):
        with column, st.container(border=True):
            text = escape(scored_rows.caption_text(row.candidate))
            st.html(f'<p class="sc-one"><b>{t(f"systems.{letter}")}</b></p><p class="sc-said-caption" lang="{lang}">{text}</p>')
    with st.container(horizontal=True, gap="small"):
        for name, side in (("left_better", 0), ("equal", None), ("right_better", 1)):
            st.button(t(f"systems.{name}"), key=f"{key}.{name}", on_click=vote, args=(side,), disabled=pair.id in votes)
        st.button(t("systems.next_pair"), key=f"{key}.next", on_click=go)
    if pair.id in votes:
        (left, _, f_left), (right, _, f_right) = shown
        ratios = {"f_left": number(f_left, style=style), "f_right": number(f_right, style=style)}
        st.html(f'<p class="sc-totals" role="status">{escape(t("systems.revealed", left=left, right=right, **ratios))}</p>')
    if votes:
        st.html(f'<p class="sc-totals">{escape(t("systems.votes", base=names[0], other=names[1], **tally(blind, votes)))}</p>')


def tally(pairs: Sequence[Pair], votes: dict[int | str, int | None]) -> dict[str, Any]:
    """Counts of the votes, and how often F1 agrees with them."""
    judged = [(p, votes[p.id]) for p in pairs if votes.get(p.id) is not None and abs(p.gap) > _EQUAL]
    agreed = sum((p.gap > 0) == bool(vote) for p, vote in judged)
    chosen = list(votes.values())
    counts = {"n_base": chosen.count(0), "n_other": chosen.count(1), "n_equal": chosen.count(None)}
    return {**counts, "agreed": agreed, "judged": len(judged)}
