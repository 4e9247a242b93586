"""The score and the signature of a result."""

import streamlit as st

from pages.parts.kit import html
from pages.parts.kit.texts import t
from pages.parts.state.settings import MEANING_SCHEME
from spice_core.draw.style import DisplayStyle
from spice_core.lang import LANGUAGES, language
from spice_core.metrics.result import SpiceResult
from spice_core.scene.scores import format_count


def show_header(result: SpiceResult, headline: str = "", *, style: DisplayStyle) -> None:
    """Show F1, precision and recall, with a headline and counts in words."""
    overall = result.overall
    covered = overall.reference - len(result.missed) if result.verdicts.is_judged else overall.recalled
    covered_text = t("score.covered", matched=format_count(covered), total=overall.reference)
    found_text = t("score.found", matched=format_count(overall.matched), total=overall.candidate)
    score_sides = [covered_text, t("score.weighted")] if result.verdicts.is_judged else [found_text, covered_text]
    help_text = t("score.weighted_help") if result.verdicts.is_judged else ""
    shared_count = len(result.matches) - len({m.reference.id for m in result.matches}) if overall.covered is None else 0
    st.html(
        f'<section class="sc-score"><div class="sc-f1"><span>{t("score.f1", metric=metric_label(result))}</span><b>{style.format_ratio(result.f1)}</b></div>'
        f'<p class="sc-said" title="{help_text}">{f"<b>{headline}</b> · " if headline else ""}{" · ".join(score_sides)}</p><dl>'
        f"<div><dt>{t('score.precision')}</dt><dd>{style.format_ratio(result.precision)}</dd></div>"
        f"<div><dt>{t('score.recall')}</dt><dd>{style.format_ratio(result.recall)}</dd></div></dl>"
        + (f'<p class="sc-note">{t("score.shared", number=shared_count)}</p>' if shared_count else "")
        + "</section>"
    )


def metric_label(result: SpiceResult) -> str:
    """Return the name of the metric and, unless it is exact, the matching."""
    name = result.metric_name.removesuffix(", by meaning")
    return t("matching.metric", metric=name) if result.verdicts.is_judged else name


def metric_label_of(signature: str) -> str:
    """Return the metric's label from a signature, or "" for another version's."""
    parts = dict(part.partition(":")[::2] for part in signature.split("|"))
    if (lang := parts.get("lang", "")) not in LANGUAGES or "rules" not in parts:
        return ""
    name = language(lang).name_of_metric(parts["rules"], **{part: parts.get(part, "") for part in ("parser", "scheme", "synonyms")})
    return t("matching.metric", metric=name) if parts.get("scheme") == MEANING_SCHEME else name


def show_signature(text: str) -> None:
    """Show the signature as copyable text."""
    st.html(f'<h3 class="sc-small">{t("score.signature")}</h3><p class="sc-note">{t("score.signature_help")}</p>')
    html.show_copyable(text)
