"""The words of the candidate by what they do to the score: chips beside the score, and the ledger of points and edits."""

from collections import Counter
from dataclasses import replace
from html import escape

import streamlit as st

from pages.parts.kit import html
from pages.parts.kit.html import escape_markdown, signed_change
from pages.parts.kit.texts import join_items, t
from pages.parts.state import engine, examples, settings
from pages.parts.state.engine import ScoredCaptions
from pages.parts.state.inspect_state import inspect_state
from pages.parts.views import tuples
from spice_core.draw import design
from spice_core.draw.style import DisplayStyle
from spice_core.explain.evidence import TupleRow, tuple_parts
from spice_core.explain.ledger import LedgerRow, word_ledger
from spice_core.lang import language
from spice_core.scene.matching import MatchState

_STATES_BY_GROUP = {
    "earned": (MatchState.EXACT,),
    "cost": (MatchState.EXTRA, MatchState.CONTRADICTED),
    "other_words": (MatchState.SYNONYM, MatchState.PARTIAL, MatchState.ENTAILED, MatchState.NARROWER, MatchState.SAME_KIND),
}
_MAX_LEDGER_WORDS = 30  # longer captions would take seconds
_MAX_LEFT_OUT = 3  # maximum number of missing tuples among the chips


def headline(scored_captions: ScoredCaptions) -> str:
    """Return the number of candidate tuples in each state: "2 earned, 1 narrower, 1 in no reference"."""
    states = [row.state for row in scored_captions.explanation.rows if row.side == "c"]
    return join_items(t(f"ledger.{state}", number=states.count(state)) for state in MatchState if state in states)


def show_chips(scored_captions: ScoredCaptions) -> None:
    """Show the candidate's tuples that earned, cost or were narrower, and the missing tuples mentioned most.

    A tuple is shown by its words in the caption, or by all its parts if it has no words of its own or shares its label with another
    relation. A click on a chip puts its tuple in focus. The marks and shapes of the chips are those of the graphs.
    """
    explanation = scored_captions.explanation
    words: dict[str, list[str]] = {}
    for span in explanation.captions[0]:
        words.setdefault(span.row, []).append(span.text)
    place_by_row = {row: place for place, row in enumerate(words)}
    rows = sorted((row for row in explanation.rows if row.side == "c"), key=lambda row: place_by_row.get(row.id, len(words)))
    labels = Counter(row.parts[1] for row in rows if row.kind == "relation")

    def text_of(row: TupleRow) -> str:
        is_ambiguous = row.id not in words or (row.kind == "relation" and labels[row.parts[1]] > 1)
        if is_ambiguous:
            return tuples.tuple_words(row.parts)
        return words[row.id][0] if row.kind == "object" else " ".join(dict.fromkeys(words[row.id]))  # without its pronouns

    groups = [
        (group, [_chip(row, text_of(row), f"{_other_words(row)}{' ½' if row.weight < 1 else ''}") for row in rows if row.state in states])
        for group, states in _STATES_BY_GROUP.items()
    ]
    missed = [row for row in explanation.rows if row.side == "r" and row.state in (MatchState.MISSING, MatchState.CONTRADICTED)]
    missed.sort(key=lambda row: (-count_mentions(row), len(row.parts)))
    reference_count = len(scored_captions.used_indices)
    chips = [_chip(row, tuples.tuple_words(row.parts), f"{count_mentions(row)}/{reference_count}") for row in missed[:_MAX_LEFT_OUT]]
    chips += [f"<small>+{len(missed) - _MAX_LEFT_OUT}</small>"] if len(missed) > _MAX_LEFT_OUT else []
    body = ""
    for group, group_chips in [*groups, ("left_out", chips)]:
        if group_chips:
            body += f'<p title="{escape(t(f"ledger.{group}_help"))}"><b>{t(f"ledger.{group}")}</b> {" ".join(group_chips)}</p>'
    st.html(f'<div class="sc-chips">{body}</div>')


def _other_words(row: TupleRow) -> str:
    """Return the words of the references that decide the state of a tuple unless it is exact: "≈ couch", "⊂ dog" or "← disc" (entails)."""
    other = row.partner or row.contradicted_by or row.related or (tuple_parts(row.proof.tuples[0]) if row.proof else ())
    if not other or other == row.parts:
        return ""
    label = min(1, len(row.parts) - 1)
    words = tuples.tuple_words(other) if len(other) != len(row.parts) or other[label] == row.parts[label] else other[label]
    return f"{'←' if row.state is MatchState.ENTAILED else design.MARK_BY_STATE[row.state]} {words}"


def _chip(row: TupleRow, text: str, note: str = "") -> str:
    title = f"{tuples.kind_text(row)}, {t(f'legend.{row.state}')}: {tuples.tuple_words(row.parts)}"
    content = f"<i>{design.MARK_BY_STATE[row.state]}</i> {escape(text)}{f' <small>{escape(note.strip())}</small>' if note else ''}"
    return f'<button type="button" class="sc-chip sc-{row.kind} sc-{row.state}" data-focus="{row.id}" title="{escape(title)}">{content}</button>'


def count_mentions(row: TupleRow) -> int:
    """Return the number of references that mention a tuple."""
    return len({source.caption for source in row.in_references})


def show_ledger(scored_captions: ScoredCaptions, *, style: DisplayStyle) -> None:
    """Show the points of each word, with a button for its best edit."""
    if (word_count := len({span.row for span in scored_captions.explanation.captions[0] if span.row})) > _MAX_LEDGER_WORDS:
        return html.show_note(t("ledger.too_long", number=word_count, most=_MAX_LEDGER_WORDS))
    rows = scored_captions.cached("ledger", lambda: _compute_ledger(scored_captions))
    if not rows:
        return None
    with st.container(key="inspect.ledger", gap=None):
        ways = [t("matching.exact"), *([t("matching.meaning")] if rows[0].by_meaning is not None else [])]
        heads = "".join(f"<span>{name}</span>" for name in ways)
        st.html(
            f'<div class="sc-ledger sc-muted" title="{escape(t("ledger.help"))}"><b>{t("ledger.word")}</b>{heads}<b>{t("ledger.edit")}</b></div>'
        )
        for number, row in enumerate(rows):
            with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key=f"inspect.ledger.{number}"):
                points = [row.exact, *([row.by_meaning] if row.by_meaning is not None else [])]
                cells = "".join(f"<span>{signed_change(value, style=style)}</span>" for value in points)
                name = _chip(scored_captions.explanation.row_by_node[row.row], row.word)
                st.html(f'<div class="sc-ledger">{name}{cells}</div>', width="content")
                if row.edit:
                    label = t(f"ledger.{row.edit.kind}", text=escape_markdown(row.edit.text), f1=style.format_ratio(row.edit.f1))
                    key, caption = f"inspect.edit.{number}", escape_markdown(row.edit.caption)
                    st.button(label, key=key, type="tertiary", help=caption, on_click=_apply_edit, args=(scored_captions, row))
    return None


def _compute_ledger(scored_captions: ScoredCaptions) -> tuple[LedgerRow, ...]:
    schemes = ("", settings.MEANING_SCHEME if language(scored_captions.settings.lang).inference_rules else "")
    exact, by_meaning = (engine.cached_metric(replace(scored_captions.settings, scheme=scheme)) for scheme in schemes)
    return word_ledger(scored_captions.result, exact, by_meaning if schemes[1] else None)


def _apply_edit(scored_captions: ScoredCaptions, row: LedgerRow) -> None:
    """Score the edited candidate, pin the previous result for comparison, and remember its captions for "Back"."""
    if row.edit:
        state = inspect_state()
        state.pinned, state.custom_inputs, state.scored = scored_captions, scored_captions.inputs, None
        examples.fill_form(engine.CaptionInputs(row.edit.caption, scored_captions.inputs.references))
