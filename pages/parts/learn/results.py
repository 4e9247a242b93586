"""Results that the Learn page shows: computed by the engine, held for the visit."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from pages.parts.state import engine, settings
from pages.parts.state.engine import Inputs, Scored
from spice_core import SpiceConfig
from spice_core.lang import language
from spice_core.metrics.measure import segment_scores
from spice_core.metrics.metric import Needs
from spice_core.metrics.registry import METRICS, available
from spice_core.scene.propositions import Parse
from spice_core.syntax import conllu

KEY = "learn"
EARLIER = Path(__file__).parents[3] / "assets" / "learn" / "earlier_parser.conllu"
_HELD = 64  # results


def score_english(candidate: str, *references: str, config: SpiceConfig | None = None) -> Scored:
    """A candidate scored against references, by default by the usual English settings."""
    return cached_result(Inputs(candidate, references), config or settings.default_config("en"))


def cached_result(inputs: Inputs, config: SpiceConfig) -> Scored:
    """The result of these captions; with it, what has been drawn from it."""
    known: dict[str, Scored] = st.session_state.setdefault(f"{KEY}.results", {})
    mark = inputs.digest(config)
    if mark not in known:
        while len(known) >= _HELD:
            del known[next(iter(known))]
        known[mark] = engine.score(inputs, config)
    return known[mark]


def compare_parses(candidate: Parse, references: Sequence[Parse], config: SpiceConfig) -> Scored:
    """A result of parses that are already there."""
    inputs = Inputs(candidate.caption, tuple(parse.caption for parse in references))
    result = engine.engine(config).compare(candidate, references)
    return Scored(inputs, config, result, (candidate, *references), tuple(range(len(references))))


def original(inputs: Inputs, lang: str) -> Scored:
    """The same captions by the parser and rules of the metric as first published."""
    name = language(lang).original
    return cached_result(inputs, SpiceConfig(lang, rules=name).resolved() if name else settings.default_config(lang))


@st.cache_data(show_spinner=False, max_entries=64)
def word_scores(items: Sequence[tuple[str, tuple[str, ...]]], names: tuple[str, ...] = ()) -> dict[str, list[float]]:
    """Scores of English captions by metrics that read words, those named or all, as far as they are installed."""
    problems: list[str] = []
    pack = language("en")
    chosen = [name for name in names or METRICS if name in available(pack) and METRICS[name].needs is Needs.TEXT]
    return segment_scores(items, chosen, spice=engine.engine(settings.default_config("en")), problems=problems)


@st.cache_data(show_spinner=False, max_entries=64)
def soft_scores(pairs: Sequence[tuple[str, tuple[str, ...]]]) -> list[float]:
    """Scores of English captions by soft matching."""
    return segment_scores(pairs, ["soft"], spice=engine.engine(settings.default_config("en")))["soft"]


def earlier_parse() -> Parse:
    """The parse of today's rules on the stored tree of an earlier parser."""
    document = next(iter(conllu.read(EARLIER.read_text(encoding="utf-8").splitlines(), name=EARLIER.name)))
    return engine.engine(settings.default_config("en")).parse_document(document)
