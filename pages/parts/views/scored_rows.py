"""One row of a scored file: its captions, tuples and graphs, and links to Inspect and Rules."""

import re
from collections.abc import Callable, Sequence
from html import escape

import streamlit as st

from pages.parts.kit import choice
from pages.parts.kit.texts import t
from pages.parts.kit.url import widget_key
from pages.parts.state import engine, links
from pages.parts.views import graphs
from pages.parts.views.tuples import LinkByTuple
from spice_core import SpiceConfig
from spice_core.data.results import ScoredItem
from spice_core.data.work_file import ImageId
from spice_core.draw import trees
from spice_core.errors import SpiceError
from spice_core.evaluation.row_statistics import caption_text
from spice_core.scene.matching import MatchState
from spice_core.scene.scores import format_count

_MAX_OPTIONS = 500  # maximum number of rows in the select box
_ROWS_KEY, _MAX_CACHED_ROWS = "views.scored", 4  # session key, and maximum number of cached rows


def choose_row(title: str, ids: Sequence[ImageId], label_of: Callable[[ImageId], str], *, key: str) -> ImageId:
    """Show the choice of a row, by default the first, with buttons for the previous and the next row. Return its id."""
    if st.session_state.get(key) not in ids:
        st.session_state[key] = ids[0]
    position = ids.index(st.session_state[key])
    start = max(0, min(position - _MAX_OPTIONS // 2, len(ids) - _MAX_OPTIONS))

    def move_selection(step: int) -> None:
        st.session_state[key] = ids[(position + step) % len(ids)]

    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key=widget_key("choose")):
        labels = {id: label_of(id) for id in ids[start : start + _MAX_OPTIONS]}
        chosen_id = choice.selectbox(title, labels, key=key, persist_state="session")
        st.button(t("batch.previous"), key=widget_key("previous"), on_click=move_selection, args=(-1,))
        st.button(t("batch.next"), key=widget_key("next"), on_click=move_selection, args=(1,))
    return chosen_id


def tuples_by_state(row: ScoredItem) -> dict[MatchState, list[tuple[str, ...]]]:
    """Return a row's tuples by state: matched (in the candidate's words), extra and missing."""
    return {
        MatchState.EXACT: [words for words, is_matched in row.candidate_tuples if is_matched],
        MatchState.EXTRA: list(row.extra),
        MatchState.MISSING: list(row.missing),
    }


def show_captions(row: ScoredItem, lang: str, *, with_candidate: bool = True) -> None:
    """Show the references and, by default, the candidate."""
    first_index = 0 if with_candidate else 1
    labelled_captions = list(zip(engine.caption_labels(range(len(row.references))), (row.candidate, *row.references)))[first_index:]
    texts = [
        _sentences_html(row, caption_index) or escape(caption_text(text))
        for caption_index, (_, text) in enumerate(labelled_captions, first_index)
    ]
    lines = "".join(f'<div><dt>{name}</dt><dd lang="{lang}">{text}</dd></div>' for (name, _), text in zip(labelled_captions, texts))
    st.html(f'<dl class="sc-captions sc-stacked">{lines}</dl>')


def _sentences_html(row: ScoredItem, caption_index: int) -> str:
    """Return the sentences of a caption with their matched and total tuples, or "" for a single sentence."""
    sentences = [sentence for sentence in row.sentences if sentence.caption == caption_index]
    lines = (f"<p><i>{format_count(s.matched)}/{s.tuples}</i><span>{escape(s.text)}</span></p>" for s in sentences)
    return f'<div class="sc-sentences">{"".join(lines)}</div>' if len(sentences) > 1 else ""


def show_picture(row: ScoredItem, config: SpiceConfig) -> None:
    """Show both graphs of a row in one drawing, unless it has given propositions or empty captions."""
    if (scored_captions := score_row(row, config)) is None:
        return
    picture = graphs.folded_picture(scored_captions)
    width_match = re.search(r'viewBox="\S+ \S+ (\S+) ', picture)
    min_width = f"{trees.MIN_LETTER_SCALE * float(width_match[1] if width_match else 0):.0f}px"  # a narrower box scrolls
    url = graphs.data_url(picture)
    in_words = "; ".join(line for side in ("candidate", "references") for line in graphs.graph_in_words(scored_captions, side))
    alt = escape(t("graphs.alt", outline=in_words or t("graphs.empty")))
    box = f'<figure class="sc-graph" role="group" aria-label="{t("download.graphs")}" tabindex="0">'  # focusable, so that it can be scrolled by keyboard
    st.html(f'{box}<img src="{url}" alt="{alt}" style="min-width: {min_width}"></figure>')


def _inputs_of_row(row: ScoredItem) -> engine.CaptionInputs | None:
    """Return the captions of a row, or None if the row has propositions instead."""
    references = tuple(text for text in row.references if isinstance(text, str))
    if isinstance(row.candidate, str) and len(references) == len(row.references):
        return engine.CaptionInputs(row.candidate, references)
    return None


def score_row(row: ScoredItem, config: SpiceConfig) -> engine.ScoredCaptions | None:
    """Score a row again to get its parses. The results of the last rows are cached.

    Return None for given propositions and empty captions.
    """
    inputs = _inputs_of_row(row)
    if not inputs or not all(text.strip() for text in (inputs.candidate, *inputs.references)):
        return None
    cache: dict[object, engine.ScoredCaptions] = st.session_state.setdefault(_ROWS_KEY, {})
    scored_captions = cache.pop((inputs, config), None) or engine.score_captions(inputs, config)
    cache[inputs, config] = scored_captions
    if len(cache) > _MAX_CACHED_ROWS:
        del cache[next(iter(cache))]
    return scored_captions


def show_inspect_link(row: ScoredItem, config: SpiceConfig, *, image: str = "", key: str) -> None:
    """Show links that open the captions and image in Inspect, and the candidate in Rules."""
    inputs = _inputs_of_row(row)
    if inputs and (address := links.inspect_address(inputs, config, image=image)):
        with st.container(horizontal=True, gap="small"):
            st.link_button(t("batch.inspect"), address, key=f"{key}.inspect")
            if rules_url := links.rules_address(inputs.candidate, config):
                st.link_button(t("detail.rules_page"), rules_url, key=f"{key}.rules", type="tertiary")


def rules_links(row: ScoredItem, config: SpiceConfig) -> LinkByTuple:
    """Return a link to Rules for each unmatched tuple, with the caption and the tuple's words.

    The mapping is empty if the row cannot be scored again, for example because it has given propositions.
    """
    try:
        scored_captions = score_row(row, config)
    except SpiceError:
        return {}
    return {tuple_: link for tuple_, link in links.unmatched_links(scored_captions).items() if link[0]} if scored_captions else {}
