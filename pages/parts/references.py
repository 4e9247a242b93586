"""The references one by one: which of them count, and what each does to the score."""

from __future__ import annotations

from html import escape

import streamlit as st

from pages.parts import address, engine
from pages.parts.engine import Scored
from pages.parts.figures import number, signed, table
from pages.parts.words import t
from spice_core.explain.references import leave_one_out


def choose(scored: Scored, *, key: str) -> Scored:
    """The choice of the references that count, and the result against those; none chosen means all."""
    everyone = list(range(len(scored.inputs.references)))
    if len(everyone) < 2:
        return scored
    widget = f"{key}.used"
    st.session_state.setdefault(widget, _asked(everyone))
    st.session_state[widget] = [i for i in st.session_state[widget] if i in everyone] or everyone
    label = t("references.used")
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"{key}.references"):
        st.html(f'<p class="sc-label">{label}</p>', width="content")
        look = {"label_visibility": "collapsed", "format_func": lambda i: t("captions.reference", number=i + 1)}
        used = st.pills(label, everyone, selection_mode="multi", key=widget, **look)
    used = sorted(used) or everyone
    address.keep("refs", ".".join(str(i + 1) for i in used) if used != everyone else "")
    return engine.narrowed(scored, used)


def shares(scored: Scored, *, key: str, scale: int) -> None:
    """A drawer with the score without each reference in turn."""
    opened = st.expander(t("references.title"), key=f"{key}.shares", on_change="rerun")
    if not opened.open:
        return
    with opened:
        rows = leave_one_out(engine.engine(scored.settings), scored.result)
        if not rows:
            st.html(f'<p class="sc-note">{t("references.single")}</p>')
            return
        heads = [t(f"references.{name}") for name in ("caption", "tuples", "alone", "f1", "change")]
        body = (
            [
                f"<small>{scored.captions[row.reference + 1]}</small> {escape(scored.result.references[row.reference].caption)}",
                *_counts(scored, row.reference),
                number(row.result.f1, scale=scale),
                signed(row.f1_change, scale=scale),
            ]
            for row in rows
        )
        st.html(table(heads, body) + f'<p class="sc-note">{t("references.note")}</p>')


def _asked(everyone: list[int]) -> list[int]:
    """The references that the address asks for, else all."""
    named = [int(n) - 1 for n in st.query_params.get("refs", "").split(".") if n.isdecimal()]
    return [i for i in named if i in everyone] or everyone


def _counts(scored: Scored, reference: int) -> tuple[str, str]:
    """How many tuples of the references one caption has, and how many it has alone."""
    captions = [{m.caption for m in tuple_.mentions} for tuple_ in scored.result.reference_tuples]
    return str(sum(reference in c for c in captions)), str(sum(c == {reference} for c in captions))
