"""The ratings that the Agreement page is about: the bundled sample, or a visitor's file scored once."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import streamlit as st

from pages.parts import engine, settings, states
from pages.parts.words import t
from spice_core.agreement import Agreement, with_choices, with_ratings
from spice_core.commands.agree import rated_scores
from spice_core.data.ratings import Choice, Rated, read_judgements
from spice_core.data.rows import Upload
from spice_core.errors import InputError
from spice_core.lang import LANGUAGES
from spice_core.metrics import NAMES, PLUS, SOFT, SPICE, measure

KEY = "agreement"
SAMPLE = Path(__file__).parents[2] / "assets" / "agreement" / "jsts_sample.json"
MOST = 2_000  # rows of an upload that are scored
_KINDS = ["csv", "tsv", "json", "jsonl"]


@dataclass(frozen=True)
class Study:
    """Ratings (or choices, then ``rated`` is empty), the scores of each metric, and how they agree."""

    rated: tuple[Rated, ...]
    scores: dict[str, list[float]]
    found: Agreement
    categories: Agreement | None
    lang: str
    signature: str


def choose() -> Study | None:
    """The choice of data and level; None while an upload waits to be measured."""
    sources = {name: t(f"agreement.source_{name}") for name in ("sample", "upload")}
    look = {"required": True, "persist_state": "session"}
    source = st.segmented_control(
        t("agreement.data"), list(sources), key=f"{KEY}.source", default="sample", format_func=sources.__getitem__, **look
    )
    if source == "sample":
        st.html(f'<p class="sc-note">{t("agreement.about_sample")}</p>')
        return sample()
    return _upload()


@st.cache_resource(show_spinner=False)
def sample() -> Study:
    """Pairs of JSTS with the scores that came with them."""
    stored = json.loads(SAMPLE.read_text(encoding="utf-8"))
    rated = tuple(Rated(row["sentence1"], (row["sentence2"],), (row["similarity"],)) for row in stored["pairs"])
    return _study(rated, stored["scores"], "caption", "ja", stored["signature"])


def _upload() -> Study | None:
    st.html(f'<p class="sc-note">{t("agreement.layout")}</p>')
    file = st.file_uploader(t("agreement.file"), type=_KINDS, key=f"{KEY}.file")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        names = {code: t(f"language.{code}") for code in LANGUAGES}
        lang = st.segmented_control(
            t("language.title"), list(names), key=f"{KEY}.lang", default="en", required=True, format_func=names.__getitem__
        )
        levels = {name: t(f"agreement.level_{name}") for name in ("caption", "system")}
        look = {"default": "caption", "required": True, "format_func": levels.__getitem__}
        level = st.segmented_control(t("agreement.level"), list(levels), key=f"{KEY}.level", **look)
    metrics = st.multiselect(t("agreement.metrics"), NAMES, default=[SPICE, SOFT, PLUS], key=f"{KEY}.metrics")
    pressed = st.button(t("agreement.measure"), disabled=file is None or not metrics, type="primary")
    kept = f"{KEY}.study"
    if pressed:
        st.session_state.pop(kept, None)
        with st.spinner(t("states.loading")):
            st.session_state[kept] = _measured(file.name, file.getvalue(), lang, level, metrics)
    elif kept not in st.session_state:
        states.say([t("agreement.waiting")])
    return st.session_state.get(kept)


def _measured(name: str, content: bytes, lang: str, level: str, metrics: list[str]) -> Study:
    rows = read_judgements(Upload(name, content), most=MOST + 1)
    if len(rows) > MOST:
        raise InputError(name, "more rows", f"at most {MOST:,} here; the command line takes any number")
    spice = engine.engine(settings.usual(lang))
    if isinstance(rows[0], Choice):
        a, b = (measure([(getattr(c, side), c.references) for c in rows], metrics, spice=spice, turn=engine.ONE_AT_A_TIME) for side in "ab")
        return Study((), {}, with_choices(rows, a, b), None, lang, str(spice.signature))
    scores = rated_scores(rows, metrics, spice, categories=True, turn=engine.ONE_AT_A_TIME)
    return _study(tuple(rows), scores, level, lang, str(spice.signature))


def _study(rated: tuple[Rated, ...], scores: dict[str, list[float]], level: str, lang: str, signature: str) -> Study:
    whole = {name: values for name, values in scores.items() if ": " not in name}
    parts = {name: values for name, values in scores.items() if ": " in name}
    plain = {name: [float("nan") if v is None else v for v in values] for name, values in (whole | parts).items()}
    found = with_ratings(rated, {n: plain[n] for n in whole}, level=level)
    by_part = with_ratings(rated, {n: plain[n] for n in parts}, level=level, resamples=200) if parts else None
    return Study(rated, plain, found, by_part, lang, signature)


@cache
def published() -> list[dict]:
    """Figures from the literature."""
    return json.loads((SAMPLE.parent / "published.json").read_text(encoding="utf-8"))
