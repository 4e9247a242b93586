"""Other metrics on the same captions: scores, and the nearest pairs."""

import math
from html import escape

import streamlit as st

from pages.parts.kit.choice import drawer
from pages.parts.kit.html import table
from pages.parts.kit.texts import t
from pages.parts.state import engine
from spice_core.draw.style import DisplayStyle
from spice_core.lang import language
from spice_core.metrics.measure import batch_scores, metric_signatures
from spice_core.metrics.metric import Batch, Needs, Pairing
from spice_core.metrics.registry import SPICE, working_metrics

# SPICE is above; metrics that weight words by rarity need many images
_BASELINE_METRICS = [metric for metric in working_metrics() if metric is not SPICE and metric.needs is not Needs.CORPUS]


@drawer("beside.title", "inspect.beside")
def show_baselines(scored_captions: engine.ScoredCaptions, *, style: DisplayStyle) -> None:
    """Show an expander with other metrics, which are computed when the visitor opens it."""
    with st.spinner(t("states.loading")):
        metric_scores, problems, batch = _compute_scores(scored_captions)
        note = t("beside.note", names=", ".join(metric.name for metric in working_metrics() if metric.needs is Needs.CORPUS))
        figures = "".join(
            f"<div><dt>{escape(name)}</dt><dd>{style.format_ratio(value)}</dd></div>" for name, value in metric_scores.items()
        )
        st.html(f'<dl class="sc-beside">{figures}</dl><p class="sc-note">{note}</p>')
        word_list, value = _score_as_word_list(scored_captions)
        if word_list:
            st.html(f'<p class="sc-note">{t("beside.listed", caption=escape(word_list), value=style.format_ratio(value))}</p>')
        for problem in problems:
            st.html(f'<p class="sc-note">{escape(problem)}</p>')
        for metric in _BASELINE_METRICS:
            if metric.name in metric_scores and metric.explain:
                pairings = metric.explain(batch)
                has_paths = any(pairing.path for pairing in pairings)
                headers = [t(f"beside.{head}") for head in ("candidate", "references", "near", *(["path"] if has_paths else []))]
                body = [[escape(p.candidate), escape(p.reference), _credit_html(p), escape(p.path)][: len(headers)] for p in pairings]
                st.html(f'<h3 class="sc-small">{t("beside.nearest", name=escape(metric.name))}</h3>' + table(headers, body))
        lines = "<br>".join(map(escape, metric_signatures(metric_scores, batch.spice)))
        st.html(f'<h3 class="sc-small">{t("beside.signatures")}</h3><p class="sc-note">{lines}</p>')


def _compute_scores(scored_captions: engine.ScoredCaptions) -> tuple[dict[str, float], list[str], Batch]:
    """Return the scores by metric, messages about unavailable metrics, and the batch with which metrics explain scores."""
    if "beside" not in scored_captions.cache:
        result = scored_captions.result
        problems: list[str] = []
        items = [(result.candidate.caption, [r.caption for r in result.references])]
        batch = Batch(items, engine.cached_metric(scored_captions.settings), [result])
        metric_scores = batch_scores(batch, _BASELINE_METRICS, problems)
        scored_captions.cache["beside"] = (
            {name: value for name, (value,) in metric_scores.items() if not math.isnan(value)},
            problems,
            batch,
        )
    return scored_captions.cache["beside"]


def _score_as_word_list(scored_captions: engine.ScoredCaptions) -> tuple[str, float]:
    """Return the objects and attributes of the candidate as a word list, and its SPICE score."""
    if "listed" not in scored_captions.cache:
        words = [
            [e.words[0] for e in tuple_.elements][::-1] for tuple_ in scored_captions.result.candidate_tuples if len(tuple_.elements) < 3
        ]
        tools = language(scored_captions.settings.lang).text
        text = tools.comma.join(tools.joiner.join(parts) for parts in words)
        spice, references = engine.cached_metric(scored_captions.settings), scored_captions.result.references
        value = spice.compare(engine.cached_parse(text, scored_captions.settings), references).f1 if text else 0.0
        scored_captions.cache["listed"] = text, value
    return scored_captions.cache["listed"]


def _credit_html(pairing: Pairing) -> str:
    """Return a pair's credit as HTML. Equal words with partial credit get a remark that their contexts differ."""
    credit = f"{pairing.credit:.2f}"
    return credit if pairing.candidate != pairing.reference or credit == "1.00" else f"{credit} <small>{t('beside.context')}</small>"
