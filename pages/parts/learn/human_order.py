"""The step on human judgement.

The visitor ranks captions and sees their ranking by SPICE, and the correlation of mean scores with mean ratings.
"""

import json
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from pages.parts.kit import page
from pages.parts.kit.texts import t
from pages.parts.learn import elements, lessons
from pages.parts.learn.elements import StepProgress
from pages.parts.learn.lessons import StepFigures
from pages.parts.learn.material import current_material
from pages.parts.learn.results import score_candidate
from pages.parts.learn.state import learn_state


def show_picture(figures: StepFigures, progress: StepProgress) -> None:
    """Show the references and the captions to rank. After Reveal, add the ranking by SPICE and the correlation of means."""
    elements.show_captions(
        {t("captions.reference", number=i): text for i, text in enumerate(current_material().buses, 1)}, lang=current_material().lang
    )
    _show_cards(progress.is_revealed)
    if progress.is_revealed:
        show_average()


@st.fragment
def _show_cards(is_revealed: bool) -> None:
    order = learn_state().card_order
    st.html(f'<p class="sc-ask">{t("learn.rank")}</p>')
    with st.container(gap=None, key="learn.cards"):
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
    """Show the ranking by SPICE with each caption's rank in the visitor's ranking, and Kendall's τ."""
    spice_order = lessons.rank_cards()
    same_count, opposite_count, tau = kendall_tau(order, spice_order)
    material, style, order_html = current_material(), page.display_style(), ""
    for card in spice_order:
        value = style.format_ratio(score_candidate(material.cards[card], *material.buses).result.f1)
        place = t("learn.rank_place", place=order.index(card) + 1)
        order_html += f"<li>{escape(material.cards[card])} <small>{value} · {place}</small></li>"
    st.html(f'<p class="sc-ask">{t("learn.rank_spice")}</p><ol class="sc-order">{order_html}</ol>')
    st.html(f'<p class="sc-sum" role="status">{t("learn.rank_same", concordant=same_count, discordant=opposite_count, tau=tau)}</p>')
    reason = t("learn.rank_why", false=material.cards[material.false_card], true=material.cards[material.true_card])
    st.html(f'<p class="sc-note">{escape(reason)}</p>')


def _show_button(button_name: str, symbol: str, position: int, offset: int, card: int) -> None:
    def move_card() -> None:
        order = learn_state().card_order
        if 0 <= position + offset < len(order):
            order[position], order[position + offset] = order[position + offset], order[position]

    label = t(f"learn.rank_{button_name}", caption=current_material().cards[card])
    is_disabled = not 0 <= position + offset < len(current_material().cards)
    options: dict[str, Any] = {"help": label, "on_click": move_card, "disabled": is_disabled}
    st.button(symbol, key=f"learn.{button_name}.{position}", type="tertiary", **options)


@st.fragment
def show_average() -> None:
    """Show the correlation of mean scores with mean ratings of systems, for a chosen number of captions per system."""
    sample_size = st.select_slider(t("learn.average"), SAMPLE_SIZES, value=SAMPLE_SIZES[1], key="learn.average")
    differing, equal = (mean_correlation(sample_size, systems_differ=systems_differ) for systems_differ in (True, False))
    line = t("learn.average_line", size=sample_size, differing=differing, equal=equal, draws=DRAW_COUNT)
    st.html(f'<p class="sc-sum">{line}</p>')


SAMPLE_FILE = Path(__file__).parents[3] / "assets" / "agreement" / "sample_ja.json"
SYSTEM_COUNT, DRAW_COUNT, DRAW_SEED = 8, 400, 2016
SAMPLE_SIZES = (1, 5, 20, 100, 300)
_SYSTEM_BIAS = 0.35


@cache
def mean_correlation(caption_count: int, *, systems_differ: bool) -> float:
    """Return the Pearson correlation of the systems' mean ratings and mean SPICE scores, averaged over ``DRAW_COUNT`` draws.

    Each draw contains ``caption_count`` captions per system. If ``systems_differ`` is True, systems prefer captions of different
    quality. Otherwise all systems draw from the same distribution.
    """
    ratings, scores = _read_sample()
    random = np.random.default_rng(DRAW_SEED)
    fifth_by_caption = np.argsort(np.argsort(ratings, kind="stable")) * 5 // len(ratings)
    levels = np.linspace(-1, 1, SYSTEM_COUNT) if systems_differ else np.zeros(SYSTEM_COUNT)
    means = np.empty((2, DRAW_COUNT, SYSTEM_COUNT))
    for level_index, level in enumerate(levels):
        weights = np.exp(_SYSTEM_BIAS * level * (fifth_by_caption - 2))
        sample = random.choice(len(ratings), (DRAW_COUNT, caption_count), p=weights / weights.sum())
        means[:, :, level_index] = ratings[sample].mean(axis=1), scores[sample].mean(axis=1)
    x, y = means - means.mean(axis=2, keepdims=True)
    with np.errstate(invalid="ignore"):
        values = (x * y).sum(axis=1) / np.sqrt((x**2).sum(axis=1) * (y**2).sum(axis=1))
    return float(np.nanmean(values))


def kendall_tau(first_ranking: list[int], second_ranking: list[int]) -> tuple[int, int, float]:
    """Return the numbers of concordant and discordant pairs of two rankings, and Kendall's τ."""
    rank_of = {item: i for i, item in enumerate(second_ranking)}
    ranks = [rank_of[item] for item in first_ranking]
    pairs = [ranks[i] < ranks[k] for i in range(len(ranks)) for k in range(i + 1, len(ranks))]
    same_count = sum(pairs)
    return same_count, len(pairs) - same_count, (2 * same_count - len(pairs)) / len(pairs) if pairs else 1.0


@cache
def _read_sample() -> tuple[np.ndarray, np.ndarray]:
    """Return the ratings (0 to 5) and SPICE scores of the bundled rated captions."""
    stored_sample = json.loads(SAMPLE_FILE.read_text(encoding="utf-8"))
    return np.array([item["rating"] for item in stored_sample["items"]], float), np.array(stored_sample["scores"]["SPICE"], float)
