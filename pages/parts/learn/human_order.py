"""The step on human judgement.

The visitor ranks captions and sees their ranking by SPICE, and the correlation of mean scores with mean ratings.
"""

from __future__ import annotations

from html import escape
from typing import Any

import streamlit as st

from pages.parts.kit import page
from pages.parts.kit.texts import t
from pages.parts.learn import averaging, graph, lessons
from pages.parts.learn.ask import StepProgress
from pages.parts.learn.lessons import StepFigures
from pages.parts.learn.material import current_material
from pages.parts.learn.results import STATE_KEY, score_candidate

ORDER_KEY = f"{STATE_KEY}.order"
INITIAL_ORDER = (2, 4, 0, 5, 3, 1)


def show_picture(figures: StepFigures, progress: StepProgress) -> None:
    """Show the references and the captions to rank. After Reveal, add the ranking by SPICE and the correlation of means."""
    graph.show_captions(
        {t("captions.reference", number=i): text for i, text in enumerate(current_material().buses, 1)}, lang=current_material().lang
    )
    _show_cards(progress.is_revealed)
    if progress.is_revealed:
        show_average()


@st.fragment
def _show_cards(is_revealed: bool) -> None:
    order: list[int] = st.session_state.setdefault(ORDER_KEY, list(INITIAL_ORDER))
    st.html(f'<p class="sc-ask">{t("learn.rank")}</p>')
    with st.container(gap=None, key=f"{STATE_KEY}.cards"):
        for place, card in enumerate(order):
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                _show_button("up", "↑", place, -1, card)
                _show_button("down", "↓", place, 1, card)
                st.html(f'<p class="sc-card"><b>{place + 1}</b> {escape(current_material().cards[card])}</p>')
    if not is_revealed:
        st.html(f'<p class="sc-note">{t("learn.rank_first")}</p>')
        return
    _compare_orders(order)


def _compare_orders(order: list[int]) -> None:
    """Show the ranking by SPICE with each caption's position in the visitor's ranking, and Kendall's τ of both rankings."""
    spice_order = lessons.rank_cards()
    same_count, opposite_count, tau = averaging.kendall_tau(order, spice_order)
    order_html = "".join(
        f"<li>{escape(current_material().cards[card])} <small>{_place_text(card, order)}</small></li>" for card in spice_order
    )
    st.html(f'<p class="sc-ask">{t("learn.rank_spice")}</p><ol class="sc-order">{order_html}</ol>')
    st.html(f'<p class="sc-sum" role="status">{t("learn.rank_same", concordant=same_count, discordant=opposite_count, tau=tau)}</p>')
    st.html(
        f'<p class="sc-note">{escape(t("learn.rank_why", false=current_material().cards[current_material().false_card], true=current_material().cards[current_material().true_card]))}</p>'
    )


def _place_text(card: int, order: list[int]) -> str:
    """Return the score of a card and the position of the card in the visitor's order."""
    value = page.display_style().format_ratio(score_candidate(current_material().cards[card], *current_material().buses).result.f1)
    return f"{value} · {t('learn.rank_place', place=order.index(card) + 1)}"


def _show_button(button_name: str, symbol: str, position: int, offset: int, card: int) -> None:
    label = t(f"learn.rank_{button_name}", caption=current_material().cards[card])
    is_disabled = not 0 <= position + offset < len(current_material().cards)
    st.button(
        symbol,
        key=f"{STATE_KEY}.{button_name}.{position}",
        help=label,
        on_click=_move_card,
        args=(position, offset),
        disabled=is_disabled,
        type="tertiary",
    )


def _move_card(position: int, offset: int) -> None:
    order = list(st.session_state[ORDER_KEY])
    if 0 <= position + offset < len(order):
        order[position], order[position + offset] = order[position + offset], order[position]
    st.session_state[ORDER_KEY] = order


@st.fragment
def show_average() -> None:
    """Show the correlation of mean scores with mean ratings of systems, for a chosen number of captions per system."""
    sample_size = st.select_slider(t("learn.average"), averaging.SAMPLE_SIZES, value=averaging.SAMPLE_SIZES[1], key=f"{STATE_KEY}.average")
    values: dict[str, Any] = {
        "size": sample_size,
        "differing": averaging.mean_correlation(sample_size, systems_differ=True),
        "equal": averaging.mean_correlation(sample_size, systems_differ=False),
    }
    st.html(f'<p class="sc-sum">{t("learn.average_line", **values, draws=averaging.DRAW_COUNT)}</p>')
