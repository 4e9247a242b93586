"""Other metrics on the same captions: a drawer with scores, nearest pairs, and a note on what SPICE does not measure."""

from __future__ import annotations

import math
from html import escape

import streamlit as st

from pages.parts.kit.html import number, table
from pages.parts.kit.texts import interface, t
from pages.parts.session import engine
from spice_core.errors import MissingResourceError
from spice_core.metrics.soft import Soft, SoftResult
from spice_core.metrics.text import baselines

_NAMES = tuple(name for name in baselines.NAMES if name != "CIDEr-D")  # its idf weights need many images
_SOFT = ("", "hypernyms")  # the language's first similarity, then hypernyms


def drawer(scored: engine.Scored, *, key: str, scale: int) -> None:
    """A note on the limits of SPICE and, once opened, the other metrics; computed once per result."""
    st.html(f'<p class="sc-note">{t("beside.fluency")}</p>')
    opened = st.expander(t("beside.title"), key=f"{key}.beside", on_change="rerun")
    if not opened.open:
        return
    with opened, st.spinner(t("states.loading")):
        found, problems = _found(scored)
        figures = "".join(f"<div><dt>{escape(name)}</dt><dd>{number(value, scale=scale)}</dd></div>" for name, value in found.items())
        st.html(f'<dl class="sc-beside">{figures}</dl><p class="sc-note">{t("beside.note")}</p>')
        listed, value = _listed(scored)
        if listed:
            st.html(f'<p class="sc-note">{t("beside.listed", caption=escape(listed), value=number(value, scale=scale))}</p>')
        for reason in problems:
            st.html(f'<p class="sc-note">{escape(t("beside.unavailable", reason=reason))}</p>')
        for by in _SOFT:
            if soft := scored.kept.get(("soft", by)):
                _pairs(soft)


def _found(scored: engine.Scored) -> tuple[dict[str, float], list[str]]:
    """Scores by metric, and messages about metrics that are not available."""
    made = ("beside", interface())
    if made not in scored.kept:
        found: dict[str, float] = {}
        problems: list[str] = []
        spice = engine.engine(scored.settings)
        for by in _SOFT:
            try:
                soft = scored.kept["soft", by] = Soft(spice, by or None).of(scored.result)
            except MissingResourceError as error:
                problems.append(str(error))
                continue
            found |= {t("beside.hyper"): soft.f1} if by else {t("beside.soft"): soft.f1, t("beside.plus"): soft.plus}
        result = scored.result
        pairs = baselines.pairs([(result.candidate.caption, [r.caption for r in result.references])], scored.settings.lang)
        try:
            found |= {name: baselines.scores(name, pairs, scored.settings.lang)[0] for name in _NAMES}
        except MissingResourceError as error:
            problems.append(str(error))
        scored.kept[made] = {name: value for name, value in found.items() if not math.isnan(value)}, problems
    return scored.kept[made]


def _listed(scored: engine.Scored) -> tuple[str, float]:
    """The candidate rewritten as a list of its objects and attributes, with its SPICE score."""
    if "listed" not in scored.kept:
        words = [[e.words[0] for e in tuple_.elements][::-1] for tuple_ in scored.result.candidate_tuples if len(tuple_.elements) < 3]
        between, comma = ("", "、") if scored.settings.lang == "ja" else (" ", ", ")
        text = comma.join(between.join(parts) for parts in words)
        value = engine.engine(scored.settings).compare(engine.parse(text, scored.settings), scored.result.references).f1 if text else 0.0
        scored.kept["listed"] = text, value
    return scored.kept["listed"]


def _pairs(soft: SoftResult) -> None:
    """Each candidate tuple with its nearest reference tuple."""
    by_path = any(m.path for m in soft.matches)
    heads = [t(f"beside.{name}") for name in ("mine", "theirs", "near", *(["path"] if by_path else []))]
    body = []
    for match in soft.matches:
        path = [escape("; ".join(" › ".join(chain) for chain in match.path))] if by_path else []
        mine, theirs = (escape(" – ".join(side.words)) for side in (match.candidate, match.reference))
        body.append([mine, theirs, f"{match.similarity:.2f}", *path])
    name = soft.similarity.signature
    st.html(f'<h3 class="sc-small">{t("beside.nearest")}: {escape(name)}</h3>' + table(heads, body))
