"""Step 10: captions ranked by hand, the order of SPICE beside it, and agreement on average."""

from __future__ import annotations

from html import escape
from typing import Any

import streamlit as st

from pages.parts.kit import page
from pages.parts.kit.texts import t
from pages.parts.learn import averaging, graph, lessons
from pages.parts.learn.ask import Progress
from pages.parts.learn.lessons import BUSES, CARDS, Facts, score_english
from pages.parts.learn.results import KEY

ORDER = f"{KEY}.order"
FIRST = (2, 4, 0, 5, 3, 1)  # the order in which the cards lie at first


def picture(facts: Facts, progress: Progress) -> None:
    """The references, the cards to rank, the order of SPICE after the reveal, and the slider."""
    with st.expander(t("captions.title")):
        graph.caption_list({t("captions.reference", number=i): text for i, text in enumerate(BUSES, 1)}, lang="en")
    _rank(progress.revealed)
    if progress.revealed:
        average()


@st.fragment
def _rank(revealed: bool) -> None:
    order: list[int] = st.session_state.setdefault(ORDER, list(FIRST))
    st.html(f'<p class="sc-ask">{t("learn.rank")}</p>')
    with st.container(gap=None, key=f"{KEY}.cards"):
        for place, card in enumerate(order):
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                _button("up", "↑", place, -1, card)
                _button("down", "↓", place, 1, card)
                st.html(f'<p class="sc-card"><b>{card + 1}</b> {escape(CARDS[card])}</p>')
    if not revealed:
        st.html(f'<p class="sc-note">{t("learn.rank_first")}</p>')
        return
    _compare_orders(order)


def _compare_orders(order: list[int]) -> None:
    """Both orders, with τ."""
    theirs = lessons.ranking()
    same, opposite, tau = averaging.kendall(order, theirs)
    listed = "".join(
        f"<li><b>{card + 1}</b> {escape(CARDS[card])} <small>{page.style().ratio(score_english(CARDS[card], *BUSES).result.f1)}</small></li>"
        for card in theirs
    )
    st.html(f'<p class="sc-ask">{t("learn.rank_spice")}</p><ol class="sc-order">{listed}</ol>')
    written = "".join(str(card + 1) for card in order)
    st.html(f'<p class="sc-sum" role="status">{t("learn.rank_same", order=written, concordant=same, discordant=opposite, tau=tau)}</p>')
    st.html(f'<p class="sc-note">{t("learn.rank_why")}</p>')


def _button(name: str, sign: str, place: int, by: int, card: int) -> None:
    label = t(f"learn.rank_{name}", caption=CARDS[card])
    off = not 0 <= place + by < len(CARDS)
    st.button(sign, key=f"{KEY}.{name}.{place}", help=label, on_click=_move, args=(place, by), disabled=off, type="tertiary")


def _move(place: int, by: int) -> None:
    order = list(st.session_state[ORDER])
    if 0 <= place + by < len(order):
        order[place], order[place + by] = order[place + by], order[place]
    st.session_state[ORDER] = order


@st.fragment
def average() -> None:
    """Agreement of system means with ratings, by the number of captions of a system."""
    size = st.select_slider(t("learn.average"), averaging.SIZES, value=averaging.SIZES[1], key=f"{KEY}.average")
    values: dict[str, Any] = {
        "size": size,
        "differing": averaging.agreement(size, differing=True),
        "equal": averaging.agreement(size, differing=False),
    }
    st.html(f'<p class="sc-sum">{t("learn.average_line", **values, draws=averaging.DRAWS)}</p>')
