"""Messages about missing, empty, stale or unusual input."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence

import streamlit as st

from pages.parts.kit.texts import language_names, t
from pages.parts.state.engine import Inputs, Scored
from pages.parts.state.limits import find_excess
from spice_core.scene.propositions import Parse

MANY_WORDS = 60


def stale(*, now: bool) -> None:
    """The message that the captions were edited since: the browser shows it as soon as they are, the page where it knows of it (``now``)."""
    role = ' sc-on" role="status' if now else ""
    with st.container(key="inspect.changed"):
        st.html(f'<div class="sc-say sc-note sc-changed{role}"><p>{t("states.stale")}</p></div>')


def problems(now: Inputs) -> list[str]:
    """Everything that prevents these captions from being scored."""
    found = [] if now.candidate else [t("states.no_candidate")]
    found += [] if now.references else [t("states.no_references")]
    return found + [t("states.excess", found=much, expected=most) for much, most in find_excess(now)]


def remarks(scored: Scored, misfits: Sequence[str] = (), *, lang: str) -> list[str]:
    """Remarks on the reliability of this result; ``misfits`` are captions in another script."""
    result = scored.result
    other = t("states.other_script", where=", ".join(misfits), name=language_names()[lang])
    found = ([other] if misfits else []) + list(_long(scored))
    if not result.candidate_tuples:
        found.append(t("states.no_candidate_tuples"))
    if not result.reference_tuples:
        found.append(t("states.no_reference_tuples"))
    if result.candidate_tuples and result.reference_tuples and not result.matches:
        found.append(t("states.nothing_matched"))
    return found


def _long(scored: Scored) -> Iterator[str]:
    result = scored.result
    for name, parse in zip(scored.captions, (result.candidate, *result.references)):
        if (count := max(_sentences(parse), default=0)) > MANY_WORDS:
            yield t("states.long", where=name, number=count)


def count_words(parse: Parse) -> int:
    """How many words a parser found in a caption."""
    return sum(_sentences(parse))


def _sentences(parse: Parse) -> list[int]:
    """The number of words of each sentence, also where steps have joined them."""
    if not parse.document:
        return []
    starts = parse.document.starts(parse.sentences)
    tokens = [token for sentence in parse.document.sentences for token in sentence.tokens]
    return [*Counter(bisect_right(starts, token.start) for token in tokens).values()]
