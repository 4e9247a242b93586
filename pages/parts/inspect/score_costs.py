"""Sentences about an extra and a missing tuple, and the parser or rules in use with a button that switches them."""

from collections.abc import Sequence
from html import escape

import streamlit as st

from pages.parts.kit.texts import t
from pages.parts.state import settings
from pages.parts.state.engine import ScoredCaptions
from pages.parts.views import tuples
from spice_core import SpiceConfig
from spice_core.explain.evidence import TupleRow
from spice_core.lang import language

_PAPER_SETTINGS = {"en": ("parser", "spice-2016"), "ja": ("rules", "jaspice-2023")}  # the settings for published figures, by language


def show_costs(scored_captions: ScoredCaptions) -> None:
    """Show the first extra tuple and the missing tuple that most references mention, and the number of further tuples of both kinds.

    The tuples are buttons. A click puts the tuple in focus.
    """
    rows, reference_count = scored_captions.explanation.rows, len(scored_captions.used_indices)
    sentences = [_describe_cost("precision", [row for row in rows if row.side == "c" and not row.state.matched])]
    missed_rows = sorted((row for row in rows if row.side == "r" and not row.state.matched), key=_count_mentions, reverse=True)
    sentences.append(_describe_cost("recall" if reference_count > 1 else "recall_single", missed_rows, of=str(reference_count)))
    if any(sentences):
        st.html(f'<p class="sc-costs">{" ".join(sentences)}</p>')


def _count_mentions(row: TupleRow) -> int:
    """Return the number of references that mention a tuple."""
    return len({source.caption for source in row.in_references})


def _describe_cost(text_name: str, rows: Sequence[TupleRow], **values: str) -> str:
    """Describe the first tuple and count the remaining tuples. Return "" if there are no tuples."""
    if not rows:
        return ""
    key = f"costs.{text_name}_more" if len(rows) > 1 else f"costs.{text_name}"
    return t(key, tuple=tuples.tuple_button(rows[0]), number=str(len(rows) - 1), said=str(_count_mentions(rows[0])), **values)


def show_parser(shown_config: SpiceConfig) -> None:
    """Show the parser or rules with their purpose, and a button that switches to the settings for published figures or back."""
    paper_part, papers = _PAPER_SETTINGS.get(shown_config.lang, ("", ""))
    if not paper_part:
        return
    chosen_name, default = getattr(shown_config, paper_part), getattr(settings.default_config(shown_config.lang), paper_part)
    purpose = {papers: t("costs.for_papers"), default: t("costs.for_graphs")}.get(chosen_name, "")
    other_name = default if chosen_name == papers else papers

    def switch_parser() -> None:
        rules = other_name if other_name in language(shown_config.lang).rules else shown_config.rules
        config = SpiceConfig(shown_config.lang, rules=rules).resolved()
        for name, value in {"rules": rules, paper_part: other_name, "synonyms": config.synonyms}.items():
            st.session_state[f"inspect.{shown_config.lang}.{name}"] = value

    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="inspect.parser"):
        custom_rules = t("costs.own_rules", name=escape(shown_config.rules)) if shown_config.rules_text else ""
        st.html(
            f'<p class="sc-note">{t(f"settings.{paper_part}")} <b>{escape(chosen_name)}</b>{purpose}{custom_rules}</p>', width="content"
        )
        label = t("costs.switch", name=other_name)
        description = t("costs.for_papers" if other_name == papers else "costs.for_graphs")
        st.button(label, key="inspect.other_parser", type="tertiary", on_click=switch_parser, help=label + description)
