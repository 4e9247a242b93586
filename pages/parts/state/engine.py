"""The metric for the pages: cached metrics and parses, and results with their inputs."""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from typing import Any, TypeVar

import streamlit as st

from pages.parts.kit import capacity, delivery
from pages.parts.kit.texts import t
from spice_core import Spice, SpiceConfig
from spice_core.explain.explanation import Explanation
from spice_core.lang.tree_file import is_uploaded
from spice_core.metrics.result import SpiceResult
from spice_core.scene.propositions import Parse

# A parse takes about 200 bytes per character. Both caches together take at most 200 MB, for one hour.
_SHORT_CAPTION_CHARS, _CACHE_TTL_S, _MAX_METRICS = 300, 3600, 16
T = TypeVar("T")
_LOADED_CONFIGS: deque[SpiceConfig] = deque(maxlen=_MAX_METRICS)


@dataclass(frozen=True)
class CaptionInputs:
    """The captions to score."""

    candidate: str
    references: tuple[str, ...]

    def digest(self, config: SpiceConfig) -> str:
        """Return the hash of these captions under these settings."""
        return sha256(repr((self, config)).encode()).hexdigest()


@dataclass(frozen=True)
class ScoredCaptions:
    """A result with its inputs. ``used_indices`` are the indices of the references used for the score.

    ``cache`` stores what the pages derive from the result, so that they do not compute it again after a click.
    """

    inputs: CaptionInputs
    settings: SpiceConfig
    result: SpiceResult
    parses: tuple[Parse, ...] = field(repr=False)
    used_indices: tuple[int, ...]
    cache: dict[object, Any] = field(default_factory=dict, repr=False, compare=False)

    def cached(self, key: object, compute: Callable[[], T]) -> T:
        """Return the value of ``compute``, computed once per key."""
        if key not in self.cache:
            self.cache[key] = compute()
        return self.cache[key]

    @cached_property
    def explanation(self) -> Explanation:
        """The explanation of the result."""
        return Explanation.from_result(self.result, cached_metric(self.settings))

    @property
    def reference_numbers(self) -> str:
        """The numbers of the used references, joined by dots as in the URL, or "" for all."""
        return ".".join(str(i + 1) for i in self.used_indices) if len(self.used_indices) < len(self.inputs.references) else ""

    @property
    def caption_labels(self) -> list[str]:
        """The labels of the candidate and of the used references."""
        return caption_labels(self.used_indices)


def caption_labels(references: Iterable[int]) -> list[str]:
    """Return the labels of the candidate and of the references with these indices."""
    return [t("captions.candidate"), *(t("captions.reference", number=row + 1) for row in references)]


@st.cache_resource(show_spinner=False, max_entries=_MAX_METRICS)
def cached_metric(config: SpiceConfig) -> Spice:
    """Return the metric for these settings, with its parser loaded.

    The loaded models stay in memory. They are excluded from garbage collection, because Streamlit collects garbage after each run of a
    page.
    """
    spice = Spice(config)
    if not is_uploaded(config.parser):  # uploaded trees may lack this caption
        next(spice.parse(["a dog"]))
    capacity.freeze_new_objects()
    _LOADED_CONFIGS.append(config)
    return spice


def cached_parse(caption: str, config: SpiceConfig) -> Parse:
    """Return the parse of a caption, cached by text, language, parser and rules."""
    parse_function = _parse_short if len(caption) <= _SHORT_CAPTION_CHARS else _parse_long
    return parse_function(caption, replace(config, synonyms="", scheme="", categories=()), _spice=cached_metric(config))


@st.cache_resource(show_spinner=False, max_entries=2048, ttl=_CACHE_TTL_S)
def _parse_short(caption: str, config: SpiceConfig, _spice: Spice) -> Parse:
    return next(_spice.parse([caption]))


@st.cache_resource(show_spinner=False, max_entries=100, ttl=_CACHE_TTL_S)
def _parse_long(caption: str, config: SpiceConfig, _spice: Spice) -> Parse:
    return next(_spice.parse([caption]))


def score_captions(inputs: CaptionInputs, config: SpiceConfig) -> ScoredCaptions:
    """Score the captions. Only captions that are not cached are parsed."""
    if config not in _LOADED_CONFIGS:  # a spinner makes the page redraw, even if it ends immediately
        delivery.send_held_messages()
        with st.spinner(t("states.loading")):
            cached_metric(config)
    parses = tuple(cached_parse(caption, config) for caption in (inputs.candidate, *inputs.references))
    return _compare_parses(inputs, config, parses, tuple(range(len(inputs.references))))


def with_references(scored_captions: ScoredCaptions, used_indices: Sequence[int]) -> ScoredCaptions:
    """Return the result against a subset of the references, without parsing."""
    used_indices = tuple(sorted(used_indices))
    if used_indices == scored_captions.used_indices:
        return scored_captions
    inputs, config, parses = scored_captions.inputs, scored_captions.settings, scored_captions.parses
    return scored_captions.cached(used_indices, lambda: _compare_parses(inputs, config, parses, used_indices))


def _compare_parses(inputs: CaptionInputs, config: SpiceConfig, parses: tuple[Parse, ...], used_indices: tuple[int, ...]) -> ScoredCaptions:
    candidate, *references = parses
    result = cached_metric(config).compare(candidate, [references[i] for i in used_indices])
    return ScoredCaptions(inputs, config, result, parses, used_indices)


MAX_REFERENCES, MAX_CAPTION_CHARS, MAX_TOTAL_CHARS = 50, 3_000, 6_000  # captions within these limits are scored in a few seconds


def find_exceeded_limits(captions: CaptionInputs) -> list[tuple[str, str]]:
    """Return two texts for each exceeded limit: the found number and the maximum."""
    texts = (captions.candidate, *captions.references)
    counts = [
        ("references", len(captions.references), MAX_REFERENCES),
        ("caption", max(map(len, texts)), MAX_CAPTION_CHARS),
        ("in_all", sum(map(len, texts)), MAX_TOTAL_CHARS),
    ]
    return [
        (t(f"excess.{name}", number=f"{length:,}"), t(f"excess.{name}_most", most=f"{limit:,}"))
        for name, length, limit in counts
        if length > limit
    ]


def excess_messages(captions: CaptionInputs) -> list[str]:
    """Return a message for each limit that the captions exceed."""
    return [t("states.excess", found=length, expected=limit) for length, limit in find_exceeded_limits(captions)]
