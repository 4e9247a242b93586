"""The choice of references, and the effect of each reference on the score."""

from html import escape
from typing import Any

import streamlit as st

from pages.parts.kit import choice, html, url
from pages.parts.kit.choice import drawer
from pages.parts.kit.html import signed_change, table
from pages.parts.kit.texts import t
from pages.parts.state import engine, examples
from pages.parts.state.engine import ScoredCaptions
from pages.parts.state.inspect_state import UsedReferences, inspect_state
from spice_core.draw.style import DisplayStyle
from spice_core.explain.leave_one_out import leave_one_out


def choose_references(scored_captions: ScoredCaptions) -> ScoredCaptions:
    """Show the choice of references. Return the result against them, by default against all."""
    texts, widget = scored_captions.inputs.references, "inspect.used"
    all_indices = list(range(len(texts)))
    with st.container():
        used_indices = _current_references(texts) or all_indices
    if len(all_indices) > 1:
        st.session_state[widget] = used_indices
        numbers = {i: str(i + 1) for i in all_indices}
        options: dict[str, Any] = {"label_visibility": "collapsed", "help": t("references.used")}
        used_indices = sorted(choice.pills(t("references.used"), numbers, selection_mode="multi", key=widget, **options)) or all_indices
    inspect_state().used_references = UsedReferences(texts, used_indices)
    scored_captions = engine.with_references(scored_captions, used_indices)
    is_restorable = examples.example_id_of(scored_captions.inputs) or "t" in url.current_params()  # the URL never contains typed captions
    url.set_param("refs", scored_captions.reference_numbers if is_restorable else "")
    return scored_captions


@drawer("references.title", "inspect.shares")
def show_leave_one_out(scored_captions: ScoredCaptions, *, style: DisplayStyle) -> None:
    """Show an expander with the score without each reference in turn."""
    rows = scored_captions.cached("alone", lambda: leave_one_out(engine.cached_metric(scored_captions.settings), scored_captions.result))
    if not rows:
        st.html(f'<p class="sc-note">{t("references.single")}</p>')
        return
    headers = [t(f"references.{name}") for name in ("caption", "tuples", "alone", "f1", "change")]
    body, result = [], scored_captions.result
    sources = [{mention.caption for mention in tuple_.mentions} for tuple_ in result.reference_tuples]
    for row in rows:
        label, caption = scored_captions.caption_labels[row.reference + 1], result.references[row.reference].caption
        counts = sum(row.reference in captions for captions in sources), sum(captions == {row.reference} for captions in sources)
        figures = [*map(str, counts), style.format_ratio(row.result.f1), signed_change(row.f1_change, style=style)]
        body.append([f"<small>{label}</small> {escape(caption)}", *figures])
    st.html(table(headers, body) + f'<p class="sc-note">{t("references.note")}</p>')


def _current_references(texts: tuple[str, ...]) -> list[int]:
    """Return the indices of the references chosen by the visitor or the URL, and of all references added since."""
    if not (used := inspect_state().used_references):
        return _requested_references(len(texts))
    earlier_texts, used_indices = used
    used_indices = st.session_state.get("inspect.used", used_indices)
    if earlier_texts == texts:
        return used_indices
    excluded_texts = {text for i, text in enumerate(earlier_texts) if used_indices and i not in used_indices}
    return [i for i, text in enumerate(texts) if text not in excluded_texts]


def _requested_references(count: int) -> list[int]:
    """Return the indices of the references in the URL, or an empty list after a message if one of them does not exist."""
    refs = url.current_params().get("refs", "")
    requested_numbers = set(filter(None, refs.split(".")))
    used_indices = [i for i in range(count) if str(i + 1) in requested_numbers]
    if len(used_indices) == len(requested_numbers):
        return used_indices
    html.show_messages([t("references.unknown", found=url.quote_value(refs), number=count)])
    return []
