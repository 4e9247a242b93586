"""Results on the Learn page, computed on demand and cached."""

from collections.abc import Sequence

import streamlit as st

from pages.parts.learn.material import FOLDER, current_material
from pages.parts.learn.state import learn_state
from pages.parts.state import engine, settings
from pages.parts.state.engine import CaptionInputs, ScoredCaptions
from spice_core import SpiceConfig
from spice_core.lang import detect_language, language
from spice_core.metrics.measure import segment_scores
from spice_core.metrics.metric import Needs
from spice_core.metrics.registry import METRICS, available_metrics
from spice_core.scene.propositions import Parse
from spice_core.syntax import conllu

_MAX_CACHED_RESULTS = 64


def score_candidate(candidate: str, *references: str, config: SpiceConfig | None = None) -> ScoredCaptions:
    """Score a candidate against references, by default with the tour language's default settings."""
    return cached_result(CaptionInputs(candidate, references), config or settings.default_config(current_material().lang))


def cached_result(inputs: CaptionInputs, config: SpiceConfig) -> ScoredCaptions:
    """Return the result of these captions, cached with its drawings."""
    cache, cache_key = learn_state().results, inputs.digest(config)
    if cache_key not in cache:
        while len(cache) >= _MAX_CACHED_RESULTS:
            del cache[next(iter(cache))]
        cache[cache_key] = engine.score_captions(inputs, config)
    return cache[cache_key]


def score_inputs(inputs: CaptionInputs) -> ScoredCaptions:
    """Score captions that a visitor entered, with the default settings of their language."""
    return cached_result(inputs, settings.default_config(detect_language((inputs.candidate, *inputs.references))))


def compare_parses(candidate: Parse, references: Sequence[Parse], config: SpiceConfig) -> ScoredCaptions:
    """Score a parsed candidate against parsed references."""
    inputs = CaptionInputs(candidate.caption, tuple(parse.caption for parse in references))
    result = engine.cached_metric(config).compare(candidate, references)
    return ScoredCaptions(inputs, config, result, (candidate, *references), tuple(range(len(references))))


def score_original(inputs: CaptionInputs, lang: str) -> ScoredCaptions:
    """Score captions with the original parser and rules, or with the default settings if the language has none."""
    name = language(lang).original
    return cached_result(inputs, SpiceConfig(lang, rules=name).resolved() if name else settings.default_config(lang))


def word_metric_scores(items: Sequence[tuple[str, tuple[str, ...]]], names: tuple[str, ...] = ()) -> dict[str, list[float]]:
    """Score captions of the tour with installed word-based metrics: the named metrics, or all."""
    return _word_scores(items, names, current_material().lang)


@st.cache_data(show_spinner=False, max_entries=64)
def _word_scores(items: Sequence[tuple[str, tuple[str, ...]]], names: tuple[str, ...], lang: str) -> dict[str, list[float]]:
    problems: list[str] = []
    pack = language(lang)
    metric_names = [name for name in names or METRICS if name in available_metrics(pack) and METRICS[name].needs is Needs.TEXT]
    return segment_scores(items, metric_names, spice=engine.cached_metric(settings.default_config(lang)), problems=problems)


@st.cache_data(show_spinner=False, max_entries=64)
def soft_scores(pairs: Sequence[tuple[str, tuple[str, ...]]]) -> list[float]:
    """Score English captions by soft matching."""
    return segment_scores(pairs, ["soft"], spice=engine.cached_metric(settings.default_config("en")))["soft"]


def misread_parse() -> Parse:
    """Apply the default rules to the stored wrong tree of the misread sentence."""
    tree, config = FOLDER / current_material().misread_tree, settings.default_config(current_material().lang)
    document = next(iter(conllu.read(tree.read_text(encoding="utf-8").splitlines(), name=tree.name)))
    return engine.cached_metric(config).parse_document(document)
