"""Two systems image by image: where they differ, in which tuples, and a blind comparison."""

from collections.abc import Sequence
from html import escape
from random import Random
from typing import Any

import streamlit as st

from pages.parts.kit import html
from pages.parts.kit.texts import t
from pages.parts.systems import filters
from pages.parts.systems.filters import SystemAnswers
from pages.parts.systems.inputs import RowsByImage
from pages.parts.systems.state import systems_state
from pages.parts.views import scored_rows, tuples
from pages.parts.views.filters import selected_questions
from spice_core import SpiceConfig
from spice_core.draw.style import DisplayStyle
from spice_core.evaluation.differences import RowPair, SystemSide
from spice_core.evaluation.row_statistics import caption_text
from spice_core.scene.matching import MatchState


def pair_rows(base: RowsByImage, other_rows: RowsByImage) -> list[RowPair]:
    """Return the pairs of rows of both systems, in baseline order."""
    return [RowPair(row, other_rows[i]) for i, row in base.items() if i in other_rows]


def has_captions(pair: RowPair) -> bool:
    """Return whether both rows contain references, not only scores."""
    return bool(pair.base.references and pair.other.references)


def choose_pair(pairs: Sequence[RowPair], *, style: DisplayStyle) -> RowPair | None:
    """Let the visitor choose an image. Return its pair of rows, or None if there are no images."""
    if not pairs:
        html.show_note(t("systems.none"))
        return None
    by_id = {pair.id: pair for pair in pairs}

    def pair_label(i: int | str) -> str:
        words = f" · {caption_text(by_id[i].base.candidate)}" if has_captions(by_id[i]) else ""
        return t("systems.option", id=i, gap=style.format_change(by_id[i].gap)) + words

    return by_id[scored_rows.choose_row(t("systems.image"), list(by_id), pair_label, key="systems.image")]


def show_detail(pair: RowPair, answers: SystemAnswers, config: SpiceConfig, *, style: DisplayStyle) -> None:
    """Show both captions with graphs and references, the tuples behind the questions, and the differing tuples."""
    lines = list(filters.reason_lines(answers, pair, selected_questions(answers.images)))
    items = "".join(f"<li><b>{escape(label)}</b>{''.join(f'<span>{escape(line)}</span>' for line in words)}</li>" for label, words in lines)
    if items:
        st.html(f'<ul class="sc-concerns">{items}</ul>')
    if not has_captions(pair):
        html.show_note(t("systems.no_rows"))
        return
    lang = config.lang
    scored_rows.show_captions(pair.base, lang, with_candidate=False)
    links = {side: scored_rows.rules_links(pair.row_of(side), config) for side in SystemSide}
    for column, side in zip(st.columns(2, gap="medium"), SystemSide):
        row, name = pair.row_of(side), answers.names[side]
        with column, st.container(border=True):
            st.html(
                f'<p class="sc-one"><b>{style.format_ratio(row.overall.f1)}</b> {escape(name)}</p>'
                f'<p class="sc-said-caption" lang="{lang}">{escape(caption_text(row.candidate))}</p>'
            )
            own_tuples, opposite_tuples = scored_rows.tuples_by_state(row), scored_rows.tuples_by_state(pair.row_of(side.opposite))
            for state, title in ((MatchState.EXACT, "gains"), (MatchState.EXTRA, "errs"), (MatchState.MISSING, "lacks")):
                differing_tuples = [parts for parts in own_tuples[state] if parts not in opposite_tuples[state]]
                st.html(tuples.tuple_list(state, f"{t(f'systems.{title}')} ({len(differing_tuples)})", differing_tuples, links[side]))
            scored_rows.show_picture(row, config)
            scored_rows.show_inspect_link(row, config, key=f"systems.{side}")
    if any(links.values()):
        html.show_note(t("tuples.to_rules"))


def show_blind_test(pairs: Sequence[RowPair], names: tuple[str, str], lang: str, *, style: DisplayStyle) -> None:
    """Show one pair of captions at a time in seeded random order, hiding the systems' names until a vote."""
    blind_pairs = [p for p in pairs if has_captions(p) and p.base.candidate != p.other.candidate]
    if not blind_pairs:
        st.html(f'<p class="sc-note">{t("systems.no_rows")}</p>')
        return
    Random(0).shuffle(blind_pairs)
    state = systems_state()
    vote_by_pair = state.votes.setdefault(names, {})
    pair_index = state.pair_index % len(blind_pairs)
    pair = blind_pairs[pair_index]
    is_swapped = Random(f"{pair.id}").random() < 0.5
    captions_in_order = [(name, row, row.overall.f1) for name, row in zip(names, pair.rows)][:: -1 if is_swapped else 1]

    def store_vote(side: int | None) -> None:
        vote_by_pair[pair.id] = None if side is None else side ^ is_swapped

    def show_next_pair() -> None:
        state.pair_index = pair_index + 1

    st.html(f'<p class="sc-count" role="status">{t("systems.blind_place", number=pair_index + 1, total=len(blind_pairs))}</p>')
    scored_rows.show_captions(pair.base, lang, with_candidate=False)
    for column, letter, (_, row, _) in zip(st.columns(2, gap="medium"), ("left", "right"), captions_in_order):
        with column, st.container(border=True):
            text = escape(caption_text(row.candidate))
            st.html(f'<p class="sc-one"><b>{t(f"systems.{letter}")}</b></p><p class="sc-said-caption" lang="{lang}">{text}</p>')
    with st.container(horizontal=True, gap="small"):
        for name, side in (("left_better", 0), ("equal", None), ("right_better", 1)):
            st.button(t(f"systems.{name}"), key=f"systems.{name}", on_click=store_vote, args=(side,), disabled=pair.id in vote_by_pair)
        st.button(t("systems.next_pair"), key="systems.next", on_click=show_next_pair)
    if pair.id in vote_by_pair:
        (left_name, _, f_left), (right_name, _, f_right) = captions_in_order
        ratios = {"f_left": style.format_ratio(f_left), "f_right": style.format_ratio(f_right)}
        st.html(f'<p class="sc-totals" role="status">{escape(t("systems.revealed", left=left_name, right=right_name, **ratios))}</p>')
    if vote_by_pair:
        st.html(
            f'<p class="sc-totals">{escape(t("systems.votes", base=names[0], other=names[1], **count_votes(blind_pairs, vote_by_pair)))}</p>'
        )


def count_votes(pairs: Sequence[RowPair], vote_by_pair: dict[int | str, int | None]) -> dict[str, Any]:
    """Count the votes for each system and for neither, and F1's agreement with the votes."""
    judged_pairs = [(p, vote_by_pair[p.id]) for p in pairs if vote_by_pair.get(p.id) is not None and p.winner]
    agreement_count = sum((p.gap > 0) == bool(vote) for p, vote in judged_pairs)
    chosen_systems = list(vote_by_pair.values())
    counts = {"n_base": chosen_systems.count(0), "n_other": chosen_systems.count(1), "n_equal": chosen_systems.count(None)}
    return {**counts, "agreed": agreement_count, "judged": len(judged_pairs)}
