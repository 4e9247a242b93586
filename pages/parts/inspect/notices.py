"""Messages about missing, outdated or unusual input."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence

import streamlit as st

from pages.parts.kit.texts import join_items, language_names, t
from pages.parts.state.engine import CaptionInputs, ScoredCaptions, excess_messages
from spice_core.scene.propositions import Parse

MIN_LONG_CAPTION_WORDS = 60


def show_stale_message(*, is_stale: bool) -> None:
    """Add the message that the captions have changed since they were scored.

    Unless ``is_stale``, the message is hidden until the visitor edits a caption.
    """
    role = ' sc-on" role="status' if is_stale else ""
    with st.container(key="inspect.changed"):
        st.html(f'<div class="sc-say sc-note sc-changed{role}"><p>{t("states.stale")}</p></div>')


def input_problems(captions: CaptionInputs) -> list[str]:
    """Return messages that explain why these captions cannot be scored."""
    messages_ = [] if captions.candidate else [t("states.no_candidate")]
    messages_ += [] if captions.references else [t("states.no_references")]
    return messages_ + excess_messages(captions)


def reliability_remarks(scored_captions: ScoredCaptions, other_captions: Sequence[str] = (), *, lang: str) -> list[str]:
    """Return remarks on the reliability of a result. ``other_captions`` are the labels of captions in other scripts."""
    result = scored_captions.result
    script_remark = t("states.other_script", where=join_items(other_captions), name=language_names()[lang])
    messages_ = ([script_remark] if other_captions else []) + list(_long_caption_remarks(scored_captions))
    if not result.candidate_tuples:
        messages_.append(t("states.no_candidate_tuples"))
    if not result.reference_tuples:
        messages_.append(t("states.no_reference_tuples"))
    if result.candidate_tuples and result.reference_tuples and not result.matches:
        messages_.append(t("states.nothing_matched"))
    return messages_


def _long_caption_remarks(scored_captions: ScoredCaptions) -> Iterator[str]:
    result = scored_captions.result
    for name, parse in zip(scored_captions.caption_labels, (result.candidate, *result.references)):
        if (count := max(_sentence_lengths(parse), default=0)) > MIN_LONG_CAPTION_WORDS:
            yield t("states.long", where=name, number=count)


def _sentence_lengths(parse: Parse) -> list[int]:
    """Return the sentence lengths in words, before enhancement steps join sentences."""
    if not parse.document:
        return []
    starts = parse.document.text_offsets(parse.sentences)
    tokens = [token for sentence in parse.document.sentences for token in sentence.tokens]
    return [*Counter(bisect_right(starts, token.start) for token in tokens).values()]
