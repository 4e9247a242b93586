"""What the page says when something is missing, empty, stale or strange."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

import streamlit as st

from pages.parts import inputs
from pages.parts.engine import Inputs, Scored
from pages.parts.words import t
from spice_core.propositions import Parse

MANY_WORDS = 60


def problems(now: Inputs) -> list[str]:
    """All that keeps these captions from being scored."""
    found = [] if now.candidate else [t("states.no_candidate")]
    found += [] if now.references else [t("states.no_references")]
    return found + [t("states.excess", found=much, expected=most) for much, most in inputs.excess(now)]


def remarks(scored: Scored, misfits: Sequence[str] = (), *, lang: str) -> list[str]:
    """What a reader should know about this result before trusting it; ``misfits`` are captions in another script."""
    result = scored.result
    other = t("states.other_script", where=", ".join(misfits), name=t(f"language.{lang}"))
    found = ([other] if misfits else []) + list(_long(scored))
    if not result.candidate_tuples:
        found.append(t("states.no_candidate_tuples"))
    if not result.reference_tuples:
        found.append(t("states.no_reference_tuples"))
    if result.candidate_tuples and result.reference_tuples and not result.matches:
        found.append(t("states.nothing_matched"))
    return found


def say(messages: list[str], *, kind: str = "note") -> None:
    """Show messages as quiet notes (``note``) or as what must be mended first (``problem``)."""
    role = "alert" if kind == "problem" else "status"
    lines = "".join(f"<p>{escape(message)}</p>" for message in messages)
    if lines:
        st.html(f'<div class="sc-say sc-{kind}" role="{role}">{lines}</div>')


def asked(name: str, most: int) -> str:
    """A text that the address holds; one that is too long is said and left out."""
    value = st.query_params.get(name, "").strip()
    if len(value) <= most:
        return value
    say([t("states.too_long", name=name, number=f"{len(value):,}", most=f"{most:,}")])
    return ""


def _long(scored: Scored) -> Iterator[str]:
    result = scored.result
    for name, parse in zip(scored.captions, (result.candidate, *result.references)):
        if (count := words(parse)) > MANY_WORDS:
            yield t("states.long", where=name, number=count)


def words(parse: Parse) -> int:
    """How many words an analyser found in a caption."""
    return sum(len(sentence.tokens) for sentence in parse.document.sentences) if parse.document else 0
